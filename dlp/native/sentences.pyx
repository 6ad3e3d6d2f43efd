# cython: language_level=3, boundscheck=True, wraparound=False, initializedcheck=False
"""Where statements begin, and in which contexts the words of a statement put a place in it.

In: a text; places and the cues of a language.  Out: offsets; the contexts of each place, as bits.

The twins are dlp.detect.sentences, a regular expression, and dlp.detect.illness.context over RE2.
"""

from cpython.tuple cimport PyTuple_New

from dlp.native.columns cimport longer
from dlp.native.lanes cimport eight_at
from dlp.native.records cimport check_record, new_record, set_field
from dlp.native.signs cimport lowest, sign_at, Signs, signs_of, u64

cdef extern from *:
    """
    #pragma GCC optimize ("O3")  /* loops over eight characters are written out */
    #if defined(__SSE2__)
    /* Of 64 characters from a place, one byte each or two, a bit for each of \\t\\n!.;?| */
    static inline unsigned long long DLP_BREAKS(int kind, const void *data, Py_ssize_t at) {
        unsigned long long found = 0;
        int part;
        for (part = 0; part < 4; part++) {
            __m128i signs, some;
            if (kind == 1)
                signs = _mm_loadu_si128(
                    (const __m128i *)&((const unsigned char *)data)[at + 16 * part]);
            else {  /* what is no byte becomes the first or the last one, which are no breaks */
                const unsigned short *signs_of_two = (const unsigned short *)data;
                signs = _mm_packus_epi16(
                    _mm_loadu_si128((const __m128i *)&signs_of_two[at + 16 * part]),
                    _mm_loadu_si128((const __m128i *)&signs_of_two[at + 16 * part + 8]));
            }
            some = _mm_or_si128(_mm_or_si128(DLP_IS(signs, 9), DLP_IS(signs, 10)),
                                _mm_or_si128(DLP_IS(signs, '!'), DLP_IS(signs, '.')));
            some = _mm_or_si128(some, _mm_or_si128(DLP_IS(signs, ';'), DLP_IS(signs, '?')));
            some = _mm_or_si128(some, DLP_IS(signs, '|'));
            found |= (unsigned long long)(unsigned int)_mm_movemask_epi8(some) << 16 * part;
        }
        return found;
    }
    /* Of 64 characters again, a bit for each letter or digit, and for each of four signs. */
    static inline void DLP_WORDS(int kind, const void *data, Py_ssize_t at,
                                 const unsigned char *four, unsigned long long *words,
                                 unsigned long long *opening) {
        int part;
        *words = *opening = 0;
        for (part = 0; part < 4; part++) {
            __m128i signs, low, some, more;
            if (kind == 1)
                signs = _mm_loadu_si128(
                    (const __m128i *)&((const unsigned char *)data)[at + 16 * part]);
            else {
                const unsigned short *signs_of_two = (const unsigned short *)data;
                signs = _mm_packus_epi16(
                    _mm_loadu_si128((const __m128i *)&signs_of_two[at + 16 * part]),
                    _mm_loadu_si128((const __m128i *)&signs_of_two[at + 16 * part + 8]));
            }
            /* bytes from 128 on count as negative: no letters, no digits */
            low = _mm_or_si128(signs, _mm_set1_epi8(0x20));
            some = _mm_or_si128(_mm_and_si128(_mm_cmpgt_epi8(low, _mm_set1_epi8(0x60)),
                                              _mm_cmplt_epi8(low, _mm_set1_epi8(0x7B))),
                                _mm_and_si128(_mm_cmpgt_epi8(signs, _mm_set1_epi8(0x2F)),
                                              _mm_cmplt_epi8(signs, _mm_set1_epi8(0x3A))));
            more = _mm_or_si128(
                _mm_or_si128(DLP_IS(signs, (char)four[0]), DLP_IS(signs, (char)four[1])),
                _mm_or_si128(DLP_IS(signs, (char)four[2]), DLP_IS(signs, (char)four[3])));
            *words |= (unsigned long long)(unsigned int)_mm_movemask_epi8(some) << 16 * part;
            *opening |= (unsigned long long)(unsigned int)_mm_movemask_epi8(more) << 16 * part;
        }
    }
    #else
    static inline void DLP_WORDS(int kind, const void *data, Py_ssize_t at,
                                 const unsigned char *four, unsigned long long *words,
                                 unsigned long long *opening) {
        int place;
        *words = *opening = 0;
        for (place = 0; place < 64; place++) {
            unsigned int sign = kind == 1 ? ((const unsigned char *)data)[at + place]
                                          : ((const unsigned short *)data)[at + place];
            unsigned long long some = (sign | 32) - 'a' < 26 || sign - '0' < 10;
            unsigned long long more = sign == four[0] || sign == four[1] || sign == four[2]
                || sign == four[3];
            *words |= some << place;
            *opening |= more << place;
        }
    }
    static inline unsigned long long DLP_BREAKS(int kind, const void *data, Py_ssize_t at) {
        unsigned long long found = 0;
        int place;
        for (place = 0; place < 64; place++) {
            unsigned int sign = kind == 1 ? ((const unsigned char *)data)[at + place]
                                          : ((const unsigned short *)data)[at + place];
            unsigned long long some = sign == 9 || sign == 10 || sign == '!' || sign == '.'
                || sign == ';' || sign == '?' || sign == '|';
            found |= some << place;
        }
        return found;
    }
    #endif
    """
    u64 sixty_four "DLP_BREAKS"(int kind, const void *data, Py_ssize_t at) noexcept
    void words_of "DLP_WORDS"(int kind, const void *data, Py_ssize_t at, const unsigned char *four,
                              u64 *words, u64 *opening) noexcept

