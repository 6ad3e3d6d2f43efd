"""Phrases that lead up to a health word: "was told he has".

In: the words before it, and phrases with how many other words may lie between.  Out: yes or no.
"""

from __future__ import annotations

import re
from functools import cache, cached_property

from dlp.errors import RuleError

FILE = "asserting.toml"
# "has published on asthma", "has cared for patients with asthma"
TOPIC = (
    r"(?:on|about|by|into|research|patients?|people|those|stud(?:y|ies)|cared?|taught|teaches"
    r"|wrote|written|published|worked|works|leads?|led|speciali[sz]\w*|complet\w+|attended|passed"
    r"|train\w+|certified|qualified|courses?|learn\w*|treats|manages|prescribes|advises|sells|suppl\w+"
    r"|provides|orders?|ordered|interest\w*|campaign\w*|fundrais\w*|rais(?:es|ed|ing)|donat\w+)\b"
)
RUN = re.compile(r"\w+")
# The letters that a pattern without case takes for an i or an s, and lower() does not.
ODD_CASE = re.compile(r"[\u0130\u0131\u017f]")
LATIN = re.compile(r"[\0-\xb4\xb6-\xff]+")  # no other letter is so taken for one of these


class Leads:
    """Phrases that lead up to a health word, by the word that opens them."""

    def __init__(self, entries: list[tuple[list[str], int]]) -> None:
        self._entries = entries
        self._by_opening: dict[str, list[tuple[list[str], int]]] = {}
        for words, reach in joined(entries):
            for phrase in dict.fromkeys(words):
                one = (phrase.lower().split(), reach)
                self._by_opening.setdefault(opening(phrase), []).append(one)
        self.openings = frozenset(self._by_opening)
        self._plain = all(LATIN.fullmatch(phrase) for words, _ in entries for phrase in words)

    @cached_property
    def _any(self) -> re.Pattern[str]:
        """All of them at once: for letters that are others' in the eyes of a pattern only."""
        told = "|".join(starts(*one) for one in joined(self._entries))
        return re.compile(rf"\b(?:{told})", re.IGNORECASE)

    def up_to(self, left: str) -> bool:
        """Whether a phrase leads up to the end; nearly always only its first words are tried."""
        if not left.isascii() and (ODD_CASE.search(left) or not self._plain):
            return self._any.search(left) is not None
        low = left.lower()
        # the nearest says it most often
        for start, word in reversed(opening_runs(left, self.openings)):
            for words, reach in self._by_opening[word]:
                end = end_of(words, low, start)
                if end >= 0 and only_others(reach).match(left, end):
                    return True
        return False


def end_of(words: list[str], text: str, start: int) -> int:
    """Where a phrase ends that begins at a place, with any blanks between its words; -1: nowhere.

    By hand: a share holds a hundred such phrases, and to compile one takes as long as fifty looks.
    """
    end = start
    for number, word in enumerate(words):
        if number:
            gap = end
            while text[end : end + 1].isspace():
                end += 1
            if end == gap:
                return -1
        if not text.startswith(word, end):
            return -1
        end += len(word)
    return end


def opening_runs(left: str, openings: frozenset[str]) -> list[tuple[int, str]]:
    """Where one of these words stands, and which."""
    runs = ((run.start(), run.group().lower()) for run in RUN.finditer(left))
    return [(start, word) for start, word in runs if word in openings]


def joined(entries: list[tuple[list[str], int]]) -> list[tuple[list[str], int]]:
    """Phrases of one reach together: what may follow them is compiled once, not once an entry."""
    by_reach: dict[int, list[str]] = {}
    for words, reach in entries:
        by_reach.setdefault(reach, []).extend(words)
    return [(words, reach) for reach, words in by_reach.items()]


def starts(words: list[str], reach: int) -> str:
    """One of the phrases, then at most so many other words, then the health word."""
    return rf"(?:{phrases(words)}){others(reach)}"


def others(reach: int) -> str:
    return rf"[\s:,(]+(?:(?!{TOPIC})[\w'’-]+[\s,:(/]+){{0,{reach}}}$"


@cache
def only_others(reach: int) -> re.Pattern[str]:
    """Nothing but so many other words, up to the end."""
    return re.compile(others(reach), re.IGNORECASE)


def opening(phrase: str) -> str:
    """The run of letters and digits that opens it: it stands whole wherever the phrase does."""
    run = RUN.match(phrase.lower())
    if run is None:
        raise RuleError("a phrase begins with a sign", where=FILE, fix="begin it with a word")
    return run.group()


def phrases(words: list[str]) -> str:
    longest = sorted(words, key=len, reverse=True)
    return "|".join(r"\s+".join(map(re.escape, phrase.split())) for phrase in longest)
