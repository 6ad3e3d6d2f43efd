"""Judge a long table a slice of rows at a time, and sum up.

In: Case with a long table, a way to judge a case.  Out: one Case: counts, the worst people, gaps.

The detectors work on a whole text, one after the other, so a table that is too long for the first
leaves no time for the last, and nobody is found. A slice goes through all of them. Slices are taken
from all over the table, and when the time of the file is over the rest is a gap.
"""

from __future__ import annotations

import time
from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice, pairwise
from typing import Any

from dlp.model import (
    CONTAINER_RANK,
    CUT,
    MOST_TRACES,
    Case,
    Container,
    Document,
    FieldMap,
    Finding,
    Gap,
    GapCode,
    Part,
    Person,
    Verdict,
)

LONG_CHARS = 400_000  # a shorter table is judged as a whole: 6,000 rows in about 8 seconds
SLICE_CHARS = 100_000
MOST_PEOPLE = 1_000  # of one file, in its record; all of them are counted
MOST_FINDINGS = 20_000
PEOPLE = "people"  # the fact: how many there are, where the record does not hold them all
STAGE = "detect.slices"

Judge = Callable[[Case], Case]
Span = tuple[int, int]


def long_table(document: Document | None) -> int | None:
    """The number of the part that is a long table, if there is one."""
    if document is None:
        return None
    sizes = [(len(p.text), n) for n, p in enumerate(document.parts) if p.fields]
    size, number = max(sizes, default=(0, 0))
    return number if size > LONG_CHARS else None


def judge_in_slices(case: Case, number: int, judge: Judge, seconds: float) -> Case:
    """Judge as many slices as the time allows; the answer is the sum of theirs."""
    document = case.document
    assert document is not None
    part = document.parts[number]
    spans = list(spans_of(part))
    until = time.monotonic() + seconds
    total = Total(case)
    for taken, index in enumerate(spread(len(spans))):
        if taken and time.monotonic() > until:
            total.gaps[Gap(GapCode.TIMEOUT, STAGE)] = None
            break
        span = spans[index]
        # Short parts beside the table, such as its title, are read with the first slice.
        beside = document.parts if not taken else [replace(p, text="", fields=None) for p in
                                                   document.parts]  # fmt: skip
        parts = (*beside[:number], slice_of(part, span), *beside[number + 1 :])
        total.add(judge(case.but(document=replace(document, parts=parts))), number, span[0])
    return total.as_case()


def spans_of(part: Part) -> Iterator[Span]:
    """Stretches of about SLICE_CHARS that begin with a row."""
    assert part.fields is not None
    _, starts, _, records = part.fields.arrays
    rows = [start for (_, before), (start, record) in pairwise(zip(starts, records, strict=True))
            if record != before]  # fmt: skip
    place = 0
    while place < len(part.text):
        at = bisect_left(rows, place + SLICE_CHARS)
        end = rows[at] if at < len(rows) else len(part.text)
        yield place, end
        place = end


def slice_of(part: Part, span: Span) -> Part:
    first, last = span
    assert part.fields is not None
    numbers, starts, ends, records = part.fields.arrays
    low, high = bisect_left(starts, first), bisect_left(starts, last)
    columns = (
        array("I", numbers[low:high]),
        array("Q", [start - first for start in starts[low:high]]),
        array("Q", [end - first for end in ends[low:high]]),
        array("Q", records[low:high]),
    )
    labels = {label: order for order, label in enumerate(part.fields.labels)}
    return replace(part, text=part.text[first:last], fields=FieldMap(labels, *columns))


def spread(count: int) -> Sequence[int]:
    """All numbers below `count`, such that any first few of them lie all over the range."""
    bits = max(1, (count - 1).bit_length())
    mirrored = (int(f"{n:0{bits}b}"[::-1], 2) for n in range(1 << bits))
    return [number for number in mirrored if number < count]


