# cython: language_level=3, wraparound=False, initializedcheck=False, cdivision=True
"""Cut a page into words and say what the lists know of them, in one walk over its characters.

In: folded text; the tables of detect.naming (classes and weights of characters, the lexicon, the
words remembered from the dictionaries of names).  Out: Cut: arrays over the words of the page, the
same that tokens.py, page.py, fitting.py and runs.py make with numpy where there is no compiler.

Every index into an array is checked; characters are read below the text's length only. One walk
over the characters, a few over the words.
"""

import numpy as np

from cpython.unicode cimport PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_KIND, PyUnicode_READ
from libc.stdint cimport int64_t, uint8_t, uint16_t, uint32_t, uint64_t

cdef extern from *:
    """
    #define DLP_P 0x9E3779B97F4A7C15ULL
    #if defined(__GNUC__) || defined(__clang__)
    #define DLP_FETCH(place) __builtin_prefetch(place)
    #else
    #define DLP_FETCH(place) ((void)(place))
    #endif
    """
    const uint64_t P "DLP_P"  # the base of a word's hash, as in hashing.py
    void fetch_line "DLP_FETCH"(const void *place) noexcept  # a hint: nothing is read

cdef enum:  # classes of characters, as in tokens.py
    LOWER = 1
    UPPER = 2
    DIGIT = 3
    APOSTROPHE = 4

cdef enum:  # what stands behind a word, as in tokens.py
    SPACE = 0
    DOT = 1
    COMMA = 2
    COLON = 3
    LINE = 4
    HYPHEN = 5
    OTHER = 6

cdef enum:  # widths of gaps, as in tokens.py
    WIDEST_SPACE = 2
    WIDEST_GAP = 3
    LEADER = 5
    FEW_SIGNS = 40

cdef enum:  # shapes of a word, as in tokens.py
    CAPITAL = 1
    ALL_CAPS = 2
    NUMBER = 4
    POSSESSIVE = 8
    SINGLE = 16
    MIXED = 32

cdef enum:  # how a line is written, as in page.py
    PLAIN = 0
    LOW = 1
    CAPS = 2

cdef enum:  # what the lexicon says, as in lexicon.py
    TITLE = 1
    BEFORE = 1 << 1
    AFTER = 1 << 2
    NEVER = 1 << 3
    PARTICLE = 1 << 4
    THING = 1 << 5
    STREET = 1 << 7
    INSTITUTION = 1 << 8
    CREDENTIAL = 1 << 9
    PLACE_CUE = 1 << 10
    UNIT = 1 << 11
    ENGLISH = 1 << 13
    LEADS = 1 << 14
    MONTH = 1 << 15
    HOUSE = INSTITUTION | THING | STREET | BEFORE | AFTER

cdef enum:  # what the dictionaries of names say, as in names.py and known_words.py
    FIRST = 1
    LAST = 2
    WORD = 4
    PLACE = 8
    MOSTLY_FIRST = 16
    LISTED = FIRST | LAST

cdef enum:
    BUCKET_SHIFT = 48  # the leading bits of a word's hash that say whether the lexicon may hold it
    STEP_SHIFT = 52  # those that say where to look for it
    SLOT_SHIFT = 46
    WIDEST_JOIN = 3
    SHORT = 3
    LONGEST_RUN = 6
    SECOND_HALF = 3
    SHOUTED = 4
    USUAL = 4  # characters to a word, at least, in most texts

cdef double LOUD = 0.8
cdef double SURE_LOW = 0.25, LIKELY_LOW = 0.6, LAST_BEHIND = 0.92, SURE_CAPS = 0.45
cdef double SURE = 0.35, HARDLY = 0.75

cdef enum:  # what fitting.py asks of a word more than once
    S_SPACE = 1
    S_DOT = 1 << 1
    S_ABLE = 1 << 2
    S_CLEAR = 1 << 3  # a listed name, hardly a word, more than a letter
    S_MOSTLY = 1 << 4  # mostly a first name, with a blank behind it
    S_NAME = 1 << 5  # may stand beside a single letter: Ada B Hale
    S_LED = 1 << 6
    S_INITIAL = 1 << 7  # a letter of a name on a line without capitals
    S_SURE_LAST = 1 << 8
    S_FIT = 1 << 9


