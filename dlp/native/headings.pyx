# cython: language_level=3, boundscheck=True, wraparound=False
"""Find the headings of tables that were pasted into running text.

In: text, and words of which a heading holds one.  Out: spans of lines.

heading_lines(text, shortest, longest, heading, words): spans of the lines that may be such headings,
  as far as a line holds one of the words in small letters, which have two letters or more; its twin
  is heading_lines in dlp/detect/linking/pasted.py. Then those of them before a line that may have
  as many cells: no other has rows below.
"""

from dlp.native.lanes cimport line_ends
from dlp.native.signs cimport lowest, u64

cdef extern from *:
    """
    #pragma GCC optimize ("O3")  /* the loops over parts of 64 characters are written out */
    #if defined(__SSE2__)
    static inline void DLP_CELLS(int kind, const void *data, Py_ssize_t at,
                                 unsigned long long *digits, unsigned long long *borders) {
        int part;
        *digits = *borders = 0;
        for (part = 0; part < 64; part += 16) {
            __m128i signs = DLP_SIXTEEN(kind, data, at + part);
            __m128i border = _mm_or_si128(
                _mm_or_si128(DLP_IS(signs, ','), DLP_IS(signs, ';')),
                _mm_or_si128(DLP_IS(signs, '|'), DLP_IS(signs, 9)));
            *digits |= DLP_BITS(DLP_FROM(signs, '0', '9')) << part;
            *borders |= DLP_BITS(border) << part;
        }
    }
    #else
    static inline void DLP_CELLS(int kind, const void *data, Py_ssize_t at,
                                 unsigned long long *digits, unsigned long long *borders) {
        int place;
        *digits = *borders = 0;
        for (place = 0; place < 64; place++) {
            Py_UCS4 sign = PyUnicode_READ(kind, data, at + place);
            *digits |= (unsigned long long)(sign >= '0' && sign <= '9') << place;
            *borders |= (unsigned long long)(
                sign == ',' || sign == ';' || sign == '|' || sign == 9) << place;
        }
    }
    #endif
    """
    # of 64 characters from a place: digits, and the signs between cells
    void cells "DLP_CELLS"(
        int kind, const void *data, Py_ssize_t at, u64 *digits, u64 *borders
    ) noexcept

from cpython.unicode cimport (
    PyUnicode_DATA,
    PyUnicode_FindChar,
    PyUnicode_KIND,
    PyUnicode_READ,
)
from libc.stdint cimport uint64_t


# Of an ASCII character: 1 to 4 the signs ",;|\\t", 5 a digit, 6 what may be stripped, else 0.
cdef unsigned char SORT[128]
cdef Py_UCS4 SIGNS[5]
for _ in range(128):
    SORT[_] = 0
for _ in range(48, 58):
    SORT[_] = 5
for _ in range(33):
    SORT[_] = 6
SORT[34] = SORT[127] = 6
for _, _sign in enumerate(",;|\t", 1):
    SORT[<int> ord(_sign)] = _
    SIGNS[_] = ord(_sign)
cdef unsigned char MARKS[256]  # whether it is a sign or a digit
for _ in range(256):
    MARKS[_] = _ < 128 and 0 < SORT[_] < 6


cdef bint fits(str text, Py_ssize_t start, Py_ssize_t end, Py_ssize_t heading):
    """Whether a cell holds something short, when blanks and then quotes are stripped."""
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    while start < end and text[start] == u'"':
        start += 1
    while end > start and text[end - 1] == u'"':
        end -= 1
    return 0 < end - start <= heading


cdef bint cells_fit(str text, Py_ssize_t start, Py_ssize_t end, Py_UCS4 sign, Py_ssize_t heading):
    cdef int kind = PyUnicode_KIND(text)
    cdef void *data = PyUnicode_DATA(text)
    cdef Py_ssize_t place, cell = start
    for place in range(start, end):
        if PyUnicode_READ(kind, data, place) == sign:
            if not fits(text, cell, place, heading):
                return False
            cell = place + 1
    return fits(text, cell, end, heading)


