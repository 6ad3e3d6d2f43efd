"""One spelling for many: British and American, singular and plural, any order.

In: folded words.  Out: canonical words for look-up, and the variants a text may use.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable

# Folding both sides of a comparison, so a rule may be blunt: it only has to be the same twice.
_BLUNT = (
    (re.compile(r"ae|oe"), "e"),
    (re.compile(r"our\b"), "or"),
    (re.compile(r"sulph"), "sulf"),
    (re.compile(r"yse(d|s|r|rs)?\b"), r"yze\1"),
    (re.compile(r"is(e|ed|es|ing|ation|ations)\b"), r"iz\1"),
    (re.compile(r"tre\b"), "ter"),
    (re.compile(r"bre\b"), "ber"),
    (re.compile(r"([a-z])\1ing\b"), r"\1ing"),
    (re.compile(r"([a-z])\1ed\b"), r"\1ed"),
)
_KEEP_S = re.compile(r"(ss|us|is|as|os|itis|osis|sis|ics)$")
_IRREGULAR = {
    "feet": "foot",
    "teeth": "tooth",
    "geese": "goose",
    "men": "man",
    "women": "woman",
    "children": "child",
    "mice": "mouse",
    "lice": "louse",
    "knives": "knife",
    "lives": "life",
    "calves": "calf",
    "metastases": "metastasis",
    "diagnoses": "diagnosis",
    "stenoses": "stenosis",
    "psychoses": "psychosis",
    "neuroses": "neurosis",
    "thromboses": "thrombosis",
    "fibroses": "fibrosis",
    "cirrhoses": "cirrhosis",
    "necroses": "necrosis",
    "anastomoses": "anastomosis",
    "prostheses": "prosthesis",
    "biopsies": "biopsy",
    "viruses": "virus",
    "diabetes": "diabetes",
    "herpes": "herpes",
    "rabies": "rabies",
    "scabies": "scabies",
    "caries": "caries",
    "series": "series",
    "species": "species",
    "feces": "feces",
    "measles": "measles",
    "mumps": "mumps",
    "rickets": "rickets",
    "shingles": "shingles",
    "hives": "hives",
    "bends": "bends",
    "aids": "aids",
    "pancreas": "pancreas",
    "bones": "bone",
}
BAG = "bag"


@functools.lru_cache(maxsize=65536)
def singular(word: str) -> str:
    """The singular of a folded English or Latin plural; other words as they are."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if len(word) < 4 or not word.endswith("s"):
        return _latin(word)
    if word.endswith("ies"):
        return word[:-3] + "y" if len(word) > 4 else word
    if word.endswith(("oses", "yses", "eses", "ases")) and len(word) > 6:
        return word[:-2] + "is" if word.endswith(("oses", "yses", "eses")) else word[:-1]
    if re.search(r"(ch|sh|x|ss|zz|us)es$", word):
        return word[:-2]
    if _KEEP_S.search(word):
        return word
    return word[:-1]


def _latin(word: str) -> str:
    if word.endswith("mata") and len(word) > 6:
        return word[:-2]  # carcinomata
    return word


# Plurals of these exist in dictionaries and hardly in texts; leaving them out saves many terms.
_UNCOUNTED = re.compile(r"(uria|iasis|ness|ity|ics)$")
_PLURALS = {one: many for many, one in _IRREGULAR.items() if one != many}


@functools.lru_cache(maxsize=65536)
def plural(word: str) -> str:
    """The plural of a folded noun; a word without one, or a short code, stays as it is."""
    if len(word) < 4 or any(map(str.isdigit, word)) or _UNCOUNTED.search(word):
        return word
    if word in _PLURALS:
        return _PLURALS[word]
    if word.endswith("sis"):
        return word[:-2] + "es"
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word
    if word.endswith(("s", "x", "z", "ch", "sh")):
        return word + "es"
    if word.endswith("y") and word[-2] not in "aeiou":
        return word[:-1] + "ies"
    return word + "s"


@functools.lru_cache(maxsize=65536)
def american(word: str) -> str:
    """A canonical spelling, equal for British and American forms of a word; not always a word."""
    for pattern, replacement in _BLUNT:
        word = pattern.sub(replacement, word)
    return word


def bag_of(words: Iterable[str]) -> list[str]:
    """The words in canonical spelling and order, marked so that no text has the same key."""
    return ["", BAG, *sorted(american(singular(word)) for word in words)]
