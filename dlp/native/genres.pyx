# cython: boundscheck=True, wraparound=False, initializedcheck=False, language_level=3
"""Hear the cues of genres in a text, and who speaks in it.

In: text, and tables that were worked out with the rules.  Out: counts of cues; names at lines.

Hearing(tables of dlp/detect/linking/hearing.py).heard(text): how many cues of each genre are heard,
  and those of which RE2 has to say whether they are; None where a walk would take too long. Its twin
  are the sets of RE2 in dlp/detect/linking/genre.py.
speakers(text, length): whom the lines in so many characters begin with, as a talk does; its twin is
  the pattern SPEAKER in dlp/detect/linking/intimates.py.
"""

from dlp.native.lanes cimport line_ends
from dlp.native.signs cimport lowest, u64

cdef extern from *:
    """
    #if defined(__SSE2__)
    static inline void DLP_LETTERS(int kind, const void *data, Py_ssize_t at,
                                   unsigned long long classes[3]) {
        unsigned long long letters = 0, numbers = 0, blanks = 0;
        int part;
        for (part = 0; part < 64; part += 16) {
            __m128i signs = DLP_SIXTEEN(kind, data, at + part);
            __m128i low = _mm_or_si128(signs, _mm_set1_epi8(0x20));
            letters |= DLP_BITS(DLP_FROM(low, 'a', 'z')) << part;
            numbers |= DLP_BITS(_mm_or_si128(DLP_FROM(signs, '0', '9'), DLP_IS(signs, '_')))
                << part;
            blanks |= DLP_BITS(_mm_or_si128(DLP_IS(signs, ' '), DLP_IS(signs, 9))) << part;
        }
        classes[0] = letters; classes[1] = numbers; classes[2] = blanks;
    }
    #else
    static inline void DLP_LETTERS(int kind, const void *data, Py_ssize_t at,
                                   unsigned long long classes[3]) {
        int place;
        classes[0] = classes[1] = classes[2] = 0;
        for (place = 0; place < 64; place++) {
            Py_UCS4 sign = PyUnicode_READ(kind, data, at + place);
            unsigned long long bit = 1ULL << place;
            if ((sign >= 'a' && sign <= 'z') || (sign >= 'A' && sign <= 'Z'))
                classes[0] |= bit;
            else if ((sign >= '0' && sign <= '9') || sign == '_')
                classes[1] |= bit;
            else if (sign == ' ' || sign == 9)
                classes[2] |= bit;
        }
    }
    #endif
    """
    # of 64 characters from a place on: letters, digits and _, and blanks of ASCII
    void classes_of "DLP_LETTERS"(int kind, const void *data, Py_ssize_t at, u64 *classes) noexcept

from cpython.unicode cimport (
    PyUnicode_DATA,
    PyUnicode_FindChar,
    PyUnicode_KIND,
    PyUnicode_READ,
)
from libc.stdint cimport uint8_t, uint16_t, uint32_t

cimport cython

cdef enum:
    MOST_CUES = 256
    SLOTS = 256  # for characters beyond ASCII that some cue names
    PLACES = 12  # three machines, and what may stand before a place
    LINES = 8  # the places of the two machines that begin at lines
    IN_WORDS = 27  # kinds of characters from 1 on are of words
    IN_NUMBERS = 27
    AT_LINE_END = 29  # the kind of a sign that ends a line
    KINDS = 31
    THREE = 32767  # bits of three kinds
    FURTHER = 8192  # bytes
    LENGTH = 5  # characters that are looked at before a walk begins
    NEWLINE = 10
    PATIENCE = 16  # steps for each character
    # what may stand before a place
    NOTHING = 0
    LINE = 1
    IN_WORD = 2
    OTHER = 3

cdef uint32_t SPREAD = 0x9E3779B1
# Which class an ASCII character is of: 0 letters, 1 digits and _, 2 blanks, 3 the others.
cdef uint8_t CLASS[128]
for _ in range(128):
    CLASS[_] = 0 if chr(_).isalpha() else 1 if chr(_).isdigit() or _ == 95 else 3
CLASS[9] = CLASS[32] = 2


