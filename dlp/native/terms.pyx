# cython: language_level=3, boundscheck=True, wraparound=False, initializedcheck=False
"""The health terms of a block of text, in one walk over its characters and one over its words.

In: a text and the mapped tables of a lexicon.  Out: hits; the short forms in brackets; which hits
may be part of a longer mention.

The twins are dlp.knowledge.{phrases,gaps,health} in numpy, and dlp.knowledge.{abbreviations,spans}.
"""

from cpython cimport array
import array

ctypedef unsigned long long u64

cdef extern from *:
    """
    #if defined(__GNUC__) || defined(__clang__)
    #define DLP_FETCH(place) __builtin_prefetch(place)
    #else
    #define DLP_FETCH(place) ((void)(place))
    #endif
    """
    void fetch_line "DLP_FETCH"(const void *place) noexcept  # a hint: nothing is read

cdef u64 CHAR = 0x9E3779B97F4A7C15ULL
cdef u64 WORD = 0xD1342543DE82EF95ULL
cdef unsigned int UNKNOWN = 0xFFFF, NEUTRAL = 0xFFFE, PLANE = 0x10000
cdef int HARD = 1, PERIOD = 2, NEWLINE = 3, COMMA = 4  # dlp.knowledge.gaps
cdef int INITIAL = 2, BROKEN = -1
cdef int CASED = 1, AMBIGUOUS = 2, PUNCTUATED = 4, MAY_CROSS = 8 | 16, INVERTED = 16, SHIELD = 128
cdef Py_ssize_t AROUND = 24  # characters either side that tell a loud line from a word in capitals
cdef enum:
    FEW = 64  # questions that are asked in a row
    REFUSED = 1 << 12  # words remembered that are no term by themselves
cdef int MOST = 17  # words in a run: a mask of 16 bits, the lowest of which says two

cdef array.array INTEGERS = array.array("i"), KEYS = array.array("Q"), MASKS = array.array("I")
cdef object new_tuple = tuple.__new__


cdef inline u64 mix(u64 key) noexcept:
    """Spread every bit over all 64 (the finaliser of splitmix64)."""
    key = (key ^ (key >> 30)) * 0xBF58476D1CE4E5B9ULL
    key = (key ^ (key >> 27)) * 0x94D049BB133111EBULL
    return key ^ (key >> 31)


