# cython: wraparound=False, initializedcheck=False
"""Words of a text found in a list and counted in one pass over its characters.

In: words with 64 marks each, a text.  Out: how many words there are, and how many with which mark.

The twins are in dlp/triage (language, partial, cheap) and dlp/detect/linking (evidence, wording).
A list is a table of open addresses over
the code points of its words, so that no word of a text becomes a Python object; it is at most a
quarter full, and a word is compared with the few that share its slots. Letters are told apart as
Python's `re` does it: `[^\W\d_]` is whatever is alphanumeric and no decimal digit.
"""

from array import array

cimport cython

from cpython.bytes cimport PyBytes_AS_STRING
from cpython.unicode cimport (
    PyUnicode_1BYTE_KIND, PyUnicode_2BYTE_KIND, PyUnicode_4BYTE_KIND, PyUnicode_DATA,
    PyUnicode_KIND, PyUnicode_READ
)

from libc.math cimport log, sqrt

from dlp.native.lanes cimport eight_at
from dlp.native.signs cimport lowest

cdef extern from "Python.h":
    Py_UCS4 Py_UNICODE_TOLOWER(Py_UCS4 sign) noexcept  # without a string of its own

cdef extern from *:
    """
    #if defined(__SSE2__) && defined(__x86_64__)
    static inline unsigned long long DLP_BLANKS(const unsigned char *signs, Py_ssize_t at) {
        unsigned long long blanks = 0;
        int part;
        for (part = 0; part < 4; part++) {
            __m128i some = DLP_LOAD(signs[at + 16 * part]);
            blanks |= DLP_BITS(_mm_or_si128(DLP_FROM(some, 9, 13), DLP_FROM(some, 28, 32))) << 16 * part;
        }
        return blanks;
    }
    static inline void DLP_IN_WORDS(const unsigned char *signs, Py_ssize_t at,
                                    unsigned long long *counted, unsigned long long *joints) {
        int part;
        *counted = *joints = 0;
        for (part = 0; part < 4; part++) {
            __m128i some = DLP_LOAD(signs[at + 16 * part]);
            __m128i joint = _mm_or_si128(DLP_FROM(some, '-', '/'), DLP_IS(some, ':'));
            *counted |= DLP_BITS(DLP_COUNTED(some)) << 16 * part;
            *joints |= DLP_BITS(_mm_or_si128(joint, DLP_IS(some, 39))) << 16 * part;
        }
    }
    #else
    static inline unsigned long long DLP_BLANKS(const unsigned char *signs, Py_ssize_t at) {
        unsigned long long blanks = 0;
        int place;
        for (place = 0; place < 64; place++) {
            unsigned char sign = signs[at + place];
            int blank = (sign >= 9 && sign <= 13) || (sign >= 28 && sign <= 32);
            blanks |= (unsigned long long)blank << place;
        }
        return blanks;
    }
    static inline void DLP_IN_WORDS(const unsigned char *signs, Py_ssize_t at,
                                    unsigned long long *counted, unsigned long long *joints) {
        int place;
        *counted = *joints = 0;
        for (place = 0; place < 64; place++) {
            unsigned char sign = signs[at + place], small = sign | 0x20;
            int word = (small >= 'a' && small <= 'z') || (sign >= '0' && sign <= '9');
            int joint = (sign >= '-' && sign <= '/') || sign == ':' || sign == 39;
            *counted |= (unsigned long long)word << place;
            *joints |= (unsigned long long)joint << place;
        }
    }
    #endif
    """
    unsigned long long blanks_at "DLP_BLANKS"(const unsigned char* signs, Py_ssize_t at) noexcept
    void words_at "DLP_IN_WORDS"(
        const unsigned char* signs, Py_ssize_t at, unsigned long long* counted,
        unsigned long long* joints
    ) noexcept

cdef unsigned long long FIRST = 0
MARKS = 64
cdef enum:
    LONGEST = 12  # words of a phrase
    ROOM = 16384  # code points of a head, a power of two; a longer one is for Python
    TOGETHER = 64  # bytes looked at as one
    BLOCKS = 32  # of a text in which plain words are counted so
    HEAD_BLOCKS = 64  # of the first words of a text
    HEAD_WORDS = 256
    FIRST_BITS = 256  # numbers of 64 bits each
    EIGHT = 8  # letters of a word that are one number
MOST_WORDS = LONGEST


cdef struct Sum:
    double whole, rest  # what was added up, and what that left out by rounding


cdef inline void add(Sum* total, double value) noexcept:
    """One number more, without what rounding takes: the sum is nearly always that of `fsum`."""
    cdef double whole = total.whole + value, other = whole - total.whole
    total.rest += (total.whole - (whole - other)) + (value - other)
    total.whole = whole


cdef inline double worth_of(int count) noexcept:
    """What a word counts for that stands so often in a text."""
    return 1 + log(count) if count > 1 else 1.0


cdef inline unsigned long long mixed(unsigned long long told, Py_UCS4 sign) noexcept:
    """One sign more of a word: a turn and no more, for every sign waits for the one before."""
    return (told << 5 | told >> 59) ^ <unsigned int>sign


cdef inline unsigned long long spread(unsigned long long told) noexcept:
    """The hash of a whole word."""
    told *= 0x9E3779B97F4A7C15ULL
    return told ^ (told >> 32)


cdef inline bint is_letter(Py_UCS4 sign) noexcept:
    if sign < 128:
        return u"a" <= sign <= u"z" or u"A" <= sign <= u"Z"
    return sign.isalnum() and not sign.isdecimal()


cdef inline Py_UCS4 small(Py_UCS4 sign) noexcept:
    if sign < 128:
        return <Py_UCS4>(<unsigned int>sign + (32 if u"A" <= sign <= u"Z" else 0))
    return Py_UNICODE_TOLOWER(sign)


cdef inline bint is_odd(Py_UCS4 sign) noexcept:
    """The two whose small letters are more than one sign, or depend on what is near."""
    return sign == 0x130 or sign == 0x3A3


cdef enum:
    ODD = 0xFFFE
    NO_SIGN = 0xFFFF
