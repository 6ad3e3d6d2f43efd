# cython: language_level=3, boundscheck=True, wraparound=False, initializedcheck=False
"""What is asked of every text and every term found in it, though it seldom comes to anything.

In: a text, the hits of a lexicon.  Out: whether codes may be announced, where some may stand,
where a form may ask for an illness, the hits that may be part of a longer mention, those to believe, findings.

The twins are dlp.knowledge.{icd,spans} and dlp.detect.illness.{codes,filled,health}.
"""

cdef extern from *:
    """
    #pragma GCC optimize ("O3")  /* loops over eight characters are written out */
    """

from cpython cimport array
from cpython.unicode cimport PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_KIND, PyUnicode_READ
import array

ctypedef unsigned long long u64

cdef array.array PLACES = array.array("q")
cdef object new_tuple = tuple.__new__
cdef tuple INHERITED = (  # what dlp.knowledge.spans has before "cancer" in "hereditary cancer"
    "dominant", "recessive", "linked", "familial", "hereditary", "inherited", "sporadic",
)
# The last letters of with, as, is, of, dx, for, from and an; and "a" behind anything.
cdef frozenset ANNOUNCING = frozenset(("th", "as", "is", "of", "dx", "or", "om", "an"))

cdef int A = ord("a"), C = ord("c"), D = ord("d"), G = ord("g"), I = ord("i"), O = ord("o"), X = ord("x")
cdef unsigned int DI = D << 8 | I, DX = D << 8 | X, CD = C << 8 | D
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


cdef inline int small_at(str text, Py_ssize_t at) except -1:
    """The same with plain letters as small ones; other signs may be taken for some."""
    return <int>sign_at(text, at) | 32


cdef inline Py_UCS4 sign_at(str text, Py_ssize_t at) except? 0xFFFF:
    """The character at a place; NUL, which nothing here looks for, before the text and behind it."""
    return text[at] if 0 <= at < len(text) else 0


cdef frozenset label_ends_known = None
cdef unsigned char LABEL_ENDS[128 * 128]  # by two letters: whether a label ends in them

cdef enum:  # letters of "icd", "dx" and "diag"
    IS_D = 1
    IS_I_OR_X = 2
    IS_C = 4
cdef unsigned char PAIRED[128]
for _sign in range(128):
    PAIRED[_sign] = {"d": IS_D, "i": IS_I_OR_X, "x": IS_I_OR_X, "c": IS_C}.get(chr(_sign).lower(), 0)
cdef u64 ONES = 0x0101010101010101ULL


cdef inline u64 has_pair(int kind, const void *data, Py_ssize_t at) noexcept:
    """Whether "di", "dx" or "cd" may stand in the eight characters from here; others may seem to."""
    cdef u64 eight = 0, is_d
    cdef int place
    if kind == 1:
        for place in range(8):
            eight |= <u64>PAIRED[<unsigned int>PyUnicode_READ(1, data, at + place) & 127] << 8 * place
    elif kind == 2:
        for place in range(8):
            eight |= <u64>PAIRED[<unsigned int>PyUnicode_READ(2, data, at + place) & 127] << 8 * place
    else:
        return 1
    is_d = eight & ONES
    return is_d & (eight >> 9) | (eight >> 2) & (is_d >> 8) & ONES


def may_announce(str text):
    """Whether codes may be announced: "ICD", "diagnosis code", "dx: F33"; more than are."""
    cdef Py_ssize_t at = 0, one, size = PyUnicode_GET_LENGTH(text)
    cdef int kind = PyUnicode_KIND(text)
    cdef const void *data = PyUnicode_DATA(text)
    while at + 8 <= size:
        if has_pair(kind, data, at):
            for one in range(at + 1, at + 8):
                if announces_at(text, one):
                    return True
        at += 7  # the last of these is the first of the next
    for one in range(at + 1, size):
        if announces_at(text, one):
            return True
    return False


cdef int announces_at(str text, Py_ssize_t at) except -1:
    """Whether an announcement may have its first "di" or "dx", or its "cd", up to here."""
    cdef unsigned int two = (small_at(text, at - 1) & 0xFF) << 8 | small_at(text, at) & 0xFF
    if two == CD:
        return small_at(text, at - 2) == I and not kind_of(sign_at(text, at - 3)) & WORD
    if two != DI and two != DX:
        return 0
    return not kind_of(sign_at(text, at - 2)) & WORD and code_follows(text, at)


def code_places(str text):
    """Where codes of ICD may stand: dlp.knowledge.icd has the pattern."""
    cdef Py_ssize_t at = 0, end, size = len(text)
    cdef bint before = False  # what stands before a code is no part of a word, no stop, no dash
    cdef list found = []
    cdef Py_UCS4 sign
    while at < size:
        sign = text[at]
        if not before and sign < 128 and kind_of(sign) & (CAPITAL | DIGIT):
            end = code_end(text, at)
            if end:
                found.append((at, end))
                at = end
                before = True
                continue
        before = goes_on(sign) or sign == u"."
        at += 1
    return found


