# cython: language_level=3, wraparound=False, initializedcheck=False, cdivision=True
"""Ask the sorted lists of knowledge.hashing and knowledge.gazetteer for words and runs of words.

In: the arrays of a HashTable (and the starters of a Gazetteer); words and their hashes.  Out: hashes;
positions in the list, or -1; names of several words as (first word, word behind the last, position
in the list).

The twins are hash_words, hash_word and hash_phrase, HashTable.find and find_one, and what
Gazetteer.apart does without a kernel. Every index is checked.
"""

import numpy as np

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t

cdef extern from *:
    """
    #define DLP_P 0x9E3779B97F4A7C15ULL
    #define DLP_Q 0xC2B2AE3D27D4EB4FULL
    #define DLP_MIX_1 0xBF58476D1CE4E5B9ULL
    #define DLP_MIX_2 0x94D049BB133111EBULL
    #if defined(__GNUC__) || defined(__clang__)
    #define DLP_FETCH(place) __builtin_prefetch(place)
    #else
    #define DLP_FETCH(place) ((void)(place))
    #endif
    """
    const uint64_t P "DLP_P"  # the base of a word's hash, as in hashing.py
    const uint64_t Q "DLP_Q"  # the base of a phrase's hash
    const uint64_t MIX_1 "DLP_MIX_1", MIX_2 "DLP_MIX_2"
    void fetch_line "DLP_FETCH"(const void *place) noexcept  # a hint: nothing is read

cdef enum:
    STARTER_SHIFT = 48  # the leading bits of a word's hash that choose its starter
    LONGEST = 4096  # powers repeat after this many characters


def constants():
    """What this file repeats of its twins, for a test to compare."""
    return {
        "hashing": {"P": P, "Q": Q, "LONGEST": LONGEST},
        "gazetteer": {"SHIFT": STARTER_SHIFT},
    }


cdef class Hasher:
    """The hashes of words and phrases, one by one."""

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
    """One list: a map of leading bits, 32 bits of each entry, eight more.

    `steps` says where the entries with some leading bits begin.
    """

    def __init__(self, likely, high, low, int bits):
        self.likely = np.packbits(likely, bitorder="little")  # an eighth: more of it is at hand
        self.high, self.low = high, low
        self.shift = 32 + bits
        # about four entries to a step
        self.step = 32 - max(1, int(len(high)).bit_length() - 2)
        cdef uint32_t[::1] steps = np.empty((1 << (32 - self.step)) + 1, np.uint32)
        cdef Py_ssize_t at = 0, place
        for place in range(steps.shape[0]):  # the last border is beyond all entries
            while at < self.high.shape[0] and self.high[at] < <uint64_t>place << self.step:
                at += 1
            steps[place] = at
        self.steps = steps

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

    cdef int near(self, uint64_t wanted) except -1:
        """Have what `place` reads first brought near: memory takes longer than a few words."""
        fetch_line(&self.likely[<Py_ssize_t>(wanted >> self.shift) >> 3])
        fetch_line(&self.steps[<Py_ssize_t>((wanted >> 32) >> self.step)])
        return 0

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
