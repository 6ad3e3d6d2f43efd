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

On the way it takes hints: places where a pattern of the cheap pass may begin. What these are
follows from the patterns (dlp/triage/hints.py); a text without any holds no match of them.
"""

from array import array

cimport cython

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from cpython.unicode cimport PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_KIND, PyUnicode_READ

from dlp.native.lanes cimport AT_ONCE, are_plain, eight_at, put_plain
from dlp.native.signs cimport lowest

cdef extern from *:
    """
    #if defined(__SSE2__) && defined(__x86_64__)
    static inline void DLP_STRETCHES(const unsigned char *signs, Py_ssize_t at,
                                     unsigned long long *inside, unsigned long long *beyond) {
        int part;
        *inside = *beyond = 0;
        for (part = 0; part < 4; part++) {
            __m128i some = DLP_LOAD(signs[at + 16 * part]);
            __m128i word = _mm_or_si128(DLP_COUNTED(some), DLP_IS(some, '_'));
            *inside |= DLP_BITS(word) << 16 * part;
            /* the first byte of a sign: 0xC0 and above */
            *beyond |= DLP_BITS(_mm_and_si128(some, _mm_cmpgt_epi8(some, _mm_set1_epi8(-65))))
                       << 16 * part;
        }
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
            *beyond |= (unsigned long long)(sign >= 0xC0) << place;
        }
    }
    #endif
    """
    void stretches "DLP_STRETCHES"(
        const unsigned char* signs, Py_ssize_t at, unsigned long long* inside,
        unsigned long long* beyond
    ) noexcept nogil

cdef enum:
    JOINT = 256  # a blank in a phrase: blanks and hyphens, at least one
    GROUPS = 2048
    LEAST = 4
    TOGETHER = 64  # bytes looked at as one
    EIGHT = 8
    FAR = 16  # blanks; whoever writes more of them is left to RE2
    AWAY = 32  # bytes, in which a date of birth has its first digit
    OF_FORM = 12
    SENTENCE = 160  # bytes of forty characters
    STREET = 34
    TAILS = 512
    TAIL_BITS = 2048
    TAIL_WORDS = 32  # of 64 bits each
    PAIRS = 4096
    LONG_WORD = 64
    UNTOLD = -2
    LEAST_TAIL = 6  # three letters and the shortest ending
    SLACK = 4096  # bytes for what becomes longer when it is folded
    FEW_FOLDS = 64
    FEW = 8  # signs that are written one by one where not all are plain
    MOST_HINTS = 24  # then one search through all is cheaper
    # What a hint needs around it, see `is_met`.
    ANY = 1
    BIRTH
    DIGIT
    NUMBER
    MARK
    NAME
    SUBJECT
    COMMA
    BAR
    PHONE
    CAPITALS
    TITLE
    ACCENT
    BEHIND
    ELSEWHERE = 64  # the match begins at another place
    IN_BRACKETS = 2

NEEDS = {
    "": ANY, "birth": BIRTH, "digit": DIGIT, "number": NUMBER, "mark": MARK, "name": NAME,
    "subject": SUBJECT, "comma": COMMA, "bar": BAR, "phone": PHONE, "capitals": CAPITALS,
    "title": TITLE, "accent": ACCENT, "behind": BEHIND,
}

cdef unsigned long long SMALL_BITS = 0x2020202020202020ULL

cdef unsigned char[256] SMALL  # the byte in small letters where it is of a word, else 0
cdef unsigned char[256] JOINS  # 1 for blanks and hyphens
cdef unsigned char[256] FORM  # 1 for what may stand between a label and a day of birth
cdef unsigned char[256] NUMBERING  # between a label and a number
cdef unsigned char[256] IN_WORDS  # letters, hyphens and apostrophes
cdef unsigned char[256] IN_STREETS  # in the name of a street, beside letters and digits
for _sign in range(256):
    _told = chr(_sign)
    SMALL[_sign] = ord(_told.lower()) if _sign < 128 and (_told.isalnum() or _told == "_") else 0
    JOINS[_sign] = 1 if _told in " \t\n\r\f-" else 0
    FORM[_sign] = 1 if _told in '"<>/:=,( \t\n\r\f' else 0
    NUMBERING[_sign] = 1 if _told in " \t#:=(-." else 0
    IN_WORDS[_sign] = 1 if _sign < 128 and (_told.isalpha() or _told in "'-") else 0
    IN_STREETS[_sign] = 1 if _told in ".' " else 0


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
    const unsigned char* signs, Py_ssize_t size, Py_ssize_t start, Py_ssize_t end,
    unsigned long long* tail,
) noexcept:
    """Of a stretch of letters and digits, small or not; `size`: of all that may be read.

    Short and long ones go the same way, for which comes next is nothing to be guessed. `tail`: the
    last eight of it in small letters, the very last at the top, 0 where it has fewer.
    """
    cdef Py_ssize_t length = end - start, place
    cdef unsigned long long first = 0, last = 0
    cdef int unused = TOGETHER - 8 * min(length, EIGHT)
    cdef unsigned long long kept = ~0ULL >> unused
    if start + EIGHT <= size:
        first = (eight_at(signs, start) | SMALL_BITS) & kept
        last = (eight_at(signs, max(start, end - EIGHT)) | SMALL_BITS) & kept
    else:  # fewer than eight are left
        for place in range(length):
            first |= <unsigned long long>(signs[start + place] | 0x20) << 8 * place
        last = first
    tail[0] = last << unused
    first *= 0x9E3779B97F4A7C15ULL
    return spread(first ^ first >> 31 ^ last ^ <unsigned int>length)


cdef inline unsigned int slot_of(unsigned long long tail) noexcept:
    """By the last four signs."""
    return <unsigned int>((tail >> 32) * 0x9E3779B1ULL >> 16) % TAIL_BITS


cdef inline unsigned char sign_of(
    const unsigned char* signs, Py_ssize_t size, Py_ssize_t place
) noexcept:
    """The byte at a place; before and behind the text 0."""
    return signs[place] if 0 <= place < size else 0


cdef inline unsigned int pair_at(
    const unsigned char* signs, Py_ssize_t size, Py_ssize_t place
) noexcept:
    """A number below 4,096 for two bytes of which the first is no letter, whatever their case."""
    cdef unsigned int second = sign_of(signs, size, place + 1)
    return (<unsigned int>signs[place] & 127) << 5 | (second & 31)


cdef inline bint is_digit(unsigned char sign) noexcept:
    return c"0" <= sign <= c"9"


cdef inline bint is_capital(unsigned char sign) noexcept:
    return c"A" <= sign <= c"Z"


cdef inline bint is_small(unsigned char sign) noexcept:
    return c"a" <= sign <= c"z"


cdef inline Py_ssize_t digits_from(
    const unsigned char* signs, Py_ssize_t size, Py_ssize_t place, Py_ssize_t most
) noexcept:
    """How many digits stand from a place on, of so many at most."""
    cdef Py_ssize_t count = 0
    while count < most and is_digit(sign_of(signs, size, place + count)):
        count += 1
    return count


cdef inline Py_ssize_t behind_blanks(
    const unsigned char* signs, Py_ssize_t size, Py_ssize_t place, unsigned char other
) noexcept:
    """The first place that holds neither a blank nor `other`; -1 if these go on too far."""
    cdef Py_ssize_t end = place + FAR
    while place < size and (signs[place] == c" " or signs[place] == other):
        place += 1
        if place == end:
            return -1
    return place


cdef bint is_before_digit(
    const unsigned char* signs, Py_ssize_t size, Py_ssize_t place, Py_ssize_t reach
) noexcept:
    cdef Py_ssize_t end = min(size, place + reach)
    while place < end:
        if is_digit(signs[place]):
            return True
        place += 1
    return False


cdef bint is_birth(const unsigned char* signs, Py_ssize_t size, Py_ssize_t place) noexcept:
    """Whether a day may follow: at most twelve signs of a form, and a digit."""
    cdef Py_ssize_t end = min(size, place + OF_FORM)
    while place < end and FORM[signs[place]]:
        place += 1
    return is_digit(sign_of(signs, size, place))


cdef bint is_numbered(const unsigned char* signs, Py_ssize_t size, Py_ssize_t place) noexcept:
    """Whether a number may follow: signs, "no" or "nr", at most three letters, and a digit."""
    cdef Py_ssize_t end = place + FAR, letters = 0
    while place < end:
        if not NUMBERING[sign_of(signs, size, place)]:
            break
        place += 1
    if place == end or sign_of(signs, size, place) | 0x20 == c"n":
        return True
    while letters < 4 and SMALL[sign_of(signs, size, place)] > c"9":
        letters += 1
        place += 1
    if letters and NUMBERING[sign_of(signs, size, place)]:
        place += 1
    return letters < 4 and is_digit(sign_of(signs, size, place))


cdef bint is_phone(const unsigned char* signs, Py_ssize_t size, Py_ssize_t place) noexcept:
    cdef Py_ssize_t end = place + 4
    cdef unsigned char sign = sign_of(signs, size, place)
    while place < end and (sign == c" " or sign == c"." or sign == c":" or sign == c"#"):
        place += 1
        sign = sign_of(signs, size, place)
    if sign == c"+" or sign == c"(":
        sign = sign_of(signs, size, place + 1)
    return is_digit(sign)


cdef bint is_before_title(const unsigned char* signs, Py_ssize_t size, Py_ssize_t place) noexcept:
    """Whether "Mr", "Mrs", "Ms" or "Miss" may follow in the sentence, forty characters away."""
    cdef Py_ssize_t end = min(size - 1, place + SENTENCE)
    cdef unsigned char after
    while place < end and signs[place] != c"." and signs[place] != c"\n":
        place += 1
        if signs[place] == c"M" and not SMALL[signs[place - 1]]:
            after = sign_of(signs, size, place + 1)
            if after == c"r" or after == c"s" or after == c"i":
                return True
    return False


cdef Py_ssize_t word_before(const unsigned char* signs, Py_ssize_t place) noexcept:
    """Where a word of five letters or more begins that stands before a place, blanks between.

    -1: there is none; UNTOLD: it is not that plain.
    """
    cdef Py_ssize_t start = place, least = max(0, place - FAR)
    while place > least and (signs[place - 1] == c" " or signs[place - 1] == c"\t"):
        place -= 1
    if place == start or place == 0:
        return -1
    if place == least:
        return UNTOLD
    start = place
    least = max(0, place - LONG_WORD)
    while place > least and IN_WORDS[signs[place - 1]]:
        place -= 1
    if start - place < 5:
        return -1
    if place > 0 and (place == least or SMALL[signs[place - 1]]) or not SMALL[signs[place]]:
        return UNTOLD
    return place


cdef bint is_in_capitals(
    const unsigned char* signs, Py_ssize_t start, Py_ssize_t end
) noexcept:
    cdef Py_ssize_t place
    for place in range(start, end):
        if is_small(signs[place]):
            return False
    return True


cdef bint is_met(
    int need, const unsigned char* signs, Py_ssize_t size, Py_ssize_t start, Py_ssize_t end
) noexcept:
    """Whether what stands around a word is what its hint needs."""
    cdef unsigned char sign = sign_of(signs, size, end)
    cdef Py_ssize_t place
    if need == ANY:
        return True
    if need == BIRTH:
        return is_birth(signs, size, end)
    if need == DIGIT:
        return is_before_digit(signs, size, end, AWAY)
    if need == NUMBER:
        return is_numbered(signs, size, end)
    if need == MARK:
        place = behind_blanks(signs, size, end, c"\t")
        sign = sign_of(signs, size, place)
        return place < 0 or sign == c"." or sign == c":" or sign == c"#"
    if need == NAME:
        place = behind_blanks(signs, size, end, c"\t")
        sign = sign_of(signs, size, place)
        return place < 0 or sign == c":" or sign == c"=" or sign | 0x20 == c"i"
    if need == SUBJECT:
        place = behind_blanks(signs, size, end + 1, c"\t")
        if sign != c":" and sign != c".":
            return False
        sign = sign_of(signs, size, place)
        return place < 0 or is_capital(sign) or sign == c"m" or sign == c"d"
    if need == COMMA:
        place = behind_blanks(signs, size, end + 1, c"\t")
        return sign == c"," and (place < 0 or is_capital(sign_of(signs, size, place)))
    if need == BAR:
        return sign == c"|"
    if need == PHONE:
        return is_phone(signs, size, end)
    if need == CAPITALS:
        return is_in_capitals(signs, start, end)
    if need == TITLE:
        return is_before_title(signs, size, end)
    if need == ACCENT:
        return sign >= 128 and is_before_digit(signs, size, end, AWAY)
    return word_before(signs, start) != -1  # BEHIND


cdef bint is_unit(const unsigned char* signs, Py_ssize_t size, Py_ssize_t place) noexcept:
    """Whether a unit of a dose or of a measure may stand there."""
    cdef unsigned char first = sign_of(signs, size, place), second, third
    if first < 128:
        first |= 0x20
        second = sign_of(signs, size, place + 1) | 0x20
        third = sign_of(signs, size, place + 2)
        if first == c"m":
            if second == c"m":
                return third | 0x20 == c"h" or third | 0x20 == c"o"
            return second == c"g" or second == c"c" or (second == c"l" and third == c"/")
        return (first == c"i" and second == c"u") or (first == c"b" and second == c"p")
    second = sign_of(signs, size, place + 1)  # the sign of a millionth, or the letter
    return (first == 0xC2 and second == 0xB5) or (
        first == 0xCE and (second == 0xBC or second == 0x9C)
    )


cdef bint is_before_street(const unsigned char* signs, Py_ssize_t size, Py_ssize_t place) noexcept:
    """Whether thirty letters behind a capital a word begins as a kind of street does."""
    cdef Py_ssize_t end = min(size, place + STREET)
    cdef unsigned char first, second
    while place + 1 < end:
        place += 1
        if SMALL[signs[place - 1]] or not SMALL[signs[place]]:
            if not (SMALL[signs[place]] or IN_STREETS[signs[place]]):
                return False
            continue
        first, second = SMALL[signs[place]], sign_of(signs, size, place + 1) | 0x20
        if (first == c"s" or first == c"c") and (second == c"t" or second == c"r" or second == c"o"):
            return True
        if (first == c"a" and second == c"v") or (first == c"l" and second == c"a"):
            return True
        if first == c"r" and (second == c"o" or second == c"d"):
            return True
        if (first == c"d" and second == c"r") or (first == c"t" and second == c"e"):
            return True
        if first == c"b" and (second == c"l" or second == c"o"):
            return True
    return False


cdef bint is_long_number(
    const unsigned char* signs, Py_ssize_t size, Py_ssize_t start, Py_ssize_t end
) noexcept:
    """Whether three digits are the first of a telephone or an insurance number."""
    cdef unsigned char sign = sign_of(signs, size, end), after
    cdef Py_ssize_t place = end + 1, count
    if sign == c")":
        if sign_of(signs, size, start - 1) != c"(":
            return False
        place += sign_of(signs, size, place) == c" "
    elif sign != c"-" and sign != c"." and sign != c" ":
        return False
    count = digits_from(signs, size, place, 4)
    after = sign_of(signs, size, place + count)
    if count == 2:
        return sign == c"-" and after == c"-"
    return count == 3 and (after == c"-" or after == c"." or after == c" ")


cdef int is_number(
    const unsigned char* signs, Py_ssize_t size, Py_ssize_t start, Py_ssize_t end
) noexcept:
    """Whether a stretch that begins with a digit may begin a match, or stands in brackets."""
    cdef Py_ssize_t place, digits = digits_from(signs, size, start, end - start), count
    cdef unsigned char sign = sign_of(signs, size, end)
    place = start + digits
    if is_unit(signs, size, place + (digits == end - start and sign == c" ")):
        return True
    if place < end or digits > 5:
        return False
    if digits < 3 and (sign == c"-" or sign == c"/"):
        count = digits_from(signs, size, end + 1, 3)
        sign = sign_of(signs, size, end + 1 + count)
        if 0 < count < 3 and (sign == c"-" or sign == c"/"):
            sign = sign_of(signs, size, end + 2 + count)
            return sign == c"1" or sign == c"2"
        return False
    if digits == 3 and is_long_number(signs, size, start, end):
        return IN_BRACKETS if sign == c")" else 1
    if sign != c" " and sign != c"\t":
        return False
    place = behind_blanks(signs, size, end, c"\t")
    if place < 0:
        return True
    return is_capital(sign_of(signs, size, place)) and is_before_street(signs, size, place)


cdef bint is_code(
    const unsigned char* signs, Py_ssize_t size, Py_ssize_t start, Py_ssize_t end
) noexcept:
    """Whether two or three signs may be of a post code or of a diagnosis."""
    cdef unsigned char sign = sign_of(signs, size, end)
    cdef Py_ssize_t place
    if not is_capital(signs[start]):
        return False
    if end - start == 2:
        if not is_capital(signs[start + 1]) or (sign != c" " and sign != c","):
            return False
        place = behind_blanks(signs, size, end, c",")
        return place < 0 or digits_from(signs, size, place, 6) == 5
    if end - start != 3 or not is_digit(signs[start + 1]):
        return False
    if sign == c"." or sign == c" " or sign == c"-":
        return is_digit(sign_of(signs, size, end + 1))
    return False


cdef bint is_birth_beyond(
    const unsigned char* signs, Py_ssize_t size, Py_ssize_t place
) noexcept:
    """Whether a sign that "date of birth" begins with in Russian, Japanese or Chinese stands there."""
    cdef unsigned char first = signs[place], second = sign_of(signs, size, place + 1)
    if first == 0xD0:
        return second == 0xB4 or second == 0x94
    return (first == 0xE7 and second == 0x94) or (first == 0xE5 and second == 0x87)


cdef bint note(
    list hints, const unsigned char* signs, Py_ssize_t start, int found
) except -1:
    """Take a hint; whether more are to be taken."""
    cdef Py_ssize_t place = start
    if found == IN_BRACKETS:
        place -= 1
    elif found == BEHIND:
        place = word_before(signs, start)
    if found == ELSEWHERE or place < 0 or len(hints) >= MOST_HINTS:
        hints.append(-1)
        return False
    hints.append(place)
    return True


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
    signs = [JOINT if sign == 32 else sign for sign in rest]
    for before, after in zip(signs, signs[1:]):
        if before == JOINT and (after == JOINT or JOINS[<int>after]):
            raise UnfitError  # how many blanks are the joint's is for RE2 to say
    return signs


@cython.final
cdef class Listed:
    """`rows`: for each word or phrase its bytes, and whether no letter may follow it.

    `hints`: the same with what it needs around it (`NEEDS`), and whether a match begins where it
    stands. `endings`: of words, in small letters; `opening`: how a word begins.
    """

    cdef unsigned char[::1] _firsts  # the first stretches, one after the other
    cdef int[::1] _first_edges  # where each begins, and the end of the last
    cdef int[::1] _rests
    cdef int[::1] _rest_edges
    cdef unsigned char[::1] _ends
    cdef int[::1] _slots  # number of the first row with a stretch, or -1
    cdef int[::1] _after  # number of the next row with the same stretch, or -1
    cdef unsigned long long[GROUPS] _bits
    cdef unsigned char[PAIRS] _opens  # 1 where a row begins with such two bytes
    cdef bint _sign_opens  # one that is of ASCII, but neither a letter nor a digit
    cdef unsigned long long _mask
    cdef unsigned long long _last_touched
    cdef int[::1] _needs  # 0 for a row, else what the hint needs
    cdef unsigned long long[TAIL_WORDS] _tail_bits  # asked first
    cdef unsigned long long[TAILS] _tails  # ends of words, the very last sign at the top, or 0
    cdef unsigned long long[TAILS] _tail_signs  # which of the eight count
    cdef unsigned char[LEAST_TAIL] _opening

    def __init__(self, rows, hints=(), endings=(), bytes opening=b""):
        needs = [0] * len(rows)
        needs += [NEEDS[need] | (0 if begins else ELSEWHERE) for _, _, need, begins in hints]
        self._needs = array("i", needs or [0])
        rows = [*rows, *((said, end) for said, end, _, _ in hints)]
        self._take_endings(endings)
        for place in range(LEAST_TAIL):  # no word has a 1 in it
            self._opening[place] = opening[place] if len(opening) >= LEAST_TAIL else 1
        if 0 < len(opening) < LEAST_TAIL:
            raise UnfitError
        size = 64
        while size < 4 * len(rows):
            size *= 2
        self._mask = size - 1
        self._slots = array("i", [-1]) * size
        self._after = array("i", [-1]) * (len(rows) + 1)
        for group in range(GROUPS):
            self._bits[group] = 0
        for pair in range(PAIRS):
            self._opens[pair] = 0
        self._sign_opens = False
        self._take_rows(rows)

    def _take_rows(self, list rows):
        cdef Py_ssize_t count = len(rows), number, length, total = 0
        cdef int[::1] first_edges = array("i", [0]) * (count + 1)
        cdef int[::1] rest_edges = array("i", [0]) * (count + 1)
        cdef unsigned char[::1] ends = bytearray(count or 1)
        cdef bytes said, first
        cdef list firsts = [], signs = []
        cdef dict last = {}
        for number in range(count):
            said, end = rows[number]
            ends[number] = 1 if end else 0
            length = first_length(said)
            first = said
            if length < len(said):  # more than one word, as few are
                first = said[:length]
                signs += jointed(said[length:])
            firsts.append(first)
            total += length
            first_edges[number + 1], rest_edges[number + 1] = total, len(signs)
            before = last.get(first)
            if before is None:
                self._place(first, number)
            else:
                self._after[before] = number
            last[first] = number
        self._firsts = bytearray(b"".join(firsts) or b"\0")
        self._first_edges, self._rest_edges, self._ends = first_edges, rest_edges, ends
        self._rests = array("i", signs or [0])

    def _take_endings(self, endings):
        cdef unsigned long long tail, signs
        cdef unsigned int slot
        for slot in range(TAILS):
            self._tails[slot] = self._tail_signs[slot] = 0
        for slot in range(TAIL_WORDS):
            self._tail_bits[slot] = 0
        known = {ending[-EIGHT:] for ending in endings}
        # all that end alike in four signs stand one behind the other
        for short in [ending for ending in known if len(ending) < 4]:
            known.remove(short)
            known.update(bytes([sign]) + short for sign in b"abcdefghijklmnopqrstuvwxyz")
        if len(known) * 2 > TAILS or any(len(ending) < 4 for ending in known):
            raise UnfitError
        for ending in known:
            tail = int.from_bytes(ending.rjust(EIGHT, b"\0"), "little")
            signs = ~0ULL << <int>(TOGETHER - 8 * len(ending))
            slot = slot_of(tail)
            self._tail_bits[slot >> 6] |= 1ULL << (slot & 63)
            slot %= TAILS
            while self._tails[slot]:
                slot = (slot + 1) % TAILS
            self._tails[slot], self._tail_signs[slot] = tail, signs

    cdef void _place(self, bytes first, int number) except *:
        cdef const unsigned char* signs = <const unsigned char*>PyBytes_AS_STRING(first)
        cdef unsigned long long told = 0, tail = 0
        if SMALL[signs[0]]:
            told = hash_of(signs, len(first), 0, len(first), &tail)
        else:
            told = opening(first, 0)
            self._opens[pair_at(signs, len(first), 0)] = 1
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

    def find(
        self, bytes raw not None, Py_ssize_t place=0, Py_ssize_t seen=0, list hints=None
    ):
        """Where the first row stands from `place` on: start, end, and how far all was seen.

        From `seen` on, which is the last such answer, hints are taken: places, or -1 for one that
        the match does not begin with, or for too many. None: there is no further row.
        """
        cdef const unsigned char* signs = <const unsigned char*>PyBytes_AS_STRING(raw)
        cdef const unsigned char[::1] view = raw
        cdef Py_ssize_t size = PyBytes_GET_SIZE(raw), start = -1, end, at, least = place
        cdef unsigned long long inside, beyond, events, before, told, tail = 0
        cdef bint hinted = hints is not None and not (hints and hints[-1] < 0)
        cdef int found
        if place == 0 and size > GROUPS:
            self._touch()
        at = seen if hinted and seen < place else place
        if at < 0 or at >= size:
            return None
        before = at > 0 and SMALL[signs[at - 1]] != 0  # inside a word none begins
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
                    told = hash_of(signs, size, start, place, &tail)
                    if hinted:
                        found = self._hint_of(signs, size, start, place, tail)
                        if not found and self._may_hold(told):
                            found = self._hinted(view, signs, start, place, told)
                        if not found and signs[place - 1] <= c"9" < signs[start]:
                            found = self._hinted_before_digits(view, signs, start, place)
                        if found:
                            hinted = note(hints, signs, start, found)
                    if self._may_hold(told) and start >= least:
                        end = self._end_of(view, start, place, told)
                        if end:
                            return start, end, place
                    start = -1
                if self._opens[pair_at(signs, size, place)] and place >= least:
                    told = opening(view, place)
                    if self._may_hold(told):
                        end = self._end_of(view, place, place + LEAST, told)
                        if end:
                            return place, end, place + 1
            at += TOGETHER
        end = 0
        if start >= 0:
            told = hash_of(signs, size, start, size, &tail)
            if hinted:
                found = self._hint_of(signs, size, start, size, tail)
                if not found:
                    found = self._hinted(view, signs, start, size, told)
                if found:
                    note(hints, signs, start, found)
            if start >= least:
                end = self._end_of(view, start, size, told)
        return (start, end, size) if end else None

    cdef inline int _hint_of(
        self, const unsigned char* signs, Py_ssize_t size, Py_ssize_t start, Py_ssize_t end,
        unsigned long long tail,
    ) except -1:
        """Whether a stretch of letters and digits is a hint, whatever the rows say."""
        cdef unsigned char sign = signs[start]
        cdef unsigned int slot = slot_of(tail)
        # each asks what few words are, so that nearly all go one way through
        if sign <= c"Z":
            if sign <= c"9":
                return is_number(signs, size, start, end)
            if end - start < 4 and is_code(signs, size, start, end):
                return 1
        if self._tail_bits[slot >> 6] >> (slot & 63) & 1:
            if end - start >= LEAST_TAIL and self._ends_so(tail):
                return 1
        if sign | 0x20 == self._opening[0] and end - start >= LEAST_TAIL:
            if self._begins_so(signs, start):
                return 1
        if end < size and signs[end] >= 0xD0 and is_birth_beyond(signs, size, end):
            return ELSEWHERE
        return 0

    cdef int _hinted_before_digits(
        self, const unsigned char[::1] raw, const unsigned char* signs, Py_ssize_t start,
        Py_ssize_t end,
    ) except -1:
        """As `_hinted`, of what stands before the first digit: "born1951"."""
        cdef unsigned long long told, tail = 0
        cdef Py_ssize_t place = start + 1
        while place < end and not is_digit(signs[place]):
            place += 1
        told = hash_of(signs, raw.shape[0], start, place, &tail)
        return self._hinted(raw, signs, start, place, told) if self._may_hold(told) else 0

    cdef int _hinted(
        self, const unsigned char[::1] raw, const unsigned char* signs, Py_ssize_t start,
        Py_ssize_t end, unsigned long long told,
    ) except -1:
        """1 where a hint stands at `start`, BEHIND where the match begins with the word before,
        ELSEWHERE if nobody knows where it begins, or 0.
        """
        cdef Py_ssize_t stop
        cdef int number
        told &= self._mask
        while self._slots[told] >= 0:
            number = self._slots[told]
            told = (told + 1) & self._mask
            if not self._begins(raw, start, end, number):
                continue
            while number >= 0:
                if self._needs[number]:
                    stop = self._rest(raw, end, number)
                    if stop and is_met(
                        self._needs[number] & ~ELSEWHERE, signs, raw.shape[0], start, stop
                    ):
                        if self._needs[number] == BEHIND:
                            return BEHIND
                        return self._needs[number] & ELSEWHERE or 1
                number = self._after[number]
            return 0
        return 0

    cdef inline bint _ends_so(self, unsigned long long tail) noexcept:
        """Whether a word with this tail ends as one of the list."""
        cdef unsigned int slot = slot_of(tail) % TAILS
        while self._tails[slot]:
            if tail & self._tail_signs[slot] == self._tails[slot]:
                return True
            slot = (slot + 1) % TAILS
        return False

    cdef inline bint _begins_so(self, const unsigned char* signs, Py_ssize_t start) noexcept:
        """Whether a word of six signs or more begins as the list says, as far as six tell."""
        cdef int place
        for place in range(LEAST_TAIL):
            if self._opening[place] != SMALL[signs[start + place]]:
                return False
        return True

    cdef int _last_stretches(
        self, const unsigned char[::1] raw, Py_ssize_t at, unsigned long long* inside,
        unsigned long long* beyond
    ) except -1:
        """The same of fewer than 64 bytes."""
        cdef Py_ssize_t place
        inside[0] = beyond[0] = 0
        for place in range(at, raw.shape[0]):
            inside[0] |= <unsigned long long>(SMALL[raw[place]] != 0) << (place - at)
            beyond[0] |= <unsigned long long>(raw[place] >= 0xC0) << (place - at)
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
                while number >= 0 and not self._needs[number]:  # hints come behind
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


def plain_bytes(list texts not None, fold, const unsigned char[::1] stays):
    """The texts, a line end between each two, in UTF-8; what may change as `fold` gives it back.

    `stays`: for the code points from 0 on, 1 where `fold` never joins or changes what comes before
    such a sign together with it, nor the sign itself; those beyond its end may change. So each
    stretch of signs that may change, and the sign before it, is folded by itself. None where these
    are many: then it is quicker to fold the whole. The twin is dlp/triage/cheap.py (plain).
    """
    cdef Py_ssize_t size = len(texts) + SLACK, at = 0
    cdef str text
    cdef bint all_ascii = True
    for text in texts:
        if text.isascii():
            size += PyUnicode_GET_LENGTH(text)
        else:
            size += most_bytes(PyUnicode_KIND(text)) * PyUnicode_GET_LENGTH(text)
            all_ascii = False
    if all_ascii:
        return "\n".join(texts).encode()
    # room enough for nearly all, of which some is left
    raw = PyBytes_FromStringAndSize(NULL, size)
    cdef char* room = PyBytes_AS_STRING(raw)
    for number, text in enumerate(texts):
        if number > 0:
            if at >= size:
                return None
            room[at] = c"\n"
            at += 1
        at = put(raw, at, text, fold, stays)
        if at < 0:
            return None
    return raw[:at]


cdef inline Py_ssize_t most_bytes(int kind) noexcept:
    """Of a sign in UTF-8, in a text of signs of so many bytes."""
    return 2 if kind == 1 else 3 if kind == 2 else 4


cdef inline int bytes_of(unsigned int sign) noexcept:
    if sign < 0x80:
        return 1
    return 2 if sign < 0x800 else 3 if sign < 0x10000 else 4


cdef Py_ssize_t put(
    bytes raw, Py_ssize_t at, str text, fold, const unsigned char[::1] stays
) except -2:
    """Write a text from `at` on; where it ends, or -1 where it does not fit or is not for here."""
    cdef int kind = PyUnicode_KIND(text)
    cdef const void* data = <const void*>PyUnicode_DATA(text)
    cdef Py_ssize_t size = PyUnicode_GET_LENGTH(text), place = 0, done = 0, start, folds = 0
    cdef unsigned char* room = <unsigned char*>PyBytes_AS_STRING(raw)
    cdef unsigned int sign
    cdef dict known = {}
    cdef bytes piece
    cdef unsigned char one
    while True:
        # written out: with the kind known, each becomes a loop of its own
        if kind == 1:
            at = put_staying(1, data, size, &place, raw, at, stays)
        elif kind == 2:
            at = put_staying(2, data, size, &place, raw, at, stays)
        else:
            at = put_staying(4, data, size, &place, raw, at, stays)
        if place == size or at < 0:
            return at
        folds += 1
        if folds > FEW_FOLDS and folds * 8 > place:
            return -1
        start = place
        if place > done:  # the sign before may join what follows
            start -= 1
            at -= bytes_of(<unsigned int>PyUnicode_READ(kind, data, start))
        while place < size:
            sign = <unsigned int>PyUnicode_READ(kind, data, place)
            if sign < <unsigned int>stays.shape[0] and stays[sign]:
                break
            place += 1
        told = text[start:place]
        folded = known.get(told)
        if folded is None:
            folded = known[told] = fold(told).encode("utf-8", "replace")
        piece = folded
        if at < 0 or at + len(piece) > len(raw):
            return -1
        for one in piece:
            room[at] = one
            at += 1
        done = place


cdef inline Py_ssize_t put_staying(
    int kind, const void* data, Py_ssize_t size, Py_ssize_t* place, bytes raw, Py_ssize_t at,
    const unsigned char[::1] stays
) except -2:
    """Write signs as long as they stay; where that ends, or -1 where there is no room."""
    cdef Py_ssize_t here = place[0], last = len(raw), apart = here
    cdef unsigned char* room = <unsigned char*>PyBytes_AS_STRING(raw)
    cdef unsigned int sign
    while here < size:
        if here >= apart:
            while size - here >= AT_ONCE and last - at >= AT_ONCE and are_plain(kind, data, here):
                put_plain(kind, data, here, 1, room, at)
                here += AT_ONCE
                at += AT_ONCE
            apart = here + FEW
            if here == size:
                break
        sign = <unsigned int>PyUnicode_READ(kind, data, here)
        if at + 4 > last:
            return -1
        if sign < 0x80:
            room[at] = <unsigned char>sign
            at += 1
        elif sign >= <unsigned int>stays.shape[0] or not stays[sign]:
            break
        elif sign < 0x800:
            room[at] = <unsigned char>(0xC0 | sign >> 6)
            room[at + 1] = <unsigned char>(0x80 | (sign & 0x3F))
            at += 2
        else:  # what stays is of the first plane
            room[at] = <unsigned char>(0xE0 | sign >> 12)
            room[at + 1] = <unsigned char>(0x80 | (sign >> 6 & 0x3F))
            room[at + 2] = <unsigned char>(0x80 | (sign & 0x3F))
            at += 3
        here += 1
    place[0] = here
    return at
