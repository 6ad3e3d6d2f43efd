# cython: language_level=3, wraparound=False, initializedcheck=False, cdivision=True
"""Cut a page into words and say what the lists know of them, in one walk over its characters.

In: folded text; the tables of detect.naming (classes and weights of characters, the lexicon, the
dictionaries of names).  Out: Cut: the words of the page, with what tokens.py, page.py, known_words.py,
fitting.py and runs.py say of them with numpy where there is no compiler.

Every index into an array is checked, but for tables of 256 places that are asked for a byte, and of
the lexicon that are asked by as many bits as they have places for; characters are read below the
text's length only. One walk over the characters, a few over the words,
most of these over the few words that may be a name.
"""

from array import array
from bisect import bisect_right

import numpy as np

cimport cython
from cpython.unicode cimport PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_KIND, PyUnicode_READ
from libc.math cimport log10, pow
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

from dlp.native.lists cimport Listed
from dlp.native.signs cimport lowest, u64

cdef extern from "Python.h":
    Py_ssize_t Py_REFCNT(object held)

cdef extern from *:
    """
    #define DLP_P 0x9E3779B97F4A7C15ULL
    #define DLP_FIRSTS 0x001F001F001F001FULL
    #define DLP_SECONDS 0x03E003E003E003E0ULL
    #if defined(__GNUC__) || defined(__clang__)
    #define DLP_FETCH(place) __builtin_prefetch(place)
    #else
    #define DLP_FETCH(place) ((void)(place))
    #endif
    #if defined(__SSE2__) && defined(__x86_64__)
    #include <emmintrin.h>
    static inline unsigned int DLP_LOW(int kind, const void *data, Py_ssize_t at,
                                       unsigned long long *eight) {
        __m128i signs = kind == 1
            ? _mm_loadl_epi64((const __m128i *)&((const unsigned char *)data)[at])
            : _mm_loadu_si128((const __m128i *)&((const unsigned short *)data)[at]);
        if (kind == 2)  /* what is above 32,767 becomes 0, else what is above 255 becomes 255 */
            signs = _mm_packus_epi16(signs, signs);
        *eight = (unsigned long long)_mm_cvtsi128_si64(signs);
        return _mm_movemask_epi8(_mm_and_si128(_mm_cmpgt_epi8(signs, _mm_set1_epi8(0x60)),
                                               _mm_cmplt_epi8(signs, _mm_set1_epi8(0x7B)))) & 255;
    }
    #else
    static inline unsigned int DLP_LOW(int kind, const void *data, Py_ssize_t at,
                                       unsigned long long *eight) {
        unsigned int low = 0;
        int place;
        *eight = 0;
        for (place = 0; place < 8; place++) {
            unsigned long long sign = kind == 1 ? ((const unsigned char *)data)[at + place]
                                                : ((const unsigned short *)data)[at + place];
            *eight |= (sign & 255) << 8 * place;
            low |= (unsigned int)('a' <= sign && sign <= 'z') << place;
        }
        return low;
    }
    #endif
    """
    # eight characters of one byte or two from a place, the first in the lowest byte; a bit for each
    # that is one of a to z. Who calls it has compared the last of the eight with the length.
    unsigned int low_of "DLP_LOW"(int kind, const void *data, Py_ssize_t at, u64 *eight) noexcept
    const uint64_t P "DLP_P"  # the base of a word's hash, as in hashing.py
    const uint64_t FIRSTS "DLP_FIRSTS", SECONDS "DLP_SECONDS"  # of each pair: five bits, five more
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

    PART = 7

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
    PLACE_BITS = 12  # leading bits of a hash, turned, that tell its place in the lexicon
    TURN_BITS = 10  # bits of a hash that tell how it is turned
    TURN_SHIFT = 30
    LAST_TURN = (1 << TURN_BITS) - 1
    MOST_TURNS = 1 << 16
    SLOT_SHIFT = 46  # the leading bits of a word's hash that choose its slot in the memory
    KEPT_BITS = 48  # of a hash are kept there: two more than the slot does not tell
    STEP_SHIFT = 56  # above these bits and what the dictionaries say: how ordinary a word is
    LAST_STEP = 31
    PLAINLY = 256  # characters that have small tables
    LETTER_BITS = 5
    LAST_LETTER = (1 << LETTER_BITS) - 1
    LAST_PAIR = (1 << 2 * LETTER_BITS) - 1
    DULL = 1 << 15  # beside what the dictionaries say: a word, no name, of which nothing follows
    SHAPES = 63  # all shapes of a word at once
    COUNT_BITS = 21  # of each of three counts of the words of a line
    COUNT_MASK = (1 << COUNT_BITS) - 1
    OPENS = 128  # beside its mode: a line begins with this word
    FIRST_BITS = 16  # leading bits of the hash of a first word, as in gazetteer.py
    SOON = 8  # words brought near before they are asked for
    AHEAD = 6  # words brought near before they are learnt
    UNKNOWN = 255  # a word whose capitals nobody counted
    WIDEST_JOIN = 3
    SHORT = 3
    LONGEST_RUN = 6
    SECOND_HALF = 3
    SHOUTED = 4
    USUAL = 4  # characters to a word, at least, in most texts
    LEADING = TITLE | BEFORE | LEADS
    MARKED = INSTITUTION | LEADING  # what is asked for on lines with capitals, beside capitals
    HELD = 1 << 16  # words of a page whose room is kept for the next one

cdef uint64_t KEPT = (<uint64_t>1 << KEPT_BITS) - 1, FILLED = <uint64_t>1 << 63
cdef double LITTLE = 0.12  # share of little words that makes a part English
cdef double A_WORD = 1.0 / 3, SENTENCE_STARTS = 0.08, RARE_WORD = 2.3, RARELY = 0.3
cdef double NAME_ZIPF = 0.70, NAME_ZIPF_BEARERS = 0.49
cdef double LOUD = 0.8
# The shares that anybody compares with; words.pxd names the steps that stand for them.
cdef double AT[BORDERS]
AT[:] = [0.0, 0.15, 0.25, 0.35, 0.45, 0.6, 0.75, 0.92]

cdef enum:  # what fitting.py asks of a word more than once
    S_SPACE = 1
    S_DOT = 1 << 1
    S_ABLE = 1 << 2
    S_CLEAR = 1 << 3  # a listed name, hardly a word, more than a letter
    S_MOSTLY = 1 << 4  # mostly a first name, with a blank behind it
    S_NAME = 1 << 5  # may stand beside a single letter: Ada B Hale
    S_LED = 1 << 6
    S_SURE_LAST = 1 << 8
    S_FIT = 1 << 9


