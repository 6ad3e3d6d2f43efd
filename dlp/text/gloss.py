"""Write the small words of another language in English, and keep where everything stood.

In: a part, the languages of its document, and the spans of names, numbers and health terms.
Out: a part with English words around those spans, and a map of places both ways.

Who is meant, how a fact is tied to a person and how a text reads is told from English wording:
"my daughter", "suffers from", "Diagnosis:". The tables rules/languages/*/gloss.toml say these words
of another language in English. They are read with or without accents. A name, a number and a health
term stay as they are; an article before a name ("el Paco", "der Uwe") is left out.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from typing import NamedTuple, TypeVar

from dlp.languages import language_table, spoken_in
from dlp.model import Case, FieldMap, Finding, Kind, Mention, Part
from dlp.text.folding import fold

Span = tuple[int, int]
Placed = TypeVar("Placed", Finding, Mention)
WORD = re.compile(r"[^\W_]+")
SHORT = 8_000  # characters of a part whose phrases are kept with those of many others


class Phrase(NamedTuple):
    start: int
    end: int
    english: str


class Gloss:
    """The phrases and labels of one language."""

    def __init__(
        self, phrases: dict[str, str], labels: dict[str, str], before_names: dict[str, str]
    ) -> None:
        self._labels = {fold(label): name for label, name in labels.items()}
        self._before_names = before_names
        self._english = {**{one: one for one in before_names}, **labels, **phrases}
        self._folded: dict[str, str] = {}
        for one, english in self._english.items():  # what is spelt without accents goes first
            if one.isascii() or fold(one) not in self._folded:
                self._folded[fold(one)] = english
        # by its first word: what stands before that word, and the whole phrase
        self._by_word: dict[str, list[tuple[int, str]]] = {}
        for phrase in self._folded:
            if word := WORD.search(phrase):
                self._by_word.setdefault(word[0], []).append((word.start(), phrase))
        for alike in self._by_word.values():
            alike.sort(key=lambda one: (-one[0], -len(one[1])))
        # a document is read in English by several stages; the spans of its phrases are the same
        self._of_short = lru_cache(maxsize=128)(self._spans_afresh)
        self._of_long = lru_cache(maxsize=2)(self._spans_afresh)

    def phrases_in(self, text: str, kept: Sequence[Span], names: Iterable[int]) -> list[Phrase]:
        """In order, none over another or over a kept span; the longest of those that begin alike.

        `names` are the places where somebody's name begins.
        """
        named = frozenset(names)
        starts = [start for start, _ in kept]
        phrases, at = [], 0
        for start, end in self._of_short(text) if len(text) <= SHORT else self._of_long(text):
            near = bisect_right(starts, end - 1) - 1
            if start < at or (near >= 0 and kept[near][1] > start):
                continue
            at = end
            phrases.append(self._phrase(text[start : end + 1], start, end, named))
        return phrases

    def _spans_afresh(self, text: str) -> list[Span]:
        """Where phrases stand as whole words, in order; the longest of those that begin alike."""
        folded, by_word = fold(text).replace("’", "'"), self._by_word
        found: list[Span] = []
        for word in WORD.finditer(folded):
            for before, phrase in by_word.get(word[0], ()):
                start = word.start() - before
                end = start + len(phrase)
                if (
                    folded.startswith(phrase, start)
                    and is_whole(folded, start, end)
                    and self._says(text, start, end)
                ):
                    found.append((start, end))
        return found

    def _phrase(self, text: str, start: int, end: int, named: frozenset[int]) -> Phrase:
        written = text[: end - start].replace("’", "'")
        low = written.lower()
        gap = 0 if low.endswith("'") else 1
        if end + gap in named and (english := self._before_names.get(low)) is not None:
            return Phrase(start, end + gap, english and f"{english} ")
        english = self._english.get(low) or self._folded[fold(low)]
        return Phrase(start, end, capitals_of(written, english))

    def _says(self, text: str, start: int, end: int) -> bool:
        """Whether a phrase stands there; accents may lack, but "uña" is not "una".

        Nor is "e um" (and a) "é um" (it is): other phrases of those very letters go first.
        """
        written = text[start:end].lower().replace("’", "'")
        if written in self._english:
            return True
        return written.isascii() and not all(word in self._english for word in written.split())

    def written(self, text: str) -> str:
        return Glossed(text, self.phrases_in(text, (), ())).text

    def label(self, label: str) -> str:
        return self._labels.get(fold(label).strip(" :"), label)


def capitals_of(written: str, english: str) -> str:
    if len(written) > 1 and written.isupper():
        return english.upper()
    return english[:1].upper() + english[1:] if written[0].isupper() else english


def is_whole(folded: str, start: int, end: int) -> bool:
    if start and folded[start - 1].isalnum() and folded[start].isalnum():
        return False
    return not (folded[end - 1].isalnum() and end < len(folded) and folded[end].isalnum())


class Glossed:
    """A text with phrases replaced, and which place of one text is which of the other."""

    def __init__(self, text: str, phrases: Sequence[Phrase]) -> None:
        self._here, self._there, pieces = [0], [0], []
        at = there = 0
        for start, end, english in phrases:
            pieces += [text[at:start], english]
            there += start - at
            self._here += [start, end]
            self._there += [there, there + len(english)]
            there += len(english)
            at = end
        pieces.append(text[at:])
        self.text = "".join(pieces)
        self._here.append(len(text))
        self._there.append(len(self.text))

    def there(self, place: int) -> int:
        """A place of the original in the English text; inside a phrase it comes as near."""
        return moved(place, self._here, self._there)

    def back(self, place: int) -> int:
        return moved(place, self._there, self._here)


def moved(place: int, these: Sequence[int], those: Sequence[int]) -> int:
    at = bisect_right(these, place) - 1
    if at + 1 >= len(those):
        return those[-1]
    return min(those[at] + place - these[at], those[at + 1])


@cache
def load_gloss(language: str) -> Gloss:
    table = language_table(language, "gloss")
    phrases = {one: english for english, many in table["phrases"].items() for one in many}
    return Gloss(phrases, table["labels"], table["before_names"])


class InEnglish:
    """A case as its English reading: the same parts, findings and mentions, moved.

    A text of several languages is glossed by each of them in turn.
    """

    def __init__(self, case: Case, found: Iterable[Mention] = ()) -> None:
        assert case.document
        self._parts = case.document.parts
        self._glosses = [load_gloss(code) for code in spoken_in(case)]
        kept: list[list[Span]] = [[] for _ in self._parts]
        names: list[list[int]] = [[] for _ in self._parts]
        quasi: Sequence[Finding] = case.facts.get("quasi", ())
        placed: list[Finding | Mention] = [*case.findings, *quasi, *found]
        for one in placed:
            kept[one.part].append((one.start, one.end))
            if one.kind is Kind.PERSON:
                names[one.part].append(one.start)
        self.glossed = [
            self._written(part.text, merged(sorted(spans)), starts)
            for part, spans, starts in zip(self._parts, kept, names, strict=True)
        ]
        parts = tuple(map(self._part, self._parts, self.glossed))
        document = replace(case.document, parts=parts)
        facts = {**case.facts, "quasi": tuple(self.moved(quasi))}
        for name in ("mentions", "unnamed"):
            if name in facts:
                facts[name] = tuple(self.moved(facts[name]))
        self.case = case.but(
            document=document, findings=tuple(self.moved(case.findings)), facts=facts
        )

    def _written(self, text: str, kept: Sequence[Span], names: Sequence[int]) -> Glossed:
        phrases: list[Phrase] = []
        taken = [*kept]  # apart, as phrases keep clear of what is taken
        for gloss in self._glosses:
            more = gloss.phrases_in(text, taken, names)
            phrases += more
            taken += [(one.start, one.end) for one in more]
            taken.sort()
        phrases.sort()
        return Glossed(text, phrases)

    def _part(self, part: Part, glossed: Glossed) -> Part:
        there = glossed.there
        fields = part.fields
        if fields is not None:
            told = FieldMap()
            for label, start, end, record in fields:
                for gloss in self._glosses:
                    label = gloss.label(label)  # noqa: PLW2901
                told.add(label, there(start), there(end), record)
            fields = told
        template = tuple((there(start), there(end)) for start, end in part.template)
        return replace(part, text=glossed.text, fields=fields, template=template)

    def moved(self, ones: Iterable[Placed]) -> Iterator[Placed]:
        for one in ones:
            there = self.glossed[one.part].there
            yield one._replace(start=there(one.start), end=there(one.end))

    def back(self, ones: Iterable[Placed]) -> Iterator[Placed]:
        for one in ones:
            back = self.glossed[one.part].back
            yield one._replace(start=back(one.start), end=back(one.end))


def merged(spans: Sequence[Span]) -> list[Span]:
    """Sorted spans, those that overlap as one."""
    joined: list[Span] = []
    for start, end in spans:
        if joined and start < joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined
