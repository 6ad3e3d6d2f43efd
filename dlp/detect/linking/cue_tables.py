"""Lay out the states of cues so that a walk over a text touches little memory.

In: states.  Out: tables for the kernel (dlp/native/genres.pyx).

Among the other work of a scan nothing stays in the cache for long, so what counts is how many lines
of it a text touches. Three characters in twenty bits say whether a cue may begin with them at all,
five whether it may go on; and most states lead on in few ways, which stand one behind the other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from dlp.detect.linking.cue_states import ELSE, IN_WORD, LINE, Machine
from dlp.detect.linking.cue_steps import ASCII, NEWLINE, WORD, Alphabet
from dlp.named import NamedTuple

FEW = 4  # ways on that are looked through one by one
# Kinds of characters: what begins nothing, 26 letters, and these.
IN_NUMBERS, BLANK, LINE_END, SIGN, BEYOND = range(27, 32)  # the first: digits and _
NO_KIND = 0
KINDS = 32
SHORT = 3  # characters that say whether a cue may begin
LENGTH = 5  # characters that say whether a cue may go on
FARTHEST = 40  # characters of a line that are looked at for a digit
MANY = 50  # ways in which three characters may go on: too many to be told apart
SPREAD = 0x9E3779B1  # five kinds times this, the upper half of it: which bit is theirs
Bits = npt.NDArray[np.uint8]
Place = tuple[int, int]  # a machine and a state of it


class Tables(NamedTuple):
    """What the kernel asks. Bits are in bytes, the lowest first."""

    plain: npt.NDArray[np.uint8]  # the class of each character of ASCII
    beyond: npt.NDArray[np.uint32]  # other characters that some cue names
    beyond_class: npt.NDArray[np.uint8]  # theirs, and of all the rest
    kinds: npt.NDArray[np.uint8]  # of each class, and of the end of a text
    maybe: npt.NDArray[np.uint8]  # three kinds may begin a cue outside of a word; in one
    short: npt.NDArray[np.uint8]  # three kinds may be most of a cue, or go on in many ways
    further: npt.NDArray[np.uint8]  # five kinds may begin one
    firsts: npt.NDArray[np.uint16]  # states by machine and by what stands before
    rows: npt.NDArray[np.uint16]  # where each class leads from the states that lead on in many ways
    ways: npt.NDArray[np.uint16]  # for all other states: where their ways begin
    way_class: npt.NDArray[np.uint8]  # the class that takes a way
    way_to: npt.NDArray[np.uint16]  # and where to
    hearing: npt.NDArray[np.uint16]  # the first state that hears something
    heard: npt.NDArray[np.uint16]  # for these: where the cues that they hear begin
    cues: npt.NDArray[np.uint16]  # these cues
    before_digit: npt.NDArray[np.uint16]  # characters in which the last machine needs a digit, or 0


def arranged(alphabet: Alphabet, classes: Sequence[int], machines: Sequence[Machine]) -> Tables:
    """One numbering for all states: with many ways on, hearing something, with few."""
    order = [place for sort in sorted_states(machines) for place in sort]
    numbers = {place: number for number, place in enumerate(order)}
    numbers |= {(one, 0): 0 for one in range(len(machines))}
    rows, ways, way_class, way_to = list[list[int]](), list[int](), list[int](), list[int]()
    heard, cues = list[int](), list[int]()
    hearing = 0
    for number, (one, state) in enumerate(order):
        row = [numbers[one, to] for to in machines[one].rows[state]]
        if told := machines[one].heard[state]:
            hearing = hearing or number
            heard.append(len(cues))
            cues += told
        if is_dense(machines, (one, state)):
            rows.append(row)
        else:
            ways.append(len(way_to))
            way_class += [sort for sort, to in enumerate(row) if to]
            way_to += [to for to in row if to]
    firsts = [numbers[one, first] for one in range(len(machines)) for first in machines[one].firsts]
    chars = range(alphabet.size)
    of_char = [next(n for n, bits in enumerate(classes) if bits >> at & 1) for at in chars]
    kinds = [*kinds_of(classes, machines[0]), NO_KIND]
    return Tables(
        np.array(of_char[:ASCII], np.uint8),
        np.array(alphabet.beyond, np.uint32),
        np.array(of_char[ASCII:], np.uint8),
        np.array(kinds, np.uint8),
        *beginnings(machines[0], kinds),
        np.array(firsts, np.uint16),
        np.array(rows, np.uint16),
        np.array([*ways, len(way_to)], np.uint16),
        np.array(way_class, np.uint8),
        np.array(way_to, np.uint16),
        np.array([hearing], np.uint16),
        np.array([*heard, len(cues)], np.uint16),
        np.array(cues, np.uint16),
        np.array([before_digit(machines[-1], kinds)], np.uint16),
    )


def is_dense(machines: Sequence[Machine], place: Place) -> bool:
    one, state = place
    return not state or sum(map(bool, machines[one].rows[state])) > FEW


def sorted_states(machines: Sequence[Machine]) -> Iterator[list[Place]]:
    """Those with many ways on, then with few; in the midst those that hear something."""
    found = [place for one in range(len(machines)) for place in followed(machines[one], one)]
    dense = [place for place in found if is_dense(machines, place)]
    sparse = [place for place in found if not is_dense(machines, place)]
    yield [(0, 0)]
    for many, hears in ((dense, False), (dense, True), (sparse, True), (sparse, False)):
        yield [(one, at) for one, at in many if bool(machines[one].heard[at]) is hears]


def followed(machine: Machine, number: int) -> Iterator[Place]:
    """The states but the first, each before those it leads to and near them."""
    seen = {0}
    waiting = machine.firsts[::-1]
    while waiting:
        state = waiting.pop()
        if state not in seen:
            seen.add(state)
            yield number, state
            waiting += reversed(machine.rows[state])


def kinds_of(classes: Sequence[int], machine: Machine) -> Iterator[int]:
    """Of each class of characters, by its first; those of words have the lower numbers."""
    for number, bits in enumerate(classes):
        first = (bits & -bits).bit_length() - 1
        if bits & WORD:
            yield ord(chr(first).lower()) - ord("a") + 1 if chr(first).isalpha() else IN_NUMBERS
        elif bits & NEWLINE:
            yield LINE_END
        elif chr(first) in " \t":
            yield BLANK
        elif any(machine.rows[machine.firsts[before]][number] for before in (LINE, IN_WORD, ELSE)):
            yield SIGN if first < ASCII else BEYOND
        else:
            yield NO_KIND


def before_digit(machine: Machine, kinds: Sequence[int]) -> int:
    """How many characters a walk takes at most in which there is no digit; 0: any number."""
    states, length = {*machine.firsts} - {0}, 0
    while states and length < FARTHEST:
        ways = (
            (kind, to)
            for state in states
            for kind, to in zip(kinds, machine.rows[state], strict=True)
        )
        states = {to for kind, to in ways if to and kind != IN_NUMBERS}
        length += 1
        if any(machine.heard[state] for state in states):
            return 0
    return 0 if states else length


def beginnings(machine: Machine, kinds: Sequence[int]) -> tuple[Bits, Bits, Bits]:
    """Which characters may begin a cue: three of them, three of a short one, five."""
    maybe = np.zeros((2, KINDS, KINDS, KINDS), bool)
    short = np.zeros((KINDS, KINDS, KINDS), bool)
    longer: dict[tuple[int, ...], set[int]] = {}
    for before in (LINE, IN_WORD, ELSE):  # where nothing stands before, a cue is always tried
        for read, hears in prefixes(machine, kinds, {machine.firsts[before]}, ()):
            maybe[(int(before == IN_WORD), *read[:SHORT])] = True
            if hears and len(read) <= SHORT:
                short[read] = True
            else:
                longer.setdefault(read[:SHORT], set()).update(spreads(read))
    further = np.zeros(1 << 16, bool)
    for three, bits in longer.items():
        if len(bits) > MANY:
            short[three] = True
        else:
            further[[*bits]] = True
    return packed(maybe), packed(short), packed(further)


def packed(bits: npt.NDArray[np.bool_]) -> Bits:
    return np.packbits(bits.reshape(-1), bitorder="little")


def prefixes(
    machine: Machine, kinds: Sequence[int], states: set[int], read: tuple[int, ...]
) -> Iterator[tuple[tuple[int, ...], bool]]:
    """Kinds of the first characters of cues, and whether these may be all of one."""
    if hears := any(machine.heard[state] for state in states):
        yield read, hears
    if len(read) == LENGTH:
        yield read, False
        return
    after: dict[int, set[int]] = {}
    for state in states:
        for kind, to in zip(kinds, machine.rows[state], strict=True):
            if to:
                after.setdefault(kind, set()).add(to)
    for kind, reached in after.items():
        yield from prefixes(machine, kinds, reached, (*read, kind))


def spreads(read: Sequence[int]) -> Iterator[int]:
    """Which bit stands for five kinds, and for others; of four, with any behind them."""
    if len(read) < LENGTH:
        for kind in range(KINDS):
            yield from spreads((*read, kind))
        return
    number = 0
    for kind in read:
        number = number << 5 | kind
    yield (number * SPREAD & 0xFFFFFFFF) >> 16
