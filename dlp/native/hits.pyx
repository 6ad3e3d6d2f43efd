# cython: language_level=3, boundscheck=True, wraparound=False, initializedcheck=False
"""What is asked of every text and every term found in it, though it seldom comes to anything.

In: a text, the hits of a lexicon.  Out: where codes may be announced, where some may stand,
where a form asks for an illness, the hits that may be part of a longer mention, those to believe;
where the terms of a short list stand.

The twins are dlp.knowledge.{icd,spans} and dlp.detect.illness.{codes,filled,health,spanish}.
"""

from dlp.native.signs cimport lowest, sign_at, Signs, signs_of, u64

cdef extern from *:
    """
    /* Of 64 characters from a place, one byte each or two, a bit for each d, i or x, and c, and for
       each colon and equals sign. */
    #if defined(__SSE2__)
    #include <emmintrin.h>
    #define DLP_IS(signs, sign) _mm_cmpeq_epi8(signs, _mm_set1_epi8(sign))
    #define DLP_BITS(signs) ((unsigned long long)(unsigned int)_mm_movemask_epi8(signs))
    static inline void DLP_PAIRED(int kind, const void *data, Py_ssize_t at,
                                  unsigned long long *is_d, unsigned long long *is_i_or_x,
                                  unsigned long long *is_c, unsigned long long *is_mark) {
        int part;
        *is_d = *is_i_or_x = *is_c = *is_mark = 0;
        for (part = 0; part < 4; part++) {
            __m128i low;
            if (kind == 1)
                low = _mm_loadu_si128(
                    (const __m128i *)&((const unsigned char *)data)[at + 16 * part]);
            else {  /* what is no byte becomes the first or the last one, which are no letters */
                const unsigned short *signs_of_two = (const unsigned short *)data;
                low = _mm_packus_epi16(
                    _mm_loadu_si128((const __m128i *)&signs_of_two[at + 16 * part]),
                    _mm_loadu_si128((const __m128i *)&signs_of_two[at + 16 * part + 8]));
            }
            *is_mark |= DLP_BITS(_mm_or_si128(DLP_IS(low, ':'), DLP_IS(low, '='))) << 16 * part;
            low = _mm_or_si128(low, _mm_set1_epi8(0x20));
            *is_d |= DLP_BITS(DLP_IS(low, 'd')) << 16 * part;
            *is_i_or_x |= DLP_BITS(_mm_or_si128(DLP_IS(low, 'i'), DLP_IS(low, 'x'))) << 16 * part;
            *is_c |= DLP_BITS(DLP_IS(low, 'c')) << 16 * part;
        }
    }
    #else
    static inline void DLP_PAIRED(int kind, const void *data, Py_ssize_t at,
                                  unsigned long long *is_d, unsigned long long *is_i_or_x,
                                  unsigned long long *is_c, unsigned long long *is_mark) {
        int place;
        *is_d = *is_i_or_x = *is_c = *is_mark = 0;
        for (place = 0; place < 64; place++) {
            unsigned int sign = kind == 1 ? ((const unsigned char *)data)[at + place]
                                          : ((const unsigned short *)data)[at + place];
            unsigned int low = sign | 0x20;
            *is_mark |= (unsigned long long)(sign == ':' || sign == '=') << place;
            *is_d |= (unsigned long long)(low == 'd') << place;
            *is_i_or_x |= (unsigned long long)(low == 'i' || low == 'x') << place;
            *is_c |= (unsigned long long)(low == 'c') << place;
        }
    }
    #endif
    """
    void paired "DLP_PAIRED"(int kind, const void *data, Py_ssize_t at, u64 *is_d, u64 *is_i_or_x,
                             u64 *is_c, u64 *is_mark) noexcept

from cpython cimport array
from cpython.unicode cimport PyUnicode_READ
from libc.string cimport memset
import array

