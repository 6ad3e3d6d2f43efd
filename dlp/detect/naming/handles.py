"""The name that a user name or the first half of an e-mail address spells.

In: "jane.doe", "jdoe", "doe_j84".  Out: first and last name; nothing where no name is spelt.
"""

from __future__ import annotations

import re

from dlp.knowledge.hashing import hash_word
from dlp.knowledge.names import FIRST, LAST, load_names
from dlp.model import USER_SIGN

PIECES = re.compile(r"[a-z]+", re.IGNORECASE)
LEAST = 4  # letters of a last name behind an initial
SURE = 0.35  # ordinary in fewer uses than this


def handle_of(handle: str) -> tuple[str, str]:
    """First and last name, capitalised; an initial stays one letter."""
    pieces = [piece.lower() for piece in PIECES.findall(handle)]
    if len(pieces) > 1:
        return of_two(pieces[0], pieces[-1])
    return of_one(pieces[0]) if pieces else ("", "")


def user_of(handle: str) -> tuple[str, str]:
    """The name that a user name spells; else the user name itself as a last name, with a sign."""
    first, last = handle_of(handle)
    return (first, last) if first or last else ("", USER_SIGN + handle.lstrip(USER_SIGN).lower())


def of_two(one: str, other: str) -> tuple[str, str]:
    """Jane.doe, doe.jane, j.doe."""
    if is_given(one, sure=True) and is_family(other, sure=len(one) < LEAST):
        return one.capitalize(), other.capitalize()
    if is_given(other, sure=True) and is_family(one):
        return other.capitalize(), one.capitalize()
    if len(one) == 1 and is_family(other):
        return one.upper(), other.capitalize()
    return "", ""


def of_one(word: str) -> tuple[str, str]:
    """Jdoe, janedoe: an initial or a first name and a last name, without a sign between."""
    for cut in range(len(word) - LEAST, 2, -1):
        first, last = word[:cut], word[cut:]
        if is_given(first, sure=True) and is_family(last, sure=True):
            return first.capitalize(), last.capitalize()
    if len(word) > LEAST and is_family(word[1:], sure=True) and not is_given(word):
        return word[0].upper(), word[1:].capitalize()
    return "", ""


def is_given(word: str, *, sure: bool = False) -> bool:
    return has(word, FIRST, sure=sure)


def is_family(word: str, *, sure: bool = False) -> bool:
    return has(word, LAST, sure=sure)


def has(word: str, bit: int, *, sure: bool) -> bool:
    if len(word) < 2:
        return False
    bits, ordinary, mostly_first = load_names().bits_of_one(hash_word(word.lower()))
    if sure and (ordinary >= SURE or (bit == FIRST and not mostly_first)):
        return False
    return bool(bits & bit)
