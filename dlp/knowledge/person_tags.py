"""Tags that know a person again without a name, a date or a number being kept.

In: a key, a person's names, birth date and numbers.  Out: 64-bit tags (SipHash-2-4, keyed).

A tag is made of what a hash of words leaves: case, accents and apostrophes do not matter. Names
are written in several ways, so that one text and one list need not agree on hyphens or umlauts.
"""

from __future__ import annotations

import hmac
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import product
from typing import NamedTuple

import numpy as np

from dlp.knowledge.hashing import ALL_BITS, Hashes, hash_word, words_of
from dlp.knowledge.name_frequencies import PARTICLES
from dlp.model import CUT, MOST_TRACES
from dlp.text.dates import compact_date, iso_date

# A word of a name; first and last name; these or the last name with the birth date; a number by
# itself, or with the last name or the birth date of its bearer.
WORD, NAME, NAMED_BIRTH, LAST_BIRTH = "word", "name", "name+birth", "last+birth"
NUMBER, LAST_NUMBER, BIRTH_NUMBER = "number", "last+number", "birth+number"
KINDS = (WORD, NAME, NAMED_BIRTH, LAST_BIRTH, NUMBER, LAST_NUMBER, BIRTH_NUMBER)
# What a file's tags tell of a person in it. A name is bare where the file gives no birth date.
BARE = "bare name"
TRACED = (NAME, BARE, NAMED_BIRTH, LAST_BIRTH, NUMBER)
SHORTEST_NUMBER = 4  # signs
NOT_ALNUM = re.compile(r"[\W_]+")
DIGITS, LETTERS = re.compile(r"\d"), re.compile(r"[^\W\d_]")
SLASHED = re.compile(r"(\d{1,2})\D(\d{1,2})\D(\d{4}|\d{2})")
# "Müller" is also written "Mueller"; folding alone makes "muller" of the first.
UMLAUTS = (("ä", "ae"), ("ö", "oe"), ("ü", "ue"), ("ø", "oe"), ("å", "aa"), ("ß", "ss"))
# SipHash: Aumasson and Bernstein, 2012.
START = (0x736F6D6570736575, 0x646F72616E646F6D, 0x6C7967656E657261, 0x7465646279746573)
TWO, FOUR = 2, 4


class Described(NamedTuple):
    """A person as a list of patients or somebody who asks knows them."""

    first: str = ""
    last: str = ""
    births: tuple[int, ...] = ()  # YYYYMMDD; several where a writing leaves day and month open
    numbers: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return "Described()"


def siphash(key: bytes, *words: Hashes) -> Hashes:
    """SipHash-2-4 of rows of 64-bit words, for all rows at once."""
    k0, k1 = (np.uint64(int.from_bytes(key[at : at + 8], "little")) for at in (0, 8))
    size = len(words[0])
    state = [np.full(size, np.uint64(start) ^ half) for start, half in zip(
        START, (k0, k1, k0, k1), strict=True)]  # fmt: skip
    length = np.full(size, (8 * len(words) & 0xFF) << 56, dtype=np.uint64)
    for word in (*words, length):
        state[3] ^= word
        mix(state, TWO)
        state[0] ^= word
    state[2] ^= np.uint64(0xFF)
    mix(state, FOUR)
    return np.asarray(state[0] ^ state[1] ^ state[2] ^ state[3])


def mix(state: list[Hashes], rounds: int) -> None:
    a, b, c, d = state
    for _ in range(rounds):
        a += b
        c += d
        b[:] = turned(b, 13) ^ a
        d[:] = turned(d, 16) ^ c
        a[:] = turned(a, 32)
        c += b
        a += d
        b[:] = turned(b, 17) ^ c
        d[:] = turned(d, 21) ^ a
        c[:] = turned(c, 32)


def turned(words: Hashes, bits: int) -> Hashes:
    return np.asarray((words << np.uint64(bits)) | (words >> np.uint64(64 - bits)))


class Tagger:
    """Makes tags of every kind; one purpose cannot be compared with another."""

    def __init__(self, key: bytes, purpose: str) -> None:
        self._keys = {
            kind: hmac.digest(key, f"person tags:{purpose}:{kind}".encode(), "sha256")[:16]
            for kind in KINDS
        }

    def __call__(self, kind: str, *columns: Hashes) -> Hashes:
        return siphash(self._keys[kind], *columns)

    def of_pairs(self, one: Hashes, other: Hashes) -> Hashes:
        """Of first and last names; "Ada Hale" and "Hale, Ada" are alike."""
        return self(NAME, np.minimum(one, other), np.maximum(one, other))

    @property
    def check(self) -> str:
        """Tells whether tags were made with this key."""
        return f"{int(self(WORD, np.zeros(1, dtype=np.uint64))[0]):016x}"

    def of_people(self, people: Iterable[Described]) -> dict[str, Hashes]:
        """All tags of many people, by kind, each once and in order."""
        columns: dict[str, list[tuple[int, ...]]] = {kind: [] for kind in KINDS}
        for person in people:
            for kind, row in rows_of(person):
                columns[kind].append(row)
        return {kind: self._tags(kind, rows) for kind, rows in columns.items()}

    def _tags(self, kind: str, rows: Sequence[tuple[int, ...]]) -> Hashes:
        if not rows:
            return np.zeros(0, dtype=np.uint64)
        table = np.array(rows, dtype=np.uint64)
        return np.unique(self(kind, *(np.ascontiguousarray(column) for column in table.T)))


