# cython: language_level=3, wraparound=False, cdivision=True, initializedcheck=False
"""Words and phrases of a long list, found in bytes one after the other.

In: what the list says, UTF-8 in small letters and in the order in which it is tried; a text in
UTF-8.  Out: the first place from somewhere on where one of them stands, as RE2 finds it.

The twin is the pattern of dlp/triage/cheap.py (bounded), with its \\b of ASCII and its [\\s-]+ for
a blank. What begins with a letter or digit of ASCII fits only where a whole stretch of them is the
same as its own first stretch: each stretch is hashed once, and most meet a bit that is not set.
What begins otherwise is known by its first four bytes.

Between two texts the processor's cache forgets the tables, so the one that every word asks is
small: three bits of one number of 64, out of 2,048, which one word in a hundred has by chance.
"""

from array import array

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE

cdef enum:
    JOINT = 256  # a blank in a phrase: blanks and hyphens, at least one
    GROUPS = 2048
    LEAST = 4

cdef unsigned char[256] SMALL  # the byte in small letters where it is of a word, else 0
cdef unsigned char[256] JOINS  # 1 for blanks and hyphens
for _sign in range(256):
    _told = chr(_sign)
    SMALL[_sign] = ord(_told.lower()) if _sign < 128 and (_told.isalnum() or _told == "_") else 0
    JOINS[_sign] = 1 if _told in " \t\n\r\f-" else 0


cdef inline unsigned long long turned(unsigned long long told) noexcept:
    """No product: every byte of a word waits for the one before."""
    return told << 5 | told >> 59


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
        told = told * 256 + raw[place]
        place += 1
    return spread(told)


class UnfitError(ValueError):
    """Something in the list is for RE2 alone."""


def first_length(const unsigned char[::1] said):
    """How many bytes must stand in a text before the rest is compared."""
    cdef Py_ssize_t place = 0
    if said.shape[0] == 0:
        raise UnfitError
    if SMALL[said[0]]:
        while place < said.shape[0] and SMALL[said[place]]:
            place += 1
        return place
    if said.shape[0] < LEAST or b" " in bytes(said[:LEAST]):
        raise UnfitError
    return LEAST


def jointed(bytes rest):
    """What is left of it, byte by byte, with a joint for each blank."""
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
        last = {}
        for number, first in enumerate(firsts):
            if first in last:
                self._after[last[first]] = number
            else:
                self._place(first, number)
            last[first] = number

    cdef void _place(self, const unsigned char[::1] first, int number) except *:
        cdef unsigned long long told = 0
        cdef unsigned char sign
        cdef Py_ssize_t place
        self._opens[first[0]] = 1
        if SMALL[first[0]]:
            for place in range(first.shape[0]):
                told = turned(told) ^ first[place]
            told = spread(told)
        else:
            told = opening(first, 0)
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
        cdef Py_ssize_t size = PyBytes_GET_SIZE(raw), start, end
        cdef unsigned long long told, bits
        cdef unsigned char sign
        if place == 0 and size > GROUPS:
            self._touch()
        if 0 < place < size and SMALL[signs[place - 1]]:
            while place < size and SMALL[signs[place]]:  # inside a word none begins
                place += 1
        while 0 <= place < size:
            start = place
            sign = SMALL[signs[place]]
            if sign:
                told = 0
                while sign:
                    told = turned(told) ^ sign
                    place += 1
                    if place == size:
                        break
                    sign = SMALL[signs[place]]
                told = spread(told)
            else:
                place += 1
                if not self._opens[signs[start]]:
                    continue
                told = opening(view, start)
            bits = bits_of(told)
            if self._bits[told >> 53 & GROUPS - 1] & bits == bits:
                end = self._end_of(view, start, place, told)
                if end:
                    return start, end
        return None

    cdef Py_ssize_t _end_of(
        self, const unsigned char[::1] raw, Py_ssize_t start, Py_ssize_t end,
        unsigned long long told
    ) except -1:
        """Where the first row ends that stands at `start`; 0 if none does. `end` is of the word."""
        cdef int number
        cdef Py_ssize_t found
        if not SMALL[raw[start]]:
            end = start + LEAST
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
