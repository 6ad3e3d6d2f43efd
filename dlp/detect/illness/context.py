"""How a health word is meant: negated, of a relative, past, feared, or said of people in general.

In: text and the places of health words.  Out: for each place, the set of contexts it stands in.

Cues reach forward or backward inside their sentence until a stop word; the nearest cue of a kind
decides. The cues are data, one file per language in rules/context/.
"""

from __future__ import annotations

import tomllib
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, NamedTuple

import re2

from dlp.detect.sentences import sentence_starts
from dlp.detect.spans import spans, spans_of_text
from dlp.errors import RuleError
from dlp.prepared import read_table
from dlp.resources import rules_folder

NEGATED, FAMILY, HISTORICAL = "negated", "family", "historical"
HYPOTHETICAL, UNCERTAIN, GENERAL = "hypothetical", "uncertain", "general"
CONTEXTS = frozenset({NEGATED, FAMILY, HISTORICAL, HYPOTHETICAL, UNCERTAIN, GENERAL})
DIRECTIONS = frozenset({"forward", "backward", "both"})
NOTHING: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Cue:
    context: str  # one of CONTEXTS, or "stop", or "pseudo"
    direction: str
    reach: int  # words


class Heard(NamedTuple):
    start: int
    end: int
    cues: tuple[Cue, ...]


class Contexts:
    """The cues of one language, ready to be heard in a text."""

    def __init__(self, cues: dict[str, list[Cue]], where: str) -> None:
        self._cues = {phrase: tuple(meant) for phrase, meant in cues.items()}
        self._where = where

    @cached_property
    def _any(self) -> Any:
        """All cues at once."""
        longest_first = sorted(self._cues, key=len, reverse=True)
        options = re2.Options()
        options.case_sensitive = False
        options.longest_match = False
        options.max_mem = 64 << 20
        try:
            return re2.compile("|".join(map(bounded, longest_first)), options)
        except re2.error as error:
            fix = "mend the words"
            raise RuleError("the cues do not compile", where=self._where, fix=fix) from error

    def of(self, text: str, places: Sequence[tuple[Any, ...]]) -> list[frozenset[str]]:
        """The contexts of each place, which begins with start and end; they are in rising order."""
        if not places:
            return []
        return self._read(text, sentence_starts(text), places)

    def _read(
        self, text: str, starts: tuple[int, ...], places: Sequence[tuple[Any, ...]]
    ) -> list[frozenset[str]]:
        heard = self._hear(text, places, starts)
        firsts = [cue.start for cue in heard]
        answers = []
        for start, end, *_ in places:
            number = bisect_right(starts, start) - 1
            left = starts[number]
            right = starts[number + 1] if number + 1 < len(starts) else len(text)
            inside = heard[bisect_left(firsts, left) : bisect_left(firsts, right)]
            answers.append(self._meant(text, start, end, inside) if inside else NOTHING)
        return answers

    def _hear(
        self, text: str, places: Sequence[tuple[Any, ...]], starts: tuple[int, ...]
    ) -> list[Heard]:
        """Cues in the sentences that hold a place; the others are never read."""
        heard: list[Heard] = []
        ascii_ = text.isascii()
        whole = text.encode() if ascii_ else b""
        for number in sorted({bisect_right(starts, place[0]) - 1 for place in places}):
            left = starts[number]
            right = starts[number + 1] if number + 1 < len(starts) else len(text)
            if ascii_:  # bytes and characters are one, and a sentence ends where no word goes on
                found = spans(self._any, whole, left, right)
            else:
                found = [
                    (left + a, left + b) for a, b in spans_of_text(self._any, text[left:right])
                ]
            for start, end in found:
                phrase = " ".join(text[start:end].lower().split())
                if cues := self._cues.get(phrase):
                    heard.append(Heard(start, end, cues))
        return heard

    @staticmethod
    def _meant(text: str, start: int, end: int, inside: list[Heard]) -> frozenset[str]:
        found = set()
        for heard in inside:
            for cue in heard.cues:
                if cue.context in {"stop", "pseudo"} or cue.context in found:
                    continue
                if heard.end <= start and cue.direction != "backward":
                    between = (heard.end, start)
                elif heard.start >= end and cue.direction != "forward":
                    between = (end, heard.start)
                else:
                    continue
                if reaches(text, between, cue.reach, inside):
                    found.add(cue.context)
        return frozenset(found)


def reaches(text: str, between: tuple[int, int], words: int, inside: list[Heard]) -> bool:
    """Whether a cue carries over the words between it and the term."""
    left, right = between
    if right - left > words * 12 or text.count(" ", left, right) > words:
        return False
    return not any(
        cue.context == "stop" for one in inside if left <= one.start < right for cue in one.cues
    )


def bounded(phrase: str) -> str:
    body = r"\s+".join(re2.escape(word) for word in phrase.split())
    before = r"\b" if phrase[0].isalnum() else ""
    after = r"\b" if phrase[-1].isalnum() else ""
    return before + body + after


@cache
def load_contexts(language: str = "en") -> Contexts:
    path = rules_folder() / "context" / f"{language}.toml"
    try:
        raw = read_table(path)
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise RuleError(
            "cannot be read", where=path.name, fix="mend or restore the file"
        ) from error
    cues: dict[str, list[Cue]] = {}
    for entry in raw.get("cue", []):
        check(entry, path.name)
        cue = Cue(entry["context"], entry["direction"], entry["reach"])
        for phrase in entry["words"]:
            cues.setdefault(phrase.lower(), []).append(cue)
    for name in ("stops", "pseudo"):
        for phrase in raw.get(name, {}).get("words", []):
            cues.setdefault(phrase.lower(), []).append(Cue(name.rstrip("s"), "both", 0))
    return Contexts(cues, path.name)


def check(entry: dict[str, Any], where: str) -> None:
    if entry.get("context") not in CONTEXTS or entry.get("direction") not in DIRECTIONS:
        raise RuleError(
            "a cue needs a known context and direction",
            where=where,
            fix=f"one of {sorted(CONTEXTS)}, and one of {sorted(DIRECTIONS)}",
        )
    if not entry.get("words") or entry.get("reach", 0) <= 0:
        raise RuleError("a cue needs words and a reach", where=where, fix="add them")