def rows_of(person: Described) -> Iterator[tuple[str, tuple[int, ...]]]:
    """What of a person is hashed, by kind of tag."""
    family, pairs = last_names(person.last), pairs_of(person)
    numbers = [hash_word(form) for value in person.numbers if (form := number_form(value))]
    for word in {word for pair in pairs for word in pair}:
        yield WORD, (word,)
    for pair in pairs:
        yield NAME, pair
        for birth in person.births:
            yield NAMED_BIRTH, (*pair, birth)
    for last, birth in product(family, person.births):
        yield LAST_BIRTH, (last, birth)
    for number in numbers:
        yield NUMBER, (number,)
        for last in family:
            yield LAST_NUMBER, (last, number)
        for birth in person.births:
            yield BIRTH_NUMBER, (birth, number)


def pairs_of(person: Described) -> set[tuple[int, int]]:
    """Every first name beside every last name, the smaller hash before."""
    return {
        (min(one, other), max(one, other))
        for one, other in product(first_names(person.first), last_names(person.last))
    }


def first_names(name: str) -> set[int]:
    """The first of them, and all in one word where they are one name: Anne-Marie."""
    found = set()
    for writing in writings(name):
        words = [word for word in words_of(writing) if len(word) > 1]
        if words:
            found |= {hash_word(words[0]), hash_word("".join(words))}
    return found


def last_names(name: str) -> set[int]:
    """Each of them without particles, and all in one word: García López, van den Berg."""
    found = set()
    for writing in writings(name):
        words = words_of(writing)
        whole = [word for word in words if word.lower() not in PARTICLES and len(word) > 1] or words
        found |= {hash_word(word) for word in whole}
        if words:
            found |= {hash_word("".join(words)), hash_word("".join(whole))}
    return found


def writings(name: str) -> set[str]:
    """A name as it is, with its umlauts written out, and with those written out drawn together."""
    low = name.lower()
    out, back = low, low
    for sign, letters in UMLAUTS:
        out = out.replace(sign, letters)
        back = back.replace(letters, sign)
    return {low, out, back} if back != low or out != low else {low}


def number_form(value: str) -> str:
    """A number or mail address without signs; empty if it is too short to tell anybody."""
    form = NOT_ALNUM.sub("", value).upper()
    telling = DIGITS.search(form) or "@" in value
    return form if len(form) >= SHORTEST_NUMBER and telling else ""


def shape_of(form: str) -> str:
    """How a number is written: A99999 for H20431."""
    return LETTERS.sub("A", DIGITS.sub("9", form))


def births_of(writing: str) -> tuple[int, ...]:
    """The dates a writing can mean, as YYYYMMDD: both where day and month may be either."""
    digits = "".join(filter(str.isdigit, writing))
    if (
        len(digits) == 8
        and digits.isdigit()
        and compact_date(writing)
        and writing.strip() == digits
    ):
        return (int(digits),) if digits[:2] in {"18", "19", "20"} else ()
    iso = iso_date(writing)
    if re.fullmatch(r"\d{4}-\d\d-\d\d", iso):
        return (int(iso.replace("-", "")),)
    parts = SLASHED.search(writing)
    if not parts:
        return ()
    one, other, year = map(int, parts.groups())
    years = [year] if year > 99 else [1900 + year, 2000 + year]
    pairs = {(one, other), (other, one)}
    return tuple(sorted(
        10_000 * y + 100 * month + day
        for y, (month, day) in product(years, pairs) if 1 <= month <= 12 and 1 <= day <= 31
    ))  # fmt: skip


def as_hashes(values: Iterable[int]) -> Hashes:
    return np.array([value & ALL_BITS for value in values], dtype=np.uint64)


def trace_rows(person: Described) -> Iterator[tuple[str, tuple[int, ...]]]:
    """What of a person in a file is hashed for `dlp find`."""
    yield from (row for row in rows_of(person) if row[0] in TRACED)
    if not person.births:
        yield from ((BARE, pair) for pair in pairs_of(person))


def traces_of(key: bytes, people: Iterable[Described]) -> Hashes:
    """The tags of all people of a file, each once, in order; too many are cut."""
    rows = {(TRACED.index(kind), *row) for one in people for kind, row in trace_rows(one)}
    if not rows:
        return np.zeros(0, dtype=np.uint64)
    wide = np.zeros((len(rows), 4), dtype=np.uint64)
    for at, row in enumerate(rows):
        wide[at, : len(row)] = row
    tags = np.unique(siphash(trace_key(key), *(np.ascontiguousarray(c) for c in wide.T)))
    if len(tags) > MOST_TRACES:
        tags[MOST_TRACES] = CUT
        tags = np.sort(tags[: MOST_TRACES + 1])
    return np.asarray(tags)


@lru_cache(maxsize=4)
def trace_key(key: bytes) -> bytes:
    return hmac.digest(key, b"person tags:trace", "sha256")[:16]


def trace(key: bytes, kind: str, row: tuple[int, ...]) -> int:
    """One tag, for a search."""
    padded = (TRACED.index(kind), *row, *(0,) * (3 - len(row)))
    return int(siphash(trace_key(key), *(as_hashes([word]) for word in padded))[0])
