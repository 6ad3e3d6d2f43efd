"""What kind of text it is: a clinical note, a printed work, advice, a story, a résumé, a form.

In: text.  Out: for each genre, how many of its turns of phrase are heard.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache

import re2

from dlp.errors import RuleError
from dlp.prepared import read_table
from dlp.resources import rules_folder

FILE = "genres.toml"
HEAD, TAIL = 24_000, 8_000  # characters; a genre shows early, references show late


class Genres:
    def __init__(self, cues: Mapping[str, list[str]]) -> None:
        self._names: list[str] = []
        options = re2.Options()
        options.case_sensitive = False
        options.max_mem = 64 << 20
        self._set = re2.Set.SearchSet(options)
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

    def of(self, text: str) -> dict[str, int]:
        """The number of different cues of each genre."""
        sample = text if len(text) <= HEAD + TAIL else text[:HEAD] + "\n" + text[-TAIL:]
        heard = dict.fromkeys(self._names, 0)
        for index in self._set.Match(sample) or ():
            heard[self._names[index]] += 1
        return heard


@cache
def load_genres() -> Genres:
    try:
        raw = read_table(rules_folder() / FILE)
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise RuleError("cannot be read", where=FILE, fix="restore the file") from error
    return Genres({name: table["cues"] for name, table in raw.items()})