cdef Py_ssize_t code_end(str text, Py_ssize_t at) except -1:
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


cdef inline bint ends_code(str text, Py_ssize_t at) except? True:
    if goes_on(sign_at(text, at)):
        return False
    return sign_at(text, at) != u"." or not kind_of(sign_at(text, at + 1)) & DIGIT


def asking(str text, Py_ssize_t most, frozenset ends, Py_ssize_t longest, Py_ssize_t opening):
    """The stretches in which a label may stand that ends in one of `ends`, and that opens a field.

    A colon or an equals sign is behind it, up to `longest` characters from its first. Up to `most`
    blanks and full stops may stand between; what stands in a bracket before the sign is not looked
    at. A line, a tab or two blanks is at most `opening` characters before the sign of one of them.
    Labels that may overlap are in one stretch, which begins at no place within a word.
    """
    cdef Py_ssize_t colon = text.find(u":"), equals = text.find(u"="), at, begin, start = 0, end = -1
    cdef Py_ssize_t size = len(text)
    cdef bint opens = False
    cdef list found = []
    if ends is not label_ends_known:
        learn_ends(ends)
    while colon >= 0 or equals >= 0:
        if equals < 0 or 0 <= colon < equals:
            at, colon = colon, text.find(u":", colon + 1)
        else:
            at, equals = equals, text.find(u"=", equals + 1)
        if not may_ask(text, at, most, ends):
            continue
        begin = max(0, at - longest)
        while begin > end and begin and kind_of(text[begin - 1]) & WORD:
            begin -= 1
        if begin > end:
            if opens:
                found.append((start, end))
            start, opens = begin, False
        opens = opens or opens_field(text, at, opening)
        end = at + 1
        while end < size and (text[end] == u" " or text[end] == u"\t"):
            end += 1
    if opens:
        found.append((start, end))
    return found


cdef int learn_ends(frozenset ends) except -1:
    global label_ends_known
    cdef Py_ssize_t place
    cdef set two = {end[len(end) - 2 :] for end in ends}
    for place in range(128 * 128):
        LABEL_ENDS[place] = (chr(place >> 7) + chr(place & 127)).lower() in two
    label_ends_known = ends
    return 0


cdef bint opens_field(str text, Py_ssize_t at, Py_ssize_t opening) except? True:
    """Whether a line, a tab or two blanks is this near before a place, or the text begins."""
    cdef Py_ssize_t one
    for one in range(at - 1, max(-1, at - 1 - opening), -1):
        if text[one] == u"\n" or text[one] == u"\t":
            return True
        if text[one] == u" " and sign_at(text, one - 1) == u" ":
            return True
    return at <= opening


cdef bint may_ask(str text, Py_ssize_t at, Py_ssize_t most, frozenset ends) except? True:
    cdef Py_ssize_t end = at, size
    cdef unsigned int first, second
    cdef str last
    while end > 0 and at - end < most and (text[end - 1] == u" " or text[end - 1] == u"."):
        end -= 1
    if not end:
        return False
    if text[end - 1] == u")":
        return True
    first, second = sign_at(text, end - 2), sign_at(text, end - 1)
    if first < 128 and second < 128 and not LABEL_ENDS[(first & 127) << 7 | second]:
        return False
    last = text[max(0, end - 7) : end]
    if u"\u017f" in last or u"\u212a" in last:  # RE2 takes them for an s and a k
        return True
    last = last.lower()
    for size in (7, 5, 4, 2):
        if last[max(0, len(last) - size) :] in ends:
            return True
    return False


cdef int code_follows(str text, Py_ssize_t at) except -1:
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


cdef inline tuple fields(hit):
    """A hit as the tuple it is, whatever its name."""
    if not isinstance(hit, tuple):
        raise TypeError("a hit is a tuple")
    return <tuple>hit


cdef int has_head(str text, Py_ssize_t at) except -1:
    """Whether "type", "disease" or "syndrome" begins here."""
    cdef Py_UCS4 sign = text[at]
    if sign == u"t":
        return text[at : at + 4] == u"type"
    if sign == u"d":
        return text[at : at + 7] == u"disease"
    return sign == u"s" and text[at : at + 8] == u"syndrome"


cdef int behind_name(str text, Py_ssize_t start) except -1:
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


cdef int ends_in(str text, Py_ssize_t end, tuple words) except -1:
    """Whether one of these ends here, in any case; other than plain signs may stand for letters."""
    cdef Py_ssize_t place, size
    cdef Py_UCS4 sign
    cdef str word
    for word in words:
        size = len(word)
        place = 0
        while place < size and place < end:
            sign = text[end - 1 - place]
            if sign < 128 and <unsigned int>sign | 32 != <unsigned int>word[size - 1 - place]:
                break
            place += 1
        if place == size:
            return 1
    return 0


