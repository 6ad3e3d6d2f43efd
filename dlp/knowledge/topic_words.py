"""What gives a protected topic away without naming it, as people wrote it down.

In: rules/related.toml, rules/disclosing.toml.  Out: concepts, words and phrases per topic.
"""

from __future__ import annotations

import functools
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dlp.errors import RuleError
from dlp.knowledge.mesh import Mesh, load_mesh
from dlp.knowledge.words import load_words
from dlp.prepared import read_table
from dlp.resources import rules_folder

RELATED, DISCLOSING = "related.toml", "disclosing.toml"
LONG_ENOUGH = 4  # letters of a short form that can only be that in small letters
RARE = 2.5  # Zipf frequency of words that few texts hold
BLANK = "·"  # ends a run of words, and is none
# A word for each kind of health term, where nothing above it is safe.
KIND_WORDS = {
    "disease": "condition",
    "symptom": "complaint",
    "drug": "medicine",
    "procedure": "procedure",
    "test": "test",
    "provider": "professional",
}
FIELDS = frozenset({"name", "category", "roots", "concepts", "words", "instead"})
PHRASE_FIELDS = frozenset({"topic", "match", "with", "example"})


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words that disclose a topic, and what to write instead."""

    topic: str
    pattern: re.Pattern[str]
    instead: str
    example: str


@dataclass(frozen=True, slots=True)
class RelatedTopic:
    name: str
    category: str
    roots: frozenset[int]
    concepts: frozenset[int]  # each stands for everything below it
    words: tuple[str, ...]
    phrases: tuple[Phrase, ...]
    instead: tuple[tuple[re.Pattern[str], str], ...]  # plain words for some of them


@dataclass(frozen=True, slots=True)
class Related:
    topics: tuple[RelatedTopic, ...]
    never: frozenset[int]  # headings that make no useful generalisation
    plain: frozenset[str]  # words that say nothing: those put in place of others
    wording: Mapping[int, str]  # of headings that nobody writes as MeSH does
    medicines: Mapping[int, str]  # for what a drug is most often for
    labels: re.Pattern[str]  # what forms and records ask of everybody


def word_pattern(words: Iterable[str]) -> re.Pattern[str] | None:
    """One pattern for whole words; a star ends a stem.

    Capitals count only as written where the small letters are a word too: AIDS, ART, COWS.
    """
    each = []
    for word in sorted(words, key=len, reverse=True):
        signs = {" ": r"[\s-]+", "-": r"[\s-]?"}
        stem = "".join(signs.get(c) or re.escape(c) for c in word.removesuffix("*"))
        tail = r"\w*" if word.endswith("*") else ""
        each.append(f"{stem}{tail}" if _needs_capitals(word) else f"(?i:{stem}{tail})")
    return re.compile(rf"(?<!\w)(?:{'|'.join(each)})(?!\w)") if each else None


def _needs_capitals(word: str) -> bool:
    small = word.lower()
    bare = small.removesuffix("*").split("-")[0]
    return word != small and (len(bare) < LONG_ENOUGH or load_words().zipf(bare) > RARE)


def without_labels(text: str) -> str:
    """The text with signs for the labels that every form has: "Date of birth", "Sex: F", "PID-5".

    Places stay: a label holds a word of a protected topic, and tells nothing of it.
    """
    return load_related().labels.sub(lambda hit: BLANK * len(hit[0]), text)


@functools.cache
def load_related() -> Related:
    mesh = load_mesh()
    tables = _read(RELATED)
    phrases = tuple(map(_phrase, _read(DISCLOSING).get("phrase", [])))
    topics = tuple(_topic(entry, mesh, phrases) for entry in tables.get("topic", []))
    unknown = {phrase.topic for phrase in phrases} - {topic.name for topic in topics}
    if unknown:
        raise RuleError(f"no topic is called {min(unknown)!r}", where=DISCLOSING)
    written = (words for topic in topics for _, words in topic.instead)
    said = {*KIND_WORDS.values(), *written, *tables.get("plain", ())}
    plain = frozenset(word for word in said if not _is_disease(word, mesh))
    each = "|".join(map(str, tables.get("labels", ())))
    labels = re.compile(rf"(?<!\w)(?:{each})" if each else r"(?!)", re.IGNORECASE | re.MULTILINE)
    wording, medicines = (_worded(tables.get(name, {}), mesh) for name in ("wording", "medicines"))
    never = _headings(tables.get("never", ()), mesh)
    return Related(topics, never, plain, wording, medicines, labels)


def _is_disease(word: str, mesh: Mesh) -> bool:
    return any(t.startswith("C") for i in mesh.find(word) for t in mesh.tree_numbers(i))


def _read(name: str) -> dict[str, Any]:
    path: Path = rules_folder() / name
    try:
        return read_table(path)
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise RuleError(f"cannot be read: {error}", where=name) from error


def _topic(entry: dict[str, Any], mesh: Mesh, phrases: tuple[Phrase, ...]) -> RelatedTopic:
    if not set(entry) <= FIELDS or "name" not in entry:
        raise RuleError(f"a topic holds only {', '.join(sorted(FIELDS))}", where=RELATED)
    name = str(entry["name"])
    return RelatedTopic(
        name=name,
        category=str(entry.get("category", "")),
        roots=_headings(entry.get("roots", ()), mesh),
        concepts=_headings(entry.get("concepts", ()), mesh),
        words=tuple(map(str, entry.get("words", ()))),
        phrases=tuple(phrase for phrase in phrases if phrase.topic == name),
        instead=tuple(
            (pattern, str(plain))
            for word, plain in entry.get("instead", {}).items()
            if (pattern := word_pattern([word]))
        ),
    )


def _headings(names: Iterable[str], mesh: Mesh) -> frozenset[int]:
    """The concepts of names; one that a site's own MeSH no longer has is left out."""
    return frozenset(index for name in names for index in mesh.find(str(name))[:1])


def _worded(entries: Mapping[str, str], mesh: Mesh) -> dict[int, str]:
    return {index: str(words) for name, words in entries.items() for index in mesh.find(name)[:1]}


def _phrase(entry: dict[str, Any]) -> Phrase:
    if set(entry) != PHRASE_FIELDS:
        raise RuleError(f"a phrase holds {', '.join(sorted(PHRASE_FIELDS))}", where=DISCLOSING)
    try:
        pattern = re.compile(rf"(?<!\w)(?:{entry['match']})(?!\w)", re.IGNORECASE)
    except re.error as error:
        raise RuleError(f"{entry['match']!r} is no pattern: {error}", where=DISCLOSING) from error
    phrase = Phrase(str(entry["topic"]), pattern, str(entry["with"]), str(entry["example"]))
    if not pattern.search(phrase.example):
        raise RuleError(f"the example {phrase.example!r} does not match", where=DISCLOSING)
    return phrase
