# cython: language_level=3, wraparound=False, cdivision=True, initializedcheck=False
"""Words and phrases of a long list, found in bytes one after the other.

In: what the list says, UTF-8 in small letters and in the order in which it is tried; a text in
UTF-8.  Out: the first place from somewhere on where one of them stands, as RE2 finds it.

The twin is the pattern of dlp/triage/cheap.py (bounded), with its \\b of ASCII and its [\\s-]+ for
a blank. What begins with a letter or digit of ASCII fits only where a whole stretch of them is the
same as its own first stretch: each stretch is hashed once, by its length and its first and last
eight bytes, and most meet a bit that is not set. What begins otherwise is known by its first four
bytes. Where stretches begin and end is told of 64 bytes at a time.

Between two texts the processor's cache forgets the tables, so the one that every word asks is
small: three bits of one number of 64, out of 2,048, which one word in a hundred has by chance.
"""

from array import array

cimport cython

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE

from dlp.native.signs cimport lowest

cdef extern from *:
    """
    #if defined(__SSE2__) && defined(__x86_64__)
    #include <emmintrin.h>
    #define DLP_BETWEEN(signs, low, high) _mm_and_si128( \
        _mm_cmpgt_epi8(signs, _mm_set1_epi8((low) - 1)), \
        _mm_cmplt_epi8(signs, _mm_set1_epi8((high) + 1)))
    #define DLP_BITS(signs) ((unsigned long long)(unsigned int)_mm_movemask_epi8(signs))
    static inline void DLP_STRETCHES(const unsigned char *signs, Py_ssize_t at,
                                     unsigned long long *inside, unsigned long long *beyond) {
        int part;
        *inside = *beyond = 0;
        for (part = 0; part < 4; part++) {
            __m128i some = _mm_loadu_si128((const __m128i *)&signs[at + 16 * part]);
            __m128i small = _mm_or_si128(some, _mm_set1_epi8(0x20));
            __m128i word = _mm_or_si128(DLP_BETWEEN(small, 'a', 'z'), DLP_BETWEEN(some, '0', '9'));
            word = _mm_or_si128(word, _mm_cmpeq_epi8(some, _mm_set1_epi8('_')));
            *inside |= DLP_BITS(word) << 16 * part;
            *beyond |= DLP_BITS(some) << 16 * part;
        }
    }
    static inline unsigned long long DLP_EIGHT(const unsigned char *signs, Py_ssize_t at) {
        return (unsigned long long)_mm_cvtsi128_si64(
            _mm_loadl_epi64((const __m128i *)&signs[at]));
    }
    #else
    static inline void DLP_STRETCHES(const unsigned char *signs, Py_ssize_t at,
                                     unsigned long long *inside, unsigned long long *beyond) {
        int place;
        *inside = *beyond = 0;
        for (place = 0; place < 64; place++) {
            unsigned char sign = signs[at + place], small = sign | 0x20;
            int word = (small >= 'a' && small <= 'z') || (sign >= '0' && sign <= '9') || sign == '_';
            *inside |= (unsigned long long)word << place;
            *beyond |= (unsigned long long)(sign >> 7) << place;
        }
    }
    static inline unsigned long long DLP_EIGHT(const unsigned char *signs, Py_ssize_t at) {
        unsigned long long eight = 0;
        int place;
        for (place = 0; place < 8; place++)
            eight |= (unsigned long long)signs[at + place] << 8 * place;
        return eight;
    }
    #endif
    """
    void stretches "DLP_STRETCHES"(
        const unsigned char* signs, Py_ssize_t at, unsigned long long* inside,
        unsigned long long* beyond
    ) noexcept nogil
    unsigned long long eight_at "DLP_EIGHT"(const unsigned char* signs, Py_ssize_t at) noexcept nogil

cdef enum:
    JOINT = 256  # a blank in a phrase: blanks and hyphens, at least one
    GROUPS = 2048
    LEAST = 4
    TOGETHER = 64  # bytes looked at as one
    EIGHT = 8

cdef unsigned long long SMALL_BITS = 0x2020202020202020ULL

cdef unsigned char[256] SMALL  # the byte in small letters where it is of a word, else 0
cdef unsigned char[256] JOINS  # 1 for blanks and hyphens
for _sign in range(256):
    _told = chr(_sign)
    SMALL[_sign] = ord(_told.lower()) if _sign < 128 and (_told.isalnum() or _told == "_") else 0
    JOINS[_sign] = 1 if _told in " \t\n\r\f-" else 0


cdef inline unsigned long long spread(unsigned long long told) noexcept:
    told ^= told >> 29
    told *= 0x9E3779B97F4A7C15ULL
    return told ^ (told >> 32)


cdef inline unsigned long long bits_of(unsigned long long told) noexcept:
    """The three that are set in the number of its group."""
    return 1ULL << (told >> 47 & 63) | 1ULL << (told >> 41 & 63) | 1ULL << (told >> 35 & 63)


