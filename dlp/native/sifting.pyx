# cython: boundscheck=True, wraparound=False, language_level=3
"""Sift the matches of one rule in one block: which stand free, which have a context word near.

In: UTF-8 bytes, spans in them, what may touch a value, starts and ends of the words that speak for
it and against it (sorted, apart from each other; None: there are none).  Out: starts, ends, whether
a word that speaks for it is near, and the value with that answer.

The twins in Python are finder.few and, for many spans at a time, crowd.sift.
"""

from dlp.native.cues cimport Spans

cdef enum:
    WORD = 1
    DIGIT = 2
    GLUE = 4
    GLUE_OF_DATES = 8
    LOWER = 16
    DOT = 46
    BLANK = 32
    SLASH = 47

cdef unsigned char KIND[256]
for _one in range(256):
    _sign = chr(_one)
    KIND[_one] = (
        WORD * (_one < 0x80 and (_sign.isalnum() or _sign == "_"))
        | DIGIT * (_sign in "0123456789")
        | GLUE * (_sign in "-./:")
        | GLUE_OF_DATES * (_sign in "./:")
        | LOWER * ("a" <= _sign <= "z")
    )


cdef inline int at(bytes raw, Py_ssize_t place) except -1:
    """What stands at a place; a blank beyond either end."""
    if place < 0 or place >= len(raw):
        return BLANK
    return <unsigned char>raw[place]


cdef int edges_of(str name) except -1:
    return {"free": FREE, "word": WHOLE_WORD, "host": HOST}.get(name, NUMBER)


cdef bint touches(bytes raw, Py_ssize_t start, Py_ssize_t end, int edges) except -1:
    cdef int before, after, glue = GLUE
    cdef Py_ssize_t place
    if edges == FREE:
        return False
    before, after = at(raw, start - 1), at(raw, end)
    if (KIND[before] | KIND[after]) & WORD:
        return True
    if edges == WHOLE_WORD:
        return False
    if edges == HOST:
        return after == DOT and KIND[at(raw, end + 1)] & LOWER
    if not (KIND[before] | KIND[after]) & GLUE:
        return False
    for place in range(start, end):
        if at(raw, place) == SLASH:
            glue = GLUE_OF_DATES
            break
    if KIND[before] & glue and KIND[at(raw, start - 2)] & DIGIT:
        return True
    return KIND[after] & glue and KIND[at(raw, end + 1)] & DIGIT


def sift(
    bytes raw not None, list spans not None, str edges not None, Py_ssize_t reach,
    tuple context, tuple against, Py_ssize_t after, Py_ssize_t right_after,
):
    cdef Py_ssize_t start, end
    cdef list starts = [], ends = [], asked = []
    cdef int touching = edges_of(edges)
    cdef Spans words_for = Spans(zip(*context) if context else ()), words_against = Spans(zip(*against) if against else ())
    cdef bint known
    for start, end in spans:
        if touches(raw, start, end, touching):
            continue
        if words_against.near(start, end, reach, right_after):
            continue
        known = words_for.near(start, end, reach, after)
        starts.append(start)
        ends.append(end)
        asked.append((raw[start:end], known))
    return starts, ends, asked