cdef double border(int step) noexcept:
    """The share that an odd step stands for."""
    return AT[step >> 1 & BORDERS - 1]


cdef uint64_t step_of(double ordinary) noexcept:
    """Which of two shares is more, and whether one is at a border, is all that anybody asks."""
    cdef uint64_t step = 0
    cdef int at
    for at in range(BORDERS):
        step += (ordinary >= AT[at]) + (ordinary > AT[at])
    return step


def constants():
    """What this file repeats of its twins, for a test to compare."""
    return {
        "tokens": {
            "LOWER": LOWER, "UPPER": UPPER, "DIGIT": DIGIT, "APOSTROPHE": APOSTROPHE,
            "SPACE": SPACE, "DOT": DOT, "COMMA": COMMA, "COLON": COLON, "LINE": LINE,
            "HYPHEN": HYPHEN, "OTHER": OTHER, "PART": PART, "WIDEST_SPACE": WIDEST_SPACE,
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
            "SURE_LOW": border(SURE_LOW), "LIKELY_LOW": border(LIKELY_LOW),
            "LAST_BEHIND": border(LAST_BEHIND), "SURE_CAPS": border(SURE_CAPS), "SHORT": SHORT,
        },
        "overview": {"LITTLE": LITTLE},
        "worth": {"WIDEST_JOIN": WIDEST_JOIN},
        "runs": {"LONGEST_RUN": LONGEST_RUN, "SECOND_HALF": SECOND_HALF},
        "turned": {"SURE": border(SURE), "HARDLY": border(HARDLY), "SHOUTED": SHOUTED},
    }


def weighing():
    """The same of knowledge/names.py and words.py."""
    return {
        "names": {
            "FIRST": FIRST, "LAST": LAST, "WORD": WORD, "PLACE": PLACE, "ORDINARY": A_WORD,
            "RARE_WORD": RARE_WORD, "RARELY": RARELY, "NAME_ZIPF": (NAME_ZIPF, NAME_ZIPF_BEARERS),
        },
        "words": {"UNKNOWN": UNKNOWN, "SENTENCE_STARTS": SENTENCE_STARTS},
    }


BYTES = "shape gap name mode asked ordinary".split()
ROW = np.dtype(
    [("hash", "u8"), ("start", "i4"), ("end", "i4"), ("key", "u2"), ("says", "u2"), ("state", "u2"),
     *((name, "u1") for name in BYTES), ("listed", "u2"), ("more", "u2")]
)
SLOTS = 1 << (64 - SLOT_SHIFT)
NOBODY_BEGINS = np.zeros(1 << FIRST_BITS, np.uint8)
NO_ROWS, NO_PLACES = np.empty(0, ROW), np.empty(0, np.int32)


cdef class Memory:
    """What first and last names, English words and places say of a word; words met are remembered.

    A word stands in the slot of its hash, or in one of three beside it when newer ones came. With its
    key a slot keeps the bits that are said of it and its step: one number tells all.
    """

    def __init__(self, lists, counts, words):
        self.first, self.last, self.words, self.places = lists
        self.first_count, self.last_count = counts
        self.zipf, self.capital = words
        self.slots = np.zeros(SLOTS, np.uint64)

    def look_up(self, const uint64_t[::1] hashes):
        """Bits and shares of words, as KnownWords gives them."""
        bits, ordinary = np.empty(hashes.shape[0], np.uint8), np.empty(hashes.shape[0])
        cdef uint8_t[::1] said = bits
        cdef double[::1] shares = ordinary
        cdef Py_ssize_t at
        cdef uint64_t known
        for at in range(hashes.shape[0]):
            known = self.find(hashes[at])
            if not known:
                known = self.learn(hashes[at])
            said[at] = <uint8_t>(known >> KEPT_BITS)
            shares[at] = self.share(hashes[at])
        return bits, ordinary

    cdef uint64_t find(self, uint64_t key) except? 1:
        """What the slot of a word holds, or 0."""
        cdef Py_ssize_t slot = <Py_ssize_t>(key >> SLOT_SHIFT)
        cdef uint64_t kept = (key & KEPT) | FILLED
        cdef uint64_t asked = KEPT | FILLED
        if self.slots[slot] & asked == kept:
            return self.slots[slot]
        slot ^= 1
        if self.slots[slot] & asked == kept:
            return self.slots[slot]
        slot ^= 3
        if self.slots[slot] & asked == kept:
            return self.slots[slot]
        slot ^= 1
        return self.slots[slot] if self.slots[slot] & asked == kept else 0

    cdef int near(self, uint64_t key) except -1:
        """Have the lists brought near that `learn` will ask."""
        self.first.near(key)
        self.last.near(key)
        self.words.near(key)
        self.places.near(key)
        return 0

    cdef uint64_t learn(self, uint64_t key) except? 1:
        """Put a word into its slot, and what stood there beside it; what it holds now."""
        cdef Py_ssize_t slot = <Py_ssize_t>(key >> SLOT_SHIFT)
        if self.slots[slot]:  # all four lie side by side
            self.slots[slot ^ 3] = self.slots[slot ^ 2]
            self.slots[slot ^ 2] = self.slots[slot ^ 1]
            self.slots[slot ^ 1] = self.slots[slot]
        self.slots[slot] = FILLED | self.told(key) | (key & KEPT)
        return self.slots[slot]

    cdef uint64_t told(self, uint64_t key) except? 1:
        """What the dictionaries say of a word, and its step, where a slot has them."""
        cdef int64_t first = self.first.place(key), last = self.last.place(key)
        cdef int64_t as_first = self.first_count[first] if first >= 0 else 0
        cdef int64_t as_last = self.last_count[last] if last >= 0 else 0
        cdef double ordinary = self.weigh(
            key, max(as_first, as_last, 1 if first >= 0 or last >= 0 else 0)
        )
        cdef uint64_t bits = FIRST * (first >= 0) | LAST * (last >= 0)
        bits |= PLACE * (self.places.place(key) >= 0) | WORD * (ordinary >= A_WORD)
        if as_first > as_last:
            bits |= MOSTLY_FIRST
        return bits << KEPT_BITS | step_of(ordinary) << STEP_SHIFT

    cdef double share(self, uint64_t key) except? -1:
        """How ordinary a word is."""
        return self.standing(key)[0]

    cdef double weigh(self, uint64_t key, int64_t bearers) except? -1:
        """How ordinary a word is that so many bear."""
        cdef int64_t at = self.words.place(key)
        cdef double zipf, proper, share
        if at < 0 or not self.zipf[at]:
            return 0.0
        zipf = self.zipf[at] / 100.0
        if self.capital[at] != UNKNOWN:
            share = (self.capital[at] / 250.0 - SENTENCE_STARTS) / (1 - SENTENCE_STARTS)
            proper = min(max(share, 0.0), 1.0)
        elif not bearers:
            if zipf < RARE_WORD:
                return 0.0  # neither listed nor ever counted: nobody knows this word
            proper = 0.0
        else:
            share = NAME_ZIPF + NAME_ZIPF_BEARERS * log10(<double>max(bearers, 1))
            proper = min(pow(10.0, share - zipf), 1.0)
        if bearers and zipf < RARE_WORD:
            return min(1 - proper, RARELY)
        return 1 - proper

    cdef (double, int64_t) standing(self, uint64_t key) except *:
        """How ordinary a word is, and how many bear it: Names.standing."""
        cdef int64_t first = self.first.place(key), last = self.last.place(key)
        cdef int64_t as_first = self.first_count[first] if first >= 0 else 0
        cdef int64_t as_last = self.last_count[last] if last >= 0 else 0
        cdef int64_t most = max(as_first, as_last, 1 if first >= 0 or last >= 0 else 0)
        return self.weigh(key, most), as_first + as_last