cdef inline unsigned long long opening(const unsigned char[::1] raw, Py_ssize_t place) except? 0:
    cdef unsigned long long told = 0
    cdef Py_ssize_t end = min(place + LEAST, raw.shape[0])
    while place < end:
        told = told * 256 + (SMALL[raw[place]] or raw[place])
        place += 1
    return spread(told)


cdef inline unsigned long long hash_of(
    const unsigned char* signs, Py_ssize_t size, Py_ssize_t start, Py_ssize_t end
) noexcept:
    """Of a stretch of letters and digits, small or not; `size`: of all that may be read.

    Short and long ones go the same way, for which comes next is nothing to be guessed.
    """
    cdef Py_ssize_t length = end - start, place
    cdef unsigned long long first = 0, last = 0, kept = ~0ULL >> (TOGETHER - 8 * min(length, EIGHT))
    if start + EIGHT <= size:
        first = (eight_at(signs, start) | SMALL_BITS) & kept
        last = (eight_at(signs, max(start, end - EIGHT)) | SMALL_BITS) & kept
    else:  # fewer than eight are left
        for place in range(length):
            first |= <unsigned long long>(signs[start + place] | 0x20) << 8 * place
        last = first
    first *= 0x9E3779B97F4A7C15ULL
    return spread(first ^ first >> 31 ^ last ^ <unsigned int>length)


class UnfitError(ValueError):
    """Something in the list is for RE2 alone."""


cdef Py_ssize_t first_length(bytes said) except -1:
    """How many bytes must stand in a text before the rest is compared."""
    cdef Py_ssize_t place = 0, size = len(said)
    if size == 0:
        raise UnfitError
    if SMALL[<unsigned char>said[0]]:
        while place < size and SMALL[<unsigned char>said[place]]:
            place += 1
        return place
    if size < LEAST or b" " in said[:LEAST]:
        raise UnfitError
    return LEAST


def jointed(bytes rest):
    """What is left of it, byte by byte, with a joint for each blank."""
    if not rest:  # one word, as most of them are
        return ()
    signs = [JOINT if sign == 32 else sign for sign in rest]
    for before, after in zip(signs, signs[1:]):
        if before == JOINT and (after == JOINT or JOINS[<int>after]):
            raise UnfitError  # how many blanks are the joint's is for RE2 to say
    return signs


def edges_of(stretches):
    edges = [0]
    for stretch in stretches:
        edges.append(edges[-1] + len(stretch))
    return array("i", edges)


