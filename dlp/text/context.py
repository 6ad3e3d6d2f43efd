"""How a health word is meant: negated, of a relative, past, feared, figurative, of an animal ...

In: text and the places of health words.  Out: for each place, the set of contexts it stands in.

Cues reach forward or backward inside their sentence until a stop word; the nearest cue of a kind
decides. The cues are data: rules/context/en.toml, rules/languages/*/cues.toml. "{kin} {has}" in a
phrase stands for every word of the classes `kin` and `has` of that file.
"""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import product
from typing import Any, NamedTuple

import ahocorasick

from dlp.errors import RuleError
from dlp.languages import language_table
from dlp.model import Context
from dlp.prepared import read_table
from dlp.resources import rules_folder
from dlp.text.sentences import sentence_starts

CONTEXTS = frozenset(Context) - {Context.TEMPLATE}  # a template is told by its layout
STOP = "stop"
# "the cat was diagnosed with": what begins a new statement of a person does not of an animal
OWN_STOPS = frozenset({Context.ANIMAL, Context.FAMILY})
BLANK_RUN = re.compile("  +")
CLASS = re.compile(r"(\W*)\{(\w+)\}(\W*)")  # "({kin})"
LONGEST_RUN = 1 << 30
BLANKS = str.maketrans("\t\n\r\f\v\u00a0’", "      '")
DIRECTIONS = frozenset({"forward", "backward", "both"})
NOTHING: frozenset[str] = frozenset()
ENGLISH, NO = "en", "no"
# "No. 4", "no: E10", "no 86-88-70", "NO 333 975": short for number; "no 3 mm stones" is not.
NUMBERED = re.compile(
    r"(?:\.\s?|\s?:\s?|\s?#)[A-Za-z]{0,4}[-/]?\d|\s[A-Za-z]{0,3}\d{4}|\s\d+[-/ ]\d+[-/ ]\d"
    r"|\s\d{1,3}(?!\d|\s?(?:mm|cm|ml|st|nd|rd|th|degree|vessel|lead|hour|day|week|month|year|h|d)\b)"
)
# A full stop in hasty notes ends what is denied, but for the one of a short form.
STOPPED = re.compile(
    r"[^\s:][^\n:]*\n[ \t]{0,8}(?:[-–—*•·+]{1,2}|\d{1,2}[.)])[ \t]|"  # the next item of a list
    r"(?<!\bsig)(?<!\bhx)(?<!\bvs)(?<!\be\.g)(?<!\bi\.e)(?<!\bapprox)\.\s",
    re.IGNORECASE,
)


# "Did not come, she is having chemotherapy": a clause about somebody, which "not" does not reach.
NEW_CLAUSE = re.compile(
    r",\s+(?:(?:as |and |so )?(?:she|he|they|i|we|her|his|their|my|our)"
    r"|(?:but |now |also )?(?:has|takes|known|is on|positive for))\b",
    re.IGNORECASE,
)
# "Denies fever, rash, night sweats, ... and weight loss": a list is denied to its end.
LISTED = re.compile(
    r"\s*(?:[,/;]|\b(?:or|nor|and)\b|&)\s*(?:(?:or|nor|and|any|an?|other)\s+)*", re.IGNORECASE
)
# "Your test for chlamydia was positive": what was looked for was found.
POSITIVE = re.compile(
    r"[\s,:;)(–-]*(?:(?:test|swab|result|screen|was|is|were|are|has|have|came|come|been|returned|back"
    r"|remains|strongly|weakly|again|now)\s+){0,5}(?:positive|detected|reactive|confirmed)\b",
    re.IGNORECASE,
)
OWN_DENIAL = re.compile(r"(?:no|not|non|without|never)\b", re.IGNORECASE)  # "no appetite"
ANSWERING = ":-–= "  # how a cue begins that answers the label before it
# Behind an answer the text ends, or a clause does, or the next label stands.
ANSWER_ENDS = re.compile(r"\s*(?:$|[.,;:|)\]/]|(?:[\w'/]+ ){0,4}[\w'/]+ ?[:=])")


@dataclass(frozen=True, slots=True)
class Cue:
    context: str  # one of CONTEXTS, or "stop", "stop animal", "pseudo"
    direction: str
    reach: int  # words


class Heard(NamedTuple):
    start: int
    end: int
    cues: tuple[Cue, ...]


