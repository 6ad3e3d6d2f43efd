# cython: language_level=3, wraparound=False, cdivision=True
"""The first bytes and lines of a text, looked at without cutting them up.

In: the start of a file, or of a text.  Out: how many controls are in it; whether its lines are
prose and no table; whether a file is text that no mark calls anything else.

The twins are dlp/decode/encoding.py (controls_in) and dlp/decode/textual.py (is_soon_prose).
Openings spares the questions of dlp/decode/{signatures,encoding}.py where all would be answered no.
"""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
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


cdef enum:
    LOW_END = 8  # controls are below it
    FROM = 14
    TO = 25  # and from here to there: dlp/decode/encoding.py says which, and why
cdef unsigned long long ONES = 0x0101010101010101ULL
cdef unsigned long long TOPS = 0x8080808080808080ULL


cdef inline bint is_control(unsigned char sign) noexcept:
    return sign < LOW_END or FROM <= sign <= TO


cdef inline bint holds_control(unsigned long long eight) noexcept:
    """Whether one of eight bytes is; each is compared in its own seven low bits."""
    cdef unsigned long long low = eight & ~TOPS
    cdef unsigned long long below = ONES * (127 + LOW_END) - low
    cdef unsigned long long between = (ONES * (127 + TO + 1) - low) & (low + ONES * (128 - FROM))
    return ((below | between) & ~eight & TOPS) != 0


def controls_in(bytes head not None):
    """How many bytes no text editor writes."""
    cdef const unsigned char* signs = <const unsigned char*>PyBytes_AS_STRING(head)
    cdef const unsigned long long* eights = <const unsigned long long*>PyBytes_AS_STRING(head)
    cdef Py_ssize_t size = PyBytes_GET_SIZE(head), eight, place, count = 0
    for eight in range(size // 8):
        if holds_control(eights[eight]):
            for place in range(8 * eight, 8 * eight + 8):
                count += is_control(signs[place])
    for place in range(size - size % 8, size):
        count += is_control(signs[place])
    return count


cdef enum:
    SUM_PLACE = 148  # of the header of a tar without a mark, in octal digits
    SUM_END = 156
    TAR_BYTES = 512


cdef inline bint is_octal(unsigned char sign) noexcept:
    return u"0" <= sign <= u"7" or sign == u" "


cdef class Openings:
    """The marks of formats that are no text: the place of each, and what stands there."""

    cdef unsigned char[256] _firsts  # 1 where one begins so at the very start
    cdef list _openings
    cdef list _later

    def __init__(self, marks):
        rows = [(int(place), bytes(mark)) for place, mark in marks]
        self._openings = [mark for place, mark in rows if place == 0]
        self._later = [row for row in rows if row[0]]
        firsts = {mark[0] for mark in self._openings}
        for sign in range(256):
            self._firsts[sign] = sign in firsts

    cdef bint _is_marked(self, bytes head) except -1:
        cdef const unsigned char[::1] signs = head
        cdef Py_ssize_t place, size = signs.shape[0]
        cdef bytes mark
        if size == 0:
            return True
        if self._firsts[signs[0]]:
            for mark in self._openings:
                if head.startswith(mark):
                    return True
        for place, mark in self._later:
            if place < size and signs[place] == mark[0] and head.startswith(mark, place):
                return True
        if size < TAR_BYTES:
            return False
        for place in range(SUM_PLACE, SUM_END):
            if not is_octal(signs[place]):
                return False
        return True

    def is_text(self, bytes head not None):
        """Whether no byte is a control and nothing begins as another format does."""
        return not self._is_marked(head) and controls_in(head) == 0
