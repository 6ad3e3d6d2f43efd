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
    RECEIVED = 8  # letters of the only header without a hyphen that nobody types
    TABLE_CHARS = 32768  # of which lines are looked at for cells; the same


cdef inline bint ends_line(Py_UCS4 sign) noexcept:
    """As `str.splitlines` has it."""
    if sign < 0x85:
        return 10 <= sign <= 13 or 28 <= sign <= 30
    return sign == 0x85 or sign == 0x2028 or sign == 0x2029


cdef unsigned char[256] ORDINARY  # 1 for what neither ends a line nor cuts it, and is no blank
for _sign in range(256):
    ORDINARY[_sign] = not (chr(_sign).isspace() or chr(_sign) in ",;|")


def is_plain(
    str text not None, Py_ssize_t chars, Py_ssize_t lines, Py_ssize_t most, double agreement,
    bint named,
):
    """Whether a text begins as no other kind of text does, and goes on in prose.

    What may be a mark, lines that may be headers of a mail and lines that a sign cuts into cells are
    left to the twin, kind_of_text, which may say the same. `named`: its name is that of a mail.
    """
    cdef Py_ssize_t place = 0, size = len(text)
    cdef int kind = PyUnicode_KIND(text)
    cdef void* data = PyUnicode_DATA(text)
    while place < size and is_passed_over(PyUnicode_READ(kind, data, place)):
        place += 1
    if place < size:
        if may_be_marked(kind, data, place, size) or may_be_mail(kind, data, place, size, named):
            return False
    if size >= TABLE_CHARS:  # the last line is cut
        return is_soon_prose(text, chars, lines, most)
    # written out: with the kind known, each becomes a loop of its own
    if kind == 1:
        return is_uncut(1, data, size, lines, most, agreement)
    if kind == 2:
        return is_uncut(2, data, size, lines, most, agreement)
    return is_uncut(4, data, size, lines, most, agreement)


cdef bint may_be_marked(int kind, const void* data, Py_ssize_t place, Py_ssize_t size) noexcept:
    """Whether a text may begin with a mark of markup, JSON, HL7, a card or a folder of mail."""
    cdef Py_UCS4 sign = PyUnicode_READ(kind, data, place), second = 0
    if place + 1 < size:
        second = PyUnicode_READ(kind, data, place + 1)
    if sign == u"M" or sign == u"F":  # MSH, FHS, From
        return second == u"S" or second == u"H" or second == u"r"
    if sign == u"B" or sign == u"b":  # BHS, BEGIN, whatever its case
        return second == u"H" or second == u"E" or second == u"e"
    return sign == u"<" or sign == u"{" or sign == u"[" or sign.isspace()


cdef bint may_be_mail(int kind, const void* data, Py_ssize_t start, Py_ssize_t size, bint named) noexcept:
    """Whether the first three lines, or those before a blank one, begin as headers do.

    Of a text that is not `named` a mail, one line before the blank one must have the name of a header
    that nobody types: "received", or one with a hyphen.
    """
    cdef Py_ssize_t stop = min(size, start + HEADER_CHARS), place = start, line = 0
    cdef bint certain = named
    while place < stop and not (line and is_blank_line(kind, data, place, stop)):
        if line < 3 and not is_header(kind, data, place, stop):
            return False
        if not certain:
            certain = is_seldom_typed(kind, data, place, stop)
        if line >= 2 and certain:
            break
        while place < stop and PyUnicode_READ(kind, data, place) != u"\n":
            place += 1
        place += 1
        line += 1
    return certain


cdef inline bint is_blank_line(int kind, const void* data, Py_ssize_t place, Py_ssize_t stop) noexcept:
    cdef Py_UCS4 sign = PyUnicode_READ(kind, data, place)
    if sign == u"\r" and place + 1 < stop:
        sign = PyUnicode_READ(kind, data, place + 1)
    return sign == u"\n"