from cpython cimport array
from cpython.unicode cimport PyUnicode_READ
import array

cdef Py_ssize_t MARGIN = 60  # dlp.detect.sentences
cdef Py_ssize_t LABEL = 40  # characters of a label behind its first
cdef Py_ssize_t A_WORD = 12  # characters: dlp.detect.illness.context.reaches
cdef int FORWARD = 1, BACKWARD = 2
cdef u64 FIVE_BITS = 0x1F1F1F1F1F1F1F1FULL  # of each letter

cdef array.array PLACES = array.array("q")
cdef enum:
    LARGEST = 1 << 12  # numbers of cues for which room is kept
    FEW_STARTS = 16  # that there is room for at least
    A_STATEMENT = 32  # characters; most are longer
    LETTERS = 5  # of the first word of a phrase
    OPENING = 4  # signs with which phrases may begin
    SIGNS = 256  # that phrases may hold, if they neither begin nor end with those from 128 on
    FIRSTS = 1 << 15  # places for these
    UNDERSCORE = 1
    ALNUM = 2
cdef unsigned char KINDS[128]  # of the signs in words
for _sign in range(128):
    KINDS[_sign] = ALNUM if chr(_sign).isalnum() else UNDERSCORE if chr(_sign) == "_" else 0
cdef unsigned char BREAKS[128]  # the signs that may end a statement
for _sign in range(128):
    BREAKS[_sign] = chr(_sign) in "\t\n!.;?|"


cdef frozenset short_ends_known = None
cdef unsigned char SHORT_ENDS[128 * 128]  # by two letters: whether a short word ends in them

cdef inline u64 breaks_in(Signs *signs, Py_ssize_t at) noexcept:
    """Which of the 64 characters from here are breaks, a bit each."""
    cdef u64 found = 0
    cdef Py_ssize_t place
    cdef Py_UCS4 sign
    if at + 64 <= signs.size and signs.kind <= 2:
        return sixty_four(signs.kind, signs.data, at)
    for place in range(min(64, signs.size - at)):
        sign = PyUnicode_READ(signs.kind, signs.data, at + place)
        found |= <u64>(sign < 128 and BREAKS[sign]) << place
    return found


