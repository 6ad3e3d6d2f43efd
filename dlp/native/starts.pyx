# cython: boundscheck=True, wraparound=False, initializedcheck=False, cdivision=True, language_level=3
"""Walk once through a block of text and note where the matches of each rule may begin.

In: tables of detect.identify.starts, UTF-8 bytes, a window.  Out: for each rule that may have
something there its number and the places, in order.

At a run of digits the bytes in it, before it and behind it say which rules may have their first
digit there; such a match begins at the digit, at a byte before it (`others`) or at one of the words
that stand between it and the digit before (`words`). What needs no digit begins at a word of its
own, or near a sign: @ . : and so on (the methods behind `walk`).

Nothing here decides: a place too many costs a question to RE2, whose sets are the twin
(prefilter.py). Tests compare what is found in the end, and that every match begins at a place
named. `hosts` alone matches a pattern itself, as RE2 does.
"""

cimport cython

from dlp.native.columns cimport longer, room_for
from dlp.native.signs cimport lowest

cdef extern from *:
    """
    #pragma GCC optimize ("O3")  /* loops over eight bytes are written out */
    #if defined(__SSE2__)
    #include <emmintrin.h>
    #define DLP_IS(signs, sign) _mm_cmpeq_epi8(signs, _mm_set1_epi8(sign))
    #define DLP_BETWEEN(signs, low, high) _mm_and_si128( \
        _mm_cmpgt_epi8(signs, _mm_set1_epi8(low - 1)), _mm_cmplt_epi8(signs, _mm_set1_epi8(high + 1)))
    #define DLP_BITS(signs, part) (unsigned long long)(unsigned int)_mm_movemask_epi8(signs) << 16 * part
    static inline void DLP_SORT(const unsigned char *raw, Py_ssize_t at, unsigned long long *letters,
                                unsigned long long *digits, unsigned long long *dots,
                                unsigned long long *others, unsigned long long *ats) {
        int part;
        for (part = 0; part < 4; part++) {
            __m128i some = _mm_loadu_si128((const __m128i *)&raw[at + 16 * part]);
            __m128i small = _mm_or_si128(some, _mm_set1_epi8(0x20));
            *letters |= DLP_BITS(DLP_BETWEEN(small, 'a', 'z'), part);
            *digits |= DLP_BITS(DLP_BETWEEN(some, '0', '9'), part);
            *dots |= DLP_BITS(DLP_IS(some, '.'), part);
            *others |= DLP_BITS(_mm_or_si128(DLP_IS(some, '-'), DLP_IS(some, ':')), part);
            *ats |= DLP_BITS(DLP_IS(some, '@'), part);
        }
    }
    #define DLP_AT_ONCE 64
    #else
    #define DLP_SORT(raw, at, letters, digits, dots, others, ats) ((void)0)
    #define DLP_AT_ONCE ((Py_ssize_t)1 << 62)
    #endif
    """
    Py_ssize_t AT_ONCE "DLP_AT_ONCE"  # bytes that are sorted together; too many where none are
    void sort_all "DLP_SORT"(
        const unsigned char *raw, Py_ssize_t at, unsigned long long *letters, unsigned long long *digits,
        unsigned long long *dots, unsigned long long *others, unsigned long long *ats) noexcept

cdef enum:
    SLOTS = 16384
    IN_BYTES = 2048  # as many bits
    GLANCES_IN_BYTES = 8192
    IN_OPENINGS = 4096
    IN_LONGER_OPENINGS = 8192
    RECENT = 256  # words remembered: more than may begin within the furthest reach
    RUNS = 20  # lengths of a run of digits, as beginnings.py has them
    BEHIND = 6
    GAP = 4
    FAR_GAP = 16
    SECOND_RUNS = 10
    LONGEST_WORD = 29
    BY_BYTE = 0  # rows of `sets`: ways that begin at bytes before a digit
    LISTED = 1  # ways whose next word is one of a list
    UNSPELT = 2  # ways that may have any word before their first digit
    EVERYWHERE = 3  # ways whose words need no digit behind them
    NEEDY = 4  # ways that need one of the words in `context`
    FAR = 5  # those of them that may go on for long
    SPELT = 6  # ways in `words` that need a digit
    LATER = 7  # ways that need one of the words in `later` behind their first digit
    DEEP = 8  # ways whose next word behind all digits and signs is one of a list
    LATER_BYTES = 200  # and not further behind it
    BEFORE = 4
    GLANCES = 65536
    WORD = 1
    LETTER = 2
    STREET = 31  # a word, a letter, a digit, a sign or a blank
    DIGIT = 4
    SIGN = 8
    SPACE = 16
    HEX = 32  # for the small and the capital letters
    HOST = 64  # a-z 0-9 - .
    LOCAL = 128  # of an e-mail address, before the @
    BLANK = 32
    VIN = 17
    LONG_NUMBER = 7  # as detect/fold.py has it; a test compares
    LONGEST_LOCAL = 65
    LONGEST_HOST = 256
    PLACES = 1024  # in a block, at first

most_ways = 64 * PARTS
runs = RUNS
behind = BEHIND
before = BEFORE
second_runs = SECOND_RUNS
gap = GAP
far_gap = FAR_GAP
longest_word = LONGEST_WORD
long_number = LONG_NUMBER

cdef unsigned char KIND[256]
cdef unsigned char SMALL[256]
cdef unsigned char OPENING[256]  # letters by their number, and what often stands behind short words
cdef unsigned char ENDS_PATH[256]
cdef unsigned char IS_STOP[256]
for _one in range(256):
    _sign = chr(_one) if _one < 128 else ""
    _alnum = _one < 128 and _sign.isalnum()
    KIND[_one] = (
        WORD * (_alnum or _sign == "_")
        | LETTER * (_alnum and _sign.isalpha())
        | DIGIT * (_alnum and _sign.isdigit())
        | SIGN * (_sign != "" and _sign in "@.:-")
        | SPACE * (_sign != "" and _sign in "\t\n\f\r ")
        | HEX * (_sign != "" and _sign in "0123456789abcdefABCDEF")
        | HOST * (_sign != "" and _sign in "abcdefghijklmnopqrstuvwxyz0123456789-.")
        | LOCAL * (_alnum or (_sign != "" and _sign in "._%+'-"))
    )
    OPENING[_one] = _one & 31 if KIND[_one] & LETTER else {".": 27, "/": 28, "": 29}.get(_sign, 0)
    ENDS_PATH[_one] = _one in b"\t\n\f\r <>\"')]}"
    IS_STOP[_one] = _one in b".,;:!?"
    SMALL[_one] = _one + 32 if 65 <= _one <= 90 else _one


