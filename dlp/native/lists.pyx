# cython: language_level=3, wraparound=False, initializedcheck=False, cdivision=True
"""Ask the sorted lists of knowledge.hashing and knowledge.gazetteer for words and runs of words.

In: the arrays of a HashTable (and the starters of a Gazetteer); hashes of words.  Out: positions in
the list, or -1; names of several words as (first word, word behind the last, position in the list).

The twins are HashTable.find, HashTable.find_one and what Gazetteer.apart does without a kernel. Every index is checked.
"""

import numpy as np

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t

cdef extern from *:
    """
    #define DLP_Q 0xC2B2AE3D27D4EB4FULL
    """
    const uint64_t Q "DLP_Q"  # the base of a phrase's hash, as in hashing.py

cdef enum:
    STARTER_SHIFT = 48  # the leading bits of a word's hash that choose its starter


cdef class Listed:
    """One list: a map of leading bits, 32 bits of each entry, eight more."""

    cdef const uint8_t[::1] likely
    cdef const uint32_t[::1] high
    cdef const uint8_t[::1] low
    cdef int shift

    def __init__(self, likely, high, low, int bits):
        self.likely, self.high, self.low = likely, high, low
        self.shift = 32 + bits

    cdef int64_t place(self, uint64_t wanted) except? -2:
        """Where a hash stands, or -1; no three entries share their 32 bits."""
        cdef uint32_t high
        cdef uint8_t low
        cdef Py_ssize_t begin = 0, end = self.high.shape[0], middle
        if not self.likely[<Py_ssize_t>(wanted >> self.shift)]:
            return -1
        high, low = <uint32_t>(wanted >> 32), <uint8_t>(wanted >> 24)
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
