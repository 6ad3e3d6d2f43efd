"""Read a pattern as a machine that says where a match at a place ends, as RE2 would.

In: a pattern.  Out: a table of states, one step for each byte; None where nobody can read it.

RE2 answers such a question in a microsecond, most of it spent on the way to it and back. A table
that a kernel walks answers in the time of a few bytes. The states are RE2's own for the first match
(threads in the order in which a backtracker would try them, cut behind one that has matched), but
they are built beforehand, and letters beyond ASCII are left to RE2: where the pattern may take one
the machine says so (`ASK`).

What it may do between two bytes depends on the byte before and the one behind (`\\b`), so a match
is noted one byte late, with the step over the byte behind it.
"""

from __future__ import annotations

import base64
import re
import sys
import zlib
from array import array
from collections.abc import Sequence
from typing import Any

from dlp.detect.identify.automaton import (
    HIGH,
    PLAIN,
    WITHOUT_END,
    WORD,
    UnreadableError,
    bits_taken,
    parsed,
)
from dlp.named import NamedTuple
from dlp.prepared import answer

LITTLE = "little"  # how numbers are prepared

MOST_STATES = 2000  # those nearest to the beginning; RE2 knows what comes behind them
MOST_STEPS = 6000  # of a pattern, its repetitions written out
DEAD, ASK = 0, 1  # states: no further match; RE2 knows
MATCHED = 1 << 15  # in a step: a match ends before this byte
BEYOND = 128  # stands for all bytes of letters beyond ASCII
NOTHING = 129  # stands for the end of the text
SYMBOLS = 130
LETTERS_BEYOND = frozenset("kKsS")  # whose other case may be the sign of the kelvin or the long s


class Machine(NamedTuple):
    """State 2 begins behind a byte that is of no word, state 3 behind one that is."""

    classes: bytes  # by symbol: its column
    width: int  # columns
    table: bytes  # by state and column, two bytes each: the next state, with MATCHED or without


# Steps of a pattern: what they do, and where they lead, the better way first.
Step = tuple[int, tuple[int, ...]]  # symbols taken (0: none), next steps
EDGE = -1  # in the place of symbols: only at the edge of a word
END = 0
Threads = tuple[int, ...]


class Program:
    """The steps of a pattern; the first is its end."""

    def __init__(self, pattern: str) -> None:
        self.steps: list[Step] = [(0, ())]
        steps = parsed(pattern)
        self.start = self._sequence(list(steps), END, bool(steps.state.flags & re.IGNORECASE))

    def _new(self, bits: int, *after: int) -> int:
        if len(self.steps) > MOST_STEPS:
            raise UnreadableError("too long")
        self.steps.append((bits, after))
        return len(self.steps) - 1

    def _sequence(self, steps: Sequence[tuple[Any, Any]], after: int, blind: bool) -> int:
        for kind, what in reversed(steps):
            after = self._step(str(kind), what, after, blind)
        return after

    def _step(self, kind: str, what: Any, after: int, blind: bool) -> int:
        match kind:
            case "LITERAL" | "IN" | "NOT_LITERAL" if not (blind and kind == "NOT_LITERAL"):
                return self._new(symbols(kind, what, blind), after)
            case "AT" if str(what) == "AT_BOUNDARY":
                return self._new(EDGE, after)
            case "SUBPATTERN":
                blind = bool((blind and not what[2] & re.IGNORECASE) or what[1] & re.IGNORECASE)
                return self._sequence(list(what[3]), after, blind)
            case "BRANCH":
                ways = [self._sequence(list(way), after, blind) for way in what[1]]
                return self._new(0, *ways)
            case "MAX_REPEAT" | "MIN_REPEAT":
                return self._repeated(what, after, blind, greedy=kind == "MAX_REPEAT")
        raise UnreadableError(kind)

    def _repeated(self, what: Any, after: int, blind: bool, *, greedy: bool) -> int:
        least, most, inner = int(what[0]), int(what[1]), list(what[2])
        if may_be_empty(inner):
            raise UnreadableError("a repetition of nothing")
        state = after
        if most == WITHOUT_END:
            state = self._new(0)
            again = self._sequence(inner, state, blind)
            self.steps[state] = (0, (again, after) if greedy else (after, again))
        else:
            for _ in range(most - least):
                again = self._sequence(inner, state, blind)
                state = self._new(0, *((again, after) if greedy else (after, again)))
        for _ in range(least):
            state = self._sequence(inner, state, blind)
        return state


def may_be_empty(steps: Sequence[tuple[Any, Any]]) -> bool:
    return all(is_optional(str(kind), what) for kind, what in steps)