cdef Py_ssize_t next_mark(int kind, void *data, Py_ssize_t place, Py_ssize_t stop) noexcept:
    """Where a sign or a digit stands before `stop`, or `stop`."""
    cdef Py_UCS4 char
    if kind == 1:  # nearly always, and all of the time goes here
        while place < stop and not MARKS[<unsigned char> PyUnicode_READ(1, data, place)]:
            place += 1
        return place
    while place < stop:
        char = PyUnicode_READ(kind, data, place)
        if char < 256 and MARKS[char]:
            return place
        place += 1
    return stop


cdef bint is_firm(int kind, void *data, Py_ssize_t place) noexcept:
    """Whether a character is one that nobody strips, without a look at what is not ASCII."""
    cdef Py_UCS4 char = PyUnicode_READ(kind, data, place)
    return char < 128 and SORT[char] == 0


cdef int sign_of(str text, Py_ssize_t start, Py_ssize_t end, Py_ssize_t heading):
    """The number of the sign that stands most often in a line; 0 if that is not twice, where a digit
    stands, or where no sign ends what is too long to be a heading."""
    cdef int kind = PyUnicode_KIND(text), number, most = 1
    cdef void *data = PyUnicode_DATA(text)
    cdef Py_ssize_t place = start, stop
    cdef Py_ssize_t counts[5]
    counts[1] = counts[2] = counts[3] = counts[4] = 0
    while place < end:
        # most lines are prose, and end here without a sign in so many characters
        stop = min(end, place + heading + 1)
        start = place
        place = next_mark(kind, data, start, stop)
        if place == stop and stop < end:
            if is_firm(kind, data, start) and is_firm(kind, data, stop - 1):
                return 0
            place = next_mark(kind, data, stop, end)
        if place < end:
            number = SORT[<unsigned char> PyUnicode_READ(kind, data, place)]
            if number == 5:
                return 0
            if 0 < number < 5:
                counts[number] += 1
        place += 1
    for number in range(2, 5):
        if counts[number] > counts[most]:
            most = number
    return most if counts[most] >= 2 else 0


cdef enum:
    MOST_WORDS = 64

cdef unsigned char FIRSTS[32768]  # which word begins with these three letters; MANY: several do
cdef unsigned char MANY = 255
cdef tuple MARKED = None  # the words that FIRSTS speaks of, which are counted from 1


cdef mark_firsts(tuple words):
    """Three letters of a word stand for it, five bits each; one of two goes on with anything."""
    global MARKED
    cdef unsigned int place, third
    cdef Py_ssize_t number
    cdef str word
    if len(words) >= MOST_WORDS - 1:
        raise ValueError("more words than there is room for")
    for place in range(32768):
        FIRSTS[place] = 0
    for number, word in enumerate(words, 1):
        place = (<unsigned int> ord(word[0]) & 31) << 10 | (<unsigned int> ord(word[1]) & 31) << 5
        for third in range(32):
            if len(word) == 2 or third == (<unsigned int> ord(word[2]) & 31):
                FIRSTS[place | third] = MANY if FIRSTS[place | third] else <unsigned char> number
    MARKED = words


cdef bint holds(str text, Py_ssize_t start, Py_ssize_t end, tuple words):
    """Whether one of the words is in a line, whatever its case."""
    cdef int kind = PyUnicode_KIND(text)
    cdef void *data = PyUnicode_DATA(text)
    cdef unsigned int last = 0, found
    cdef uint64_t likely = 0  # a bit for each word that may begin somewhere
    cdef Py_UCS4 char
    cdef Py_ssize_t place
    if MARKED is not words:
        mark_firsts(words)
    for place in range(start, end):
        char = PyUnicode_READ(kind, data, place)
        if char > 127:  # two of them are letters to RE2
            char = u's' if char == u'\u017f' else u'k' if char == u'\u212a' else 0
        last = ((last << 5) | (<unsigned int> char & 31)) & 32767
        found = FIRSTS[last] if place >= start + 2 else 0
        likely |= <uint64_t> 1 << (found & (MOST_WORDS - 1))
    # the last two letters may be a word of two
    found = FIRSTS[(last << 5) & 32767]
    likely |= <uint64_t> 1 << (found & (MOST_WORDS - 1))
    if likely == 1:
        return False
    cdef str word, low = text[start:end].lower().replace(u'\u017f', u's')
    for place, word in enumerate(words, 1):
        if likely >> (MANY & (MOST_WORDS - 1)) & 1 or likely >> place & 1:
            if word in low:
                return True
    return False


