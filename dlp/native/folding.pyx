# cython: language_level=3, wraparound=False, cdivision=True
"""Fold a text for matching, character by character.

In: text; the table of detect.fold, which says of each code point of planes 0 and 1 what it is read
as, or DROP.  Out: None when nothing changes; else the folded text and, where characters were
dropped, the place of each that is left and the length of the text. Or the same in UTF-8 (`encoded`).

The twin is detect.fold.fold. The table is indexed with checks, the text below its length.
"""

import numpy as np

from cpython.bytearray cimport PyByteArray_AS_STRING
from cpython.bytes cimport PyBytes_AS_STRING
from cpython.ref cimport Py_XDECREF, PyObject
from cpython.unicode cimport (
    PyUnicode_DATA,
    PyUnicode_GET_LENGTH,
    PyUnicode_KIND,
    PyUnicode_New,
    PyUnicode_READ,
    PyUnicode_WRITE,
)
from libc.stdint cimport int64_t, uint32_t

cdef extern from "Python.h":
    PyObject *PyBytes_FromStringAndSize(const char *, Py_ssize_t)
    int _PyBytes_Resize(PyObject **, Py_ssize_t) except -1

cdef extern from *:
    # one loop for each width of characters: a third of the time; other compilers pass it over
    """
    #pragma GCC optimize ("O3")
    #if defined(__SSE2__)
    #include <emmintrin.h>
    #define DLP_AT_ONCE 16
    static inline __m128i DLP_SOME(int kind, const void *data, Py_ssize_t at, int part) {
        const char *signs = (const char *)data;
        return _mm_loadu_si128((const __m128i *)&signs[kind * at + 16 * part]);
    }
    /* Whether 16 characters, of one byte or two each, are all of ASCII. */
    static inline int DLP_ALL_PLAIN(int kind, const void *data, Py_ssize_t at) {
        __m128i some = DLP_SOME(kind, data, at, 0);
        if (kind == 1) return _mm_movemask_epi8(some) == 0;
        if (kind != 2) return 0;
        some = _mm_and_si128(_mm_or_si128(some, DLP_SOME(kind, data, at, 1)), _mm_set1_epi16((short)0xFF80));
        return _mm_movemask_epi8(_mm_cmpeq_epi8(some, _mm_setzero_si128())) == 0xFFFF;
    }
    /* The same into a text whose characters are of one byte, or of as many as these. */
    static inline void DLP_PUT(int kind, const void *data, Py_ssize_t at, int into, void *room, Py_ssize_t to) {
        char *signs = (char *)room;
        __m128i some = DLP_SOME(kind, data, at, 0);
        if (kind == 2 && into == 1) some = _mm_packus_epi16(some, DLP_SOME(kind, data, at, 1));
        _mm_storeu_si128((__m128i *)&signs[into * to], some);
        if (into == 2) _mm_storeu_si128((__m128i *)&signs[into * to + 16], DLP_SOME(kind, data, at, 1));
    }
    #else
    #define DLP_AT_ONCE ((Py_ssize_t)1 << 62)
    #define DLP_ALL_PLAIN(kind, data, at) 0
    #define DLP_PUT(kind, data, at, into, room, to) ((void)0)
    #endif
    """
    Py_ssize_t AT_ONCE "DLP_AT_ONCE"  # characters that are looked at together; too many where none are
    bint are_plain "DLP_ALL_PLAIN"(int kind, const void *data, Py_ssize_t at) noexcept
    void put_plain "DLP_PUT"(
        int kind, const void *data, Py_ssize_t at, int into, void *room, Py_ssize_t to) noexcept

cdef enum:
    PLAIN = 0x80  # below it nothing is folded
    MORE_BYTES = 3  # of a character in UTF-8, beyond the first
    STEP = 16  # characters read one by one where they are not all plain

cdef uint32_t DROP = 0xFFFFFFFF


