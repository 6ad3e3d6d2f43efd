"""Find identifiers in text by the rules of rules/identifiers.

In: text.  Out: hits, none overlapping another.
"""

from __future__ import annotations

import functools
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from dlp.detect.fold import Folded, digits_for_letters, fold
from dlp.detect.identify.cues import any_word
from dlp.detect.identify.prefilter import (
    AFTER,
    DIGIT,
    DOT,
    GLUE,
    GLUE_OF_DATES,
    LOWER,
    RIGHT_AFTER,
    SLASH,
    WORD,
    Batch,
    Gate,
    Words,
    touches,
)
from dlp.detect.identify.telephone import TELEPHONE_CHECKS
from dlp.detect.identify.validators import COSTLY, VALIDATORS, answer
from dlp.detect.overlap import resolve
from dlp.knowledge.arrays import nonzero
from dlp.model import Kind
from dlp.rulebook import IdentifierRule, load_identifiers

# Say whether a label holds a word that some rule wants before a value.
#
# RE2 says the same, but reading a thousand words takes it a hundredth of a start, and what it is
# asked here is a few letters long. It is still asked about letters beyond ASCII: it knows capitals.

# The long s and the sign of the kelvin are letters beyond ASCII that count as s and k.
OTHER_LETTERS = ("\u017f", "\u212a")
RUN = re.compile(r"[a-z0-9_]+")
PLAIN = re.compile(r"[a-z0-9][^_\s]*(?: [^_\s]+)*")
BLANKS = re.compile(r"[^\S ]|  ")  # more than one space between two words


class Labels:
    def __init__(self, words: Sequence[str]) -> None:
        self._words = words

    def found_in(self, label: str) -> bool:
        phrases = self._phrases
        if phrases is None or not label.isascii() or BLANKS.search(label):
            return self._pattern.search(label) is not None
        said = label.lower()
        for run in RUN.finditer(said):
            for phrase in phrases.get(run[0], ()):
                if said.startswith(phrase, run.start()):
                    end = run.start() + len(phrase)
                    if not (phrase[-1].isalnum() and RUN.match(said, end)):
                        return True
        return False

    @functools.cached_property
    def _phrases(self) -> dict[str, list[str]] | None:
        """Those of ASCII by their first letters and digits; None: a word is no such phrase."""
        phrases: dict[str, list[str]] = {}
        for word in self._words:
            phrase = word.lower()
            if any(letter in word for letter in OTHER_LETTERS):
                return None
            if not word.isascii():
                continue  # stands in no label of ASCII
            if not PLAIN.fullmatch(phrase):
                return None
            first = RUN.match(phrase)
            assert first  # it begins with one
            phrases.setdefault(first[0], []).append(phrase)
        return phrases

    @functools.cached_property
    def _pattern(self) -> Any:
        return any_word(sorted(self._words, key=len, reverse=True))


# Sift the many hits of one rule in one block all at once.
#
# A page of nothing but postal codes holds thousands of hits; asked alone, each costs three calls.
# Below CROWD spans the calls are cheaper than the arrays.

CROWD = 40  # spans; a batch of fewer is weighed one by one
Mask = npt.NDArray[np.bool_]
Places = npt.NDArray[np.int64]
IS_WORD, IS_DIGIT, IS_LOWER, IS_GLUE, IS_GLUE_OF_DATES = (
    np.frombuffer(one, dtype=np.bool_) for one in (WORD, DIGIT, LOWER, GLUE, GLUE_OF_DATES)
)
BLANK = np.frombuffer(b"  ", dtype=np.uint8)


def sift(rule: IdentifierRule, batch: Batch, raw: bytes) -> tuple[Places, Places, Mask]:
    """Starts and ends of the spans that stand free, and whether context is near."""
    spans = np.array(batch.spans, dtype=np.int64)
    starts, ends = spans[:, 0], spans[:, 1]
    kept = ~touching(raw, starts, ends, rule.edges)
    if batch.against is not None:
        kept &= ~near(batch.against, starts, ends, (rule.reach, RIGHT_AFTER))
    known = np.zeros(len(kept), dtype=np.bool_)
    if batch.context is not None:
        known = near(batch.context, starts, ends, (rule.reach, AFTER))
    return starts[kept], ends[kept], known[kept]


