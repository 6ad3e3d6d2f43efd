"""How the text around a link reads: like a note, a letter, print, advice, a story, a form.

In: a stretch of text.  Out: for each genre of rules/genres.toml the number of its cues, capped;
for a place in a long text, how far it stands in the middle of a story.

A genre is evidence for or against links in its own neighbourhood; it decides nothing alone.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Any

import re2

from dlp.errors import RuleError
from dlp.resources import rules_folder
from dlp.rulebook import read_toml

FILE = "genres.toml"
NEAR = 500  # characters on either side of a block, up to a blank line
MOST = 4  # cues; more say nothing new
Genre = dict[str, float]
TOGETHER = 4  # cues with repetitions that are searched as one set
REPEATS = re.compile(r"\{\d+,(?:\d\d|[4-9])?\}|[]w.ds][*+]")


class Genres:
    """Cues that repeat a class of characters are searched a few at a time, the others together.

    A state of an automaton holds the counts of all repetitions that are open at a place: many of
    them together have ever new states, and build them instead of reading.
    """

    def __init__(self, cues: dict[str, list[str]]) -> None:
        every = [(name, pattern) for name, patterns in cues.items() for pattern in patterns]
        plain = [one for one in every if not REPEATS.search(one[1])]
        rest = [one for one in every if REPEATS.search(one[1])]
        groups = [plain, *(rest[at : at + TOGETHER] for at in range(0, len(rest), TOGETHER))]
        self._sets = [([name for name, _ in some], set_of(some)) for some in groups if some]

    def of(self, text: str) -> Genre:
        """Distinct cues of each genre, as a share of MOST."""
        counts: dict[str, int] = {}
        raw = text.encode("utf-8", "surrogatepass")
        for names, cues in self._sets:
            for index in cues.Match(raw) or ():
                counts[names[index]] = counts.get(names[index], 0) + 1
        return {name: min(count, MOST) / MOST for name, count in counts.items()}


def set_of(cues: Sequence[tuple[str, str]]) -> Any:
    options = re2.Options()
    options.case_sensitive = False
    options.max_mem = 64 << 20
    found = re2.Set.SearchSet(options)
    for name, pattern in cues:
        try:
            found.Add(pattern)
        except re2.error as error:
            said = f"{name}: {pattern!r} does not compile"
            raise RuleError(said, where=FILE, fix="use RE2 syntax") from error
    found.Compile()
    return found


@cache
def load_genres() -> Genres:
    book = read_toml(rules_folder() / FILE)
    return Genres({name: table["cues"] for name, table in book.items()})


# A long narrative is prose in the past tense, about "he" and "she", with hardly a digit in pages:
# half of all chunks of novels have no digit at all, nine in ten chunks of notes, letters and
# records have at least four in a thousand characters.
# A set comes first, which `re` skips to; it is tried on small letters.
TELLING = re.compile(
    r"[hstwdcim](?<!\w.)(?:(?<=h)(?:e|im|is|ad|ers?)|(?<=s)(?:he|aid)|(?<=t)he(?:y|m|ir)"
    r"|(?<=w)(?:as|ere|ould)|(?<=d)id|(?<=c)ould|(?<=i)|(?<=m)[ey])\b"
)
DIGITS = "0123456789"
CHUNK = 4000  # characters; a shorter stretch has digits or pronouns by chance
MOST_DIGITS = 4  # in a chunk of a narrative
LEAST_TELLING = 0.07  # of its words
REACH = 5  # chunks on either side of a place
BY_CHANCE = 2  # chunks of a letter or a diary that read so; padding is shorter as well
CERTAIN = 6  # chunks that leave no doubt


class Narrative:
    """Which chunks of a text read as a long story does; each is read when first asked for."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._last = (len(text) - CHUNK // 2 - 1) // CHUNK if len(text) > BY_CHANCE * CHUNK else -1
        self._reads: dict[int, bool] = {}

    def at(self, position: int) -> float:
        """0 for a text that is no long story, 1 in the middle of one."""
        here, told = position // CHUNK, 0
        near = range(max(0, here - REACH), min(self._last, here + REACH) + 1)
        # every other chunk first: of a story these nearly suffice, for this place and the next
        for number in sorted(near, key=lambda number: number % 2):
            told += self._is_read(number)
            if told == CERTAIN:
                break
        return min(1.0, max(0, told - BY_CHANCE) / (CERTAIN - BY_CHANCE))

    def _is_read(self, number: int) -> bool:
        if number not in self._reads:
            start = number * CHUNK
            self._reads[number] = is_narrative(self._text[start : start + CHUNK])
        return self._reads[number]


def is_narrative(chunk: str) -> bool:
    if not has_few_digits(chunk):
        return False
    return len(TELLING.findall(chunk.lower())) >= LEAST_TELLING * len(chunk.split())


def has_few_digits(text: str) -> bool:
    return sum(map(text.count, DIGITS)) <= MOST_DIGITS
