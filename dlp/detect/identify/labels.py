"""Say whether a label holds a word that some rule wants before a value.

In: listed words; a label in plain words.  Out: whether one of them stands in it, in any case.

RE2 says the same, but reading a thousand words takes it a hundredth of a start, and what it is
asked here is a few letters long. It is still asked about letters beyond ASCII: it knows capitals.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from typing import Any

from dlp.detect.identify.cues import any_word

# The long s and the sign of the kelvin are letters beyond ASCII that count as s and k.
OTHER_LETTERS = ("\u017f", "\u212a")
RUN = re.compile(r"[a-z0-9_]+")
PLAIN = re.compile(r"[a-z0-9][^_\s]*(?: [^_\s]+)*")
BLANKS = re.compile(r"[^\S ]|  ")  # more than one space between two words


class Labels:
    def __init__(self, words: Sequence[str]) -> None:
        self._words = words

    def found_in(self, label: str) -> bool:
        phrases = self._phrases
        if phrases is None or not label.isascii() or BLANKS.search(label):
            return self._pattern.search(label) is not None
        said = label.lower()
        for run in RUN.finditer(said):
            for phrase in phrases.get(run[0], ()):
                if said.startswith(phrase, run.start()):
                    end = run.start() + len(phrase)
                    if not (phrase[-1].isalnum() and RUN.match(said, end)):
                        return True
        return False

    @functools.cached_property
    def _phrases(self) -> dict[str, list[str]] | None:
        """Those of ASCII by their first letters and digits; None: a word is no such phrase."""
        phrases: dict[str, list[str]] = {}
        for word in self._words:
            phrase = word.lower()
            if any(letter in word for letter in OTHER_LETTERS):
                return None
            if not word.isascii():
                continue  # stands in no label of ASCII
            if not PLAIN.fullmatch(phrase):
                return None
            first = RUN.match(phrase)
            assert first  # it begins with one
            phrases.setdefault(first[0], []).append(phrase)
        return phrases

    @functools.cached_property
    def _pattern(self) -> Any:
        return any_word(sorted(self._words, key=len, reverse=True))
