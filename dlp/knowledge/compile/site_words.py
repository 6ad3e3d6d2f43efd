"""Compile what the plain words of a site's own texts tell about concepts.

In: texts.  Out: ownwords.bin in the site's folder of knowledge.

A record is a whole text, since whoever guesses a topic reads the whole. Kept are words that MEDLINE
or an English word list knows, or that are clinical shorthand: names of patients are not among them.
"""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path

import numpy as np

from dlp.errors import KnowledgeError
from dlp.knowledge.artefact import load, write_manifest_entry
from dlp.knowledge.compile.cooccurrence import concepts_in, write_records
from dlp.knowledge.health import load_health
from dlp.knowledge.mesh import load_mesh
from dlp.knowledge.names import load_names
from dlp.knowledge.site import site_folder
from dlp.knowledge.site_words import NAME as OWN_WORDS  # a NAME of our own would make this a step
from dlp.knowledge.word_cooccurrence import TOKEN, Collector, load_cowords
from dlp.knowledge.words import load_words
from dlp.resources import artefacts_folder, rules_folder

LONGEST = 8_000  # characters of a text that make one record
FEWEST = 8  # records: a site has thousands of texts where MEDLINE has tens of thousands
COMMON = 0.5
WORDS = re.compile(r"\w+")
NAMELIKE = 0.5  # share of a word's uses that are names, from which on it may be one


class Vocabulary(Collection[str]):
    """Words that may be noted: known ones that are no names."""

    def __init__(self) -> None:
        self._medline = load_cowords(artefacts_folder()).words()
        self._words, self._names = load_words(), load_names()
        shorts = (entry["short"].lower() for entry in _shorthand())
        self._shorthand = frozenset(short for short in shorts if TOKEN.fullmatch(short))
        self._known: dict[str, bool] = {}

    def __contains__(self, word: object) -> bool:
        if not isinstance(word, str):
            return False
        if word not in self._known:
            self._known[word] = self._is_known(word)
        return self._known[word]

    def _is_known(self, word: str) -> bool:
        if word in self._medline or word in self._shorthand or word[0].isdigit():  # a dose
            return True
        share = self._words.proper_share(word)
        if np.isnan(share):  # no count of capitals: what may be a name counts as one
            named = self._names.first(word) or self._names.last(word)
            return self._words.zipf(word) > 0 and not named
        return share < NAMELIKE

    def __iter__(self) -> Iterator[str]:
        return iter(self._known)

    def __len__(self) -> int:
        return len(self._known)


def build_words(texts: Iterable[str], where: str, out: Path | None = None) -> int:
    """Compile texts, each once however many copies there are; return the number of records."""
    return compile_words(read_records(_once(texts)), out or site_folder(), where)


def compile_words(records: Iterable[tuple[str, set[str]]], out: Path, where: str) -> int:
    """Compile texts with the concepts each names."""
    out.mkdir(parents=True, exist_ok=True)
    words = Collector(Vocabulary(), FEWEST, COMMON, TOKEN)
    named = []
    for number, (text, concepts) in enumerate(records):
        words.note(number, text)
        named.append(concepts)
    if not any(named):
        raise KnowledgeError(
            "no text with health terms was found", where=where, fix="give a share with records"
        )
    path = out / f"{OWN_WORDS}.bin"
    sha256 = write_records(path, named, load_mesh(), {}, source="site", words=words)
    meta = load(OWN_WORDS, out, check=False).meta
    write_manifest_entry(out, OWN_WORDS, sha256, **meta)
    return int(meta["records"])


def read_records(texts: Iterable[str]) -> Iterator[tuple[str, set[str]]]:
    lexicon = load_health()
    exact = {e["short"].lower(): e["short"] for e in _shorthand() if e["case"] == "exact"}
    for text in texts:
        for start in range(0, len(text), LONGEST):
            piece = text[start : start + LONGEST]
            # In small letters it is another word: "std" is a standard drink or visit.
            plain = WORDS.sub(lambda hit: _unless_another(hit.group(), exact), piece)
            yield piece, concepts_in(plain, lexicon)


def _unless_another(word: str, exact: Mapping[str, str]) -> str:
    return "" if word.islower() and exact.get(word, word) != word else word


def _shorthand() -> list[dict[str, str]]:
    table = tomllib.loads((rules_folder() / "shorthand.toml").read_text(encoding="utf-8"))
    return list(table["shorthand"])


def _once(texts: Iterable[str]) -> Iterator[str]:
    seen: set[bytes] = set()
    for text in texts:
        mark = hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=16).digest()
        if text.strip() and mark not in seen:
            seen.add(mark)
            yield text
