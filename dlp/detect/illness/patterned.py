"""Facts about health told by a form of writing: a dose, the length of a sick note, a department.

In: a text and the hits already found.  Out: hits of the patterns of rules/health_patterns.toml.

One pass of RE2 says which patterns a text may hold: only those are searched for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

import re2

from dlp.detect.overlap import is_free
from dlp.errors import RuleError
from dlp.knowledge.hits import Flag, TermHit
from dlp.knowledge.mesh import load_mesh
from dlp.knowledge.words import load_words
from dlp.model import Kind
from dlp.prepared import read_table
from dlp.resources import rules_folder

FILE = "health_patterns.toml"
KNOWN = 2.0  # Zipf frequency from which a word is English
MEMORY = 64 << 20  # a ceiling; below it RE2 starts its automaton anew again and again
# RE2 does not look ahead, and knows classes of ASCII only: without the one and with wider classes
# it finds all that `re` finds, and a little more.
LOOKING_AHEAD = re.compile(r"\(\?!(?:\[[^\]]*\]|\\.)\)")
BRACKETS = re.compile(r"(\[[^\]]*\])")
WIDER = {r"\s": r"\s\x0b\x1c-\x1f\x{85}\p{Z}", r"\d": r"\p{Nd}", r"\w": r"\p{L}\p{N}\p{M}_"}


@dataclass(frozen=True, slots=True)
class Pattern:
    id: str
    kind: Kind
    concept: str
    needs: tuple[str, ...]
    pattern: re.Pattern[str]
    unknown: bool  # the group "word" must be no English word


@cache
def load_patterns() -> tuple[Pattern, ...]:
    mesh = load_mesh()
    try:
        return tuple(
            Pattern(
                one["id"],
                Kind(one["kind"]),
                str(mesh.ids[mesh.find(one["concept"])[0]]),
                tuple(one["needs"]),
                re.compile(one["pattern"]),
                bool(one.get("unknown")),
            )
            for one in read_table(rules_folder() / FILE)["pattern"]
        )
    except (OSError, KeyError, IndexError, ValueError, re.error) as error:
        raise RuleError(f"cannot be read: {error}", where=FILE, fix="restore the file") from error


@cache
def gate() -> re2.Set:
    """Which patterns may match somewhere in a text."""
    options = re2.Options()
    options.max_mem, options.never_capture = MEMORY, True
    patterns = re2.Set.SearchSet(options)
    for one in load_patterns():
        patterns.Add(loosened(one.pattern.pattern))
    patterns.Compile()
    return patterns


def loosened(pattern: str) -> str:
    """A pattern of RE2 that matches wherever the pattern of `re` does."""
    pieces = BRACKETS.split(LOOKING_AHEAD.sub("", pattern))
    for number, piece in enumerate(pieces):
        for short, wide in WIDER.items():
            piece = piece.replace(short, wide if number % 2 else f"[{wide}]")  # noqa: PLW2901
        pieces[number] = piece
    return "".join(pieces)


def patterned(text: str, taken: Sequence[TermHit]) -> Iterator[TermHit]:
    """Hits that touch none of those found; a pattern is tried where one of its words stands."""
    numbers: Sequence[int] = gate().Match(text.encode("utf-8", "replace"))
    if not numbers:
        return
    low = text.lower()
    spans = sorted((hit.start, hit.end) for hit in taken)
    for one in [load_patterns()[number] for number in sorted(numbers)]:
        if not any(word in low for word in one.needs):
            continue
        for found in one.pattern.finditer(text):
            if one.unknown and is_english(found["word"].lower()):
                continue
            if is_free(*found.span(), spans):
                yield TermHit(*found.span(), one.kind, (one.concept,), -1, int(Flag.BROAD))


@lru_cache(maxsize=4096)
def is_english(word: str) -> bool:
    return bool(load_words().zipfs([word])[0] >= KNOWN)