# For the first plane: the small letter, or 0 for a blank; the same, or 0 for what is no letter.
cdef unsigned short[65536] LOWS
cdef unsigned short[65536] LETTERS
cdef unsigned char[65536] COUNTED  # 1 for what `str.isalnum` accepts
cdef enum:
    BEGINS = 1  # a word, as a letter does
    ENDS = 2  # one, as letters, digits and _ may
    INNER = 4  # may stand in one, but not at its end
cdef unsigned char[65536] SORTS


cdef inline unsigned char sort_told(Py_UCS4 sign, bint counted, bint letter) noexcept:
    if counted or sign == u"_":
        return ENDS | (BEGINS if letter else 0)
    return INNER if sign in u"'\u2019&/.-" else 0


cdef void fill_tables() noexcept:
    cdef int point
    cdef bint counted, letter
    cdef Py_UCS4 sign
    for point in range(65536):
        sign = <Py_UCS4>point
        counted = sign.isalnum()
        letter = counted and not sign.isdecimal()  # as is_letter has it
        if not counted and sign.isspace():
            LOWS[point] = 0
        elif is_odd(sign):
            LOWS[point] = ODD
        elif point == 0 or point == ODD:  # in no list, and here they mean something else
            LOWS[point] = NO_SIGN
        else:
            LOWS[point] = <unsigned short>small(sign)
        COUNTED[point] = counted
        SORTS[point] = sort_told(sign, counted, letter)
        LETTERS[point] = LOWS[point] if letter else 0


fill_tables()


cdef inline unsigned long long small_eight(unsigned long long eight) noexcept:
    """Eight signs of ASCII, each in small letters."""
    cdef unsigned long long from_a = eight + 0x3F3F3F3F3F3F3F3FULL  # "A" and above: the top bit
    cdef unsigned long long beyond_z = eight + 0x2525252525252525ULL
    return eight | ((from_a ^ beyond_z) & 0x8080808080808080ULL) >> 2


cdef inline unsigned long long ends_hash(
    const unsigned char* signs, Py_ssize_t size, Py_ssize_t start, Py_ssize_t end
) noexcept:
    """Of a word of ASCII in any case, by its first and last eight signs and its length."""
    cdef Py_ssize_t length = end - start, place
    cdef unsigned long long first = 0, last
    cdef unsigned long long kept = ~0ULL >> <int>(TOGETHER - EIGHT * min(length, EIGHT))
    if start + EIGHT <= size:
        first = small_eight(eight_at(signs, start)) & kept
        last = small_eight(eight_at(signs, max(start, end - EIGHT))) & kept
    else:  # fewer than eight are left
        for place in range(start, end):
            first |= <unsigned long long>LOWS[signs[place]] << <int>(EIGHT * (place - start))
        last = first
    first *= 0x9E3779B97F4A7C15ULL
    return spread(first ^ first >> 31 ^ last ^ <unsigned long long>length)


cdef inline int count_bits(unsigned long long bits) noexcept:
    bits -= bits >> 1 & 0x5555555555555555ULL
    bits = (bits & 0x3333333333333333ULL) + (bits >> 2 & 0x3333333333333333ULL)
    return <int>((bits + (bits >> 4) & 0x0F0F0F0F0F0F0F0FULL) * 0x0101010101010101ULL >> 56)


cdef inline unsigned int low_of(int kind, void* data, Py_ssize_t place) noexcept:
    """The small letter of a sign; 0 for a blank."""
    cdef Py_UCS4 sign = PyUnicode_READ(kind, data, place)
    if kind == PyUnicode_4BYTE_KIND and <unsigned int>sign > 0xFFFF:
        return <unsigned int>small(sign)  # no blanks there
    return LOWS[<unsigned int>sign & 0xFFFF]


cdef inline unsigned int letter_of(int kind, void* data, Py_ssize_t place) noexcept:
    """The same; 0 for what is no letter."""
    cdef Py_UCS4 sign = PyUnicode_READ(kind, data, place)
    if kind == PyUnicode_4BYTE_KIND and <unsigned int>sign > 0xFFFF:
        return <unsigned int>small(sign) if is_letter(sign) else 0
    return LETTERS[<unsigned int>sign & 0xFFFF]


cdef inline unsigned int said_at(int kind, void* data, Py_ssize_t place) noexcept:
    """The small letter of a sign, with ' for ’."""
    cdef unsigned int low = low_of(kind, data, place)
    return c"'" if kind != PyUnicode_1BYTE_KIND and low == 0x2019 else low


cdef inline unsigned int begin_of(Py_UCS4 first, Py_UCS4 second, Py_UCS4 third) noexcept:
    """A number below 32,768 for three signs, five bits each."""
    return (
        (<unsigned int>first & 31) << 10 | (<unsigned int>second & 31) << 5
        | (<unsigned int>third & 31)
    )


cdef class Head


