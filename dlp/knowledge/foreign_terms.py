"""Health words of a language beside English: a hand list, read with or without accents.

In: text, and a vocabulary that a site imported.  Out: hits in order, the longest first where two
begin alike.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, cached_property
from pathlib import Path
from typing import Any, NamedTuple

import ahocorasick

from dlp.errors import RuleError
from dlp.knowledge.site_knowledge import site_folder, site_has
from dlp.languages import language_table
from dlp.model import HEALTH_KINDS, Kind
from dlp.text.context import spelt_out
from dlp.text.folding import fold

NO_CONCEPT = "none"  # words that no descriptor of MeSH names
SITE_TERMS = "terms-{}.json"  # of a language, in the folder of the site
LONGEST = 1000  # letters; no word has as many


class Word(NamedTuple):
    start: int
    end: int
    kind: Kind
    concept: str


class ForeignTerms:
    """One list over folded text; folding keeps every character's place."""

    def __init__(
        self,
        terms: dict[str, tuple[Kind, str]],
        capitals: Iterable[str] = (),
        endings: Iterable[str] = (),
        compounds: int = 0,
    ) -> None:
        """`capitals` are read in capitals only; `endings` may follow a word: plural, case.

        A word of `compounds` letters may end a longer one; no word does if it is 0.
        """
        self._terms = terms
        self._capitals = frozenset(capitals)
        self._endings = tuple(sorted(endings, key=len, reverse=True))
        self._names = sorted(terms)
        self._compounds = compounds or LONGEST

    @cached_property
    def _automaton(self) -> Any:
        automaton = ahocorasick.Automaton()
        for number, term in enumerate(self._names):
            automaton.add_word(term, (len(term), number))
        automaton.make_automaton()
        return automaton

    def scan(self, text: str) -> list[Word]:
        found: list[Word] = []
        for start, end, number in self._places(text):
            term = self._names[number]
            if term not in self._capitals or text[start:end].isupper():
                found.append(Word(start, end, *self._terms[term]))
        return outermost(found)

    def _places(self, text: str) -> list[tuple[int, int, int]]:
        """Where terms stand as words: start, end and number of each."""
        folded = fold(text)
        return [
            (last - length + 1, last + 1, number)
            for last, (length, number) in self._automaton.iter(folded)
            if is_word(
                folded, last - length + 1, last + 1, self._endings, tail=length >= self._compounds
            )
        ]


def is_word(
    folded: str, start: int, end: int, endings: tuple[str, ...], *, tail: bool = False
) -> bool:
    """`tail`: a longer word may end with it."""
    if start and folded[start - 1].isalnum() and not (tail and folded[start - 1].isalpha()):
        return False
    for ending in ("", *endings):
        after = end + len(ending)
        if folded.startswith(ending, end) and (after >= len(folded) or not folded[after].isalnum()):
            return True
    return False


def outermost(found: list[Word]) -> list[Word]:
    kept: list[Word] = []
    for word in sorted(found, key=lambda one: (one.start, -one.end)):
        if not kept or word.start >= kept[-1].end:
            kept.append(word)
    return kept


@cache
def load_terms(language: str) -> ForeignTerms:
    """The words of a language; what a site imported goes before them."""
    raw, where = language_table(language, "terms"), f"languages/{language}/terms.toml"
    terms: dict[str, tuple[Kind, str]] = {}
    for name, table in (*raw["terms"].items(), *site_terms(language).items()):
        kind = Kind(name)
        if kind not in HEALTH_KINDS:
            raise RuleError(f"{kind} is no health kind", where=where, fix="use disease, drug ...")
        for concept, words in table.items():
            for word in spelt_out(words, raw.get("classes", {}), where):
                terms[fold(word)] = (kind, "" if concept == NO_CONCEPT else concept)
    capitals = map(fold, raw.get("capitals", ()))
    return ForeignTerms(terms, capitals, raw.get("endings", ()), raw.get("compounds", 0))


def site_terms(language: str) -> dict[str, dict[str, list[str]]]:
    """Words by kind and concept that `dlp knowledge import` took in."""
    name = SITE_TERMS.format(language)
    if not site_has(name):
        return {}
    found: dict[str, dict[str, list[str]]] = json.loads((site_folder() / name).read_text("utf-8"))
    return found


def write_site_terms(
    language: str, kinds: Mapping[Kind, Mapping[str, Sequence[str]]], folder: Path
) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    table = {kind.value: dict(sorted(concepts.items())) for kind, concepts in kinds.items()}
    written = json.dumps(table, ensure_ascii=False, indent=1, sort_keys=True)
    (folder / SITE_TERMS.format(language)).write_text(written, encoding="utf-8")
    load_terms.cache_clear()
