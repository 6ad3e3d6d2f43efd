# cython: boundscheck=True, wraparound=False, language_level=3
"""Hear the cues of genres in a text, and who speaks in it.

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
    cdef uint32_t may[2]  # kinds that may begin a cue outside of a word; in one
    cdef uint8_t maybe[8192]
    cdef uint8_t short[4096]
    cdef uint8_t further[FURTHER]
    cdef uint8_t kind[256]  # of a class
    cdef uint32_t beyond[SLOTS]
    cdef uint8_t of_beyond[SLOTS]
    cdef uint8_t of_rest, end
    cdef uint16_t firsts[PLACES]
    cdef unsigned int hearing, quiet, dense
    cdef const uint16_t[:, ::1] rows
    cdef const uint16_t[::1] ways
    cdef const uint8_t[::1] way_class
    cdef const uint16_t[::1] way_to
    cdef const uint16_t[::1] begin
    cdef const uint16_t[::1] cues
    cdef const uint8_t[::1] genres
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
        self.may[0] = self.may[1] = 0
        for place in range(8192):
            self.maybe[place] = maybe[place]
            if maybe[place]:
                self.may[place >> 12] |= <uint32_t> 1 << (place >> 7 & KINDS)
        for place in range(4096):
            self.short[place] = short[place]
        for place in range(FURTHER):
            self.further[place] = further[place]
        for place in range(PLACES):
            self.firsts[place] = firsts[place]
        self.rows, self.ways, self.way_class = tables.rows, tables.ways, tables.way_class
        self.way_to, self.begin, self.cues = tables.way_to, tables.heard, tables.cues
        self.genres, self.loose = genres, loose
        self.hearing = tables.hearing[0]
        self.quiet = <unsigned int> (self.begin.shape[0] - 1)
        self.dense = <unsigned int> self.rows.shape[0]
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

    def heard(self, str text not None):
        cdef int place
        for place in range(MOST_CUES):
            self.told[place] = 0
        if not self.walk(text):
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

    cdef bint walk(self, str text) except -1:
        """Go on from every place where characters, or the edge of a line, may begin a cue."""
        cdef int encoding = PyUnicode_KIND(text)
        cdef void *data = PyUnicode_DATA(text)
        cdef Py_ssize_t length = len(text), place, patience = PATIENCE * (length + 64)
        cdef uint32_t five = 0, words = 0, kind, index, inside
        cdef Py_UCS4 char
        patience = self.follow(NOTHING, text, 0, patience)
        patience = self.at_line(NOTHING, text, 0, patience)
        for place in range(length + LENGTH - 1):
            kind = 0
            if place < length:
                char = PyUnicode_READ(encoding, data, place)
                kind = self.plain_kind[char] if char < 256 else self.kind[self.class_of(char)]
                if char == NEWLINE:
                    patience = self.new_line(text, place, words & 1, patience)
                    if patience <= 0:
                        return False
            five = (five << 5 | kind) & 0x1FFFFFF
            # what cannot begin a cue asks for the first bit, which is none
            inside = words >> 4 & 1
            index = five >> 10
            index = (index & (0 - (self.may[inside] >> (index >> 10) & 1))) | inside << 15
            words = words << 1 | (kind - 1 < IN_WORDS)
            if self.maybe[index >> 3] >> (index & 7) & 1 and place >= LENGTH:
                if self.goes_on(five):
                    patience = self.begun(text, place - LENGTH + 1, inside, patience)
                    if patience <= 0:
                        return False
        return patience > 0

    cdef inline bint goes_on(self, uint32_t five) noexcept:
        """Whether five characters may begin a cue, or three of them be most of one."""
        cdef uint32_t index = five * SPREAD >> 16
        if self.further[index >> 3] >> (index & 7) & 1:
            return True
        index = five >> 10
        return self.short[index >> 3] >> (index & 7) & 1

    cdef Py_ssize_t begun(
        self, str text, Py_ssize_t place, bint inside, Py_ssize_t patience
    ) except? -1:
        cdef unsigned int before = IN_WORD if inside else OTHER
        if text[place - 1] == NEWLINE:
            before = LINE
        return self.follow(before, text, place, patience)

    cdef Py_ssize_t new_line(
        self, str text, Py_ssize_t place, bint inside, Py_ssize_t patience
    ) except? -1:
        """What begins with the sign that ends a line, or behind it."""
        cdef unsigned int before = IN_WORD if inside else OTHER
        if place == 0:
            before = NOTHING
        elif text[place - 1] == NEWLINE:
            before = LINE
        patience = self.follow(4 + before, text, place, patience)
        return self.at_line(LINE, text, place + 1, patience)

    cdef Py_ssize_t at_line(
        self, unsigned int before, str text, Py_ssize_t place, Py_ssize_t patience
    ) except? -1:
        patience = self.follow(4 + before, text, place, patience)
        return self.follow(8 + before, text, place, patience)

    cdef Py_ssize_t follow(
        self, unsigned int first, str text, Py_ssize_t place, Py_ssize_t patience
    ) except? -1:
        """Walk on while some cue goes on, and note those that are heard; the patience left."""
        cdef int encoding = PyUnicode_KIND(text)
        cdef void *data = PyUnicode_DATA(text)
        cdef Py_ssize_t length = len(text), start = place
        cdef unsigned int state = self.firsts[first % PLACES], seen
        cdef Py_UCS4 char
        while state and place <= length:
            if place < length:
                char = PyUnicode_READ(encoding, data, place)
                seen = self.plain[char] if char < 256 else self.class_of(char)
            else:
                seen = self.end
            state = self.after(state, seen)
            if state - self.hearing < self.quiet:
                self.note(state - self.hearing)
            place += 1
            if place - start > patience:
                return 0
        return patience - (place - start)

    cdef inline unsigned int after(self, unsigned int state, unsigned int seen) except? 65535:
        cdef Py_ssize_t way
        if state < self.dense:
            return self.rows[state, seen]
        state -= self.dense
        for way in range(self.ways[state], self.ways[state + 1]):
            if self.way_class[way] == seen:
                return self.way_to[way]
        return 0

    cdef int note(self, Py_ssize_t number) except -1:
        cdef Py_ssize_t place
        for place in range(self.begin[number], self.begin[number + 1]):
            self.told[self.cues[place] & (MOST_CUES - 1)] = 1
        return 0


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
