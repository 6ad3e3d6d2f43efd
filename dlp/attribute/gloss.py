"""Write the small words of another language in English, each where it stood.

In: a part and the languages of its document.  Out: the part with the same length, places and names,
and English words around them.

How a fact is tied to a person is read from English wording: "suffers from", "Diagnosis:", "her".
The tables rules/languages/*/gloss.toml say these words of another language in English, padded with
blanks to the length of the original, so that every place stays valid. Names and health terms are
not touched. Nothing but attribution reads the result.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from typing import Any

import ahocorasick

from dlp.errors import RuleError
from dlp.languages import language_table
from dlp.model import FieldMap, Part
from dlp.text.folding import fold


class Gloss:
    def __init__(self, phrases: dict[str, str], labels: dict[str, str]) -> None:
        fitting = {label: name for label, name in labels.items() if len(name) <= len(label)}
        self._labels = {fold(label): name for label, name in labels.items()}
        self._english = {one.lower(): english for one, english in (fitting | phrases).items()}
        self._automaton: Any = ahocorasick.Automaton()
        for phrase in self._english:
            self._automaton.add_word(phrase, phrase)
        self._automaton.make_automaton()

    def written(self, text: str) -> str:
        """The text with its phrases in English; the longest of those that begin alike."""
        folded = text.lower()
        if len(folded) != len(text):  # a few capitals have small forms of two characters
            folded = "".join(character.lower()[0] for character in text)
        found = sorted(
            (last + 1 - len(phrase), -last - 1, phrase)
            for last, phrase in self._automaton.iter(folded)
            if is_whole(folded, last + 1 - len(phrase), last + 1)
        )
        pieces, at = [], 0
        for start, end, phrase in found:
            if start < at:
                continue
            english = self._english[phrase]
            if text[start].isupper():
                english = english[:1].upper() + english[1:]
            pieces += [text[at:start], english.ljust(len(phrase))]
            at = -end
        return "".join([*pieces, text[at:]])

    def label(self, label: str) -> str:
        return self._labels.get(fold(label).strip(" :"), label)


def is_whole(folded: str, start: int, end: int) -> bool:
    if start and folded[start - 1].isalnum() and folded[start].isalnum():
        return False
    return not (folded[end - 1].isalnum() and end < len(folded) and folded[end].isalnum())


@cache
def load_gloss(language: str) -> Gloss:
    table = language_table(language, "gloss")
    phrases: dict[str, str] = table["phrases"]
    for phrase, english in phrases.items():
        if len(english) > len(phrase):
            where = f"languages/{language}/gloss.toml {phrase}"
            raise RuleError("the English is longer", where=where, fix="choose a shorter word")
    return Gloss(phrases, table["labels"])


def glossed(part: Part, languages: Iterable[str]) -> Part:
    for language in languages:
        gloss = load_gloss(language)
        fields = part.fields
        if fields is not None:
            told = FieldMap()
            for label, start, end, record in fields:
                told.add(gloss.label(label), start, end, record)
            fields = told
        part = replace(part, text=gloss.written(part.text), fields=fields)
    return part
