"""Work out the states that a walk goes through which begins where a cue may begin.

In: the steps of cues.  Out: where every class of characters leads from each state.

A state is what is left to be read of all cues that have begun at one place. It knows what stood
before it as far as that still matters, and the cues that were heard on the way to it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from dlp.detect.linking.cue_steps import (
    EDGE,
    END,
    LINE_END,
    LINE_START,
    NEWLINE,
    NO_EDGE,
    START,
    WORD,
    Steps,
    UnreadableError,
)
from dlp.named import NamedTuple

# What may stand before a place.
NOTHING, LINE, IN_WORD, ELSE = BEFORE = range(4)


class Next(NamedTuple):
    """What may come next, as far as a place between two characters asks about it."""

    word: bool
    newline: bool
    end: bool


class State(NamedTuple):
    left: frozenset[int]  # steps
    before: int
    heard: tuple[int, ...]  # on the way here


NOWHERE = State(frozenset(), ELSE, ())
AT_END = Next(word=False, newline=False, end=True)


class Machine:
    """All states that the cues which begin with some steps lead to; the first leads nowhere."""

    def __init__(
        self, steps: Steps, firsts: Iterable[int], classes: Sequence[int], most: int
    ) -> None:
        """`classes`: sets of characters that no step tells apart; `most`: states."""
        self._steps, self._classes = steps, classes
        self._reached: dict[int, frozenset[int]] = {}
        self.rows: list[list[int]] = []
        begun = [self._state(firsts, before, ()) for before in BEFORE]
        states = list(dict.fromkeys([NOWHERE, *begun]))
        numbers = {state: number for number, state in enumerate(states)}
        self.firsts = [numbers[state] for state in begun]  # by what stands before
        for state in states:  # which grow on the way
            row = []
            for after in self._next(state):
                number = numbers.setdefault(after, len(states))
                if number == len(states):
                    states.append(after)
                row.append(number)
            self.rows.append(row)
            if len(states) > most:
                raise UnreadableError("too many states")
        self.heard = [state.heard for state in states]

    def begins_at_lines_only(self) -> bool:
        """Where a line starts, or with the sign that ends one."""
        elsewhere = [self.rows[self.firsts[before]] for before in (IN_WORD, ELSE)]
        signs = (*(not bits & NEWLINE for bits in self._classes), True)
        return not any(
            to and other for row in elsewhere for to, other in zip(row, signs, strict=True)
        )

    def _next(self, state: State) -> Iterator[State]:
        """Where each class of characters leads, and then the end of the text."""
        known: dict[Next, tuple[list[int], tuple[int, ...]]] = {}
        takes = self._steps.takes
        for bits in self._classes:
            sort = Next(bool(bits & WORD), bool(bits & NEWLINE), end=False)
            if sort not in known:
                known[sort] = self._settled(state, sort)
            left, heard = known[sort]
            after = {to for one in left for taken, to in takes[one] if taken & bits}
            before = IN_WORD if sort.word else LINE if sort.newline else ELSE
            yield self._state(after, before, heard) if after or heard else NOWHERE
        _, heard = self._settled(state, AT_END)
        yield State(frozenset(), ELSE, heard)

    def _settled(self, state: State, coming: Next) -> tuple[list[int], tuple[int, ...]]:
        """The steps to be taken when what comes next is known, and the cues that end before it."""
        left = set(state.left)
        waiting = list(left)
        while waiting:
            for asked, to in self._steps.asks[waiting.pop()]:
                if holds(asked, state.before, coming):
                    more = self._free(to) - left
                    left |= more
                    waiting += more
        heard = self._heard(left)
        return [one for one in left if self._steps.cue[one] not in heard], tuple(sorted(heard))

    def _state(self, steps: Iterable[int], before: int, heard: Sequence[int]) -> State:
        left = {one for step in steps for one in self._free(step)}
        now = {*heard, *self._heard(left)}
        left = {one for one in left if self._steps.cue[one] not in now}
        asks = any(self._steps.asks[one] for one in left)
        return State(frozenset(left), before if asks else ELSE, tuple(sorted(now)))

    def _heard(self, steps: Iterable[int]) -> set[int]:
        ends = self._steps.ends
        return {ends[one] for one in steps if one in ends}

    def _free(self, step: int) -> frozenset[int]:
        """What is reached for nothing, as far as something comes of it."""
        known = self._reached.get(step)
        if known is None:
            steps = self._steps
            seen, waiting = {step}, [step]
            while waiting:
                more = {*steps.free[waiting.pop()]} - seen
                seen |= more
                waiting += more
            known = frozenset(
                one for one in seen if steps.takes[one] or steps.asks[one] or one in steps.ends
            )
            self._reached[step] = known
        return known


def holds(asked: int, before: int, coming: Next) -> bool:
    """Whether a place between two characters is what a cue asks for."""
    return {
        EDGE: (before == IN_WORD) != coming.word,
        NO_EDGE: (before == IN_WORD) == coming.word,
        LINE_START: before in {NOTHING, LINE},
        LINE_END: coming.newline or coming.end,
        START: before == NOTHING,
        END: coming.end,
    }[asked]


def classes_of(steps: Steps) -> list[int]:
    """Sets of characters that no step tells apart, nor whether they are of a word or end a line."""
    classes = [steps.alphabet.all]
    asked = {taken for row in steps.takes for taken, _ in row} | {WORD, NEWLINE}
    for taken in sorted(asked):
        halves = ((one & taken, one & ~taken) for one in classes)
        classes = [half for both in halves for half in both if half]
    return classes
