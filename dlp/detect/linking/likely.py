"""Whom casting has to look at: of dozens of people in a text few can get a part at any step.

In: drafts and the texts that name them.  Out: those of them who may be meant, in their order.

Each is a first look by the kernel, which leaves nobody out; without it everybody is looked at.
Casting has the last word.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import cast

from dlp.detect.linking.drafts import Draft
from dlp.detect.linking.pointing import NEAR
from dlp.detect.naming.mention import OTHER
from dlp.native import kernel

LIFE = 100  # characters behind a name in which a year is theirs
SIGNATURE = 400  # characters from the end in which a letter is signed
LETTERS = 6  # of a word and the space after it
UNCAST = frozenset({"", OTHER})
LINES = 20  # mentions of somebody that may begin lines of theirs
_K = kernel("linking")


def bygone(drafts: Mapping[str, Draft], texts: list[str]) -> Iterable[Draft]:
    """Those who may be of long ago: most names are followed by no year and no bracket."""
    people = drafts.values()
    return people if _K is None else cast(list[Draft], _K.bygone(people, texts, LIFE))


def speaking(drafts: Mapping[str, Draft], texts: list[str]) -> Iterable[Draft]:
    """Those who may speak in lines of their own: behind few names there is a colon."""
    people = drafts.values()
    if _K is None:
        return people
    return cast(list[Draft], _K.speaking(people, texts, UNCAST, LINES))


def at_ends(drafts: Mapping[str, Draft], texts: list[str]) -> Iterable[Draft]:
    """Those who may be named last where a text is signed."""
    people = drafts.values()
    if _K is None:
        return people
    return cast(list[Draft], _K.at_ends(people, texts, UNCAST, SIGNATURE, LETTERS))


def pointed_at(drafts: Mapping[str, Draft], texts: list[str]) -> Iterable[Draft]:
    """Those before whom a label or a bed may stand: there is a colon or a digit."""
    people = drafts.values()
    return people if _K is None else cast(list[Draft], _K.pointed_at(people, texts, NEAR))
