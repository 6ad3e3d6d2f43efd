"""From what people type to MeSH concepts: ids, headings, synonyms, lay words, brands, shorthand.

In: a term.  Out: its meanings, or the nearest terms that have one.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator
from typing import NamedTuple

from dlp.errors import KnowledgeError
from dlp.knowledge.health import load_health
from dlp.knowledge.inference import load_inference
from dlp.knowledge.mesh import Mesh, load_mesh, subsumers
from dlp.knowledge.phrases import fold_words
from dlp.knowledge.sensitivity import rare_headings

# Words that narrow a term without changing what it is; dropped when nothing else is found.
MODIFIERS = frozenset(
    {"acute", "bilateral", "chronic", "complete", "entire", "left", "mild", "moderate", "partial"}
    | {"primary", "recurrent", "right", "secondary", "severe", "total", "whole"}
)
SUGGESTIONS = 5
HEALTH_TREES = ("C", "D", "E", "F")


class Meaning(NamedTuple):
    """One concept a term stands for, and the headings it lies at or under."""

    concept: str
    name: str
    nodes: tuple[int, ...]
    how: str  # "id", "MeSH term", "lexicon", "heading begins so", "without modifiers"

    def generalisations(self, mesh: Mesh) -> frozenset[object]:
        """T(a) of distance.py: all that subsumes the concept, and the concept itself."""
        own: frozenset[object] = frozenset({self.concept} - {mesh.ids[n] for n in self.nodes})
        return own.union(*(subsumers(node, mesh) for node in self.nodes))


class UnknownTermError(KnowledgeError):
    """Nothing known is called so."""

    exit_code = 2

    def __init__(self, term: str, nearest: list[str]) -> None:
        self.nearest = nearest
        fix = f"did you mean: {'; '.join(nearest)}" if nearest else "try a MeSH heading or id"
        super().__init__(f"no concept is called {term!r}", fix=fix)


def meanings(term: str) -> tuple[Meaning, ...]:
    """What a term stands for, best first; an unknown one is an error with suggestions."""
    found = _meanings(term)
    if not found:
        raise UnknownTermError(term, nearest_terms(term))
    return found


def known_meanings(term: str) -> tuple[Meaning, ...]:
    """What a term stands for; nothing where it is unknown, and no time spent on suggestions."""
    return _meanings(term)


def distance(left: str, right: str) -> tuple[float, Meaning, Meaning]:
    """The least semantic distance of the meanings of two terms, and which two those are."""
    mesh = load_mesh()
    pairs = [(a, b) for a in _roughly(left) for b in _roughly(right)]
    return min(
        ((_sd(a.generalisations(mesh), b.generalisations(mesh)), a, b) for a, b in pairs),
        key=lambda found: found[0],
    )


def _sd(left: frozenset[object], right: frozenset[object]) -> float:
    shared = len(left & right)
    union = len(left) + len(right) - shared
    return math.log2(1 + (union - shared) / union)


def _meanings(term: str) -> tuple[Meaning, ...]:
    mesh = load_mesh()
    term = term.strip()
    if term in mesh or term in rare_headings():
        return _of_concepts((term,), term, "id")
    named = tuple(Meaning(mesh.ids[n], mesh.name(n), (n,), "MeSH term") for n in mesh.find(term))
    if any(_is_about_health(mesh, meaning) for meaning in named):
        return named
    # "HIV" is a virus to MeSH and an infection in a chart: the chart comes first.
    listed = _of_concepts(_in_lexicon(term), term, "lexicon")
    if named:
        return _distinct(*listed, *named)
    # "abortion" alone is induced or spontaneous: a word that only begins headings means them all.
    begun = (Meaning(mesh.ids[n], mesh.name(n), (n,), "heading begins so") for n in _begun(term))
    return _distinct(*listed, *begun) or _without_modifiers(term)


def _is_about_health(mesh: Mesh, meaning: Meaning) -> bool:
    return any(t.startswith(HEALTH_TREES) for n in meaning.nodes for t in mesh.tree_numbers(n))


def _distinct(*found: Meaning) -> tuple[Meaning, ...]:
    return tuple({meaning.concept: meaning for meaning in reversed(found)}.values())[::-1]


def _of_concepts(concepts: tuple[str, ...], term: str, how: str) -> tuple[Meaning, ...]:
    """One meaning: the first id names it, descriptors among the ids place it."""
    mesh = load_mesh()
    headings = [h for c in concepts for h in ((c,) if c in mesh else rare_headings().get(c, ()))]
    nodes = tuple(mesh.index(h) for h in dict.fromkeys(headings) if h in mesh)
    if not nodes:
        return ()
    first = concepts[0]
    outside = next((c for c in concepts if c not in mesh), "")
    if not outside:
        return tuple(Meaning(mesh.ids[n], mesh.name(n), (n,), how) for n in nodes[:1])
    return (Meaning(outside if first in mesh else first, term, nodes, how),)


def _in_lexicon(term: str) -> tuple[str, ...]:
    sense = load_health().sense(term)
    if sense is not None and sense.concepts:
        return sense.concepts
    ident = load_inference().ids.get(" ".join(fold_words(term)))
    return (ident,) if ident else ()


@functools.cache
def _heads() -> dict[str, list[int]]:
    """The words before the comma of inverted headings."""
    mesh = load_mesh()
    found: dict[str, list[int]] = {}
    for node in range(len(mesh)):
        head, comma, _ = mesh.name(node).partition(", ")
        if comma:
            found.setdefault(" ".join(fold_words(head)), []).append(node)
    return found


def _begun(term: str) -> Iterator[int]:
    mesh = load_mesh()
    nodes = _heads().get(" ".join(fold_words(term)), [])
    for node in nodes:
        if not any(mesh.is_a(node, other) for other in nodes if other != node):
            yield node


def _without_modifiers(term: str) -> tuple[Meaning, ...]:
    words = term.split()
    kept = [word for word in words if word.lower() not in MODIFIERS]
    if not kept or len(kept) == len(words):
        return ()
    found = _meanings(" ".join(kept))
    return tuple(meaning._replace(how="without modifiers") for meaning in found)


def rough_meanings(term: str) -> tuple[Meaning, ...]:
    """A phrase that is no term stands for its longest part that is one, last words first.

    A part counts when it holds at least half of the words: comparing is not worth refusing
    "stomach cramps" for, but three strange words beside a known one are no such term.
    """
    found = _meanings(term)
    words = [word for word in term.split() if word.lower() not in MODIFIERS]
    for size in range(len(words) - 1, (len(words) - 1) // 2, -1):
        for start in range(len(words) - size, -1, -1):
            found = found or _meanings(" ".join(words[start : start + size]))
    return found


def _roughly(term: str) -> tuple[Meaning, ...]:
    return rough_meanings(term) or meanings(term)


def nearest_terms(term: str, limit: int = SUGGESTIONS) -> list[str]:
    """Headings and entry terms spelt most like it."""
    from rapidfuzz import fuzz, process, utils  # noqa: PLC0415 - only for suggestions

    mesh = load_mesh()
    named = {mesh.name(node): node for node in range(len(mesh))}
    named |= {entry: node for node in range(len(mesh)) for entry in mesh.terms(node)}
    best = process.extract(
        term, list(named), scorer=fuzz.WRatio, processor=utils.default_process, limit=40
    )
    close = sorted(best, key=lambda hit: -fuzz.ratio(term.lower(), hit[0].lower()))
    return list(dict.fromkeys(mesh.name(named[text]) for text, _, _ in close))[:limit]
