"""The worksheet of a possible breach: who is affected, which duties follow, and until when.

In: people of the files concerned, grouped to one group a person; facts about the files.
Out: Breach; as a page or as rows. No name, no pseudonym, no path is in it.

HIPAA: 45 CFR 164.402 (four factors), 404 (people), 406 (media), 408 (Secretary).
GDPR: articles 33 (authority, 72 hours) and 34 (people, where the risk is high).
"""

from __future__ import annotations

import calendar
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from dlp.access import REACHES
from dlp.model import LEVELS
from dlp.report.charts import clean, number
from dlp.report.html_page import card, document, table
from dlp.report.words_and_masks import REACH_WORDS, several

MANY = 500  # people: the Secretary is told at once
MEDIA = 500  # more residents than that of one state or jurisdiction: the media there as well
PEOPLE_DAYS, YEAR_END_DAYS, AUTHORITY_HOURS = 60, 60, 72
UNKNOWN = "unknown"
# What a fingerprint is of, for the nature of what was exposed.
KINDS = {
    "name": "names", "birth": "birth dates", "id": "numbers of records, insurance or identity",
    "phone": "telephone numbers", "email": "e-mail addresses", "address": "street addresses",
    "place": "places",
}  # fmt: skip

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Concerned:
    """What the catalogue, the journal and the file system know of the files."""

    files: int
    unlisted: int  # people of long tables beyond those that are listed; files may share them
    opened_since: int  # files opened after they were last changed
    acted: Mapping[str, int] = field(default_factory=dict)  # what was done about them


@dataclass(frozen=True, slots=True)
class Breach:
    discovered: float
    concerned: Concerned
    people: int = 0
    minors: int = 0
    levels: Mapping[str, int] = field(default_factory=dict)
    areas: Mapping[str, int] = field(default_factory=dict)  # the most people first
    reaches: Mapping[str, int] = field(default_factory=dict)  # by the widest file about them
    kinds: Mapping[str, int] = field(default_factory=dict)  # people whose … is in a file
    groups: Mapping[str, int] = field(default_factory=dict)  # people with a protected condition

    @property
    def is_large(self) -> bool:
        """Whether the Secretary is told at once; people who are not listed may make it so."""
        return self.people + self.concerned.unlisted >= MANY

    @property
    def media(self) -> list[str]:
        """States and jurisdictions whose media are told."""
        return [area for area, many in self.areas.items() if many > MEDIA and area != UNKNOWN]

    @property
    def is_grave(self) -> bool:
        """Whether people themselves are told under the GDPR."""
        return bool(self.levels.get("high", 0) + self.levels.get("critical", 0))


def assess(
    people: Sequence[Row], groups: Iterable[Sequence[int]], concerned: Concerned, *,
    level: Callable[[float, float], str], category: Callable[[str], str], discovered: float,
) -> Breach:  # fmt: skip
    """One group is one person, over all files."""
    minors, counts = 0, {name: Counter[str]() for name in ("level", "area", "reach", "kind", "of")}
    total = 0
    for group in groups:
        rows = [people[i] for i in group]
        losses = [row["identifiability"] * row["sensitivity"] for row in rows]
        risks = [loss * row["readers"] for loss, row in zip(losses, rows, strict=True)]
        total += 1
        minors += any(row["minor"] for row in rows)
        counts["level"][level(max(risks), max(losses))] += 1
        counts["area"][area_of(rows)] += 1
        reaches = [row["exposure"] for row in rows if row["exposure"]]
        counts["reach"][max(reaches, key=REACHES.index, default=UNKNOWN)] += 1
        counts["kind"].update({one.partition(":")[0] for row in rows for one in row["prints"]})
        counts["of"].update({category(fact[1]) for row in rows for fact in row["burden"]} - {""})
    return Breach(
        discovered, concerned, total, minors,
        {name: counts["level"][name] for name in reversed(LEVELS)},
        dict(sorted(counts["area"].items(), key=lambda pair: (-pair[1], pair[0]))),
        {name: counts["reach"][name] for name in (*reversed(REACHES), UNKNOWN)},
        {words: counts["kind"][kind] for kind, words in KINDS.items() if counts["kind"][kind]},
        dict(sorted(counts["of"].items())),
    )  # fmt: skip


def area_of(rows: Iterable[Row]) -> str:
    """The state most files say, else the country; each person counts in one place."""
    said = Counter(row["area"] for row in rows if row["area"])
    return min(said, key=lambda area: ("-" not in area, -said[area], area), default=UNKNOWN)