cdef inline void sort_signs(
    const unsigned char *raw, Py_ssize_t place, Py_ssize_t size, unsigned long long *letters,
    unsigned long long *digits, unsigned long long *dots, unsigned long long *others, unsigned long long *ats,
) noexcept:
    """Note with a bit for each of 64 bytes which are letters, digits, full stops, - or :, and @."""
    cdef int one
    cdef unsigned char sign, kind
    cdef unsigned long long bit = 1
    letters[0] = digits[0] = dots[0] = others[0] = ats[0] = 0
    if size - place >= AT_ONCE:
        sort_all(raw, place, letters, digits, dots, others, ats)
        return
    for one in range(64):
        if place + one >= size:
            return
        sign = raw[place + one]
        kind = KIND[sign]
        if kind & LETTER:
            letters[0] |= bit
        elif kind & DIGIT:
            digits[0] |= bit
        elif sign == 64:
            ats[0] |= bit
        elif sign == 46:
            dots[0] |= bit
        elif kind & SIGN:
            others[0] |= bit
        bit <<= 1


cdef inline unsigned long long telling(
    unsigned long long letters, unsigned long long digits, unsigned long long dots, unsigned long long others,
) noexcept:
    """Signs in the midst of something that may mean anything; of the last ones nobody knows.

    A full stop: before a letter of a domain, or five bytes before another. Others: one to five
    bytes before another, as in addresses of machines.
    """
    cdef unsigned long long goes_on = (letters | digits | dots | others) >> 1
    cdef unsigned long long near = others >> 1 | others >> 2 | others >> 3
    near |= others >> 4 | others >> 5
    return (dots & (letters >> 1 | dots >> 5) | others & near) & goes_on | (dots | others) & 0xF8ULL << 56


cdef inline unsigned int opening(unsigned char first, unsigned char second, unsigned char third) noexcept:
    """Three bytes, as far as words differ in them."""
    return (OPENING[first] << 5 | OPENING[second]) << 5 | OPENING[third]


cdef inline unsigned int longer_opening(unsigned int three, unsigned int fourth) noexcept:
    """The same with five bits of one more."""
    return three ^ (fourth & 31u) * 2053u


cdef inline unsigned long long grown(unsigned long long hashed, unsigned char sign) noexcept:
    return hashed * 0x100000001B3ULL + SMALL[sign]


cdef inline void keep(unsigned long long *masks, const unsigned long long *row) noexcept:
    """Leave the ways that stand in a row of a table, which has as many parts as every other."""
    cdef int part
    for part in range(PARTS):
        masks[part] &= row[part]


cdef inline bint any_left(const unsigned long long *masks) noexcept:
    return (masks[0] | masks[1] | masks[2]) != 0  # as many as there are parts


cdef unsigned long long hash_of(bytes word):
    """Two words with one hash cost a question too many, no more."""
    cdef unsigned long long hashed = 0
    cdef unsigned char sign
    for sign in word:
        if sign == 42:  # the word may go on
            return open_end(hashed)
        hashed = grown(hashed, sign)
    return hashed


cdef inline unsigned long long open_end(unsigned long long hashed) noexcept:
    return hashed ^ 0x9E3779B97F4A7C15ULL


cdef inline unsigned int glance(unsigned char first, unsigned char second, unsigned char last, Py_ssize_t size) noexcept:
    return ((first & 31u) << 11 ^ (second & 31u) << 6 ^ (last & 31u) << 3 ^ <unsigned int>size * 5003u) % GLANCES


cdef inline unsigned int slot_of(unsigned long long hashed) noexcept:
    return <unsigned int>((hashed ^ hashed >> 29) % SLOTS)


cdef const unsigned char[::1] NOTHING = b""


cdef class Walk:
    cdef int read_block(self, const unsigned char[::1] raw, Py_ssize_t start, Py_ssize_t end) except -1:
        """Leave in `places` where matches may begin from `start` on and before `end`."""
        raise NotImplementedError

    cdef Py_ssize_t end_of_host(self, const unsigned char[::1] raw, Py_ssize_t place, Py_ssize_t limit) except -2:
        """Where the pattern of hosts ends that matches at a place; -1: it does not."""
        raise NotImplementedError