class Total:
    """What the slices of a case add up to, in bounded memory."""

    def __init__(self, case: Case) -> None:
        self._case = case
        self._ids: set[str] = set()
        self._persons: dict[str, Person] = {}
        self._findings: list[Finding] = []
        self._spent: Counter[str] = Counter()
        self._verdict: Verdict | None = None
        self._trail: tuple[str, ...] = ()
        self._traces: set[bytes] = set()
        self.gaps: dict[Gap, None] = dict.fromkeys(case.gaps)

    def add(self, judged: Case, number: int, offset: int) -> None:
        self.gaps |= dict.fromkeys(judged.gaps)
        self._spent.update(judged.spent_ms)
        self._trail = max(self._trail, judged.trail, key=len)
        traces: bytes = judged.facts.get("traces", b"")
        if len(self._traces) <= MOST_TRACES:
            self._traces |= {traces[at : at + 8] for at in range(0, len(traces), 8)}
        verdict = judged.verdict
        assert verdict is not None
        if self._verdict is None or rank(verdict) > rank(self._verdict):
            self._verdict = verdict
            self._ids, self._persons, self._findings = set(), {}, []  # of a lesser container
        if verdict.container is self._verdict.container:
            self._count(verdict)
            room = MOST_FINDINGS - len(self._findings)
            self._findings += [moved(f, number, offset) for f in judged.findings[:room]]

    def _count(self, verdict: Verdict) -> None:
        for person in verdict.persons:
            self._ids.add(person.id)
            known = self._persons.get(person.id)
            if known is None or known.privacy < person.privacy:
                self._persons[person.id] = person
        if len(self._persons) > 2 * MOST_PEOPLE:
            self._persons = {person.id: person for person in self._worst()}

    def _worst(self) -> list[Person]:
        ranked = sorted(self._persons.values(), key=lambda person: -person.privacy)
        return ranked[:MOST_PEOPLE]

    def _all_traces(self) -> bytes:
        """Those of all slices; of too many the first, and a sign that there are more."""
        if len(self._traces) > MOST_TRACES:
            return b"".join([CUT.to_bytes(8, "little"), *islice(self._traces, MOST_TRACES)])
        return b"".join(self._traces)

    def as_case(self) -> Case:
        verdict = self._verdict
        assert verdict is not None
        worst = tuple(self._worst())
        gaps = tuple(self.gaps)
        first = worst[0] if worst else None
        reason = verdict.reason
        if verdict.container is Container.PHI and len(self._ids) > 1:
            reason = f"health facts about {len(self._ids)} identified people"
        summed = replace(
            verdict,
            reason=reason,
            persons=worst,
            gaps=gaps,
            privacy=first.privacy if first else verdict.privacy,
            identifiability=first.identifiability if first else verdict.identifiability,
            sensitivity=first.sensitivity if first else verdict.sensitivity,
        )
        return self._case.but(
            container=verdict.container,
            reason=reason,
            persons=worst,
            findings=tuple(self._findings),
            gaps=gaps,
            verdict=summed,
            trail=self._trail,
            spent_ms=dict(self._spent),
            facts={**self._case.facts, PEOPLE: len(self._ids), "traces": self._all_traces()},
        )


def people_in(record: Mapping[str, Any]) -> int:
    """How many people a record is about; a long one lists only the worst of them."""
    return int(record.get(PEOPLE) or len(record["persons"]))


def harm_in(record: Mapping[str, Any]) -> float:
    """What is expected to be lost by all people in it; who is not listed counts as the least."""
    listed = [
        one["identifiability"] * one["sensitivity"] * one.get("chance", 1.0)
        for one in record["persons"]
    ]
    if not listed:
        return float(record["privacy"])
    return float(sum(listed) + (people_in(record) - len(listed)) * min(listed))


def readers_in(record: Mapping[str, Any]) -> int:
    """How many people can read the file; one where nobody looked."""
    seen = record.get("exposure")
    return int(seen["readers"]) if seen else 1


def risk_in(record: Mapping[str, Any]) -> float:
    return harm_in(record) * readers_in(record)


def rank(verdict: Verdict) -> int:
    return CONTAINER_RANK[verdict.container]


def moved(finding: Finding, number: int, offset: int) -> Finding:
    """Its place in the whole part."""
    if finding.part != number or not offset:
        return finding
    return finding._replace(start=finding.start + offset, end=finding.end + offset)
