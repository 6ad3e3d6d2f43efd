"""People whom a table describes without naming them: a birth date, a sex and a ZIP code do it.

In: Case with findings and the risk of its tables.  Out: a subject for every row that fits hardly
anybody in the population, and findings that name it.

A table whose every row reads like four others hides its people, whatever it says of them. In any
other, rows that read the same are visits of one person rather than a crowd: what hides somebody is
how many people in the world fit the row. Tables that name people are read elsewhere.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import lru_cache

from dlp.attribute.subjects import birth_of
from dlp.keys import fingerprint
from dlp.model import HEALTH_KINDS, Case, Fact, Part, Subject, TableRisk
from dlp.text.field_labels import PATIENT, meaning_of

DESCRIBING = frozenset({"birth", "age", "sex", "city", "state", "zip"})
PLACES = ("zip", "city", "state")
FINDABLE = 0.2  # one of five: the size below which published statistics hide a cell
LIKELY = 0.9  # a cell of a table that describes people one by one
ROW = "row"  # the role of whoever only a row describes
NOT_THEIRS = frozenset({"general", "template", "family"})
OLDEST = 120
MOST_ROWS = 50_000  # as many as are assessed

Values = dict[str, str]


class LinkRows:
    name = "attribute.rows"
    requires = frozenset({"document"})
    provides = frozenset({"findings"})

    def __init__(self, key: bytes, identifiability: Callable[[Subject], float]) -> None:
        """`identifiability` says how sure a description finds its person in the population."""
        self._key = key
        self._found = lru_cache(maxsize=65_536)(identifiability)

    def __call__(self, case: Case) -> Case:
        assert case.document  # requires= promised it
        tables: tuple[TableRisk, ...] = case.facts.get("tables", ())
        if not tables:
            return case
        named = case.facts.get("named", frozenset())
        people: dict[tuple[int, int], Subject] = {}  # part and where the row starts
        ends: dict[tuple[int, int], int] = {}
        for table in tables:
            if table.at_risk and table.part not in named:
                for start, end, subject in self._rows(case.document.parts[table.part]):
                    people[table.part, start], ends[table.part, start] = subject, end
        return self._linked(case, people, ends) if people else case

    def _rows(self, part: Part) -> Iterator[tuple[int, int, Subject]]:
        for start, end, values in rows_of(part):
            subject = self._subject(values)
            # the day of birth is as good as any other: the cache need not know it
            year = subject.birth_date[:4] + subject.birth_date[4:].translate(ANY_DAY)
            plain = replace(subject, id="", fingerprints=frozenset(), birth_date=year)
            if self._found(plain) >= FINDABLE:
                yield start, end, subject

    def _subject(self, values: Values) -> Subject:
        birth, sex = birth_of(values.get("birth", "")), values.get("sex", "")[:1].lower()
        places = tuple(values[what] for what in PLACES if what in values)
        age = values.get("age", "").strip()
        described = "|".join((birth, sex, age, *places)).lower()
        prints = {f"birth:{fingerprint(self._key, 'birth', birth)}"} if birth else set()
        if sex in {"f", "m"}:
            prints.add(f"sex:{sex}")
        return Subject(
            id=fingerprint(self._key, "row", described)[:16],
            role=ROW,
            sex=sex if sex in {"f", "m"} else "",
            birth_date=birth,
            age=int(age) if age.isascii() and age.isdigit() and int(age) <= OLDEST else None,
            places=places,
            fingerprints=frozenset(prints),
        )

    def _linked(
        self,
        case: Case,
        people: dict[tuple[int, int], Subject],
        ends: dict[tuple[int, int], int],
    ) -> Case:
        """Give every health finding to the row it stands in."""
        places = sorted(people)
        told: dict[tuple[int, int], list[Fact]] = {}
        findings = list(case.findings)
        for index, finding in enumerate(findings):
            at = bisect_right(places, (finding.part, finding.start)) - 1
            place = places[at] if at >= 0 else (-1, 0)
            if place[0] != finding.part or finding.start >= ends[place]:
                continue
            if finding.kind in HEALTH_KINDS and not finding.context & NOT_THEIRS:
                fact = Fact(finding.kind, finding.concept or finding.rule_id,
                            finding.context, finding.confidence)  # fmt: skip
                told.setdefault(place, []).append(fact)
            findings[index] = finding.about(people[place].id)
        rows = [
            replace(
                one, facts=tuple(told.get(place, ())), chance=LIKELY if told.get(place) else 0.0
            )
            for place, one in people.items()
        ]
        subjects = (*case.facts.get("subjects", ()), *merged(rows))
        return case.but(findings=tuple(findings), facts={**case.facts, "subjects": subjects})


ANY_DAY = str.maketrans("123456789", "111111111")


def merged(rows: list[Subject]) -> Iterator[Subject]:
    """Rows of one description are one person as far as anybody can tell: visits of a patient."""
    by_id: dict[str, list[Subject]] = {}
    for row in rows:
        by_id.setdefault(row.id, []).append(row)
    for same in by_id.values():
        yield replace(same[0], facts=tuple(dict.fromkeys(f for row in same for f in row.facts)))


def rows_of(part: Part) -> Iterable[tuple[int, int, Values]]:
    """The stretch of text that each row fills, and its describing cells."""
    assert part.fields is not None
    meanings = {label: meaning_of(label) for label in part.fields.labels}
    rows: dict[int, tuple[int, int, Values]] = {}
    for label, start, end, record in part.fields:
        if record not in rows and len(rows) >= MOST_ROWS:
            continue
        first, last, values = rows.get(record, (start, end, {}))
        meaning = meanings[label]
        if meaning.owner == PATIENT and meaning.what in DESCRIBING:
            values.setdefault(meaning.what, part.text[start:end].strip())
        rows[record] = (min(first, start), max(last, end), values)
    return rows.values()
