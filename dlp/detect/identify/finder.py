"""Find identifiers in text by the rules of rules/identifiers.

In: text.  Out: hits, none overlapping another.
"""

from __future__ import annotations

import functools
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import re2

from dlp.detect.identify.prefilter import RIGHT_AFTER, Batch, Gate, any_word, touches
from dlp.detect.identify.telephone import TELEPHONE_CHECKS
from dlp.detect.identify.validators import COSTLY, VALIDATORS, answer
from dlp.detect.overlap import resolve
from dlp.detect.spans import spans
from dlp.knowledge.arrays import nonzero
from dlp.model import Kind
from dlp.rulebook import IdentifierRule, load_identifiers
from dlp.text.fold import Folded, fold

# O and l typed, or read by OCR, for 0 and 1 between digits; the span has the same length.
# Seven places at least: K1H 8l6 is a postal code. The pattern counts them itself, by the place of
# the first letter: a page of postal codes gives nothing to look at.
LONG = 7
LETTER_FOR_DIGIT = re2.compile(
    r"\b[0-9](?:"
    + "|".join(
        f"[0-9-]{{{before}}}[OolI][0-9OolI-]{{{LONG - 2 - before},}}" for before in range(LONG - 2)
    )
    + f"|[0-9-]{{{LONG - 2},}}[OolI][0-9OolI-]*)\\b"
)
LETTERS = (b"O", b"o", b"l", b"I")
AS_DIGIT = bytes.maketrans(b"OolI", b"0011")
STRETCH = 1 << 18  # characters folded and searched at a time: a 50 MB note stays within memory
OVERLAP = 1024  # characters two stretches share, more than any value and its context
FLOOR = 0.3  # below it a value only helps to narrow a person down (an age, a bare year)
DOUBT = 0.8  # factor for a value its validator cannot confirm
# Different values of one rule in one stretch that are proven where proof is dear; those behind them
# are believed, so that no list is too long to read and none of it is lost: with doubt, a coarser
# rule would win over them and swallow the next value's first half.
PROOFS = 1000
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
            # what two stretches both see belongs to the one it starts in
            found = self._scan(text[start:end], start, floor)
            hits += (hit for hit in found if first <= hit.start < last)
        return resolve(hits)

    @functools.cached_property
    def labels(self) -> re2._Regexp:
        """Any word that some rule wants before a value; few files have fields."""
        words = {label for rule in self.rules for label in rule.labels}
        words |= {word for rule in self.rules if not rule.alone for word in rule.context}
        return any_word(sorted(words, key=len, reverse=True))

    def warm(self) -> None:
        """Let RE2 build the states real text needs; a process forked afterwards has them."""
        examples = fold("\u200b" + "\n".join(one.text for rule in self.rules for one in rule.match))
        for _ in self._gate.batches(examples.text.encode("utf-8", "replace")):
            pass  # no value is checked: that would load the standards of every country
        for rule in self.rules:
            if rule.validator in TELEPHONE_CHECKS:
                for one in rule.match:
                    answer(rule.validator, one.text[one.start : one.end].encode())
        self.labels.search("")

    def _scan(self, text: str, offset: int, floor: float) -> list[Hit]:
        """The hits of one stretch of text."""
        folded = fold(text)
        raw = digits_for_letters(folded.text.encode("utf-8", "replace"))
        starts, ends, rules, weights = self._read(raw, floor)
        if not starts:
            return []
        if len(raw) != len(folded.text) or folded.positions is not None:
            starts, ends = original(folded, raw, starts, ends)
        return [
            Hit(self.rules[rule].kind, self.rules[rule].id, offset + start, offset + end, *weight)
            for start, end, rule, weight in zip(starts, ends, rules, weights, strict=True)
        ]

    def _read(self, raw: bytes, floor: float) -> Read:
        """All values with their rules and weights."""
        starts: list[int] = []
        ends: list[int] = []
        rules: list[int] = []
        weights: list[Weight] = []
        asked: defaultdict[int, Weights] = defaultdict(dict)
        for batch in self._gate.batches(raw, floor):
            first, last, values = sifted(self.rules[batch.rule], batch, raw)
            weighed = weigh(self.rules[batch.rule], values, floor, asked[batch.rule])
            for start, end, weight in zip(first, last, weighed, strict=True):
                if weight is not None:
                    starts.append(start)
                    ends.append(end)
                    rules.append(batch.rule)
                    weights.append(weight)
        return starts, ends, rules, weights


