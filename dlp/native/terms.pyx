# cython: language_level=3, boundscheck=True, wraparound=False, initializedcheck=False
"""The health terms of a block of text, in one walk over its characters and one over its words.

In: a text and the mapped tables of a lexicon.  Out: hits; the short forms in brackets; which hits
may be part of a longer mention.

The twins are dlp.knowledge.{phrases,gaps,health} in numpy, and dlp.knowledge.{abbreviations,spans}.
"""

from dlp.native.lanes cimport eight_at
from dlp.native.records cimport check_record, new_record, set_field
from dlp.native.signs cimport lowest, u64

cdef extern from *:
    """
    #pragma GCC optimize ("O3")  /* loops over eight characters are written out */
    """

from cpython cimport array
from cpython.unicode cimport PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_KIND, PyUnicode_READ
import array

cdef extern from *:
    """
    #if defined(__GNUC__) || defined(__clang__)
    #define DLP_FETCH(place) __builtin_prefetch(place)
    #else
    #define DLP_FETCH(place) ((void)(place))
    #endif
    #if defined(__SSE2__)
    static inline void DLP_CLASSES(const void *data, Py_ssize_t at, unsigned long long *inside,
                                   unsigned long long *capitals) {
        unsigned long long letters = 0, digits = 0, small = 0;
        int part;
        for (part = 0; part < 4; part++) {
            __m128i signs = _mm_loadu_si128(
                (const __m128i *)&((const unsigned char *)data)[at + 16 * part]);
            __m128i low = _mm_or_si128(signs, _mm_set1_epi8(0x20));
            __m128i letter = _mm_and_si128(_mm_cmpgt_epi8(low, _mm_set1_epi8(0x60)),
                                           _mm_cmplt_epi8(low, _mm_set1_epi8(0x7B)));
            __m128i digit = _mm_and_si128(_mm_cmpgt_epi8(signs, _mm_set1_epi8(0x2F)),
                                          _mm_cmplt_epi8(signs, _mm_set1_epi8(0x3A)));
            letters |= DLP_BITS(letter) << 16 * part;
            digits |= DLP_BITS(digit) << 16 * part;
            small |= DLP_BITS(_mm_slli_epi16(signs, 2)) << 16 * part;  /* the bit of small letters */
        }
        *inside = letters | digits;
        *capitals = letters & ~small;
    }
    #else
    static inline void DLP_CLASSES(const void *data, Py_ssize_t at, unsigned long long *inside,
                                   unsigned long long *capitals) {
        /* eight characters in a number; each below 128, so none carries over */
        const unsigned long long ones = 0x0101010101010101ULL, high = ones * 0x80;
        int part;
        *inside = *capitals = 0;
        for (part = 0; part < 8; part++) {
            unsigned long long eight = 0, low, some;
            int place;
            for (place = 0; place < 8; place++)
                eight |= (unsigned long long)((const unsigned char *)data)[at + 8 * part + place]
                         << 8 * place;
            low = eight | ones * 0x20;
            some = (low + ones * (0x80 - 0x61)) & ~(low + ones * (0x80 - 0x7B)) & high;
            *capitals |= ((some >> 7 & ~(eight >> 5)) * 0x0102040810204080ULL >> 56) << 8 * part;
            some |= (eight + ones * (0x80 - 0x30)) & ~(eight + ones * (0x80 - 0x3A)) & high;
            *inside |= ((some >> 7) * 0x0102040810204080ULL >> 56) << 8 * part;
        }
    }
    #endif
    """
    void fetch_line "DLP_FETCH"(const void *place) noexcept  # a hint: nothing is read
    # a bit for each of 64 plain characters from a place: letter or digit; capital. Who calls it has
    # compared the last of the 64 with the length.
    void classes "DLP_CLASSES"(const void *data, Py_ssize_t at, u64 *inside, u64 *capitals) noexcept

cdef unsigned int NONE = 0xFFFFFFFF, ROWS = 0xFFFFFF
cdef extern from *:  # numbers of dlp.knowledge.phrases
    """
    #define DLP_CHAR 0x9E3779B97F4A7C15ULL
    #define DLP_WORD 0xD1342543DE82EF95ULL
    """
    const u64 CHAR "DLP_CHAR"
    const u64 WORD "DLP_WORD"
