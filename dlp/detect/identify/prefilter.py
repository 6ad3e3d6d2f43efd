"""Say, cheaply, which rules have anything to look for in which block of text.

In: UTF-8 bytes.  Out: candidate spans, a rule and a block at a time, with the words around them.

A few RE2 sets scan a block for the looser twins of all patterns; only rules that fire are run one
by one, and one that needs context is not run where no such word stands. (One set of all, or context
words in a set, multiply the states, and RE2 builds states instead of reading.) A block ends at
white space where there is any, and a pattern may read past its end, so that no value is cut: a
number sliced at a border would look like a whole, shorter one.
"""

from __future__ import annotations

import functools
import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import re2

from dlp.detect.identify.cues import Cues
from dlp.detect.identify.derived import Derived, of_pattern
from dlp.detect.identify.values import Values
from dlp.detect.spans import Span
from dlp.rulebook import IdentifierRule

BLOCK = 4096  # bytes; bench/identifiers.py picked it: larger fires too many rules per block
LEAD = 96  # bytes before a block the gate sees: more than the longest reach of a context word
TAIL = 640  # bytes past a block a match may reach: more than the longest pattern
AFTER = 24  # bytes behind a value in which context words count
RIGHT_AFTER = 16  # and those that speak against it
GATE_MEMORY = 96 << 20  # RE2 drops its cache and starts anew beyond this
HAS_DIGIT = re.compile(rb"[0-9]")
# Steps of a pattern. Labels, other words and bare figures are read apart: mixed in two sets they
# make half as many states again, in four they are read half again as slowly (134 rules).
LARGE = 150


class Words:
    """Places of context words in a block, asked by value."""

    __slots__ = ("ends", "starts")

    def __init__(self, found: Sequence[Span]) -> None:
        self.starts = [start for start, _ in found]
        self.ends = [end for _, end in found]

    def near(self, start: int, end: int, reach: int, after: int = AFTER) -> bool:
        """Whether a word stands within `reach` bytes before the span or `after` bytes behind."""
        place = bisect_right(self.ends, start) - 1
        if place >= 0 and self.starts[place] >= start - reach:
            return True
        place = bisect_left(self.starts, end)
        return place < len(self.starts) and self.ends[place] <= end + after


class Batch(NamedTuple):
    """What one rule's pattern accepts in one block, in bytes of the buffer."""

    rule: int
    spans: list[Span]
    context: Words | None  # None: no such word anywhere near
    against: Words | None


class RuleSet(NamedTuple):
    """Patterns read together, and the rules they belong to."""

    match: Callable[[bytes], list[int] | None]
    rules: list[int]
    needs_digit: bool


class Gate:
    def __init__(self, rules: Sequence[IdentifierRule]) -> None:
        self._rules = tuple(rules)
        self._values = [Values(rule.pattern) for rule in rules]
        # the words for each rule, then the words against each
        lists = [rule.context for rule in rules] + [rule.against for rule in rules]
        self._cues = Cues(lists)

    @functools.cached_property
    def _sets(self) -> list[RuleSet]:
        return grouped(self._rules)

    def fired(self, block: bytes) -> list[int]:
        """Which rules may have something in a block, in the order of the rules."""
        found: list[int] = []
        has_digit = HAS_DIGIT.search(block) is not None
        for one in self._sets:
            if has_digit or not one.needs_digit:
                found += [one.rules[place] for place in one.match(block) or ()]
        return sorted(found)

    def batches(self, raw: bytes, floor: float = 0.0) -> Iterator[Batch]:
        """What the rules accept that some surroundings lift to the floor."""
        reached = [0] * len(self._rules)
        for start, end in blocks(raw):
            limit = min(len(raw), end + TAIL)
            around = (max(0, start - LEAD), limit)
            cues = self._cues.of(raw, around)
            for rule in self.fired(raw[around[0] : around[1]]):
                if max(self._rules[rule].in_context, self._rules[rule].alone) < floor:
                    continue
                if not self._rules[rule].alone and not cues.has(rule):
                    continue
                # what starts behind the block, label and all, belongs to the next one
                begin = max(start, reached[rule])
                found = self._values[rule].spans(raw, begin, end, limit)
                if found:
                    reached[rule] = found[-1][1]
                    context = against = None
                    if self._rules[rule].context:
                        context = words_at(cues.near(rule, found, self._rules[rule].reach, AFTER))
                    if self._rules[rule].against:
                        number, reach = len(reached) + rule, self._rules[rule].reach
                        against = words_at(cues.near(number, found, reach, RIGHT_AFTER))
                    yield Batch(rule, found, context, against)


