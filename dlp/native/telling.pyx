# cython: boundscheck=True, wraparound=False, language_level=3
"""Write the findings of a file as the JSON they end up as.

In: Findings, the locators of the parts as JSON.  Out: JSON, in ASCII bytes.

The twin in Python is told.written. What stands in one finding after another (kind and rule, a
context) is made once by Python and known again as the same object; numbers and plain strings are
written here, and whatever is not plain (a sign to be escaped, a long text, a number that is no
float between 0 and 1, one that stands half way between two roundings) goes through Python again.
"""

cimport cython
from cpython.tuple cimport PyTuple_GET_ITEM
from cpython.unicode cimport PyUnicode_DATA, PyUnicode_GET_LENGTH

from dlp.native.lanes cimport eight_at, put_eight
from dlp.native.records cimport field

cdef extern from *:
    """
    #if defined(__GNUC__) || defined(__clang__)
    #define DLP_FETCH(place) __builtin_prefetch(place)
    #else
    #define DLP_FETCH(place) ((void)(place))
    #endif
    """
    void fetch "DLP_FETCH"(const void *place) noexcept  # into the cache, which may refuse
    bint PyUnicode_IS_COMPACT_ASCII(object)

cdef enum:
    FIELDS = 11  # of a Finding
    EIGHT = 8  # bytes written as one
    SLOTS = 256
    MOST_CONTEXTS = 1024  # they are made of a dozen words
    PLACES = 10_000  # a confidence has four of them
    DIGITS = 20  # of the longest number that a place can be
    PAGE = 8192  # bytes that are written before they are laid aside
    LINE = 256  # and those that the rest of a finding takes at most
    AHEAD = 4  # findings that are called up before their turn
    LONGEST = 48  # characters of a concept, a person or a context that are written here

cdef double HALF = 0.5
cdef double DOUBT = 1e-6  # nearer to half way Python decides: it rounds what the number is exactly

cdef unsigned char PLAIN[256]  # what JSON writes as it is
for _one in range(256):
    PLAIN[_one] = 0x20 <= _one < 0x7F and chr(_one) not in '"\\'

cdef struct Page:
    unsigned char signs[PAGE]
    Py_ssize_t filled


cdef inline int put(Page *page, const unsigned char *signs, Py_ssize_t length) except -1:
    """All that is written on a page, and never beyond it."""
    cdef Py_ssize_t i = 0, at = page.filled
    if length < 0 or at < 0 or length > PAGE - at:
        raise IndexError(length)
    if length < EIGHT:
        for i in range(length):
            page.signs[at + i] = signs[i]
    else:
        while i < length - EIGHT:
            put_eight(page.signs, at + i, eight_at(signs, i))
            i += EIGHT
        put_eight(page.signs, at + length - EIGHT, eight_at(signs, length - EIGHT))
    page.filled = at + length
    return 0


cdef int turn(Page *page, list pages) except -1:
    """Lay a page aside and begin an empty one."""
    if page.filled > 0:
        pages.append(page.signs[:page.filled])
        page.filled = 0
    return 0


cdef int put_piece(Page *page, bytes piece, list pages) except -1:
    """Something of any length, on this page or on one of its own."""
    if len(piece) > PAGE - page.filled:
        turn(page, pages)
    if len(piece) > PAGE:
        pages.append(piece)
        return 0
    return put(page, piece, len(piece))


cdef int put_number(Page *page, size_t number) except -1:
    cdef unsigned char digits[DIGITS]
    cdef int first = DIGITS
    while True:
        first -= 1
        digits[first] = 48 + number % 10
        number //= 10
        if number == 0 or first == 0:
            return put(page, &digits[first], DIGITS - first)


cdef int put_share(Page *page, unsigned int whole) except -1:
    """So many ten thousandths."""
    cdef unsigned char digits[6]
    cdef int length = 6
    digits[0], digits[1] = 48, 46
    digits[2], digits[3] = 48 + whole // 1000, 48 + whole // 100 % 10
    digits[4], digits[5] = 48 + whole // 10 % 10, 48 + whole % 10
    while length > 3 and digits[length - 1] == 48:
        length -= 1
    return put(page, digits, length)


cdef int put_text(Page *page, object text) except -1:
    """A string of JSON; null for none."""
    cdef Py_ssize_t length = PyUnicode_GET_LENGTH(text)
    if length == 0:
        return put(page, b"null", 4)
    put(page, b'"', 1)
    put(page, <const unsigned char *>PyUnicode_DATA(text), length)
    return put(page, b'"', 1)


cdef bint is_plain(object text) except -1:
    """Whether a string is short and JSON writes it as it is."""
    cdef const unsigned char *signs
    cdef Py_ssize_t i, length
    if not isinstance(text, str):
        raise TypeError(type(text))
    length = PyUnicode_GET_LENGTH(text)
    if length > LONGEST or not PyUnicode_IS_COMPACT_ASCII(text):
        return False
    signs = <const unsigned char *>PyUnicode_DATA(text)
    for i in range(length):
        if not PLAIN[signs[i]]:
            return False
    return True