@cython.final
cdef class Hearing:
    cdef uint8_t plain[256]  # class of a character
    cdef uint8_t plain_kind[256]  # kind of a character
    cdef uint32_t may[32]  # for what stands before: the kinds that may begin a cue
    cdef uint32_t may_ever  # whatever stands before
    cdef bint anywhere  # a blank, or a letter in the midst of a word, may begin one
    cdef uint8_t maybe[4096]
    cdef uint8_t short[4096]
    cdef uint8_t lines[LINES][4096]  # three kinds may begin what begins at a line
    cdef uint8_t further[FURTHER]
    cdef uint8_t kind[256]  # of a class
    cdef uint32_t beyond[SLOTS]
    cdef uint8_t of_beyond[SLOTS]
    cdef uint8_t of_rest, end
    cdef uint16_t firsts[PLACES]
    cdef unsigned int hearing, quiet, dense
    cdef const uint16_t[::1] rows
    cdef Py_ssize_t width
    cdef const uint16_t[::1] ways
    cdef const uint8_t[::1] way_class
    cdef const uint16_t[::1] way_to
    cdef const uint16_t[::1] begin
    cdef const uint16_t[::1] cues
    cdef const uint8_t[::1] genres
    cdef Py_ssize_t before_digit
    cdef list loose
    cdef int genre_count
    cdef uint8_t told[MOST_CUES]

    def __init__(self, tables not None, const uint8_t[::1] genres, list loose not None):
        cdef const uint8_t[::1] ascii = tables.plain
        cdef const uint8_t[::1] kinds = tables.kinds
        cdef const uint8_t[::1] maybe = tables.maybe
        cdef const uint8_t[::1] short = tables.short
        cdef const uint8_t[::1] further = tables.further
        cdef const uint16_t[::1] firsts = tables.firsts
        cdef Py_ssize_t place
        if genres.shape[0] > MOST_CUES or kinds.shape[0] > 256:
            raise ValueError("more than there is room for")
        for place in range(kinds.shape[0]):
            self.kind[place] = kinds[place] & KINDS
        self.learn_beyond(tables.beyond, tables.beyond_class)
        for place in range(256):
            self.plain[place] = ascii[place] if place < 128 else self.class_of(<Py_UCS4> place)
            self.plain_kind[place] = self.kind[self.plain[place]]
        for place in range(4096):
            self.maybe[place] = maybe[place] | maybe[place + 4096]
            self.short[place] = short[place]
        self.learn_may(maybe)
        for place in range(FURTHER):
            self.further[place] = further[place]
        for place in range(PLACES):
            self.firsts[place] = firsts[place]
        self.rows, self.ways, self.way_class = tables.rows.reshape(-1), tables.ways, tables.way_class
        self.way_to, self.begin, self.cues = tables.way_to, tables.heard, tables.cues
        self.genres, self.loose = genres, loose
        self.hearing, self.before_digit = tables.hearing[0], tables.before_digit[0]
        self.quiet = <unsigned int> (self.begin.shape[0] - 1)
        self.dense = <unsigned int> tables.rows.shape[0]
        self.width = kinds.shape[0]
        self.end = <uint8_t> (kinds.shape[0] - 1)
        for place in range(LINES):
            self.learn_line(place, self.firsts[PLACES - LINES + place], 0, 0)
        self.genre_count = 1 + max(genres) if genres.shape[0] else 0

    cdef learn_beyond(self, const uint32_t[::1] beyond, const uint8_t[::1] of_beyond):
        cdef Py_ssize_t place
        cdef unsigned int slot
        if beyond.shape[0] >= SLOTS // 2:
            raise ValueError("more than there is room for")
        for place in range(SLOTS):
            self.beyond[place] = 0
        for place in range(beyond.shape[0]):
            slot = beyond[place] & (SLOTS - 1)
            while self.beyond[slot]:
                slot = (slot + 1) & (SLOTS - 1)
            self.beyond[slot] = beyond[place]
            self.of_beyond[slot] = of_beyond[place]
        self.of_rest = of_beyond[beyond.shape[0]]

    cdef learn_may(self, const uint8_t[::1] maybe):
        cdef uint32_t outside = 0, inside = 0
        cdef Py_ssize_t place
        for place in range(4096):
            outside |= <uint32_t> (maybe[place] > 0) << (place >> 7)
            inside |= <uint32_t> (maybe[place + 4096] > 0) << (place >> 7)
        for place in range(KINDS + 1):
            self.may[place] = inside if 1 <= place <= IN_WORDS else outside
        self.may_ever = inside | outside
        self.anywhere = bool(self.may_ever >> self.plain_kind[9] & 1)
        self.anywhere |= self.may_ever >> self.plain_kind[32] & 1
        for place in range(128):
            if chr(place).isalpha():
                self.anywhere |= inside >> self.plain_kind[place] & 1
            if chr(place).isalnum() or place == 95:  # else its neighbour is not in a word
                self.anywhere |= not 1 <= self.plain_kind[place] <= IN_WORDS

    cdef int learn_line(
        self, Py_ssize_t line, unsigned int state, uint32_t read, int length
    ) except -1:
        """The kinds of the first three characters that lead somewhere, or that are a cue."""
        cdef uint32_t kinds, more
        cdef unsigned int seen, to
        if length == 0:
            for kinds in range(4096):
                self.lines[line][kinds] = 0
        for seen in range(<unsigned int> self.width):
            to = self.after(state, seen)
            kinds = read << 5 | self.kind[seen & 255]
            if to == 0:
                continue
            if length == 2:
                self.lines[line][kinds >> 3 & 4095] |= 1 << (kinds & 7)
            elif to - self.hearing < self.quiet:  # whatever follows
                kinds <<= 10 - 5 * length
                for more in range(1 << (10 - 5 * length)):
                    self.lines[line][(kinds | more) >> 3 & 4095] |= 1 << (more & 7)
            else:
                self.learn_line(line, to, kinds, length + 1)
        return 0

    cdef inline bint may_begin(self, unsigned int first, uint32_t three) noexcept:
        """Whether three kinds may begin what begins at a line, in this place of a machine."""
        return self.lines[(first - (PLACES - LINES)) & (LINES - 1)][three >> 3 & 4095] >> (
            three & 7
        ) & 1

    def heard(self, str text not None):
        cdef int place
        for place in range(MOST_CUES):
            self.told[place] = 0
        cdef Py_ssize_t size = len(text)
        cdef int width = PyUnicode_KIND(text)
        cdef bint done
        if width == 1:
            done = walk(self, <uint8_t *> PyUnicode_DATA(text), size)
        elif width == 2:
            done = walk(self, <uint16_t *> PyUnicode_DATA(text), size)
        else:
            done = walk(self, <uint32_t *> PyUnicode_DATA(text), size)
        if not done:
            return None
        cdef list counts = [0] * self.genre_count
        cdef list asked = None
        for place in range(<int> self.genres.shape[0]):
            if self.told[place]:
                counts[self.genres[place]] += 1
        for place in self.loose:
            if self.told[place & (MOST_CUES - 1)]:
                counts[self.genres[place]] -= 1
                asked = asked or []
                asked.append(place)
        return counts, asked

    cdef uint8_t class_of(self, Py_UCS4 char) noexcept:
        cdef unsigned int slot = <unsigned int> char & (SLOTS - 1)
        while self.beyond[slot]:
            if self.beyond[slot] == char:
                return self.of_beyond[slot]
            slot = (slot + 1) & (SLOTS - 1)
        return self.of_rest

    cdef inline uint32_t goes_on(self, uint32_t five) noexcept:
        """Whether five characters may begin a cue, or three of them be most of one."""
        cdef uint32_t index = five * SPREAD >> 16, three = five >> 10
        cdef uint32_t further = self.further[index >> 3] >> (index & 7)
        return (further | self.short[three >> 3] >> (three & 7)) & 1

    cdef inline unsigned int after(self, unsigned int state, unsigned int seen) except? 65535:
        cdef Py_ssize_t way, last
        if state < self.dense:
            return self.rows[state * self.width + seen]
        state -= self.dense
        way, last = self.ways[state], self.ways[state + 1]
        while way < last:
            if self.way_class[way] == seen:
                return self.way_to[way]
            way += 1
        return 0

    cdef int note(self, Py_ssize_t number) except -1:
        cdef Py_ssize_t place
        for place in range(self.begin[number], self.begin[number + 1]):
            self.told[self.cues[place] & (MOST_CUES - 1)] = 1
        return 0