def fold(str text not None, const uint32_t[::1] table):
    cdef int kind = PyUnicode_KIND(text)
    cdef const void *data = <const void *>PyUnicode_DATA(text)
    cdef Py_ssize_t length = PyUnicode_GET_LENGTH(text), i, place = 0, dropped = 0
    cdef uint32_t sign, image, highest = PLAIN - 1
    cdef bint changed = False
    while place < length:
        if length - place >= AT_ONCE and are_plain(kind, data, place):
            place += AT_ONCE
            continue
        for i in range(place, min(length, place + STEP)):
            sign = PyUnicode_READ(kind, data, i)
            if sign < PLAIN:
                continue
            image = folded(sign, table)
            changed |= image != sign
            if image == DROP:
                dropped += 1
            elif image > highest:
                highest = image
        place += STEP
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
    cdef bint moved = positions is not None, quick = into == 1 or into == kind
    cdef int64_t[::1] places
    cdef Py_ssize_t place = 0
    cdef uint32_t sign
    if moved:
        places = positions
        places[size] = length
    while place < length:
        if quick and length - place >= AT_ONCE and size - at >= AT_ONCE and are_plain(kind, data, place):
            put_plain(kind, data, place, into, room, at)
            if moved:
                for i in range(AT_ONCE):
                    places[at + i] = place + i
            at += AT_ONCE
            place += AT_ONCE
            continue
        for i in range(place, min(length, place + STEP)):
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
        place += STEP
    return made


def encoded(str text not None, const uint32_t[::1] table):
    """The folded text in UTF-8, and where its bytes run apart from the characters of the text.

    At each such place (two arrays): the first byte of which it holds, and by how much from there
    on. A character of many bytes counts from its second byte on, one that was dropped from the
    byte that stands in its place. The twin is `fold`, str.encode and finder.original.
    """
    cdef Py_ssize_t foreign = beyond_ascii(text)
    # room enough for all, of which some is left
    cdef Py_ssize_t most = PyUnicode_GET_LENGTH(text) + MORE_BYTES * foreign, apart = 0, size
    cdef PyObject *raw = PyBytes_FromStringAndSize(NULL, most)
    if raw is NULL:
        raise MemoryError
    try:
        both = bytearray(2 * sizeof(int64_t) * foreign)
        size = write(text, table, <unsigned char *>PyBytes_AS_STRING(<object>raw), most, both, &apart)
        _PyBytes_Resize(&raw, size)
        numbers = memoryview(both).cast("q")
        return <object>raw, numbers[:apart], numbers[foreign : foreign + apart]
    finally:
        Py_XDECREF(raw)


cdef Py_ssize_t beyond_ascii(str text) noexcept:
    """How many characters are no plain ones."""
    cdef int kind = PyUnicode_KIND(text)
    cdef const void *data = <const void *>PyUnicode_DATA(text)
    cdef Py_ssize_t length = PyUnicode_GET_LENGTH(text), i, place = 0, foreign = 0
    while place < length:
        if length - place >= AT_ONCE and are_plain(kind, data, place):
            place += AT_ONCE
            continue
        for i in range(place, min(length, place + STEP)):
            foreign += PyUnicode_READ(kind, data, i) >= PLAIN
        place += STEP
    return foreign


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


cdef Py_ssize_t write(
    str text, const uint32_t[::1] table, unsigned char *room, Py_ssize_t size, bytearray both, Py_ssize_t *apart,
) except -1:
    """Write the text where there is so much room, and in halves of `both` places and shifts; say how much."""
    cdef int kind = PyUnicode_KIND(text), many
    cdef const void *data = <const void *>PyUnicode_DATA(text)
    cdef Py_ssize_t length = PyUnicode_GET_LENGTH(text), i, place = 0, at = 0
    cdef Py_ssize_t most = len(both) // (2 * <Py_ssize_t>sizeof(int64_t))
    cdef int64_t *numbers = <int64_t *>PyByteArray_AS_STRING(both)
    cdef uint32_t sign
    while place < length:
        if length - place >= AT_ONCE and size - at >= AT_ONCE and are_plain(kind, data, place):
            put_plain(kind, data, place, 1, room, at)
            at += AT_ONCE
            place += AT_ONCE
            continue
        for i in range(place, min(length, place + STEP)):
            sign = PyUnicode_READ(kind, data, i)
            if sign >= PLAIN:
                sign = folded(sign, table)
            many = bytes_of(sign)
            if at + many > size:
                raise IndexError(at)
            if many == 1:
                room[at] = <unsigned char>sign if sign < PLAIN else c"?"
            elif apart[0] >= most:
                raise IndexError(apart[0])
            else:
                numbers[apart[0]] = at + (many > 0)
                numbers[most + apart[0]] = at + many - i - 1
                apart[0] += 1
                put(room, at, many, sign)
            at += many
        place += STEP
    return at


cdef inline void put(unsigned char *room, Py_ssize_t at, int many, uint32_t sign) noexcept:
    """Write a character of so many bytes, none or two to four, for which there is room."""
    cdef int one
    for one in range(many - 1, 0, -1):
        room[at + one] = <unsigned char>(0x80 | (sign & 0x3F))
        sign >>= 6
    if many:
        room[at] = <unsigned char>((0xF00 >> many & 0xFF) | sign)
