"""Find publishable, educational and non-personal texts by their title and first 200 words.

In: Case with a document.  Out: the case, settled as impossible where the words say so and the
cheap pass agrees, with the keys that tell copies.

A near key is a hint, not a proof: two letters from one form have one size, title, greeting and
signature, and two patients. Only the rule set `sokolova2009` computes it, to compare with the
study; a scan reuses a verdict for equal content alone.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import ahocorasick

from dlp.knowledge.titles import normalise
from dlp.model import Case, Document
from dlp.triage.rules import GROUPS, Category
from dlp.triage.shortcut import Shortcut, body_texts_of, goes_straight_to_deep, titles_of

FIRST_WORDS = 200
HEAD_CHARS = 4000  # 200 words fit; a part of one endless word is not read to its end
# Words, and words joined by one sign: "x-ray", "and/or", "doi:10.1000", "patient's".
WORDS = re.compile(r"\w+(?:[.:/'\-]\w+)*")


@dataclass(frozen=True, slots=True)
class Term:
    group: str
    alone: bool  # enough by itself


class Keywords:
    """All terms of all categories in one automaton over the space-separated words of a head."""

    def __init__(self, categories: Iterable[Category], rule_set: str) -> None:
        terms: dict[str, list[Term]] = {}
        as_study = rule_set == "sokolova2009"
        for category in categories:
            if rule_set not in category.rule_sets:
                continue
            sure = category.words + (category.study if as_study else ())
            hints = () if as_study else category.study + category.hints
            for words, alone in ((sure, True), (hints, False)):
                for word in words:
                    terms.setdefault(squeeze(word), []).append(Term(category.group, alone))
        self._automaton = ahocorasick.Automaton()
        for word, meanings in sorted(terms.items()):
            self._automaton.add_word(f" {word} ", (word, tuple(meanings)))
        self._automaton.make_automaton()

    def _found(
        self, titles: Sequence[str], texts: Sequence[str]
    ) -> Sequence[tuple[str, tuple[Term, ...]]]:
        words = f" {head_of(titles, texts)} "
        return [found for _, found in self._automaton.iter(words)]

    def speaks_of(self, group: str, texts: Sequence[str]) -> bool:
        """Whether the body itself, without any title, holds a term of the group."""
        found = self._found((), texts)
        return any(term.group == group for _, meanings in found for term in meanings)

    def group_of(self, titles: Sequence[str], texts: Sequence[str]) -> str | None:
        """The reason to discard a text that starts so, or None."""
        found = self._found(titles, texts)
        if not found:
            return None
        hints: dict[str, set[str]] = {}
        sure: set[str] = set()
        for word, meanings in found:
            for term in meanings:
                if term.alone:
                    sure.add(term.group)
                hints.setdefault(term.group, set()).add(word)
        for group in GROUPS:
            if group in sure or len(hints.get(group, ())) > 1:
                return group
        return None


def squeeze(text: str) -> str:
    """Lower-case words with one space between, punctuation at their edges gone."""
    return " ".join(words_of(text))


def words_of(text: str) -> list[str]:
    return WORDS.findall(text.lower().replace("_", " ").replace("\u2019", "'"))


def head_of(titles: Sequence[str], texts: Sequence[str]) -> str:
    """The titles and the first 200 words of the body, over several parts where they are short."""
    words: list[str] = []
    for text in texts:
        stretches = text[:HEAD_CHARS].split(None, FIRST_WORDS)[:FIRST_WORDS]
        words += words_of(" ".join(stretches))[: FIRST_WORDS - len(words)]
        if len(words) == FIRST_WORDS:
            break
    # two spaces: a term never spans a title and the body
    return "  ".join([*map(squeeze, titles), " ".join(words)])


class Partial:
    name = "triage.partial"
    requires = frozenset({"document"})
    provides = frozenset({"container"})

    def __init__(self, keywords: Keywords, shortcut: Shortcut, *, keys: bool = False) -> None:
        """`keys` tell the copies of the study apart; the default rule set asks nobody for them."""
        self._keywords = keywords
        self._shortcut = shortcut
        self._keys = keys

    def preload(self) -> None:
        self._shortcut.preload()

    def __call__(self, case: Case) -> Case:
        assert case.document is not None  # requires
        straight = goes_straight_to_deep(case)
        if straight and not self._keys:
            return case
        texts, titles = body_texts_of(case.document), titles_of(case)
        if self._keys:
            keys = {
                "content_key": content_key(case.ref.sha256, case.document),
                "near_key": near_key(case.ref.size_bytes, titles[0], texts),
            }
            case = case.but(facts={**case.facts, **keys})
        group = None if straight else self._keywords.group_of(titles, texts)
        if group is not None and not self._keys and not self._keywords.speaks_of(group, texts):
            group = None  # a name alone: a leak may be called README or lyrics
        return case if group is None else self._shortcut.take(case, group)


SENTENCE_END = re.compile(r"(?<=[.!?\u3002\uff01\uff1f])\s+|\n\s*\n")
LOOK_CHARS = 1000  # a first or last sentence longer than this is cut; both copies are cut alike
FIELD_END = b"\x1f"


def content_key(sha256: str, document: Document) -> str:
    """The file's own hash where it is known, else one over all extracted text."""
    if sha256:
        return f"bytes:{sha256}"
    digest = hashlib.sha256()
    for part in document.parts:
        digest.update(part.locator.encode("utf-8", "replace") + FIELD_END)
        digest.update(part.text.encode("utf-8", "surrogatepass") + FIELD_END)
    return f"text:{digest.hexdigest()}"


def near_key(size_bytes: int, title: str, texts: Sequence[str]) -> str:
    """The study's key: size, title, first and last sentence; hashed, so that it says nothing."""
    fields = (str(size_bytes), normalise(title), first_sentence(texts), last_sentence(texts))
    digest = hashlib.blake2b(digest_size=16)
    for field in fields:
        digest.update(field.encode("utf-8", "replace") + FIELD_END)
    return f"near:{digest.hexdigest()}"


def first_sentence(texts: Sequence[str]) -> str:
    for text in texts:
        for sentence in SENTENCE_END.split(text.lstrip()[:LOOK_CHARS]):
            if sentence.strip():
                return single_spaced(sentence)
    return ""


def last_sentence(texts: Sequence[str]) -> str:
    for text in reversed(texts):
        for sentence in reversed(SENTENCE_END.split(text.rstrip()[-LOOK_CHARS:])):
            if sentence.strip():
                return single_spaced(sentence)
    return ""


def single_spaced(sentence: str) -> str:
    return " ".join(sentence.split())