cdef inline bint is_alnum(Py_UCS4 sign) noexcept:
    return sign < 128 and KINDS[sign] == ALNUM


cdef inline bint blank(Py_UCS4 sign) noexcept:
    return sign == u" " or sign == u"\t" or sign == u"\n" or sign == u"\r" or sign == u"\f"


cdef inline bint letter(Py_UCS4 sign) noexcept:
    return u"A" <= sign <= u"Z" or u"a" <= sign <= u"z"


cdef inline bint digit(Py_UCS4 sign) noexcept:
    return u"0" <= sign <= u"9"


cdef inline bint in_word(Py_UCS4 sign) noexcept:
    """As \\b of RE2 has it: plain letters only."""
    return sign < 128 and KINDS[sign] != 0


cdef class Starts:
    """Where the statements of a text begin, in rising order from 0 on: numbers until somebody asks."""

    cdef long long[::1] places
    cdef Py_ssize_t many
    cdef tuple told

    def __cinit__(self, Py_ssize_t likely):
        self.places = array.clone(PLACES, max(likely, FEW_STARTS), False)
        self.places[0], self.many = 0, 1

    cdef inline int add(self, Py_ssize_t place) except -1:
        if self.many == len(self.places):
            self.places = longer(self.places)
        self.places[self.many] = place
        self.many += 1
        return 0

    def listed(self):
        """As objects, in a tuple."""
        cdef tuple made
        cdef Py_ssize_t number
        if self.told is None:
            made = PyTuple_New(self.many)
            for number in range(self.many):
                set_field(made, number, self.places[number])
            self.told = made
        return self.told