cdef array.array PLACES = array.array("q")
cdef tuple INHERITED = (  # what dlp.knowledge.spans has before "cancer" in "hereditary cancer"
    "dominant", "recessive", "linked", "familial", "hereditary", "inherited", "sporadic",
)
# The last letters of with, as, is, of, dx, for, from and an; and "a" behind anything.
cdef unsigned char ANNOUNCING[128 * 128]
memset(ANNOUNCING, 0, sizeof(ANNOUNCING))
for _pair in ("th", "as", "is", "of", "dx", "or", "om", "an"):
    ANNOUNCING[ord(_pair[0]) << 7 | ord(_pair[1])] = 1

cdef int A = ord("a"), C = ord("c"), D = ord("d"), G = ord("g"), I = ord("i"), O = ord("o"), X = ord("x")
cdef int E = ord("e"), S = ord("s")
cdef Py_ssize_t LONGEST_CODE = 8  # characters, with its dot
cdef int CAPITAL = 1, LETTER = 2, DIGIT = 4, WORD = 8
cdef unsigned char CLASSES[128]
for _sign in map(chr, range(128)):
    CLASSES[ord(_sign)] = (
        (CAPITAL if _sign.isupper() else 0)
        | (LETTER if _sign.isalpha() else 0)
        | (DIGIT if _sign.isdigit() else 0)
        | (WORD if _sign.isalnum() or _sign == "_" else 0)
    )


cdef inline int kind_of(Py_UCS4 sign) noexcept:
    return CLASSES[sign] if sign < 128 else 0


cdef inline int small_at(Signs *text, Py_ssize_t at) noexcept:
    """The same with plain letters as small ones; other signs may be taken for some."""
    return <int>sign_at(text, at) | 32


cdef Py_ssize_t announced_from(Signs *text, Py_ssize_t at) noexcept:
    """Where an announcement may begin that has its first "di" or "dx", or its "cd", up to here."""
    cdef unsigned int first = small_at(text, at - 1), second = small_at(text, at)
    if first == C and second == D:
        if small_at(text, at - 2) == I and not kind_of(sign_at(text, at - 3)) & WORD:
            return at - 2
    elif first == D and (second == I or second == X):
        if not kind_of(sign_at(text, at - 2)) & WORD and code_follows(text, at):
            return at - 1
    return -1


def code_places(str text):
    """Where codes of ICD may stand: dlp.knowledge.icd has the pattern."""
    cdef Signs signs = signs_of(text)
    cdef Py_ssize_t at = 0, end
    cdef bint before = False  # what stands before a code is no part of a word, no stop, no dash
    cdef list found = []
    cdef Py_UCS4 sign
    while at < signs.size:
        sign = PyUnicode_READ(signs.kind, signs.data, at)
        if not before and sign < 128 and kind_of(sign) & (CAPITAL | DIGIT):
            end = code_end(&signs, at)
            if end:
                found.append((at, end))
                at = end
                before = True
                continue
        before = goes_on(sign) or sign == u"."
        at += 1
    return found


def codes_near(str text, list heard, Py_ssize_t reach, Py_ssize_t chain):
    """Those of the places above that begin up to so far behind words heard, and all in their chains.

    `heard` has where words end, in rising order, as the first of each tuple; one that begins the text
    is taken as well. Whether a code stands at a place is told by the characters around it alone.
    """
    cdef Signs signs = signs_of(text)
    cdef Py_ssize_t done = 0  # up to here places are noted
    cdef list found = []
    cdef tuple one
    note_chains(&signs, 0, 0, &done, chain, found)
    for one in heard:
        note_chains(&signs, max(<Py_ssize_t>one[0], 0), <Py_ssize_t>one[0] + reach, &done, chain, found)
    return found


cdef int note_chains(Signs *text, Py_ssize_t at, Py_ssize_t last, Py_ssize_t *done,
                     Py_ssize_t chain, list found) except -1:
    """Note the chains of which a code begins from here up to the last place."""
    cdef Py_ssize_t start, end
    cdef list before
    at = max(at, done[0])
    while at <= last and at < text.size:
        end = code_at(text, at)
        if not end:
            at += 1
            continue
        before, start = [], at
        while start >= 0:  # nothing announces those before it
            start = code_before(text, start, done[0], chain, before)
        before.reverse()
        found += before
        while end:
            found.append((at, end))
            at = done[0] = end
            end = 0
            while not end and at <= done[0] + chain and at < text.size:
                end = code_at(text, at)
                at += not end
    return 0


