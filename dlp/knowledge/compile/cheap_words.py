"""Compile the rare health words: single words of MeSH that everyday English hardly uses.

In: the artefacts mesh and words.  Out: cheap_words.bin: a list that one automaton can hold, and a
list of words that a misspelt word is compared with.

The cheap pass of the triage recognises health by one such word; a term of common words only ("heart
failure") is left to rules/cheap.toml.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from dlp.knowledge.artefact import pack_strings, write
from dlp.knowledge.mesh import Mesh, load_mesh
from dlp.knowledge.words import Words, load_words

NAME = "cheap_words"
PACKAGES: tuple[str, ...] = ()
AFTER = ("mesh", "words")
# Diseases (but not those of animals), mental disorders, procedures, tests: any word of a term.
MATTERS = ("C", "F03", "E01", "E02", "E03", "E04", "E06")
ANIMALS = "C22"
DRUGS = "D"  # one-word names only: the rest is chemistry
MAX_ZIPF = 2.6  # "delirium" 2.9 and "murmur" 2.7 are words of novels; "metformin" 2.5 is not
MAX_PROPER = 0.6  # eponyms are names of people first; "Wilson's disease" is a shape
WORD = re.compile(r"[a-z]{5,}")
# Misspelt words are compared with those of illnesses, symptoms and drugs that people write at all.
ILLNESSES = ("C", "F03")
SPELT = 7  # letters
MIN_ZIPF = 1.7  # rarer words are written by people who can spell them


def build(packages: Mapping[str, Path], out: Path) -> str:
    del packages  # everything comes from artefacts
    candidates = sorted(set(candidate_words(load_mesh(out.parent))))
    words = load_words(out.parent)
    zipf, proper = words.zipfs(candidates), words.proper_shares(candidates)
    kept = [
        word
        for word, frequency, share in zip(candidates, zipf, proper, strict=True)
        if frequency <= MAX_ZIPF and not share > MAX_PROPER  # an unknown share is NaN
    ]
    arrays = pack_strings("words", kept)
    spelling = spelling_words(load_mesh(out.parent), words)
    arrays |= pack_strings("spelling", spelling)
    return write(out, arrays, {"words": len(kept), "spelling": len(spelling)})


def spelling_words(mesh: Mesh, words: Words) -> list[str]:
    found: set[str] = set()
    for index in range(len(mesh)):
        places = mesh.tree_numbers(index)
        ill = any(p.startswith(ILLNESSES) and not p.startswith(ANIMALS) for p in places)
        if ill or any(p.startswith(DRUGS) for p in places):
            for term in (mesh.name(index), *mesh.terms(index)):
                if ill or term.isalpha():
                    found.update(word for word in WORD.findall(term.lower()) if len(word) >= SPELT)
    some = sorted(found)
    zipf, proper = words.zipfs(some), words.proper_shares(some)
    return [
        word
        for word, frequency, share in zip(some, zipf, proper, strict=True)
        if frequency >= MIN_ZIPF and not share > MAX_PROPER
    ]


def candidate_words(mesh: Mesh) -> Iterator[str]:
    for index in range(len(mesh)):
        places = mesh.tree_numbers(index)
        is_matter = any(p.startswith(MATTERS) and not p.startswith(ANIMALS) for p in places)
        if not is_matter and not any(p.startswith(DRUGS) for p in places):
            continue
        for term in (mesh.name(index), *mesh.terms(index)):
            words = WORD.findall(term.lower())
            if is_matter or (len(words) == 1 and term.isalpha()):
                yield from words
