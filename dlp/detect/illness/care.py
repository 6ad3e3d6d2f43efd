"""Statements of health by their grammar: a value of a vital sign, a broken bone, a referral.

In: a text and the health terms found in it.  Out: hits of the statements in rules/care_terms.toml.

"Hb 92 g/L", "UR6 extracted", "under cardiology" name no illness, and no list holds them whole.
Their patterns are RE2, and most of them are tried only where the letters that they need stand.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

import re2

from dlp.detect.overlap import is_free
from dlp.detect.spans import spans_of_text
from dlp.errors import RuleError
from dlp.knowledge.hits import TermHit
from dlp.knowledge.words import load_words
from dlp.model import Kind
from dlp.prepared import prepared, read_table
from dlp.resources import rules_folder

FILE, TERMS = "care_terms.toml", "health_terms.toml"
CODE = "detect/illness"
REACH = 120  # characters to another health word, for statements that need one
MEMORY = 64 << 20  # a ceiling; below it RE2 starts its automaton anew again and again
GROUP = 8  # patterns searched as one: more make an automaton whose states are slow to build
STRETCH, OVERLAP = 800, 80  # characters
# No health in it, but the letters of words that most texts hold.
EVERYDAY = """
We had better continue with the various places before the end of the year, because the reception
in the back of the building cannot take more than ten people at a time. The men came down to the
office in March for two or three days, looked at the machine again and said that it needs a new
belt; they have been waiting for the parts since. Please describe the history of the relationship
with each member, their address, the date and the number of the order, and whether it was sent on
time. I can't see the list of names from here, but the news this morning was about the same thing.
She got the results of the test on Monday and has seen nothing of the committee until now; there
is hardly any space left for the review, the meeting, the discussion and the decision. One of the
children had trouble with the doors, another had to go home to the family after work. His chair
stands close to the ship in the harbour, in front of the fire place, on the left side of the road.
"""
NESTED = 4  # classes within classes
NAMED = re.compile(r"\{([a-z]\w*)\}")
BRACKETS = re.compile(r"(\[[^\]]*\])")
# A long gap that is counted has a state for each length and each place where it may begin.
GAP = re.compile(r"\{\d+,(?:[5-9]\d|\d{3,})\}")
# Of a pattern: what its ends are made of, "w" for a sign of a word, " " for one between words.
Kinds = frozenset[str]
Ends = tuple[Kinds, Kinds]
WORDS, BETWEEN, NOTHING = (frozenset({kind}) for kind in ("w", " ", ""))
WITHIN = {WORDS: r"\b", BETWEEN: ""}  # where one of these stands, nothing else need be asked
BEHIND = r"(?:\b|\W|$)"
OPENING = re.compile(r"\((?:\?(?:P<\w+>|[a-zA-Z-]*:))?")
SIGN = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|.", re.DOTALL)
OFTEN = re.compile(r"(?:[*+?]|\{\d+(?:,\d*)?\})\??")
ESCAPES = re.compile(r"\\.")
RANGE = re.compile(r"[A-Za-z0-9]-[A-Za-z0-9]")
EDGES = " \t\r\n,;:.([|-–\"'"
NO_TERM = -1
WORD = re.compile(r"[A-Za-z-]+")
KNOWN = 2.0  # Zipf frequency from which a word is English
# "Ann Lee weighs 140 kg", "Lee's mother died of", "refer Ann Lee to urology": the name is no part.
NAME_INSIDE = re.compile(r"(?:.*\b[A-Z][\w’'-]+\s[A-Z][\w’-]+\s+|[\w-]+[’']s\s+)(?=\w)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Statement:
    kind: Kind
    heading: str
    concept: str
    beside: bool  # believed only near another health word
    unknown: bool  # believed only if the first word is no English word
    graver: bool  # stands for the terms inside it: "held involuntarily in a psychiatric ward"
    patterns: tuple[str, ...]  # RE2, whole words


class Care:
    """All statements: RE2's filter says by their letters which patterns a stretch may hold."""

    def __init__(self, statements: Sequence[Statement], sayings: str) -> None:
        """`sayings`: "pulled his leg", phrases in which the words mean something else."""
        self.statements = tuple(statements)
        self.graver = frozenset(one.concept for one in statements if one.graver)
        self._sayings = compiled(sayings)
        self._patterns = [(one, each) for each in statements for one in each.patterns]
        # Patterns whose letters stand in any text may be anywhere: they are searched together,
        # but for one with a long gap, which is tried where it matches with a gap of any length.
        written = [pattern for pattern, _ in self._patterns]
        key = "care\n".join([EVERYDAY, *written]).encode()
        anywhere: list[int] = prepared(key, lambda: filtered(written).Match(EVERYDAY, True), CODE)
        self._gaps = {
            number: compiled(GAP.sub("*", written[number]))
            for number in anywhere
            if GAP.search(written[number])
        }
        together = [number for number in anywhere if number not in self._gaps]
        self._groups = [
            (compiled("|".join(written[one] for one in numbers)), numbers)
            for numbers in (together[at : at + GROUP] for at in range(0, len(together), GROUP))
        ]
        self._rare = [number for number in range(len(written)) if number not in {*anywhere}]
        self._filter = filtered([written[number] for number in self._rare])
        self._pattern = cache(lambda number: compiled(written[number]))

    def scan(self, text: str, terms: Sequence[TermHit]) -> list[TermHit]:
        """The statements in a text, in order and apart; `terms` are the health terms in it."""
        places: dict[tuple[int, int], Statement] = {}
        raw = text.encode("utf-8", "surrogatepass")
        for group, numbers in self._groups:
            for first, last in spans_of_text(group, text, raw):
                if meant := self._statement(text[first:last], numbers):
                    places[first, last] = meant
        for begin, end in stretches(text):
            stretch = text[begin:end]
            raw = stretch.encode("utf-8", "surrogatepass")
            found = [
                (self._pattern(one), one) for one, wide in self._gaps.items() if wide.search(raw)
            ]
            found += [
                (self._filter.re(index), self._rare[index])
                for index in self._filter.Match(raw) or ()
            ]
            for pattern, number in found:
                for first, last in spans_of_text(pattern, stretch, raw):
                    places[begin + first, begin + last] = self._patterns[number][1]
        return in_order(text, self._literal(text, places), terms)

    def _literal(
        self, text: str, places: dict[tuple[int, int], Statement]
    ) -> dict[tuple[int, int], Statement]:
        """The statements that are no part of a saying."""
        if not places or self._sayings.search(text) is None:
            return places
        said = sorted(spans_of_text(self._sayings, text))
        return {place: meant for place, meant in places.items() if is_free(*place, said)}

    def _statement(self, written: str, numbers: Sequence[int]) -> Statement | None:
        """Which of the patterns that are searched together was found."""
        for number in numbers:
            if self._pattern(number).fullmatch(written):
                return self._patterns[number][1]
        return None


