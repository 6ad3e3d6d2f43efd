"""Find identifiers in text by the rules of rules/identifiers.

In: text.  Out: hits, none overlapping another.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from dlp.detect.fold import Folded, digits_for_letters, fold
from dlp.detect.identify.crowd import CROWD, sift
from dlp.detect.identify.prefilter import RIGHT_AFTER, Batch, Gate, touches
from dlp.detect.identify.validators import VALIDATORS, answer
from dlp.detect.overlap import resolve
from dlp.model import Kind
from dlp.rulebook import IdentifierRule, load_identifiers

STRETCH = 1 << 18  # characters folded and searched at a time: a 50 MB note stays within memory
OVERLAP = 1024  # characters two stretches share, more than any value and its context
FLOOR = 0.3  # below it a value only helps to narrow a person down (an age, a bare year)
DOUBT = 0.8  # factor for a value its validator cannot confirm
Columns = npt.NDArray[np.int64]


class Hit(NamedTuple):
    """An identifier at a place in one text; the value stays out of every repr."""

    kind: Kind
    rule_id: str
    start: int
    end: int
    confidence: float
    evidence: tuple[str, ...]
    value: str  # folded; never logged, never stored

    def __repr__(self) -> str:
        return f"Hit({self.rule_id}, {self.start}, {self.end}, {self.confidence:.2f})"


class Finder:
    """The rules, compiled once and shared."""

    def __init__(self, rules: Sequence[IdentifierRule]) -> None:
        self.rules = tuple(rules)
        self._gate = Gate(self.rules)

    def find(self, text: str, floor: float = FLOOR) -> list[Hit]:
        """All hits of at least this confidence; none overlaps another."""
        hits: list[Hit] = []
        for start, first, last, end in stretches(text):
            found = self._scan(text[start:end], start, floor)
            if start == 0 and end == len(text):
                return resolve(found)
            # what two stretches both see belongs to the one it starts in
            hits += (hit for hit in found if first <= hit.start < last)
        return resolve(hits)

    def warm(self) -> None:
        """Let RE2 build the states real text needs; a process forked afterwards has them."""
        self.find("\u200b" + "\n".join(one.text for rule in self.rules for one in rule.match))

    def _scan(self, text: str, offset: int, floor: float) -> list[Hit]:
        folded = fold(text)
        raw = digits_for_letters(folded.text.encode("utf-8", "replace"))
        columns = None if len(raw) == len(folded.text) else characters_before(raw)
        moved = columns is not None or folded.positions is not None
        hits: list[Hit] = []
        for batch in self._gate.batches(raw):
            rule = self.rules[batch.rule]
            kind, rule_id = rule.kind, rule.id
            for start, end, (confidence, evidence, value) in weigh(rule, batch, raw, floor):
                first, last = original(folded, columns, start, end) if moved else (start, end)
                # the constructor of a named tuple costs as much as all else in this loop
                parts = (kind, rule_id, offset + first, offset + last, confidence, evidence, value)
                hits.append(tuple.__new__(Hit, parts))
        return hits


def weigh(
    rule: IdentifierRule, batch: Batch, raw: bytes, floor: float
) -> Iterator[tuple[int, int, Weight]]:
    """Keep what its surroundings and its validator allow, and say how sure that is."""
    crowded = len(batch.spans) >= CROWD
    weights: dict[tuple[bytes, bool], Weight | None] = {}  # values repeat where they are many
    for start, end, known in sift(rule, batch, raw) if crowded else few(rule, batch, raw):
        key = raw[start:end], known
        try:
            weight = weights[key]
        except KeyError:
            weight = weights[key] = weight_of(rule, *key, floor)
        if weight is not None:
            yield start, end, weight


def weight_of(rule: IdentifierRule, value: bytes, known: bool, floor: float) -> Weight | None:
    confidence = rule.in_context if known else rule.alone
    if confidence < floor or not confidence:
        return None
    proven = answer(rule.validator, value)
    if not proven:
        confidence *= DOUBT
        if proven is False or confidence < floor:
            return None
    return confidence, EVIDENCE[known, bool(proven)], value.decode("utf-8", "replace")


def few(rule: IdentifierRule, batch: Batch, raw: bytes) -> Iterator[tuple[int, int, bool]]:
    """The spans that stand free, one by one, and whether context is near."""
    edges, reach = rule.edges, rule.reach
    context, against = batch.context, batch.against
    for start, end in batch.spans:
        if touches(raw, start, end, edges):
            continue
        if against is not None and against.near(start, end, reach, RIGHT_AFTER):
            continue
        yield start, end, context is not None and context.near(start, end, reach)


Weight = tuple[float, tuple[str, ...], str]  # confidence, evidence, the value as text
EVIDENCE = {
    (False, False): ("pattern",),
    (False, True): ("pattern", "validator"),
    (True, False): ("pattern", "context"),
    (True, True): ("pattern", "context", "validator"),
}


def original(folded: Folded, columns: Columns | None, start: int, end: int) -> tuple[int, int]:
    """Lead a span of bytes back to characters of the text as it came."""
    if columns is not None:
        start, end = int(columns[start]), int(columns[end])
    return folded.original(start, end)


def characters_before(raw: bytes) -> Columns:
    """For every byte position the number of characters before it, all at once."""
    first_bytes = (np.frombuffer(raw, dtype=np.uint8) & 0xC0) != 0x80
    return np.concatenate(([0], np.cumsum(first_bytes)))


def stretches(text: str) -> Iterator[tuple[int, int, int, int]]:
    """Where to read from, which places count (first to last), where to stop reading."""
    for first in range(0, max(1, len(text)), STRETCH):
        last = first + STRETCH
        yield max(0, first - OVERLAP), first, last, min(len(text), last + OVERLAP)


@functools.cache
def default_finder() -> Finder:
    return Finder(load_identifiers(VALIDATORS.keys()))


def find_identifiers(text: str, floor: float = FLOOR) -> list[Hit]:
    return default_finder().find(text, floor)