ctypedef fused Sign:
    uint8_t
    uint16_t
    uint32_t


cdef inline unsigned int before_of(uint32_t kind, Py_ssize_t place) noexcept:
    """What stands before a place, by the kind of the character there."""
    if place == 0:
        return NOTHING
    if kind == AT_LINE_END:
        return LINE
    return IN_WORD if kind - 1 < IN_WORDS else OTHER


cdef inline uint32_t kind_at(
    Hearing self, Sign *signs, Py_ssize_t place, Py_ssize_t length
) noexcept:
    """The kind of the character at a place, and behind the text none."""
    if place >= length:
        return 0
    if Sign is uint8_t:
        return self.plain_kind[signs[place]]
    else:
        if signs[place] < 256:
            return self.plain_kind[<uint8_t> signs[place]]
        return self.kind[self.class_of(<Py_UCS4> signs[place])]


cdef Py_ssize_t at_line(
    Hearing self, unsigned int before, uint32_t three, Sign *signs, Py_ssize_t length,
    Py_ssize_t place, Py_ssize_t patience
) except? -1:
    """What begins a line, by the kinds of its first three characters."""
    if self.may_begin(4 + before, three):
        patience = follow(self, 4 + before, signs, length, place, patience)
    if not self.may_begin(8 + before, three):
        return patience
    if self.before_digit and not has_digit(self, signs, length, place):
        return patience
    return follow(self, 8 + before, signs, length, place, patience)