def clocks(breach: Breach) -> list[tuple[str, str, str]]:
    """Duty, latest moment, rule."""
    found = datetime.fromtimestamp(breach.discovered, UTC)
    people = found + timedelta(days=PEOPLE_DAYS)
    year_end = datetime(found.year, 12, 31, tzinfo=UTC) + timedelta(days=YEAR_END_DAYS)
    secretary = people if breach.is_large else year_end
    duties = [
        ("Tell the people", stamp(people), "45 CFR 164.404: without delay, 60 days at most"),
        ("Tell the Secretary of HHS", stamp(secretary),
         "45 CFR 164.408: with the people from 500 on, else 60 days after the year's end"),
    ]  # fmt: skip
    duties += [
        (f"Tell prominent media in {area}", stamp(people), "45 CFR 164.406: over 500 residents")
        for area in breach.media
    ]
    hours = found + timedelta(hours=AUTHORITY_HOURS)
    duties.append(("Tell the supervisory authority", stamp(hours), "GDPR article 33: 72 hours"))
    if breach.is_grave:
        duties.append(("Tell the people", "without undue delay", "GDPR article 34: high risk"))
    return duties


def stamp(when: datetime) -> str:
    return f"{when.day} {calendar.month_name[when.month]} {when.year}, {when:%H:%M} UTC"


def rows_of(breach: Breach) -> Iterator[tuple[str, str, str]]:
    """Section, field, value: every figure of the worksheet, in one order."""
    concerned = breach.concerned
    yield "people", "affected, each counted once", str(breach.people)
    yield "people", "further people of long tables, not told apart", str(concerned.unlisted)
    yield "people", "minors among them", str(breach.minors)
    for name, counts in (("level", breach.levels), ("state or country", breach.areas)):
        yield from ((name, what, str(many)) for what, many in counts.items())
    yield "threshold", "500 or more people", yes(breach.is_large)
    yield "threshold", "more than 500 residents of", ", ".join(breach.media) or "none"
    for what, many in breach.kinds.items():
        yield "factor 1: nature", f"people whose {what} are there", str(many)
    for what, many in breach.groups.items():
        yield "factor 1: nature", f"people with a condition of the group {what}", str(many)
    for what, many in breach.reaches.items():
        if many:
            words = REACH_WORDS.get(what, "nobody looked yet")
            yield "factor 2: who could read it", f"{what} ({words})", str(many)
    yield "factor 3: acquired or viewed", "files", str(concerned.files)
    yield (
        "factor 3: acquired or viewed",
        "opened since their last change",
        str(concerned.opened_since),
    )
    yield "factor 3: acquired or viewed", "audit records of readers", "none here: ask the server"
    for what, many in concerned.acted.items():
        yield "factor 4: mitigated", f"files {what}", str(many)
    if not concerned.acted:
        yield "factor 4: mitigated", "nothing on record", "0"
    yield from gdpr(breach)
    for duty, until, rule in clocks(breach):
        yield "clock", f"{duty} ({rule})", until


def gdpr(breach: Breach) -> Iterator[tuple[str, str, str]]:
    yield (
        "GDPR 33(3)(a)",
        "categories of people",
        "patients" + (", children among them" if breach.minors else ""),
    )
    yield "GDPR 33(3)(a)", "people and records, approximately", f"{breach.people}, {several(breach.concerned.files, 'file')}"  # fmt: skip  # noqa: E501
    yield "GDPR 33(3)(b)", "contact", "to be filled in"
    yield (
        "GDPR 33(3)(c)",
        "likely consequences",
        (
            "disclosure of health data of identified people; "
            f"{sum(breach.groups.values())} mentions of specially protected conditions"
        ),
    )
    done = ", ".join(f"{many} {what}" for what, many in breach.concerned.acted.items())
    yield "GDPR 33(3)(d)", "measures taken", done or "none on record"
    yield "GDPR 34(1)", "high risk to the people", yes(breach.is_grave)


def yes(true: bool) -> str:
    return "yes" if true else "no"


def breach_page(breach: Breach, *, standing: bool) -> str:
    """`standing`: with the address of a page of its own."""
    sections: dict[str, list[tuple[str, str]]] = {}
    for section, what, value in rows_of(breach):
        sections.setdefault(section, []).append((clean(what), clean(value)))
    drawn = "".join(
        card(clean(name[:1].upper() + name[1:]), "", table(("Field", "#Value"), rows))
        for name, rows in sections.items()
    )
    if not standing:
        return drawn
    lead = (
        f"{number(breach.people)} people, each counted once over "
        f"{several(breach.concerned.files, 'file')}; discovered "
        f"{stamp(datetime.fromtimestamp(breach.discovered, UTC))}."
    )
    header = (
        '<header class="top"><h1>Breach worksheet</h1>'
        f'<p class="lead">{lead}</p><p class="faint">Pre-filled from what is on record; whether it '
        "is a breach, and what follows, is for the privacy officer to decide.</p></header>"
    )
    return document("Breach worksheet", header, drawn)
