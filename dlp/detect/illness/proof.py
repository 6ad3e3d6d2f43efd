"""Prove that every curated health phrase is found in a text.

In: the tables of rules/ that hold health words.  Out: the phrases that a sentence does not yield.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from typing import Any

from dlp.detect.illness.health import FindHealth
from dlp.knowledge.phrases import fold_words
from dlp.resources import rules_folder

SENTENCE = "At the clinic she was treated for asthma, with {} recorded in March."
TERMS = {
    "health_terms.toml": ("adjectives", "drugs", "procedures", "tests"),
    "lay_terms.toml": ("diseases", "symptoms", "drugs", "procedures", "tests"),
}
INFERENCE = ("drug", "procedure", "alone", "phrase")


def curated_phrases() -> Iterator[tuple[str, str]]:
    """File and phrase of everything that is curated."""
    for file, sections in TERMS.items():
        table = read(file)
        for section in sections:
            for texts in table[section].values():
                yield from ((file, text) for text in texts)
    for one in read("lay_terms.toml")["combined"]:
        yield from (("lay_terms.toml", f"{first} {one['second'][0]}") for first in one["first"])
    table = read("inference.toml")
    yield from (("inference.toml", name) for section in INFERENCE for name in table[section])
    for entry in read("shorthand.toml")["shorthand"]:
        if entry["kind"] != "context":
            yield "shorthand.toml", entry["short"]


def unfound_phrases(find: FindHealth) -> Iterator[str]:
    """The curated phrases in whose place nothing is found."""
    for file, phrase in curated_phrases():
        text = SENTENCE.format(phrase)
        start = SENTENCE.index("{}")
        end = start + len(phrase)
        if not any(one.start < end and start < one.end for one in find.find(text)):
            yield f"{file}: {phrase!r} is not found in a text"


def duplicates() -> Iterator[str]:
    """Phrases that two headings of the lay terms list: the first would win silently."""
    seen: dict[str, str] = {}
    table = read("lay_terms.toml")
    for section in TERMS["lay_terms.toml"]:
        for heading, texts in table[section].items():
            for text in texts:
                folded = " ".join(fold_words(text))
                if folded in seen:
                    yield f"lay_terms.toml: {text!r} stands under {seen[folded]!r} and {heading!r}"
                seen[folded] = heading


def read(file: str) -> dict[str, Any]:
    return tomllib.loads((rules_folder() / file).read_text())