cdef inline Py_ssize_t code_at(Signs *text, Py_ssize_t at) noexcept:
    """Where a code ends that stands here; 0: none does."""
    cdef Py_UCS4 before = sign_at(text, at - 1)
    if not kind_of(sign_at(text, at)) & (CAPITAL | DIGIT):
        return 0
    if at > 0 and (goes_on(before) or before == u"."):
        return 0
    return code_end(text, at)


cdef Py_ssize_t code_before(Signs *text, Py_ssize_t start, Py_ssize_t floor, Py_ssize_t chain,
                            list found) except -2:
    """Where the code begins that stands a chain's link before a place, which is noted; -1: none."""
    cdef Py_ssize_t at, end
    for at in range(start - 1, max(floor, start - chain - LONGEST_CODE) - 1, -1):
        end = code_at(text, at)
        if end and start - end <= chain:
            found.append((at, end))
            return at
    return -1


cdef Py_ssize_t code_end(Signs *text, Py_ssize_t at) noexcept:
    """Where a code that begins here ends, or 0. What may follow in it would go on a word: so the
    longest of each kind is the only one to try."""
    cdef Py_ssize_t end = at + 3
    if not kind_of(sign_at(text, at + 1)) & DIGIT:
        return 0
    if kind_of(sign_at(text, at)) & DIGIT:
        if not kind_of(sign_at(text, at + 2)) & DIGIT or sign_at(text, end) != u".":
            return 0
        end += 1
        while end < at + 6 and kind_of(sign_at(text, end)) & DIGIT:
            end += 1
        return end if end > at + 4 and ends_code(text, end) else 0
    if sign_at(text, at) == u"U":
        return 0
    if not (kind_of(sign_at(text, at + 2)) & DIGIT or sign_at(text, at + 2) in u"AB"):
        return 0
    if sign_at(text, end) == u".":
        end += 1
        while end < at + 8 and in_code(sign_at(text, end)):
            end += 1
        if end > at + 4 and ends_code(text, end):
            return end
        end = at + 3
    while end < at + 7 and in_code(sign_at(text, end)):
        end += 1
    return end if ends_code(text, end) else 0


cdef inline bint in_code(Py_UCS4 sign) noexcept:
    return kind_of(sign) & (CAPITAL | DIGIT) and sign != u"U"


cdef inline bint goes_on(Py_UCS4 sign) noexcept:
    """Whether a word goes on with this, or a dash stands there."""
    if sign < 128:
        return sign == u"-" or kind_of(sign) & WORD != 0
    return sign.isalnum()


cdef inline bint ends_code(Signs *text, Py_ssize_t at) noexcept:
    if goes_on(sign_at(text, at)):
        return False
    return sign_at(text, at) != u"." or not kind_of(sign_at(text, at + 1)) & DIGIT


