"""From terms to surfaces: which words stay, in which forms, under which conditions.

In: terms of all sources.  Out: phrases with kind, concepts, flags and weight.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from dlp.knowledge.compile.terms import Term
from dlp.knowledge.hits import LONGEST, Flag
from dlp.knowledge.phrases import fold_words
from dlp.knowledge.variants import clean, natural_order, phrases_of
from dlp.knowledge.words import Words
from dlp.model import Kind

# Written by medical editors: a phrase of plain words from here is still a medical phrase.
_EDITED = frozenset({"rules", "shorthand", "mesh", "mesh-supplement", "atc"})
_ONTOLOGIES = frozenset({"mondo", "doid", "hp", "mesh-supplement", "icd"})
_ACRONYM = re.compile(r"[A-Z0-9][A-Za-z0-9-]*[A-Z0-9][a-zA-Z0-9]*")
_UNSPOKEN = re.compile(
    r"[\[\]{}<>;=@#^~]|\b(other|unspecified|NOS|susceptibility to|finding|formerly|obsolete)\b"
    r"|^[Aa]bnormal(ity)?\b.*\b(morphology|physiology|of)\b"
)
_SIGNS = frozenset("/.&+")


@dataclass(frozen=True, slots=True, order=True)
class Surface:
    words: tuple[str, ...]
    kind: Kind
    concepts: tuple[str, ...]
    flags: int
    weight: int


class Filter:
    """The sieve between sources and lexicon; counts what went in and what came out."""

    def __init__(self, words: Words, rules: Mapping[str, Any]) -> None:
        self._words = words
        self._zipf: dict[str, float] = {}
        self._keep = _folded(rules["keep"])
        self._doubtful = _folded(rules["doubtful"])
        self._drop = _folded(rules["drop"])
        self._common = float(rules["common_zipf"])
        self._common_drug = float(rules["common_drug_zipf"])
        self._common_phrase = float(rules["common_phrase_zipf"])
        self.before: Counter[Kind] = Counter()
        self.after: Counter[Kind] = Counter()

    def surfaces(self, terms: Iterable[Term]) -> Iterator[Surface]:
        seen: set[tuple[str, Kind]] = set()
        for term in terms:
            text = clean(term.text)
            fresh = (text.lower(), term.kind) not in seen
            seen.add((text.lower(), term.kind))
            self.before[term.kind] += fresh
            kept = 0
            for surface in self._spread(term, text):
                kept += 1
                yield surface
            self.after[term.kind] += fresh and kept > 0

    def _spread(self, term: Term, text: str) -> Iterator[Surface]:
        if term.source not in {"rules", "shorthand"} and _UNSPOKEN.search(text):
            return
        if term.flags & Flag.SHORTHAND:
            signed = len(fold_words(text)) > 1 and _SIGNS.intersection(text)
            flags = term.flags | (Flag.PUNCTUATED if signed else 0)
            yield from self._surface(tuple(fold_words(text)), term, flags)
            return
        acronym = self._acronym_flags(term, text)
        if acronym is not None:
            if term.source in _ONTOLOGIES and any(map(str.isdigit, text)):
                return  # the symbol of a gene or locus, which names no illness of a person
            yield from self._surface(tuple(fold_words(text)), term, term.flags | acronym)
            return
        if term.source == "rules":
            for phrase in sorted(phrases_of(text, numbers=False)):
                yield from self._surface(phrase, term, term.flags)
            return
        numbers = term.kind is not Kind.DRUG or term.source == "mesh"
        if term.kind is Kind.DRUG and _is_formula(fold_words(text)):
            return
        spoken = natural_order(text)
        for phrase in sorted(phrases_of(spoken or text, numbers=numbers)):
            yield from self._surface(phrase, term, term.flags)
        if ", " in text:
            flag = Flag.INVERTED if len(fold_words(text)) == 2 else Flag.COMMA
            yield from self._surface(tuple(fold_words(text)), term, term.flags | flag)

    def _acronym_flags(self, term: Term, text: str) -> int | None:
        """Acronyms count in capitals only; short ones and words need company."""
        letters = sum(map(str.isalpha, text))
        if not _ACRONYM.fullmatch(text) or text.lower() in self._keep:
            return None
        if term.source == "ndc" and letters > 4:
            return None  # the product list shouts its trade names
        if not text.isupper() and letters > 6:
            return None
        known = self.zipf(text.lower()) >= 2.5
        long_enough = letters > 4 or (letters > 3 and term.source in _EDITED)
        return Flag.CASED | (0 if long_enough and not known else Flag.AMBIGUOUS)

    def _surface(self, words: tuple[str, ...], term: Term, flags: int) -> Iterator[Surface]:
        if not words or len(words) > LONGEST or len("".join(words)) < 2:
            return
        if all(word.isdigit() for word in words):
            return
        phrase = " ".join(words)
        listed = term.source in {"rules", "shorthand"}
        if phrase in self._drop and not listed:
            return
        if len(words) == 1 and not flags & Flag.CASED and not self._word_stays(words[0], term):
            return
        if phrase in self._doubtful or self._is_plain(words, term):
            flags |= Flag.AMBIGUOUS
        yield Surface(words, term.kind, term.concepts, flags, self._weight(words))

    def _word_stays(self, word: str, term: Term) -> bool:
        if word in self._keep or word in self._doubtful or term.source in {"rules", "shorthand"}:
            return True
        if len(word) < 3 or word.isdigit():
            return False
        if len(word) < 6 and term.source in _ONTOLOGIES:
            return False  # acronyms in small letters; real words of this length are in MeSH too
        limit = self._common_drug if term.kind is Kind.DRUG else self._common
        return self.zipf(word) < limit

    def _is_plain(self, words: tuple[str, ...], term: Term) -> bool:
        """Only everyday words, from a source that lists body features and product names."""
        if len(words) == 1 or term.source in _EDITED:
            return False
        return all(self.zipf(word) >= self._common_phrase for word in words)

    def _weight(self, words: tuple[str, ...]) -> int:
        """Rarest word decides: Zipf 5 and above is 0, unknown to the frequency list is 255."""
        rarest = min(self.zipf(word) for word in words)
        return round(255 * max(0.0, min(1.0, 1 - rarest / 5)))

    def zipf(self, word: str) -> float:
        if word not in self._zipf:
            self._zipf[word] = self._words.zipf(word)
        return self._zipf[word]


def _is_formula(words: list[str]) -> bool:
    """Systematic names that nobody writes about a person."""
    numbers = sum(any(map(str.isdigit, word)) for word in words)
    return len(words) > 6 or (len(words) > 3 and numbers > 0) or numbers > 2


def _folded(texts: Iterable[str]) -> frozenset[str]:
    return frozenset(" ".join(fold_words(text)) for text in texts)