def sifted(rule: IdentifierRule, batch: Batch, raw: bytes) -> Sifted:
    """The spans that stand free, their values and whether context is near."""
    edges, reach = rule.edges, rule.reach
    context, against = batch.context, batch.against
    starts: list[int] = []
    ends: list[int] = []
    values: list[Asked] = []
    for start, end in batch.spans:
        if touches(raw, start, end, edges):
            continue
        if against is not None and against.near(start, end, reach, RIGHT_AFTER):
            continue
        starts.append(start)
        ends.append(end)
        known = context is not None and context.near(start, end, reach)
        values.append((raw[start:end], known))
    return starts, ends, values


def weigh(
    rule: IdentifierRule, asked: list[Asked], floor: float, weights: Weights
) -> list[Weight | None]:
    """Say of each span how sure its surroundings and its validator make it; None: not at all."""
    for one in asked:
        if one not in weights:  # values repeat where they are many
            tired = len(weights) >= PROOFS and rule.validator in COSTLY
            weights[one] = weight_of(rule, *one, floor, tired=tired)
    return [weights[one] for one in asked]


def weight_of(
    rule: IdentifierRule, value: bytes, known: bool, floor: float, *, tired: bool
) -> Weight | None:
    confidence = rule.in_context if known else rule.alone
    if confidence < floor or not confidence:
        return None
    proven = None if tired else answer(rule.validator, value)
    if not proven and not tired:
        confidence *= DOUBT
        if proven is False or confidence < floor:
            return None
    return confidence, EVIDENCE[known, bool(proven)], value.decode("utf-8", "replace")


Asked = tuple[bytes, bool]  # a value, and whether context is near
Sifted = tuple[list[int], list[int], list[Asked]]  # with starts and ends
Weight = tuple[float, tuple[str, ...], str]  # confidence, evidence, the value as text
Weights = dict[Asked, Weight | None]
Read = tuple[list[int], list[int], list[int], list[Weight]]  # starts, ends, rules, weights
EVIDENCE = {
    (False, False): ("pattern",),
    (False, True): ("pattern", "validator"),
    (True, False): ("pattern", "context"),
    (True, True): ("pattern", "context", "validator"),
}


def original(
    folded: Folded, raw: bytes, starts: list[int], ends: list[int]
) -> tuple[list[int], list[int]]:
    """Lead spans of bytes back to characters of the text as it came."""
    first, last = np.array(starts, dtype=np.int64), np.array(ends, dtype=np.int64)
    if len(raw) != len(folded.text):
        columns = beyond_first_bytes(raw)
        first = first - columns.searchsorted(first)
        last = last - columns.searchsorted(last)
    if folded.positions is not None:
        # the last character counts with all that was hidden in it
        first, last = folded.positions[first], folded.positions[last - 1] + 1
    return first.tolist(), last.tolist()


def beyond_first_bytes(raw: bytes) -> Columns:
    """Places of bytes no character begins with: as many before a place as it counts too far."""
    return nonzero((np.frombuffer(raw, dtype=np.uint8) & 0xC0) == 0x80)


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


def digits_for_letters(raw: bytes) -> bytes:
    """Read 4O5-l2 as 405-12; only single-byte characters change, so positions stay."""
    pieces: list[bytes] = []
    done = 0
    for start, end in spans(LETTER_FOR_DIGIT, raw, 0, len(raw)):
        word = raw[start:end]
        if sum(word.count(letter) for letter in LETTERS) * 3 <= len(word):
            pieces += (raw[done:start], word.translate(AS_DIGIT))
            done = end
    return b"".join((*pieces, raw[done:])) if pieces else raw