cdef class Scanner:
    """The tables of one lexicon; `folds` is filled as characters turn up, the rest is read only."""

    cdef const unsigned int[::1] low, buckets
    cdef const u64[::1] present, opening
    cdef u64[::1] refused
    cdef const unsigned char[::1] signs, flags
    cdef const unsigned short[::1] pairs
    cdef unsigned short[::1] folds
    cdef int bits, pair_shift
    cdef object fold_beyond, fold_character, hit_type

    def __init__(self, low, buckets, int bits, present, opening, pairs, int pair_bits, flags,
                 folds, signs, fold_character, fold_beyond, hit_type):
        self.low, self.buckets, self.bits = low, buckets, bits
        self.present, self.opening = present, opening
        # no key of a slot ends in the number of the one beside it: nothing is refused yet
        self.refused = array.array("Q", [slot ^ 1 for slot in range(REFUSED)])
        self.pairs, self.pair_shift, self.flags = pairs, 64 - pair_bits, flags
        self.folds, self.signs = folds, signs
        self.fold_character, self.fold_beyond, self.hit_type = fold_character, fold_beyond, hit_type

    def scan(self, str text, Py_ssize_t offset, Py_ssize_t border, dict senses, sense_at):
        """The hits that begin before the border, leftmost and longest, moved by an offset."""
        cdef Py_ssize_t room = len(text) // 2 + 1
        cdef int[::1] starts = array.clone(INTEGERS, room, False)
        cdef int[::1] ends = array.clone(INTEGERS, room, False)
        cdef u64[::1] keys = array.clone(KEYS, room, False)
        cdef unsigned int[::1] sizes = array.clone(MASKS, room, False)
        cdef Py_ssize_t count = self.words(text, starts, ends, keys)
        cdef Py_ssize_t word = 0
        cdef int size, flag = 0
        cdef long long row = -1
        cdef list hits = []
        self.possible(keys, count, sizes)
        while word < count and starts[word] < border:
            if sizes[word] == 0:
                word += 1
                continue
            size = self.longest(text, word, sizes[word], starts, ends, keys, &row, &flag)
            if size == 0:
                word += 1
                continue
            if not flag & SHIELD:
                sense = senses.get(row)
                if sense is None:
                    sense = sense_at(row)
                hits.append(new_tuple(self.hit_type, (
                    starts[word] + offset, ends[word + size - 1] + offset,
                    (<tuple?>sense)[0], (<tuple>sense)[1], row, flag)))
            word += size
        return hits

    def row(self, str term):
        """The row of a whole term, or -1."""
        cdef Py_ssize_t room = len(term) // 2 + 1
        cdef int[::1] starts = array.clone(INTEGERS, room, False)
        cdef int[::1] ends = array.clone(INTEGERS, room, False)
        cdef u64[::1] keys = array.clone(KEYS, room, False)
        cdef u64 total = 0, power = 1
        cdef Py_ssize_t word
        for word in range(self.words(term, starts, ends, keys)):
            total += keys[word] * power
            power *= WORD
        return self.find(mix(total))

    cdef Py_ssize_t words(self, str text, int[::1] starts, int[::1] ends, u64[::1] keys) except -1:
        """Runs of characters that are folded to a letter or digit; how many there are."""
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
                    inside, starts[count], total, power = True, at, 0, 1
                total += code * power
                power *= CHAR
                last = at + 1
            elif inside:
                inside, ends[count], keys[count] = False, last, mix(total)
                count += 1
        if inside:
            ends[count], keys[count] = last, mix(total)
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

    cdef int possible(self, u64[::1] keys, Py_ssize_t count, unsigned int[::1] sizes) except -1:
        """For each word, a bit for each number of words that a term which begins there may have.

        The tables are larger than the nearest caches: so all questions to one are asked in a row,
        none of which waits for the answer to the one before; and a word that was refused before is
        not asked for again by itself.
        """
        cdef u64[::1] refused = self.refused
        cdef u64 asked[FEW + 16]
        cdef Py_ssize_t of_word[FEW + 16]
        cdef unsigned int of_size[FEW + 16]
        cdef u64 total, power
        cdef Py_ssize_t word, one, many = 0
        cdef unsigned int mask, size
        cdef u64 key
        self.open_pairs(keys, count, sizes)
        for word in range(count):
            mask = sizes[word] if word + 1 < count else 0
            if count - word <= MOST:
                mask &= (1 << (count - word - 1)) - 1
            key = keys[word]
            mask = mask << 1 | (refused[key & (REFUSED - 1)] != key)
            sizes[word] = mask
            total, power, size = 0, 1, 0
            while mask >> size:  # at most 17 times: `many` stays below FEW + 16
                total += keys[word + size] * power
                power *= WORD
                if (mask >> size) & 1:
                    asked[many], of_word[many], of_size[many] = mix(total), word, size
                    many += 1
                size += 1
            if many >= FEW or word + 1 == count:
                for one in range(many):
                    if not self.likely(asked[one]):
                        sizes[of_word[one]] &= ~(<unsigned int>1 << of_size[one])
                        if of_size[one] == 0:
                            key = keys[of_word[one]]
                            refused[key & (REFUSED - 1)] = key
                    else:  # looked for soon
                        fetch_line(&self.buckets[asked[one] >> self.bits])
                many = 0
        return 0

    cdef int open_pairs(self, u64[::1] keys, Py_ssize_t count, unsigned int[::1] sizes) except -1:
        """What the table says of each word and the next; a map of its entries answers for most."""
        cdef const unsigned short[::1] pairs = self.pairs
        cdef const u64[::1] opening = self.opening
        cdef u64 asked[FEW]
        cdef Py_ssize_t of_word[FEW]
        cdef Py_ssize_t word, one, many = 0
        cdef u64 pair
        for word in range(count - 1):
            pair = mix(keys[word] + keys[word + 1] * WORD) >> self.pair_shift
            sizes[word] = 0
            asked[many], of_word[many] = pair, word
            many += (opening[pair >> 6] >> (pair & 63)) & 1
            if many == FEW or word + 2 == count:
                for one in range(many):
                    sizes[of_word[one]] = pairs[asked[one]]
                many = 0
        return 0

    cdef int longest(self, str text, Py_ssize_t word, unsigned int sizes, int[::1] starts,
                     int[::1] ends, u64[::1] keys, long long* row, int* flag) except -1:
        """How many words the longest term has that begins here, 0 if none does; its row and flags."""
        cdef u64 sums[17]
        cdef u64 total = 0, power = 1
        cdef int size, most = 0
        while sizes >> most:
            total += keys[word + most] * power
            power *= WORD
            sums[most] = mix(total)
            most += 1
        for size in range(most, 0, -1):
            if not (sizes >> (size - 1)) & 1:
                continue
            row[0] = self.find(sums[size - 1])
            if row[0] < 0:
                continue
            flag[0] = self.fitting(text, word, word + size - 1, starts, ends, self.flags[row[0]])
            if flag[0] >= 0:
                return size
        return 0

    cdef inline bint likely(self, u64 key) except? True:
        """Whether a key may be of a term; of the others, one in forty may."""
        cdef u64 bits = self.present[key & 0xFFFF]
        return (bits >> ((key >> 16) & 63)) & (bits >> ((key >> 22) & 63)) & 1

    cdef inline long long find(self, u64 key) except -2:
        """The row of a key, or -1."""
        cdef unsigned int row, low = <unsigned int>key
        if not self.likely(key):
            return -1
        for row in range(self.buckets[key >> self.bits], self.buckets[(key >> self.bits) + 1]):
            if self.low[row] == low:
                return row
        return -1

    cdef int fitting(self, str text, Py_ssize_t first, Py_ssize_t last, int[::1] starts,
                     int[::1] ends, int flag) except -2:
        """The flags of a run that is written as its term must be, -1 for any other."""
        cdef int crossed = 0
        cdef Py_ssize_t start = starts[first], end = ends[last]
        if last > first:
            crossed = self.crossed(text, first, last, starts, ends)
            if crossed == BROKEN or (crossed and not flag & MAY_CROSS):
                return -1
        if flag & (CASED | PUNCTUATED | INVERTED):
            return as_written(text, start, end, flag, crossed)
        return flag

    cdef int crossed(self, str text, Py_ssize_t first, Py_ssize_t last, int[::1] starts,
                     int[::1] ends) except -2:
        """BROKEN when a term cannot go from the first word to the last, 1 over a comma, else 0."""
        cdef Py_ssize_t at, word, newlines = 0
        cdef int sign, comma = 0
        cdef bint stops = False
        # signs within a word (a trade mark) count as behind it
        for at in range(starts[first] + 1, starts[last] + 1):
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
                if self.ends_term(text, starts[word], ends[word], starts[word + 1]):
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
        capitals += character.isupper()
        small += character.islower()
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
            capitals += character.isupper()
            small += character.islower()
    # a whole line in capitals proves nothing
    return flag | AMBIGUOUS if small * 4 < capitals else flag
