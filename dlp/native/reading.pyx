# cython: language_level=3, wraparound=False, cdivision=True
"""The first lines of a text, looked at without cutting it up.

In: the start of a text.  Out: whether its lines are prose and no table.

The twin is dlp/decode/textual.py (is_soon_prose).
"""

from cpython.unicode cimport PyUnicode_DATA, PyUnicode_KIND, PyUnicode_READ


cdef inline bint ends_line(Py_UCS4 sign) noexcept:
    """As `str.splitlines` has it."""
    if sign < 0x85:
        return 10 <= sign <= 13 or 28 <= sign <= 30
    return sign == 0x85 or sign == 0x2028 or sign == 0x2029


def is_soon_prose(str text not None, Py_ssize_t chars, Py_ssize_t lines, Py_ssize_t most):
    """Whether of the first whole lines more than `most` are neither blank nor cut into cells."""
    cdef Py_ssize_t place = 0, size = min(len(text), chars), poor = 0
    cdef int kind = PyUnicode_KIND(text), commas = 0, semicolons = 0, bars = 0
    cdef void* data = PyUnicode_DATA(text)
    cdef Py_UCS4 sign
    cdef bint tabbed = False, blank = True
    while place < size:
        sign = PyUnicode_READ(kind, data, place)
        place += 1
        if not ends_line(sign):
            commas += sign == u","
            semicolons += sign == u";"
            bars += sign == u"|"
            tabbed |= sign == u"\t"
            if blank and not sign.isspace():
                blank = False
            continue
        if sign == u"\r" and place < size and PyUnicode_READ(kind, data, place) == u"\n":
            place += 1
        lines -= 1
        if place == size or lines == 0:
            break  # the last may be cut
        if not (blank or tabbed or commas > 1 or semicolons > 1 or bars > 1):
            poor += 1
            if poor > most:
                return True
        commas = semicolons = bars = 0
        tabbed, blank = False, True
    return False