cdef bint has_digit(Hearing self, Sign *signs, Py_ssize_t length, Py_ssize_t place) noexcept:
    """Whether a digit, or what is of its kind, stands where the last machine needs one."""
    cdef Py_ssize_t stop = min(place + self.before_digit, length)
    while place < stop:
        if signs[place] < 256 and self.plain_kind[<uint8_t> signs[place]] == IN_NUMBERS:
            return True
        place += 1
    return False


cdef Py_ssize_t follow(
    Hearing self, unsigned int first, Sign *signs, Py_ssize_t length, Py_ssize_t place,
    Py_ssize_t patience
) except? -1:
    """Walk on while some cue goes on, and note those that are heard; the patience left."""
    cdef Py_ssize_t start = place
    cdef unsigned int state = self.firsts[first % PLACES], seen
    while place <= length:
        if place == length:
            seen = self.end
        elif Sign is uint8_t:
            seen = self.plain[signs[place]]
        elif signs[place] < 256:
            seen = self.plain[<uint8_t> signs[place]]
        else:
            seen = self.class_of(<Py_UCS4> signs[place])
        if state < self.dense:
            state = self.rows[state * self.width + seen]
        else:
            state = self.after(state, seen)
        if state == 0:
            break
        if state - self.hearing < self.quiet:
            self.note(state - self.hearing)
        place += 1
        if place - start > patience:
            return 0
    return patience - (place - start)


cdef inline uint32_t three_at(
    Hearing self, Sign *signs, Py_ssize_t place, Py_ssize_t length
) noexcept:
    """The kinds of three characters."""
    cdef uint32_t two = kind_at(self, signs, place, length) << 5
    two = (two | kind_at(self, signs, place + 1, length)) << 5
    return two | kind_at(self, signs, place + 2, length)


cdef inline u64 openings(
    Hearing self, Sign *signs, Py_ssize_t at, Py_ssize_t length, u64 *before
) noexcept:
    """Of 64 characters from a place on those that may begin a cue; most are in the midst of a word.

    `before`: whether the character before them is of a word; then whether the last of them is.
    """
    cdef u64 classes[4]
    cdef u64 inside, one
    cdef Py_ssize_t place, count = min(length - at, 64)
    cdef u64 all_of_them = ~<u64> 0 >> (64 - count)
    if self.anywhere:
        return all_of_them
    if count == 64:
        classes_of(sizeof(Sign), signs, at, classes)
    else:
        classes[0] = classes[1] = classes[2] = 0
        for place in range(count):
            one = <u64> 1 << place
            if signs[at + place] < 128:
                classes[CLASS[<uint8_t> signs[at + place]]] |= one
    inside = classes[0] | classes[1]
    one = inside << 1 | before[0]
    before[0] = inside >> 63
    return all_of_them & ~(classes[2] | (classes[0] & one))


