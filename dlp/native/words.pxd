# What the judges of names, places and houses (naming.pyx) know of a page.

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

cimport cython

from dlp.native.lists cimport Listed


cdef enum:  # how ordinary a word is, by steps: odd at a border (`border`), even between two of them
    UNHEARD = 1
    LONELY = 3
    SURE_LOW = 5
    SURE = 7
    SURE_CAPS = 9
    LIKELY_LOW = 11
    HALF_A_WORD = 11
    HARDLY = 13
    LAST_BEHIND = 15
    ORDINARY = 16  # beyond all borders, and what nobody was asked about
    BORDERS = 8

cdef double border(int step) noexcept


cdef struct Word:
    uint64_t hash  # without a possessive 's
    int32_t start
    int32_t end  # without a possessive 's
    uint16_t key  # one more than its place among the keys of the lexicon; 0: not there
    uint16_t says  # what the lexicon says of it
    uint16_t state  # what fitting.py asks of it more than once
    uint8_t shape
    uint8_t gap  # what stands behind it
    uint8_t name  # what the dictionaries of names say of it
    uint8_t mode  # how its line is written
    uint8_t asked  # whether the dictionaries were asked
    uint8_t ordinary  # a step
    uint16_t listed  # what the dictionaries say, and its step, if the lexicon knows it
    uint16_t more


@cython.final
cdef class Memory:
    cdef Listed first, last, words, places
    cdef const uint32_t[::1] first_count
    cdef const uint32_t[::1] last_count
    cdef const uint16_t[::1] zipf
    cdef const uint8_t[::1] capital
    cdef uint64_t[::1] slots  # 48 bits of a word's hash, what is said of it, its step

    cdef uint64_t find(self, uint64_t key) except? 1
    cdef uint64_t learn(self, uint64_t key) except? 1
    cdef uint64_t told(self, uint64_t key) except? 1
    cdef double share(self, uint64_t key) except? -1
    cdef int near(self, uint64_t key) except -1
    cdef double weigh(self, uint64_t key, int64_t bearers) except? -1
    cdef (double, int64_t) standing(self, uint64_t key) except *


@cython.final
cdef class Cut:
    cdef readonly Py_ssize_t count, offset
    cdef readonly list borders  # words that begin another part
    cdef readonly object table  # the words, as numpy holds them
    cdef Word[::1] row
    # words where a listed name may begin; with capitals or a mark; that may be of a name
    cdef int32_t[::1] begun_at, marked_at, able_at
    cdef int32_t[::1] scratch  # room for as many words, where nothing is kept
    cdef Py_ssize_t begun, marked, able
    cdef Py_ssize_t little  # words that make a text English
    cdef readonly bint english
    cdef bint moved, plain, fitted
    cdef list houses  # words of institutions
    cdef list owners  # words with a capital and a possessive 's
    cdef list english_parts
    cdef str text
    cdef readonly object folded
    cdef dict owned  # hashes of words with their 's
    cdef Memory memory
    cdef frozenset month_before
    cdef object is_day, is_house

    cdef bint is_english(self, Py_ssize_t at) except -1
    cdef int divide(self, list parts) except -1
    cdef str word(self, Py_ssize_t at)
    cdef str phrase(self, Py_ssize_t first, Py_ssize_t last)
    cdef uint64_t whole(self, Py_ssize_t at) except? 0
    cdef bint dotted(self, Py_ssize_t at) except -1
    cdef bint is_month(self, Py_ssize_t at) except -1
    cdef (Py_ssize_t, Py_ssize_t) original(self, Py_ssize_t start, Py_ssize_t end) except *
    cdef int fit(self) except -1
    cdef int look(self) except -1
    cdef bint is_initial(self, Py_ssize_t at) except -1
    cdef int decide(self) except -1
    cdef bint is_between(self, Py_ssize_t at, Py_ssize_t last) except -1
    cdef bint fits_caps(self, Py_ssize_t at) except -1
    cdef bint fits_low(self, Py_ssize_t at, Py_ssize_t last) except -1
    cdef bint is_behind_given(self, Py_ssize_t at) except -1
    cdef bint are_joined(self, Py_ssize_t left, Py_ssize_t right) except -1
    cdef bint is_second_half(self, Py_ssize_t left, Py_ssize_t at) except -1
    cdef bint is_turned(self, Py_ssize_t left, Py_ssize_t right) except -1
    cdef bint is_shouted(self, Py_ssize_t last, Py_ssize_t first) except -1
    cdef bint is_joining(self, Py_ssize_t at) except -1
    cdef bint is_worth(self, Py_ssize_t at) except -1
    cdef bint stands_alone(self, Py_ssize_t at) except -1
    cdef Py_ssize_t next_run(self, Py_ssize_t place, bint every, Py_ssize_t *first, Py_ssize_t *last) except -2
