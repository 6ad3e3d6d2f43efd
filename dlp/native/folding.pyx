# cython: language_level=3, wraparound=False, cdivision=True
"""Fold a text for matching, character by character.

In: text; the table of detect.fold, which says of each code point of planes 0 and 1 what it is read
as, or DROP.  Out: None when nothing changes; else the folded text and, where characters were
dropped, the place of each that is left and the length of the text. Or the same in UTF-8 (`encoded`).

The twin is detect.fold.fold. The table is indexed with checks, the text below its length.
"""

import numpy as np

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from cpython.unicode cimport (
    PyUnicode_DATA,
    PyUnicode_GET_LENGTH,
    PyUnicode_KIND,
    PyUnicode_New,
    PyUnicode_READ,
    PyUnicode_WRITE,
)
from libc.stdint cimport int64_t, uint16_t, uint32_t, uint64_t

cdef extern from *:
    # one loop for each width of characters: a third of the time; other compilers pass it over
    """
    #pragma GCC optimize ("O3")
    """

cdef enum:
    PLAIN = 0x80  # below it nothing is folded
    MORE_BYTES = 3  # of a character in UTF-8, beyond the first

cdef uint32_t DROP = 0xFFFFFFFF


def fold(str text not None, const uint32_t[::1] table):
    cdef int kind = PyUnicode_KIND(text)
    cdef const void *data = <const void *>PyUnicode_DATA(text)
    cdef Py_ssize_t length = PyUnicode_GET_LENGTH(text), i, dropped = 0
    cdef Py_ssize_t eighth, together = 8 // kind
    cdef uint32_t sign, image, highest = PLAIN - 1
    cdef uint64_t foreign = beyond_ascii(kind)
    cdef bint changed = False
    for eighth in range(length // together + 1):
        if eighth < length // together and not (<const uint64_t *>data)[eighth] & foreign:
            continue
        for i in range(eighth * together, min(length, (eighth + 1) * together)):
            sign = PyUnicode_READ(kind, data, i)
            if sign < PLAIN:
                continue
            image = folded(sign, table)
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
    cdef Py_ssize_t eighth, together = 8 // kind
    cdef uint32_t sign
    cdef uint64_t foreign = beyond_ascii(kind)
    if moved:
        places = positions
        places[size] = length
    for eighth in range(length // together + 1):
        if eighth < length // together and not (<const uint64_t *>data)[eighth] & foreign:
            if at + together > size:
                raise IndexError(at)
            copy_plain(kind, data, eighth * together, into, room, at)
            if moved:
                for i in range(together):
                    places[at + i] = eighth * together + i
            at += together
            continue
        for i in range(eighth * together, min(length, (eighth + 1) * together)):
            sign = PyUnicode_READ(kind, data, i)
            if sign >= PLAIN:
                sign = folded(sign, table)
                if sign == DROP:
                    continue
            if at >= size:
                raise IndexError(at)
            PyUnicode_WRITE(into, room, at, sign)
            if moved:
                places[at] = i
            at += 1
    return made


cdef inline void copy_plain(
    int kind, const void *data, Py_ssize_t start, int into, void *room, Py_ssize_t at,
) noexcept:
    """As many characters as eight bytes of the text hold, for which there is room."""
    cdef Py_ssize_t i
    if kind == 2 and into == 1:
        for i in range(4):
            (<unsigned char *>room)[at + i] = <unsigned char>(<const uint16_t *>data)[start + i]
    elif kind == 2 and into == 2:
        for i in range(4):
            (<uint16_t *>room)[at + i] = (<const uint16_t *>data)[start + i]
    elif kind == 1 and into == 1:
        for i in range(8):
            (<unsigned char *>room)[at + i] = (<const unsigned char *>data)[start + i]
    else:
        for i in range(8 // kind):
            PyUnicode_WRITE(into, room, at + i, PyUnicode_READ(kind, data, start + i))


def encoded(str text not None, const uint32_t[::1] table):
    """The folded text in UTF-8, and where its bytes run apart from the characters of the text.

    At each such place (two arrays): the first byte of which it holds, and by how much from there
    on. A character of many bytes counts from its second byte on, one that was dropped from the
    byte that stands in its place. The twin is `fold`, str.encode and finder.original.
    """
    cdef int kind = PyUnicode_KIND(text)
    cdef const void *data = <const void *>PyUnicode_DATA(text)
    cdef Py_ssize_t length = PyUnicode_GET_LENGTH(text), i, eighth, together = 8 // kind, foreign = 0
    cdef uint64_t beyond = beyond_ascii(kind)
    for eighth in range(length // together):
        if (<const uint64_t *>data)[eighth] & beyond:
            foreign += together  # at most
    foreign += length % together
    # room enough for all, of which some is left
    raw = PyBytes_FromStringAndSize(NULL, length + MORE_BYTES * foreign)
    places, shifts = np.empty(foreign, np.int64), np.empty(foreign, np.int64)
    size, apart = write(text, table, raw, places, shifts)
    return raw[:size], places[:apart], shifts[:apart]


cdef inline int bytes_of(uint32_t sign) noexcept:
    """In UTF-8; one that cannot be written is a question mark."""
    if sign < 0x80 or 0xD800 <= sign < 0xE000:
        return 1
    if sign == DROP:
        return 0
    if sign < 0x800:
        return 2
    return 3 if sign < 0x10000 else 4


cdef inline uint32_t folded(uint32_t sign, const uint32_t[::1] table) except? 1:
    return table[sign] if sign < <uint32_t>table.shape[0] else sign


cdef inline uint64_t beyond_ascii(int kind) noexcept:
    """The bits of eight bytes of a text, characters of this width, that are none of ASCII."""
    if kind == 1:
        return 0x8080808080808080ULL
    return 0xFF80FF80FF80FF80ULL if kind == 2 else 0xFFFFFF80FFFFFF80ULL


cdef tuple write(str text, const uint32_t[::1] table, bytes raw, int64_t[::1] places, int64_t[::1] shifts):
    """Eight bytes of the text at a time, as long as they are plain; how much was written."""
    cdef int kind = PyUnicode_KIND(text), many
    cdef const void *data = <const void *>PyUnicode_DATA(text)
    cdef Py_ssize_t length = PyUnicode_GET_LENGTH(text), i, at = 0, size = len(raw), apart = 0
    cdef Py_ssize_t eighth, together = 8 // kind
    cdef unsigned char *room = <unsigned char *>PyBytes_AS_STRING(raw)
    cdef uint32_t sign
    cdef uint64_t foreign = beyond_ascii(kind)
    for eighth in range(length // together + 1):
        if eighth < length // together and not (<const uint64_t *>data)[eighth] & foreign:
            if at + together > size:
                raise IndexError(at)
            copy_plain(kind, data, eighth * together, 1, room, at)
            at += together
            continue
        for i in range(eighth * together, min(length, (eighth + 1) * together)):
            sign = PyUnicode_READ(kind, data, i)
            if sign >= PLAIN:
                sign = folded(sign, table)
            many = bytes_of(sign)
            if at + many > size:
                raise IndexError(at)
            if many == 1:
                room[at] = <unsigned char>sign if sign < PLAIN else c"?"
            else:
                places[apart] = at + (many > 0)
                shifts[apart] = at + many - i - 1
                apart += 1
                put(room, at, many, sign)
            at += many
    return at, apart


cdef inline void put(unsigned char *room, Py_ssize_t at, int many, uint32_t sign) noexcept:
    """Write a character of so many bytes, none or two to four, for which there is room."""
    cdef int one
    for one in range(many - 1, 0, -1):
        room[at + one] = <unsigned char>(0x80 | (sign & 0x3F))
        sign >>= 6
    if many:
        room[at] = <unsigned char>((0xF00 >> many & 0xFF) | sign)
