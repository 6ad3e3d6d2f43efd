# cython: language_level=3, wraparound=False, cdivision=True
"""Fold a text for matching, character by character.

In: text; the table of detect.fold, which says of each code point of planes 0 and 1 what it is read
as, or DROP.  Out: None when nothing changes; else the folded text and, where characters were
dropped, the place of each that is left and the length of the text.

The twin is detect.fold.fold. The table is indexed with checks, the text below its length.
"""

import numpy as np

from cpython.unicode cimport (
    PyUnicode_DATA,
    PyUnicode_GET_LENGTH,
    PyUnicode_KIND,
    PyUnicode_New,
    PyUnicode_READ,
    PyUnicode_WRITE,
)
from libc.stdint cimport int64_t, uint32_t

cdef extern from *:
    # one loop for each width of characters: a third of the time; other compilers pass it over
    """
    #pragma GCC optimize ("unswitch-loops")
    """

cdef enum:
    PLAIN = 0x80  # below it nothing is folded

cdef uint32_t DROP = 0xFFFFFFFF


def fold(str text not None, const uint32_t[::1] table):
    cdef int kind = PyUnicode_KIND(text)
    cdef const void *data = <const void *>PyUnicode_DATA(text)
    cdef Py_ssize_t length = PyUnicode_GET_LENGTH(text), i, dropped = 0
    cdef uint32_t sign, image, highest = PLAIN - 1
    cdef bint changed = False
    for i in range(length):
        sign = PyUnicode_READ(kind, data, i)
        if sign < PLAIN:
            continue
        image = table[sign] if sign < <uint32_t>table.shape[0] else sign
        changed |= image != sign
        if image == DROP:
            dropped += 1
        elif image > highest:
            highest = image
    if not changed:
        return None
    positions = np.empty(length - dropped + 1, np.int64) if dropped else None
    return written(text, table, length - dropped, highest, positions), positions


cdef str written(str text, const uint32_t[::1] table, Py_ssize_t size, uint32_t highest, positions):
    """The folded text, of so many characters up to the highest; their places, if asked for."""
    cdef int kind = PyUnicode_KIND(text)
    cdef const void *data = <const void *>PyUnicode_DATA(text)
    cdef Py_ssize_t length = PyUnicode_GET_LENGTH(text), i, at = 0
    cdef str made = PyUnicode_New(size, highest)
    cdef int into = PyUnicode_KIND(made)
    cdef void *room = <void *>PyUnicode_DATA(made)
    cdef bint moved = positions is not None
    cdef int64_t[::1] places
    cdef uint32_t sign
    if moved:
        places = positions
        places[size] = length
    for i in range(length):
        sign = PyUnicode_READ(kind, data, i)
        if sign >= PLAIN and sign < <uint32_t>table.shape[0]:
            sign = table[sign]
            if sign == DROP:
                continue
        if at >= size:
            raise IndexError(at)
        PyUnicode_WRITE(into, room, at, sign)
        if moved:
            places[at] = i
        at += 1
    return made
