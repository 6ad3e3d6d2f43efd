"""How the text around a link reads: like a note, a letter, print, advice, a story, a form.

In: a stretch of text.  Out: for each genre of rules/genres.toml the number of its cues, capped;
for a place in a long text, how far it stands in the middle of a story.

A genre is evidence for or against links in its own neighbourhood; it decides nothing alone.
"""

from __future__ import annotations

import re
from functools import cache

import re2

from dlp.errors import RuleError
from dlp.resources import rules_folder
from dlp.rulebook import read_toml

FILE = "genres.toml"
NEAR = 500  # characters on either side of a block, up to a blank line
MOST = 4  # cues; more say nothing new
Genre = dict[str, float]


class Genres:
    def __init__(self, cues: dict[str, list[str]]) -> None:
        options = re2.Options()
        options.case_sensitive = False
        options.max_mem = 64 << 20
        self._set = re2.Set.SearchSet(options)
        self._names: list[str] = []
        for name, patterns in cues.items():
            for pattern in patterns:
                try:
                    self._set.Add(pattern)
                except re2.error as error:
                    raise RuleError(
                        f"{name}: {pattern!r} does not compile", where=FILE, fix="use RE2 syntax"
                    ) from error
                self._names.append(name)
        self._set.Compile()

    def of(self, text: str) -> Genre:
        """Distinct cues of each genre, as a share of MOST."""
        counts: dict[str, int] = {}
        for index in self._set.Match(text.encode("utf-8", "surrogatepass")) or ():
            name = self._names[index]
            counts[name] = counts.get(name, 0) + 1
        return {name: min(count, MOST) / MOST for name, count in counts.items()}


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
    """Which chunks of a text read as a long story does."""

    def __init__(self, text: str) -> None:
        starts = range(0, len(text) - CHUNK // 2, CHUNK) if len(text) > BY_CHANCE * CHUNK else ()
        self._reads = [is_narrative(text[start : start + CHUNK]) for start in starts]

    def at(self, position: int) -> float:
        """0 for a text that is no long story, 1 in the middle of one."""
        here = position // CHUNK
        told = sum(self._reads[max(0, here - REACH) : here + REACH + 1])
        return min(1.0, max(0, told - BY_CHANCE) / (CERTAIN - BY_CHANCE))


def is_narrative(chunk: str) -> bool:
    if not has_few_digits(chunk):
        return False
    return len(TELLING.findall(chunk.lower())) >= LEAST_TELLING * len(chunk.split())


def has_few_digits(text: str) -> bool:
    return sum(map(text.count, DIGITS)) <= MOST_DIGITS
