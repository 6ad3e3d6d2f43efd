"""Read a cell with the name of its column, a form field with its label.

In: a part's text and its labelled stretches.  Out: hits at places in that text.

"448213" is any number; under the heading "MRN" it is a record number. All cells of one label are
searched together, each behind its label in plain words, and only labels that some rule knows.
"""

from __future__ import annotations

import functools
import re
from bisect import bisect_right
from collections.abc import Iterable

from dlp.detect.identify.finder import Finder, Hit
from dlp.detect.spans import Span
from dlp.errors import RuleError
from dlp.model import FieldMap
from dlp.resources import rules_folder
from dlp.rulebook import read_toml

LONGEST = 120  # characters; a longer cell is prose and speaks for itself
SEPARATOR = "\n;\n"  # no pattern runs across it
CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
NOT_A_WORD = re.compile(r"[^\w#]+|_+")
PATH_SIGNS = re.compile(r"[./]")


class FieldReader:
    def __init__(self, finder: Finder) -> None:
        self._finder = finder
        self._asks = functools.lru_cache(maxsize=4096)(self._plain_words)

    def find(self, text: str, fields: FieldMap, floor: float) -> list[Hit]:
        asked = [self._asks(label) for label in fields.labels]
        if not any(asked):
            return []
        cells: dict[int, list[Span]] = {}
        numbers, starts, ends, _ = fields.arrays
        for number, start, end in zip(numbers, starts, ends, strict=True):
            if asked[number] and start < end <= start + LONGEST:
                cells.setdefault(number, []).append((start, end))
        found: list[Hit] = []
        for number, same in cells.items():
            found += self._find_in(text, asked[number], same, floor)
        return found

    def _find_in(self, text: str, words: str, cells: Iterable[Span], floor: float) -> list[Hit]:
        pieces: list[str] = []
        places: list[tuple[int, int]] = []  # where a value starts in the joined text, and in ours
        length = 0
        for start, end in cells:
            length += len(words) + 2
            places.append((length, start))
            pieces.append(f"{words}: {text[start:end]}{SEPARATOR}")
            length += end - start + len(SEPARATOR)
        starts = [start for start, _ in places]
        found = []
        for hit in self._finder.find("".join(pieces), floor):
            number = bisect_right(starts, hit.start) - 1
            if number < 0:
                continue
            shift = places[number][1] - places[number][0]
            next_value = starts[number + 1] if number + 1 < len(starts) else length
            if hit.end <= next_value - len(SEPARATOR):
                moved = hit._replace(start=hit.start + shift, end=hit.end + shift)
                found.append(moved._replace(evidence=("field", *hit.evidence)))
        return found

    def _plain_words(self, label: str) -> str:
        """A label as a person would write it, or nothing if no rule cares for it."""
        words = said(label)
        return words if self._finder.labels.search(words) else ""


def said(label: str) -> str:
    """The listed words for a path's end, otherwise its last name taken apart."""
    table = field_words()
    steps = PATH_SIGNS.split(label)
    for length in range(min(4, len(steps)), 0, -1):
        for sign in (".", "/"):
            words = table.get(sign.join(steps[-length:]).lower())
            if words is not None:
                return words
    name = steps[-1] if not label.isascii() or len(steps[-1]) > 1 else label
    return " ".join(NOT_A_WORD.sub(" ", CAMEL.sub(" ", name)).split())


@functools.cache
def field_words() -> dict[str, str]:
    book = read_toml(rules_folder() / "fields.toml").get("says", {})
    if not all(isinstance(words, str) for words in book.values()):
        raise RuleError("a field says no words", where="fields.toml", fix='write path = "words"')
    return {path.lower(): words for path, words in book.items()}
