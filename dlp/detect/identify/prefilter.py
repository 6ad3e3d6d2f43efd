"""Say, cheaply, which rules have anything to look for in which block of text.

In: UTF-8 bytes.  Out: candidate spans, a rule and a block at a time, with the words around them.

A few RE2 sets scan a block for all patterns; only rules that fire are run one by one, and one that
needs context is not run where no such word stands. A block ends at white space where there is any,
and a pattern may read past its end, so that no value is cut: a number sliced at a border would look
like a whole, shorter one.
"""

from __future__ import annotations

import functools
import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import re2

from dlp.detect.spans import Span, spans
from dlp.rulebook import IdentifierRule, edge

BLOCK = 4096  # bytes; bench/identifiers.py picked it: larger fires too many rules per block
LEAD = 96  # bytes before a block the gate sees: more than the longest reach of a context word
TAIL = 640  # bytes past a block a match may reach: more than the longest pattern
AFTER = 24  # bytes behind a value in which context words count
RIGHT_AFTER = 16  # and those that speak against it
GATE_MEMORY = 96 << 20  # RE2 drops its cache and starts anew beyond this
# A pattern that begins with a counted run of letters of any word is in a set of its own: together
# with others there is a state for each length of the word and each of their states.
ANY_WORD = re.compile(r"\\b(?:\(\?:)*\[[^\]]*\]\[[^\]]*\]\{\d,\d\d")
SET_SIZE = 16  # patterns that are read together: a larger set builds states instead of reading


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


class Gate:
    def __init__(self, rules: Sequence[IdentifierRule]) -> None:
        self._rules = tuple(rules)
        # few blocks hold values of a rule, so most patterns and lists are never compiled
        self._pattern = functools.cache(lambda rule: re2.compile(rules[rule].pattern))
        self._context = functools.cache(lambda rule: any_word(rules[rule].context))
        self._against = functools.cache(lambda rule: any_word(rules[rule].against))

    @functools.cached_property
    def _sets(self) -> list[tuple[list[int], Callable[[bytes], list[int] | None]]]:
        """The rules of each set, and the set."""
        patterns = [rule.pattern for rule in self._rules]
        alone = [number for number, one in enumerate(patterns) if ANY_WORD.match(one)]
        rest = sorted({*range(len(patterns))} - {*alone})
        groups = [[one] for one in alone]
        groups += [rest[start : start + SET_SIZE] for start in range(0, len(rest), SET_SIZE)]
        return [(group, set_of([patterns[one] for one in group])) for group in groups]

    def fired(self, block: bytes) -> list[int]:
        """Which rules may have something in a block, in the order of the rules."""
        return sorted(group[place] for group, match in self._sets for place in match(block) or ())

    def batches(self, raw: bytes, floor: float = 0.0) -> Iterator[Batch]:
        """What the rules accept that some surroundings lift to the floor."""
        reached = [0] * len(self._rules)
        for start, end in blocks(raw):
            around = (max(0, start - LEAD), min(len(raw), end + TAIL))
            for number in self.fired(raw[around[0] : around[1]]):
                rule = self._rules[number]
                if max(rule.in_context, rule.alone) < floor:
                    continue
                context = words_at(self._context(number), raw, around)
                if not rule.alone and context is None:
                    continue
                # what starts behind the block, label and all, belongs to the next one
                begin = max(start, reached[number])
                found = values(self._pattern(number), raw, (begin, end), around[1])
                if found:
                    reached[number] = found[-1][1]
                    against = words_at(self._against(number), raw, around)
                    yield Batch(number, found, context, against)


def values(pattern: re2._Regexp, raw: bytes, starting: Span, limit: int) -> list[Span]:
    """The group "v", or all, of matches that start in a window; a match may reach to `limit`."""
    group = pattern.groupindex.get("v", 0)
    found: list[Span] = []
    for one in pattern.finditer(raw, starting[0], limit):
        if one.start() >= starting[1]:
            break
        value: Span = one.span(group)
        # a group that took no part leaves the whole match as the value
        found.append(value if value[0] >= 0 else one.span())
    return found


def any_word(words: Sequence[str]) -> re2._Regexp | None:
    """Any of these words, whole, in any case."""
    if not words:
        return None
    one_of = "|".join(
        edge(word[0])
        + r"\s{1,3}".join(re2.escape(piece) for piece in word.split())
        + edge(word[-1])
        for word in words
    )
    return re2.compile(f"(?i){one_of}")


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


def words_at(pattern: re2._Regexp | None, raw: bytes, window: Span) -> Words | None:
    found = spans(pattern, raw, *window) if pattern is not None else []
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
