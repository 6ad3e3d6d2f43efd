"""The confidential topics C: what must not be learnt from the text.

In: names of protected categories, MeSH concepts, free terms.  Out: topics with all that tells them.
"""

from __future__ import annotations

import difflib
import functools
import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from dlp.errors import SanitiseError
from dlp.knowledge.health import load_health
from dlp.knowledge.mesh import Mesh, load_mesh
from dlp.knowledge.phrases import fold_words
from dlp.knowledge.sensitivity import load_sensitivity
from dlp.knowledge.topic_words import Phrase, RelatedTopic, load_related

# The specially protected groups of US law and the GDPR, as sensitivity.toml calls them.
DEFAULT = ("hiv", "std", "mental", "substance", "reproductive", "genetic")
WORDS_ONLY = "words:"  # before a topic that is nothing but its words: a project, a code name
# Words of a topic's name that say nothing about it alone.
PLAIN = frozenset({
    "abuse", "addiction", "and", "by", "condition", "conditions", "disease", "diseases",
    "disorder", "disorders", "drug", "for", "general", "health", "human", "illness", "in",
    "infection", "infections", "mental", "of", "or", "problem", "problems", "related", "sickness",
    "status", "syndrome", "test", "testing", "the", "therapy", "to", "transmitted", "treatment",
    "type", "use", "virus", "with",
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Topic:
    """One c of C."""

    name: str
    roots: frozenset[int]  # MeSH indices; whatever lies below names the topic
    category: str = ""  # a whole protected category
    related: frozenset[int] = frozenset()  # curated; whatever lies below gives it away
    words: tuple[str, ...] = ()
    phrases: tuple[Phrase, ...] = field(default=(), repr=False)
    instead: tuple[tuple[re.Pattern[str], str], ...] = field(default=(), repr=False)

    @property
    def curated(self) -> bool:
        """Whether people listed what gives it away."""
        return bool(self.category or self.related or self.phrases)

    @property
    def counted(self) -> bool:
        """Whether statistics can say anything; a free term stands on its words alone."""
        return bool(self.roots)


def default_topics() -> tuple[Topic, ...]:
    return tuple(map(category_topic, DEFAULT))


def topics_for(terms: Iterable[str]) -> tuple[Topic, ...]:
    """Refuse what neither an ontology nor a list knows; `words:` in front means these words only.

    A topic that is misspelt would protect nothing and still be certified.
    """
    topics = tuple(dict.fromkeys(map(topic_for, terms)))
    for topic in topics:
        if not topic.name.strip():
            raise SanitiseError(
                "a protected topic is empty", fix="name one, or leave the option out"
            )
        if not topic.counted and not topic.name.startswith(WORDS_ONLY):
            near = ", ".join(near_matches(topic.name)) or "none"
            raise SanitiseError(
                f"nothing is known about the topic {topic.name!r}; near matches: {near}",
                fix=f"name one of them, or protect the words alone with {WORDS_ONLY}{topic.name}",
            )
    return topics


def near_matches(term: str) -> list[str]:
    """Names of categories, headings and their synonyms that are written almost like a term."""
    mesh, wanted = load_mesh(), term.lower()
    names = {name for index in range(len(mesh)) for name in (mesh.name(index), *mesh.terms(index))}
    lowered = {name.lower(): name for name in sorted((*names, *DEFAULT))}
    close = [name for name in lowered if abs(len(name) - len(wanted)) <= 2]
    return [lowered[name] for name in difflib.get_close_matches(wanted, close, 4, 0.6)]


@functools.cache
def topic_for(term: str) -> Topic:
    """The topic a user names: a category, a MeSH concept, else the words themselves."""
    if term.lower() in DEFAULT:
        return category_topic(term.lower())
    if term.startswith(WORDS_ONLY):
        words = term.removeprefix(WORDS_ONLY).strip()
        return _topic(term if words else "", frozenset(), [], words=(words.lower(),))
    mesh = load_mesh()
    sense = load_health().sense(term)
    named = {mesh.index(c) for c in (sense.concepts if sense else ()) if c in mesh}
    listed = (t.roots for t in load_related().topics if t.name.lower() == term.lower())
    roots = frozenset({*mesh.find(term), *named}).union(*listed)
    tables = [table for table in load_related().topics if _about(table, roots, mesh)]
    own = tuple(w for w in fold_words(term) if w not in PLAIN and len(w) > 2)
    phrase = (term.lower(),) if len(fold_words(term)) > 1 or not own else ()
    return _topic(term, roots, tables, words=(*phrase, *own))


@functools.cache
def category_topic(category: str) -> Topic:
    """A protected category: its topmost judged concepts, and every curated list for it."""
    table, mesh = load_sensitivity(), load_mesh()
    judged = {mesh.index(j.concept) for j in table.judgements.values() if j.category == category}
    tops = {n for n in judged if not judged.intersection(mesh.ancestors(n).tolist())}
    tables = [t for t in load_related().topics if t.category == category]
    return _topic(category, frozenset(tops), tables, category=category)


def _topic(
    name: str,
    roots: frozenset[int],
    tables: list[RelatedTopic],
    words: tuple[str, ...] = (),
    category: str = "",
) -> Topic:
    return Topic(
        name=name,
        roots=roots,
        category=category,
        related=frozenset(c for table in tables for c in table.concepts) - roots,
        words=tuple(dict.fromkeys((*words, *(w for table in tables for w in table.words)))),
        phrases=tuple(phrase for table in tables for phrase in table.phrases),
        instead=tuple(pair for table in tables for pair in table.instead),
    )


def _about(table: RelatedTopic, roots: frozenset[int], mesh: Mesh) -> bool:
    """Whether a curated list speaks of these roots, of something above or below them."""
    return any(mesh.is_a(a, b) or mesh.is_a(b, a) for a in table.roots for b in roots)
