# cython: language_level=3, wraparound=False, initializedcheck=False, cdivision=True
"""Ask the sorted lists of knowledge.hashing and knowledge.gazetteer for words and runs of words.

In: the arrays of a HashTable (and the starters of a Gazetteer); words and their hashes.  Out: hashes;
positions in the list, or -1; names of several words as (first word, word behind the last, position
in the list); what the dictionaries of names say of words that nobody has met yet.

The twins are hash_words, hash_word and hash_phrase, HashTable.find and find_one, what
Gazetteer.apart does without a kernel, Names.bits_of_one and KnownWords.look_up. Every index is
checked.
"""

import numpy as np

from libc.math cimport log10, pow
from libc.stdint cimport int64_t, uint8_t, uint16_t, uint32_t, uint64_t

cdef extern from *:
    """
    #define DLP_P 0x9E3779B97F4A7C15ULL
    #define DLP_Q 0xC2B2AE3D27D4EB4FULL
    #define DLP_MIX_1 0xBF58476D1CE4E5B9ULL
    #define DLP_MIX_2 0x94D049BB133111EBULL
    """
    const uint64_t P "DLP_P"  # the base of a word's hash, as in hashing.py
    const uint64_t Q "DLP_Q"  # the base of a phrase's hash
    const uint64_t MIX_1 "DLP_MIX_1", MIX_2 "DLP_MIX_2"

cdef enum:  # what the dictionaries of names say, as in names.py and known_words.py
    FIRST = 1
    LAST = 2
    WORD = 4
    PLACE = 8
    MOSTLY_FIRST = 16

cdef enum:
    UNKNOWN = 255  # a word whose capitals nobody counted
    SLOT_SHIFT = 46  # the leading bits of a word's hash that choose its slot
    STARTER_SHIFT = 48  # the leading bits of a word's hash that choose its starter
    LONGEST = 4096  # powers repeat after this many characters

cdef double ORDINARY = 1.0 / 3, SENTENCE_STARTS = 0.08, RARE_WORD = 2.3, RARELY = 0.3
cdef double NAME_ZIPF = 0.70, NAME_ZIPF_BEARERS = 0.49


def constants():
    """What this file repeats of its twins, for a test to compare."""
    return {
        "hashing": {"P": P, "Q": Q, "LONGEST": LONGEST},
        "gazetteer": {"SHIFT": STARTER_SHIFT},
        "names": {
            "FIRST": FIRST, "LAST": LAST, "WORD": WORD, "PLACE": PLACE, "ORDINARY": ORDINARY,
            "RARE_WORD": RARE_WORD, "RARELY": RARELY, "NAME_ZIPF": (NAME_ZIPF, NAME_ZIPF_BEARERS),
        },
        "words": {"UNKNOWN": UNKNOWN, "SENTENCE_STARTS": SENTENCE_STARTS},
    }


cdef class Hasher:
    """The hashes of words and phrases, one by one."""

    cdef const uint64_t[::1] weights

    def __init__(self, weights):
        self.weights = weights

    cdef uint64_t of(self, str word) except? 0:
        cdef uint64_t hashed = 0, power = P, weight
        cdef uint32_t beyond = <uint32_t>(self.weights.shape[0] - 1)
        cdef Py_ssize_t place = 0
        cdef Py_UCS4 sign
        for sign in word:
            weight = self.weights[sign] if sign < beyond else mixed(sign)
            if weight:
                hashed += weight * power
                power *= P
                place += 1
                if place == LONGEST:
                    place, power = 0, P
        return hashed

    def word(self, str word not None):
        return self.of(word)

    def words(self, words):
        cdef Py_ssize_t at = 0
        hashes = np.empty(len(words), np.uint64)
        cdef uint64_t[::1] into = hashes
        for word in words:
            into[at] = self.of(word)
            at += 1
        return hashes

    def phrase(self, words):
        cdef uint64_t total = 0
        for word in words:
            total = total * Q + self.of(word)
        return total


cdef uint64_t mixed(uint64_t code) noexcept:
    """A small number spread over 64 bits, as `_mix` in hashing.py."""
    code = (code + 1) * P
    code = (code ^ (code >> 30)) * MIX_1
    code = (code ^ (code >> 27)) * MIX_2
    return code ^ (code >> 31)