def grouped(rules: Sequence[IdentifierRule]) -> list[RuleSet]:
    """Sets small enough for RE2; a third of prose has no digit, and nine rules of ten need one."""
    known = [of_pattern(rule.pattern) for rule in rules]
    groups: dict[tuple[bool, str], list[int]] = {}
    for number, (rule, one) in enumerate(zip(rules, known, strict=True)):
        group = group_of(one, labelled=bool(rule.labels)) if one.needs_digit else ""
        groups.setdefault((one.needs_digit, group), []).append(number)
    return [
        RuleSet(set_of([known[number].loosened for number in group]), group, needed)
        for (needed, _), group in groups.items()
    ]


def group_of(one: Derived, *, labelled: bool) -> str:
    """Patterns that are read together: of a kind."""
    if labelled:
        return "labels"
    return "large" if one.steps > LARGE else "figures"


def set_of(patterns: Sequence[str]) -> Callable[[bytes], list[int] | None]:
    """What says which of these patterns match somewhere in a text."""
    options = re2.Options()
    options.max_mem = GATE_MEMORY
    options.never_capture = True
    one = re2.Set.SearchSet(options)
    for pattern in patterns:
        one.Add(pattern)
    one.Compile()
    match: Callable[[bytes], list[int] | None] = one.Match
    return match


def words_at(found: Sequence[Span]) -> Words | None:
    return Words(found) if found else None


def blocks(raw: bytes) -> Iterator[Span]:
    start = 0
    while start < len(raw):
        end = min(len(raw), start + BLOCK)
        if end < len(raw):
            gap = max(raw.rfind(b"\n", start + BLOCK // 2, end), raw.rfind(b" ", end - 256, end))
            end = gap + 1 if gap > start else end
        yield start, end
        start = end


def touches(raw: bytes, start: int, end: int, edges: str) -> bool:
    """Whether a value is glued to more of the same, so that it is only a piece of something.

    "word": no letter, digit or underscore beside it. "number": nor a sign with a digit behind it,
    as in 3.14 or 12-34-56 (but 3/4/21-3/9/21 are two dates). "host": a word, and no further label
    behind it, as in "item.net.value". "free": the pattern sees to itself.
    """
    if edges == "free":
        return False
    before = raw[start - 1] if start else 32
    after = raw[end] if end < len(raw) else 32
    if WORD[before] or WORD[after]:
        return True
    if edges == "word":
        return False
    if edges == "host":
        return after == DOT and end + 1 < len(raw) and bool(LOWER[raw[end + 1]])
    if not GLUE[before] and not GLUE[after]:
        return False
    glue = GLUE_OF_DATES if SLASH in raw[start:end] else GLUE
    return bool(
        (glue[before] and start > 1 and DIGIT[raw[start - 2]])
        or (glue[after] and end + 1 < len(raw) and DIGIT[raw[end + 1]])
    )


def table(characters: bytes) -> bytes:
    """One byte per byte value: 1 for these, 0 for the rest."""
    return bytes(value in characters for value in range(256))


DIGIT = table(b"0123456789")
WORD = table(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")
GLUE_OF_DATES = table(b"./:")
SLASH = b"/"
DOT = ord(".")
LOWER = table(b"abcdefghijklmnopqrstuvwxyz")
GLUE = table(b"-./:")  # no comma: it parts the cells of a table