cdef class Labels:
    """Words in small letters, with blanks and slashes, that ask for something in a form."""

    cdef list endings  # the labels that end alike, the longest first
    cdef unsigned char numbers[128 * 128]  # by their last two letters: one more than the number

    def __init__(self, list labels):
        cdef dict alike = {}
        cdef str label
        cdef int place
        for label in sorted(set(labels), key=len, reverse=True):
            if len(label) < 2 or not label.isascii() or not label.islower():
                raise ValueError("no label")
            alike.setdefault(label[len(label) - 2 :], []).append(label)
        if len(alike) > 255:
            raise ValueError("too many endings")
        self.endings = [alike[two] for two in alike]
        for place in range(128 * 128):
            self.numbers[place] = 0
        for place, two in enumerate(alike, 1):
            self.numbers[<int>ord(two[0]) << 7 | <int>ord(two[1])] = place

    def look(self, str text, Py_ssize_t leaders, Py_ssize_t held, Py_ssize_t longest):
        """Where codes may be announced, and the labels of a text as pairs of places, each in order.

        Announced: "ICD", "diagnosis code", "dx: F33"; more than are. Of labels, where they begin and
        where what is written behind them does, as the pattern has it: a colon or an equals sign is
        behind a label, with up to so many blanks and full stops between, and a bracket that may hold
        so many characters. Of two that overlap the first one counts: a bracket may hold another. No
        form is longer than the longest.
        """
        cdef Signs signs = signs_of(text)
        cdef bint is_form = signs.size <= longest
        cdef Py_ssize_t at = 0, place, start
        cdef u64 is_d = 0, is_i_or_x = 0, is_c = 0, d_before = 0, c_before = 0, pairs, marks = 0
        cdef list announced = [], asked = []
        while signs.kind <= 2 and at + 64 <= signs.size:
            paired(signs.kind, signs.data, at, &is_d, &is_i_or_x, &is_c, &marks)
            # a bit for the second letter of each "di", "dx" and "cd"
            pairs = (is_d << 1 | d_before) & is_i_or_x | (is_c << 1 | c_before) & is_d
            d_before, c_before = is_d >> 63, is_c >> 63
            while pairs:
                start = announced_from(&signs, at + lowest(pairs))
                if start >= 0:
                    announced.append(start)
                pairs &= pairs - 1
            while marks and is_form:
                self.ask(&signs, at + lowest(marks), leaders, held, asked)
                marks &= marks - 1
            at += 64
        for place in range(at, signs.size):
            start = announced_from(&signs, place)
            if start >= 0:
                announced.append(start)
            if is_form and (sign_at(&signs, place) == u":" or sign_at(&signs, place) == u"="):
                self.ask(&signs, place, leaders, held, asked)
        return announced, asked

    cdef int ask(self, Signs *signs, Py_ssize_t at, Py_ssize_t leaders, Py_ssize_t held,
                 list found) except -1:
        """Note the label that has its sign here, if there is one."""
        cdef Py_ssize_t start = self.begins(signs, at, leaders, held), behind = at + 1
        if start < 0:
            return 0
        while sign_at(signs, behind) == u" " or sign_at(signs, behind) == u"\t":
            behind += 1
        while found and <Py_ssize_t>(<tuple>found[len(found) - 1])[1] > start:
            found.pop()
        found.append((start, behind))
        return 0

    cdef Py_ssize_t begins(self, Signs *text, Py_ssize_t at, Py_ssize_t leaders,
                           Py_ssize_t held) except -2:
        """Where the label begins that has its sign here; -1: there is none."""
        cdef Py_ssize_t end = at, place, start, first = -1
        cdef Py_UCS4 sign
        while at - end < leaders and (
                sign_at(text, end - 1) == u" " or sign_at(text, end - 1) == u"."):
            end -= 1
        if sign_at(text, end - 1) != u")":
            return self.before(text, end)
        for place in range(end - 2, max(-1, end - 3 - held), -1):
            sign = sign_at(text, place)
            if sign == u")" or sign == u"\n":
                break
            if sign == u"(" and sign_at(text, place - 1) == u" ":
                start = self.before(text, place - 1)
                if start >= 0:
                    first = start
        return first

    cdef Py_ssize_t before(self, Signs *text, Py_ssize_t end) except -2:
        """Where the longest label begins that ends here, as a word; -1: there is none."""
        cdef unsigned int first = plain(sign_at(text, end - 2)), second = plain(sign_at(text, end - 1))
        cdef Py_ssize_t place, size
        cdef str label
        if first >= 128 or second >= 128 or not self.numbers[first << 7 | second]:
            return -1
        for label in <list>self.endings[self.numbers[first << 7 | second] - 1]:
            size = len(label)
            place = size - 2
            while place and end - size >= 0 and (
                    plain(sign_at(text, end - size + place - 1)) == <unsigned int>label[place - 1]):
                place -= 1
            # a word begins between two signs of which one is in words, as RE2 has it
            if not place and end >= size and (
                    (kind_of(sign_at(text, end - size)) & WORD == 0)
                    != (kind_of(sign_at(text, end - size - 1)) & WORD == 0)):
                return end - size
        return -1


