# cython: boundscheck=True, wraparound=False, language_level=3
"""Sift the matches of one rule in one block: which stand free, which have a context word near.

In: UTF-8 bytes, spans in them, what may touch a value, starts and ends of the words that speak for
it and against it (sorted, apart from each other; None: there are none).  Out: starts, ends, whether
a word that speaks for it is near, and the value with that answer.

The twins in Python are finder.few and, for many spans at a time, crowd.sift.
"""

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


cdef bint touches(bytes raw, Py_ssize_t start, Py_ssize_t end, str edges) except -1:
    cdef int before, after, glue = GLUE
    cdef Py_ssize_t place
    if edges == "free":
        return False
    before, after = at(raw, start - 1), at(raw, end)
    if (KIND[before] | KIND[after]) & WORD:
        return True
    if edges == "word":
        return False
    if edges == "host":
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


cdef Py_ssize_t first_at_least(list places, Py_ssize_t least) except -1:
    """The number of sorted places before the first that is no less."""
    cdef Py_ssize_t low = 0, high = len(places), middle
    while low < high:
        middle = (low + high) // 2
        if <Py_ssize_t>places[middle] < least:
            low = middle + 1
        else:
            high = middle
    return low


cdef bint near(object words, Py_ssize_t start, Py_ssize_t end, Py_ssize_t reach, Py_ssize_t after) except -1:
    cdef list starts, ends
    cdef Py_ssize_t place
    starts, ends = words
    place = first_at_least(ends, start + 1)
    if place > 0 and <Py_ssize_t>starts[place - 1] >= start - reach:
        return True
    place = first_at_least(starts, end)
    return place < len(starts) and <Py_ssize_t>ends[place] <= end + after


def sift(
    bytes raw not None, list spans not None, str edges not None, Py_ssize_t reach,
    tuple context, tuple against, Py_ssize_t after, Py_ssize_t right_after,
):
    cdef Py_ssize_t start, end
    cdef list starts = [], ends = [], asked = []
    cdef bint known
    for start, end in spans:
        if touches(raw, start, end, edges):
            continue
        if against is not None and near(against, start, end, reach, right_after):
            continue
        known = context is not None and near(context, start, end, reach, after)
        starts.append(start)
        ends.append(end)
        asked.append((raw[start:end], known))
    return starts, ends, asked