@cython.final
cdef class Starts(Walk):
    cdef const unsigned char[::1] classes, classes_twice  # of bytes that all ways take alike
    cdef const unsigned char[::1] signs  # numbers of the signs between two runs; 0: another byte
    cdef const unsigned long long[:, :, :, ::1] following  # run, distance, class
    cdef const unsigned long long[:, :, :, ::1] lengths  # run, sign, second run
    cdef const unsigned long long[:, :, :, ::1] behind_second  # sign, second run, class
    cdef const unsigned long long[:, :, ::1] earlier  # distance, byte
    cdef const unsigned long long[:, ::1] first, second  # digits by byte
    cdef const unsigned long long[:, :, ::1] digits, others  # in a word, byte: ways that begin so
    cdef const unsigned long long[:, ::1] words, after, inner, later  # by number of the word
    cdef const unsigned long long[:, ::1] context  # by number of the word: ways it may speak for
    cdef bytearray speaks  # by number of the word: whether there are any
    cdef const unsigned long long[:, :, ::1] next_bytes  # number of the word, distance
    cdef const unsigned long long[:, ::1] sets  # rows as named above
    cdef const long long[::1] reach, rule_of
    cdef unsigned long long keys[SLOTS]
    cdef int numbers[SLOTS]  # of words, and one more; 0: none
    # a bit for each slot that is taken, and for what a glance at a word tells: these stay in reach
    cdef unsigned char known[IN_BYTES]
    cdef unsigned char glances[GLANCES_IN_BYTES]
    cdef unsigned char speaking[GLANCES_IN_BYTES]  # the same for words in `context` alone,
    cdef unsigned char following_later[GLANCES_IN_BYTES]  # and for those in `later`
    cdef int high[2]  # numbers of "words" for letters beyond ASCII, behind others and in a word
    cdef int many_signs
    cdef int email, vin, ip, mac, street
    cdef Py_ssize_t furthest, lead, ahead, far_ahead  # the latter: where words are listened for
    # of the walk that is under way, beside what it leaves
    cdef bint done, cut  # nothing more begins in the block; it ends within a word
    cdef Py_ssize_t digits_end, loose_at  # behind the last digits, and the last word of a loose way
    cdef const unsigned char[::1] raw
    cdef const unsigned char *data  # its bytes, of which `at` reads those below its size
    cdef Py_ssize_t start, end, size
    cdef Py_ssize_t last[64 * PARTS]  # place noted for a rule; -1: none yet
    cdef Py_ssize_t heard_from, heard_to  # what was listened to,
    cdef Py_ssize_t heard_many
    cdef Py_ssize_t heard_at[RECENT]  # the words in `context` that begin there,
    cdef int heard[RECENT]  # and their numbers
    cdef Py_ssize_t noted_at[RECENT]  # words before a digit that a match may begin with
    cdef unsigned long long noted[RECENT][PARTS]
    cdef unsigned char openings[IN_OPENINGS]  # a bit for the first three bytes of words listened for,
    cdef unsigned char longer_openings[IN_LONGER_OPENINGS]  # and for four
    cdef unsigned long long loose[PARTS]  # ways in `words` that may have any word before their digit
    cdef bint within[256]  # whether any way may begin at a byte within digits
    cdef bint knows_loose  # all of which begin with words in `openings`
    cdef unsigned long long reaching[RECENT][PARTS]  # by characters: ways that reach so far

    def __init__(self, tables not None, list words not None, dict special not None, int rules):
        """`words`: in the order of tables.words; a star at the end means that a word may go on."""
        cdef Py_ssize_t number
        cdef unsigned int slot
        cdef unsigned long long hashed
        cdef bytes word
        self.classes, self.classes_twice = tables.classes, tables.classes_twice
        self.signs = tables.signs
        self.many_signs = max(tables.signs)
        self.following, self.earlier = tables.following, tables.earlier
        self.lengths, self.behind_second = tables.lengths, tables.behind_second
        self.first, self.second = tables.first, tables.second
        self.digits, self.others = tables.digits, tables.others
        self.words, self.after, self.inner = tables.words, tables.after, tables.inner
        self.later = tables.later
        self.next_bytes, self.context = tables.next_bytes, tables.context
        self.speaks = bytearray(tables.context.any(axis=1))
        self.lead, self.ahead, self.far_ahead = tables.hearing
        self.sets = tables.sets
        self.places, self.behind = room_for(PLACES), room_for(PLACES)
        self.reach, self.rule_of = tables.reach, tables.rules
        self.rules = rules
        self.furthest = max(list(tables.reach) + [0])
        if rules > 64 * PARTS or len(tables.rules) > 64 * PARTS or len(words) * 2 > SLOTS:
            raise ValueError("too many rules")
        if self.furthest > RECENT - 2:
            raise ValueError("a rule reaches too far")
        for masks in (tables.following, tables.lengths, tables.behind_second, tables.earlier, tables.first, tables.second):
            if masks.shape[-1] != PARTS:
                raise ValueError("tables of another size")
        for number in range(2):
            self.high[number] = tables.high[number]
        for number in range(SLOTS):
            self.numbers[number] = 0
            self.known[number // 8] = 0
        for number in range(GLANCES_IN_BYTES):
            self.glances[number] = self.speaking[number] = self.following_later[number] = 0
        for number in range(IN_OPENINGS):
            self.openings[number] = 0
        for number in range(IN_LONGER_OPENINGS):
            self.longer_openings[number] = 0
        for number in range(256):
            self.within[number] = bool(any(tables.digits[1, number]))
        self.loosen(words)
        for number in range(len(words)):
            word = words[number]
            hashed = hash_of(word)
            slot = slot_of(hashed)
            self.known[slot // 8] |= 1 << slot % 8
            while self.numbers[slot]:
                slot = (slot + 1) % SLOTS
            self.keys[slot] = hashed
            self.numbers[slot] = <int>number + 1
            slot = glance(word[0], word[len(word) > 1], word[len(word) - 1], len(word))
            self.glances[slot // 8] |= 1 << slot % 8
            if self.speaks[number]:
                self.speaking[slot // 8] |= 1 << slot % 8
            if any(self.later[number]):
                self.following_later[slot // 8] |= 1 << slot % 8
            if self.is_in(self.words[number], EVERYWHERE) or self.is_loose(number):
                self.open_with(word, number)
        self.email, self.host = special.get("email", -1), special.get("host", -1)
        self.vin, self.ip = special.get("vin", -1), special.get("ip", -1)
        self.mac, self.street = special.get("mac", -1), special.get("street", -1)

    cdef bint is_in(self, const unsigned long long[::1] ways, int which) except -1:
        cdef int part
        for part in range(PARTS):
            if ways[part] & self.sets[which, part]:
                return True
        return False

    cdef int loosen(self, list words) except -1:
        """Note which ways are loose, and how far each of all ways reaches."""
        cdef Py_ssize_t number
        cdef int part
        for part in range(PARTS):
            self.loose[part] = self.sets[SPELT, part] & self.sets[UNSPELT, part]
        for number in range(RECENT * PARTS):
            self.reaching[number // PARTS][number % PARTS] = 0
        for number in range(RECENT * len(self.rule_of)):
            part = <int>(number // RECENT)
            if number % RECENT <= self.reach[part]:
                self.reaching[number % RECENT][part // 64] |= <unsigned long long>1 << part % 64
        self.knows_loose = True
        for part in range(2):
            if self.high[part] >= 0 and self.is_loose(self.high[part]):
                self.knows_loose = False
        return 0

    cdef bint is_loose(self, Py_ssize_t number) except -1:
        cdef int part
        for part in range(PARTS):
            if self.words[number, part] & self.loose[part]:
                return True
        return False

    cdef int open_with(self, bytes word, Py_ssize_t number) except -1:
        """Note the first three bytes of a word and four; behind a short one, those that may stand there."""
        cdef Py_ssize_t letters = len(word) - (word[len(word) - 1] == 42)
        cdef unsigned int slot, longer_slot, second, third, fourth, seconds = 0, thirds
        cdef unsigned int from_second = 0 if letters < 2 else <unsigned char>word[1]
        cdef unsigned int from_third = 0 if letters < 3 else <unsigned char>word[2]
        cdef unsigned int from_fourth = 0 if letters < 4 else word[3] & 31u
        for second in range(from_second, 256 if letters < 2 else from_second + 1):
            if letters < 2 and letters == len(word) and not self.may_follow(number, second):
                continue
            if seconds >> OPENING[second] & 1:
                continue  # one that differs in nothing was there before
            seconds |= 1u << OPENING[second]
            thirds = 0
            for third in range(from_third, 256 if letters < 3 else from_third + 1):
                if thirds >> OPENING[third] & 1:
                    continue
                thirds |= 1u << OPENING[third]
                slot = opening(word[0], <unsigned char>second, <unsigned char>third)
                self.openings[slot // 8] |= 1 << slot % 8
                for fourth in range(from_fourth, 32 if letters < 4 else from_fourth + 1):
                    longer_slot = longer_opening(slot, fourth)
                    self.longer_openings[longer_slot // 8] |= 1 << longer_slot % 8
        return 0

    cdef bint may_follow(self, Py_ssize_t number, unsigned int sign) except -1:
        """Whether a byte may stand behind a word; a loose way has said nothing of it."""
        return self.is_loose(number) or self.next_bytes[number, 0, sign // 64] >> sign % 64 & 1

    cdef inline unsigned char at(self, Py_ssize_t place) noexcept:
        """A blank beyond either end: nothing a pattern needs may stand there."""
        return self.data[place] if 0 <= place < self.size else BLANK

    cdef int take(self, const unsigned char[::1] raw, Py_ssize_t size) except -1:
        """Read from now on this text, as far as its first bytes."""
        if not 0 <= size <= len(raw):
            raise IndexError("take")
        self.raw, self.size = raw, size
        self.data = &raw[0] if size > 0 else NULL
        return 0

    cdef int note(self, Py_ssize_t rule, Py_ssize_t place) except -1:
        if place < self.start or place >= self.end or rule < 0 or place <= self.last[rule]:
            return 0
        if self.many == len(self.places):
            self.places, self.behind = longer(self.places), longer(self.behind)
        if self.last[rule] < 0:
            self.asked[rule // 64] |= <unsigned long long>1 << rule % 64
            self.opening_of[rule] = self.many
        else:
            self.behind[self.latest_of[rule]] = self.many
        self.places[self.many], self.behind[self.many] = place, -1
        self.latest_of[rule] = self.many
        self.last[rule] = place
        self.many += 1
        return 0

    cdef int note_all(self, unsigned long long bits, int part, Py_ssize_t place) except -1:
        cdef int way = 64 * part
        while bits:
            if not bits & 0xFFFF:
                bits >>= 16
                way += 16
                continue
            if bits & 1:
                self.note(self.rule_of[way], place)
            bits >>= 1
            way += 1
        return 0

    cdef int note_within(self, unsigned long long bits, int part, Py_ssize_t one, Py_ssize_t place) except -1:
        """Note the ways that reach so far from their beginning to their first digit."""
        cdef int way = 64 * part
        while bits:
            if bits & 1 and place - one <= self.reach[way]:
                self.note(self.rule_of[way], one)
            bits >>= 1
            way += 1
        return 0

    cdef inline int number_of(self, unsigned long long hashed) noexcept:
        cdef unsigned int slot = slot_of(hashed)
        if not self.known[slot // 8] >> slot % 8 & 1:
            return -1
        while self.numbers[slot]:
            if self.keys[slot] == hashed:
                return self.numbers[slot] - 1
            slot = (slot + 1) % SLOTS
        return -1

    cdef inline int word_at(self, Py_ssize_t place, Py_ssize_t after, const unsigned char *glances) except -2:
        """The number of the word that stands here; -1: one that nobody knows, or not at these glances."""
        cdef unsigned int slot = glance(
            self.at(place), self.at(place + (after - place > 1)), self.at(after - 1), after - place)
        if not glances[slot // 8] >> slot % 8 & 1:
            return -1
        return self.word_like(place, after)

    cdef int word_like(self, Py_ssize_t place, Py_ssize_t after) except -2:
        cdef unsigned long long hashed = 0
        while place < after:
            hashed = grown(hashed, self.at(place))
            place += 1
        return self.number_of(hashed)

    def walk(self, const unsigned char[::1] raw not None, Py_ssize_t start, Py_ssize_t end):
        """Matches that begin from `start` on and before `end`; what they hold may stand behind it."""
        cdef Py_ssize_t number
        cdef int rule
        cdef list named = []
        self.read_block(raw, start, end)
        for rule in range(self.rules):
            if self.last[rule] >= 0:
                places, number = [], self.opening_of[rule]
                while number >= 0:
                    places.append(self.places[number])
                    number = self.behind[number]
                named.append((rule, places))
        return named

    cdef int read_block(self, const unsigned char[::1] raw, Py_ssize_t start, Py_ssize_t end) except -1:
        cdef Py_ssize_t place, stop, first = start // 64 * 64, size = len(raw), rule
        cdef unsigned long long words, letters = 0, digits = 0, dots = 0, others = 0, figures = 0
        cdef unsigned long long in_word, in_digits = 0  # one, where the byte before is a digit
        cdef unsigned int slot
        cdef const unsigned char *data
        if not 0 <= start <= end <= size:
            raise IndexError("walk")
        self.take(raw, size)
        self.start, self.end, data = start, end, self.data
        self.digits_end, self.loose_at, self.mixed, self.done = start, -1, False, False
        self.many = self.heard_many = 0
        self.heard_from, self.heard_to = size, 0
        for rule in range(PARTS):
            self.asked[rule] = 0
        for rule in range(self.rules):
            self.last[rule] = -1
        stop = min(size, end + max(4 * self.furthest, <Py_ssize_t>LONGEST_HOST) + 8)
        self.cut = not KIND[self.at(end - 1)] & SPACE
        in_word = 1 if KIND[self.at(first - 1)] & LETTER else 0
        while first < stop and not self.done:
            sort_signs(data, first, size, &letters, &digits, &dots, &others, &figures)
            if first < start:  # of digits that begin before the window, those in it count
                digits &= ~<unsigned long long>0 << (start - first)
            words = letters & ~(letters << 1 | in_word)
            figures |= digits & ~(digits << 1 | in_digits) | telling(letters, digits, dots, others)
            in_word, in_digits = letters >> 63, digits >> 63
            while words:  # the first letters of some
                place = first + lowest(words)
                words &= words - 1
                if place + 2 < size:
                    slot = opening(data[place], data[place + 1], data[place + 2])
                else:
                    slot = opening(data[place], self.at(place + 1), self.at(place + 2))
                if self.openings[slot // 8] >> slot % 8 & 1:
                    slot = longer_opening(slot, self.at(place + 3))
                    if self.longer_openings[slot // 8] >> slot % 8 & 1 and start <= place < end:
                        self.begin_at_word(place)
            while figures:
                place = first + lowest(figures)
                figures &= figures - 1
                if self.digits_end <= place < stop and not self.done:
                    self.at_figure(place)
            first += 64
        self.take(NOTHING, 0)  # nobody keeps a text longer than it is read
        return 0

    cdef int at_figure(self, Py_ssize_t place) except -1:
        """A digit or a sign."""
        cdef unsigned char sign = self.at(place), kind = KIND[sign]
        cdef Py_ssize_t after
        if kind & DIGIT:
            after = place + 1
            while KIND[self.at(after)] & DIGIT:
                after += 1
            self.run(place, after, self.digits_end)
            self.mixed = self.mixed or goes_on_mixed(self.raw, place, after)
            self.digits_end = after
            # behind a blank no match goes on beyond its first digit
            self.done = after > self.end and not self.cut
        elif kind & SIGN:
            if place < self.end or self.cut or (place == self.end and sign == 64):
                self.near_sign(sign, place)
        return 0

    cdef int begin_at_word(self, Py_ssize_t first) except -1:
        """The word that begins at this letter, if it is one that is listened for everywhere."""
        cdef Py_ssize_t after = first + 1
        cdef unsigned long long free
        cdef unsigned char one, two
        cdef int part, number
        if KIND[self.at(first - 1)] & WORD:
            return 0
        while KIND[self.at(after)] & LETTER:
            after += 1
        number = self.word_at(first, after, self.glances)
        if number < 0:
            return 0
        one, two = self.at(after), self.at(after + 1)
        for part in range(PARTS):
            if self.words[number, part] & self.loose[part]:
                self.loose_at = first
            free = self.words[number, part] & self.sets[EVERYWHERE, part]
            if free and self.next_bytes[number, 0, one // 64] >> one % 64 & 1:
                if self.next_bytes[number, 1, two // 64] >> two % 64 & 1:
                    self.note_all(free, part, first)
        return 0

    cdef Py_ssize_t words_before(self, Py_ssize_t place, Py_ssize_t digits_end, unsigned long long[PARTS] masks,
                                 unsigned long long[PARTS] begun) except -1:
        """Remember words between the digits before and this one that a match may begin with, the last first.

        Read backwards: what a match may not have between its beginning and its digit ends it. How
        many there are is said, the ways they begin are added to `begun`.
        """
        cdef unsigned long long alive[PARTS]
        cdef unsigned long long some = 0, spelt = 0
        cdef Py_ssize_t one = place - 1, first, many = 0, characters = 0, floor = max(self.start, digits_end)
        cdef int part, number
        for part in range(PARTS):
            alive[part] = masks[part] & self.sets[SPELT, part]
            some |= alive[part]
        while some and one >= floor and characters <= self.furthest and many < RECENT:
            if KIND[self.at(one)] & LETTER:
                first = one
                while first > floor and KIND[self.at(first - 1)] & LETTER:
                    first -= 1
                characters += one + 1 - first
                if characters > self.furthest:
                    break
                number = self.word_at(first, one + 1, self.glances)
                if number >= 0 and not KIND[self.at(first - 1)] & WORD:
                    many += self.may_begin(first, characters, number, alive, many)
                if place - one > 2:
                    some = spelt = 0
                    for part in range(PARTS):
                        alive[part] &= self.sets[UNSPELT, part] | (self.inner[number, part] if number >= 0 else 0)
                        alive[part] &= self.reaching[characters][part]
                        some |= alive[part]
                        spelt |= alive[part] & ~self.loose[part]
                    if not spelt and self.loose_at < floor and self.knows_loose:
                        break  # none of the others' first words stands before it
                one = first - 1
                continue
            if self.at(one) < 0x80 or self.at(one) >= 0xC0:
                characters += 1
            if self.at(one) >= 0xC0:
                number = self.high[1 if KIND[self.at(one - 1)] & WORD else 0]
                if number >= 0:
                    many += self.may_begin(one, characters, number, alive, many)
            one -= 1
        for first in range(many):
            for part in range(PARTS):
                begun[part] |= self.noted[first][part]
        return many

    cdef int may_begin(self, Py_ssize_t place, Py_ssize_t characters, int number, unsigned long long[PARTS] alive,
                       Py_ssize_t many) except -1:
        """Note the ways that begin with this word and reach so far; 1 if there are any."""
        cdef unsigned long long some = 0
        cdef int part
        if characters > self.furthest:
            return 0
        for part in range(PARTS):
            self.noted[many][part] = alive[part] & self.words[number, part] & self.reaching[characters][part]
            some |= self.noted[many][part]
        self.noted_at[many] = place
        return 1 if some else 0

    cdef int hear(self, Py_ssize_t place, Py_ssize_t after, unsigned long long[PARTS] masks) except -1:
        """Leave out the ways that need a word near them, where none is."""
        cdef unsigned long long heard[PARTS]
        cdef unsigned long long needy = 0, far = 0
        cdef Py_ssize_t first = max(<Py_ssize_t>0, place - self.lead), stop, one
        cdef int part
        for part in range(PARTS):
            heard[part] = 0
            needy |= masks[part] & self.sets[NEEDY, part]
            far |= masks[part] & self.sets[FAR, part]
        if not needy:
            return 0
        stop = min(self.size, after + (self.far_ahead if far else self.ahead))
        self.listen(first, stop)
        one = self.heard_many - 1
        while one >= 0 and self.heard_at[one] >= first:
            if self.heard_at[one] < place or after <= self.heard_at[one] < stop:
                for part in range(PARTS):
                    heard[part] |= self.context[self.heard[one], part]
            one -= 1
        for part in range(PARTS):
            masks[part] &= heard[part] | ~self.sets[NEEDY, part]
        return 0

    cdef int look_ahead(self, Py_ssize_t place, unsigned long long[PARTS] masks) except -1:
        """Leave out the ways that need a word later, where none follows in the same line of words.

        It is one of the next four, or of the next nine where no long one is in small letters.
        """
        cdef unsigned long long found[PARTS]
        cdef unsigned long long some = 0
        cdef Py_ssize_t after, stop = min(self.size, place + LATER_BYTES)
        cdef int part, number, words = 0, most = 9
        for part in range(PARTS):
            found[part] = 0
            some |= masks[part] & self.sets[LATER, part]
        while some and place < stop and (KIND[self.at(place)] & STREET or is_in_names(self.at(place))):
            if not KIND[self.at(place)] & LETTER:
                if KIND[self.at(place)] & SPACE and not KIND[self.at(place + 1)] & SPACE:
                    words += 1
                    if words > most:
                        break
                place += 1
                continue
            after = place + 1
            while KIND[self.at(after)] & LETTER:
                after += 1
            if self.at(place) >= 97 and after - place > 5:
                most = 4
                if words > most:
                    break
            number = self.word_at(place, after, self.following_later)
            if number >= 0:
                some = 0
                for part in range(PARTS):
                    found[part] |= self.later[number, part]
                    some |= masks[part] & self.sets[LATER, part] & ~found[part]
            place = after
        if place >= stop and stop < self.size:
            return 0  # names may be of any length: RE2 looks itself
        for part in range(PARTS):
            masks[part] &= found[part] | ~self.sets[LATER, part]
        return 0

    cdef int listen(self, Py_ssize_t first, Py_ssize_t stop) except -1:
        """Note the words in `context` that begin between two places, each once for all digits near it."""
        cdef Py_ssize_t place = self.heard_to, after
        cdef int number
        if not self.heard_from <= first <= place:
            self.heard_many, self.heard_from, place = 0, first, first
            while 0 < place < stop and KIND[self.at(place - 1)] & LETTER and KIND[self.at(place)] & LETTER:
                place += 1  # of a word that begins before
        while place < stop:
            if not KIND[self.at(place)] & LETTER:
                place += 1
                continue
            after = place + 1
            while KIND[self.at(after)] & LETTER:
                after += 1
            number = self.word_at(place, after, self.speaking)
            if number >= 0 and self.speaks[number]:
                if self.heard_many == RECENT:
                    self.forget_half()
                self.heard_at[self.heard_many], self.heard[self.heard_many] = place, number
                self.heard_many += 1
            place = after
        self.heard_to = place
        return 0

    cdef int forget_half(self) except -1:
        cdef Py_ssize_t one
        self.heard_many = RECENT // 2
        for one in range(RECENT // 2):
            self.heard_at[one], self.heard[one] = self.heard_at[one + RECENT // 2], self.heard[one + RECENT // 2]
        self.heard_from = self.heard_at[0]
        return 0

    cdef int near_vin(self, Py_ssize_t place, Py_ssize_t after) except -1:
        """A word of this length with a digit in it; without one it is none."""
        cdef Py_ssize_t first = place
        while first > 0 and place - first <= VIN and KIND[self.at(first - 1)] & WORD:
            first -= 1
        while after < self.size and after - first <= VIN and KIND[self.at(after)] & WORD:
            after += 1
        if after - first == VIN:
            self.note(self.vin, first)
        return 0

    def hosts(self, const unsigned char[::1] raw not None, list places not None, Py_ssize_t start, Py_ssize_t limit):
        """What the pattern of hosts matches at these places, from `start` on: the spans."""
        cdef Py_ssize_t place, end
        cdef list found = []
        if not 0 <= start <= limit <= len(raw):
            raise IndexError("hosts")
        for place in places:
            if place >= start:
                end = self.end_of_host(raw, place, limit)
                if end >= 0:
                    found.append((place, end))
                    start = end
        return found

    cdef Py_ssize_t end_of_host(self, const unsigned char[::1] raw, Py_ssize_t place, Py_ssize_t limit) except -2:
        cdef Py_ssize_t end
        self.take(raw, limit)
        end = self.host_end(place)
        self.take(NOTHING, 0)
        return end

    cdef Py_ssize_t host_end(self, Py_ssize_t place) except -2:
        """Up to four labels, the more the better, and a domain behind them."""
        cdef Py_ssize_t ends[4]
        cdef Py_ssize_t one = place, first, end
        cdef int many = 0
        while many < 4:
            first = one
            if not KIND[self.at(one)] & HOST or not KIND[self.at(one)] & WORD:
                break
            while one < self.size and KIND[self.at(one)] & HOST and self.at(one) != 46:
                one += 1
            if not 2 <= one - first <= 63 or self.at(one) != 46:
                break
            one += 1
            ends[many] = one
            many += 1
        while many:
            many -= 1
            end = self.domain_end(ends[many])
            if end >= 0:
                return self.path_end(end)
        return -1

    cdef Py_ssize_t domain_end(self, Py_ssize_t place) except -2:
        cdef unsigned char third = self.at(place + 2)
        cdef Py_ssize_t end
        if not is_domain(self, place):
            return -1
        if third == c"." and self.at(place) == c"c" and self.at(place + 1) == c"o":
            end = place + 5  # co.uk
        elif self.at(place + 1) == c"h":
            end = place + 6  # nhs.uk
        elif self.at(place) == c"i":
            end = place + 4
            if self.at(place + 3) != c"o":
                return -1
        elif self.at(place + 1) == c"l" or self.at(place + 1) == c"a":
            end = place + 2  # nl, ca
        else:
            end = place + 3
        if end > place + 4 and (self.at(end - 3) != 46 or self.at(end - 2) != c"u" or self.at(end - 1) != c"k"):
            return -1
        return end if end <= self.size else -1

    cdef Py_ssize_t path_end(self, Py_ssize_t place) except -1:
        """A path behind the domain, without the stops behind it; of a character all bytes or none."""
        cdef Py_ssize_t one = place + 1, end = place
        cdef unsigned char sign
        if self.at(place) != 47:
            return place
        while one < self.size:
            sign = self.at(one)
            if ENDS_PATH[sign]:
                break
            one += 1
            if not IS_STOP[sign]:
                end = one
        if end == self.size:
            end = whole_characters(self.raw, place, end)
        return end

    cdef int run(self, Py_ssize_t place, Py_ssize_t after, Py_ssize_t digits_end) except -1:
        """A run of digits: which ways may have their first one here, and where they begin."""
        cdef unsigned long long masks[PARTS]
        cdef Py_ssize_t inner
        cdef unsigned char previous = self.at(place - 1)
        cdef int part, in_word = 1 if KIND[previous] & WORD else 0
        cdef bint whole = not KIND[previous] & DIGIT
        if whole:
            if self.street >= 0 and KIND[previous] & SPACE:
                self.near_street(place)
            if self.vin >= 0 and (in_word or KIND[self.at(after)] & WORD or after - place == VIN):
                self.near_vin(place, after)
            for part in range(PARTS):
                masks[part] = ~<unsigned long long>0
            self.fit(place, after, masks)
            if any_left(masks):
                self.begin_near(place, after, digits_end, in_word, masks)
        for inner in range(place + whole, after):
            if self.within[self.at(inner)]:
                for part in range(PARTS):
                    masks[part] = self.digits[1, self.at(inner), part]
                self.fit(inner, after, masks)
                self.hear(inner, after, masks)
                for part in range(PARTS):
                    if masks[part]:
                        self.note_all(masks[part], part, inner)
        return 0

    cdef int begin_near(self, Py_ssize_t place, Py_ssize_t after, Py_ssize_t digits_end, int in_word,
                        unsigned long long[PARTS] masks) except -1:
        """Note where ways begin that may have their first digit here: before it, and behind that here.

        What stands far from it is read for those alone that have a beginning.
        """
        cdef unsigned long long here[PARTS]
        cdef unsigned long long begun[PARTS]
        cdef Py_ssize_t many
        cdef int part
        cdef unsigned long long listed = 0, deep = 0
        for part in range(PARTS):
            here[part] = masks[part] & self.digits[in_word, self.at(place), part]
            listed |= here[part] & self.sets[LISTED, part]
            deep |= here[part] & self.sets[DEEP, part]
        if listed:
            self.with_word(after, False, here)
        if deep:
            self.with_word(after, True, here)
        for part in range(PARTS):
            begun[part] = here[part] | masks[part] & self.sets[BY_BYTE, part]
        many = self.words_before(place, digits_end, masks, begun)
        if not any_left(begun):
            return 0
        self.look_ahead(after, begun)
        self.hear(place, after, begun)
        while many:
            many -= 1
            if self.noted_at[many] < self.end:
                for part in range(PARTS):
                    self.note_all(self.noted[many][part] & begun[part], part, self.noted_at[many])
        for part in range(PARTS):
            if masks[part] & begun[part] & self.sets[BY_BYTE, part]:
                self.before_digit(begun[part] & self.sets[BY_BYTE, part], part, digits_end, place)
        for part in range(PARTS):
            self.note_all(here[part] & begun[part], part, place)
        return 0

    cdef int fit(self, Py_ssize_t place, Py_ssize_t after, unsigned long long[PARTS] masks) except -1:
        """Leave the ways whose first digit may stand here, in a run that ends there."""
        cdef unsigned long long left[PARTS]
        cdef Py_ssize_t size = min(after - place, <Py_ssize_t>RUNS), second_end, second_size
        cdef int part, distance, sign = self.signs[self.at(after)]
        for part in range(PARTS):
            left[part] = masks[part] & self.first[self.at(place), part]
        if size > 1:
            keep(left, &self.second[self.at(place + 1), 0])
        for distance in range(BEFORE):
            keep(left, &self.earlier[distance, self.at(place - 1 - distance), 0])
        for distance in range(BEHIND):
            if not any_left(left):
                break  # the tables are large, and seldom in the cache
            keep(left, &self.following[size - 1, distance, self.classes[self.at(after + distance)], 0])
        if sign and KIND[self.at(after + 1)] & DIGIT and any_left(left):
            second_end = after + 2
            while second_end < after + 1 + SECOND_RUNS and KIND[self.at(second_end)] & DIGIT:
                second_end += 1
            second_size = second_end - after - 1
            keep(left, &self.lengths[size - 1, sign - 1, second_size - 1, 0])
            if second_size < SECOND_RUNS:
                distance = self.classes_twice[self.at(second_end)]
                keep(left, &self.behind_second[sign - 1, second_size - 1, distance, 0])
                distance = self.classes_twice[self.at(second_end + 1)]
                keep(left, &self.behind_second[self.many_signs + sign - 1, second_size - 1, distance, 0])
        for part in range(PARTS):
            masks[part] = left[part]
        return 0

    cdef int with_word(self, Py_ssize_t place, bint deep, unsigned long long[PARTS] masks) except -1:
        """Of the ways whose next word is listed, leave those that may go on with the word behind these digits.

        All of them, where none is near; `deep`: those whose next word stands behind all digits and signs.
        """
        cdef unsigned long long found[PARTS]
        cdef Py_ssize_t stop = place + (FAR_GAP if deep else GAP)
        cdef unsigned long long hashed = 0
        cdef int part, number, listed = DEEP if deep else LISTED
        cdef unsigned char ends = LETTER if deep else LETTER | DIGIT
        while place < stop and not KIND[self.at(place)] & ends and self.at(place) < 0x80:
            place += 1
        if not KIND[self.at(place)] & LETTER:
            return 0
        stop = place + LONGEST_WORD
        for part in range(PARTS):
            found[part] = ~self.sets[listed, part]
        while place < stop and KIND[self.at(place)] & LETTER:
            hashed = grown(hashed, self.at(place))
            self.add_after(self.number_of(open_end(hashed)), found)
            place += 1
        self.add_after(self.number_of(hashed), found)
        keep(masks, found)
        return 0

    cdef inline int add_after(self, int number, unsigned long long[PARTS] found) except -1:
        cdef int part
        if number >= 0:
            for part in range(PARTS):
                found[part] |= self.after[number, part]
        return 0

    cdef int before_digit(self, unsigned long long mask, int part, Py_ssize_t digits_end, Py_ssize_t place) except -1:
        """Bytes between the digits before and this one that a match may begin with."""
        cdef Py_ssize_t one, floor
        cdef unsigned long long left, bits = mask
        cdef int way = 64 * part, word
        cdef Py_ssize_t furthest = 0
        while bits:
            if bits & 1:
                furthest = max(furthest, <Py_ssize_t>self.reach[way])
            bits >>= 1
            way += 1
        floor = max(self.start, max(digits_end, place - furthest))
        for one in range(floor, min(place, self.end)):
            word = 1 if KIND[self.at(one - 1)] & WORD else 0
            left = mask & self.others[word, self.at(one), part]
            if left:
                self.note_within(left, part, one, place)
        return 0

    cdef int near_sign(self, unsigned char sign, Py_ssize_t place) except -1:
        if sign == 64:
            if self.email >= 0:
                self.before_at(place)
            return 0
        if sign == 46 and self.host >= 0 and is_domain(self, place + 1):
            self.before_dot(place)
        if self.mac >= 0:
            self.mac_around(sign, place)
        if sign == 58 and self.ip >= 0:
            self.ip_around(place)
        return 0

    cdef int before_at(self, Py_ssize_t place) except -1:
        """name@: every place in the name where a word begins or ends."""
        cdef Py_ssize_t one, last = place
        if KIND[self.at(last - 1)] & SPACE:
            last -= 1
        one = last
        while one > 0 and last - one < LONGEST_LOCAL and KIND[self.at(one - 1)] & LOCAL:
            one -= 1
        while one < last:
            if not KIND[self.at(one - 1)] & WORD and KIND[self.at(one)] & (LETTER | DIGIT):
                self.note(self.email, one)
            one += 1
        return 0

    cdef int before_dot(self, Py_ssize_t place) except -1:
        """host.com: every place in the host where a word begins."""
        cdef Py_ssize_t one = place
        while one > 0 and place - one < LONGEST_HOST and KIND[self.at(one - 1)] & HOST:
            one -= 1
        while one < place:
            if not KIND[self.at(one - 1)] & WORD and KIND[self.at(one)] & WORD:
                self.note(self.host, one)
            one += 1
        return 0

    cdef Py_ssize_t hex_end(self, Py_ssize_t place, Py_ssize_t most) except -1:
        cdef Py_ssize_t one = place
        while one < place + most and one < self.size and KIND[self.at(one)] & HEX:
            one += 1
        return one

    cdef int mac_around(self, unsigned char sign, Py_ssize_t place) except -1:
        """Two digits between each two of these signs, or four between full stops."""
        cdef Py_ssize_t size = 4 if sign == 46 else 2
        if self.at(place + 1 + size) != sign:
            return 0
        if place < size or self.hex_end(place - size, size) != place or KIND[self.at(place - size - 1)] & WORD:
            return 0
        if self.hex_end(place + 1, size) != place + 1 + size:
            return 0
        if size == 2 and (self.hex_end(place + 4, 2) != place + 6 or self.at(place + 6) != sign):
            return 0
        return self.note(self.mac, place - size)

    cdef int ip_around(self, Py_ssize_t place) except -1:
        """Up to four digits, a colon, up to four more or none, a colon."""
        cdef Py_ssize_t one = place
        while one > 0 and place - one < 5 and KIND[self.at(one - 1)] & HEX:
            one -= 1
        if one == place or place - one > 4 or KIND[self.at(one - 1)] & WORD:
            return 0
        if self.at(self.hex_end(place + 1, 4)) == 58:
            self.note(self.ip, one)
        return 0

    cdef int near_street(self, Py_ssize_t place) except -1:
        """The word before a number, if it ends as streets do: places where its name may begin."""
        cdef Py_ssize_t one, last = place - 1
        cdef unsigned char sign
        if KIND[self.at(last - 1)] & SPACE:
            last -= 1
        if not ends_as_street(self, last):
            return 0
        one = last
        while one > 0 and last - one < 4 * 40 and not KIND[self.at(one - 1)] & SPACE:
            one -= 1
        while one < last:
            sign = self.at(one)
            if 65 <= sign <= 90 or sign >= 0xC0:
                self.note(self.street, one)
            one += 1
        return 0


cdef bint goes_on_mixed(const unsigned char[::1] raw, Py_ssize_t first, Py_ssize_t after) except -1:
    """Whether a letter that looks like a digit stands behind digits, in a number long enough for it."""
    cdef Py_ssize_t size = len(raw)
    while after < size and raw[after] == 45:
        after += 1
    if after >= size or not looks_like_digit(raw[after]):
        return False
    while first > 0 and after - first < LONG_NUMBER and (KIND[raw[first - 1]] & DIGIT or raw[first - 1] == 45):
        first -= 1
    while after < size and after - first < LONG_NUMBER:
        if not (KIND[raw[after]] & DIGIT or raw[after] == 45 or looks_like_digit(raw[after])):
            return False
        after += 1
    return after - first >= LONG_NUMBER


cdef inline bint looks_like_digit(unsigned char sign) noexcept:
    return sign == 79 or sign == 111 or sign == 108 or sign == 73  # O o l I


cdef Py_ssize_t whole_characters(const unsigned char[::1] raw, Py_ssize_t start, Py_ssize_t end) except -1:
    """Where the last whole character before `end` ends; of one that is cut nothing counts."""
    cdef Py_ssize_t first = end - 1, size = 1
    while first > start and (raw[first] & 0xC0) == 0x80:
        first -= 1
    if raw[first] >= 0xF0:
        size = 4
    elif raw[first] >= 0xE0:
        size = 3
    elif raw[first] >= 0xC0:
        size = 2
    if first + size <= end:
        return end
    while first > start and IS_STOP[raw[first - 1]]:
        first -= 1
    return first if first > start + 1 else start


cdef inline bint is_in_names(unsigned char sign) noexcept:
    """A comma, an apostrophe or a slash: with letters, digits, blanks, . and - all that street names hold."""
    return sign == 44 or sign == 39 or sign == 47


cdef bint is_domain(Starts walk, Py_ssize_t place) except -1:
    """Whether what stands behind a full stop begins as a domain of the rule does."""
    cdef unsigned char one = walk.at(place), two = walk.at(place + 1), three = walk.at(place + 2)
    if one == c"c":  # com, ca, co.uk, com.au
        return two == c"a" or (two == c"o" and (three == c"m" or three == c"."))
    if one == c"n":  # net, nl, nhs.uk
        return two == c"l" or (two == c"e" and three == c"t") or (two == c"h" and three == c"s")
    if one == c"o":
        return two == c"r" and three == c"g"
    if one == c"e":
        return two == c"d" and three == c"u"
    if one == c"g":
        return two == c"o" and three == c"v"
    return one == c"i" and two == c"n" and three == c"f"


cdef bint ends_as_street(Starts walk, Py_ssize_t end) except -1:
    """By the last two letters: straße, strasse, gasse, str., weg, platz, allee, damm and so on."""
    cdef unsigned char two = walk.at(end - 2), one = walk.at(end - 1)
    if one == c"e":
        return two == c"s" or two == 0x9F or two == c"e"  # the last byte of a sharp s
    if one == c".":
        return two == c"r"
    if one == c"g":
        return two == c"e"
    if one == c"z":
        return two == c"t"
    if one == c"m":
        return two == c"m"
    if one == c"r":
        return two == c"e"
    if one == c"t":
        return two == c"a" or two == c"h" or two == c"e"  # straat, gracht, vænget
    if one == c"n":
        return two == c"a" or two == c"i" or two == c"e"  # laan, gatan, plein, vägen, veien
    if one == c"l":
        return two == c"e"
    if one == c"j":
        return two == c"e"
    return one == c"u" and two == c"t"
