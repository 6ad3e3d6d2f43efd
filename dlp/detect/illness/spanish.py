"""Health words of Spanish: a hand list, heard with or without accents.

In: text.  Out: hits in order, the longest first where two begin alike.
"""

from __future__ import annotations

import tomllib
import unicodedata
from functools import cache, lru_cache
from typing import NamedTuple

import ahocorasick

from dlp.errors import RuleError
from dlp.model import HEALTH_KINDS, Kind
from dlp.prepared import read_table
from dlp.resources import rules_folder

FILE = "health_es.toml"
PLURALS = ("s", "es")
PLAIN = bytes(range(128))
FEW = 48  # kinds of accented letters in a text that are replaced one after another


class Word(NamedTuple):
    start: int
    end: int
    kind: Kind
    concept: str


class SpanishTerms:
    """One automaton over folded text; folding keeps every character's place."""

    def __init__(self, terms: dict[str, tuple[Kind, str]], capitals: frozenset[str]) -> None:
        self._capitals = capitals
        self._automaton = ahocorasick.Automaton()
        for term, meaning in terms.items():
            self._automaton.add_word(term, (len(term), term, meaning))
        self._automaton.make_automaton()

    def scan(self, text: str) -> list[Word]:
        folded = fold(text)
        found: list[Word] = []
        for last, (length, term, (kind, concept)) in self._automaton.iter(folded):
            start, end = last - length + 1, last + 1
            if not is_word(folded, start, end):
                continue
            if term in self._capitals and not text[start:end].isupper():
                continue
            found.append(Word(start, end, kind, concept))
        return outermost(found)


def fold(text: str) -> str:
    """Lower case without accents, one character for one."""
    if text.isascii():
        return text.lower()
    plain = {char: plain_letter(char) for char in accented(text)}
    if len(plain) > FEW or any(plain.get(letter, letter) != letter for letter in plain.values()):
        return text.translate({ord(char): letter for char, letter in plain.items()}).lower()
    for char, letter in plain.items():  # a tenth of the price, as nothing is replaced twice
        text = text.replace(char, letter)
    return text.lower()


def accented(text: str) -> set[str]:
    """The characters that are not plain; the others are left out before any becomes an object."""
    beyond = text.encode("utf-8", "surrogatepass").translate(None, PLAIN)
    return set(beyond.decode("utf-8", "surrogatepass"))


@lru_cache(maxsize=1024)
def plain_letter(char: str) -> str:
    return unicodedata.normalize("NFD", char.lower()[0])[0]


def is_word(folded: str, start: int, end: int) -> bool:
    if start and folded[start - 1].isalnum():
        return False
    rest = next((p for p in PLURALS if folded.startswith(p, end)), "")
    return any(
        at >= len(folded) or not folded[at].isalnum() for at in {end, end + len(rest)}
    )  # fmt: skip


def outermost(found: list[Word]) -> list[Word]:
    kept: list[Word] = []
    for word in sorted(found, key=lambda one: (one.start, -one.end)):
        if not kept or word.start >= kept[-1].end:
            kept.append(word)
    return kept


@cache
def load_spanish() -> SpanishTerms:
    try:
        raw = read_table(rules_folder() / FILE)
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise RuleError("cannot be read", where=FILE, fix="restore the file") from error
    terms: dict[str, tuple[Kind, str]] = {}
    for entry in raw["term"]:
        kind = Kind(entry["kind"])
        if kind not in HEALTH_KINDS:
            raise RuleError(f"{kind} is no health kind", where=FILE, fix="use disease, drug ...")
        for word in entry["words"]:
            terms[fold(word)] = (kind, entry["concept"])
    return SpanishTerms(terms, frozenset(map(fold, raw["capitals"]["words"])))
