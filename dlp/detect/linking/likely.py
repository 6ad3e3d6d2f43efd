"""Whom casting has to look at: of dozens of people in a text few can get a part at any step.

In: drafts.  Out: those of them who may be meant, in their order, and everybody's roles.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from dlp.detect.linking.drafts import Draft, keys_by_role
from dlp.detect.naming.mention import OTHER

LIFE = 100  # characters behind a name in which a year is theirs
SIGNATURE = 400  # characters from the end in which a letter is signed
LETTERS = 6  # of a word and the space after it
UNCAST = frozenset({"", OTHER})
LINES = 20  # mentions of somebody that may begin lines of theirs


class Likely(NamedTuple):
    bygone: Collection[Draft]  # may be of long ago: most names are followed by no year, no bracket
    speaking: Collection[Draft]  # may speak in lines of their own: behind few names is a colon
    at_ends: Collection[Draft]  # may be named last where a text is signed
    pointed_at: Collection[Draft]  # a label or a bed may stand before: there is a colon or a digit
    roles: dict[str, list[str]]  # the keys of whoever has a role


def likely(drafts: dict[str, Draft]) -> Likely:
    people = drafts.values()
    return Likely(people, people, people, people, keys_by_role(drafts))