@cython.final
cdef class Listed:
    """`rows`: for each word or phrase its bytes, and whether no letter may follow it."""

    cdef unsigned char[::1] _firsts  # the first stretches, one after the other
    cdef int[::1] _first_edges  # where each begins, and the end of the last
    cdef int[::1] _rests
    cdef int[::1] _rest_edges
    cdef unsigned char[::1] _ends
    cdef int[::1] _slots  # number of the first row with a stretch, or -1
    cdef int[::1] _after  # number of the next row with the same stretch, or -1
    cdef unsigned long long[GROUPS] _bits
    cdef unsigned char[256] _opens  # 1 where a row begins with such a byte
    cdef bint _sign_opens  # one that is of ASCII, but neither a letter nor a digit
    cdef unsigned long long _mask
    cdef unsigned long long _last_touched

    def __init__(self, rows):
        size = 64
        while size < 4 * len(rows):
            size *= 2
        self._mask = size - 1
        self._slots = array("i", [-1]) * size
        self._after = array("i", [-1]) * (len(rows) + 1)
        for group in range(GROUPS):
            self._bits[group] = 0
        lengths = [first_length(said) for said, _ in rows]
        firsts = [said[:length] for (said, _), length in zip(rows, lengths)]
        rests = [jointed(said[length:]) for (said, _), length in zip(rows, lengths)]
        self._firsts = bytearray(b"".join(firsts) or b"\0")
        self._first_edges = edges_of(firsts)
        self._rests = array("i", [sign for rest in rests for sign in rest] or [0])
        self._rest_edges = edges_of(rests)
        self._ends = bytearray([1 if end else 0 for _, end in rows] or [0])
        for sign in range(256):
            self._opens[sign] = 0
        self._sign_opens = False
        last = {}
        for number, first in enumerate(firsts):
            if first in last:
                self._after[last[first]] = number
            else:
                self._place(first, number)
            last[first] = number

    cdef void _place(self, bytes first, int number) except *:
        cdef const unsigned char* signs = <const unsigned char*>PyBytes_AS_STRING(first)
        cdef unsigned long long told = 0
        self._opens[signs[0]] = 1
        if SMALL[signs[0]]:
            told = hash_of(signs, len(first), 0, len(first))
        else:
            told = opening(first, 0)
            self._sign_opens |= signs[0] < 128
        self._bits[told >> 53 & GROUPS - 1] |= bits_of(told)
        told &= self._mask
        while self._slots[told] >= 0:
            told = (told + 1) & self._mask
        self._slots[told] = number

    cdef void _touch(self) noexcept:
        """Have the processor fetch the table in order: line by line as words ask is dearer."""
        cdef int group
        for group in range(0, GROUPS, 8):
            self._last_touched ^= self._bits[group]

    def find(self, bytes raw not None, Py_ssize_t place=0):
        """Where the first of them stands from `place` on: start and end, or None."""
        cdef const unsigned char* signs = <const unsigned char*>PyBytes_AS_STRING(raw)
        cdef const unsigned char[::1] view = raw
        cdef Py_ssize_t size = PyBytes_GET_SIZE(raw), start = -1, end, at = place
        cdef unsigned long long inside, beyond, events, before, told
        if place == 0 and size > GROUPS:
            self._touch()
        if place < 0 or place >= size:
            return None
        before = place > 0 and SMALL[signs[place - 1]] != 0  # inside a word none begins
        while at < size:
            if at + TOGETHER <= size:
                stretches(signs, at, &inside, &beyond)
            else:
                self._last_stretches(view, at, &inside, &beyond)
            events = inside ^ (inside << 1 | before)
            before = inside >> (TOGETHER - 1)
            events |= ~inside if self._sign_opens else beyond
            while events:
                place = at + lowest(events)
                events &= events - 1
                if place >= size:
                    break  # behind the last byte
                if SMALL[signs[place]]:
                    start = place
                    continue
                if start >= 0:
                    told = hash_of(signs, size, start, place)
                    if self._may_hold(told):
                        end = self._end_of(view, start, place, told)
                        if end:
                            return start, end
                    start = -1
                if self._opens[signs[place]]:
                    told = opening(view, place)
                    if self._may_hold(told):
                        end = self._end_of(view, place, place + LEAST, told)
                        if end:
                            return place, end
            at += TOGETHER
        end = 0
        if start >= 0:
            end = self._end_of(view, start, size, hash_of(signs, size, start, size))
        return (start, end) if end else None

    cdef int _last_stretches(
        self, const unsigned char[::1] raw, Py_ssize_t at, unsigned long long* inside,
        unsigned long long* beyond
    ) except -1:
        """The same of fewer than 64 bytes."""
        cdef Py_ssize_t place
        inside[0] = beyond[0] = 0
        for place in range(at, raw.shape[0]):
            inside[0] |= <unsigned long long>(SMALL[raw[place]] != 0) << (place - at)
            beyond[0] |= <unsigned long long>(raw[place] >> 7) << (place - at)
        return 0

    cdef inline bint _may_hold(self, unsigned long long told) noexcept:
        cdef unsigned long long bits = bits_of(told)
        return self._bits[told >> 53 & GROUPS - 1] & bits == bits

    cdef Py_ssize_t _end_of(
        self, const unsigned char[::1] raw, Py_ssize_t start, Py_ssize_t end,
        unsigned long long told
    ) except -1:
        """Where the first row ends that stands at `start`; 0 if none does.

        `end` is of the word, or of the first four bytes.
        """
        cdef int number
        cdef Py_ssize_t found
        told &= self._mask
        while self._slots[told] >= 0:
            number = self._slots[told]
            if self._begins(raw, start, end, number):
                while number >= 0:
                    found = self._rest(raw, end, number)
                    if found:
                        return found
                    number = self._after[number]
                return 0
            told = (told + 1) & self._mask
        return 0

    cdef bint _begins(
        self, const unsigned char[::1] raw, Py_ssize_t start, Py_ssize_t end, int number
    ) except -1:
        cdef Py_ssize_t begin = self._first_edges[number], place
        cdef unsigned char sign
        if self._first_edges[number + 1] - begin != end - start or end > raw.shape[0]:
            return False
        for place in range(end - start):
            sign = raw[start + place]
            if self._firsts[begin + place] != (SMALL[sign] or sign):
                return False
        return True

    cdef Py_ssize_t _rest(
        self, const unsigned char[::1] raw, Py_ssize_t place, int number
    ) except -1:
        cdef Py_ssize_t size = raw.shape[0], at
        cdef unsigned char sign
        for at in range(self._rest_edges[number], self._rest_edges[number + 1]):
            if place >= size:
                return 0
            sign = raw[place]
            if self._rests[at] == JOINT:
                if not JOINS[sign]:
                    return 0
                while place < size and JOINS[raw[place]]:
                    place += 1
                continue
            if self._rests[at] != (SMALL[sign] or sign):
                return 0
            place += 1
        if self._ends[number] and place < size and SMALL[raw[place]]:
            return 0
        return place
