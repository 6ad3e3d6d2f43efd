# cython: language_level=3, wraparound=False, cdivision=True
"""The first bytes and lines of a text, looked at without cutting them up.

In: the start of a file, or of a text.  Out: how many controls are in it; whether its lines are
prose and no table; whether a file is text that no mark calls anything else.

The twins are dlp/decode/encoding.py (controls_in) and dlp/decode/textual.py (is_soon_prose, and
kind_of_text for is_plain).
Openings spares the questions of dlp/decode/{signatures,encoding}.py where all would be answered no.
"""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from cpython.unicode cimport PyUnicode_DATA, PyUnicode_KIND, PyUnicode_READ


cdef enum:
    HEADER_CHARS = 16384  # in which a header is looked for; dlp/decode/textual.py


cdef inline bint ends_line(Py_UCS4 sign) noexcept:
    """As `str.splitlines` has it."""
    if sign < 0x85:
        return 10 <= sign <= 13 or 28 <= sign <= 30
    return sign == 0x85 or sign == 0x2028 or sign == 0x2029


def is_plain(str text not None, Py_ssize_t chars, Py_ssize_t lines, Py_ssize_t most):
    """Whether a text begins with a word, as no other kind of text does, and goes on in prose.

    What is no header of a mail is told by the word itself; the letters that marks begin with, and
    words beyond ASCII, are left to the twin, kind_of_text, which may say the same.
    """
    cdef Py_ssize_t place = 0, size = len(text), stop
    cdef int kind = PyUnicode_KIND(text)
    cdef void* data = PyUnicode_DATA(text)
    cdef Py_UCS4 sign = 0
    while place < size:
        sign = PyUnicode_READ(kind, data, place)
        if not is_passed_over(sign):
            break
        place += 1
    if not is_alnum(sign) or sign == u"M" or sign == u"F" or sign == u"B" or sign == u"b":
        return False
    stop = min(size, place + HEADER_CHARS)
    while place < stop and is_in_name(PyUnicode_READ(kind, data, place)):
        place += 1
    while place < stop and is_blank(PyUnicode_READ(kind, data, place)):
        place += 1
    if place < stop and PyUnicode_READ(kind, data, place) == u":":
        return False
    return is_soon_prose(text, chars, lines, most)


cdef inline bint is_passed_over(Py_UCS4 sign) noexcept:
    """What may stand before the first word of a text."""
    return sign == 32 or 9 <= sign <= 11 or sign == 13 or sign == 0 or sign == 0xFEFF


cdef inline bint is_alnum(Py_UCS4 sign) noexcept:
    return u"0" <= sign <= u"9" or u"A" <= sign <= u"Z" or u"a" <= sign <= u"z"


cdef inline bint is_in_name(Py_UCS4 sign) noexcept:
    """Of a header: all that is printed, but a colon."""
    return 33 <= sign <= 126 and sign != u":"


cdef inline bint is_blank(Py_UCS4 sign) noexcept:
    return sign == u" " or sign == u"\t"


cpdef bint is_soon_prose(str text, Py_ssize_t chars, Py_ssize_t lines, Py_ssize_t most) except -1:
    """Whether of the first whole lines more than `most` are neither blank nor cut into cells."""
    if text is None:
        raise TypeError("is_soon_prose")
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
    MOST_LATER = 64


cdef inline bint is_octal(unsigned char sign) noexcept:
    return u"0" <= sign <= u"7" or sign == u" "


cdef class Openings:
    """The marks of formats that are no text: the place of each, and what stands there."""

    cdef unsigned char[256] _firsts  # 1 where one begins so at the very start
    cdef list _openings
    cdef list _later
    cdef Py_ssize_t[MOST_LATER] _places  # of those behind the start, and their first bytes
    cdef unsigned char[MOST_LATER] _signs

    def __init__(self, marks):
        cdef Py_ssize_t number
        rows = [(int(place), bytes(mark)) for place, mark in marks]
        self._openings = [mark for place, mark in rows if place == 0]
        self._later = [row for row in rows if row[0]]
        if len(self._later) > MOST_LATER:
            raise ValueError("too many marks")
        for number in range(len(self._later)):
            self._places[number], self._signs[number] = self._later[number][0], self._later[number][1][0]
        firsts = {mark[0] for mark in self._openings}
        for sign in range(256):
            self._firsts[sign] = sign in firsts

    cdef bint _is_marked(self, bytes head) except -1:
        cdef const unsigned char* signs = <const unsigned char*>PyBytes_AS_STRING(head)
        cdef Py_ssize_t place, number, size = PyBytes_GET_SIZE(head)
        cdef bytes mark
        if size == 0:
            return True
        if self._firsts[signs[0]]:
            for mark in self._openings:
                if head.startswith(mark):
                    return True
        for number in range(len(self._later)):
            place = self._places[number]
            if place < size and signs[place] == self._signs[number] and head.startswith(self._later[number][1], place):
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