ctypedef fused Width:  # of the signs of a text
    uint8_t
    uint16_t
    uint32_t


cdef struct Entry:  # a word of the lexicon, one more than its place there, what is said of it
    uint64_t hash
    uint16_t key
    uint16_t says
    uint16_t listed  # what the dictionaries of names say, and its step


cdef struct Led:  # whether a title or a cue stands right before a word, one further, two further
    bint on
    bint once
    bint far


@cython.final
cdef class Reader:
    """The tables that every page is read with; `read` gives the Cut of one."""

    cdef const uint8_t[::1] classes
    cdef const uint64_t[::1] weights
    cdef uint8_t plain_classes[PLAINLY]
    cdef uint64_t plain_weights[PLAINLY]
    cdef uint64_t pairs[1 << 2 * LETTER_BITS]  # what two low letters, or one and nothing, weigh
    cdef uint64_t powers[9]  # what so many letters more multiply
    cdef u64 firsts[9]  # so many of eight characters
    cdef uint64_t counted[SHAPES + 1]  # three counts in one number, as in page.py
    cdef uint16_t turns[1 << TURN_BITS]  # what a hash is multiplied with, so that no two meet
    cdef uint8_t tags[1 << PLACE_BITS]  # the last byte of the key that stands at a place
    cdef Entry lexicon[1 << PLACE_BITS]
    cdef object table  # the room of the page before, with nobody in it or somebody
    cdef Py_ssize_t held  # how often it is held with nobody in it
    cdef Word[::1] row
    cdef int32_t[::1] begun_at, marked_at, able_at
    cdef readonly Memory memory
    cdef int64_t beyond
    cdef frozenset month_before
    cdef object is_day, is_house
    cdef const uint8_t[::1] places, houses  # what lists say of a first word, by its leading bits

    def __init__(self, classes, weights, lexicon, Memory memory not None, month_before, patterns):
        cdef int code, place
        self.classes, self.weights, self.memory = classes, weights, memory
        for code in range(PLAINLY):
            self.plain_classes[code] = self.classes[code]
            self.plain_weights[code] = self.weights[code]
            if self.plain_classes[code] == LOWER and not self.plain_weights[code]:
                raise ValueError("a low letter that does not count")
        self.powers[0], self.firsts[0] = 1, 0
        for code in range(1 << 2 * LETTER_BITS):
            self.pairs[code] = (
                self.low_weight(code & LAST_LETTER) + self.low_weight(code >> LETTER_BITS) * P
            )
        for place in range(8):
            self.powers[place + 1] = self.powers[place] * P
            self.firsts[place + 1] = self.firsts[place] << 8 | 0xFF
        for code in range(SHAPES + 1):
            self.counted[code] = 0
            if not code & (NUMBER | SINGLE):
                self.counted[code] = 1
                if code & ALL_CAPS:
                    self.counted[code] |= <uint64_t>1 << COUNT_BITS
                elif code & CAPITAL:
                    self.counted[code] |= <uint64_t>1 << 2 * COUNT_BITS
        keys, bits = lexicon
        self.take_lexicon(keys, bits)
        self.beyond = len(classes) - 1
        self.held = 0
        self.forget()
        self.month_before = month_before
        self.is_day, self.is_house = patterns
        self.places = self.houses = NOBODY_BEGINS

    def bring_near(self, const uint8_t[::1] places, const uint8_t[::1] houses):
        """Tables that are asked of many words as soon as a page is read: they are brought near."""
        if not places.shape[0] == houses.shape[0] == 1 << FIRST_BITS:
            raise ValueError("no tables of first words")
        self.places, self.houses = places, houses

    cdef int take_lexicon(self, const uint64_t[::1] keys, const uint16_t[::1] bits) except -1:
        """Lay out the words, each at a place of its own; the first entry is of no word."""
        cdef Py_ssize_t at
        cdef size_t place
        cdef int listed
        cdef list turns = turned([key for key in keys])
        for at in range(1 << TURN_BITS):
            self.turns[at] = turns[at]
        for at in range(1 << PLACE_BITS):
            self.tags[at], self.lexicon[at] = 0, Entry(0, 0, 0, 0)
        for at in range(keys.shape[0]):
            place = self.place_of(keys[at])
            self.tags[place] = <uint8_t>keys[at]
            listed = <int>(self.memory.told(keys[at]) >> KEPT_BITS)
            if listed & (WORD | LISTED) == WORD and listed >> STEP_SHIFT - KEPT_BITS >= SURE and (
                not bits[at] & (INSTITUTION | LEADING)
            ):
                listed |= DULL
            self.lexicon[place] = Entry(keys[at], <uint16_t>(at + 1), bits[at], <uint16_t>listed)
        return 0

    def read(self, folded, Py_ssize_t offset, list parts):
        """The words of a folded text that begins at `offset`; all `parts` but the first begin there.

        Room is made for as many words as there are in most texts; for any number, if need be.
        """
        cdef str text = folded.text
        cdef Py_ssize_t length = PyUnicode_GET_LENGTH(text)
        if length >= 2 << COUNT_BITS:
            raise OverflowError("a page is read in stretches")
        cdef Cut cut = self.room(text, length // USUAL + USUAL)
        cdef list missing = []
        cdef bint whole = not parts
        if not self.cut_words(text, cut, whole, missing):
            cut, missing = self.room(text, length // 2 + 1), []
            self.cut_words(text, cut, whole, missing)
        cut.folded, cut.offset, cut.moved = folded, offset, folded.positions is not None
        cut.month_before, cut.is_day, cut.is_house = self.month_before, self.is_day, self.is_house
        cut.plain, cut.memory = text.isascii(), self.memory
        if whole:
            cut.english = cut.little / <double>max(1, cut.count) > LITTLE
            cut.english_parts.append(cut.english)
        else:
            cut.divide(parts)
            self.ask_lines(cut, missing)
        if missing:
            self.learn(cut, missing)
        return cut

    cdef Cut room(self, str text, Py_ssize_t words):
        """A Cut for so many words; where nobody holds the page before, in its room."""
        cdef Cut cut = Cut()
        cut.text = text
        # held by this reader and its views, and by the page before if there still is one
        if self.row.shape[0] < words or Py_REFCNT(self.table) > self.held:
            if self.row.shape[0] < words <= HELD:
                words = HELD  # once and for all: what no word is written to takes no memory
            self.row = self.table = np.empty(words, ROW)
            self.begun_at, self.marked_at, self.able_at = np.empty((3, words), np.int32)
            self.held = Py_REFCNT(self.table)
        cut.table, cut.row, cut.begun_at = self.table, self.row, self.begun_at
        cut.marked_at, cut.able_at = self.marked_at, self.able_at
        cut.scratch = self.marked_at  # nobody asks for marked words once a page is read
        if words > HELD:
            self.forget()
        return cut

    cdef int forget(self) except -1:
        """Keep no room for the next page."""
        self.table, self.row = None, NO_ROWS
        self.begun_at = self.marked_at = self.able_at = NO_PLACES
        return 0

    cdef inline int class_of(self, Width width, Py_UCS4 sign) noexcept:
        """What a sign is; asked for each, so that no question whether it failed may follow."""
        if Width is uint8_t:
            return self.plain_classes[<uint8_t>sign]
        if sign < PLAINLY:
            return self.plain_classes[<uint8_t>sign]
        return self.classes[sign if sign < self.beyond else self.beyond]

    cdef inline uint64_t weight_of(self, Width width, Py_UCS4 sign) noexcept:
        if Width is uint8_t:
            return self.plain_weights[<uint8_t>sign]
        if sign < PLAINLY:
            return self.plain_weights[<uint8_t>sign]
        return self.weights[sign if sign < self.beyond else self.beyond]

    cdef bint cut_words(self, str text, Cut cut, bint whole, list missing) except -1:
        """Spans, hashes, shapes, gaps and what the lexicon says; whether there was room.

        If the text is one `whole` part, names are asked for as well.
        """
        cdef int kind = PyUnicode_KIND(text)
        if kind == 1:
            return self.cut_signs(<uint8_t>0, text, cut, whole, missing)
        if kind == 2:
            return self.cut_signs(<uint16_t>0, text, cut, whole, missing)
        return self.cut_signs(<uint32_t>0, text, cut, whole, missing)

    cdef bint cut_signs(self, Width width, str text, Cut cut, bint whole, list missing) except -1:
        """The same for signs of one width; `width` is nothing but its type."""
        cdef Word[::1] row = cut.row
        cdef const void *data = <const void *>PyUnicode_DATA(text)
        cdef Py_ssize_t length = PyUnicode_GET_LENGTH(text)
        cdef Py_ssize_t i = 0, mark, full = 0, at = -1, room = row.shape[0], letters, start, end
        cdef Py_ssize_t line = 0
        cdef uint64_t hashed, before_mark, power, weight, counts = 0
        cdef Py_UCS4 sign, behind = 0
        cdef int what, upper, shape
        cdef bint labelled = False, broken = False, digit, opens
        cdef Word *one = NULL
        cdef Led led = Led(False, False, False)
        cdef u64 eight = 0
        cdef int some, says
        cdef int32_t[::1] marked = cut.marked_at
        cdef size_t marks = 0, marked_before = 0, little = 0
        cdef const Entry *entry
        while i < length:
            sign = PyUnicode_READ(sizeof(Width), data, i)
            what = self.class_of(width, sign)
            if what == 0 or what == APOSTROPHE:
                if sign == c'\n':
                    broken = True
                elif sign == c':' or sign == c'=':
                    labelled = True
                i += 1
                continue
            if at + 1 >= room:
                return False
            if at >= 0:
                one.gap, one.state = SPACE, S_ABLE | S_SPACE
                if i - full != 1 or behind != c' ':
                    one.gap = gap_between(
                        sizeof(Width), data, length, full, i, broken, labelled
                    )
                    one.state = S_ABLE | S_SPACE * (one.gap == SPACE) | S_DOT * (one.gap == DOT)
                    if broken:
                        row[line].mode = OPENS | mode_of(counts)
                        if whole:
                            self.ask(cut, &led, line, at + 1, marked_before, marks, missing)
                        line, counts, marked_before = at + 1, 0, marks
            labelled = broken = False
            at += 1
            one = &row[at]
            one.name = one.asked = one.mode = 0
            one.ordinary = ORDINARY
            start, mark, upper, digit = i, -1, 0, False
            hashed, before_mark, power = 0, 0, P
            opens = what == UPPER
            while True:
                some = 0
                if Width is not uint32_t:  # low letters, by far the most, all at once
                    if what == LOWER and i + 8 <= length:
                        some = lowest(~low_of(sizeof(Width), data, i, &eight))
                        hashed += self.weighed(eight & self.firsts[some]) * power
                        power *= self.powers[some]
                        i += some
                if some == 0:
                    # numbers, not branches: nobody can tell where a capital stands
                    upper += what == UPPER
                    digit |= what == DIGIT
                    weight = self.weight_of(width, sign)
                    if weight:
                        hashed += weight * power
                        power *= P
                    i += 1
                if i >= length:
                    break
                sign = PyUnicode_READ(sizeof(Width), data, i)
                what = self.class_of(width, sign)
                if what == 0:
                    break
                if what == APOSTROPHE:
                    if i + 1 >= length or not is_in_word(
                        self.class_of(width, PyUnicode_READ(sizeof(Width), data, i + 1))
                    ):
                        break
                    mark, before_mark = i, hashed
            full = i
            behind = sign
            end, shape = full, 0
            if mark >= 0 and mark == full - 2:
                sign = PyUnicode_READ(sizeof(Width), data, full - 1)
                if sign == c's' or sign == c'S':
                    cut.owned[at] = hashed
                    end, hashed, shape = mark, before_mark, POSSESSIVE
            one.start, one.end, one.hash = <int32_t>start, <int32_t>end, hashed
            letters = end - start
            if upper | digit:
                shape |= CAPITAL * opens | NUMBER * digit | SINGLE * (letters == 1)
                shape |= ALL_CAPS * ((letters != 1) & (upper == letters))
                shape |= MIXED * ((upper > 1) & (upper < letters))
            else:  # four in five
                shape |= SINGLE * (letters == 1)
            counts += self.counted[shape & SHAPES]
            one.shape = shape
            # What the lexicon says of it is on its way while the next word is read: nothing there
            # waits for an answer.
            entry = self.entry_of(hashed)
            says = entry.says
            if shape & POSSESSIVE:
                says |= self.says_of(cut.owned[at])
            one.key, one.says, one.listed = entry.key, says, entry.listed
            little += (says & ENGLISH) != 0
            marked[marks] = <int32_t>at
            marks += (shape & CAPITAL) | ((says & MARKED) != 0)
            if shape & CAPITAL:  # asked for soon
                self.fetch(one)
        cut.count, cut.little, cut.marked = at + 1, little, marks
        if at >= 0:
            one.gap, one.state = OTHER, S_ABLE
            row[line].mode = OPENS | mode_of(counts)
            if whole:
                self.ask(cut, &led, line, at + 1, marked_before, marks, missing)
        return True

    cdef uint64_t low_weight(self, int number) noexcept:
        """The weight of a low letter by its number; what is none weighs nothing."""
        return self.plain_weights[96 + number] if 1 <= number <= 26 else 0

    cdef inline uint64_t weighed(self, u64 eight) noexcept:
        """What eight low letters enter the hash of a word with; nothing counts for nothing.

        Their last five bits are their numbers, and two numbers side by side ask for a pair.
        """
        eight = eight & FIRSTS | eight >> 8 - LETTER_BITS & SECONDS
        return (
            self.pairs[eight & LAST_PAIR]
            + self.pairs[eight >> 16 & LAST_PAIR] * self.powers[2]
            + self.pairs[eight >> 32 & LAST_PAIR] * self.powers[4]
            + self.pairs[eight >> 48 & LAST_PAIR] * self.powers[6]
        )

    cdef inline int fetch(self, const Word *word) except -1:
        """Have the slot of a word brought near; who stands in the lexicon needs none."""
        fetch_line(&self.memory.slots[<Py_ssize_t>(word.hash >> SLOT_SHIFT) * (word.key == 0)])
        return 0

    cdef inline const Entry *entry_of(self, uint64_t wanted) noexcept:
        """The entry of a word, or the first, where no word stands.

        Nothing depends on what is found: half of all words are there, and nobody can tell which. Most
        of the others are told by one byte, so that what is read is what words of the lexicon need.
        """
        cdef size_t place = self.place_of(wanted)
        place *= self.tags[place] == <uint8_t>wanted
        place *= self.lexicon[place].hash == wanted
        return &self.lexicon[place]

    cdef inline size_t place_of(self, uint64_t wanted) noexcept:
        """The only place in the lexicon where a word may stand."""
        cdef uint64_t turn = self.turns[<size_t>(wanted >> TURN_SHIFT & LAST_TURN)]
        return <size_t>(wanted * turn >> (64 - PLACE_BITS))

    cdef int says_of(self, uint64_t wanted) noexcept:
        return self.entry_of(wanted).says

    cdef int ask_lines(self, Cut cut, list missing) except -1:
        """The same for each line of a page that was cut before."""
        cdef Py_ssize_t line = 0, at, marks = 0, before
        cdef Led led = Led(False, False, False)
        for at in range(1, cut.count + 1):
            if at == cut.count or cut.row[at].mode:
                before = marks
                while marks < cut.marked and cut.marked_at[marks] < at:
                    marks += 1
                self.ask(cut, &led, line, at, before, marks, missing)
                line = at
        return 0

    cdef int ask(self, Cut cut, Led *led, Py_ssize_t first, Py_ssize_t last, Py_ssize_t marks,
                 Py_ssize_t end, list missing) except -1:
        """How a line is written; names, where a word could be one; where a list may begin.

        Where there are capitals, those and marked words are looked at, and what a title leads to.
        """
        cdef int mode = cut.row[first].mode & ~OPENS
        cdef Py_ssize_t at = first
        cdef Word *word
        cut.row[first].mode = mode
        if mode == LOW:
            for at in range(first, min(first + SOON, last)):
                self.fetch(&cut.row[at])
            for at in range(first, last):
                if at + SOON < last:
                    self.fetch(&cut.row[at + SOON])
                word = &cut.row[at]
                word.mode = LOW
                if word.listed & DULL and not (word.shape | led.once | led.far) and not (
                    at > 0 and cut.row[at - 1].says & PLACE_CUE
                ):
                    # what `ask_one` does of it: it begins nothing, leads to nothing, fits nowhere
                    led.on, word.asked = False, 1
                    word.state &= ~S_ABLE
                    take(word, word.listed)
                else:
                    self.ask_one(cut, led, at, missing)
            return 0
        if mode == CAPS:
            for at in range(first, last):
                cut.row[at].mode = CAPS
        at = first
        while True:
            if not (led.once or led.far):
                if marks >= end:
                    return 0
                at = cut.marked_at[marks]
            if at >= last:
                return 0
            if marks < end and cut.marked_at[marks] == at:
                marks += 1
            self.ask_one(cut, led, at, missing)
            at += 1

    cdef inline int ask_one(self, Cut cut, Led *led, Py_ssize_t at, list missing) except -1:
        cdef Word *word = &cut.row[at]
        cdef int shape = word.shape, gap = word.gap, says = word.says, told = word.state
        cdef uint64_t known
        cdef bint leads, glued, low = word.mode == LOW
        if (shape & (CAPITAL | NUMBER) == CAPITAL
                or low and at > 0 and cut.row[at - 1].says & PLACE_CUE):
            cut.begun_at[cut.begun] = <int32_t>at
            cut.begun += 1
            fetch_line(&self.places[<Py_ssize_t>(word.hash >> (64 - FIRST_BITS))])
            fetch_line(&self.houses[<Py_ssize_t>(word.hash >> (64 - FIRST_BITS))])
        if led.far:
            told |= S_LED
        if says & INSTITUTION:
            cut.houses.append(at)
        if led.once or says & LEADING:
            leads = (says & TITLE and (gap == SPACE or gap == DOT)
                     or says & BEFORE and gap == COLON or says & LEADS and gap == SPACE)
            glued = gap == SPACE or gap == HYPHEN or (gap == DOT and shape & SINGLE)
            led.far = leads or (led.once and glued)
            led.once = leads or (led.on and glued)
            led.on = leads
        else:
            led.on = led.far = False
        if shape & (POSSESSIVE | CAPITAL) == POSSESSIVE | CAPITAL:
            cut.owners.append(at)
        if (shape & CAPITAL or low) and not shape & NUMBER:
            word.asked = 1
            if word.key:
                take(word, word.listed)
            else:
                known = self.memory.find(word.hash)
                if known:
                    take(word, known >> KEPT_BITS)
                else:
                    missing.append(at)
            # on a line without capitals what is a word and no name fits none, and leads to none; nor
            # is it anybody again
            cut.able_at[cut.able] = <int32_t>at
            cut.able += not low or word.name & (WORD | LISTED) != WORD or (
                shape & SINGLE != 0 or word.ordinary < SURE
            )
            told &= ~S_ABLE  # until it is known what it is
        elif shape & CAPITAL:
            # of these nothing is known, so any may stand in a name
            told |= S_NAME * (not shape & SINGLE and not says & NEVER)
        word.state = told
        return 0

    cdef int learn(self, Cut cut, list missing) except -1:
        """Ask the dictionaries for words that nobody has met."""
        cdef Py_ssize_t number, at, count = len(missing)
        cdef uint64_t known
        for number in range(min(AHEAD, count)):
            self.memory.near(cut.row[<Py_ssize_t>missing[number]].hash)
        for number in range(count):
            if number + AHEAD < count:
                self.memory.near(cut.row[<Py_ssize_t>missing[number + AHEAD]].hash)
            at = missing[number]
            known = self.memory.find(cut.row[at].hash)
            if not known:
                known = self.memory.learn(cut.row[at].hash)
            take(&cut.row[at], known >> KEPT_BITS)
        return 0


cdef inline void take(Word *word, uint64_t known) noexcept:
    """What the dictionaries say of it, and its step."""
    word.name = <uint8_t>known
    word.ordinary = <uint8_t>(known >> STEP_SHIFT - KEPT_BITS & LAST_STEP)


def turned(list keys):
    """For keys that share some bits: an odd number that multiplied with them sends each to a place.

    Those of whom the most share them choose first. The first place is of no key.
    """
    cdef dict groups = {}
    cdef list turns = [1] * (1 << TURN_BITS)
    cdef uint8_t[::1] taken = bytearray(1 << PLACE_BITS)
    taken[0] = 1
    for key in keys:
        groups.setdefault(key >> TURN_SHIFT & LAST_TURN, []).append(key)
    for bits, group in sorted(groups.items(), key=by_size, reverse=True):
        turns[bits] = turn_for(array("Q", group), taken)
    return turns


cdef int turn_for(const uint64_t[::1] group, uint8_t[::1] taken) except -1:
    """The least number that sends each of these keys to a place nobody has; they are taken then."""
    cdef Py_ssize_t at
    cdef uint64_t turn
    for turn in range(1, MOST_TURNS, 2):
        at = 0
        while at < group.shape[0] and not taken[<Py_ssize_t>(group[at] * turn >> (64 - PLACE_BITS))]:
            taken[<Py_ssize_t>(group[at] * turn >> (64 - PLACE_BITS))] = 1
            at += 1
        if at == group.shape[0]:
            return <int>turn
        while at > 0:
            at -= 1
            taken[<Py_ssize_t>(group[at] * turn >> (64 - PLACE_BITS))] = 0
    raise ValueError("a word finds no place")


def by_size(item):
    return len(item[1])


cdef int mode_of(uint64_t counts) noexcept:
    """How a line is written: words of it, those in capitals, those that begin with one."""
    cdef int64_t total = counts & COUNT_MASK, shouted = counts >> COUNT_BITS & COUNT_MASK
    if shouted >= 1 and <double>shouted >= LOUD * <double>total:
        return CAPS
    return LOW if counts >> 2 * COUNT_BITS == 0 and shouted < total else PLAIN


cdef inline bint is_in_word(int what) noexcept:
    """Whether an apostrophe before such a sign stands within a word."""
    return what != 0 and what != APOSTROPHE


cdef int gap_between(int kind, const void *data, Py_ssize_t length, Py_ssize_t before,
                     Py_ssize_t start, bint breaks, bint labelled) noexcept:
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
    """The words of one page, one row each."""

    def __init__(self):
        self.count = self.offset = self.begun = self.little = 0
        self.marked = self.able = 0
        self.english = self.moved = self.fitted = False
        self.borders, self.english_parts, self.houses, self.owners = [], [], [], []
        self.owned = {}

    cdef int divide(self, list parts) except -1:
        """Let no word be tied to the next where a part ends; say which parts are English."""
        cdef Py_ssize_t at = 0, begun = 0, little = 0, begins
        if not parts:
            return 0
        for begins in [*parts, len(self.text)]:
            while at < self.count and self.row[at].start < begins:
                little += (self.row[at].says & ENGLISH) != 0
                at += 1
            self.borders.append(at)
            self.english_parts.append(little / <double>max(1, at - begun) > LITTLE)
            begun, little = at, 0
        self.borders.pop()  # the end of the text is none
        for at in self.borders:
            if at:
                self.row[at - 1].gap = PART
                self.row[at - 1].state &= ~(S_SPACE | S_DOT)
        self.english = any(self.english_parts)
        return 0

    def told_english(self):
        """Whether each part is."""
        return self.english_parts

    cdef bint is_english(self, Py_ssize_t at) except -1:
        if not self.borders:
            return self.english
        return self.english_parts[bisect_right(self.borders, at)]

    cdef str word(self, Py_ssize_t at):
        return self.text[self.row[at].start : self.row[at].end]

    cdef str phrase(self, Py_ssize_t first, Py_ssize_t last):
        """Some words as cues are written: low, 's included, one space between."""
        if last - first == 1 and not self.row[first].shape & POSSESSIVE:
            return self.text[self.row[first].start : self.row[first].end].lower()
        cdef list words = []
        cdef Py_ssize_t at, end
        for at in range(first, last):
            end = self.row[at].end + (2 if self.row[at].shape & POSSESSIVE else 0)
            words.append(self.text[self.row[at].start : min(end, len(self.text))])
        return " ".join(words).lower()

    cdef uint64_t whole(self, Py_ssize_t at) except? 0:
        """The hash of a word with its 's."""
        return self.owned[at] if self.row[at].shape & POSSESSIVE else self.row[at].hash

    def shares(self):
        """How ordinary each word is, as those were asked; of the others nobody knows more than 1."""
        cdef Py_ssize_t at
        return np.array([
            self.memory.share(self.row[at].hash) if self.row[at].asked else 1.0
            for at in range(self.count)
        ])

    def wholes(self):
        """These hashes for all words."""
        hashes = np.empty(self.count, np.uint64)
        cdef uint64_t[::1] into = hashes
        cdef Py_ssize_t at
        for at in range(self.count):
            into[at] = self.whole(at)
        return hashes

    cdef bint dotted(self, Py_ssize_t at) except -1:
        """Whether a full stop stands right behind a word."""
        cdef Py_ssize_t end = self.row[at].end
        return end < len(self.text) and self.text[end] == u"."

    cdef bint is_month(self, Py_ssize_t at) except -1:
        """In June, since May, 3 April, June 3, May 2019: no June, May or April of flesh and blood."""
        cdef Py_ssize_t start
        if not self.row[at].says & MONTH:
            return False
        if at and (self.row[at - 1].gap == SPACE or self.row[at - 1].gap == HYPHEN):
            if self.row[at - 1].shape & NUMBER or self.word(at - 1).lower() in self.month_before:
                return True
        if at + 1 >= self.count or self.row[at].gap != SPACE:
            return False
        if not self.row[at + 1].shape & NUMBER:
            return False
        start = self.row[at + 1].start
        return self.is_day(self.text[start : min(start + 16, len(self.text))]) is not None

    cdef (Py_ssize_t, Py_ssize_t) original(self, Py_ssize_t start, Py_ssize_t end) except *:
        """Where something of the page stands in its part."""
        if self.moved:
            start, end = self.folded.original(start, end)
        return start + self.offset, end + self.offset

    def beginnings(self):
        """Where a listed name may begin, and whether the word there may be a place by itself."""
        places = np.asarray(self.begun_at[: self.begun]).astype(np.int64)
        alone = np.empty(self.begun, np.bool_)
        for number, at in enumerate(places.tolist()):
            alone[number] = self.stands_alone(at)
        return places, alone

    cdef bint stands_alone(self, Py_ssize_t at) except -1:
        """The page has asked for most words whether they are a place."""
        if not self.row[at].asked or self.row[at].name & PLACE:
            return True
        return self.row[at].shape & POSSESSIVE != 0

    def runs(self, bint every, run):
        """Words that hang together: the first and the one behind the last, as tuples named `run`."""
        cdef list found = []
        cdef Py_ssize_t place = 0, first = 0, last = 0
        self.fit()
        while place >= 0:
            place = self.next_run(place, every, &first, &last)
            if place >= 0:
                found.append(tuple.__new__(run, (first, last)))
        return found

    def fitting(self):
        """The words that could be part of a name."""
        self.fit()
        return [at for at in range(self.count) if self.row[at].state & S_FIT]

    cdef int fit(self) except -1:
        """Find the words that could be part of a name."""
        if not self.fitted:
            self.look()
            self.decide()
            self.fitted = True
        return 0

    cdef int look(self) except -1:
        """What a word says by itself, and whether a first name leads to it."""
        cdef Word[::1] row = self.row
        cdef Py_ssize_t number, at, given = -1  # the word behind a clear first name
        cdef int shape, name, word, told, ordinary
        cdef bint listed, whole, able, sure
        for number in range(self.able):
            at = self.able_at[number]
            shape, word, told = row[at].shape, row[at].says, row[at].state
            name, ordinary = row[at].name, row[at].ordinary
            # numbers, not branches: what one word is says little of the next
            listed, whole = (name & LISTED) != 0, (shape & SINGLE) == 0
            able = listed | ((name & WORD) == 0)
            sure = ordinary < SURE_LOW
            told |= S_ABLE * able | S_CLEAR * (listed & whole & sure)
            told |= S_NAME * (able & whole & (shape & CAPITAL) & ((word & NEVER) == 0))
            told |= S_SURE_LAST * (((name & LAST) != 0) & whole & (ordinary < LIKELY_LOW))
            told |= S_MOSTLY * (((name & MOSTLY_FIRST) != 0) & ((told & S_SPACE) != 0))
            # right behind a clear first name, what is written with a capital is a last one
            if given == at and not word & HOUSE and shape & (CAPITAL | ALL_CAPS) == CAPITAL:
                told |= S_LED
            row[at].state = told
            if told & S_MOSTLY and sure and not shape & (POSSESSIVE | ALL_CAPS):
                given = at + 1
                if given < self.count and not row[given].asked and not row[given].says & HOUSE:
                    if row[given].shape & (CAPITAL | ALL_CAPS) == CAPITAL:
                        row[given].state |= S_LED
        return 0

    cdef bint is_initial(self, Py_ssize_t at) except -1:
        """A letter of a name on a line without capitals: "ada b. hale", "dr. a. hale"."""
        cdef Word[::1] row = self.row
        cdef Py_ssize_t last = self.count - 1
        cdef bint initial, given
        if not row[at].shape & SINGLE:
            return False
        given = at > 0 and row[at - 1].state & S_CLEAR and row[at - 1].state & S_MOSTLY
        initial = row[at].state & S_DOT or (
            row[at].state & S_SPACE and at < last and row[at + 1].state & S_CLEAR
        )
        if not initial and given:
            initial = self.dotted(at)
        if initial and at > 0 and not given and not row[at - 1].state & S_LED:
            initial = row[at].state & S_LED and at < last and row[at + 1].name & LAST
        return initial

    cdef int decide(self) except -1:
        """Which words could be part of a name, by how their line is written."""
        cdef Word[::1] row = self.row
        cdef Py_ssize_t number, at, last = self.count - 1, behind = -1
        cdef int shape, mode, told
        cdef bint written
        for number in range(self.able - 1, -1, -1):
            at = self.able_at[number]
            shape, mode, told = row[at].shape, row[at].mode, row[at].state
            if row[at].says & (NEVER | UNIT):
                if not (shape & SINGLE and told & S_DOT or self.is_between(at, last)):
                    continue
            if mode == LOW:
                # most are words that no name before them leads to
                if row[at].name & WORD and row[at].ordinary >= LIKELY_LOW and (
                    not told & S_CLEAR and not shape & SINGLE
                ):
                    if not at or row[at - 1].state & (S_CLEAR | S_MOSTLY) != S_CLEAR | S_MOSTLY:
                        continue
                written = self.fits_low(at, last)
            elif mode == CAPS:
                written = self.fits_caps(at)
            else:
                written = shape & CAPITAL and (told & (S_ABLE | S_LED) or shape & SINGLE)
            if not written:
                continue
            # MD, RN, HTN: short words in capitals on a plain line are signs of something else
            if not (shape & ALL_CAPS and mode == PLAIN and row[at].end - row[at].start <= SHORT):
                if not (row[at].says & TITLE and behind == at + 1 and told & (S_SPACE | S_DOT)):
                    if not row[at].says & MONTH or not self.is_month(at):
                        row[at].state |= S_FIT
            behind = at  # the last that was written as a name is
        return 0

    cdef bint is_between(self, Py_ssize_t at, Py_ssize_t last) except -1:
        """A capital letter with a blank on both sides, between two names."""
        if not (0 < at < last and self.row[at].shape & SINGLE and self.row[at].shape & CAPITAL):
            return False
        if not self.row[at].state & S_SPACE or not self.row[at + 1].state & S_NAME:
            return False
        return self.row[at - 1].state & S_NAME and self.row[at - 1].state & S_SPACE

    cdef bint fits_caps(self, Py_ssize_t at) except -1:
        cdef int name = self.row[at].name
        if self.row[at].shape & SINGLE or self.row[at].state & S_LED:
            return True
        if name & LISTED:
            return self.row[at].ordinary < SURE_CAPS or self.is_behind_given(at)
        return not name & WORD

    cdef bint fits_low(self, Py_ssize_t at, Py_ssize_t last) except -1:
        """Without capitals: clear names, and what English does not know behind one of them."""
        cdef int told = self.row[at].state, name = self.row[at].name
        cdef int before
        if told & S_CLEAR or self.is_initial(at):
            return True
        before = self.row[at - 1].state if at > 0 else 0
        cdef bint given = before & S_CLEAR and before & S_MOSTLY
        cdef bint initial = at > 0 and self.is_initial(at - 1)
        if self.row[at].shape & SINGLE:
            return given and self.is_behind_given(at)
        if name & LISTED and self.row[at].ordinary < LIKELY_LOW:
            if told & S_MOSTLY and at < last and self.row[at + 1].state & S_CLEAR:
                if self.row[at + 1].state & S_SURE_LAST:
                    return True
            if name & LAST and (given or (initial and before & S_LED)):
                return True
        if given and self.is_behind_given(at):
            return True
        if name & WORD:
            return False
        if told & S_LED or given or initial:
            return True
        return at > 0 and self.row[at - 1].says & BEFORE and before & S_SPACE

    cdef bint is_behind_given(self, Py_ssize_t at) except -1:
        """A last name that is a word too, right behind a clear first name, in any case."""
        cdef int before
        if at == 0 or not self.row[at].name & LAST or self.row[at].ordinary >= LAST_BEHIND:
            return False
        before = self.row[at - 1].state
        if not (before & S_CLEAR and before & S_MOSTLY):
            return False
        if self.row[at - 1].shape & POSSESSIVE or self.row[at - 1].name & PLACE:
            return False
        if self.row[at].end - self.row[at].start < SHORT:
            return False
        return not self.row[at].says & (INSTITUTION | STREET)

    cdef Py_ssize_t next_run(self, Py_ssize_t place, bint every, Py_ssize_t *begins,
                             Py_ssize_t *ends) except -2:
        """The next words that hang together from a place among the able; where to go on, or -1."""
        cdef Py_ssize_t at, first = -1, last = -1
        while place < self.able:
            at = self.able_at[place]
            if not self.row[at].state & S_FIT:
                place += 1
                continue
            if first >= 0:
                if at - last <= WIDEST_JOIN and last - first < LONGEST_RUN and (
                    self.is_joining(last) and self.are_joined(last, at)
                ):
                    last = at
                    place += 1
                    continue
                if every or first < last or self.is_worth(first):
                    break
            first = last = at
            place += 1
        if first < 0 or not (every or first < last or self.is_worth(first)):
            return -1
        begins[0], ends[0] = first, last + 1
        return place

    cdef bint are_joined(self, Py_ssize_t left, Py_ssize_t right) except -1:
        """Whether two words are one name: only particles between, and the right gaps."""
        cdef Py_ssize_t at
        cdef int gap
        for at in range(left, right):
            gap = self.row[at].gap
            if gap == DOT:
                if not self.row[at].shape & SINGLE:
                    return False
            elif gap == COMMA:
                if at != left or not self.is_turned(left, right):
                    return False
            elif gap != SPACE and gap != HYPHEN:
                return False
            if at > left and not self.row[at].says & PARTICLE and not self.is_second_half(left, at):
                return False
        return not (self.row[right].says & CREDENTIAL and self.row[right].shape & ALL_CAPS
                    and not self.row[right].name & FIRST)

    cdef bint is_second_half(self, Py_ssize_t left, Py_ssize_t at) except -1:
        """Eun-ji, Jean-luc: the low half of a first name."""
        if at != left + 1 or self.row[at].end - self.row[at].start > SECOND_HALF:
            return False
        return self.row[left].gap == HYPHEN and self.row[left].name & FIRST

    cdef bint is_turned(self, Py_ssize_t left, Py_ssize_t right) except -1:
        """ "Last, First": both known, and the second a first name; as in turned.py."""
        cdef int word = self.row[right].says
        if word & CREDENTIAL and self.row[right].shape & ALL_CAPS:
            return False
        if not self.row[right].name & FIRST or word & STREET:
            return False
        if left > 0 and self.row[left - 1].says & BEFORE and self.row[left - 1].gap == COLON:
            return self.row[right].ordinary < HARDLY
        if self.is_shouted(left, right):
            return True
        if not self.row[left].name & LAST or self.row[left].ordinary > HARDLY:
            return False
        return self.row[right].ordinary <= SURE

    cdef bint is_shouted(self, Py_ssize_t last, Py_ssize_t first) except -1:
        """ "HALE, Ada": a last name in capitals, with a comma behind it."""
        cdef int name = self.row[last].name
        if first - last != 1 or self.row[last].end - self.row[last].start < SHOUTED:
            return False
        if not self.row[last].shape & ALL_CAPS or self.row[first].shape & (ALL_CAPS | SINGLE):
            return False
        if last > 0 and self.row[last - 1].gap == SPACE:
            if not name & LAST:
                return False
        elif name & WORD and not name & LAST:
            return False
        if not self.row[first].name & MOSTLY_FIRST or self.row[first].ordinary >= SURE:
            return False
        return not self.row[last].says & (THING | TITLE | INSTITUTION)

    cdef bint is_joining(self, Py_ssize_t at) except -1:
        cdef int gap = self.row[at].gap, shape = self.row[at].shape
        if shape & POSSESSIVE:
            return False
        return gap == SPACE or gap == HYPHEN or gap == COMMA or (gap == DOT and shape & SINGLE)

    cdef bint is_worth(self, Py_ssize_t at) except -1:
        """Whether a word beside it or the dictionary speaks for a word by itself."""
        cdef int name = self.row[at].name
        cdef bint clear = self.row[at].ordinary < SURE
        if at > 0 and self.row[at - 1].says & (BEFORE | TITLE):
            return True
        if name & MOSTLY_FIRST and clear:
            return True
        if name & WORD:
            return False
        if self.row[at].gap == COLON and name & FIRST:
            return True
        if at + 1 >= self.count:
            return False
        if self.row[at + 1].says & (AFTER | CREDENTIAL):
            return True
        return self.row[at + 1].shape & NUMBER and clear and name & LISTED
