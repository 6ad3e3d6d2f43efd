"""Say how the matches of a pattern may begin: what stands at and around their first digit.

In: a pattern.  Out: sets of bytes by place, and the words a match may begin with.

Whoever walks through the digits of a text can tell with these which few places a pattern need be
tried at. A match may be refused at a place that fits; none begins at one that does not.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from dlp.detect.identify.around import reaches_of
from dlp.detect.identify.automaton import (
    ALL,
    DIGIT,
    HIGH,
    LETTER,
    WITHOUT_END,
    WORD,
    Automaton,
    Node,
    Nodes,
    UnreadableError,
    advanced,
    first_bytes,
    lasting,
    parsed,
)
from dlp.detect.identify.digits import holds_digit, needs_digit
from dlp.detect.identify.spelling import Led, first_words, inner_words, words_after
from dlp.named import NamedTuple

LONGEST_RUN = 20  # digits in a row that are counted; more count as so many
BEHIND = 6  # bytes behind the first run of digits that are looked at
BEFORE = 4  # and before it
SIGNS = b"-./, :"  # between two runs of digits
LONGEST_SECOND = 10
TAKES_ALL = re.compile(r"\[\^|\\[SDW]|(?<!\\)\.")  # classes that hold letters beyond ASCII


class Beginning(NamedTuple):
    """One way a match may begin: with a digit, or with something before the first digit.

    Sets of bytes are numbers with a bit for each.
    """

    before: int  # characters that a match may have before its first digit
    wide: bool  # and whether some of them may be beyond ASCII
    starts: tuple[int, ...]  # first bytes of a match: behind another byte, behind one of a word
    words: tuple[str, ...] | None  # letters it may begin with, in lower case; None: too many
    at: int  # the first digit
    second: int  # the second one, where two stand together
    earlier: tuple[int, ...]  # bytes before the first digit, the nearest first
    # by the length of the first run of digits: the bytes behind it
    behind: tuple[tuple[int, ...], ...]
    # by that length, the sign behind it and the length of the run behind the sign: two bytes behind
    twice: dict[tuple[int, int, int], tuple[int, int]]
    after: tuple[str, ...] | None  # words that may follow a digit it begins with; "*": and go on
    deep: bool  # whether that holds for the next word behind any digits and signs
    inner: (
        tuple[str, ...] | None
    )  # other words before the first digit, none of them right before it


def beginnings_of(pattern: str) -> list[Beginning]:
    """Nothing: nobody knows how a match begins, or it may have no digit."""
    try:
        steps = list(parsed(pattern))
        if not needs_digit(pattern) or is_endless(steps):
            return []
        _, reach = reaches_of(pattern)
        return read(Automaton(pattern), reach[0]) if reach else []
    except UnreadableError:
        return []


def length_from_digit(pattern: str) -> int | None:
    """Bytes that a match may have from its first digit on; None: nobody knows."""
    try:
        _, reach = reaches_of(pattern)
        if not reach or any(has_no_end(step) for step in parsed(pattern)):
            return None
        return reach[1] if pattern.isascii() and not TAKES_ALL.search(pattern) else 4 * reach[1]
    except UnreadableError:
        return None


def is_endless(steps: Sequence[tuple[Any, Any]]) -> bool:
    """Whether what stands before the first digit may be of any length."""
    for step in steps:
        if holds_digit(step):
            return any(is_endless(inner) for inner in insides(step)[:])
        if has_no_end(step):
            return True
    return False


def has_no_end(step: tuple[Any, Any]) -> bool:
    kind, what = str(step[0]), step[1]
    if kind in {"MAX_REPEAT", "MIN_REPEAT"} and int(what[1]) == WITHOUT_END:
        return True
    return any(has_no_end(inner) for way in insides(step) for inner in way)


def insides(step: tuple[Any, Any]) -> list[list[tuple[Any, Any]]]:
    kind, what = str(step[0]), step[1]
    match kind:
        case "MAX_REPEAT" | "MIN_REPEAT":
            return [list(what[2])]
        case "SUBPATTERN":
            return [list(what[3])]
        case "BRANCH":
            return [list(way) for way in what[1]]
    return []


def read(automaton: Automaton, reach: int) -> list[Beginning]:
    """With a digit, and with something before one, as far as each may be."""
    first = (Node(automaton.start, in_word=False), Node(automaton.start, in_word=True))
    led = up_to_first_digit(automaton, first)
    starts = [first_bytes(automaton, node) for node in first]
    found: list[Beginning] = []
    at_once = [node for node in first if takes_digit(automaton, node)]
    if at_once:
        with_digit = with_digit_at(automaton, at_once, led, first)
        deep, words = words_after(automaton, after_digit(automaton, at_once))
        digits = tuple(one & DIGIT for one in starts)
        found.append(with_digit._replace(starts=digits, after=words, deep=deep))
    later = [node for node in led if led[node] and takes_digit(automaton, node)]
    if later:
        wide = any(bits & HIGH for ways in led.values() for bits in ways.values())
        listed = starts[0] & LETTER and not starts[1] & LETTER
        with_digit = with_digit_at(automaton, later, led, first)
        found.append(
            with_digit._replace(
                before=reach,
                wide=wide,
                starts=tuple(one & ~DIGIT for one in starts),
                words=first_words(automaton) if listed else None,
                inner=inner_words(automaton, led) if listed else None,
            )
        )
    return found


def with_digit_at(
    automaton: Automaton, nodes: list[Node], led: Led, first: Sequence[Node]
) -> Beginning:
    """A beginning whose first digit is taken at these nodes."""
    at = 0
    for node in nodes:
        for bits, _ in automaton.steps(node):
            at |= bits & DIGIT
    following = after_digit(automaton, nodes)
    second, behind = runs(automaton, following)
    earlier = bytes_before(nodes, led, first)
    twice = second_runs(automaton, following)
    return Beginning(0, False, (0, 0), None, at, second, earlier, behind, twice, None, False, None)


def takes_digit(automaton: Automaton, node: Node) -> bool:
    return any(bits & DIGIT for bits, _ in automaton.steps(node))


def after_digit(automaton: Automaton, nodes: Iterable[Node]) -> Nodes:
    return frozenset(
        Node(target, in_word=True)
        for node in nodes
        for bits, target in automaton.steps(node)
        if bits & DIGIT
    )


def up_to_first_digit(automaton: Automaton, first: Sequence[Node]) -> Led:
    """All nodes before the first digit."""
    led: Led = {node: {} for node in first}
    waiting = list(first)
    while waiting:
        node = waiting.pop()
        for bits, target in automaton.steps(node):
            for in_word, taken in ((False, bits & ~WORD), (True, bits & WORD & ~DIGIT)):
                if taken:
                    after = Node(target, in_word)
                    if after not in led:
                        led[after] = {}
                        waiting.append(after)
                    led[after][node] = led[after].get(node, 0) | taken
    return led


def bytes_before(nodes: Iterable[Node], led: Led, first: Sequence[Node]) -> tuple[int, ...]:
    """What may stand one byte before these nodes, two bytes before, and so on."""
    found: list[int] = []
    here = set(nodes)
    for _ in range(BEFORE):
        bits = 0
        earlier: set[Node] = set()
        for node in here:
            if node in first:
                bits |= WORD if node.in_word else ALL ^ WORD
            for origin, taken in led[node].items():
                bits |= taken
                earlier.add(origin)
        found.append(bits)
        if any(node in first for node in here):
            break  # before a match anything may stand
        here = earlier
    return (*found, *(ALL for _ in range(BEFORE - len(found))))


def runs(automaton: Automaton, nodes: Nodes) -> tuple[int, tuple[tuple[int, ...], ...]]:
    """The second digit, and for each length of the first run what may stand behind it."""
    second = 0
    behind: list[tuple[int, ...]] = []
    known: dict[Nodes, tuple[tuple[int, ...], int, Nodes]] = {}
    for length in range(1, 2 * LONGEST_RUN):
        if nodes not in known:
            digits, more = advanced(automaton, nodes, DIGIT)
            known[nodes] = following_bytes(automaton, nodes), digits, more
        bytes_behind, digits, nodes = known[nodes]
        if length == 1:
            second = digits
        if length <= LONGEST_RUN:
            behind.append(bytes_behind)
        else:
            both = zip(behind[-1], bytes_behind, strict=True)
            behind[-1] = tuple(one | other for one, other in both)
    return second, tuple(behind)


def following_bytes(automaton: Automaton, nodes: Nodes) -> tuple[int, ...]:
    found: list[int] = []
    allowed = ALL ^ DIGIT
    for _ in range(BEHIND):
        bits, nodes = advanced(automaton, nodes, allowed)
        found.append(bits)
        allowed = ALL
    return tuple(found)


def second_runs(automaton: Automaton, nodes: Nodes) -> dict[tuple[int, int, int], tuple[int, int]]:
    """What may stand behind a second run of digits, parted by one sign from the first."""
    found: dict[tuple[int, int, int], tuple[int, int]] = {}
    known: dict[Nodes, list[tuple[int, int]]] = {}
    for length in range(1, LONGEST_RUN + 1):
        for sign in SIGNS:
            _, behind = advanced(automaton, nodes, 1 << sign)
            if behind not in known:
                known[behind] = bytes_behind(automaton, behind)
            for second, bits in enumerate(known[behind], 1):
                if bits[0]:
                    found[length, sign, second] = bits
        _, more = advanced(automaton, nodes, DIGIT)
        # the last length stands for all longer ones
        nodes = more if length < LONGEST_RUN - 1 else lasting(automaton, more)
    return found


def bytes_behind(automaton: Automaton, nodes: Nodes) -> list[tuple[int, int]]:
    """By the number of digits that come next, the two bytes that may stand behind them."""
    found = []
    for second in range(1, LONGEST_SECOND + 1):
        _, nodes = advanced(automaton, nodes, DIGIT)
        if second == LONGEST_SECOND:
            nodes = lasting(automaton, nodes)
        bits, after = advanced(automaton, nodes, ALL ^ DIGIT)
        found.append((bits, advanced(automaton, after, ALL)[0]))
    return found