def opening(str text, list asked, Py_ssize_t bullet):
    """Of labels those that open a field: behind a tab, two blanks or nothing on their line, but for
    so many signs that may number them."""
    cdef Signs signs = signs_of(text)
    cdef list found = []
    cdef tuple one
    for one in asked:
        if opens(&signs, one[0], bullet):
            found.append(one)
    return found


cdef bint opens(Signs *text, Py_ssize_t at, Py_ssize_t bullet) noexcept:
    cdef Py_ssize_t last = at - bullet
    cdef Py_UCS4 before
    while at > 0:
        before = sign_at(text, at - 1)
        if before == u"\n" or before == u"\t":
            return 1
        if before == u" " and at > 1 and sign_at(text, at - 2) == u" ":
            return 1
        if at == last or not (before == u" " or before == u"." or before == u")" or before == u"*"
                              or before == u"\u2022" or before == u"-" or before.isdecimal()):
            return 0
        at -= 1
    return 1


cdef inline unsigned int plain(Py_UCS4 sign) noexcept:
    """As a small letter; RE2 takes two other signs for an s and a k."""
    if u"A" <= sign <= u"Z":
        return <unsigned int>sign + 32
    return 0x73 if sign == 0x17F else 0x6B if sign == 0x212A else <unsigned int>sign


cdef bint code_follows(Signs *text, Py_ssize_t at) noexcept:
    """Whether a code or that word follows the word that goes on here, if it is "dx" or "diag"."""
    cdef Py_ssize_t blanks, most = at + 12
    if small_at(text, at) == I and (small_at(text, at + 1) != A or small_at(text, at + 2) != G):
        return 0
    while at < most and may_be_letter(sign_at(text, at)):
        at += 1
    if sign_at(text, at) == u"." or sign_at(text, at) == u":":
        at += 1
    blanks = at
    while at < blanks + 4 and (sign_at(text, at) == u" " or sign_at(text, at) == u"\t"):
        at += 1
    if at == blanks or not may_be_letter(sign_at(text, at)):
        return 0
    if kind_of(sign_at(text, at + 1)) & kind_of(sign_at(text, at + 2)) & DIGIT:
        return 1
    return small_at(text, at) == C and small_at(text, at + 1) == O


cdef inline bint may_be_letter(Py_UCS4 sign) noexcept:
    """Signs beyond the plain ones too: RE2 takes some for letters in another case."""
    return sign >= 128 or kind_of(sign) & LETTER != 0


cdef bint has_head(str text, Signs *signs, Py_ssize_t at) except? True:
    """Whether "type", "disease" or "syndrome" begins here."""
    cdef Py_UCS4 sign = sign_at(signs, at)
    if sign == u"t":
        return text[at : at + 4] == u"type"
    if sign == u"d":
        return text[at : at + 7] == u"disease"
    return sign == u"s" and text[at : at + 8] == u"syndrome"


cdef bint behind_name(Signs *text, Py_ssize_t start) noexcept:
    """Whether a word with a capital may stand before, with an apostrophe or without, and one sign."""
    cdef Py_ssize_t at = start - 2
    cdef Py_UCS4 sign = sign_at(text, start - 1)
    if sign != u"-" and not sign.isspace():
        return 0
    sign = sign_at(text, at)
    if not u"a" <= sign <= u"z":
        return 0
    while u"a" <= sign <= u"z" or sign == u"'" or sign == u"\u2019":
        at -= 1
        sign = sign_at(text, at)
    return u"A" <= sign <= u"Z"


cdef bint ends_in(Signs *text, Py_ssize_t end, tuple words) except? True:
    """Whether one of these ends here, in any case; other than plain signs may stand for letters."""
    cdef Py_ssize_t place, size
    cdef Py_UCS4 sign
    cdef str word
    for word in words:
        size = len(word)
        place = 0
        while place < size and place < end:
            sign = sign_at(text, end - 1 - place)
            if sign < 128 and <unsigned int>sign | 32 != <unsigned int>word[size - 1 - place]:
                break
            place += 1
        if place == size:
            return 1
    return 0


