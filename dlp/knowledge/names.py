"""First and last names: how many people bear them, of which sex, born when; and when a name is not.

In: a token.  Out: counts, shares and how likely it is an ordinary word; bits for many tokens.

Counts are those of the US Census of 2020. Case, accents and apostrophes do not matter.
"""

from __future__ import annotations

import functools
import math
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from dlp.errors import RuleError
from dlp.knowledge.artefact import Artefact, load
from dlp.knowledge.hashing import Hashes, HashTable, hash_word, hash_words
from dlp.knowledge.words import Words, load_words
from dlp.prepared import read_table
from dlp.resources import rules_folder

FIRST, LAST, WORD, PLACE = 1, 2, 4, 8
UNKNOWN = 255
NO_PROFILE = 65535
DECADES = tuple(range(1910, 2020, 10))
# The unlisted rest has fewer bearers than the list's floor of 90; how few, nobody counted.
RARE = 10
# A word that is ordinary in a third of its uses is worth a second look before it is a name.
ORDINARY = 1 / 3
REMEMBERED = 200_000  # tokens; a worker's cache stays below 20 MB
# Where no capitals were counted: the Zipf frequency a name of n bearers reaches as a name,
# by least squares over the 16,000 names that are hardly ever ordinary words (correlation 0.5).
NAME_ZIPF = (0.70, 0.49)  # plus this many times log₁₀ n
RARE_WORD, RARELY = 2.3, 0.3  # Zipf, once in five million words; at most this ordinary
Bits = npt.NDArray[np.uint8]
Counts = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class FirstName:
    count: int  # bearers in the US; 0 for a name known from another country only
    share: float  # of the population; never 0, so that a product of shares stays alive
    female_share: float | None
    decades: tuple[float, ...]  # of birth, as in DECADES; sums to 1; everyone's when unknown


@dataclass(frozen=True, slots=True)
class LastName:
    count: int
    share: float