cdef bint is_prose(
    int kind, void *data, Py_ssize_t length, Py_ssize_t start, Py_ssize_t end, Py_ssize_t heading
) noexcept:
    """Whether the first 64 characters of a line show that it is none."""
    cdef u64 digits, borders
    cdef Py_ssize_t cell = 0, border, size = end - start, last
    if start + 64 > length:
        return False
    cells(kind, data, start, &digits, &borders)
    if size < 64:
        digits &= ~(~<u64> 0 << size)
        borders &= ~(~<u64> 0 << size)
    if digits or (size <= 64 and not borders & (borders - 1)):  # two are needed
        return True
    size = min(size, 64)
    while cell + heading < size:
        border = lowest(borders) if borders else size
        # a blank stands behind a comma, and one may stand where the longest heading ends
        cell += PyUnicode_READ(kind, data, start + cell) == u" "
        last = cell + heading
        if last < border and PyUnicode_READ(kind, data, start + last) == u" ":
            last += 1
        if last < border and is_firm(kind, data, start + cell) and is_firm(
            kind, data, start + last
        ):
            return True  # whatever is stripped
        borders &= borders - 1
        cell = border + 1
    return False


cdef bint has_row(str text, Py_ssize_t start, Py_UCS4 sign, Py_ssize_t borders) noexcept:
    """Whether a line may have so many borders of cells; a quoted cell may hold anything."""
    cdef int kind = PyUnicode_KIND(text)
    cdef void *data = PyUnicode_DATA(text)
    cdef Py_ssize_t place
    cdef Py_UCS4 char
    for place in range(start, len(text)):
        char = PyUnicode_READ(kind, data, place)
        if char == u'"':
            return True
        if char == u"\n":
            break
        borders -= char == sign
        if borders < 0:
            return False
    return borders == 0


cdef class Lines:
    """Of a text the lines that may be headings."""

    cdef str text
    cdef Py_ssize_t shortest, longest, heading
    cdef tuple words
    cdef list found, fitting

    cdef int look_at(self, Py_ssize_t start, Py_ssize_t end) except -1:
        cdef int kind = PyUnicode_KIND(self.text), sign
        cdef void *data = PyUnicode_DATA(self.text)
        cdef Py_ssize_t place, borders = 0
        if not self.shortest <= end - start <= self.longest:
            return 0
        if is_prose(kind, data, len(self.text), start, end, self.heading):
            return 0
        # prose is given up where no sign ends what is too long to be a heading
        sign = sign_of(self.text, start, end, self.heading)
        if not sign or not cells_fit(self.text, start, end, SIGNS[sign], self.heading):
            return 0
        if not holds(self.text, start, end, self.words):
            return 0
        line = (start, end)
        self.found.append(line)
        for place in range(start, end):
            borders += PyUnicode_READ(kind, data, place) == SIGNS[sign]
        if has_row(self.text, end + 1, SIGNS[sign], borders):
            self.fitting.append(line)
        return 0

    cdef int look(self) except -1:
        """At one line after the other."""
        cdef int kind = PyUnicode_KIND(self.text)
        cdef void *data = PyUnicode_DATA(self.text)
        cdef Py_ssize_t length = len(self.text), start = 0, at = 0, end
        cdef u64 ends
        while at + 64 <= length:
            ends = line_ends(kind, data, at)
            while ends:
                end = at + lowest(ends)
                ends &= ends - 1
                self.look_at(start, end)
                start = end + 1
            at += 64
        while start < length:
            end = PyUnicode_FindChar(self.text, u'\n', max(at, start), length, 1)
            if end < 0:
                end = length
            self.look_at(start, end)
            start = end + 1
        return 0


def heading_lines(
    str text not None, Py_ssize_t shortest, Py_ssize_t longest, Py_ssize_t heading,
    tuple words not None
):
    cdef Lines lines = Lines.__new__(Lines)
    lines.text, lines.shortest, lines.longest = text, shortest, longest
    lines.heading, lines.words, lines.found, lines.fitting = heading, words, [], []
    lines.look()
    return lines.found, lines.fitting