cdef unsigned int UNKNOWN = 0xFFFF, NEUTRAL = 0xFFFE, PLANE = 0x10000
cdef int HARD = 1, PERIOD = 2, NEWLINE = 3, COMMA = 4  # dlp.knowledge.gaps
cdef int INITIAL = 2, BROKEN = -1
cdef int CASED = 1, AMBIGUOUS = 2, PUNCTUATED = 4, MAY_CROSS = 8 | 16, INVERTED = 16, SHIELD = 128
cdef Py_ssize_t AROUND = 24  # characters either side that tell a loud line from a word in capitals
cdef enum:
    FEW = 64  # words that are asked about in a row
    MEMORY = 1 << 12  # words of which is remembered whether they are a term by themselves
    FLAGS = 24  # bits of a row; its flags are above them
    SMALLEST = 1 << 12  # characters a room is made for
    LARGEST = 1 << 16  # characters of a room that is kept
    PRESENT = 16  # bits of a key that say where its bits are
    PLACES = 12  # bits of keys: dlp.knowledge.openings
    OPENING = 15
    FIRST = 2  # the first two are of words alone
    SECOND = 3
    KINDS = 4
    LINE = 8  # numbers in a line of the cache
    PAIRS = 19  # bits of a pair's key that say where it is in the table of pairs
    MOST = 17  # words in a run: a mask of 16 bits, the lowest of which says two

# Eight characters in a number, the first in its lowest byte.
cdef unsigned int A = 0x61, Z = 0x7A
cdef u64 ONES = 0x0101010101010101ULL
cdef u64 HIGH = ONES * 0x80, SMALL = ONES * 0x20
cdef u64 POWERS[9]  # of CHAR
POWERS[0] = 1
for _power in range(8):
    POWERS[_power + 1] = POWERS[_power] * CHAR

cdef array.array INTEGERS = array.array("i"), KEYS = array.array("Q"), MASKS = array.array("I")


cdef inline u64 mix(u64 key) noexcept:
    """Spread every bit over all 64 (the finaliser of splitmix64)."""
    key = (key ^ (key >> 30)) * 0xBF58476D1CE4E5B9ULL
    key = (key ^ (key >> 27)) * 0x94D049BB133111EBULL
    return key ^ (key >> 31)


cdef inline unsigned int likely(u64 *present, u64 key) noexcept:
    """Whether a key may be of a term; of the others, one in forty may."""
    cdef u64 bits = present[key & 0xFFFF]
    return (bits >> ((key >> 16) & 63)) & (bits >> ((key >> 22) & 63)) & 1


cdef inline u64 both(u64 bits, u64 key) noexcept:
    """Whether two bits that a key chooses are set."""
    return (bits >> (key & 63)) & (bits >> (key >> 6 & 63)) & 1


cdef inline u64 weigh(u64 eight) noexcept:
    """The sum over eight letters that enters the key of a word."""
    return (
        (eight & 0xFF) + (eight >> 8 & 0xFF) * POWERS[1] + (eight >> 16 & 0xFF) * POWERS[2]
        + (eight >> 24 & 0xFF) * POWERS[3] + (eight >> 32 & 0xFF) * POWERS[4]
        + (eight >> 40 & 0xFF) * POWERS[5] + (eight >> 48 & 0xFF) * POWERS[6]
        + (eight >> 56) * POWERS[7]
    )


cdef inline bint eight_wide(void *data, Py_ssize_t at, u64 *eight) noexcept:
    """Eight characters of a text that has two bytes for each; whether they are plain."""
    cdef u64 one, every = 0
    cdef int place
    eight[0] = 0
    for place in range(8):
        one = PyUnicode_READ(2, data, at + place)
        every |= one
        eight[0] |= one << 8 * place
    return every < 128


