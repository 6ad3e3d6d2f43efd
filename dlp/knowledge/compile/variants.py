"""From terms to surfaces: which words stay, in which written forms, under which conditions.

In: terms of all sources.  Out: phrases as folded words, with kind, concepts, flags and weight.

Forms are number, spelling, order, hyphens, eponyms and numerals.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dlp.knowledge.compile.terms import Term
from dlp.knowledge.hits import LONGEST, Flag
from dlp.knowledge.phrases import fold_words
from dlp.knowledge.spelling import plural, singular
from dlp.knowledge.words import Words
from dlp.model import Kind

Phrase = tuple[str, ...]

_QUALIFIER = re.compile(
    r"\s*(\((disease|disorder|finding|diagnosis|morphologic abnormality|invasive|s|es)\)"
    r"|,? \[?\b(NOS|NEC|unspecified|not otherwise specified|not elsewhere classified)\b\]?)"
)
# American pattern, British spelling, British pattern, American spelling.
_SPELLINGS = tuple(
    (re.compile(american), british, re.compile(back), other)
    for american, british, back, other in (
        (r"edema", "oedema", r"oedema", "edema"),
        (r"\besophag", "oesophag", r"oesophag", "esophag"),
        (r"(?<!a)emi(a|as|c|cs)\b", r"aemi\1", r"aemi(a|as|c|cs)\b", r"emi\1"),
        (r"\bhem(o|a)", r"haem\1", r"haem(o|a)", r"hem\1"),
        (r"(?<=\w)hemoglobin", "haemoglobin", r"(?<=\w)haemoglobin", "hemoglobin"),
        (r"(?<=\w)hemorrhag", "haemorrhag", r"(?<=\w)haemorrhag", "hemorrhag"),
        (r"rrhea", "rrhoea", r"rrhoea", "rrhea"),
        (r"gynec", "gynaec", r"gynaec", "gynec"),
        (r"\bpediatr", "paediatr", r"\bpaediatr", "pediatr"),
        (r"orthoped", "orthopaed", r"orthopaed", "orthoped"),
        (r"anesthe", "anaesthe", r"anaesthe", "anesthe"),
        (r"\bcec(um|al)", r"caec\1", r"\bcaec(um|al)", r"cec\1"),
        (r"\bceliac", "coeliac", r"\bcoeliac", "celiac"),
        (r"\bfet(al|us)", r"foet\1", r"\bfoet(al|us)", r"fet\1"),
        (r"\bfec(al|es)", r"faec\1", r"\bfaec(al|es)", r"fec\1"),
        (r"\bestr(o|a)", r"oestr\1", r"\boestr(o|a)", r"estr\1"),
        (r"pnea", "pnoea", r"pnoea", "pnea"),
        (r"tumor", "tumour", r"tumour", "tumor"),
        (r"sulf", "sulph", r"sulph", "sulf"),
        (r"\bcolor(?!ect)", "colour", r"\bcolour", "color"),
        (r"behavior", "behaviour", r"behaviour", "behavior"),
        (r"izations?\b", "isation", r"isations?\b", "ization"),
        (r"\bleuko(c|p)", r"leuco\1", r"\bleuco(c|p)", r"leuko\1"),
        (r"\bgoiter", "goitre", r"\bgoitre", "goiter"),
        (r"\bfiber", "fibre", r"\bfibre", "fiber"),
    )
)
_NUMERALS = {"i": "1", "ii": "2", "iii": "3", "iv": "4", "v": "5", "vi": "6"}
_DIGITS = {digit: roman for roman, digit in _NUMERALS.items()}
_BEFORE_NUMERAL = frozenset({"type", "stage", "grade", "class", "phase", "factor"})
_JOINED = re.compile(
    "non|anti|post|pre|multi|hyper|hypo|micro|macro|neuro|cardio|extra|intra|inter|sub|para|peri"
    "|poly|trans|co|self|under|over|brady|tachy|immuno|osteo|broncho|gastro|hepato|thrombo"
)
_CODE = re.compile(r"[a-z]{1,4} \d{1,5}|\d{1,2} [a-z]{2,4}")
_SMALL = re.compile("of|the|in|to|and|with|for|a|an|by|on|due|or|from|at|as")
# Not nouns, mostly: "linked", "bilateral", "chronic" have no plural that people write.
_NO_NOUN = re.compile(r"\w+(ed|ly|ing|al|ic|ous|ive|ary|able|ible|ar|less)")
# Heads that name the same thing after a qualifier: "lung neoplasm", "lung tumor".
_HEADS = {"neoplasm": "tumor", "tumor": "neoplasm"}


def clean(term: str) -> str:
    """A source's term without its editorial marks."""
    return " ".join(_QUALIFIER.sub("", term).split())