cdef bint has_blank(Signs *text, Py_ssize_t start, Py_ssize_t end) noexcept:
    cdef Py_ssize_t at
    for at in range(start, end):
        if sign_at(text, at) == u" ":
            return 1
    return 0


# The last three letters of words before a hit, a byte each: first those that link it to another, then
# those that say it is inherited.
cdef enum:
    MOST_ENDS = 32
cdef unsigned int ENDS[MOST_ENDS]
cdef int LINKING = 0, ALL_ENDS = 0
cdef unsigned char BEFORE_ENDS[128]  # by the last letter: whether to look which they are
cdef frozenset linking_known = None, inherited_known = None


cdef int learn_before(frozenset linking, frozenset inherited) except -1:
    global linking_known, inherited_known, LINKING, ALL_ENDS
    cdef list ends = [*linking, *inherited]
    cdef int place
    if len(ends) > MOST_ENDS or not all([len(end) == 3 and end.isascii() for end in ends]):
        raise ValueError("other ends")
    for place in range(128):
        BEFORE_ENDS[place] = any([ord(end[2]) == place for end in ends])
    for place, end in enumerate(ends):
        ENDS[place] = ord(end[0]) | <unsigned int>ord(end[1]) << 8 | <unsigned int>ord(end[2]) << 16
    LINKING, ALL_ENDS = <int>len(linking), <int>len(ends)
    linking_known, inherited_known = linking, inherited
    return 0


def may_widen(str text, list hits, tuple illness, tuple eponyms, frozenset linking,
              frozenset inherited):
    """The numbers of the hits that may be part of a longer mention."""
    cdef Signs signs = signs_of(text)
    cdef Py_ssize_t number = -1, start, end
    cdef list found = []
    cdef Py_UCS4 sign
    disease, symptom = illness
    if linking is not linking_known or inherited is not inherited_known:
        learn_before(linking, inherited)
    for one in hits:
        number += 1
        first, last, kind, _, _, _ = fields(one)
        if kind is not disease and kind is not symptom:
            continue
        start, end = first, last
        if end + 2 < signs.size and sign_at(&signs, end).isspace() and has_head(text, &signs, end + 1):
            found.append(number)
            continue
        if start > 4:
            sign = sign_at(&signs, start - 1)
            if sign == u"/" or sign == u"-":
                if has_blank(&signs, start, end):
                    found.append(number)
                    continue
            sign = sign_at(&signs, start - 2)
            if sign < 128 and BEFORE_ENDS[sign] and ends_before(&signs, start, end):
                found.append(number)
                continue
        if (sign_at(&signs, start).isupper() and behind_name(&signs, start)
                and text[start:end].endswith(eponyms)):
            found.append(number)
    return found


cdef bint ends_before(Signs *signs, Py_ssize_t start, Py_ssize_t end) except? True:
    """Whether the word before says that a hit is inherited, or is linked to a partner."""
    cdef unsigned int first = sign_at(signs, start - 4), second = sign_at(signs, start - 3)
    cdef unsigned int third = sign_at(signs, start - 2)
    cdef int place
    if first >= 128 or second >= 128:
        return False
    for place in range(ALL_ENDS):
        if ENDS[place] == (first | second << 8 | third << 16):
            if place < LINKING:
                return has_blank(signs, start, end)
            return ends_in(signs, start - 1, INHERITED)
    return False


cdef inline tuple fields(hit):
    """A hit as the tuple it is, whatever its name."""
    if not isinstance(hit, tuple):
        raise TypeError("a hit is a tuple")
    return <tuple>hit