cdef class Room:
    """Working space for a block of so many characters."""

    cdef Py_ssize_t size
    cdef u64[::1] letters  # the block folded, eight characters in each number
    cdef int[::1] edges  # start and end of each word in turn
    cdef u64[::1] capitals  # a bit for each character
    cdef u64[::1] keys
    cdef int[::1] word  # candidates: their first word,
    cdef unsigned int[::1] alone  # what is known of that word by itself,
    cdef unsigned int[::1] sizes  # and a bit for each number of words the term may have

    def __init__(self, Py_ssize_t size):
        self.size = size
        self.letters = array.clone(KEYS, size // 64 * 8 + 16, False)
        self.capitals = array.clone(KEYS, size // 64 + 2, False)
        self.edges = array.clone(INTEGERS, size + 4, False)
        self.keys = array.clone(KEYS, size // 2 + 3, False)
        self.word = array.clone(INTEGERS, size // 2 + 2, False)
        self.alone = array.clone(MASKS, size // 2 + 2, False)
        self.sizes = array.clone(MASKS, size // 2 + 2, False)

    cdef inline int has_capitals(self, Py_ssize_t word) except -1:
        """Whether a word has two of them or more; one that is very long may."""
        cdef Py_ssize_t start = self.edges[2 * word], size = self.edges[2 * word + 1] - start
        cdef u64 bits = (
            self.capitals[start >> 6] >> (start & 63)
            | self.capitals[(start >> 6) + 1] << 1 << (63 - (start & 63))
        ) & ~<u64>0 >> (64 - min(size, 64))
        return (bits & (bits - 1) != 0) | (size > 64)


cdef struct Known:
    u64 key
    unsigned int alone  # the row of a word as a term by itself and its flags, or NONE


cdef class Scanner:
    """The tables of one lexicon; `folds` and the memory are filled as texts come, the rest is not."""

    cdef const unsigned int[::1] low, buckets
    cdef u64 present[1 << PRESENT]
    cdef u64 places[(KINDS << PLACES) + LINE]
    cdef size_t aligned  # where they begin, so that no word's numbers are in two lines of the cache
    cdef u64 opening[1 << OPENING]
    cdef Known known[MEMORY]  # words by the end of their key
    cdef const unsigned char[::1] signs, flags
    cdef const unsigned short[::1] pairs
    cdef unsigned short[::1] folds
    cdef int bits
    cdef object fold_beyond, fold_character, hit_type
    cdef Room spare

    def __init__(self, low, buckets, int bits, const u64[::1] present, const u64[::1] places,
                 const u64[::1] opening, pairs, int pair_bits, flags, folds, signs, fold_character,
                 fold_beyond, hit_type):
        cdef unsigned int slot
        self.low, self.buckets, self.bits = low, buckets, bits
        if (len(present) != 1 << PRESENT or len(places) != KINDS << PLACES
                or len(opening) != 1 << OPENING or pair_bits != PAIRS):
            raise ValueError("tables of another size")
        for slot in range(1 << PRESENT):
            self.present[slot] = present[slot]
        self.aligned = (LINE - (<size_t>&self.places[0] >> 3) % LINE) % LINE
        for slot in range(KINDS << PLACES):
            self.places[self.aligned + slot] = places[slot]
        for slot in range(1 << OPENING):
            self.opening[slot] = opening[slot]
        for slot in range(MEMORY):  # no key ends in the number of another slot: nothing is known yet
            self.known[slot].key, self.known[slot].alone = slot ^ 1, NONE
        check_record(hit_type, 6)
        if len(flags) >= ROWS:
            raise ValueError("too many terms")
        self.pairs, self.flags = pairs, flags
        self.folds, self.signs = folds, signs
        self.fold_character, self.fold_beyond, self.hit_type = fold_character, fold_beyond, hit_type

    def scan(self, str text, Py_ssize_t offset, Py_ssize_t border, dict senses, sense_at):
        """The hits that begin before the border, leftmost and longest, moved by an offset."""
        cdef Room room = self.room_for(len(text))
        cdef Py_ssize_t count = self.candidates(room, self.words(text, room))
        cdef Py_ssize_t one, word, free = 0
        cdef int size, flag = 0
        cdef long long row = -1
        cdef list hits = []
        for one in range(count):
            word = room.word[one]
            if word < free:
                continue
            if room.edges[2 * word] >= border:
                break
            size = self.longest(text, room, one, &row, &flag)
            if size == 0:
                continue
            free = word + size
            if not flag & SHIELD:
                sense = senses.get(row)
                if sense is None:
                    sense = sense_at(row)
                hits.append(self.hit(room.edges[2 * word] + offset,
                                     room.edges[2 * free - 1] + offset, sense, row, flag))
        self.leave(room)
        return hits

    cdef inline tuple hit(self, start, end, tuple sense, number, flags):
        cdef tuple made
        kind, concepts = sense
        made = new_record(self.hit_type, 6)
        set_field(made, 0, start)
        set_field(made, 1, end)
        set_field(made, 2, kind)
        set_field(made, 3, concepts)
        set_field(made, 4, number)
        set_field(made, 5, flags)
        return made

    def row(self, str term):
        """The row of a whole term, or -1."""
        cdef Room room = self.room_for(len(term))
        cdef u64 total = 0, power = 1
        cdef Py_ssize_t word
        for word in range(self.words(term, room)):
            total += room.keys[word] * power
            power *= WORD
        self.leave(room)
        return self.find(mix(total))

    cdef Room room_for(self, Py_ssize_t size):
        """A room that nobody else is in: whoever comes meanwhile gets one of its own."""
        cdef Room room = self.spare
        self.spare = None
        return room if room is not None and room.size >= size else Room(max(size, SMALLEST))

    cdef int leave(self, Room room) except -1:
        if room.size <= LARGEST:
            self.spare = room
        return 0

    cdef Py_ssize_t words(self, str text, Room room) except -1:
        """Runs of characters that are folded to a letter or digit; how many there are."""
        if text.isascii():
            return cut(PyUnicode_DATA(text), PyUnicode_GET_LENGTH(text), room)
        if self.pack(text, room):
            return cut(&room.letters[0], PyUnicode_GET_LENGTH(text), room)
        room.capitals[:] = ~<u64>0  # any may be one
        return self.words_one_by_one(text, room)

    cdef int pack(self, str text, Room room) except -1:
        """Lay the characters out by eights; False where one is folded to none of the plain ones."""
        cdef int kind = PyUnicode_KIND(text)
        cdef void *data = PyUnicode_DATA(text)
        cdef Py_ssize_t at, size = PyUnicode_GET_LENGTH(text)
        cdef u64 eight = 0
        cdef bint plain
        for at in range(0, size - 7, 8):
            plain = False
            if kind == 1:
                eight = eight_at(data, at)
                plain = eight & HIGH == 0
            elif kind == 2:
                plain = eight_wide(data, at, &eight)
            if not plain and not self.fold_some(kind, data, at, at + 8, &eight):
                return False
            room.letters[at >> 3] = eight
        if not self.fold_some(kind, data, size & ~7, size, &eight):
            return False
        room.letters[size >> 3] = eight
        return True

    cdef int fold_some(self, int kind, void *data, Py_ssize_t start, Py_ssize_t end,
                        u64 *eight) except -1:
        """Lay out up to eight characters; False as above."""
        cdef Py_ssize_t at
        cdef unsigned int code
        eight[0] = 0
        for at in range(start, end):
            code = PyUnicode_READ(kind, data, at)
            if code >= 128:
                if code >= PLANE or self.folds[code] == UNKNOWN:
                    code = self.learn(code)
                else:
                    code = self.folds[code]
                if code >= 128:
                    return False
                if is_upper(PyUnicode_READ(kind, data, at)) and code:
                    if not A <= code <= Z:
                        return False
                    code -= 32
            eight[0] |= <u64>code << 8 * (at - start)
        return True

    cdef Py_ssize_t words_one_by_one(self, str text, Room room) except -1:
        """The same for a text with letters of any script and marks without weight."""
        cdef unsigned short[::1] folds = self.folds
        cdef u64 total = 0, power = 1
        cdef bint inside = False
        cdef int at = -1, last = 0
        cdef Py_ssize_t count = 0
        cdef unsigned int code
        cdef Py_UCS4 character
        for character in text:
            at += 1
            code = folds[character] if character < PLANE else UNKNOWN
            if code >= NEUTRAL:
                if code == UNKNOWN:
                    code = self.learn(character)
                if code == NEUTRAL:
                    continue
            if code:
                if not inside:
                    inside, room.edges[2 * count], total, power = True, at, 0, 1
                total += code * power
                power *= CHAR
                last = at + 1
            elif inside:
                inside, room.edges[2 * count + 1], room.keys[count] = False, last, mix(total)
                count += 1
        if inside:
            room.edges[2 * count + 1], room.keys[count] = last, mix(total)
            count += 1
        return count

    cdef unsigned int learn(self, Py_UCS4 character) except? 0xFFFFFFFF:
        """The code of a character that no text had before, or that stands for another one."""
        cdef unsigned int point = character
        if point >= PLANE:
            point = self.fold_beyond(point)
        if self.folds[point] == UNKNOWN:
            self.folds[point] = self.fold_character(chr(point))
        return self.folds[point]

    cdef Py_ssize_t candidates(self, Room room, Py_ssize_t count) except -1:
        """The words with which a term may begin, and how long it may be; how many there are.

        The tables are larger than the nearest caches, and what they say cannot be guessed. So words
        come in batches, and what a question needs is fetched while others are asked, and hardly a
        jump hangs on the answers.
        """
        cdef u64 pair_of[FEW]
        cdef int word_of[FEW]
        cdef unsigned int mask_of[FEW]
        cdef Py_ssize_t start, found = 0, some = self.glance(room, count)
        cdef unsigned int many
        for start in range(0, some, FEW):
            many = self.sift(room, start, min(some, start + FEW), word_of, pair_of, mask_of)
            found = self.consider(room, found, count, many, word_of, pair_of, mask_of)
        return found

    cdef Py_ssize_t glance(self, Room room, Py_ssize_t count) except -1:
        """The words of which two tables say that they may begin a term; how many there are.

        The tables follow from the words of the terms themselves (dlp.knowledge.openings). For each
        word that passes, `sizes` has a bit that says it may be one alone, and one for with others.
        """
        cdef u64 sums[2][FEW]
        cdef u64[::1] keys = room.keys
        cdef size_t start, words = count, size = min(words, FEW), next_size, one
        cdef u64 key, single, first, second, asked, alone = 0, opens = 0
        cdef Py_ssize_t found = 0
        cdef const u64 *bits
        cdef int side = 0
        keys[words] = keys[words + 1] = 0
        self.fetch_places(keys, 0, size)
        for start in range(0, words, FEW):
            next_size = min(words - start - size, FEW)
            self.fetch_places(keys, start + size, next_size)
            key = keys[start + size]
            single = first = 0  # a bit for each word of the batch
            second = both(self.places_of(key)[SECOND], key) << (size - 1)
            for one in range(size):
                key = keys[start + one]
                bits = self.places_of(key)
                single |= both(bits[key >> 12 & 1], key) << one
                first |= both(bits[FIRST], key) << one
                second |= both(bits[SECOND], key) << one >> 1
            asked = first & second
            self.fetch_opening(keys, start, asked, sums[side])
            # what the batch before needs is at hand by now
            found = self.note(room, found, start - FEW, alone, opens, sums[1 - side])
            alone, opens, size, side = single, asked, next_size, 1 - side
        return self.note(room, found, (words - 1) // FEW * FEW, alone, opens, sums[1 - side])

    cdef inline const u64 *places_of(self, u64 key) noexcept:
        """The numbers of a word: two for itself, one as the first and one as the second of others."""
        return &self.places[self.aligned + KINDS * (key >> (64 - PLACES))]

    cdef inline int fetch_places(self, u64[::1] keys, size_t start, size_t size) except -1:
        cdef size_t word
        for word in range(start, start + size):
            fetch_line(self.places_of(keys[word]))
        return 0

    cdef inline int fetch_opening(self, u64[::1] keys, size_t start, u64 asked,
                                  u64 *sums) except -1:
        cdef size_t word
        cdef int one
        while asked:
            one = lowest(asked)
            word = start + one
            sums[one] = keys[word] + 2 * keys[word + 1]
            fetch_line(&self.opening[sums[one] >> (64 - OPENING)])
            asked &= asked - 1
        return 0

    cdef inline Py_ssize_t note(self, Room room, Py_ssize_t found, size_t start, u64 alone,
                                u64 opens, u64 *sums) except -1:
        """Note the words of a batch that pass; how many are noted."""
        cdef u64 some = 0, rest = opens
        cdef int one
        while rest:
            one = lowest(rest)
            some |= both(self.opening[sums[one] >> (64 - OPENING)], sums[one]) << one
            rest &= rest - 1
        rest = some | alone
        while rest:
            one = lowest(rest)
            room.word[found] = <int>(start + one)
            room.sizes[found] = <unsigned int>(alone >> one & 1 | (some >> one & 1) << 1)
            found += 1
            rest &= rest - 1
        return found

    cdef unsigned int sift(self, Room room, Py_ssize_t start, Py_ssize_t end, int *word_of,
                           u64 *pair_of, unsigned int *mask_of) except? 0xFFFF:
        """Keep the words that may begin a term; their masks begin with a bit for the word alone."""
        cdef u64[::1] keys = room.keys
        cdef unsigned int asked, mask, kept = 0
        cdef u64 key, pair
        cdef Py_ssize_t one
        cdef size_t word
        for one in range(start, end):
            word = room.word[one]
            key = keys[word]
            fetch_line(&self.known[key & (MEMORY - 1)])
            if room.sizes[one] & 2:
                pair = pair_of[one - start] = mix(key + keys[word + 1] * WORD)
                fetch_line(&self.pairs[pair >> (64 - PAIRS)])
                fetch_line(&self.present[pair & 0xFFFF])
        for one in range(start, end):
            asked, word, pair = room.sizes[one], room.word[one], pair_of[one - start]
            mask = 0
            if asked & 2:
                mask = <unsigned int>self.pairs[pair >> (64 - PAIRS)] << 1
                mask &= likely(self.present, pair) << 1 | ~<unsigned int>2
            if asked & 1 and not self.refused(room, word):
                mask |= 1
            word_of[kept], pair_of[kept], mask_of[kept] = <int>word, pair, mask
            kept += mask != 0
        return kept

    cdef inline int refused(self, Room room, size_t word) except -1:
        """Whether a word is remembered as no term, or as one in capitals that it does not have."""
        cdef u64 key = room.keys[word]
        cdef unsigned int alone
        if self.known[key & (MEMORY - 1)].key != key:
            return 0
        alone = self.known[key & (MEMORY - 1)].alone
        return alone == NONE or (alone >> FLAGS & CASED and not room.has_capitals(word))

    cdef Py_ssize_t consider(self, Room room, Py_ssize_t found, Py_ssize_t count, unsigned int many,
                             int *word_of, u64 *pair_of, unsigned int *mask_of) except -1:
        """Note those that no table refuses as candidates; how many are noted."""
        cdef u64 last_of[FEW]
        cdef u64 asked[FEW * MOST]  # the keys of runs of three words and more, one after another
        cdef u64 key
        cdef unsigned int one, sizes, mask, alone, answered = 0
        cdef Py_ssize_t word, noted = found
        self.ask(room, count, many, word_of, mask_of, asked)
        for one in range(many):
            word, mask, alone, sizes = word_of[one], mask_of[one], NONE, 0
            key = last_of[found - noted] = room.keys[word]
            if mask & 1:
                alone = self.alone_row(key)
                sizes = alone != NONE
            if mask & 2:
                sizes |= 2
                last_of[found - noted] = pair_of[one]
                fetch_line(&self.buckets[pair_of[one] >> self.bits])
            mask &= ~<unsigned int>3
            while mask:
                key = asked[answered]
                answered += 1
                if likely(self.present, key):
                    sizes |= mask & -mask
                    last_of[found - noted] = key
                    fetch_line(&self.buckets[key >> self.bits])
                mask &= mask - 1
            if sizes:
                room.word[found], room.sizes[found], room.alone[found] = <int>word, sizes, alone
                found += 1
        for one in range(found - noted):
            if room.sizes[noted + one] > 1:
                fetch_line(&self.low[self.buckets[last_of[one] >> self.bits] % len(self.low)])
        return found

    cdef int ask(self, Room room, Py_ssize_t count, unsigned int many, int *word_of,
                 unsigned int *mask_of, u64 *asked) except -1:
        """Fetch what will be asked about words alone and runs of three and more; note their keys."""
        cdef u64[::1] keys = room.keys
        cdef u64 key, total, power
        cdef unsigned int one, size, mask, noted = 0
        cdef size_t word
        for one in range(many):
            word, mask = word_of[one], mask_of[one]
            if count - <Py_ssize_t>word < MOST:
                mask &= (1 << (count - word)) - 1
                mask_of[one] = mask
            key = keys[word]
            if mask & 1 and self.known[key & (MEMORY - 1)].key != key:
                fetch_line(&self.buckets[mix(key) >> self.bits])
            if mask >> 2 == 0:
                continue
            total, power, size = key + keys[word + 1] * WORD, WORD * WORD, 2
            while mask >> size:
                total += keys[word + size] * power
                power *= WORD
                if mask >> size & 1:
                    asked[noted] = mix(total)
                    fetch_line(&self.present[asked[noted] & 0xFFFF])
                    noted += 1
                size += 1
        return 0

    cdef unsigned int alone_row(self, u64 key) except? 0xFFFFFFFE:
        """The row of a word by itself with its flags, or NONE; remembered."""
        cdef unsigned int slot = key & (MEMORY - 1)
        cdef long long row
        if self.known[slot].key != key:
            row = self.find(mix(key))
            self.known[slot].key = key
            self.known[slot].alone = (
                NONE if row < 0 else <unsigned int>(row | self.flags[row] << FLAGS))
        return self.known[slot].alone

    cdef int longest(self, str text, Room room, Py_ssize_t one, long long* row,
                     int* flag) except -1:
        """How many words the longest term has that begins here, 0 if none does; its row and flags."""
        cdef u64 sums[MOST]
        cdef u64 total = 0, power = 1
        cdef unsigned int sizes = room.sizes[one]
        cdef Py_ssize_t word = room.word[one]
        cdef int size, most = 0
        while sizes >> most:
            total += room.keys[word + most] * power
            power *= WORD
            sums[most] = total
            most += 1
        for size in range(most, 0, -1):
            if not (sizes >> (size - 1)) & 1:
                continue
            if size == 1:
                row[0], flag[0] = room.alone[one] & ROWS, room.alone[one] >> FLAGS
            else:
                row[0] = self.find(mix(sums[size - 1]))
                if row[0] < 0:
                    continue
                flag[0] = self.flags[row[0]]
            flag[0] = self.fitting(text, room, word, word + size - 1, flag[0])
            if flag[0] >= 0:
                return size
        return 0

    cdef inline long long find(self, u64 key) except -2:
        """The row of a key, or -1."""
        cdef unsigned int row, low = <unsigned int>key
        if not likely(self.present, key):
            return -1
        for row in range(self.buckets[key >> self.bits], self.buckets[(key >> self.bits) + 1]):
            if self.low[row] == low:
                return row
        return -1

    cdef int fitting(self, str text, Room room, Py_ssize_t first, Py_ssize_t last,
                     int flag) except -2:
        """The flags of a run that is written as its term must be, -1 for any other."""
        cdef int crossed = 0
        if last > first:
            crossed = self.crossed(text, room.edges, first, last)
            if crossed == BROKEN or (crossed and not flag & MAY_CROSS):
                return -1
        if flag & (CASED | PUNCTUATED | INVERTED):
            return as_written(text, room.edges[2 * first], room.edges[2 * last + 1], flag, crossed)
        return flag

    cdef int crossed(self, str text, int[::1] edges, Py_ssize_t first,
                     Py_ssize_t last) except -2:
        """BROKEN when a term cannot go from the first word to the last, 1 over a comma, else 0."""
        cdef Py_ssize_t at, word, newlines = 0
        cdef int sign, comma = 0
        cdef bint stops = False
        # signs within a word (a trade mark) count as behind it
        for at in range(edges[2 * first] + 1, edges[2 * last] + 1):
            sign = self.sign(text[at])
            if sign == HARD:
                return BROKEN
            if sign == COMMA:
                comma = 1
            elif sign == PERIOD:
                stops = True
            elif sign == NEWLINE:
                newlines += 1
        if stops or newlines > 1:
            for word in range(first, last):
                if self.ends_term(text, edges[2 * word], edges[2 * word + 1], edges[2 * word + 2]):
                    return BROKEN
        return comma

    cdef int ends_term(self, str text, Py_ssize_t start, Py_ssize_t end,
                       Py_ssize_t behind) except -1:
        """Whether a full stop or a blank line behind a word ends a term."""
        cdef Py_ssize_t at, newlines = 0
        cdef int sign
        for at in range(end, behind):
            sign = self.sign(text[at])
            if sign == PERIOD and behind - end > 1 and end - start > INITIAL:
                return True
            newlines += sign == NEWLINE
        return newlines > 1

    cdef inline int sign(self, Py_UCS4 character) except -1:
        cdef unsigned int point = character
        if point >= PLANE:
            point = self.fold_beyond(point)
        return self.signs[point]


cdef Py_ssize_t cut(const void *data, Py_ssize_t size, Room room) except -1:
    """The words of so many plain characters, one byte each; how many there are."""
    cdef int[::1] edges = room.edges
    cdef u64[::1] capitals = room.capitals
    cdef u64 inside = 0, high = 0, changes, before = 0
    cdef unsigned char rest[64]
    cdef Py_ssize_t at, place
    cdef size_t many = 0
    for at in range(0, size + 1, 64):
        if at + 64 <= size:
            classes(data, at, &inside, &high)
        else:
            for place in range(64):
                rest[place] = PyUnicode_READ(1, data, at + place) if at + place < size else 0
            classes(rest, 0, &inside, &high)
        capitals[at >> 6] = high
        changes = inside ^ (inside << 1 | before)
        before = inside >> 63
        while changes:
            edges[many] = <int>at + lowest(changes)
            many += 1
            changes &= changes - 1
    many >>= 1
    hash_words(data, size, edges, room.keys, many)
    return many


cdef int hash_words(const void *data, Py_ssize_t size, int[::1] edges, u64[::1] keys,
                    size_t many) except -1:
    cdef u64 eight, total, power
    cdef size_t word
    cdef int start, rest
    for word in range(many):
        start = edges[2 * word]
        rest = edges[2 * word + 1] - start
        total, power = 0, 1
        while True:
            eight = eight_at(data, start) if start + 8 <= size else last_narrow(data, start, size)
            # capitals as small letters; digits have the bit of these anyway
            eight = (eight | SMALL) & ~<u64>0 >> (64 - 8 * (rest if rest < 8 else 8))
            total += weigh(eight) * power
            rest -= 8
            if rest <= 0:
                break
            power *= POWERS[8]
            start += 8
        keys[word] = mix(total)
    return 0


cdef u64 last_narrow(const void *data, Py_ssize_t at, Py_ssize_t size) noexcept:
    """The last characters, fewer than eight."""
    cdef u64 eight = 0
    cdef Py_ssize_t place
    for place in range(size - at):
        eight |= <u64>PyUnicode_READ(1, data, at + place) << 8 * place
    return eight


cdef inline bint is_upper(Py_UCS4 character) noexcept:
    if character < 128:
        return u"A" <= character <= u"Z"
    return character.isupper()


cdef inline bint is_lower(Py_UCS4 character) noexcept:
    if character < 128:
        return u"a" <= character <= u"z"
    return character.islower()


cdef int as_written(str text, Py_ssize_t start, Py_ssize_t end, int flag, int crossed) except -2:
    """The flags of a term with conditions of its own, -1 where it does not meet them."""
    cdef Py_ssize_t at, capitals = 0, small = 0, size = len(text)
    cdef bint signed = False
    cdef Py_UCS4 character
    if flag & INVERTED:
        if not crossed or (end < size and text[end] not in u",;.\n\r)"):
            return -1
    for at in range(start, end):
        character = text[at]
        capitals += is_upper(character)
        small += is_lower(character)
        signed = signed or character in u"/.&+-"
    if flag & PUNCTUATED and not signed:
        return -1
    if not flag & CASED:
        return flag
    if capitals < 2 or capitals < small:
        return -1
    capitals = small = 0
    for at in range(max(0, start - AROUND), min(size, end + AROUND)):
        if at < start or at >= end:
            character = text[at]
            capitals += is_upper(character)
            small += is_lower(character)
    # a whole line in capitals proves nothing
    return flag | AMBIGUOUS if small * 4 < capitals else flag