@cython.final
cdef class WordList:
    cdef int[::1] _signs  # code points of all words, one after the other
    cdef int[::1] _edges  # where each word begins, and the end of the last
    cdef int[::1] _slots  # number of a word, or -1
    cdef unsigned long long[::1] _marks
    cdef unsigned long long _mask
    cdef unsigned char[::1] _begins  # whether a word may begin with these three signs
    cdef Py_ssize_t _shortest, _longest
    # a bit for the low bits of each word's hash: most words meet a 0, and few bytes stay in the cache
    cdef unsigned long long[::1] _seen
    cdef unsigned long long _seen_mask
    cdef unsigned long long[::1] _short  # words of up to eight letters of ASCII as numbers, or 0
    cdef unsigned long long _short_mask

    def __init__(self, marks):
        """`marks`: word -> bits."""
        size = 64
        while size < 4 * len(marks):
            size *= 2
        self._signs = array("i", [ord(sign) for word in marks for sign in word] or [0])
        edges = [0]
        for word in marks:
            edges.append(edges[-1] + len(word))
        self._edges = array("i", edges)
        self._marks = array("Q", [*marks.values()] or [0])
        self._slots = array("i", [-1]) * size
        self._mask = size - 1
        self._begins = array("B", [0]) * 32768
        self._longest = max(map(len, marks), default=0)
        self._shortest = min(map(len, marks), default=0)
        self._seen = array("Q", [0]) * (4 * size // 64)
        self._seen_mask = 4 * size - 1
        self._list_short([word for word, mark in marks.items() if mark & 1])
        for number, word in enumerate(marks):
            self._place(word, number)
            if len(word) < 3:  # it goes on with anything
                self._begins = array("B", [1]) * 32768
            else:
                self._begins[begin_of(ord(word[0]), ord(word[1]), ord(word[2]))] = 1

    cdef list plain_words(self):
        """Those of plain ASCII, each with eight zeros behind it."""
        edges = list(self._edges)
        signs = list(self._signs)
        words = [signs[start:end] for start, end in zip(edges, edges[1:])]
        return [bytes(word) + bytes(EIGHT) for word in words if word and max(word) < 128]

    def _list_short(self, words):
        """Those that bear the first mark, to be known without a look at their letters."""
        cdef unsigned long long number, slot
        fit = [word.encode() for word in words if word.isascii() and 0 < len(word) <= EIGHT]
        size = 64
        while size < 4 * len(fit):
            size *= 2
        self._short = array("Q", [0]) * size
        self._short_mask = size - 1
        for word in fit:
            number = int.from_bytes(word, "little")
            slot = spread(number) & self._short_mask
            while self._short[slot]:
                slot = (slot + 1) & self._short_mask
            self._short[slot] = number

    cdef inline bint is_short(self, unsigned long long number) except -1:
        cdef unsigned long long slot = spread(number) & self._short_mask
        while self._short[slot]:
            if self._short[slot] == number:
                return True
            slot = (slot + 1) & self._short_mask
        return False

    cdef void _place(self, str word, int number) except *:
        cdef unsigned long long told = FIRST
        cdef Py_UCS4 sign
        for sign in word:
            told = mixed(told, sign)
        told = spread(told)
        self._seen[(told & self._seen_mask) >> 6] |= 1ULL << (told & 63)
        told &= self._mask
        while self._slots[told] >= 0:
            told = (told + 1) & self._mask
        self._slots[told] = number

    cdef inline unsigned long long _find(
        self, int kind, void* data, Py_ssize_t start, Py_ssize_t end, unsigned long long told,
        bint lowered, bint straight,
    ) except? 0xFFFFFFFFFFFFFFFF:
        """The marks of what stands from `start` to `end`, whose hash is `told`; 0 if unknown.

        `lowered`: in small letters; `straight`: with ' for ’ as well. `may_hold` was asked.
        """
        cdef Py_ssize_t at, length = end - start, begin
        cdef unsigned int sign
        cdef int number
        told = spread(told) & self._mask
        while True:
            number = self._slots[told]
            if number < 0:
                return 0
            begin = self._edges[number]
            if self._edges[number + 1] - begin == length:
                at = 0
                while at < length:
                    if straight:
                        sign = said_at(kind, data, start + at)
                    elif lowered:
                        sign = low_of(kind, data, start + at)
                    else:
                        sign = <unsigned int>PyUnicode_READ(kind, data, start + at)
                    if self._signs[begin + at] != <int>sign:
                        break
                    at += 1
                if at == length:
                    return self._marks[number]
            told = (told + 1) & self._mask

    cdef unsigned long long find_small(
        self, int kind, void* data, Py_ssize_t start, Py_ssize_t end, unsigned long long told
    ) except? 0xFFFFFFFFFFFFFFFF:
        return self._find(kind, data, start, end, told, True, False)

    cdef unsigned long long find_said(
        self, int kind, void* data, Py_ssize_t start, Py_ssize_t end, unsigned long long told
    ) except? 0xFFFFFFFFFFFFFFFF:
        return self._find(kind, data, start, end, told, True, True)

    def marks_of(self, str word):
        """The marks of one word: for tests."""
        cdef unsigned long long told = FIRST
        cdef Py_UCS4 sign
        for sign in word:
            told = mixed(told, sign)
        if not self.may_hold(told):
            return 0
        return self._find(
            PyUnicode_KIND(word), PyUnicode_DATA(word), 0, len(word), told, False, False)

    def is_plain(self, str text not None, double share, Py_ssize_t least):
        """Whether more than `share` of the words between blanks, or of `least` words, bear the
        first mark in small letters; None where small letters are more or other signs.
        """
        cdef int kind = PyUnicode_KIND(text), plain
        cdef void* data = PyUnicode_DATA(text)
        cdef Py_ssize_t size = len(text)
        # written out: with the kind known, each becomes a loop of its own
        if size <= TOGETHER * BLOCKS and text.isascii():
            plain = self._is_plain_ascii(<const unsigned char*>data, size, share, least)
        elif kind == PyUnicode_1BYTE_KIND:
            plain = self._is_plain(PyUnicode_1BYTE_KIND, data, size, share, least)
        elif kind == PyUnicode_2BYTE_KIND:
            plain = self._is_plain(PyUnicode_2BYTE_KIND, data, size, share, least)
        else:
            plain = self._is_plain(PyUnicode_4BYTE_KIND, data, size, share, least)
        return None if plain < 0 else plain == 1

    cdef int _is_plain_ascii(
        self, const unsigned char* signs, Py_ssize_t size, double share, Py_ssize_t least
    ) except -2:
        """The words are counted first, so that the answer comes as early as it can."""
        cdef unsigned long long[BLOCKS] edges  # where words begin and end
        cdef unsigned long long inside, before = 0, events
        cdef Py_ssize_t block, blocks = (size + TOGETHER - 1) // TOGETHER, place, start = -1
        cdef Py_ssize_t left = 0, known = 0
        cdef double enough
        if blocks > BLOCKS:
            raise IndexError(blocks)
        for block in range(blocks):
            if (block + 1) * TOGETHER <= size:
                inside = ~blanks_at(signs, block * TOGETHER)
            else:
                inside = 0
                for place in range(block * TOGETHER, size):
                    inside |= <unsigned long long>(LOWS[signs[place]] != 0) << (place % TOGETHER)
            edges[block] = inside ^ (inside << 1 | before)
            left += count_bits(inside & ~(inside << 1 | before))
            before = inside >> (TOGETHER - 1)
        enough = share * max(left, least)
        for block in range(blocks):
            events = edges[block]
            while events:
                place = block * TOGETHER + lowest(events)
                events &= events - 1
                if start < 0:
                    start = place
                    continue
                known += self._is_known(signs, size, start, place)
                left -= 1
                if known > enough or known + left <= enough:
                    return known > enough
                start = -1
        if start >= 0:
            known += self._is_known(signs, size, start, size)
        return known > enough

    cdef inline bint _is_known(
        self, const unsigned char* signs, Py_ssize_t size, Py_ssize_t start, Py_ssize_t end
    ) except -1:
        """Whether a word of ASCII bears the first mark."""
        cdef unsigned long long told = FIRST
        cdef Py_ssize_t place
        if end - start <= EIGHT and start + EIGHT <= size:
            told = small_eight(eight_at(signs, start))
            if signs[end - 1] == 0:  # which no number tells from nothing
                return False
            return self.is_short(told & ~0ULL >> <int>(TOGETHER - EIGHT * (end - start)))
        if end - start > self._longest:
            return False
        for place in range(start, end):
            told = mixed(told, LOWS[signs[place]])
        if not self.may_hold(told):
            return False
        return self.find_small(PyUnicode_1BYTE_KIND, <void*>signs, start, end, told) & 1

    cdef inline int _is_plain(
        self, int kind, void* data, Py_ssize_t size, double share, Py_ssize_t least
    ) except -2:
        cdef Py_ssize_t place, start = -1, words = 0, known = 0
        cdef unsigned long long told = FIRST
        cdef unsigned int low
        for place in range(size + 1):
            low = low_of(kind, data, place) if place < size else 0
            if low == 0:
                if start < 0:
                    continue
                words += 1
                if self.may_hold(told) and self.find_small(kind, data, start, place, told) & 1:
                    known += 1
                    # every second sign of the rest may be a word
                    if known > share * max(words + (size - place + 1) // 2, least):
                        return 1
                start = -1
                continue
            if low == ODD:
                return -1
            if start < 0:
                start = place
                told = FIRST
            told = mixed(told, <Py_UCS4>low)
        return known > share * max(words, least)

    def lettered(self, str text not None):
        """Words of letters, maybe with a stroke in them ("w/o"): how many, how many of them bear
        the first mark in small letters, which other mark most bear (the first of equals), and how
        many; None where small letters are more or other signs.

        Then how many stretches between blanks there are, and how many runs of the digits 0 to 9.
        """
        cdef int kind = PyUnicode_KIND(text), mark, best = 0
        cdef void* data = PyUnicode_DATA(text)
        cdef Py_ssize_t words, size = len(text)
        cdef Py_ssize_t[64] counts
        cdef Py_ssize_t stretches = 0, numbers = 0
        for mark in range(64):
            counts[mark] = 0
        if kind == PyUnicode_1BYTE_KIND:
            words = self._lettered(PyUnicode_1BYTE_KIND, data, size, counts, &stretches, &numbers)
        elif kind == PyUnicode_2BYTE_KIND:
            words = self._lettered(PyUnicode_2BYTE_KIND, data, size, counts, &stretches, &numbers)
        else:
            words = self._lettered(PyUnicode_4BYTE_KIND, data, size, counts, &stretches, &numbers)
        if words < 0:
            return None
        for mark in range(1, 64):
            if counts[mark] > (counts[best] if best else 0):
                best = mark
        return words, counts[0], best, counts[best] if best else 0, stretches, numbers

    cdef inline Py_ssize_t _lettered(
        self, int kind, void* data, Py_ssize_t size, Py_ssize_t[64] counts,
        Py_ssize_t* stretches, Py_ssize_t* numbers,
    ) except -2:
        """How many words there are; -1 where small letters are more or other signs."""
        cdef Py_ssize_t place = 0, start, words = 0
        cdef unsigned long long told, found
        cdef unsigned int low
        cdef unsigned int inside = False, counting = False, is_digit  # in a stretch, a number
        cdef Py_ssize_t runs = 0, found_numbers = 0
        while place < size:
            low = letter_of(kind, data, place)
            if low == 0:
                low = low_of(kind, data, place)
                place += 1
                if low == 0:
                    runs += inside
                    inside = counting = False
                    continue
                inside = True
                is_digit = low - c"0" < 10
                found_numbers += is_digit & ~counting
                counting = is_digit
                continue
            inside = True
            counting = False
            start = place
            told = FIRST
            while low:
                if low == ODD:
                    return -1
                told = mixed(told, <Py_UCS4>low)
                place += 1
                low = letter_of(kind, data, place) if place < size else 0
            if place < size and PyUnicode_READ(kind, data, place) == u"/":
                told = mixed(told, u"/")
                place += 1
                while place < size:
                    low = letter_of(kind, data, place)
                    if low == 0:
                        break
                    if low == ODD:
                        return -1
                    told = mixed(told, <Py_UCS4>low)
                    place += 1
            words += 1
            if not self.may_hold(told):
                continue
            found = self.find_small(kind, data, start, place, told)
            while found:
                counts[lowest(found)] += 1
                found &= found - 1
        stretches[0], numbers[0] = runs + inside, found_numbers
        return words

    def sentenced(self, WordList stems not None, str text not None, starts):
        """The words of a text as Python's `[^\W\d_](?:[\w'’&/.-]*\w)?` finds them: how many; the
        marks of each that has any, in small letters and with ' for ’; how many bear each mark, and
        how many different ones; the marks of each sentence.

        A word that is not in this list has the marks of the stems it begins with. `starts`: of the
        sentences, rising from 0. The text holds neither of the two odd letters.
        """
        cdef int kind = PyUnicode_KIND(text), mark
        cdef void* data = PyUnicode_DATA(text)
        cdef Py_ssize_t words, size = len(text)
        cdef Py_ssize_t[64] counts, different
        cdef dict said = {}
        cdef tuple begins = tuple(starts)
        cdef unsigned long long[::1] marks = array("Q", [0]) * len(begins)
        for mark in range(64):
            counts[mark] = different[mark] = 0
        if kind == PyUnicode_1BYTE_KIND:
            words = in_sentences(
                self, <unsigned char*>data, size, stems, text, begins, marks, counts, different, said
            )
        elif kind == PyUnicode_2BYTE_KIND:
            words = in_sentences(
                self, <unsigned short*>data, size, stems, text, begins, marks, counts, different, said
            )
        else:
            words = in_sentences(
                self, <unsigned int*>data, size, stems, text, begins, marks, counts, different, said
            )
        often = [counts[mark] for mark in range(64)]
        return words, said, often, [different[mark] for mark in range(64)], list(marks)

    def some(self, WordList stems not None, str text not None, unsigned long long marks, Py_ssize_t most):
        """Different words of `sentenced` that bear any of these marks: all of them, or so many."""
        cdef int kind = PyUnicode_KIND(text)
        cdef void* data = PyUnicode_DATA(text)
        if kind == PyUnicode_1BYTE_KIND:
            return few_said(self, <unsigned char*>data, len(text), stems, text, marks, most)
        if kind == PyUnicode_2BYTE_KIND:
            return few_said(self, <unsigned short*>data, len(text), stems, text, marks, most)
        return few_said(self, <unsigned int*>data, len(text), stems, text, marks, most)

    def numbered(self, str text not None):
        """How often each word stands in a text in small letters with ' for ’: marks -> count.

        The words are those of `[^\W\d_]+(?:'[a-z]+)?` with more than one sign. Marks are numbers
        from 1 on, of as many words as there are.
        """
        cdef int[::1] often = array("i", [0]) * (self._marks.shape[0] + 1)
        cdef Py_ssize_t number
        self._count(text, often)
        return {number: often[number] for number in range(often.shape[0]) if often[number]}

    def pull(self, texts, const double[::1] weights):
        """What the words of texts pull together, each by the weight of its number: its twin is
        `Wording.pull` of what `Wording.known` finds."""
        cdef int[::1] often = array("i", [0]) * (self._marks.shape[0] + 1)
        cdef int[::1] there = array("i", [0]) * often.shape[0]  # the numbers of words that are
        cdef Py_ssize_t number, many = 0, one
        cdef double worth
        cdef Sum squares, pulls
        squares.whole = squares.rest = pulls.whole = pulls.rest = 0
        for text in texts:
            self._count(text, often)
        for number in range(often.shape[0]):
            if often[number]:
                there[many] = <int>number
                many += 1
                worth = worth_of(often[number])
                add(&squares, worth * worth)
        if squares.whole == 0:
            return 0.0
        squares.whole = sqrt(squares.whole + squares.rest)
        for one in range(many):
            number = there[one]
            add(&pulls, weights[number] * (worth_of(often[number]) / squares.whole))
        return pulls.whole + pulls.rest

    cdef int _count(self, str text, int[::1] often) except -1:
        cdef int kind
        cdef void* data
        if u"\u03a3" in text or u"\u0130" in text:  # these depend on their neighbours, or are two
            text = text.lower()
        kind, data = PyUnicode_KIND(text), PyUnicode_DATA(text)
        if kind == PyUnicode_1BYTE_KIND:
            return count(self, <unsigned char*>data, len(text), often)
        if kind == PyUnicode_2BYTE_KIND:
            return count(self, <unsigned short*>data, len(text), often)
        return count(self, <unsigned int*>data, len(text), often)

    def within(self, str text, Py_ssize_t start, Py_ssize_t end):
        """All marks of the runs of letters, digits and _ in a stretch, whatever their case, below
        bit 32; from there on how many runs there are. The last mark is that of any digit.

        -1 where a sign is not ASCII: its case may be anything.
        """
        cdef Py_ssize_t place, first = -1, runs = 0
        cdef int kind = PyUnicode_KIND(text)
        cdef void* data = PyUnicode_DATA(text)
        cdef unsigned long long told = FIRST, marks = 0
        cdef Py_UCS4 sign
        start, end = max(start, 0), min(end, len(text))
        for place in range(start, end):
            sign = PyUnicode_READ(kind, data, place)
            if sign > 127:
                return -1
            if is_counted(sign) or sign == u"_":
                if first < 0:
                    first = place
                    told = FIRST
                    runs += 1
                if sign <= u"9":
                    marks |= 1ULL << 31
                elif sign <= u"Z":
                    sign = <Py_UCS4>(<unsigned int>sign + 32)
                told = mixed(told, sign)
            elif first >= 0:
                marks |= self.find_low(kind, data, first, place, told)
                first = -1
        if first >= 0:
            marks |= self.find_low(kind, data, first, end, told)
        return marks & 0xFFFFFFFFULL | <unsigned long long>runs << 32

    cdef unsigned long long find_low(
        self, int kind, void* data, Py_ssize_t start, Py_ssize_t end, unsigned long long told
    ) except? 0:
        """As `find`, for a run of ASCII in any case."""
        cdef Py_ssize_t at, length = end - start, begin
        cdef int number
        cdef unsigned int sign
        told = spread(told) & self._mask
        while True:
            number = self._slots[told]
            if number < 0:
                return 0
            begin = self._edges[number]
            if self._edges[number + 1] - begin == length:
                at = 0
                while at < length:
                    sign = <unsigned int>PyUnicode_READ(kind, data, start + at)
                    if 65 <= sign <= 90:
                        sign += 32
                    if self._signs[begin + at] != <int>sign:
                        break
                    at += 1
                if at == length:
                    return self._marks[number]
            told = (told + 1) & self._mask

    cdef inline bint may_hold(self, unsigned long long told) except -1:
        """Asked first: a view takes longer to hand on than most words to rule out."""
        told = spread(told)
        return self._seen[(told & self._seen_mask) >> 6] >> (told & 63) & 1

    cdef unsigned long long find_in(
        self, Head head, Py_ssize_t start, Py_ssize_t end, unsigned long long told
    ) except? 0xFFFFFFFFFFFFFFFF:
        """The same of code points; `may_hold` was asked."""
        cdef Py_ssize_t at, length = end - start, begin
        cdef int number
        told = spread(told) & self._mask
        while True:
            number = self._slots[told]
            if number < 0:
                return 0
            begin = self._edges[number]
            if self._edges[number + 1] - begin == length:
                at = 0
                while at < length and self._signs[begin + at] == head.sign_at(start + at):
                    at += 1
                if at == length:
                    return self._marks[number]
            told = (told + 1) & self._mask


ctypedef fused Sign:  # a character of a text, by its width
    unsigned char
    unsigned short
    unsigned int


cdef inline unsigned int said_of(Sign sign) noexcept:
    """The small letter of a sign, with ' for ’."""
    if sizeof(Sign) > 1 and sign == 0x2019:
        return c"'"
    if sizeof(Sign) > 2 and sign > 0xFFFF:
        return <unsigned int>small(<Py_UCS4>sign)  # no blanks there
    return LOWS[sign & 0xFFFF]


cdef inline unsigned int letter_in(Sign sign) noexcept:
    """The same; 0 for what is no letter."""
    if sizeof(Sign) > 2 and sign > 0xFFFF:
        return <unsigned int>small(<Py_UCS4>sign) if is_letter(<Py_UCS4>sign) else 0
    return LETTERS[sign & 0xFFFF]


cdef inline unsigned char sort_of(Sign sign) noexcept:
    if sizeof(Sign) > 2 and sign > 0xFFFF:
        return sort_told(<Py_UCS4>sign, (<Py_UCS4>sign).isalnum(), is_letter(<Py_UCS4>sign))
    return SORTS[sign & 0xFFFF]


cdef struct Said:
    Py_ssize_t start, end  # of a word; it begins nowhere if there is none
    unsigned long long marks


cdef Said next_said(WordList self, Sign* signs, Py_ssize_t size, WordList stems, Py_ssize_t place) except *:
    """The next word of `WordList.sentenced` from a place on, with its marks or those of its stems."""
    cdef Said word
    cdef Py_ssize_t start, end, furthest, shortest = stems._shortest
    cdef unsigned long long told = FIRST, whole = FIRST, here = 0, stem = 0
    cdef unsigned char sort
    word.start = word.end = size
    word.marks = 0
    while place < size and not sort_of(signs[place]) & BEGINS:
        place += 1
    if place == size:
        return word
    start = end = place
    # nearly every word begins as no stem does: then it is looked up once, at its end
    furthest = start + stems._longest
    if start + 3 <= size and not stems._begins[begin_of(
        <Py_UCS4>said_of(signs[start]),
        <Py_UCS4>said_of(signs[start + 1]),
        <Py_UCS4>said_of(signs[start + 2]),
    )]:
        furthest = start
    while place < size:
        sort = sort_of(signs[place])
        if sort == 0:
            break
        told = mixed(told, <Py_UCS4>said_of(signs[place]))
        place += 1
        if start + shortest <= place <= furthest and stems.may_hold(told):
            here |= stems.find_said(sizeof(Sign), <void*>signs, start, place, told)
        if sort & ENDS:
            end, whole, stem = place, told, here
    word.start, word.end = start, end
    if self.may_hold(whole):
        word.marks = self.find_said(sizeof(Sign), <void*>signs, start, end, whole)
    word.marks = word.marks or stem
    return word


cdef str spelt(str text, Said said):
    """A word in small letters, with ' for ’."""
    cdef str word = text[said.start : said.end].lower()
    return word if word.isascii() else word.replace(u"\u2019", u"'")


cdef Py_ssize_t in_sentences(
    WordList self, Sign* signs, Py_ssize_t size, WordList stems, str text, tuple begins,
    unsigned long long[::1] marks, Py_ssize_t[64] counts, Py_ssize_t[64] different, dict said,
) except -1:
    """The words of `WordList.sentenced`, in a loop for each width of characters."""
    cdef Py_ssize_t words = 0
    cdef Py_ssize_t sentence = 0, last = len(begins) - 1
    cdef Said one = next_said(self, signs, size, stems, 0)
    cdef unsigned long long found
    cdef str word
    cdef bint known
    while one.start < size:
        words += 1
        found = one.marks
        if found:
            word = spelt(text, one)
            known = word in said
            if not known:
                said[word] = found
            while sentence < last and <Py_ssize_t>begins[sentence + 1] <= one.start:
                sentence += 1
            marks[sentence] |= found
            while found:
                counts[lowest(found)] += 1
                different[lowest(found)] += not known
                found &= found - 1
        one = next_said(self, signs, size, stems, one.end)
    return words


cdef set few_said(
    WordList self, Sign* signs, Py_ssize_t size, WordList stems, str text, unsigned long long marks,
    Py_ssize_t most,
):
    """The words of `WordList.some`, in a loop for each width of characters."""
    cdef Said one = next_said(self, signs, size, stems, 0)
    cdef set found = set()
    while one.start < size and len(found) < most:
        if one.marks & marks:
            found.add(spelt(text, one))
        one = next_said(self, signs, size, stems, one.end)
    return found


cdef int count(WordList self, Sign* signs, Py_ssize_t size, int[::1] often) except -1:
    """The words of `WordList.numbered`."""
    cdef Py_ssize_t place = 0, start
    cdef unsigned long long told, found
    cdef unsigned int low
    while place < size:
        low = letter_in(signs[place])
        if low == 0:
            place += 1
            continue
        start = place
        told = FIRST
        while low:
            told = mixed(told, <Py_UCS4>low)
            place += 1
            low = letter_in(signs[place]) if place < size else 0
        if place + 1 < size and said_of(signs[place]) == c"'":
            low = letter_in(signs[place + 1])
            if c"a" <= low <= c"z":
                told = mixed(told, u"'")
                place += 1
                while c"a" <= low <= c"z":
                    told = mixed(told, <Py_UCS4>low)
                    place += 1
                    low = letter_in(signs[place]) if place < size else 0
        if place - start > 1 and self.may_hold(told):
            found = self.find_said(sizeof(Sign), <void*>signs, start, place, told)
            if found:
                often[found] += 1
    return 0


@cython.final
cdef class Head:
    """The words of some titles and of the first words of some texts, in small letters.

    A word is of letters and digits, and one sign of .:/'- may join two. The twin is
    dlp/triage/partial.py (head_of, and the automaton of Keywords).
    """

    cdef int[ROOM] _room  # the words, with a blank after each; a place is masked by its size
    cdef Py_ssize_t _done
    cdef list _begun  # where a word stands that a phrase begins with, and words of the longest
    cdef WordList _firsts
    # of plain ASCII: where words begin and end, and which may be a first one
    cdef int[HEAD_WORDS] _starts
    cdef int[HEAD_WORDS] _ends
    cdef int[HEAD_WORDS] _maybe
    cdef unsigned long long[FIRST_BITS] _first_bits

    def __init__(self, WordList firsts not None):
        """`firsts`: the first words of all phrases -> words of the longest that begins so."""
        cdef unsigned long long told
        cdef bytes word
        self._firsts = firsts
        for slot in range(FIRST_BITS):
            self._first_bits[slot] = 0
        for word in firsts.plain_words():
            told = ends_hash(
                <const unsigned char*>PyBytes_AS_STRING(word), len(word), 0, len(word) - EIGHT
            )
            self._first_bits[told >> 6 & (FIRST_BITS - 1)] |= 1ULL << (told & 63)
        self._done = 0
        self._begun = []

    cdef inline int sign_at(self, Py_ssize_t place) noexcept:
        return self._room[place & (ROOM - 1)]

    cdef inline void _put(self, Py_ssize_t place, int sign) noexcept:
        self._room[place & (ROOM - 1)] = sign

    def marks(self, WordList terms not None, titles, texts, Py_ssize_t pieces, Py_ssize_t chars):
        """The marks of every phrase in there, of whole words with one blank between.

        Of each text, so many characters; of all, so many words out of as many stretches between
        blanks. None where there is no room, or where small letters are more or other signs.
        """
        cdef Py_ssize_t taken, left = pieces
        cdef list found = []
        self._done = 0
        self._begun = []
        for title in titles:
            if self._take(title, len(title), len(title), len(title)) < 0 or self._done == ROOM:
                return None
            self._put(self._done, 32)  # no phrase begins in a title and ends behind it
            self._done += 1
        if len(texts) == 1 and texts[0].isascii() and pieces <= HEAD_WORDS:
            if min(len(texts[0]), chars) <= HEAD_BLOCKS * TOGETHER:
                return self._marks_of_plain(terms, texts[0], pieces, chars)
        for text in texts:
            taken = self._take(text, chars, pieces, left)
            if taken < 0:
                return None
            left -= taken
            if left == 0:
                break
        for start, longest in self._begun:
            self._phrases(terms, start, longest, found)
        return found

    cdef list _marks_of_plain(
        self, WordList terms, str text, Py_ssize_t pieces, Py_ssize_t chars
    ):
        """The same for one text of plain ASCII, of which only phrases that begin are taken in."""
        cdef list found = []
        cdef const unsigned char* signs = <const unsigned char*>PyUnicode_DATA(text)
        cdef Py_ssize_t words, maybe = 0, number, base = self._done, size = min(len(text), chars)
        cdef unsigned long long told
        for start, longest in self._begun:
            self._phrases(terms, start, longest, found)
        words = self._cut(signs, size, pieces)
        for number in range(words):
            told = ends_hash(signs, len(text), self._starts[number], self._ends[number])
            self._maybe[maybe] = <int>number
            maybe += self._first_bits[told >> 6 & (FIRST_BITS - 1)] >> (told & 63) & 1
        for number in range(maybe):
            self._done = base
            if not self._follow(terms, signs, self._maybe[number], words, found):
                return None
        return found

    cdef Py_ssize_t _cut(self, const unsigned char* signs, Py_ssize_t size, Py_ssize_t most) except -1:
        """Note where words begin and end, so many at most and out of as many stretches."""
        cdef unsigned long long[HEAD_BLOCKS] counted, joints
        cdef unsigned long long blanks, begun, before = 1, inside, edges
        cdef Py_ssize_t block, blocks = (size + TOGETHER - 1) // TOGETHER, place, left = most
        cdef Py_ssize_t start = -1, words = 0, many
        if blocks > HEAD_BLOCKS or most > HEAD_WORDS:
            raise IndexError(blocks)
        for block in range(blocks):
            place = block * TOGETHER
            if place + TOGETHER <= size:
                blanks = blanks_at(signs, place)
                words_at(signs, place, &counted[block], &joints[block])
            else:
                blanks, counted[block], joints[block] = ~0ULL, 0, 0
                for many in range(size - place):
                    sign = signs[place + many]
                    blanks ^= <unsigned long long>(LOWS[sign] != 0) << many
                    counted[block] |= <unsigned long long>COUNTED[sign] << many
                    joints[block] |= <unsigned long long>is_joining(sign) << many
            begun = ~blanks & (blanks << 1 | before)
            before = blanks >> (TOGETHER - 1)
            many = count_bits(begun)
            if many > left:  # the first stretch too many begins here
                while left:
                    begun &= begun - 1
                    left -= 1
                inside = (begun & -begun) - 1
                counted[block] &= inside
                joints[block] &= inside
                blocks = block + 1
                break
            left -= many
        before = 0
        for block in range(blocks):
            inside = counted[block]
            edges = inside << 1 | (counted[block - 1] >> (TOGETHER - 1) if block else 0)
            edges &= inside >> 1 | (counted[block + 1] << (TOGETHER - 1) if block + 1 < blocks else 0)
            inside |= joints[block] & edges
            edges = inside ^ (inside << 1 | before)
            before = inside >> (TOGETHER - 1)
            while edges:
                place = block * TOGETHER + lowest(edges)
                edges &= edges - 1
                if start < 0:
                    start = place
                    continue
                self._starts[words], self._ends[words] = <int>start, <int>place
                words += 1
                start = -1
                if words == most:
                    return words
        if start >= 0:
            self._starts[words], self._ends[words] = <int>start, <int>min(size, blocks * TOGETHER)
            words += 1
        return words

    cdef bint _follow(
        self, WordList terms, const unsigned char* signs, Py_ssize_t number, Py_ssize_t words,
        list found,
    ) except -1:
        """Note the phrases that begin with a word; False where there is no room for them."""
        cdef Py_ssize_t start = self._done, longest = 1, last = number, place
        cdef unsigned long long told = FIRST
        while last < words and last < number + longest:
            if self._done + self._ends[last] - self._starts[last] + 1 > ROOM:
                return False
            for place in range(self._starts[last], self._ends[last]):
                told = mixed(told, LOWS[signs[place]])
                self._put(self._done, LOWS[signs[place]])
                self._done += 1
            if last == number:
                if not self._firsts.may_hold(told):
                    return True
                longest = self._firsts.find_in(self, start, self._done, told)
            self._put(self._done, 32)
            self._done += 1
            last += 1
        if longest:
            self._phrases(terms, start, longest, found)
        return True

    cdef Py_ssize_t _take(
        self, str text, Py_ssize_t chars, Py_ssize_t pieces, Py_ssize_t most
    ) except -2:
        """How many words were taken in; -1 if not all could be."""
        cdef Py_ssize_t size = min(len(text), chars)
        cdef int kind = PyUnicode_KIND(text)
        cdef void* data = PyUnicode_DATA(text)
        # one sign at least stands between two words, so no more goes in than there is
        if size + 1 > ROOM - self._done:
            return -1
        if kind == PyUnicode_1BYTE_KIND:
            return self._take_in(PyUnicode_1BYTE_KIND, data, size, pieces, most)
        if kind == PyUnicode_2BYTE_KIND:
            return self._take_in(PyUnicode_2BYTE_KIND, data, size, pieces, most)
        return self._take_in(PyUnicode_4BYTE_KIND, data, size, pieces, most)

    cdef inline Py_ssize_t _take_in(
        self, int kind, void* data, Py_ssize_t size, Py_ssize_t pieces, Py_ssize_t most
    ) except -2:
        cdef Py_ssize_t place = 0, words = 0, start, done = self._done
        cdef unsigned long long told, longest
        cdef unsigned int low
        cdef Py_UCS4 sign
        cdef bint inside = False
        while place < size and words < most:
            low = low_of(kind, data, place)
            if low == ODD:
                return -1
            if low == 0:
                inside = False
                place += 1
                continue
            if not inside:
                if pieces == 0:
                    break
                pieces -= 1
                inside = True
            sign = PyUnicode_READ(kind, data, place)
            if not is_counted(sign):
                place += 1
                continue
            words += 1
            start = done
            told = FIRST
            while True:
                told = mixed(told, <Py_UCS4>low)
                self._put(done, <int>low)
                done += 1
                place += 1
                if place == size:
                    break
                sign = PyUnicode_READ(kind, data, place)
                low = low_of(kind, data, place)
                if is_counted(sign):
                    if low == ODD:
                        return -1
                    continue
                sign = u"'" if sign == u"\u2019" else sign
                if place + 1 == size or not is_joining(sign):
                    break
                if not is_counted(PyUnicode_READ(kind, data, place + 1)):
                    break
                low = <unsigned int>sign
            if self._firsts.may_hold(told):
                longest = self._firsts.find_in(self, start, done, told)
                if longest:
                    self._begun.append((start, longest))
            self._put(done, 32)
            done += 1
        self._done = done
        return words

    cdef int _phrases(
        self, WordList terms, Py_ssize_t start, Py_ssize_t longest, list found
    ) except -1:
        """Note those that begin at a word; `longest`: words of the longest that may."""
        cdef Py_ssize_t end = start, size = self._done
        cdef unsigned long long told = FIRST, marks
        cdef int words = 0
        while words < longest and end < size and self.sign_at(end) != 32:
            if words:  # the blank between
                told = mixed(told, u" ")
            while self.sign_at(end) != 32:
                told = mixed(told, <Py_UCS4>self.sign_at(end))
                end += 1
            words += 1
            if terms.may_hold(told):
                marks = terms.find_in(self, start, end, told)
                if marks:
                    found.append(marks)
            end += 1
        return 0


def small_letter(str sign not None):
    """For tests: what the others take for its small letter."""
    return chr(small(ord(sign)))


def sorts(str text, const unsigned char[::1] table):
    """How many signs are of sort 1 and of sort 2; `table`: of the code points from 0 on."""
    cdef Py_ssize_t place, size = len(text), known_to = table.shape[0], ones = 0, twos = 0
    cdef int kind = PyUnicode_KIND(text)
    cdef void* data = PyUnicode_DATA(text)
    cdef Py_UCS4 sign
    cdef unsigned char sort
    for place in range(size):
        sign = PyUnicode_READ(kind, data, place)
        if sign < known_to:
            sort = table[sign]
            ones += sort == 1
            twos += sort == 2
    return ones, twos


def ranged(str text, int[::1] bounds):
    """How many signs are in each range; `bounds`: first and last code point of one after another.

    A sign that two ranges hold counts for the first.
    """
    cdef Py_ssize_t place, pair, size = len(text), pairs = bounds.shape[0] // 2
    cdef int kind = PyUnicode_KIND(text), sign
    cdef void* data = PyUnicode_DATA(text)
    cdef int[::1] counts = array("i", [0]) * (pairs + 1)
    for place in range(size):
        sign = <int>PyUnicode_READ(kind, data, place)
        for pair in range(pairs):
            if bounds[2 * pair] <= sign <= bounds[2 * pair + 1]:
                counts[pair] += 1
                break
    return [counts[pair] for pair in range(pairs)]


cdef inline bint is_counted(Py_UCS4 sign) noexcept:
    """What `str.isalnum` says."""
    return COUNTED[<unsigned int>sign] if <unsigned int>sign < 65536 else sign.isalnum()


cdef inline bint is_joining(Py_UCS4 sign) noexcept:
    return sign == u"." or sign == u":" or sign == u"/" or sign == u"'" or sign == u"-"