def believable(str text, list hits, tuple kinds, disease, int ambiguous, Py_ssize_t company,
               tuple announced, tuple lettered, is_believed):
    """Hits of these kinds that are plain, near a plain one, or believed for another reason.

    `is_believed` is asked where the words of a hit or the characters before may speak for it:
    `announced` has their number and the words one of which is among them; `lettered` as well, for
    illnesses in capitals, and the words with which they may end instead.
    """
    cdef Signs signs = signs_of(text)
    cdef Py_ssize_t count = 0, near = 0, start, end
    cdef long long[::1] plain = array.clone(PLACES, len(hits) + 1, False)
    cdef list health = [], kept = []
    for one in hits:
        first, _, kind, _, _, flags = fields(one)
        if is_any(kind, kinds):
            health.append(one)
            if not <int>flags & ambiguous:
                plain[count] = first
                count += 1
    if count == len(health):
        return health
    for one in health:
        first, last, kind, _, _, flags = fields(one)
        if <int>flags & ambiguous:
            start, end = first, last
            while near and plain[near - 1] >= start - company:
                near -= 1
            while near < count and plain[near] < start - company:
                near += 1
            if not (near < count and plain[near] <= end + company):
                if not (kind is disease and has_blank(&signs, start, end)):
                    if not (may_announce_one(text, &signs, start, announced[0], announced[1])
                            or (kind is disease and is_loud(&signs, start, end)
                                and may_letter(text, start, lettered))):
                        continue
                    if not is_believed(text, one):
                        continue
        kept.append(one)
    return kept


cdef inline bint is_any(kind, tuple kinds):
    for one in kinds:
        if kind is one:
            return True
    return False


cdef bint is_loud(Signs *text, Py_ssize_t start, Py_ssize_t end) noexcept:
    """Whether no small letter stands here."""
    cdef Py_ssize_t at
    for at in range(start, end):
        if sign_at(text, at).islower():
            return 0
    return 1


cdef int may_announce_one(str text, Signs *signs, Py_ssize_t start, Py_ssize_t reach,
                          tuple words) except -1:
    """Whether the words before a place may end as "diagnosed with" does."""
    cdef Py_ssize_t end = start, floor = max(0, start - reach)
    cdef str before
    cdef unsigned int first, second
    while end > floor and (
            sign_at(signs, end - 1) == u":" or sign_at(signs, end - 1).isspace()):
        end -= 1
    if text.isascii():
        if end == floor:
            return 0
        first, second = small_at(signs, end - 2) if end - 1 > floor else 0, small_at(signs, end - 1)
        if second != A and not ANNOUNCING[(first << 7 | second) & 0x3FFF]:
            return 0
        return has_any(text[floor:start].lower(), words)
    before = text[floor:start]
    return stands_for_plain(before) or has_any(before.lower(), words)


cdef int may_letter(str text, Py_ssize_t start, tuple lettered) except -1:
    """Whether dlp.detect.illness.health.LETTERED may match: a blank or a colon is before a place."""
    cdef Py_ssize_t floor = max(0, start - <Py_ssize_t>lettered[0])
    cdef str before, low
    if start == floor or not (text[start - 1] == u":" or text[start - 1].isspace()):
        return 0
    before = text[floor:start]
    low = before.lower()
    return (stands_for_plain(before) or has_any(low, lettered[1])
            or low.rstrip().endswith(lettered[2]))


cdef int stands_for_plain(str text) except -1:
    """Whether signs are here that patterns which ignore case take for an i, an s or a k."""
    return not text.isascii() and has_any(text, (u"\u0130", u"\u0131", u"\u017f", u"\u212a"))


cdef int has_any(str text, tuple words) except -1:
    for word in words:
        if <str?>word in text:
            return 1
    return 0


cdef enum:
    FOLDED = 0x250  # characters of which is known what they are folded to
    ALNUM = 0x80  # beside the plain letter or digit, if it is one


cdef unsigned int bit_of(bytes term, Py_ssize_t place) except? 0:
    """A bit for a character of a term; all of them where it has ended, whatever follows then."""
    return 1 << (<unsigned char>term[place] & 31) if place < len(term) else 0xFFFFFFFF


