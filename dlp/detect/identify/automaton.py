"""Read a pattern as an automaton over bytes that accepts all the pattern accepts, and maybe more.

In: a pattern.  Out: states, and which bytes lead from one to the next.

It is asked how matches may begin, so it need not count far and knows letters beyond ASCII only as
one byte or more above 0x7F. Sets of bytes are numbers with a bit for each.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Sequence
from typing import Any

from dlp.named import NamedTuple

# Python's own reader of patterns; RE2 has none to ask. What it cannot read has no automaton.
from re import _parser as reader  # type: ignore[attr-defined]  # isort: skip

OF_RE2 = ("[[:", r"\p", r"\P", r"\Q", r"\C")  # Python reads these as something else, or not at all
COUNTED = 24  # repetitions of one character that are counted out
COUNTED_GROUPS = 4  # and of groups
WITHOUT_END = int(reader.MAXREPEAT)


def bits_of(values: Iterable[int]) -> int:
    return functools.reduce(lambda bits, value: bits | 1 << value, values, 0)


ALL = (1 << 256) - 1
PLAIN = (1 << 128) - 1
HIGH = ALL ^ PLAIN
DIGIT = bits_of(b"0123456789")
LETTER = bits_of(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
WORD = DIGIT | LETTER | 1 << ord("_")
SPACE = bits_of(b"\t\n\f\r ")  # as RE2 has it
CATEGORIES = {
    "CATEGORY_DIGIT": DIGIT,
    "CATEGORY_SPACE": SPACE,
    "CATEGORY_WORD": WORD,
    "CATEGORY_NOT_DIGIT": ALL ^ DIGIT,
    "CATEGORY_NOT_SPACE": ALL ^ SPACE,
    "CATEGORY_NOT_WORD": ALL ^ WORD,
}


class UnreadableError(Exception):
    """A step of a pattern that nobody has thought about."""


def parsed(pattern: str) -> Any:
    """The steps of a pattern."""
    if any(sign in pattern for sign in OF_RE2):
        raise UnreadableError("of RE2")
    try:
        return reader.parse(pattern)
    except (re.error, OverflowError, RecursionError) as error:
        raise UnreadableError from error


class Node(NamedTuple):
    """A state of the automaton, and whether the byte before it is one of a word."""

    state: int
    in_word: bool


Nodes = frozenset[Node]


class Automaton:
    """States are numbers; the last one built is the first of a match, `END` takes everything."""

    END = 0

    def __init__(self, pattern: str) -> None:
        self._steps: list[list[tuple[int, int]]] = [[(ALL, self.END)]]  # bytes, next state
        self._free: list[list[int]] = [[]]  # states reached without a byte
        self._at_edge: list[list[int]] = [[]]  # and those reached at the edge of a word
        steps = parsed(pattern)
        blind = bool(steps.state.flags & re.IGNORECASE)
        self.start = self._sequence(list(steps), self.END, blind)
        self._known: dict[Node, list[tuple[int, int]]] = {}

    def steps(self, node: Node) -> list[tuple[int, int]]:
        """Bytes that may come next, and the states they lead to."""
        known = self._known.get(node)
        if known is None:
            known = self._known[node] = list(self._all_steps(node))
        return known

    def _all_steps(self, node: Node) -> Iterable[tuple[int, int]]:
        beyond_edge = ALL ^ WORD if node.in_word else WORD
        seen = {(node.state, ALL)}
        waiting = [(node.state, ALL)]
        while waiting:
            state, allowed = waiting.pop()
            for bits, target in self._steps[state]:
                if bits & allowed:
                    yield bits & allowed, target
            more = [(one, allowed) for one in self._free[state]]
            more += [(one, allowed & beyond_edge) for one in self._at_edge[state]]
            for one in more:
                if one[1] and one not in seen:
                    seen.add(one)
                    waiting.append(one)

    def _new(self) -> int:
        self._steps.append([])
        self._free.append([])
        self._at_edge.append([])
        return len(self._steps) - 1

    def _one(self, bits: int, after: int) -> int:
        """A state that takes one character of these; of a letter beyond ASCII all its bytes."""
        state = self._new()
        if bits & PLAIN:
            self._steps[state].append((bits & PLAIN, after))
        if bits & HIGH:
            more = self._new()
            self._steps[state].append((HIGH, more))
            self._steps[more].append((HIGH, more))
            self._free[more].append(after)
        return state

    def _sequence(self, steps: Sequence[tuple[Any, Any]], after: int, blind: bool) -> int:
        for kind, what in reversed(steps):
            after = self._step(str(kind), what, after, blind)
        return after

    def _step(self, kind: str, what: Any, after: int, blind: bool) -> int:
        match kind:
            case "LITERAL" | "NOT_LITERAL" | "ANY" | "IN":
                return self._one(bits_taken(kind, what, blind), after)
            case "AT":
                state = self._new()
                edge = self._at_edge if str(what) == "AT_BOUNDARY" else self._free
                edge[state].append(after)
                return state
            case "SUBPATTERN":
                blind = bool((blind and not what[2] & re.IGNORECASE) or what[1] & re.IGNORECASE)
                return self._sequence(list(what[3]), after, blind)
            case "BRANCH":
                state = self._new()
                self._free[state] = [self._sequence(list(way), after, blind) for way in what[1]]
                return state
            case "MAX_REPEAT" | "MIN_REPEAT":
                return self._repeated(what, after, blind)
        raise UnreadableError(kind)

    def _repeated(self, what: Any, after: int, blind: bool) -> int:
        least, most, inner = int(what[0]), int(what[1]), list(what[2])
        is_one = len(inner) == 1 and str(inner[0][0]) in {"LITERAL", "NOT_LITERAL", "ANY", "IN"}
        counted = COUNTED if is_one else COUNTED_GROUPS
        state = after
        if most == WITHOUT_END or most > max(counted, least):
            state = self._new()
            self._free[state] = [self._sequence(inner, state, blind), after]
        else:
            for _ in range(most - least):
                before = self._new()
                self._free[before] = [self._sequence(inner, state, blind), after]
                state = before
        for _ in range(min(least, COUNTED)):
            state = self._sequence(inner, state, blind)
        return state


def bits_taken(kind: str, what: Any, blind: bool) -> int:
    """The bytes a step of one character may begin with."""
    match kind:
        case "LITERAL":
            return either_case(1 << what if what < 0x80 else HIGH, blind)
        case "NOT_LITERAL":
            return ALL if blind else ALL ^ (1 << what if what < 0x80 else 0)
        case "ANY":
            return ALL
        case "RANGE":
            low, high = what
            return bits_of(range(low, min(high, 0x7F) + 1)) | (HIGH if high >= 0x80 else 0)
        case "CATEGORY" if str(what) in CATEGORIES:
            return CATEGORIES[str(what)]
        case "IN":
            negated = str(what[0][0]) == "NEGATE"
            bits = 0
            for item in what[1:] if negated else what:
                bits |= bits_taken(str(item[0]), item[1], blind=False)
            bits = either_case(bits, blind)
            return (ALL ^ bits) | HIGH if negated else bits
    raise UnreadableError(kind)


def either_case(bits: int, blind: bool) -> int:
    if not blind:
        return bits
    capitals = bits >> 65 & (1 << 26) - 1
    small = bits >> 97 & (1 << 26) - 1
    return bits | small << 65 | capitals << 97


def first_bytes(automaton: Automaton, node: Node) -> int:
    bits = 0
    for taken, _ in automaton.steps(node):
        bits |= taken
    return bits


def advanced(automaton: Automaton, nodes: Nodes, allowed: int) -> tuple[int, Nodes]:
    """The bytes that may come next, and where they lead."""
    found = 0
    after: set[Node] = set()
    for node in nodes:
        for bits, target in automaton.steps(node):
            taken = bits & allowed
            found |= taken
            if taken & WORD:
                after.add(Node(target, in_word=True))
            if taken & ~WORD:
                after.add(Node(target, in_word=False))
    return found, frozenset(after)


def lasting(automaton: Automaton, nodes: Nodes) -> Nodes:
    """Where any number of further digits leads, none included."""
    reached: Nodes = frozenset()
    while not nodes <= reached:
        reached |= nodes
        _, nodes = advanced(automaton, nodes, DIGIT)
    return reached