def sentence_starts(str text, frozenset short_ends, frozenset abbreviations):
    """Where statements begin; a full stop behind a short end may be that of an abbreviation."""
    cdef Signs signs = signs_of(text)
    cdef Py_ssize_t size = signs.size, at, line = 0
    cdef Py_ssize_t noted = 0  # up to here breaks are
    cdef u64 breaks = 0
    cdef Py_ssize_t free = 0  # the last break was read up to here
    cdef Py_ssize_t sentence = 0  # begins behind blanks that may hold ends of short lines
    cdef Py_ssize_t begin
    cdef bint ends
    cdef Py_UCS4 sign
    cdef Starts starts = Starts.__new__(Starts, size // A_STATEMENT)
    if short_ends is not short_ends_known:
        learn_ends(short_ends)
    while noted < size or breaks:
        if not breaks:
            breaks = breaks_in(&signs, noted)
            noted += 64
            continue
        at = noted - 64 + lowest(breaks)
        breaks &= breaks - 1
        sign = sign_at(&signs, at)
        if sentence and sentence <= at:
            starts.add(sentence)
            sentence = 0
        ends = sign == u"\n" and at - line < MARGIN
        if sign == u"\n":
            line = at + 1
        if at < free:
            pass
        elif sign == u"." or sign == u"!" or sign == u"?":
            begin = new_sentence(&signs, at + 1, &free)
            if begin and not (sign == u"." and behind_short(&signs, at)
                              and last_word(text, &signs, at) in abbreviations):
                sentence = begin
        elif sign != u"\n":
            ends, free = True, at + 1
        elif ends and letter(sign_at(&signs, at + 1)):
            pass  # a label at most, which holds no other break
        elif new_line(&signs, at + 1, &free):
            ends = True
        at += 1
        if ends and at < size and at != sentence:
            starts.add(at)
    if sentence:
        starts.add(sentence)
    return starts


cdef int learn_ends(frozenset short_ends) except -1:
    global short_ends_known
    cdef Py_ssize_t place
    for place in range(128 * 128):
        SHORT_ENDS[place] = chr(place >> 7) + chr(place & 127) in short_ends
    short_ends_known = short_ends
    return 0


cdef str last_word(str text, Signs *signs, Py_ssize_t end):
    cdef Py_ssize_t start = end
    while start > 0 and end - start < 10 and sign_at(signs, start - 1).isalpha():
        start -= 1
    return text[start:end].lower()


cdef inline bint behind_short(Signs *signs, Py_ssize_t at) noexcept:
    """Whether what stands before ends as a short word does."""
    cdef unsigned int first = sign_at(signs, at - 2), second = sign_at(signs, at - 1)
    return first < 128 and second < 128 and SHORT_ENDS[first << 7 | second]


cdef Py_ssize_t new_sentence(Signs *signs, Py_ssize_t at, Py_ssize_t *free) noexcept:
    """Where a sentence begins behind a sign that may end one, or 0."""
    cdef Py_ssize_t behind, begin
    cdef Py_UCS4 sign = sign_at(signs, at)
    while sign == u'"' or sign == u"'" or sign == u")" or sign == u"]":
        at += 1
        sign = sign_at(signs, at)
    behind = at
    while blank(sign):
        at += 1
        sign = sign_at(signs, at)
    begin = at
    if begin == behind:
        return 0
    if sign == u'"' or sign == u"'" or sign == u"(" or sign == u"[":
        at += 1
        sign = sign_at(signs, at)
    if not (u"A" <= sign <= u"Z" or digit(sign)):
        return 0
    free[0] = at + 1
    return begin


cdef bint new_line(Signs *signs, Py_ssize_t start, Py_ssize_t *free) noexcept:
    """Whether a blank line, an item of a list or a label follows a new line."""
    cdef Py_ssize_t at = start, last = 0, body
    cdef Py_UCS4 sign = sign_at(signs, at)
    while blank(sign):
        at += 1
        if sign == u"\n":
            last = at
        sign = sign_at(signs, at)
    if last:
        free[0] = last
        return 1
    at = start
    sign = sign_at(signs, at)
    while sign == u" " or sign == u"\t":
        at += 1
        sign = sign_at(signs, at)
    if sign == u"-" or sign == u"*" or sign == u"\u2022" or sign == u"\u00b7":
        body = at + 1
    elif digit(sign):
        body = at + 2 if digit(sign_at(signs, at + 1)) else at + 1
        sign = sign_at(signs, body)
        body = body + 1 if sign == u"." or sign == u")" else 0
    else:
        return label(signs, at, free)
    if body and blank(sign_at(signs, body)):
        free[0] = body + 1
        return 1
    return 0


cdef bint label(Signs *signs, Py_ssize_t at, Py_ssize_t *free) noexcept:
    cdef Py_ssize_t most = at + 1 + LABEL
    cdef Py_UCS4 sign = sign_at(signs, at)
    if not u"A" <= sign <= u"Z":
        return 0
    at += 1
    sign = sign_at(signs, at)
    while at < most and (letter(sign) or sign == u" " or sign == u"/" or sign == u"&"
                         or sign == u"'" or sign == u"-"):
        at += 1
        sign = sign_at(signs, at)
    if sign != u":":
        return 0
    free[0] = at + 1
    return 1


cdef class Heard:
    """The cues of one statement: start, end and number of each phrase."""

    cdef long long[::1] cues
    cdef Py_ssize_t many

    def __cinit__(self):
        self.cues = array.clone(PLACES, 96, False)
        self.many = 0

    cdef int add(self, Py_ssize_t start, Py_ssize_t end, int phrase) except -1:
        if self.many + 3 > len(self.cues):
            self.cues = longer(self.cues)
        self.cues[self.many], self.cues[self.many + 1] = start, end
        self.cues[self.many + 2] = phrase
        self.many += 3
        return 0


cdef class Statement:
    """The one that holds the last place asked about, and its cues."""

    cdef Starts starts
    cdef Py_ssize_t number, left, right  # which it is, and its bounds
    cdef Py_ssize_t before  # the last place
    cdef Py_ssize_t since  # the first cue that may reach it
    cdef Heard heard

    def __cinit__(self, Starts starts not None, Heard heard):
        self.starts, self.heard = starts, Heard() if heard is None else heard
        self.number, self.left, self.right, self.before, self.since = 0, 0, -1, 0, 0

    cdef int go_to(self, Py_ssize_t place, Py_ssize_t size) except -1:
        """Most places are in one of the next statements: strides from the last one double."""
        cdef long long[::1] starts = self.starts.places
        cdef Py_ssize_t low = self.number if self.left <= place else 0
        cdef Py_ssize_t many = self.starts.many, high, middle, stride = 1
        while low + stride < many and starts[low + stride] <= place:
            low += stride
            stride *= 2
        high = min(low + stride, many)
        while low + 1 < high:
            middle = (low + high) // 2
            if place < starts[middle]:
                high = middle
            else:
                low = middle
        self.number, self.left = low, starts[low]
        self.right = starts[low + 1] if low + 1 < many else size
        return 0


cdef inline unsigned int place_of(u64 letters) noexcept:
    """The place of five letters, a byte each, among the first ones; others may share it."""
    return <unsigned int>(letters * 0x9E3779B97F4A7C15ULL >> 49)


cdef inline unsigned int place_behind(u64 letters, unsigned int first, unsigned int second) noexcept:
    """The place of five letters and two signs behind a blank; all blanks are alike."""
    cdef u64 signs = (first & 31) << 5 | (0 if blank(second) else second & 31)
    return <unsigned int>((letters ^ signs << 40) * 0xD1342543DE82EF95ULL >> 49)


cdef inline void note(u64 *bits, unsigned int place) noexcept:
    bits[place >> 6] |= <u64>1 << (place & 63)


cdef inline bint has(const u64 *bits, unsigned int place) noexcept:
    return bits[place >> 6] >> (place & 63) & 1


cdef class Cues:
    """Phrases as a tree of characters; a blank in it stands for any number of them.

    `classes` gives each of the first 256 characters its column, capitals that of the small ones, and 0
    to what no phrase holds; `tree[node * width + column]` is the next node, or 0. `phrase_at[node]` is 0 or
    one more than the number of the phrase that ends there; the cues of a phrase are the rows from
    bounds[number] to bounds[number + 1] of `bits` (0: it stops others), `ways` and `reaches`.
    """

    cdef const unsigned char[::1] classes
    cdef const short[::1] tree
    cdef const int[::1] phrase_at, bounds, bits, ways, reach
    cdef int width
    cdef Py_ssize_t farthest
    cdef unsigned char opening[OPENING]  # the signs with which a phrase begins, the last repeated
    cdef u64 firsts[FIRSTS >> 6]  # a bit for the first letters of each phrase that begins with a word
    cdef u64 alone[FIRSTS >> 6]  # for those that end with that word, or go on without a blank
    cdef u64 seconds[FIRSTS >> 6]  # for the others with the two signs behind the blank
    # The tree laid out for walks, in a hundredth of the room. A number for each node: the phrase that
    # ends there, as above, its column, how many children it has, and the first; the others follow.
    cdef int roots[128]  # the first node by its column, or -1
    cdef u64[::1] nodes
    cdef Heard spare  # that nobody hears with now

    def __init__(self, classes, int width, tree, phrase_at, bounds, bits, ways, reach):
        if len(classes) != SIGNS:
            raise ValueError("classes of other signs")
        self.classes, self.width, self.tree, self.phrase_at = classes, width, tree, phrase_at
        self.bounds, self.bits, self.ways, self.reach = bounds, bits, ways, reach
        self.farthest = A_WORD * max(reach)
        cdef int sign, many = 0
        for sign in range(OPENING):
            self.opening[sign] = 0
        for sign in range(FIRSTS >> 6):
            self.firsts[sign] = self.alone[sign] = self.seconds[sign] = 0
        for sign in range(128):
            if is_alnum(sign):
                if not u"A" <= sign <= u"Z":
                    self.grow(0, sign, 0, 0)
            elif self.classes[sign] != 0 and self.tree[self.classes[sign]] != 0:
                if many == OPENING:
                    raise ValueError("phrases begin with too many signs")
                self.opening[many] = sign
                many += 1
        self.lay_out()

    cdef int lay_out(self) except -1:
        cdef list nodes = [0], known = [0], children
        cdef int place, column, child
        if self.width > 128 or len(self.phrase_at) >= 1 << 24:
            raise ValueError("too many letters or phrases")
        for place, node in enumerate(known):  # it grows: children are laid down by turns
            children = []
            for column in range(1, self.width):
                child = self.tree[<int>node * self.width + column]
                if child:
                    children.append(child)
                    nodes.append((<u64>self.phrase_at[child] << 8 | column) << 32)
            nodes[place] |= <u64>len(children) << 24 | <u64>len(known)
            known += children
        self.nodes = array.array("Q", nodes)
        for place in range(128):
            self.roots[place] = self.next_node(0, place)
        return 0

    cdef inline int next_node(self, int node, int column) except -2:
        """Where the tree goes on from a node with a letter; -1: nowhere."""
        cdef u64 told = self.nodes[node]
        cdef int first = told & 0xFFFFFF, child
        for child in range(first, first + <int>(told >> 24 & 0xFF)):
            if <int>(self.nodes[child] >> 32 & 0xFF) == column:
                return child
        return -1

    cdef int grow(self, int node, int sign, int depth, u64 before) except -1:
        """Note with which letters a phrase begins: the tree goes on with one of them at a node."""
        cdef int more, next_node, column = self.classes[sign]
        if column == 0 or self.tree[node * self.width + column] == 0:
            return 0
        node = self.tree[node * self.width + column]
        if depth < LETTERS:
            before |= (<u64>sign & 31) << 8 * depth
        if self.phrase_at[node]:
            self.note_alone(before)
        for more in range(SIGNS):
            next_node = self.tree[node * self.width + self.classes[more]] if self.classes[more] else 0
            if u"A" <= more <= u"Z":
                continue  # as the small one
            if is_alnum(more):
                self.grow(node, more, depth + 1, before)
            elif next_node and not blank(more):
                self.note_alone(before)
            elif next_node:
                self.note_seconds(next_node, before)
        return 0

    cdef inline void note_alone(self, u64 letters) noexcept:
        note(self.firsts, place_of(letters))
        note(self.alone, place_of(letters))

    cdef int note_seconds(self, int node, u64 letters) except -1:
        """Note what follows a first word and a blank, which the tree has at a node."""
        cdef int first, second, next_node
        note(self.firsts, place_of(letters))
        for first in range(SIGNS):
            next_node = self.tree[node * self.width + self.classes[first]] if self.classes[first] else 0
            if next_node:
                for second in range(SIGNS):
                    if self.phrase_at[next_node] or (
                            self.classes[second]
                            and self.tree[next_node * self.width + self.classes[second]]):
                        note(self.seconds, place_behind(letters, first, second))
        return 0

    cdef inline bint goes_on(self, Signs *signs, Py_ssize_t behind, u64 letters) noexcept:
        """Whether a phrase that begins with a word of these letters may go on as the text does."""
        if has(self.alone, place_of(letters)):
            return True
        if not blank(sign_at(signs, behind)):
            return False
        return blank(sign_at(signs, behind + 1)) or has(self.seconds, place_behind(
            letters, sign_at(signs, behind + 1), sign_at(signs, behind + 2)))

    def contexts(self, str text, Starts starts, places, list sets):
        """The contexts of each place, which begins with start and end: one of `sets`, by its bits."""
        cdef Signs signs = signs_of(text)
        cdef Statement said = self.statement(starts)
        cdef list answers = []
        for place in places:
            if not isinstance(place, tuple):
                raise TypeError("a place is a tuple")
            answers.append(sets[self.around(&signs, said, (<tuple>place)[0], (<tuple>place)[1])])
        self.leave(said.heard)
        return answers

    def findings(self, str text, Starts starts, list hits, list sets, record, str rule,
                 Py_ssize_t part, int ambiguous, sure, doubtful):
        """A finding for each hit, with its contexts; `record` is the type of one, a named tuple."""
        cdef Signs signs = signs_of(text)
        cdef Statement said = self.statement(starts)
        cdef tuple nothing = (), made
        cdef list found = []
        cdef object number = part
        check_record(record, 11)
        for hit in hits:
            if not isinstance(hit, tuple):
                raise TypeError("a hit is a tuple")
            start, end, kind, concepts, _, flags = <tuple>hit
            context = sets[self.around(&signs, said, start, end)]
            belief = doubtful if <int>flags & ambiguous else sure
            concept = (<tuple?>concepts)[0] if concepts else ""
            made = new_record(record, 11)
            set_field(made, 0, kind)
            set_field(made, 1, rule)
            set_field(made, 2, number)
            set_field(made, 3, start)
            set_field(made, 4, end)
            set_field(made, 5, belief)
            set_field(made, 6, nothing)
            set_field(made, 7, concept)
            set_field(made, 8, "")
            set_field(made, 9, "")
            set_field(made, 10, context)
            found.append(made)
        self.leave(said.heard)
        return found

    cdef Statement statement(self, Starts starts):
        """One to hear; whoever comes meanwhile gets one of its own."""
        cdef Heard heard = self.spare
        self.spare = None
        return Statement.__new__(Statement, starts, heard)

    cdef int leave(self, Heard heard) except -1:
        if len(heard.cues) <= LARGEST:
            self.spare = heard
        return 0

    cdef int around(self, Signs *signs, Statement said, Py_ssize_t start, Py_ssize_t end) except -1:
        """What the cues of its statement say of a place, as bits."""
        cdef Heard heard = said.heard
        if not said.left <= start < said.right:
            said.go_to(start, signs.size)
            self.hear(signs, said.left, said.right, heard)
            said.since = 0
        elif start < said.before:
            said.since = 0
        said.before = start
        # cues that end farther away reach no place from here on
        while said.since < heard.many and heard.cues[said.since + 1] + self.farthest < start:
            said.since += 3
        return self.meant(signs, start, end, heard, said.since) if heard.many else 0

    cdef int hear(self, Signs *signs, Py_ssize_t left, Py_ssize_t right, Heard heard) except -1:
        """Start, end and number of each phrase in a stretch, one after another, the longest.

        No phrase begins with a letter within a word: 64 characters say at once where words do.
        """
        cdef Py_ssize_t block, at, end, free = left
        cdef u64 words = 0, opening = 0, before = is_alnum(sign_at(signs, left - 1))
        cdef int phrase = 0, place
        heard.many = 0
        right = min(right, signs.size)
        for block in range(left, right, 64):
            self.look(signs, block, right, &words, &opening)
            opening |= words & ~(words << 1 | before)
            before = words >> 63
            while opening:
                place = lowest(opening)
                opening &= opening - 1
                at = block + place
                if at < free or (words >> place & 1
                                 and not self.may_open(signs, at, right, words >> place, 64 - place)):
                    continue
                end = self.longest(signs, at, right, &phrase)
                if end:
                    heard.add(at, end, phrase)
                    free = end
        return 0

    cdef inline void look(self, Signs *signs, Py_ssize_t at, Py_ssize_t right, u64 *words,
                          u64 *opening) noexcept:
        """Which of 64 characters before an end are of words, and which signs begin phrases."""
        cdef Py_ssize_t place
        cdef Py_UCS4 sign
        if at + 64 <= signs.size and signs.kind <= 2:
            words_of(signs.kind, signs.data, at, self.opening, words, opening)
        else:
            words[0] = opening[0] = 0
            for place in range(min(64, right - at)):
                sign = PyUnicode_READ(signs.kind, signs.data, at + place)
                words[0] |= <u64>is_alnum(sign) << place
                opening[0] |= <u64>(sign == self.opening[0] or sign == self.opening[1]
                                    or sign == self.opening[2] or sign == self.opening[3]) << place
        if right - at < 64:
            words[0] &= (<u64>1 << (right - at)) - 1
            opening[0] &= (<u64>1 << (right - at)) - 1

    cdef inline bint may_open(self, Signs *signs, Py_ssize_t at, Py_ssize_t right, u64 run,
                              int seen) noexcept:
        """Whether a phrase may begin with the word here; its first bits are seen."""
        cdef Py_ssize_t behind = at, size = lowest(~run) if ~run else 64
        cdef u64 letters = 0
        cdef int many = 0
        if size < seen:
            behind = at + size
        else:  # it goes on beyond
            while behind < right and is_alnum(PyUnicode_READ(signs.kind, signs.data, behind)):
                behind += 1
        size = min(behind - at, LETTERS)
        if signs.kind == 1 and at + 8 <= signs.size:
            letters = eight_at(signs.data, at) & FIVE_BITS & ~(~<u64>0 << 8 * size)
        else:
            while many < size:
                letters |= (<u64>PyUnicode_READ(signs.kind, signs.data, at + many) & 31) << 8 * many
                many += 1
        return (has(self.firsts, place_of(letters)) and sign_at(signs, at - 1) != u"_"
                and self.goes_on(signs, behind, letters))

    cdef Py_ssize_t longest(self, Signs *signs, Py_ssize_t at, Py_ssize_t right,
                            int *phrase) except -1:
        """Where the longest phrase ends that begins here, and its number; 0 if none does."""
        cdef Py_ssize_t end = 0
        cdef int node = -1, column
        cdef Py_UCS4 sign, before = 0
        while at < right:
            sign = sign_at(signs, at)
            column = self.classes[sign] if sign < SIGNS else 0
            if blank(sign) and blank(before):
                at += 1
                continue
            if column == 0:
                break
            node = self.next_node(node, column) if before else self.roots[column]
            if node < 0:
                break
            at += 1
            before = sign
            if self.nodes[node] >> 40 and not (is_alnum(sign) and in_word(sign_at(signs, at))):
                end = at
                phrase[0] = <int>(self.nodes[node] >> 40) - 1
        return end

    cdef int meant(self, Signs *signs, Py_ssize_t start, Py_ssize_t end, Heard heard,
                   Py_ssize_t since) except -1:
        """What the cues around a place say of it."""
        cdef Py_ssize_t one, first, last, left, right
        cdef int found = 0, row, phrase, way
        for one in range(since, heard.many, 3):
            first, last, phrase = heard.cues[one], heard.cues[one + 1], <int>heard.cues[one + 2]
            if last <= start:
                left, right, way = last, start, FORWARD
            elif first >= end:
                left, right, way = end, first, BACKWARD
                if right - left > self.farthest:
                    break
            else:
                continue
            for row in range(self.bounds[phrase], self.bounds[phrase + 1]):
                if (self.ways[row] & way and self.bits[row] & ~found
                        and self.reaches(signs, left, right, self.reach[row], heard, since)):
                    found |= self.bits[row]
        return found

    cdef int reaches(self, Signs *signs, Py_ssize_t left, Py_ssize_t right, Py_ssize_t words,
                     Heard heard, Py_ssize_t since) except -1:
        """Whether a cue carries over the words between it and the place."""
        cdef Py_ssize_t at, one
        cdef int row, phrase
        if right - left > words * A_WORD:
            return 0
        for at in range(left, right):
            words -= sign_at(signs, at) == u" "
        if words < 0:
            return 0
        for one in range(since, heard.many, 3):
            if heard.cues[one] >= right:
                break
            if heard.cues[one] >= left:
                phrase = <int>heard.cues[one + 2]
                for row in range(self.bounds[phrase], self.bounds[phrase + 1]):
                    if self.bits[row] == 0:
                        return 0
        return 1