class Contexts:
    """The cues of one language, ready to be heard in a text."""

    def __init__(self, cues: dict[str, list[Cue]], where: str, individual: str = "") -> None:
        self._cues = {phrase: tuple(meant) for phrase, meant in cues.items()}
        self._where = where
        self._individual = re.compile(individual) if individual else None

    def speaks_of_one(self, text: str, start: int, end: int) -> bool:
        """Whether a stretch tells of one person: "guidelines for a 70-year-old man, MRN 1042"."""
        return self._individual is not None and bool(self._individual.search(text, start, end))

    @cached_property
    def _automaton(self) -> Any:
        """All phrases at once."""
        automaton = ahocorasick.Automaton()
        for phrase in self._cues:
            automaton.add_word(phrase, phrase)
        automaton.make_automaton()
        return automaton

    def of(self, text: str, places: Sequence[tuple[Any, ...]]) -> list[frozenset[str]]:
        """The contexts of each place, which begins with start and end; they are in rising order."""
        if not places:
            return []
        return self._read(text, sentence_starts(text), places)

    def _read(
        self, text: str, starts: tuple[int, ...], places: Sequence[tuple[Any, ...]]
    ) -> list[frozenset[str]]:
        heard = self._hear(text, places, starts)
        firsts = [cue.start for cue in heard]
        answers: list[frozenset[str]] = []
        before = -1  # the end of the last place, if that is denied
        for start, end, *_ in places:
            number = bisect_right(starts, start) - 1
            left = starts[number]
            right = starts[number + 1] if number + 1 < len(starts) else len(text)
            inside = heard[bisect_left(firsts, left) : bisect_left(firsts, right)]
            meant = self._meant(text, start, end, inside) if inside else NOTHING
            if Context.HYPOTHETICAL in meant and POSITIVE.match(text, end, right):
                meant -= {Context.HYPOTHETICAL}
            if Context.GENERAL in meant and self.speaks_of_one(text, left, right):
                meant -= {Context.GENERAL}
            if left <= before <= start and LISTED.fullmatch(text, before, start):
                meant |= {Context.NEGATED}
            before = end if Context.NEGATED in meant else -1
            answers.append(meant)
        return answers

    def _hear(
        self, text: str, places: Sequence[tuple[Any, ...]], starts: tuple[int, ...]
    ) -> list[Heard]:
        """Cues in the sentences that hold a place; the others are never read."""
        heard: list[Heard] = []
        for number in sorted({bisect_right(starts, place[0]) - 1 for place in places}):
            left = starts[number]
            right = starts[number + 1] if number + 1 < len(starts) else len(text)
            heard += self._phrases(text[left:right], left)
        return heard

    def _phrases(self, sentence: str, offset: int) -> list[Heard]:
        """The phrases in a sentence, apart and in order; of those that begin alike the longest."""
        plain, moved = single_spaced(sentence)
        found = [
            (last + 1 - len(phrase), -last - 1, phrase)
            for last, phrase in self._automaton.iter(plain)
            if is_whole(plain, last + 1 - len(phrase), last + 1)
        ]
        heard: list[Heard] = []
        free = 0
        ends = {start: -end for start, end, _ in sorted(found, reverse=True)}
        for start, end, phrase in sorted(found):
            if start >= free and not is_denial(plain, phrase, start, ends):
                free = -end
                first, after = start, free
                if phrase == NO and NUMBERED.match(plain, free):
                    continue
                if moved:
                    first, after = place_of(start, moved), place_of(free - 1, moved) + 1
                heard.append(Heard(offset + first, offset + after, self._cues[phrase]))
        return heard

    @staticmethod
    def _meant(text: str, start: int, end: int, inside: list[Heard]) -> frozenset[str]:
        found = set()
        for heard in inside:
            for cue in heard.cues:
                if cue.context not in CONTEXTS or cue.context in found:
                    continue
                if cue.direction != "backward" and is_before(text, heard, start):
                    between = (min(heard.end, start), start)
                elif heard.start >= end and cue.direction != "forward":
                    between = (end, heard.start)
                else:
                    continue
                if reaches(text, between, cue, inside):
                    found.add(cue.context)
        return frozenset(found)


def is_before(text: str, heard: Heard, start: int) -> bool:
    """Whether a cue stands before a term; "not on" may share its last word with "on methadone"."""
    if heard.end <= start:
        return True
    return heard.start < start and OWN_DENIAL.match(text, start) is None


