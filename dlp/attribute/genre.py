"""How the text around a link reads: like a note, a letter, print, advice, a story, a form.

In: a stretch of text.  Out: for each genre of rules/genres.toml the number of its cues, capped.

A genre is evidence for or against links in its own neighbourhood; it decides nothing alone.
"""

from __future__ import annotations

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