def filtered(patterns: Sequence[str]) -> Any:
    found = re2.Filter()
    for pattern in patterns:
        found.Add(pattern, options())
    found.Compile()
    return found


def in_order(
    text: str, places: dict[tuple[int, int], Statement], terms: Sequence[TermHit]
) -> list[TermHit]:
    """One hit where several patterns overlap: the first, and of those the longest."""
    found: list[TermHit] = []
    free = 0
    for first, last in sorted(places, key=lambda span: (span[0], -span[1])):
        meant, written = places[first, last], text[first:last]
        start = first + len(written) - len(written.lstrip(EDGES))
        end = last - len(written) + len(written.rstrip(EDGES))
        if (name := NAME_INSIDE.match(text, start, end)) and not written.isupper():
            start = name.end()
        believed = not meant.beside or is_near(start, end, terms)
        if meant.unknown and (word := WORD.match(text, start, end)):
            believed = not is_english(word[0].lower())
        if free <= start < end and believed:
            found.append(TermHit(start, end, meant.kind, (meant.concept,), NO_TERM, 0))
            free = end
    return found


@lru_cache(maxsize=4096)
def is_english(word: str) -> bool:
    return bool(load_words().zipfs([word])[0] >= KNOWN)


def stretches(text: str) -> Iterator[tuple[int, int]]:
    """Some lines at a time, each stretch with the end of the last: a statement may be wrapped."""
    begin = 0
    while begin < len(text):
        end = text.find("\n", begin + STRETCH) + 1 or len(text)
        if end - begin > 2 * STRETCH:
            end = text.find(" ", begin + STRETCH, begin + 2 * STRETCH) + 1 or begin + 2 * STRETCH
        yield max(0, begin - OVERLAP), end
        begin = end


def is_near(start: int, end: int, terms: Sequence[TermHit]) -> bool:
    return any(start - term.end <= REACH and term.start - end <= REACH for term in terms)


def options() -> Any:
    chosen = re2.Options()
    chosen.case_sensitive = False
    chosen.max_mem = MEMORY
    chosen.log_errors = False
    return chosen


def compiled(pattern: str) -> Any:
    return re2.compile(pattern, options())


