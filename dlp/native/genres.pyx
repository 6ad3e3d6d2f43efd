# cython: boundscheck=True, wraparound=False, language_level=3
"""Hear the cues of genres in a text, and who speaks in it.

In: text, and tables that were worked out with the rules.  Out: counts of cues; names at lines.

Hearing(tables of dlp/detect/linking/hearing.py).heard(text): how many cues of each genre are heard,
  and those of which RE2 has to say whether they are; None where a walk would take too long. Its twin
  are the sets of RE2 in dlp/detect/linking/genre.py.
speakers(text, length): whom the lines in so many characters begin with, as a talk does; its twin is
  the pattern SPEAKER in dlp/detect/linking/intimates.py.
"""

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


@cython.final
cdef class Hearing:
    cdef uint8_t plain[256]  # class of a character
    cdef uint8_t plain_kind[256]  # kind of a character
    cdef uint32_t may[32]  # for what stands before: the kinds that may begin a cue
    cdef uint8_t maybe[4096]
    cdef uint8_t short[4096]
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

    def heard(self, str text not None):
        cdef int place
        for place in range(MOST_CUES):
            self.told[place] = 0
        cdef Py_ssize_t size = len(text)
        cdef int width = PyUnicode_KIND(text)
        cdef bint done
        if width == 1:
            done = walk(self, text, <uint8_t *> PyUnicode_DATA(text), size)
        elif width == 2:
            done = walk(self, text, <uint16_t *> PyUnicode_DATA(text), size)
        else:
            done = walk(self, text, <uint32_t *> PyUnicode_DATA(text), size)
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

    cdef inline bint goes_on(self, uint32_t five) noexcept:
        """Whether five characters may begin a cue, or three of them be most of one."""
        cdef uint32_t index = five * SPREAD >> 16
        if self.further[index >> 3] >> (index & 7) & 1:
            return True
        index = five >> 10
        return self.short[index >> 3] >> (index & 7) & 1

    cdef Py_ssize_t new_line(
        self, unsigned int before, str text, Py_ssize_t place, Py_ssize_t patience
    ) except? -1:
        """What begins with the sign that ends a line, or behind it."""
        patience = self.follow(4 + before, text, place, patience)
        return self.at_line(LINE, text, place + 1, patience)

    cdef Py_ssize_t at_line(
        self, unsigned int before, str text, Py_ssize_t place, Py_ssize_t patience
    ) except? -1:
        patience = self.follow(4 + before, text, place, patience)
        if self.before_digit and not self.has_digit(text, place):
            return patience
        return self.follow(8 + before, text, place, patience)

    cdef bint has_digit(self, str text, Py_ssize_t place) noexcept:
        """Whether a digit, or what is of its kind, stands where the last machine needs one."""
        cdef int encoding = PyUnicode_KIND(text)
        cdef void *data = PyUnicode_DATA(text)
        cdef Py_ssize_t stop = min(place + self.before_digit, len(text))
        cdef Py_UCS4 char
        while place < stop:
            char = PyUnicode_READ(encoding, data, place)
            if char < 256 and self.plain_kind[char] == IN_NUMBERS:
                return True
            place += 1
        return False

    cdef Py_ssize_t follow(
        self, unsigned int first, str text, Py_ssize_t place, Py_ssize_t patience
    ) except? -1:
        """Walk on while some cue goes on, and note those that are heard; the patience left."""
        cdef int encoding = PyUnicode_KIND(text)
        cdef void *data = PyUnicode_DATA(text)
        cdef Py_ssize_t length = len(text), start = place
        cdef unsigned int state = self.firsts[first % PLACES], seen
        cdef Py_UCS4 char
        while place <= length:
            seen = self.end
            if place < length:
                char = PyUnicode_READ(encoding, data, place)
                seen = self.plain[char] if char < 256 else self.class_of(char)
            state = self.after(state, seen)
            if state == 0:
                break
            if state - self.hearing < self.quiet:
                self.note(state - self.hearing)
            place += 1
            if place - start > patience:
                return 0
        return patience - (place - start)

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


cdef bint walk(Hearing self, str text, Sign *signs, Py_ssize_t length) except -1:
    """Go on from every place where characters, or the edge of a line, may begin a cue."""
    cdef Py_ssize_t place, start, patience = PATIENCE * (length + 64)
    cdef uint32_t six = 0, kind, index  # kinds of six characters: five, and the one before
    patience = self.follow(NOTHING, text, 0, patience)
    patience = self.at_line(NOTHING, text, 0, patience)
    for place in range(length + LENGTH - 1):
        kind = 0
        if place < length:
            if Sign is uint8_t:
                kind = self.plain_kind[signs[place]]
            elif signs[place] < 256:
                kind = self.plain_kind[<uint8_t> signs[place]]
            else:
                kind = self.kind[self.class_of(<Py_UCS4> signs[place])]
            if kind == AT_LINE_END:
                patience = self.new_line(before_of(six & KINDS, place), text, place, patience)
                if patience <= 0:
                    return False
        six = (six << 5 | kind) & 0x3FFFFFFF
        index = six >> 10 & THREE
        # what cannot begin a cue behind another character asks for the first bit, which is none
        index &= 0 - (self.may[six >> 25] >> (index >> 10) & 1)
        if self.maybe[index >> 3] >> (index & 7) & 1 and place >= LENGTH:
            if self.goes_on(six & 0x1FFFFFF):
                start = place - LENGTH + 1
                patience = self.follow(before_of(six >> 25, start), text, start, patience)
                if patience <= 0:
                    return False
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


cdef Py_ssize_t name_end(str text, Py_ssize_t place, Py_ssize_t end):
    """Where a name ends that begins here, of one word or two, before a colon and a blank; or -1."""
    cdef Py_ssize_t start = place
    if place >= end or not is_capital(text[place]):
        return -1
    place += 1
    while place < end and is_small(text[place]):
        place += 1
    if place < start + 2:
        return -1
    if place + 1 < end and text[place] == u' ' and is_capital(text[place + 1]):
        place += 2
        while place < end and is_small(text[place]):
            place += 1
    return place if place + 1 < end and text[place] == u':' and text[place + 1] == u' ' else -1


def speakers(str text not None, Py_ssize_t length):
    cdef Py_ssize_t start = 0, end, place, stop
    cdef list found = []
    length = min(length, len(text))
    while start < length:
        end = PyUnicode_FindChar(text, u'\n', start, length, 1)
        if end < 0:
            end = length
        place = behind_stamp(text, start, end) if text[start] == u'[' else start
        if place >= 0:
            stop = name_end(text, place, end)
            if stop >= 0:
                found.append(text[place:stop])
        start = end + 1
    return found