def is_optional(kind: str, what: Any) -> bool:
    match kind:
        case "AT":
            return True
        case "SUBPATTERN":
            return may_be_empty(list(what[3]))
        case "BRANCH":
            return any(may_be_empty(list(way)) for way in what[1])
        case "MAX_REPEAT" | "MIN_REPEAT":
            return int(what[0]) == 0 or may_be_empty(list(what[2]))
    return False


def symbols(kind: str, what: Any, blind: bool) -> int:
    """The symbols a step of one character takes, a bit each."""
    bits = bits_taken(kind, what, blind)
    taken = bits & PLAIN
    beyond = bits & HIGH or (blind and any(taken >> ord(one) & 1 for one in LETTERS_BEYOND))
    return taken | (1 << BEYOND if beyond else 0)


def machine_for(pattern: str) -> Machine | None:
    """The machine as it was prepared with the rules, or made now."""
    stated = answer(key_of(pattern))
    if stated is None:
        return machine_of(pattern)
    if not stated:
        return None
    classes, width, table = stated
    steps = zlib.decompress(base64.b64decode(table))
    return Machine(
        bytes.fromhex(classes), width, steps if sys.byteorder == LITTLE else turned(steps)
    )


def worked_out(pattern: str) -> list[Any]:
    """What `dlp rules prepare` writes down for a pattern; nothing: there is no machine for it."""
    machine = machine_of(pattern)
    if machine is None:
        return []
    steps = machine.table if sys.byteorder == LITTLE else turned(machine.table)
    table = base64.b64encode(zlib.compress(steps, 9)).decode()
    return [machine.classes.hex(), machine.width, table]


def turned(steps: bytes) -> bytes:
    """Numbers of two bytes with the other byte first."""
    both = array("H", steps)
    both.byteswap()
    return both.tobytes()


def key_of(pattern: str) -> bytes:
    return b"machine " + pattern.encode()


def machine_of(pattern: str) -> Machine | None:
    try:
        return Builder(Program(pattern)).machine()
    except UnreadableError:
        return None


class Builder:
    """All states of a program, found from the first two on."""

    def __init__(self, program: Program) -> None:
        self._steps = program.steps
        self._classes, self._samples = classes_of(program.steps)
        self._numbers: dict[tuple[Threads, bool], int] = {}
        self._waiting: list[tuple[Threads, bool]] = []
        for in_word in (False, True):
            self._number((program.start,), in_word)

    def _number(self, threads: Threads, in_word: bool) -> int:
        if not threads:
            return DEAD
        one = (threads, in_word)
        number = self._numbers.get(one)
        if number is None:
            if len(self._numbers) >= MOST_STATES:
                return ASK  # far from the beginning, where few come
            number = self._numbers[one] = len(self._numbers) + ASK + 1
            self._waiting.append(one)
        return number

    def machine(self) -> Machine:
        width = len(self._samples)
        table = array("H", [DEAD] * width + [ASK] * width)
        place = 0
        while place < len(self._waiting):
            table.extend(self._row(*self._waiting[place]))
            place += 1
        return Machine(self._classes, width, table.tobytes())

    def _row(self, threads: Threads, in_word: bool) -> list[int]:
        ways = [self._ready(threads, at_edge=at_edge) for at_edge in (False, True)]
        row: list[int] = []
        for symbol in self._samples:
            word = bool(WORD >> symbol & 1) if symbol < BEYOND else False
            ready, matched = ways[word != in_word]
            bit = 1 << symbol
            after = tuple(
                dict.fromkeys(self._steps[one][1][0] for one in ready if self._steps[one][0] & bit)
            )
            target = ASK if after and symbol == BEYOND else self._number(after, word)
            row.append(target | (MATCHED if matched else 0))
        return row

    def _ready(self, threads: Threads, *, at_edge: bool) -> tuple[list[int], bool]:
        """The steps that take a byte next, the best first, up to the end of the pattern."""
        ready: list[int] = []
        seen: set[int] = set()
        waiting = list(reversed(threads))
        while waiting:
            one = waiting.pop()
            if one in seen:
                continue
            seen.add(one)
            if one == END:
                return ready, True
            bits, after = self._steps[one]
            if bits > 0:
                ready.append(one)
            elif bits == 0 or at_edge:
                waiting += reversed(after)
        return ready, False


def classes_of(steps: Sequence[Step]) -> tuple[bytes, list[int]]:
    """Symbols that all steps take alike share a column: the columns, and one symbol of each."""
    sets = sorted({bits for bits, _ in steps if bits > 0} | {WORD})
    columns: dict[tuple[int, ...], int] = {}
    classes = bytearray()
    samples: list[int] = []
    for symbol in range(SYMBOLS):
        alike = (*(bits >> symbol & 1 for bits in sets), symbol if symbol >= BEYOND else 0)
        if alike not in columns:
            columns[alike] = len(columns)
            samples.append(symbol)
        classes.append(columns[alike])
    return bytes(classes), samples