def may_widen(str text, list hits, tuple illness, tuple eponyms, frozenset linking,
              frozenset inherited):
    """The numbers of the hits that may be part of a longer mention."""
    cdef Py_ssize_t number = -1, start, end, size = len(text)
    cdef list found = []
    cdef Py_UCS4 sign
    cdef bint wanted
    cdef tuple hit
    for one in hits:
        hit = fields(one)
        number += 1
        kind = hit[2]
        if kind is not illness[0] and kind is not illness[1]:
            continue
        start, end = hit[0], hit[1]
        wanted = end + 2 < size and text[end].isspace() and has_head(text, end + 1)
        if not wanted and start > 4:
            sign = text[start - 1]
            before = text[start - 4 : start - 1]
            wanted = (before in inherited and ends_in(text, start - 1, INHERITED)) or (
                (sign == u"/" or sign == u"-" or before in linking) and u" " in text[start:end])
        if not wanted:
            wanted = (sign_at(text, start).isupper() and behind_name(text, start)
                      and text[start:end].endswith(eponyms))
        if wanted:
            found.append(number)
    return found


def believable(str text, list hits, tuple kinds, disease, int ambiguous, Py_ssize_t company,
               tuple announced, tuple lettered, is_believed):
    """Hits of these kinds that are plain, near a plain one, or believed for another reason.

    `is_believed` is asked where the words of a hit or the characters before may speak for it:
    `announced` has their number and the words one of which is among them; `lettered` as well, for
    illnesses in capitals, and the words with which they may end instead.
    """
    cdef Py_ssize_t count = 0, near = 0, start, end
    cdef long long[::1] plain = array.clone(PLACES, len(hits) + 1, False)
    cdef list health = [], kept = []
    cdef tuple hit
    for one in hits:
        hit = fields(one)
        if is_any(hit[2], kinds):
            health.append(hit)
            if not <int>hit[5] & ambiguous:
                plain[count] = hit[0]
                count += 1
    if count == len(health):
        return health
    for one in health:
        hit = <tuple>one
        if <int>hit[5] & ambiguous:
            start, end = hit[0], hit[1]
            while near and plain[near - 1] >= start - company:
                near -= 1
            while near < count and plain[near] < start - company:
                near += 1
            if not (near < count and plain[near] <= end + company):
                if not (hit[2] is disease and u" " in text[start:end]):
                    if not (may_announce_one(text, start, announced[0], announced[1])
                            or (hit[2] is disease and is_loud(text, start, end)
                                and may_letter(text, start, lettered))):
                        continue
                    if not is_believed(text, hit):
                        continue
        kept.append(hit)
    return kept


cdef inline bint is_any(kind, tuple kinds):
    for one in kinds:
        if kind is one:
            return True
    return False


cdef int is_loud(str text, Py_ssize_t start, Py_ssize_t end) except -1:
    """Whether no small letter stands here."""
    cdef Py_ssize_t at
    for at in range(start, end):
        if text[at].islower():
            return 0
    return 1


cdef int may_announce_one(str text, Py_ssize_t start, Py_ssize_t reach, tuple words) except -1:
    """Whether the words before a place may end as "diagnosed with" does; other letters may, always."""
    cdef Py_ssize_t end = start, floor = max(0, start - reach)
    cdef str before
    while end > floor and (text[end - 1] == u":" or text[end - 1].isspace()):
        end -= 1
    before = text[floor:start]
    if not before.isascii():
        return 1
    if end == floor:
        return 0
    if small_at(text, end - 1) != A and text[max(floor, end - 2) : end].lower() not in ANNOUNCING:
        return 0
    return has_any(before.lower(), words)


cdef int may_letter(str text, Py_ssize_t start, tuple lettered) except -1:
    """As dlp.detect.illness.health.may_letter has it."""
    cdef str before = text[max(0, start - <Py_ssize_t>lettered[0]) : start], low
    if not before.isascii():
        return 1
    low = before.lower()
    return has_any(low, lettered[1]) or low.rstrip().endswith(lettered[2])


cdef int has_any(str text, tuple words) except -1:
    for word in words:
        if <str?>word in text:
            return 1
    return 0


def findings(record, str rule, Py_ssize_t part, list hits, list contexts, int ambiguous, sure,
             doubtful):
    """A finding for each hit and its context; `record` is the type of one, a named tuple."""
    cdef Py_ssize_t number = -1
    cdef tuple nothing = ()
    cdef list found = []
    cdef tuple hit
    for one in hits:
        hit = fields(one)
        number += 1
        concepts = hit[3]
        found.append(new_tuple(record, (
            hit[2], rule, part, hit[0], hit[1], doubtful if <int>hit[5] & ambiguous else sure,
            nothing, concepts[0] if concepts else "", "", "", contexts[number])))
    return found