cdef class Listed:
    """A short list of plain terms, each of two characters or more, the first a letter or digit.

    `folds` has for the first characters the plain one they stand for, or 0, and whether that is a
    letter or digit; `fold` is asked for the others.
    """

    cdef unsigned char folds[FOLDED]
    cdef object fold
    cdef list terms  # in order: those that begin alike stand together
    cdef int first[128 * 128]  # by their first two characters: the first of them, or -1
    # by these as well a bit for each third and each fourth character, by its last five bits
    cdef unsigned int thirds[128 * 128]
    cdef unsigned int fourths[128 * 128]

    def __init__(self, list terms, const unsigned char[::1] folds, fold):
        cdef int place, number = len(terms)
        cdef bytes term
        if len(folds) != FOLDED or sorted(terms) != terms:
            raise ValueError("another table")
        for place in range(FOLDED):
            self.folds[place] = folds[place]
        for place in range(128 * 128):
            self.first[place], self.thirds[place], self.fourths[place] = -1, 0, 0
        for term in reversed(terms):
            number -= 1
            if len(term) < 2 or not term.isascii() or not term[:1].isalnum():
                raise ValueError("a term too short, or not plain")
            place = <unsigned char>term[0] << 7 | <unsigned char>term[1]
            self.first[place] = number
            self.thirds[place] |= bit_of(term, 2)
            self.fourths[place] |= bit_of(term, 3)
        self.terms, self.fold = terms, fold

    cdef inline int folded(self, Signs *signs, Py_ssize_t at) except -1:
        cdef unsigned int sign = sign_at(signs, at)
        return self.folds[sign] if sign < FOLDED else <int>self.fold(chr(sign))

    def places(self, str text):
        """Start, end and number of each term that stands as a word, in the plural too."""
        cdef Signs signs = signs_of(text)
        cdef Py_ssize_t at
        cdef int here, two, number
        cdef bint inside = False
        cdef list found = []
        for at in range(signs.size):
            here = self.folded(&signs, at)
            if here & ALNUM and not inside and at + 1 < signs.size:
                two = (here & 127) << 7 | self.folded(&signs, at + 1) & 127
                number = self.first[two]
                if number >= 0 and self.may_go_on(&signs, at, two):
                    self.compare(&signs, at, number, found)
            inside = here & ALNUM != 0
        return found

    cdef inline int may_go_on(self, Signs *signs, Py_ssize_t at, int two) except -1:
        """Whether a term that begins with these two characters may go on as the text does."""
        return (self.thirds[two] >> (self.folded(signs, at + 2) & 31)
                & self.fourths[two] >> (self.folded(signs, at + 3) & 31) & 1)

    cdef int compare(self, Signs *signs, Py_ssize_t start, int number, list found) except -1:
        """Note the terms that stand here, of those that begin as this one does."""
        cdef bytes term = self.terms[number], other
        cdef Py_ssize_t place, size
        cdef unsigned char first = term[0], second = term[1]
        while True:
            size = len(term)
            place = 2
            while (place < size and start + place < signs.size
                   and self.folded(signs, start + place) & 127 == <unsigned char>term[place]):
                place += 1
            if place == size and self.ends(signs, start + size):
                found.append((start, start + size, number))
            number += 1
            if number == len(self.terms):
                return 0
            term = self.terms[number]
            if <unsigned char>term[0] != first or <unsigned char>term[1] != second:
                return 0

    cdef bint ends(self, Signs *signs, Py_ssize_t end) except? True:
        """Whether a word ends here, or behind the ending of a plural."""
        cdef int sign
        if not self.goes_on(signs, end):
            return True
        sign = self.folded(signs, end) & 127
        if sign == S:
            return not self.goes_on(signs, end + 1)
        return (sign == E and self.goes_on(signs, end + 1)
                and self.folded(signs, end + 1) & 127 == S and not self.goes_on(signs, end + 2))

    cdef inline bint goes_on(self, Signs *signs, Py_ssize_t at) except? True:
        return at < signs.size and self.folded(signs, at) & ALNUM != 0
