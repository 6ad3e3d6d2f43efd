"""Which statements of a text are about an animal that it names somewhere.

In: a text and the places of health words.  Out: for each place, whether an animal is meant.

"Our cat Milo" and "Rex, a collie" name animals; sentences about Milo and Rex are theirs. A record
with a species or a breed is a vet's, and everything in it is an animal's.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from functools import cache
from typing import Any

import re2

from dlp.text.context import load_classes
from dlp.text.sentences import sentence_starts

# Labels of a vet's record, and how such records are headed.
RECORD = re2.compile(
    r"(?im)^[ \t*#|-]*(?:species|breed|animal(?:'s)? name|animal)\b[ \t]*(?:[:|*.\t]|$)"
    r"|\b(?:veterinary|vet|animal) (?:records?|hospital visit|visit|discharge|invoice|report)\b"
    r"|[;,] animal [A-Z]"
)
RECORD_WORDS = ("species", "breed", "animal", "veterinary", "vet ")


def of_animals(text: str, places: Sequence[tuple[Any, ...]]) -> list[bool]:
    low = text.lower()
    if any(word in low for word in RECORD_WORDS) and RECORD.search(text):
        return [True] * len(places)
    names = animal_names(text)
    if not names:
        return [False] * len(places)
    starts = sentence_starts(text)
    return [is_about(text, starts, place[0], names) for place in places]


def animal_names(text: str) -> set[str]:
    """Names that the text gives to animals."""
    return {match[1] for pattern in naming() for match in pattern.finditer(text)}


def is_about(text: str, starts: Sequence[int], place: int, names: set[str]) -> bool:
    """Whether the sentence up to the health word names an animal."""
    left = starts[bisect_right(starts, place) - 1]
    return any(re.search(rf"\b{re.escape(name)}\b", text[left:place]) for name in names)


@cache
def naming() -> tuple[Any, Any]:
    """ "our cat Milo", and "Milo, our old tabby cat"; RE2 reads the list of animals in one pass."""
    animals = "|".join(sorted(load_classes("en")["animal"], key=len, reverse=True))
    owned = r"(?:[Oo]ur|[Mm]y|[Hh]is|[Hh]er|[Tt]heir|[Tt]he|[Aa]|[Yy]our)"
    return (
        re2.compile(rf"\b{owned} (?:\w+ )?(?:{animals}),? ([A-Z][a-z]+)\b"),
        re2.compile(rf"\b([A-Z][a-z]+),? (?:{owned} )(?:\w+ )?(?:{animals})\b"),
    )
