"""The ways people write one term: number, spelling, order, hyphens, eponyms, numerals.

In: a term from a source.  Out: phrases as folded words.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence

from dlp.knowledge.phrases import fold_words
from dlp.knowledge.spelling import plural, singular

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