def reaches(text: str, between: tuple[int, int], cue: Cue, inside: list[Heard]) -> bool:
    """Whether a cue carries over the words between it and the term."""
    left, right = between
    if right - left > cue.reach * 12 + 1 or text.count(" ", left, right) > cue.reach:
        return False
    if cue.context == Context.NEGATED and NEW_CLAUSE.search(text, left, right):
        return False
    if cue.context == Context.GENERAL and cue.direction == "backward" and "," in text[left:right]:
        return False
    if cue.context == Context.NEGATED and STOPPED.search(text, left, right):
        return False
    stops = {f"{STOP} {cue.context}"} if cue.context in OWN_STOPS else {STOP}
    return not any(
        other.context in stops for one in inside if left <= one.start < right for other in one.cues
    )


def single_spaced(sentence: str) -> tuple[str, list[tuple[int, int]]]:
    """In small letters, one space between words; from which places on how many were left out."""
    low = sentence.lower()
    if len(low) != len(sentence):  # a few capitals have small forms of two characters
        low = "".join(character.lower()[0] for character in sentence)
    plain = low.translate(BLANKS)
    if "  " not in plain:
        return plain, []
    moved: list[tuple[int, int]] = []
    removed = 0
    for run in BLANK_RUN.finditer(plain):
        removed += run.end() - run.start() - 1
        moved.append((run.end() - removed, removed))
    return BLANK_RUN.sub(" ", plain), moved


def place_of(position: int, moved: list[tuple[int, int]]) -> int:
    """Where a character of a singly spaced sentence stood before."""
    at = bisect_right(moved, (position, LONGEST_RUN))
    return position + (moved[at - 1][1] if at else 0)


def is_denial(text: str, phrase: str, start: int, ends: dict[int, int]) -> bool:
    """Whether ": no" begins a statement ("Tom: no history of ...") and answers no label before."""
    if phrase[0] not in ANSWERING:
        return False
    end = start + len(phrase)
    inner = start + len(phrase) - len(phrase.lstrip(ANSWERING))
    longest = ends.get(inner, 0)
    return longest > end or (longest == end and ANSWER_ENDS.match(text, end) is None)


def is_whole(text: str, start: int, end: int) -> bool:
    """Whether no word goes on at either end of a phrase."""
    if text[start].isalnum() and start and text[start - 1].isalnum():
        return False
    return not (text[end - 1].isalnum() and end < len(text) and text[end].isalnum())


@cache
def read_cues(language: str) -> dict[str, Any]:
    if language != ENGLISH:
        return language_table(language, "cues")
    path = rules_folder() / "context" / f"{language}.toml"
    try:
        return read_table(path)
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise RuleError(
            "cannot be read", where=path.name, fix="mend or restore the file"
        ) from error


def load_classes(language: str) -> dict[str, list[str]]:
    """The classes of words that phrases name, such as kin and animals."""
    classes: dict[str, list[str]] = read_cues(language).get("classes", {})
    return classes


@cache
def load_contexts(language: str = "en") -> Contexts:
    raw, name = read_cues(language), f"{language}.toml"
    cues: dict[str, list[Cue]] = {}
    classes = load_classes(language)
    for entry in raw.get("cue", []):
        check(entry, name)
        cue = Cue(entry["context"], entry["direction"], entry["reach"])
        for phrase in spelt_out(entry["words"], classes, name):
            cues.setdefault(phrase, []).append(cue)
    hindering = {STOP: raw.get("stops", {}), "pseudo": raw.get("pseudo", {})}
    hindering |= {f"{STOP} {one}": table for one, table in raw.get("stops_of", {}).items()}
    for kind, table in hindering.items():
        for phrase in spelt_out(table.get("words", []), classes, name):
            cues.setdefault(phrase, []).append(Cue(kind, "both", 0))
    return Contexts(cues, name, "|".join(raw.get("individual", {}).get("patterns", [])))


def spelt_out(phrases: list[str], classes: dict[str, list[str]], where: str) -> Iterator[str]:
    """The phrases in small letters, with every word of the classes that they name."""
    for phrase in phrases:
        pieces = [
            [found[1] + word + found[3] for word in classes.get(found[2], [])]
            if (found := CLASS.fullmatch(one)) else [one]
            for one in phrase.lower().split()
        ]  # fmt: skip
        if not all(pieces):
            raise RuleError(f"{phrase!r} names an unknown class", where=where, fix="add the class")
        yield from map(" ".join, product(*pieces))


def check(entry: dict[str, Any], where: str) -> None:
    if entry.get("context") not in CONTEXTS or entry.get("direction") not in DIRECTIONS:
        raise RuleError(
            "a cue needs a known context and direction",
            where=where,
            fix=f"one of {sorted(CONTEXTS)}, and one of {sorted(DIRECTIONS)}",
        )
    if not entry.get("words") or entry.get("reach", 0) <= 0:
        raise RuleError("a cue needs words and a reach", where=where, fix="add them")