def touching(raw: bytes, starts: Places, ends: Places, edges: str) -> Mask:
    """What prefilter.touches says of each span."""
    if edges == "free":
        return np.zeros(len(starts), dtype=np.bool_)
    # two blanks on either side: the neighbours of the first and the last byte exist
    first = int(starts[0])
    window = np.concatenate(
        (BLANK, np.frombuffer(raw[max(0, first - 2) : int(ends.max()) + 2], dtype=np.uint8), BLANK)
    )
    shift = 2 - max(0, first - 2)
    before, after = window[starts + (shift - 1)], window[ends + shift]
    glued: Mask = IS_WORD[before] | IS_WORD[after]
    if edges == "word":
        return glued
    if edges == "host":
        goes_on: Mask = (after == DOT) & IS_LOWER[window[ends + (shift + 1)]]
        return glued | goes_on
    slashes = np.concatenate(([0], np.cumsum(window == SLASH[0])))
    dated = slashes[ends + shift] > slashes[starts + shift]
    digit_before = IS_DIGIT[window[starts + (shift - 2)]]
    digit_after = IS_DIGIT[window[ends + (shift + 1)]]
    sign_before = np.where(dated, IS_GLUE_OF_DATES[before], IS_GLUE[before])
    sign_after = np.where(dated, IS_GLUE_OF_DATES[after], IS_GLUE[after])
    return glued | (sign_before & digit_before) | (sign_after & digit_after)


def near(words: Words, starts: Places, ends: Places, reach: tuple[int, int]) -> Mask:
    """What Words.near says of each span."""
    first, last = np.array(words.starts), np.array(words.ends)
    place = np.searchsorted(last, starts, side="right") - 1
    close: Mask = (place >= 0) & (first[place] >= starts - reach[0])
    place = np.searchsorted(first, ends, side="left")
    inside = np.minimum(place, len(first) - 1)
    return close | ((place < len(first)) & (last[inside] <= ends + reach[1]))


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
    def labels(self) -> Labels:
        """Every word that some rule wants before a value; few files have fields."""
        words = {label for rule in self.rules for label in rule.labels}
        words |= {word for rule in self.rules if not rule.alone for word in rule.context}
        assert words  # rules without a single label would be no rules
        return Labels(sorted(words))

    def warm(self) -> None:
        """Let RE2 build the states real text needs; a process forked afterwards has them."""
        examples = fold("\u200b" + "\n".join(one.text for rule in self.rules for one in rule.match))
        for _ in self._gate.batches(examples.text.encode("utf-8", "replace")):
            pass  # no value is checked: that would load the standards of every country
        for rule in self.rules:
            if rule.validator in TELEPHONE_CHECKS:
                for one in rule.match:
                    answer(rule.validator, one.text[one.start : one.end].encode())
        self.labels.found_in("")

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
    if len(batch.spans) < CROWD:  # many at once where there are many
        starts, ends, known = few(rule, batch, raw)
    else:
        starts, ends, known = (column.tolist() for column in sift(rule, batch, raw))
    return starts, ends, [(raw[a:b], near) for a, b, near in zip(starts, ends, known, strict=True)]


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


def few(rule: IdentifierRule, batch: Batch, raw: bytes) -> tuple[list[int], list[int], list[bool]]:
    """What crowd.sift gives, one span after the other."""
    edges, reach = rule.edges, rule.reach
    context, against = batch.context, batch.against
    starts: list[int] = []
    ends: list[int] = []
    known: list[bool] = []
    for start, end in batch.spans:
        if touches(raw, start, end, edges):
            continue
        if against is not None and against.near(start, end, reach, RIGHT_AFTER):
            continue
        starts.append(start)
        ends.append(end)
        known.append(context is not None and context.near(start, end, reach))
    return starts, ends, known


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