def natural_order(term: str) -> str | None:
    """A term with one comma the way it is spoken: "Neoplasms, Lung" is "Lung Neoplasms"."""
    pieces = [piece.strip() for piece in term.split(", ")]
    if len(pieces) == 2 and all(pieces) and not pieces[1].startswith(("and ", "with ", "due ")):
        return " ".join(reversed(pieces))
    return None


def phrases_of(term: str, *, numbers: bool = True) -> set[Phrase]:
    """All ways to write a term in its own word order."""
    found = set(_eponyms(tuple(fold_words(term))))
    steps = (_spellings, _numerals, _joins, _heads, _numbers)
    for step in steps if numbers else steps[:3]:
        found = {variant for phrase in found for variant in step(phrase)}
    return found


def _eponyms(words: Phrase) -> Iterator[Phrase]:
    """Crohn's, Crohns and Crohn disease are one; a bare "Down" is not Down's."""
    yield words
    for place in range(1, len(words)):
        if words[place] == "s":
            yield (*words[: place - 1], words[place - 1] + "s", *words[place + 1 :])
            if len(words) > 2:
                yield (*words[:place], *words[place + 1 :])


def _spellings(words: Phrase) -> Iterator[Phrase]:
    options = [_spelt(word) for word in words]
    if sum(len(option) > 1 for option in options) > 2:
        yield words
        return
    yield from itertools.product(*options)


def _spelt(word: str) -> tuple[str, ...]:
    """The word, and its other spelling with all differences at once."""
    british = american = word
    for pattern, replacement, back, other in _SPELLINGS:
        if back.search(word):
            american = back.sub(other, american)
        elif pattern.search(word):
            british = pattern.sub(replacement, british)
    return tuple(dict.fromkeys((word, british, american)))


def _numerals(words: Phrase) -> Iterator[Phrase]:
    yield words
    for table in (_NUMERALS, _DIGITS):
        turned = tuple(
            table.get(word, word) if place and words[place - 1] in _BEFORE_NUMERAL else word
            for place, word in enumerate(words)
        )
        if turned != words:
            yield turned


def _joins(words: Phrase) -> Iterator[Phrase]:
    """A prefix and its word may be one word, "noninvasive"; so may a code, "FK506"."""
    yield words
    for place in range(len(words) - 1):
        prefix = _JOINED.fullmatch(words[place]) and len(words[place + 1]) > 3
        if prefix or _CODE.fullmatch(f"{words[place]} {words[place + 1]}"):
            yield (*words[:place], words[place] + words[place + 1], *words[place + 2 :])


def _heads(words: Phrase) -> Iterator[Phrase]:
    yield words
    other = _HEADS.get(singular(words[-1])) if len(words) > 1 else None
    if other:
        yield (*words[:-1], other)


def _numbers(words: Phrase) -> Iterator[Phrase]:
    """Singular and plural of the head: the last word, or the one before "of"."""
    yield words
    head = _head(words)
    one = singular(words[head])
    yield (*words[:head], one, *words[head + 1 :])
    if not _NO_NOUN.fullmatch(one):
        yield (*words[:head], plural(one), *words[head + 1 :])


def _head(words: Sequence[str]) -> int:
    for place in range(1, len(words)):
        if _SMALL.fullmatch(words[place]):
            return place - 1
    return len(words) - 1


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
