"""Spell the words with which the matches of a pattern begin and go on.

In: the automaton of a pattern.  Out: words in lower case; None where they are not to be listed.

A word is a run of letters of ASCII as a text has it, whatever stands before and behind it.
"""

from __future__ import annotations

from collections.abc import Iterable

from dlp.detect.identify.automaton import (
    ALL,
    DIGIT,
    LETTER,
    PLAIN,
    Automaton,
    Node,
    Nodes,
    UnreadableError,
    advanced,
    first_bytes,
    lasting,
)

GAP = 4  # bytes between the first run of digits and the word behind it
DEEP = 16  # bytes, where digits may be among them
LONGEST_WORD = 28
MOST_WORDS = 1500
WIDE = 5  # letters: where so many may stand, no word is spelt
Led = dict[Node, dict[Node, int]]  # nodes, by which bytes they are reached from where


def words_of(pattern: str) -> dict[str, tuple[int, int]] | None:
    """The words that every match begins with, and the two bytes behind; None: otherwise."""
    try:
        automaton = Automaton(pattern)
    except UnreadableError:
        return None
    starts = [first_bytes(automaton, Node(automaton.start, one)) for one in (False, True)]
    if starts[1] or starts[0] & ~LETTER:
        return None
    words: dict[str, tuple[int, int]] = {}
    known = words_from(automaton, frozenset({Node(automaton.start, in_word=False)}))
    for word, nodes in known.items() if known is not None else ():
        first, after = advanced(automaton, nodes, ALL ^ LETTER)
        words[word] = first, advanced(automaton, after, ALL)[0]
    return words or None


def first_words(automaton: Automaton) -> tuple[str, ...] | None:
    """The runs of letters a match may begin with, as far as the text has letters."""
    known = words_from(automaton, frozenset({Node(automaton.start, in_word=False)}))
    return None if known is None else tuple(sorted(known))


def words_after(automaton: Automaton, nodes: Nodes) -> tuple[bool, tuple[str, ...] | None]:
    """The words that may stand next behind the first run of digits; None: any.

    First, whether more digits may stand between and as many signs as there are.
    """
    nodes = lasting(automaton, nodes)
    for deep, allowed in ((True, PLAIN & ~LETTER), (False, PLAIN & ~DIGIT & ~LETTER)):
        behind = set(nodes)
        reached = nodes
        for _ in range(DEEP if deep else GAP):
            _, reached = advanced(automaton, reached, allowed)
            behind |= reached
        if all(node.state != Automaton.END for node in behind):
            known = words_from(automaton, frozenset(behind))
            return deep, None if known is None else tuple(sorted(known))
    return False, None


def words_from(automaton: Automaton, nodes: Nodes) -> dict[str, Nodes] | None:
    """Runs of letters from these nodes on; with a star where the match may end within one."""
    found: dict[str, Nodes] = {}
    waiting: list[tuple[str, Nodes]] = [("", nodes)]
    while waiting:
        word, nodes = waiting.pop()
        steps = [step for node in nodes for step in automaton.steps(node)]
        if any(target == Automaton.END and bits & LETTER for bits, target in steps):
            found[word + "*"] = nodes
            continue
        if word and any(bits & ~LETTER for bits, _ in steps):
            found[word] = nodes
        ways: dict[int, set[Node]] = {}
        for bits, target in steps:
            for letter in letters_in(bits):
                ways.setdefault(letter, set()).add(Node(target, in_word=True))
        waiting += [(word + chr(one), frozenset(after)) for one, after in ways.items()]
        if len(word) > LONGEST_WORD or len(found) + len(waiting) > MOST_WORDS:
            return None
    return found if "*" not in found else None


def inner_words(automaton: Automaton, led: Led) -> tuple[str, ...] | None:
    """All words before the first digit but the first, unless one byte at most parts them from it.

    None: they are not spelt. Letters that are not spelt may stand right before the digit only.
    """
    found: set[str] = set()
    behind_sign = [
        one for one, ways in led.items() if any(bits & ~LETTER for bits in ways.values())
    ]
    waiting = [("", node) for node in behind_sign]
    seen: set[tuple[str, Node]] = set()
    while waiting:
        word, node = waiting.pop()
        for bits, target in automaton.steps(node):
            if word and bits & ~LETTER & ~DIGIT:
                found.add(word)
            after = Node(target, in_word=True)
            letters = list(letters_in(bits))
            if len(letters) >= WIDE:
                if not leads_to_digit(automaton, after):
                    return None
                continue
            for letter in letters:
                one = (word + chr(letter), after)
                if one not in seen:
                    seen.add(one)
                    waiting.append(one)
        if len(seen) > 20 * MOST_WORDS:
            return None
    return tuple(sorted(found))


def leads_to_digit(automaton: Automaton, node: Node) -> bool:
    """Whether letters, one other byte at most and a digit are all that comes next."""
    seen = {node}
    waiting = [node]
    beyond: set[Node] = set()
    while waiting:
        for bits, target in automaton.steps(waiting.pop()):
            if bits & LETTER and (after := Node(target, in_word=True)) not in seen:
                seen.add(after)
                waiting.append(after)
            if bits & ~LETTER & ~DIGIT:
                beyond |= {Node(target, in_word) for in_word in (False, True)}
    return all(not bits & ~DIGIT for node in beyond for bits, _ in automaton.steps(node))


def letters_in(bits: int) -> Iterable[int]:
    """Small letters for either case."""
    both = (bits >> 97 | bits >> 65) & (1 << 26) - 1
    while both:
        lowest = both & -both
        yield 96 + lowest.bit_length()
        both ^= lowest