cdef bint walk(Hearing self, Sign *signs, Py_ssize_t length) except -1:
    """Go on from every place where characters, or the edge of a line, may begin a cue."""
    cdef Py_ssize_t at = 0, start, patience = PATIENCE * (length + 64)
    cdef uint32_t kind, before, index, five
    cdef u64 left, in_word = 0
    patience = follow(self, NOTHING, signs, length, 0, patience)
    index = three_at(self, signs, 0, length)
    patience = at_line(self, NOTHING, index, signs, length, 0, patience)
    while at < length:
        left = openings(self, signs, at, length, &in_word)
        while left:
            start = at + lowest(left)
            left &= left - 1
            kind = kind_at(self, signs, start, length)
            if kind == AT_LINE_END:
                before = kind_at(self, signs, start - 1, length) if start else 0
                before = 4 + before_of(before, start)
                # what begins with the sign that ends a line, and what begins behind it
                if self.may_begin(before, three_at(self, signs, start, length)):
                    patience = follow(self, before, signs, length, start, patience)
                index = three_at(self, signs, start + 1, length)
                patience = at_line(self, LINE, index, signs, length, start + 1, patience)
                if patience <= 0:
                    return False
            index = three_at(self, signs, start, length)
            five = index << 10 | kind_at(self, signs, start + 3, length) << 5
            five |= kind_at(self, signs, start + 4, length)
            # asked together: each by itself is true too often for a processor to guess
            if not (self.maybe[index >> 3] >> (index & 7) & self.goes_on(five) & 1) or start == 0:
                continue
            before = kind_at(self, signs, start - 1, length)
            if self.may[before] >> kind & 1:
                before = before_of(before, start)
                patience = follow(self, before, signs, length, start, patience)
                if patience <= 0:
                    return False
        at += 64
    return patience > 0


cdef inline bint is_capital(Py_UCS4 char) noexcept:
    return u'A' <= char <= u'Z'


cdef inline bint is_small(Py_UCS4 char) noexcept:
    return u'a' <= char <= u'z'


cdef Py_ssize_t behind_stamp(str text, Py_ssize_t start, Py_ssize_t end):
    """Where a line goes on behind a time in brackets; -1: it is none, or not followed by more."""
    cdef Py_ssize_t place = PyUnicode_FindChar(text, u']', start, min(end, start + 26), 1)
    if place < start + 5 or place + 1 >= end:
        return -1
    return place + 2 if text[place + 1] == u' ' else place + 1


cdef Py_ssize_t name_end(int kind, void *data, Py_ssize_t place, Py_ssize_t end) noexcept:
    """Where a name ends that begins here, of one word or two, before a colon and a blank; or -1."""
    cdef Py_ssize_t start = place
    if place >= end or not is_capital(PyUnicode_READ(kind, data, place)):
        return -1
    place += 1
    while place < end and is_small(PyUnicode_READ(kind, data, place)):
        place += 1
    if place < start + 2 or place + 1 >= end:
        return -1
    if PyUnicode_READ(kind, data, place) == u' ' and (
        is_capital(PyUnicode_READ(kind, data, place + 1))
    ):
        place += 2
        while place < end and is_small(PyUnicode_READ(kind, data, place)):
            place += 1
    if place + 1 >= end or PyUnicode_READ(kind, data, place) != u':':
        return -1
    return place if PyUnicode_READ(kind, data, place + 1) == u' ' else -1


def speakers(str text not None, Py_ssize_t length):
    cdef int kind = PyUnicode_KIND(text)
    cdef void *data = PyUnicode_DATA(text)
    cdef Py_ssize_t start = 0, end, place, stop
    cdef list found = []
    length = min(length, len(text))
    while start < length:
        end = PyUnicode_FindChar(text, u'\n', start, length, 1)
        if end < 0:
            end = length
        place = start
        if PyUnicode_READ(kind, data, start) == u'[':
            place = behind_stamp(text, start, end)
        if place >= 0:
            stop = name_end(kind, data, place, end)
            if stop >= 0:
                found.append(text[place:stop])
        start = end + 1
    return found
