"""Whom casting has to look at: of dozens of people in a text few can get a part at any step.

In: drafts and the texts that name them.  Out: those of them who may be meant, in their order.

It is a first look by the kernel, which leaves nobody out; without it everybody is looked at.
Casting has the last word.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from dlp.detect.linking.drafts import Draft
from dlp.detect.linking.pointing import NEAR
from dlp.detect.naming.mention import OTHER, PATIENT
from dlp.native import kernel

LIFE = 100  # characters behind a name in which a year is theirs
SIGNATURE = 400  # characters from the end in which a letter is signed
LETTERS = 6  # of a word and the space after it
UNCAST = frozenset({"", OTHER})
MAYBE_UNCAST = UNCAST | {PATIENT}  # who is none after all
LINES = 20  # mentions of somebody that may begin lines of theirs
REACHES = (LIFE, LINES, SIGNATURE, LETTERS, NEAR)
_K = kernel("linking")


class Likely(NamedTuple):
    bygone: Iterable[Draft]  # may be of long ago: most names are followed by no year, no bracket
    speaking: Iterable[Draft]  # may speak in lines of their own: behind few names is a colon
    at_ends: Iterable[Draft]  # may be named last where a text is signed
    pointed_at: Iterable[Draft]  # a label or a bed may stand before: there is a colon or a digit


def likely(
    drafts: Mapping[str, Draft], texts: list[str],
    bygone: bool, parts: bool,
) -> Likely:  # fmt: skip
    """`bygone`: whether those of long ago are looked for, `parts`: whether all others are."""
    people = drafts.values()
    if _K is None:
        return Likely(people, people, people, people)
    return Likely(*_K.likely(people, texts, MAYBE_UNCAST, REACHES, bygone, parts))
