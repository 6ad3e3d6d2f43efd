"""Every file on record that speaks of one person, by tags alone; no file is opened.

In: what is known of the person, the catalogue.  Out: files with the reasons, how sure each is.

A file in which the name stands with another birth date is of a namesake and left out. Files that
were never read in full, judged before tags were kept, or of too many people are counted apart.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Engine, func, select

from dlp.errors import ConfigError
from dlp.keys import fingerprint
from dlp.knowledge.name_frequencies import HOME, Bearers, load_bearers
from dlp.knowledge.person_tags import (
    BARE,
    LAST_BIRTH,
    NAME,
    NAMED_BIRTH,
    NUMBER,
    Described,
    births_of,
    number_form,
    pairs_of,
    trace,
    trace_rows,
)
from dlp.store.catalogue import as_person
from dlp.store.ledger import LOOKED
from dlp.store.schema import files, persons, traces

SURE, LIKELY, POSSIBLE = "certain", "likely", "possible"
DEGREES = (SURE, LIKELY, POSSIBLE)
# What a tag says, and how sure it makes that the file speaks of this person.
REASONS = {
    NUMBER: ("a number or mail address of the person", SURE),
    NAMED_BIRTH: ("name and birth date", SURE),
    LAST_BIRTH: ("last name and birth date", LIKELY),
    BARE: ("the name; the file gives no birth date", POSSIBLE),
    NAME: ("the name", POSSIBLE),
}
RARE = 1e-6  # of a country's people who bear the name: fewer, and a name alone is likely them
FIELDS = ("first", "last", "birth", "number", "email")
MOST_VALUES, LONGEST = 20, 200
SOME = 500  # numbers of a query


@dataclass(frozen=True, slots=True)
class Match:
    """A file that speaks of the person."""

    row: Mapping[str, Any]
    degree: str
    reasons: tuple[str, ...]
    facts: tuple[str, ...] = ()  # concepts that the file tells of the person

    @property
    def erasure(self) -> str:
        """What taking this person out of the file would mean."""
        if self.row["gaps"]:
            return "look: it was not read in full"
        return "delete: nobody else is in it" if self.row["people"] <= 1 else "sanitise: others too"


@dataclass(frozen=True, slots=True)
class Search:
    matches: tuple[Match, ...] = ()
    files: int = 0  # on record
    unread: int = 0  # not read in full
    untagged: int = 0  # judged before tags were kept, or of more people than tags are kept of
    counts: Mapping[str, int] = field(default_factory=dict)  # by degree

    @property
    def note(self) -> str:
        """For the ledger: that somebody looked, and how much was found; nobody's data."""
        return f"{LOOKED}: {len(self.matches)} of {self.files} files"


def described_by(values: Iterable[tuple[str, str]]) -> Described:
    """From labelled values; an error names the field, never the value."""
    given: dict[str, list[str]] = {name: [] for name in FIELDS}
    for name, value in values:
        if name not in given:
            raise ConfigError(f"{len(given)} fields are known", fix=", ".join(FIELDS))
        if value.strip():
            given[name].append(value.strip()[:LONGEST])
    births = tuple(day for one in given["birth"] for day in births_of(one))
    if given["birth"] and not births:
        raise ConfigError("the birth date is no date", fix="write it as YYYY-MM-DD")
    numbers = (*given["number"], *given["email"])[:MOST_VALUES]
    if not all(map(number_form, numbers)):
        raise ConfigError("a number is too short", fix="give four signs or more, one a digit")
    first, last = " ".join(given["first"]), " ".join(given["last"])
    if not numbers and not (last and (first or births)):
        raise ConfigError(
            "too little to tell a person by",
            fix="give a number, or a last name with a first name or a birth date",
        )
    return Described(first, last, births, numbers)


def find_person(engine: Engine, key: bytes, sought: Described) -> Search:
    """Files by their tags, the surest first."""
    kinds = tags_of(key, sought)
    found: dict[int, set[str]] = defaultdict(set)
    rows: dict[int, Mapping[str, Any]] = {}
    with engine.connect() as connection:
        query = select(traces.c.tag, files).join(files, files.c.id == traces.c.file)
        for row in connection.execute(query.where(traces.c.tag.in_(list(kinds)))).mappings():
            rows[row["id"]] = dict(row)
            found[row["id"]] |= kinds[row["tag"]]
        total, unread, untagged = connection.execute(
            select(
                func.count(),
                func.count().filter(files.c.gaps != ""),
                func.count().filter((files.c.traced != 1) & (files.c.container != "impossible")),
            ).select_from(files)
        ).one()
    rare = is_rare(sought)
    kept = {
        number: kinds for number, kinds in found.items() if kinds != {NAME} or not sought.births
    }
    facts = facts_told(engine, key, sought, list(kept))
    matches = [match_of(rows[n], kinds, facts.get(n, ()), rare=rare) for n, kinds in kept.items()]
    matches.sort(key=lambda one: (DEGREES.index(one.degree), -one.row["risk"], one.row["path"]))
    counts = {degree: sum(one.degree == degree for one in matches) for degree in DEGREES}
    return Search(tuple(matches), total, unread, untagged, counts)


def tags_of(key: bytes, sought: Described) -> dict[int, set[str]]:
    """What each tag of the person would tell, by tag as the database holds it."""
    kinds: dict[int, set[str]] = defaultdict(set)
    rows = {*trace_rows(sought), *((BARE, pair) for pair in pairs_of(sought))}
    for kind, row in rows:
        tag = trace(key, kind, row)
        kinds[tag - (1 << 64) if tag >> 63 else tag].add(kind)
    return kinds


def match_of(
    row: Mapping[str, Any], kinds: set[str], facts: tuple[str, ...], *, rare: bool
) -> Match:
    telling = kinds - {NAME} or kinds
    if NAMED_BIRTH in telling:
        telling -= {LAST_BIRTH}
    degree = min((REASONS[kind][1] for kind in telling), key=DEGREES.index)
    if degree == POSSIBLE and rare:
        degree = LIKELY
    return Match(row, degree, tuple(REASONS[kind][0] for kind in REASONS if kind in telling), facts)


def is_rare(sought: Described, bearers: Bearers | None = None) -> bool:
    """Whether hardly anybody else has the name."""
    if not sought.first or not sought.last:
        return False
    known = bearers or load_bearers()
    first = known.share("first", sought.first, HOME).middle
    return first * known.share("last", sought.last, HOME).middle < RARE


def facts_told(
    engine: Engine, key: bytes, sought: Described, numbers: list[int]
) -> dict[int, tuple[str, ...]]:
    """Concepts that each file tells of the person named in it."""
    named = f"{sought.first} {sought.last}".strip().lower()
    mark = f"name:{fingerprint(key, 'name', named)}"
    told: dict[int, tuple[str, ...]] = {}
    with engine.connect() as connection:
        for at in range(0, len(numbers), SOME):
            query = select(persons).where(persons.c.file.in_(numbers[at : at + SOME]))
            for row in connection.execute(query).mappings():
                person = as_person(row)
                if mark in person["prints"]:
                    told[row["file"]] = tuple(sorted({fact[1] for fact in person["burden"]}))
    return told
