"""The words around names as one table: what each is, asked by hash for a whole text at once.

In: rules/people.toml, mentions/en.toml, languages/*/names.toml, eponyms.toml.  Out: bits per word,
cue phrases.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from dlp.detect.naming.mention import CLINICIAN, PATIENT, PUBLIC, RELATIVE
from dlp.detect.naming.tokens import GAPS
from dlp.errors import RuleError
from dlp.knowledge.arrays import nonzero
from dlp.knowledge.hashing import Hashes, hash_word, hash_words, words_of
from dlp.knowledge.names import FIRST, LAST, load_names
from dlp.knowledge.people import People, load_people
from dlp.languages import language_table
from dlp.resources import rules_folder
from dlp.rulebook import read_toml

TITLE, BEFORE, AFTER, NEVER, PARTICLE, THING, EPONYM = (1 << n for n in range(7))
STREET, INSTITUTION, CREDENTIAL, PLACE_CUE, UNIT, VAGUE, ENGLISH, LEADS, MONTH = (
    1 << n for n in range(7, 16)
)
ANY, KNOWN, CLEAR = "any", "known", "clear"
LABEL_ROLES = {
    "name": PATIENT,
    "first_name": PATIENT,
    "last_name": PATIENT,
    "provider": CLINICIAN,
    "contact": RELATIVE,
}
TITLE_ROLES = {"medical": CLINICIAN}
SHORT_TITLES = frozenset({"mr", "mrs", "ms", "dr", "drs", "prof", "doctor", "professor", "nurse"})
PUBLIC_TITLES = frozenset({"president", "senator", "governor", "minister"})
WORD_LISTS = {
    "never": NEVER,
    "particles": PARTICLE,
    "things": THING,
    "vague": VAGUE,
    "place_before": PLACE_CUE,
    "lonely": EPONYM,
    "months": MONTH,
}
LONGEST_CUE = 4
Words = npt.NDArray[np.uint16]


class Cue(NamedTuple):
    evidence: str
    role: str
    needs: str
    gaps: frozenset[int]
    sex: str = ""


@dataclass(frozen=True, slots=True)
class Lexicon:
    before: Mapping[str, tuple[Cue, ...]]  # by its words, folded and joined by one space
    after: Mapping[str, tuple[Cue, ...]]
    titles: Mapping[str, Cue]
    places: frozenset[str]
    origins: frozenset[str]
    month_before: frozenset[str]
    keys: Hashes
    bits: Words

    def look_up(self, hashes: Hashes) -> Words:
        """What each word is; 0 for all the others."""
        buckets = buckets_of(self)
        slots = (hashes >> BUCKET_SHIFT).view(np.int64)
        found = np.zeros(len(hashes), dtype=np.uint16)
        near = buckets.first.take(slots)
        maybe = nonzero(near != NOBODY)
        at, wanted = near[maybe], hashes[maybe]
        for _ in range(buckets.steps):
            at += self.keys.take(at, mode="clip") < wanted
        hit = nonzero(self.keys.take(at, mode="clip") == wanted)
        found[maybe[hit]] = self.bits.take(at[hit])
        return found


class Buckets(NamedTuple):
    """Where the keys begin that share their leading 16 bits: most words of a text meet none."""

    first: npt.NDArray[np.uint16]
    steps: int  # from the first key of a bucket to its last, at most


BUCKET_SHIFT = np.uint64(48)
NOBODY = 0xFFFF
_buckets: dict[int, Buckets] = {}


def buckets_of(lexicon: Lexicon) -> Buckets:
    known = _buckets.get(id(lexicon))
    if known is None:
        leading, first, sizes = np.unique(
            lexicon.keys >> BUCKET_SHIFT, return_index=True, return_counts=True
        )
        begins = np.full(1 << 16, NOBODY, dtype=np.uint16)
        begins[leading.astype(np.int64)] = first
        known = _buckets[id(lexicon)] = Buckets(begins, int(sizes.max(initial=1)) - 1)
    return known


class Builder:
    def __init__(self, people: People) -> None:
        self._people = people
        self._marked: list[tuple[str, int]] = []
        self.before: dict[str, list[Cue]] = {}
        self.after: dict[str, list[Cue]] = {}
        self.titles: dict[str, Cue] = {}
        self.places: set[str] = set()
        self.origins: set[str] = set()
        self.month_before: set[str] = set()

    def mark(self, words: Iterable[str], bit: int) -> None:
        for word in words:
            pieces = words_of(word)
            if pieces:
                self._marked.append((pieces[0 if bit in {AFTER, CREDENTIAL} else -1], bit))

    def cue(self, table: dict[str, list[Cue]], word: str, cue: Cue) -> None:
        table.setdefault(" ".join(words_of(word.lower())), []).append(cue)

    def label(self, word: str, group: str, *, needs: str) -> None:
        """ "Name:" asks for any name; "CC:" and "Patient:" are followed by other things too."""
        if group in LABEL_ROLES:
            self.cue(self.before, word, Cue("label", LABEL_ROLES[group], needs, gaps("colon")))
            self.mark([word], BEFORE)

    def from_gloss(self, labels: Mapping[str, str]) -> None:
        """The labels of another language ask for whom their English asks for."""
        for word, english in labels.items():
            if known := self._people.labels.get(english):
                self.label(word, known.group, needs=ANY)

    def from_people(self) -> None:
        people = self._people
        for word, known in people.titles.items():
            role = PUBLIC if word in PUBLIC_TITLES else TITLE_ROLES.get(known.group, "")
            # "Dr" asks for any name; "resident" and "general" are followed by other things too
            needs = ANY if known.group == "civil" or word in SHORT_TITLES else KNOWN
            self.titles[word] = Cue("title", role, needs, frozenset({0, 1}), known.sex)
        self.mark(people.titles, TITLE)
        for word, known in people.kinship.items():
            self.cue(
                self.before, word, Cue("kinship", RELATIVE, KNOWN, gaps("space comma"), known.sex)
            )
        self.mark(people.kinship, BEFORE)
        for word, known in people.labels.items():
            self.label(word, known.group, needs=ANY if "name" in word else KNOWN)
        for word in people.providers:
            self.cue(self.before, word, Cue("provider", CLINICIAN, KNOWN, gaps("space comma")))
        self.mark(people.providers, BEFORE)
        self.mark(people.streets, STREET)
        self.mark(people.institutions, INSTITUTION)
        self.mark(people.credentials, CREDENTIAL)
        self.mark(people.units, UNIT)

    def from_language(self, book: Mapping[str, Any], where: str) -> None:
        try:
            for section, table, bit in (
                ("before", self.before, BEFORE),
                ("after", self.after, AFTER),
            ):
                for entry in book.get(section, ()):
                    cue = Cue(entry["evidence"], entry["role"], entry.get("needs", CLEAR),
                              gaps(" ".join(entry["gaps"])))  # fmt: skip
                    for word in entry["words"]:
                        self.cue(table, word, cue)
                    self.mark(entry["words"], bit)
                    if cue.needs == ANY and "space" in entry["gaps"]:
                        self.mark(entry["words"], LEADS)
            for word, (role, sex) in book.get("titles", {}).items():
                self.titles[word] = Cue("title", role, ANY, gaps("space dot"), sex)
                self.mark([word], TITLE)
            words = book["words"]
            if book["language"] == "en":
                self.mark(words["never"], ENGLISH)
            for section, bit in WORD_LISTS.items():
                self.mark(words.get(section, ()), bit)
            self.places |= {" ".join(words_of(word)) for word in words.get("place_before", ())}
            self.month_before |= set(words.get("month_before", ()))
            origins = words.get("origins", ())
            self.origins |= {*origins, *(f"{word}s" for word in origins)}
            self.mark(self.origins, NEVER)
        except (KeyError, TypeError, ValueError) as error:
            raise RuleError(f"a cue is incomplete: {error}", where=where) from error

    def build(self) -> Lexicon:
        found: dict[int, int] = {}
        hashes = hash_words([word for word, _ in self._marked]).tolist()
        for key, (_, bit) in zip(hashes, self._marked, strict=True):
            found[key] = found.get(key, 0) | bit
        order = sorted(found)
        return Lexicon(
            before={word: tuple(cues) for word, cues in self.before.items()},
            after={word: tuple(cues) for word, cues in self.after.items()},
            titles=self.titles,
            places=frozenset(self.places),
            origins=frozenset(self.origins),
            month_before=frozenset(self.month_before),
            keys=np.array(order, dtype=np.uint64),
            bits=np.array([found[key] for key in order], dtype=np.uint16),
        )


def longest_cues(cues: Iterable[str], *, last: bool) -> dict[str, int]:
    """By the word of a cue that stands beside the name: how many words such a cue has at most."""
    longest: dict[str, int] = {}
    for cue in cues:
        words = cue.split(" ")
        beside, size = words[-1 if last else 0], min(len(words), LONGEST_CUE)
        longest[beside] = max(size, longest.get(beside, 0))
    return longest


Keyed = tuple[str, int, Iterable[Any], list[int]]


def keyed(lexicon: Lexicon, cues: Mapping[str, Iterable[Any]], *, last: bool) -> list[Keyed | None]:
    """For each key of the lexicon: the word, the words of its longest cue, what it is by itself.

    And the hashes of words beside it in a cue. Only for words of plain letters: what is spelt as
    plainly and has the same hash is that word.
    """
    found: list[Keyed | None] = [None] * len(lexicon.keys)
    longest = longest_cues(cues, last=last)
    plain = [word for word in longest if word.isascii() and word.isalnum()]
    beside: dict[str, list[int]] = {word: [] for word in plain}
    for cue in cues:
        words = cue.split(" ")[:: -1 if last else 1]
        if len(words) > 1 and words[0] in beside:
            beside[words[0]].append(hash_word(words[1]))
    hashes = hash_words(plain)
    places = lexicon.keys.searchsorted(hashes).tolist()
    for word, place, key in zip(plain, places, hashes.tolist(), strict=True):
        if place < len(found) and int(lexicon.keys[place]) == key:
            found[place] = (word, longest[word], cues.get(word, ()), beside[word])
    return found


def small_words(language: str) -> list[str]:
    """The words of a language that its gloss says in English."""
    phrases = language_table(language, "gloss")["phrases"].values() if language else ()
    return [one for many in phrases for one in many]


def words_of_no_name(language: str) -> list[str]:
    """The health words, headings and small words of a language that nobody is called by.

    German writes nouns with a capital, and every language the first word of a line.
    """
    single = {*language_table(language, "gloss")["labels"], *small_words(language)}
    for table in language_table(language, "terms")["terms"].values():
        single.update(word for words in table.values() for word in words)
    words = sorted(one for one in single if one.isalpha())
    known = (load_names().flags(words) & (FIRST | LAST)).tolist()
    return [word for word, name in zip(words, known, strict=True) if not name]


def gaps(names: str) -> frozenset[int]:
    return frozenset(GAPS.index(name) for name in names.split())


@functools.cache
def load_lexicon(language: str = "") -> Lexicon:
    """The words of English and Spanish, which share their names, and of one language more."""
    builder = Builder(load_people())
    builder.from_people()
    folder = rules_folder()
    builder.from_language(read_toml(folder / "mentions" / "en.toml"), "mentions/en.toml")
    for word in small_words(language):  # German "im" is no "I'm"
        builder.before.pop(word, None)
    for code in dict.fromkeys(("es", language or "es")):
        builder.from_language(language_table(code, "names"), f"languages/{code}/names.toml")
    if language:
        builder.from_gloss(language_table(language, "gloss")["labels"])
        builder.mark(words_of_no_name(language), NEVER)
    builder.mark(read_toml(folder / "eponyms.toml").get("names", ()), EPONYM)
    return builder.build()