def constants():
    """What this file repeats of its twins, for a test to compare."""
    return {
        "tokens": {
            "LOWER": LOWER, "UPPER": UPPER, "DIGIT": DIGIT, "APOSTROPHE": APOSTROPHE,
            "SPACE": SPACE, "DOT": DOT, "COMMA": COMMA, "COLON": COLON, "LINE": LINE,
            "HYPHEN": HYPHEN, "OTHER": OTHER, "WIDEST_SPACE": WIDEST_SPACE,
            "WIDEST_GAP": WIDEST_GAP, "LEADER": LEADER, "CAPITAL": CAPITAL, "ALL_CAPS": ALL_CAPS,
            "NUMBER": NUMBER, "POSSESSIVE": POSSESSIVE, "SINGLE": SINGLE, "MIXED": MIXED,
        },
        "page": {"PLAIN": PLAIN, "LOW": LOW, "CAPS": CAPS, "LOUD": LOUD},
        "lexicon": {
            "TITLE": TITLE, "BEFORE": BEFORE, "AFTER": AFTER, "NEVER": NEVER,
            "PARTICLE": PARTICLE, "THING": THING, "STREET": STREET, "INSTITUTION": INSTITUTION,
            "CREDENTIAL": CREDENTIAL, "PLACE_CUE": PLACE_CUE, "UNIT": UNIT, "ENGLISH": ENGLISH,
            "LEADS": LEADS, "MONTH": MONTH,
        },
        "known_words": {"MOSTLY_FIRST": MOSTLY_FIRST, "SLOT_SHIFT": SLOT_SHIFT},
        "fitting": {
            "FIRST": FIRST, "LAST": LAST, "WORD": WORD, "PLACE": PLACE, "HOUSE": HOUSE,
            "SURE_LOW": SURE_LOW, "LIKELY_LOW": LIKELY_LOW, "LAST_BEHIND": LAST_BEHIND,
            "SURE_CAPS": SURE_CAPS, "SHORT": SHORT,
        },
        "worth": {"WIDEST_JOIN": WIDEST_JOIN},
        "runs": {"LONGEST_RUN": LONGEST_RUN, "SECOND_HALF": SECOND_HALF},
        "turned": {"SURE": SURE, "HARDLY": HARDLY, "SHOUTED": SHOUTED},
    }