cdef int ten_thousandths(object confidence) except -1:
    """A confidence rounded; 0 where Python should do it."""
    cdef double share, off
    cdef int whole
    if type(confidence) is not float:
        return 0
    share = confidence
    if not 0.0 < share < 1.0:
        return 0
    whole = <int>(share * PLACES + HALF)
    off = share * PLACES - whole
    if whole >= PLACES or not -HALF + DOUBT < off < HALF - DOUBT:
        return 0
    return whole


cdef inline int call_up(tuple findings, Py_ssize_t number) except -1:
    """Have what will be asked of a finding in the cache, and the one four behind it itself.

    Findings were made all over the memory while other work was done: waiting for them takes longer
    than writing.
    """
    if number + AHEAD < len(findings):
        fetch(<void *>PyTuple_GET_ITEM(findings, number + AHEAD))
    if number < len(findings):
        finding = <object>PyTuple_GET_ITEM(findings, number)
        if isinstance(finding, tuple) and len(<tuple>finding) == FIELDS:
            fetch(<void *>PyTuple_GET_ITEM(<tuple>finding, 3))
            fetch(<void *>PyTuple_GET_ITEM(<tuple>finding, 4))
            fetch(<void *>PyTuple_GET_ITEM(<tuple>finding, 5))
            fetch(<void *>PyTuple_GET_ITEM(<tuple>finding, 7))
            fetch(<void *>PyTuple_GET_ITEM(<tuple>finding, 8))
    return 0


@cython.final
cdef class Teller:
    """Writes the findings of one file after another; remembers what recurs in all of them."""

    cdef list heads  # kind, rule, part and what they are written as: a slot for the last ones
    cdef dict ends  # by context
    cdef object head, tail, end
    cdef str nowhere

    def __init__(self, head, tail, end, str nowhere not None):
        self.heads, self.ends = [None] * SLOTS, {}
        self.head, self.tail, self.end, self.nowhere = head, tail, end, nowhere

    cdef bytes head_of(self, object kind, object rule, object place):
        cdef size_t slot = (<size_t>(<void *>rule) >> 5 ^ <size_t>(<void *>kind) >> 4) % SLOTS
        cdef tuple known = self.heads[slot]
        if known is None or known[0] is not kind or known[1] is not rule or known[2] is not place:
            piece = f"{self.head(kind, rule)}{place}".encode("ascii")
            known = self.heads[slot] = (kind, rule, place, piece)
        return <bytes?>known[3]

    cdef int put_rest(self, Page *page, tuple one, bytes end, list pages) except -1:
        """What stands behind the part; `end` is the context as it is written."""
        cdef Py_ssize_t first, last
        cdef int whole = ten_thousandths(field(one, 5))
        if whole == 0 or type(field(one, 3)) is not int or type(field(one, 4)) is not int:
            return put_piece(page, self.in_python(one), pages)
        first, last = field(one, 3), field(one, 4)
        if first < 0 or last < 0 or len(end) > LONGEST:
            return put_piece(page, self.in_python(one), pages)
        if not is_plain(field(one, 7)) or not is_plain(field(one, 8)):
            return put_piece(page, self.in_python(one), pages)
        if LINE > PAGE - page.filled:
            turn(page, pages)
        put_number(page, first)
        put(page, b', "end": ', 9)
        put_number(page, last)
        put(page, b', "confidence": ', 16)
        put_share(page, whole)
        put(page, b', "concept": ', 13)
        put_text(page, field(one, 7))
        put(page, b', "person": ', 12)
        put_text(page, field(one, 8))
        return put(page, <const unsigned char *>end, len(end))

    cdef bytes in_python(self, tuple one):
        start, end, sure, tail = one[3], one[4], round(one[5], 4), self.tail(one[7], one[8], one[10])
        return f'{start}, "end": {end}, "confidence": {sure}{tail}'.encode("ascii")

    cdef bytes end_of(self, object context):
        piece = self.ends.get(context)
        if piece is None:
            if len(self.ends) >= MOST_CONTEXTS:
                self.ends.clear()
            piece = self.ends[context] = self.end(context).encode("ascii")
        return <bytes?>piece

    def told(self, tuple findings not None, list places not None):
        """`places`: what place_of writes of each part; none at all where nothing was read."""
        cdef Page page
        cdef list pages = []
        cdef object said = None
        cdef bytes end = b"", between = b"["
        cdef Py_ssize_t part, number = AHEAD
        cdef tuple one
        page.filled = 0
        for finding in findings:
            call_up(findings, number)
            number += 1
            if not isinstance(finding, tuple):
                raise TypeError(type(finding))
            one = <tuple>finding
            if len(one) != FIELDS:
                raise ValueError(len(one))
            # not unpacked: evidence and fingerprint would come into the cache, and nobody asks them
            part = field(one, 2)
            place = places[part] if len(places) > 0 else self.nowhere
            if field(one, 10) is not said:
                said = field(one, 10)
                end = self.end_of(said)
            put_piece(&page, between, pages)
            put_piece(&page, self.head_of(field(one, 0), field(one, 1), place), pages)
            self.put_rest(&page, one, end, pages)
            between = b", "
        if not findings:
            return b"[]"
        put_piece(&page, b"]", pages)
        turn(&page, pages)
        return pages[0] if len(pages) == 1 else b"".join(pages)
