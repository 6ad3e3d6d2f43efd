"""What kind of text it is: a clinical note, a printed work, advice, a story, a résumé, a form.

In: text.  Out: for each genre, how many of its turns of phrase are heard.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache, cached_property

import re2

from dlp.errors import RuleError
from dlp.prepared import read_table
from dlp.resources import rules_folder

FILE = "genres.toml"
HEAD, TAIL = 24_000, 8_000  # characters; a genre shows early, references show late
REPEATS = re.compile(r"(?<!\\)[*+{]")
Cue = tuple[str, str]  # the name of its genre, and a pattern


class Genres:
    def __init__(self, cues: Mapping[str, list[str]]) -> None:
        self._genres = tuple(cues)
        self._cues = [(name, pattern) for name, patterns in cues.items() for pattern in patterns]
        assert self._sets  # made now: a cue that RE2 refuses is said before the first file

    @cached_property
    def _sets(self) -> list[tuple[re2.Set, list[str]]]:
        # What repeats (a line of up to 40 letters) is in the midst of a match nearly everywhere;
        # read together with the phrases it would need a state for each pair of them.
        shapes = [cue for cue in self._cues if REPEATS.search(cue[1])]
        phrases = [cue for cue in self._cues if not REPEATS.search(cue[1])]
        groups = filter(None, (shapes, phrases))
        return [(set_of(group), [name for name, _ in group]) for group in groups]

    def of(self, text: str) -> dict[str, int]:
        """The number of different cues of each genre."""
        sample = text if len(text) <= HEAD + TAIL else text[:HEAD] + "\n" + text[-TAIL:]
        raw = sample.encode("utf-8", "surrogatepass")
        heard = dict.fromkeys(self._genres, 0)
        for patterns, names in self._sets:
            for index in patterns.Match(raw) or ():
                heard[names[index]] += 1
        return heard


def set_of(cues: Sequence[Cue]) -> re2.Set:
    options = re2.Options()
    options.case_sensitive = False
    options.max_mem = 64 << 20
    one = re2.Set.SearchSet(options)
    for name, pattern in cues:
        try:
            one.Add(pattern)
        except re2.error as error:
            raise RuleError(
                f"{name}: {pattern!r} does not compile", where=FILE, fix="use RE2 syntax"
            ) from error
    one.Compile()
    return one


def read_cues() -> dict[str, list[str]]:
    """The cues of each genre, as people wrote them."""
    try:
        raw = read_table(rules_folder() / FILE)
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise RuleError("cannot be read", where=FILE, fix="restore the file") from error
    return {name: table["cues"] for name, table in raw.items()}


@cache
def load_genres() -> Genres:
    return Genres(read_cues())