cdef class Reader:
    """The tables that every page is read with; `read` gives the Cut of one."""

    cdef const uint8_t[::1] classes
    cdef const uint64_t[::1] weights
    cdef const uint8_t[::1] listed  # a bit for the leading bits of each key: 8 kB, always at hand
    cdef const uint16_t[::1] first
    cdef const uint64_t[::1] keys
    cdef const uint16_t[::1] bits
    cdef const uint64_t[::1] known_keys
    cdef const uint8_t[::1] known_bits
    cdef const double[::1] known_ordinary
    cdef int64_t beyond

    def __init__(self, classes, weights, lexicon, known):
        self.classes, self.weights = classes, weights
        keys, bits = lexicon
        leading = np.zeros(1 << (64 - BUCKET_SHIFT), np.bool_)
        leading[(keys >> np.uint64(BUCKET_SHIFT)).astype(np.int64)] = True
        self.listed = np.packbits(leading, bitorder="little")
        starts = np.arange(1 << (64 - STEP_SHIFT), dtype=np.uint64) << np.uint64(STEP_SHIFT)
        self.first = keys.searchsorted(starts).astype(np.uint16)
        self.keys = np.append(keys, np.uint64(0xFFFFFFFFFFFFFFFF))
        self.bits = np.append(bits, np.uint16(0))
        self.known_keys, self.known_bits, self.known_ordinary = known
        self.beyond = len(classes) - 1

    def read(self, str text not None):
        """Make room for as many words as there are in most texts; for any number, if need be."""
        cdef Py_ssize_t length = PyUnicode_GET_LENGTH(text)
        cdef Cut cut = Cut(text, length // USUAL + USUAL)
        if not self.cut_words(text, cut):
            cut = Cut(text, length // 2 + 1)
            self.cut_words(text, cut)
        cut.close()
        self.ask(cut)
        return cut

    cdef bint cut_words(self, str text, Cut cut) except -1:
        """Spans, hashes, shapes, gaps and what the lexicon says; whether there was room."""
        cdef const uint8_t[::1] classes = self.classes
        cdef const uint64_t[::1] weights = self.weights
        cdef int64_t[:, ::1] places = cut.places
        cdef uint64_t[:, ::1] hashes = cut.hashes
        cdef uint16_t[::1] words = cut.words
        cdef uint8_t[:, ::1] bits = cut.bits
        cdef int kind = PyUnicode_KIND(text)
        cdef const void *data = <const void *>PyUnicode_DATA(text)
        cdef Py_ssize_t length = PyUnicode_GET_LENGTH(text)
        cdef Py_ssize_t i = 0, start, end, mark, full = 0, at = 0, room = words.shape[0]
        cdef int64_t beyond = self.beyond, letters
        cdef uint64_t hashed, before_mark, power, weight
        cdef Py_UCS4 sign, last
        cdef int what, upper, shape
        cdef bint labelled = False, broken = False, digit, opens
        while i < length:
            sign = PyUnicode_READ(kind, data, i)
            what = classes[sign if sign < beyond else beyond]
            if what == 0 or what == APOSTROPHE:
                broken |= sign == c'\n'
                labelled |= sign == c':' or sign == c'='
                i += 1
                continue
            if at >= room:
                return False
            if at:
                bits[1, at - 1] = gap_between(
                    kind, data, length, full, i, broken, labelled
                )
            bits[3, at] = broken  # whether a line begins here, until its mode is known
            labelled = broken = False
            start, mark, upper, digit = i, -1, 0, False
            hashed, before_mark, power = 0, 0, P
            opens = what == UPPER
            last = sign
            while True:
                if what == UPPER:
                    upper += 1
                elif what == DIGIT:
                    digit = True
                weight = weights[sign if sign < beyond else beyond]
                if weight:
                    hashed += weight * power
                    power *= P
                last, what = sign, 0
                i += 1
                while i < length:  # the low letters, by far the most
                    sign = PyUnicode_READ(kind, data, i)
                    what = classes[sign if sign < beyond else beyond]
                    if what != LOWER:
                        break
                    weight = weights[sign if sign < beyond else beyond]
                    if weight:
                        hashed += weight * power
                        power *= P
                    last, what = sign, 0
                    i += 1
                if what == 0:
                    break
                if what == APOSTROPHE:
                    if not is_letter(classes, kind, data, length, i + 1, beyond):
                        break
                    mark, before_mark = i, hashed
            full = end = i
            shape = 0
            hashes[1, at] = hashed
            if mark >= 0 and mark == full - 2 and (last == c's' or last == c'S'):
                end, hashed, shape = mark, before_mark, POSSESSIVE
            letters = end - start
            shape |= CAPITAL * opens | NUMBER * digit
            if letters == 1:
                shape |= SINGLE
            elif upper == letters:
                shape |= ALL_CAPS
            if upper > 1 and upper < letters:
                shape |= MIXED
            places[0, at], places[1, at] = start, end
            hashes[0, at] = hashed
            words[at] = self.lexicon_says(hashed)
            if opens:  # asked for soon
                self.fetch(<Py_ssize_t>(hashed >> SLOT_SHIFT))
            if shape & POSSESSIVE:
                words[at] |= self.lexicon_says(hashes[1, at])
            bits[0, at] = shape
            at += 1
        if at:
            bits[1, at - 1] = OTHER
        cut.count = at
        return True

    cdef inline uint16_t lexicon_says(self, uint64_t wanted):
        """Nothing for most words, by a small map; the last key is one that no word reaches."""
        cdef Py_ssize_t at = <Py_ssize_t>(wanted >> BUCKET_SHIFT)
        if not self.listed[at >> 3] >> (at & 7) & 1:
            return 0
        at = self.first[<Py_ssize_t>(wanted >> STEP_SHIFT)]
        while self.keys[at] < wanted:
            at += 1
        return self.bits[at] * (self.keys[at] == wanted)

    cdef inline int fetch(self, Py_ssize_t slot) except -1:
        """Have a slot brought near while the text is read on: memory takes longer than a word."""
        fetch_line(&self.known_keys[slot])
        fetch_line(&self.known_bits[slot])
        fetch_line(&self.known_ordinary[slot])
        return 0

    cdef int ask(self, Cut cut) except -1:
        """How each line is written; names, where a word could be one; where a list may begin."""
        cdef const uint64_t[::1] known = self.known_keys
        cdef uint64_t[:, ::1] hashes = cut.hashes
        cdef uint16_t[::1] words = cut.words
        cdef double[::1] ordinary = cut.ordinary
        cdef uint8_t[:, ::1] bits = cut.bits
        cdef Py_ssize_t at = 0, until, count = cut.count, slot
        cdef int64_t total, shouted, capitals
        cdef int shape, mode
        cdef bint asked, cued = False
        while at < count:
            until = at
            total = shouted = capitals = 0
            while until < count and (until == at or not bits[3, until]):
                shape = bits[0, until]
                if not shape & (NUMBER | SINGLE):
                    total += 1
                    if shape & ALL_CAPS:
                        shouted += 1
                    elif shape & CAPITAL:
                        capitals += 1
                until += 1
            mode = LOW if capitals == 0 and shouted < total else PLAIN
            if shouted >= 1 and <double>shouted >= LOUD * <double>total:
                mode = CAPS
            cut.low |= mode == LOW
            while at < until:
                shape = bits[0, at]
                asked = (shape & CAPITAL or mode == LOW) and not shape & NUMBER
                bits[2, at], ordinary[at] = 0, 1.0
                bits[3, at] = mode
                bits[4, at] = asked
                bits[5, at] = (shape & (CAPITAL | NUMBER)) == CAPITAL or (cued and mode == LOW)
                cut.begun += bits[5, at]
                cued = words[at] & PLACE_CUE
                cut.little += (words[at] & ENGLISH) != 0
                if asked:
                    slot = <Py_ssize_t>(hashes[0, at] >> SLOT_SHIFT)
                    if known[slot] != hashes[0, at]:
                        slot ^= 1
                    if known[slot] == hashes[0, at]:
                        bits[2, at] = self.known_bits[slot]
                        ordinary[at] = self.known_ordinary[slot]
                    else:
                        cut.missing.append(at)
                at += 1
        return 0


cdef inline bint is_letter(const uint8_t[::1] classes, int kind, const void *data,
                           Py_ssize_t length, Py_ssize_t at, int64_t beyond):
    """Whether an apostrophe before this place stands within a word."""
    cdef Py_UCS4 sign
    cdef int what
    if at >= length:
        return False
    sign = PyUnicode_READ(kind, data, at)
    what = classes[sign if sign < beyond else beyond]
    return what != 0 and what != APOSTROPHE


cdef int gap_between(int kind, const void *data, Py_ssize_t length, Py_ssize_t before,
                     Py_ssize_t start, bint breaks, bint labelled):
    """What stands between the end of a word and the start of the next."""
    cdef Py_ssize_t size = start - before
    cdef Py_UCS4 sign, second
    cdef int gap = OTHER, width = 0
    sign = PyUnicode_READ(kind, data, before)
    if size == 1 and sign == c' ':
        return SPACE
    if labelled and size <= FEW_SIGNS:
        return COLON
    if breaks:
        return LINE
    second = PyUnicode_READ(kind, data, before + 1) if before + 1 < length else sign
    if size == 1 or second == c' ' or second == c'\t':
        if sign == c' ' or sign == c'\t':
            gap, width = SPACE, WIDEST_SPACE
        elif sign == c'.':
            gap, width = DOT, WIDEST_GAP
        elif sign == c',':
            gap, width = COMMA, WIDEST_GAP
        elif sign == c'-':
            gap, width = HYPHEN, 1
        elif sign == c'_':
            gap, width = SPACE, 1
        if size <= width:
            return gap
    if LEADER <= size <= FEW_SIGNS:
        sign = PyUnicode_READ(kind, data, before + 2)
        if (sign == c'.' or sign == c'_') and sign == PyUnicode_READ(kind, data, before + 3):
            return COLON
    return OTHER


cdef class Cut:
    """The words of one page. The arrays are numpy's; whoever writes into them writes here."""

    cdef readonly Py_ssize_t count
    cdef readonly Py_ssize_t little  # words that make a text English
    cdef readonly list missing  # words that nobody has asked the dictionaries for yet
    cdef readonly object place_rows  # starts, ends
    cdef readonly object hash_rows  # without a possessive 's, with it
    cdef readonly object lexicon
    cdef readonly object ordinary_shares
    cdef readonly object bit_rows  # shapes, gaps, names, modes
    cdef readonly object flag_rows  # asked, may begin a listed name
    cdef bint low  # whether a line is written without capitals
    cdef Py_ssize_t begun  # words where a listed name may begin
    cdef str text
    cdef int64_t[:, ::1] places
    cdef uint64_t[:, ::1] hashes
    cdef uint16_t[::1] words
    cdef double[::1] ordinary
    cdef uint8_t[:, ::1] bits
    cdef uint16_t[::1] state

    def __init__(self, str text not None, Py_ssize_t room):
        self.text, self.missing = text, []
        self.count = self.little = self.begun = self.low = 0
        self.place_rows = np.empty((2, room), np.int64)
        self.hash_rows = np.empty((2, room), np.uint64)
        # what the lexicon says, and what is asked of a word more than once
        self.lexicon = np.empty((2, room), np.uint16)
        self.ordinary_shares = np.empty(room)
        self.bit_rows = np.empty((6, room), np.uint8)
        self.places, self.hashes = self.place_rows, self.hash_rows
        self.words, self.state = self.lexicon[0], self.lexicon[1]
        self.ordinary, self.bits = self.ordinary_shares, self.bit_rows

    cdef int close(self) except -1:
        """Show the world no more than there is."""
        cdef Py_ssize_t count = self.count
        self.place_rows = self.place_rows[:, :count]
        self.hash_rows = self.hash_rows[:, :count]
        self.lexicon = self.lexicon[0, :count]
        self.ordinary_shares = self.ordinary_shares[:count]
        rows = self.bit_rows[:, :count]
        self.bit_rows, self.flag_rows = rows[:4], rows[4:].view(np.bool_)
        return 0

    def beginnings(self):
        """Where a listed name may begin, and whether the word there may be a place by itself.

        The page has asked for most of them.
        """
        cdef Py_ssize_t at, row = 0
        begins, alone = np.empty(self.begun, np.int64), np.empty(self.begun, np.uint8)
        cdef int64_t[::1] places = begins
        cdef uint8_t[::1] may = alone
        for at in range(self.count):
            if self.bits[5, at]:
                places[row] = at
                may[row] = (not self.bits[4, at] or self.bits[2, at] & PLACE != 0
                            or self.bits[0, at] & POSSESSIVE != 0)
                row += 1
        return begins, alone.view(np.bool_)

    def marked(self, int some):
        """The words of which the lexicon says some of this."""
        cdef list found = []
        cdef uint16_t[::1] words = self.words
        cdef Py_ssize_t at
        for at in range(self.count):
            if words[at] & some:
                found.append(at)
        return found

    def shaped(self, int whole):
        """The words that have all of a shape."""
        cdef list found = []
        cdef uint8_t[:, ::1] bits = self.bits
        cdef Py_ssize_t at
        for at in range(self.count):
            if bits[0, at] & whole == whole:
                found.append(at)
        return found

    def fit(self):
        """Find the words that could be part of a name; the months among them."""
        cdef list months = []
        self.look()
        if self.low:
            self.look_low()
        self.decide(months)
        return months

    def unfit(self, Py_ssize_t at):
        """A month that is meant as one."""
        self.state[at] &= ~S_FIT

    def fitting(self):
        """The words that could be part of a name."""
        cdef list fit = []
        cdef Py_ssize_t at
        for at in range(self.count):
            if self.state[at] & S_FIT:
                fit.append(at)
        return fit

    cdef int look(self) except -1:
        """What a word says by itself, and whether a title or a label leads to it."""
        cdef uint16_t[::1] state = self.state, words = self.words
        cdef uint8_t[:, ::1] bits = self.bits
        cdef double[::1] ordinary = self.ordinary
        cdef Py_ssize_t at
        cdef int shape, gap, name, word, told
        cdef bint led = False, led_on = False, led_far = False, given = False, leads, glued
        cdef bint listed, whole, able, space, sure
        for at in range(self.count):
            shape, gap, name, word = bits[0, at], bits[1, at], bits[2, at], words[at]
            # numbers, not branches: what one word is says little of the next
            listed, whole = (name & LISTED) != 0, (shape & SINGLE) == 0
            able = listed | ((name & WORD) == 0)
            space, sure = gap == SPACE, ordinary[at] < SURE_LOW
            told = S_SPACE * space | S_DOT * (gap == DOT) | S_ABLE * able | S_LED * led_far
            told |= S_NAME * (able & whole & (shape & CAPITAL) & ((word & NEVER) == 0))
            told |= S_CLEAR * (listed & whole & sure)
            told |= S_SURE_LAST * (((name & LAST) != 0) & whole & (ordinary[at] < LIKELY_LOW))
            told |= S_MOSTLY * (((name & MOSTLY_FIRST) != 0) & space)
            # right behind a clear first name, what is written with a capital is a last one
            if given and not word & HOUSE and shape & (CAPITAL | ALL_CAPS) == CAPITAL:
                told |= S_LED
            given = (told & S_MOSTLY and bits[4, at] and sure
                     and not shape & (POSSESSIVE | ALL_CAPS))
            state[at] = told
            if led_on or word & (TITLE | BEFORE | LEADS):
                leads = (word & TITLE and (space or gap == DOT) or word & BEFORE and gap == COLON
                         or word & LEADS and space)
                glued = space or gap == HYPHEN or (gap == DOT and not whole)
                # led: right behind; led_on, led_far: or up to one, two words further
                led_far = leads or (led_on and glued)
                led_on = leads or (led and glued)
                led = leads
            else:
                led = led_far = False
        return 0

    cdef int look_low(self) except -1:
        """Letters of names on lines without capitals: "ada b. hale", "dr. a. hale"."""
        cdef uint16_t[::1] state = self.state
        cdef uint8_t[:, ::1] bits = self.bits
        cdef Py_ssize_t at, last = self.count - 1
        cdef bint initial, asked, given
        for at in range(self.count):
            if not bits[0, at] & SINGLE:
                continue
            given = at > 0 and state[at - 1] & S_CLEAR and state[at - 1] & S_MOSTLY
            initial = state[at] & S_DOT or (
                state[at] & S_SPACE and at < last and state[at + 1] & S_CLEAR
            )
            if not initial and given:
                initial = self.sign_behind(at) == c'.'
            if initial and at > 0 and not given and not state[at - 1] & S_LED:
                initial = state[at] & S_LED and at < last and bits[2, at + 1] & LAST
            if initial:
                state[at] |= S_INITIAL
        return 0

    cdef Py_UCS4 sign_behind(self, Py_ssize_t at):
        cdef Py_ssize_t end = self.places[1, at]
        return self.text[end] if end < PyUnicode_GET_LENGTH(self.text) else 0

    cdef int decide(self, list months) except -1:
        """Which words could be part of a name, by how their line is written."""
        cdef uint16_t[::1] state = self.state, words = self.words
        cdef uint8_t[:, ::1] bits = self.bits
        cdef Py_ssize_t at, last = self.count - 1
        cdef int shape, mode, told
        cdef int64_t letters
        cdef bint initial, written, fit_behind = False
        for at in range(last, -1, -1):
            shape, mode, told = bits[0, at], bits[3, at], state[at]
            if not bits[4, at] or shape & NUMBER:
                fit_behind = False
                continue
            if words[at] & (NEVER | UNIT):
                initial = shape & SINGLE and told & S_DOT or self.is_between(at, last)
                if not initial:
                    fit_behind = False
                    continue
            if mode == LOW:
                written = self.fits_low(at, last)
            elif mode == CAPS:
                written = self.fits_caps(at)
            else:
                written = shape & CAPITAL and (told & (S_ABLE | S_LED) or shape & SINGLE)
            if written:
                letters = self.places[1, at] - self.places[0, at]
                # MD, RN, HTN: short words in capitals on a plain line are signs of something else
                if not (shape & ALL_CAPS and letters <= SHORT and mode == PLAIN) and not (
                    words[at] & TITLE and fit_behind and told & (S_SPACE | S_DOT)
                ):
                    state[at] |= S_FIT
                    if words[at] & MONTH:
                        months.append(at)
            fit_behind = written
        return 0

    cdef bint is_between(self, Py_ssize_t at, Py_ssize_t last) except -1:
        """A capital letter with a blank on both sides, between two names."""
        if not (0 < at < last and self.bits[0, at] & SINGLE and self.bits[0, at] & CAPITAL):
            return False
        if not self.state[at] & S_SPACE or not self.state[at + 1] & S_NAME:
            return False
        return self.state[at - 1] & S_NAME and self.state[at - 1] & S_SPACE

    cdef bint fits_caps(self, Py_ssize_t at) except -1:
        cdef int name = self.bits[2, at]
        if self.bits[0, at] & SINGLE or self.state[at] & S_LED:
            return True
        if name & LISTED:
            return self.ordinary[at] < SURE_CAPS or self.is_behind_given(at)
        return not name & WORD

    cdef bint fits_low(self, Py_ssize_t at, Py_ssize_t last) except -1:
        """Without capitals: clear names, and what English does not know behind one of them."""
        cdef int told = self.state[at], name = self.bits[2, at]
        cdef int before = self.state[at - 1] if at > 0 else 0
        cdef bint given = before & S_CLEAR and before & S_MOSTLY
        if told & (S_CLEAR | S_INITIAL):
            return True
        if self.bits[0, at] & SINGLE:
            return self.is_behind_given(at)
        if name & LISTED and self.ordinary[at] < LIKELY_LOW:
            if told & S_MOSTLY and at < last and self.state[at + 1] & S_CLEAR:
                if self.state[at + 1] & S_SURE_LAST:
                    return True
            if name & LAST and (given or (before & S_INITIAL and before & S_LED)):
                return True
        if self.is_behind_given(at):
            return True
        if name & WORD:
            return False
        if told & S_LED or given or before & S_INITIAL:
            return True
        return at > 0 and self.words[at - 1] & BEFORE and before & S_SPACE

    cdef bint is_behind_given(self, Py_ssize_t at) except -1:
        """A last name that is a word too, right behind a clear first name, in any case."""
        cdef int before
        if at == 0 or not self.bits[2, at] & LAST or self.ordinary[at] >= LAST_BEHIND:
            return False
        before = self.state[at - 1]
        if not (before & S_CLEAR and before & S_MOSTLY):
            return False
        if self.bits[0, at - 1] & POSSESSIVE or self.bits[2, at - 1] & PLACE:
            return False
        if self.places[1, at] - self.places[0, at] < SHORT:
            return False
        return not self.words[at] & (INSTITUTION | STREET)

    def runs(self, bint every, run):
        """Words that hang together: the first and the one behind the last, as tuples named `run`."""
        cdef list found = []
        new = tuple.__new__
        cdef Py_ssize_t at, first = -1, last = -1
        for at in range(self.count):
            if not self.state[at] & S_FIT:
                continue
            if first >= 0:
                if at - last <= WIDEST_JOIN and last - first < LONGEST_RUN:
                    if self.is_joining(last) and self.are_joined(last, at):
                        last = at
                        continue
                if every or first < last or self.is_worth(first):
                    found.append(new(run, (first, last + 1)))
            first = last = at
        if first >= 0 and (every or first < last or self.is_worth(first)):
            found.append(new(run, (first, last + 1)))
        return found

    cdef bint are_joined(self, Py_ssize_t left, Py_ssize_t right) except -1:
        """Whether two words are one name: only particles between, and the right gaps."""
        cdef Py_ssize_t at
        cdef int gap
        for at in range(left, right):
            gap = self.bits[1, at]
            if gap == DOT:
                if not self.bits[0, at] & SINGLE:
                    return False
            elif gap == COMMA:
                if at != left or not self.is_turned(left, right):
                    return False
            elif gap != SPACE and gap != HYPHEN:
                return False
            if at > left and not self.words[at] & PARTICLE and not self.is_second_half(left, at):
                return False
        return not (self.words[right] & CREDENTIAL and self.bits[0, right] & ALL_CAPS
                    and not self.bits[2, right] & FIRST)

    cdef bint is_second_half(self, Py_ssize_t left, Py_ssize_t at) except -1:
        """Eun-ji, Jean-luc: the low half of a first name."""
        if at != left + 1 or self.places[1, at] - self.places[0, at] > SECOND_HALF:
            return False
        return self.bits[1, left] == HYPHEN and self.bits[2, left] & FIRST

    cdef bint is_turned(self, Py_ssize_t left, Py_ssize_t right) except -1:
        """ "Last, First": both known, and the second a first name; as in turned.py."""
        cdef int word = self.words[right]
        if word & CREDENTIAL and self.bits[0, right] & ALL_CAPS:
            return False
        if not self.bits[2, right] & FIRST or word & STREET:
            return False
        if left > 0 and self.words[left - 1] & BEFORE and self.bits[1, left - 1] == COLON:
            return self.ordinary[right] < HARDLY
        if self.is_shouted(left, right):
            return True
        if not self.bits[2, left] & LAST or self.ordinary[left] > HARDLY:
            return False
        return self.ordinary[right] <= SURE

    cdef bint is_shouted(self, Py_ssize_t last, Py_ssize_t first) except -1:
        """ "HALE, Ada": a last name in capitals, with a comma behind it."""
        cdef int name = self.bits[2, last]
        if first - last != 1 or self.places[1, last] - self.places[0, last] < SHOUTED:
            return False
        if not self.bits[0, last] & ALL_CAPS or self.bits[0, first] & (ALL_CAPS | SINGLE):
            return False
        if last > 0 and self.bits[1, last - 1] == SPACE:
            if not name & LAST:
                return False
        elif name & WORD and not name & LAST:
            return False
        if not self.bits[2, first] & MOSTLY_FIRST or self.ordinary[first] >= SURE:
            return False
        return not self.words[last] & (THING | TITLE | INSTITUTION)

    cdef bint is_joining(self, Py_ssize_t at) except -1:
        cdef int gap = self.bits[1, at], shape = self.bits[0, at]
        if shape & POSSESSIVE:
            return False
        return gap == SPACE or gap == HYPHEN or gap == COMMA or (gap == DOT and shape & SINGLE)

    cdef bint is_worth(self, Py_ssize_t at) except -1:
        """Whether a word beside it or the dictionary speaks for a word by itself."""
        cdef int name = self.bits[2, at]
        cdef bint clear = self.ordinary[at] < SURE
        if at > 0 and self.words[at - 1] & (BEFORE | TITLE):
            return True
        if name & MOSTLY_FIRST and clear:
            return True
        if name & WORD:
            return False
        if self.bits[1, at] == COLON and name & FIRST:
            return True
        if at + 1 >= self.count:
            return False
        if self.words[at + 1] & (AFTER | CREDENTIAL):
            return True
        return self.bits[0, at + 1] & NUMBER and clear and name & LISTED