cdef bint is_seldom_typed(int kind, const void* data, Py_ssize_t place, Py_ssize_t stop) noexcept:
    """Whether a line may begin with the name of such a header and a colon."""
    cdef Py_ssize_t start = place
    cdef Py_UCS4 sign = PyUnicode_READ(kind, data, place)
    cdef bint hyphened = False
    cdef bint received = sign == u"r" or sign == u"R"
    while place < stop:
        sign = PyUnicode_READ(kind, data, place)
        if sign == u":":
            return hyphened or (received and place - start == RECEIVED)
        if sign == u"\n":
            return False
        hyphened |= sign == u"-"
        place += 1
    return False


cdef bint is_header(int kind, const void* data, Py_ssize_t place, Py_ssize_t stop) noexcept:
    """Whether a line is a name and a colon, or goes on with the line before."""
    cdef Py_ssize_t start = place
    if is_blank(PyUnicode_READ(kind, data, place)):
        return True
    while place < stop and is_in_name(PyUnicode_READ(kind, data, place)):
        place += 1
    if place == start:
        return False
    while place < stop and is_blank(PyUnicode_READ(kind, data, place)):
        place += 1
    return place < stop and PyUnicode_READ(kind, data, place) == u":"


cdef struct Line:
    int commas
    int semicolons
    int bars
    bint tabbed
    bint blank


cdef inline Line new_line() noexcept:
    cdef Line line
    line.commas = line.semicolons = line.bars = 0
    line.tabbed, line.blank = False, True
    return line


cdef inline void add(Line* line, Py_UCS4 sign) noexcept:
    line.commas += sign == u","
    line.semicolons += sign == u";"
    line.bars += sign == u"|"
    line.tabbed |= sign == u"\t"
    if line.blank and not sign.isspace():
        line.blank = False


cdef inline bint is_poor(Line* line) noexcept:
    """Whether a line that is not blank is not cut into enough cells."""
    return not (line.blank or line.tabbed or line.commas > 1 or line.semicolons > 1 or line.bars > 1)


cdef inline bint is_uncut(
    int kind, const void* data, Py_ssize_t size, Py_ssize_t most_lines, Py_ssize_t most,
    double agreement,
) noexcept:
    """Whether the first lines of a whole text are too few, or too poor, for a table."""
    cdef Py_ssize_t place = 0, poor = 0, told = 0, lines = 0
    cdef Line line = new_line()
    cdef Py_UCS4 sign
    while place < size and lines < most_lines:
        sign = PyUnicode_READ(kind, data, place)
        place += 1
        if sign < 256 and ORDINARY[sign]:
            line.blank = False
            if place < size:
                continue
        elif not ends_line(sign):
            add(&line, sign)
            if place < size:
                continue
        elif sign == u"\r" and place < size and PyUnicode_READ(kind, data, place) == u"\n":
            place += 1
        lines += 1
        told += not line.blank
        poor += is_poor(&line)
        if poor > most:
            return True
        line = new_line()
    if told < 3:
        return told < 2 or poor > 0
    return told - poor < agreement * told


cdef inline bint is_passed_over(Py_UCS4 sign) noexcept:
    """What may stand before the first word of a text."""
    return sign == 32 or 9 <= sign <= 11 or sign == 13 or sign == 0 or sign == 0xFEFF


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
    cdef int kind = PyUnicode_KIND(text)
    cdef void* data = PyUnicode_DATA(text)
    cdef Py_UCS4 sign
    cdef Line line = new_line()
    while place < size:
        sign = PyUnicode_READ(kind, data, place)
        place += 1
        if not ends_line(sign):
            add(&line, sign)
            continue
        if sign == u"\r" and place < size and PyUnicode_READ(kind, data, place) == u"\n":
            place += 1
        lines -= 1
        if place == size or lines == 0:
            break  # the last may be cut
        poor += is_poor(&line)
        if poor > most:
            return True
        line = new_line()
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


cpdef Py_ssize_t controls_in(bytes head) except -1:
    """How many bytes no text editor writes."""
    if head is None:
        raise TypeError("controls_in")
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


EARLY_MARK = b"%PDF-1."
EARLY_BYTES = 1024


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

    def text_in(self, bytes head not None):
        """The text of bytes that are UTF-8, if none is a control and none begin as another format."""
        if self._is_marked(head) or controls_in(head) or head.find(EARLY_MARK, 0, EARLY_BYTES) >= 0:
            return None
        try:
            return head.decode()
        except UnicodeDecodeError:
            return None  # wrong, or cut off