cdef class Listed:
    """One list: a map of leading bits, 32 bits of each entry, eight more."""

    cdef const uint8_t[::1] likely
    cdef const uint32_t[::1] high
    cdef const uint8_t[::1] low
    cdef const uint32_t[::1] steps  # where the entries with some leading bits begin
    cdef int shift, step

    def __init__(self, likely, high, low, int bits):
        self.likely = np.packbits(likely, bitorder="little")  # an eighth: more of it is at hand
        self.high, self.low = high, low
        self.shift = 32 + bits
        # about four entries to a step
        self.step = 32 - max(1, int(len(high)).bit_length() - 2)
        borders = np.arange(1 << (32 - self.step), dtype=np.uint64) << np.uint64(self.step)
        self.steps = np.append(high.searchsorted(borders.astype(np.uint32)), len(high)).astype(
            np.uint32
        )

    cdef int64_t place(self, uint64_t wanted) except? -2:
        """Where a hash stands, or -1; no three entries share their 32 bits."""
        cdef uint32_t high
        cdef uint8_t low
        cdef Py_ssize_t begin, end, middle
        begin = <Py_ssize_t>(wanted >> self.shift)
        if not self.likely[begin >> 3] >> (begin & 7) & 1:
            return -1
        high, low = <uint32_t>(wanted >> 32), <uint8_t>(wanted >> 24)
        begin = self.steps[<Py_ssize_t>(high >> self.step)]
        end = self.steps[<Py_ssize_t>(high >> self.step) + 1]
        while begin < end:
            middle = (begin + end) >> 1
            if self.high[middle] < high:
                begin = middle + 1
            else:
                end = middle
        end = min(begin + 2, self.high.shape[0])
        while begin < end:
            if self.high[begin] == high and self.low[begin] == low:
                return begin
            begin += 1
        return -1

    def find_one(self, uint64_t wanted):
        return self.place(wanted)

    def find(self, const uint64_t[:] wanted):
        cdef Py_ssize_t at
        found = np.empty(wanted.shape[0], np.int64)
        cdef int64_t[::1] places = found
        for at in range(wanted.shape[0]):
            places[at] = self.place(wanted[at])
        return found

    def apart(self, const uint8_t[::1] starters, const uint64_t[::1] words,
              const int64_t[::1] begins, alone, borders, longest_first):
        """Names that begin at some words, in order, the longest of those that overlap.

        `alone` has a byte for each of these words, or is None; no name runs over a border. Of names
        that hang together `longest_first` tells which to keep.
        """
        cdef const uint8_t[::1] may
        cdef list kept = [], cluster = []
        cdef bint told = alone is not None
        cdef Py_ssize_t row, at, first, end, reach = 0, border = 0, count = len(borders)
        cdef int64_t limit = borders[0] if count else words.shape[0]
        cdef int64_t listed
        cdef int longest
        cdef uint64_t run
        if told:
            may = alone
        for row in range(begins.shape[0]):
            first = begins[row]
            longest = starters[<Py_ssize_t>(words[first] >> STARTER_SHIFT)]
            if longest == 0 or (told and longest == 1 and not may[row]):
                continue
            while border < count and first >= limit:
                border += 1
                limit = borders[border] if border < count else words.shape[0]
            end, run = min(first + longest, limit), 0
            for at in range(first, end):
                run = run * Q + words[at]
                listed = self.place(run)
                if listed < 0:
                    continue
                if first >= reach and cluster:
                    kept += cluster if len(cluster) == 1 else longest_first(cluster)
                    cluster = []
                cluster.append((first, at + 1, listed))
                reach = max(reach, at + 1)
        return kept + (cluster if len(cluster) < 2 else longest_first(cluster))


cdef class Dictionaries:
    """First and last names, English words and places, and the slots in which answers are kept."""

    cdef Listed first, last, words, places
    cdef const uint32_t[::1] first_count
    cdef const uint32_t[::1] last_count
    cdef const uint16_t[::1] zipf
    cdef const uint8_t[::1] capital
    cdef uint64_t[::1] keys
    cdef uint8_t[::1] bits
    cdef double[::1] ordinary

    def __init__(self, lists, counts, words, slots):
        self.first, self.last, self.words, self.places = lists
        self.first_count, self.last_count = counts
        self.zipf, self.capital = words
        self.keys, self.bits, self.ordinary = slots

    def answer(self, list new, const uint64_t[::1] hashes, uint8_t[::1] bits, double[::1] ordinary):
        """Fill in what is said of the words at `new`, and remember it."""
        cdef Py_ssize_t at, slot
        for at in new:
            slot = <Py_ssize_t>(hashes[at] >> SLOT_SHIFT)
            if self.keys[slot] != hashes[at]:
                if self.keys[slot ^ 1] == hashes[at]:
                    slot ^= 1
                else:
                    self.learn(hashes[at], slot)
            bits[at], ordinary[at] = self.bits[slot], self.ordinary[slot]

    cdef int learn(self, uint64_t key, Py_ssize_t slot) except -1:
        """Put a word into its slot, and what stood there beside it."""
        cdef int64_t first = self.first.place(key), last = self.last.place(key)
        cdef int64_t as_first = self.first_count[first] if first >= 0 else 0
        cdef int64_t as_last = self.last_count[last] if last >= 0 else 0
        cdef double ordinary = self.weigh(
            key, max(as_first, as_last, 1 if first >= 0 or last >= 0 else 0)
        )
        cdef int bits = FIRST * (first >= 0) | LAST * (last >= 0)
        bits |= PLACE * (self.places.place(key) >= 0) | WORD * (ordinary >= ORDINARY)
        if as_first > as_last:
            bits |= MOSTLY_FIRST
        if self.keys[slot]:
            self.keys[slot ^ 1], self.bits[slot ^ 1] = self.keys[slot], self.bits[slot]
            self.ordinary[slot ^ 1] = self.ordinary[slot]
        self.keys[slot], self.bits[slot], self.ordinary[slot] = key, bits, ordinary
        return 0

    cdef double weigh(self, uint64_t key, int64_t bearers) except? -1:
        """How ordinary a word is that so many bear."""
        cdef int64_t at = self.words.place(key)
        cdef double zipf, proper, share
        if at < 0 or not self.zipf[at]:
            return 0.0
        zipf = self.zipf[at] / 100.0
        if self.capital[at] != UNKNOWN:
            share = (self.capital[at] / 250.0 - SENTENCE_STARTS) / (1 - SENTENCE_STARTS)
            proper = min(max(share, 0.0), 1.0)
        elif not bearers:
            if zipf < RARE_WORD:
                return 0.0  # neither listed nor ever counted: nobody knows this word
            proper = 0.0
        else:
            share = NAME_ZIPF + NAME_ZIPF_BEARERS * log10(<double>max(bearers, 1))
            proper = min(pow(10.0, share - zipf), 1.0)
        if bearers and zipf < RARE_WORD:
            return min(1 - proper, RARELY)
        return 1 - proper