class Names:
    def __init__(self, artefact: Artefact, words: Words, places: HashTable) -> None:
        self._first, self._last = HashTable(artefact, "first"), HashTable(artefact, "last")
        self._first_count, self._last_count = artefact["first.count"], artefact["last.count"]
        self._female = artefact["first.female"]
        self._row = artefact["first.row"]
        self._curves = artefact["curves"]
        self._everyone: tuple[float, ...] = tuple(artefact["everyone"].tolist())
        self._first_total = int(artefact.meta["first_total"])
        self._last_total = int(artefact.meta["last_total"])
        self._words = words
        self._places = places
        self._known: dict[str, int] = {}

    def first(self, name: str) -> FirstName | None:
        at = self._first.find_one(hash_word(name))
        if at < 0:
            return None
        count = int(self._first_count[at])
        female = int(self._female[at])
        return FirstName(
            count=count,
            share=max(count, RARE) / self._first_total,
            female_share=None if female == UNKNOWN else female / 250,
            decades=self._decades(int(self._row[at])),
        )

    def female_share(self, name: str) -> float | None:
        """The same of a first name without the rest; None when it is not known."""
        at = self._first.find_one(hash_word(name))
        female = UNKNOWN if at < 0 else int(self._female[at])
        return None if female == UNKNOWN else female / 250

    def last(self, name: str) -> LastName | None:
        at = self._last.find_one(hash_word(name))
        if at < 0:
            return None
        count = int(self._last_count[at])
        return LastName(count=count, share=max(count, RARE) / self._last_total)

    @property
    def everyone(self) -> tuple[float, ...]:
        """The birth decades of the whole population, as in DECADES."""
        return self._everyone

    @property
    def rare_first_share(self) -> float:
        """The share to assume for a first name that no list holds."""
        return RARE / self._first_total

    @property
    def rare_last_share(self) -> float:
        return RARE / self._last_total

    def ambiguity(self, name: str) -> float:
        """How often the string is an ordinary word: near 1 for "will", near 0 for "jennifer"."""
        return self.standing(name)[0]

    def standing(self, name: str) -> tuple[float, int]:
        """How ordinary one string is, and how many bear it as a first or a last name."""
        key = hash_word(name)
        first, last = self._first.find_one(key), self._last.find_one(key)
        as_first = 0 if first < 0 else int(self._first_count[first])
        as_last = 0 if last < 0 else int(self._last_count[last])
        listed = first >= 0 or last >= 0
        return self._weigh_one(key, max(as_first, as_last, listed)), as_first + as_last

    def _weigh_one(self, key: int, bearers: int) -> float:
        zipf, proper = self._words.look_up_one(key)
        if not zipf:
            return 0.0
        if proper is None:
            if not bearers and zipf < RARE_WORD:
                return 0.0  # neither listed nor ever counted: nobody knows this word
            as_name = NAME_ZIPF[0] + NAME_ZIPF[1] * math.log10(max(bearers, 1))
            proper = min(10 ** (as_name - zipf), 1.0) if bearers else 0.0
        ordinary = 1 - proper
        if bearers and zipf < RARE_WORD:
            ordinary = min(ordinary, RARELY)
        return ordinary

    def counts(self, names: Sequence[str]) -> tuple[Counts, Counts]:
        """Bearers as a first and as a last name; 0 when unlisted."""
        return self.counts_of(hash_words(names))

    def flags(self, tokens: Sequence[str]) -> Bits:
        """FIRST, LAST, WORD and PLACE bits of each token; the possessive 's is the caller's."""
        known = self._known
        new = list({token for token in tokens if token not in known})
        if new:
            if len(known) + len(new) > REMEMBERED:
                known.clear()
                new = list(set(tokens))
            known.update(zip(new, self._look_up(new).tolist(), strict=True))
        return np.fromiter(map(known.__getitem__, tokens), dtype=np.uint8, count=len(tokens))

    def _look_up(self, tokens: Sequence[str]) -> Bits:
        return self.bits(hash_words(tokens))[0]

    def bits(self, hashes: Hashes) -> tuple[Bits, npt.NDArray[np.float64], Flags]:
        """For words hashed before: bits, how ordinary each is, whether mostly a first name."""
        first, last = self._first.find(hashes), self._last.find(hashes)
        as_first = np.where(first < 0, 0, self._first_count[first]).astype(np.int64)
        as_last = np.where(last < 0, 0, self._last_count[last]).astype(np.int64)
        listed = (first >= 0) | (last >= 0)
        ordinary = self._weigh(hashes, np.maximum(np.maximum(as_first, as_last), listed))
        bits = np.where(first >= 0, FIRST, 0)
        bits |= np.where(last >= 0, LAST, 0)
        bits |= np.where(self._places.find(hashes) >= 0, PLACE, 0)
        bits |= np.where(ordinary >= ORDINARY, WORD, 0)
        return bits.astype(np.uint8), ordinary, as_first > as_last

    def bits_of_one(self, key: int) -> tuple[int, float, bool]:
        """The same for one word, without the price of arrays."""
        first, last = self._first.find_one(key), self._last.find_one(key)
        as_first = int(self._first_count[first]) if first >= 0 else 0
        as_last = int(self._last_count[last]) if last >= 0 else 0
        listed = first >= 0 or last >= 0
        ordinary = self._weigh_one(key, max(as_first, as_last, listed))
        bits = FIRST if first >= 0 else 0
        bits |= LAST if last >= 0 else 0
        bits |= PLACE if self._places.find_one(key) >= 0 else 0
        bits |= WORD if ordinary >= ORDINARY else 0
        return bits, ordinary, as_first > as_last

    def _ordinary(self, hashes: Hashes) -> npt.NDArray[np.float64]:
        first, last = self._first.find(hashes), self._last.find(hashes)
        listed = (first >= 0) | (last >= 0)
        return self._weigh(hashes, np.maximum(np.maximum(*self.counts_of(hashes)), listed))

    def _weigh(self, hashes: Hashes, bearers: Counts) -> npt.NDArray[np.float64]:
        zipf, proper = self._words.look_up(hashes)
        as_name = NAME_ZIPF[0] + NAME_ZIPF[1] * np.log10(np.maximum(bearers, 1))
        guessed = np.where(bearers > 0, np.clip(10 ** (as_name - zipf), 0, 1), 0)
        ordinary = 1 - np.where(np.isnan(proper), guessed, proper)
        # capitals of a word so rare were counted on a handful of uses; that it is listed says more
        rare = (bearers > 0) & (zipf < RARE_WORD)
        ordinary = np.where(rare, np.minimum(ordinary, RARELY), ordinary)
        # surnames from elsewhere fill the tail of a list of frequent words; English words there
        # have been counted
        strange = np.isnan(proper) & (bearers == 0) & (zipf < RARE_WORD)
        return np.where((zipf == 0) | strange, 0.0, ordinary)

    def counts_of(self, hashes: Hashes) -> tuple[Counts, Counts]:
        first, last = self._first.find(hashes), self._last.find(hashes)
        return (
            np.where(first < 0, 0, self._first_count[first]).astype(np.int64),
            np.where(last < 0, 0, self._last_count[last]).astype(np.int64),
        )

    def _decades(self, row: int) -> tuple[float, ...]:
        if row == NO_PROFILE:
            return self._everyone
        curve: list[int] = self._curves[row].tolist()
        whole = sum(curve)
        return tuple([number / whole for number in curve])


@functools.cache
def load_names(folder: Path | None = None) -> Names:
    words = load_words(folder) if folder else load_words()  # to its cache, None is a folder
    return Names(load("names", folder), words, HashTable(load("places", folder), "name"))


SURROGATES = "surrogates.toml"
SURROGATE_LISTS = {
    "first": {"f", "m"},
    "last": {"en", "es", "fr", "de"},
    "place": {"city", "street", "hospital", "organisation"},
}


@functools.cache
def load_surrogate_names() -> dict[str, dict[str, tuple[str, ...]]]:
    try:
        tables = read_table(rules_folder() / SURROGATES)
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise RuleError(f"cannot be read: {error}", where=SURROGATES) from error
    if {name: set(lists) for name, lists in tables.items()} != SURROGATE_LISTS:
        raise RuleError("sections or lists are missing or unknown", where=SURROGATES)
    return {name: {key: tuple(v) for key, v in lists.items()} for name, lists in tables.items()}
