"""Facts about health told by a form of writing: a dose, the length of a sick note, a department.

In: a text and the hits already found.  Out: hits of the patterns of rules/health_patterns.toml.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

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


def patterned(text: str, taken: Sequence[TermHit]) -> Iterator[TermHit]:
    """Hits that touch none of those found; a pattern is tried where one of its words stands."""
    low = text.lower()
    spans = sorted((hit.start, hit.end) for hit in taken)
    for one in load_patterns():
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