def whole(pattern: str, classes: dict[str, str]) -> str:
    """A pattern of the rules as RE2: classes spelt out, any blank or hyphen for a space."""
    for _ in range(NESTED):
        pattern = NAMED.sub(lambda match: classes[match[1]], pattern)
    pieces = BRACKETS.split(pattern)
    pieces[::2] = [one.replace(" ?", r"[\s-]?").replace(" ", r"[\s-]{1,2}") for one in pieces[::2]]
    inside = "".join(pieces)
    first, last = PatternEnds(inside).read()
    before = WITHIN.get(first, r"(?:\b|^|\W)")
    return f"{before}(?:{inside}){WITHIN.get(last, BEHIND)}"


class PatternEnds:
    """Which signs a pattern may begin and end with: of a word, between words, or nothing at all.

    Where a word begins, a pattern that begins with a letter can be told by the edge alone, and its
    automaton has half the states.
    """

    def __init__(self, pattern: str) -> None:
        self._pattern = pattern
        self._at = 0

    def read(self) -> Ends:
        firsts, lasts = [], []
        while True:
            row = [*self._row()]
            firsts.append(leading(first for first, _ in row))
            lasts.append(leading(last for _, last in reversed(row)))
            if self._pattern[self._at : self._at + 1] != "|":
                return frozenset().union(*firsts), frozenset().union(*lasts)
            self._at += 1

    def _row(self) -> Iterator[Ends]:
        while self._at < len(self._pattern) and self._pattern[self._at] not in "|)":
            first, last = self._atom()
            if often := OFTEN.match(self._pattern, self._at):
                self._at = often.end()
                if often[0][0] in "*?" or often[0].startswith("{0"):
                    first, last = first | NOTHING, last | NOTHING
            yield first, last

    def _atom(self) -> Ends:
        if opening := OPENING.match(self._pattern, self._at):
            self._at = opening.end()
            ends = self.read()
            self._at += 1
            return ends
        sign = SIGN.match(self._pattern, self._at)
        assert sign  # RE2 reads the pattern as well
        self._at = sign.end()
        kinds = kinds_of(sign[0])
        return kinds, kinds


def leading(kinds: Iterable[Kinds]) -> Kinds:
    """What stands first of some in a row, of which some may be nothing."""
    found: Kinds = frozenset()
    for some in kinds:
        found |= some - NOTHING
        if "" not in some:
            return found
    return found | NOTHING


def kinds_of(sign: str) -> Kinds:
    """Of a character, an escape or a class."""
    if sign in {"^", "$", r"\b"}:
        return NOTHING
    if sign == "." or sign.startswith("[^"):
        return WORDS | BETWEEN
    members = ESCAPES.sub(lambda found: "a" if found[0] in {r"\d", r"\w"} else " ", sign)
    members = members[1:-1] if len(members) > 1 else members
    members = RANGE.sub("a", members)
    return frozenset("w" if one.isascii() and one.isalnum() else " " for one in members)


def spelt_out(patterns: Sequence[Sequence[str]], classes: dict[str, str]) -> list[list[str]]:
    """Patterns of the rules as RE2, worked out once for all starts."""
    written: list[list[str]] = prepared(
        json.dumps([classes, patterns]).encode(),
        lambda: [[whole(one, classes) for one in some] for some in patterns],
        CODE,
    )
    return written


@cache
def parts_of_body() -> Any:
    """A part of the body; those named for other things too only with what is wrong with them."""
    pattern = (
        "{part}|{organ}|(?:{whose}|{side}|{bad}|sore|bad|painful) {loose}"
        "|{loose} (?:pains?|ache|injury|problems?|trouble|op|operation|surgery)"
    )
    [[written]] = spelt_out([[pattern]], read_table(rules_folder() / FILE)["classes"])
    return compiled(written)


@cache
def load_care() -> Care:
    try:
        book = read_table(rules_folder() / FILE)
        sayings = "|".join(read_table(rules_folder() / TERMS)["shields"])
        every = [(sayings,), *(entry["patterns"] for entry in book["statement"])]
        (shield,), *written = spelt_out(every, book["classes"])
        statements = [
            Statement(
                Kind(entry["kind"]),
                entry["heading"],
                entry["concept"],
                bool(entry.get("beside", False)),
                bool(entry.get("unknown", False)),
                bool(entry.get("graver", False)),
                tuple(patterns),
            )
            for entry, patterns in zip(book["statement"], written, strict=True)
        ]
        return Care(statements, shield)
    except (OSError, KeyError, ValueError, re2.error) as error:
        raise RuleError(f"cannot be read: {error}", where=FILE, fix="restore the file") from error
