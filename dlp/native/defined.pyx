# cython: language_level=3, boundscheck=True, wraparound=False, initializedcheck=False
"""The short forms that a text defines in brackets, and where it uses them.

In: a text, a short form.  Out: brackets that may hold one; the span of each long form; places; the
terms of a text with what it says they mean.

The twins are dlp.knowledge.{abbreviations,defined}. Around a bracket at most `reach` characters are
looked at, so all of it is linear in the text.
"""

from dlp.native.records cimport check_record, new_record, set_field
from dlp.native.signs cimport sign_at, Signs, signs_of

cdef extern from "Python.h":
    Py_ssize_t PyUnicode_FindChar(object, Py_UCS4, Py_ssize_t, Py_ssize_t, int) except -2

cdef enum:
    RUN = 1  # may stand in a short form
    LETTER = 2
    CAPITAL = 4
    PLAIN = 8  # a letter or a digit
    MOST_SIGNS = 16  # in a short form
cdef unsigned char CLASSES[128]
for _sign in map(chr, range(128)):
    CLASSES[ord(_sign)] = (
        (RUN if _sign.isalnum() or _sign in "/&.+-" else 0)
        | (LETTER if _sign.isalpha() else 0)
        | (CAPITAL if _sign.isupper() else 0)
        | (PLAIN if _sign.isalnum() else 0)
    )


cdef inline int class_of(Py_UCS4 sign) noexcept:
    return CLASSES[sign] if sign < 128 else 0


cdef inline bint in_word(Py_UCS4 sign) noexcept:
    if sign < 128:
        return class_of(sign) & PLAIN != 0 or sign == u"_"
    return sign.isalnum()


cdef inline unsigned int small(unsigned int sign) noexcept:
    """The plain letter that stands for a sign in lower case; of others only the Kelvin sign has one."""
    if sign < 128:
        return sign | 32 if CLASSES[sign] & CAPITAL else sign
    return 0x6B if sign == 0x212A else sign


def short_forms(str text, Py_ssize_t longest):
    """Start of the bracket, start and end of what it holds, where that may be a short form.

    That is a run of 2 to `longest` letters, digits and signs of short forms, with blanks around
    it, and a closing bracket, a comma or a semicolon behind them. Half of its letters are
    capitals, or its first.
    """
    cdef Signs signs = signs_of(text)
    cdef Py_ssize_t bracket = find_sign(text, u"(", 0), start, end, letters, capitals
    cdef list found = []
    cdef int here
    cdef Py_UCS4 behind
    while bracket >= 0:
        start = behind_blanks(&signs, bracket + 1)
        end, letters, capitals = start, 0, 0
        while end <= start + longest:
            here = class_of(sign_at(&signs, end))
            if not here & RUN:
                break
            letters += here & LETTER != 0
            capitals += here & CAPITAL != 0
            end += 1
        if 2 <= end - start <= longest and letters and (
            2 * capitals >= letters or class_of(sign_at(&signs, start)) & CAPITAL
        ):
            behind = sign_at(&signs, behind_blanks(&signs, end))
            if behind == u")" or behind == u";" or behind == u",":
                found.append((bracket, start, end))
        # blanks before the next bracket are walked over once
        bracket = find_sign(text, u"(", max(bracket + 1, end))
    return found


cdef inline Py_ssize_t find_sign(str text, Py_UCS4 sign, Py_ssize_t start) except -2:
    return PyUnicode_FindChar(text, sign, start, len(text), 1)


cdef inline Py_ssize_t behind_blanks(Signs *signs, Py_ssize_t at) noexcept:
    while sign_at(signs, at).isspace():  # what is beyond the text is no blank
        at += 1
    return at


def abbreviations(str text, list seen, Py_ssize_t reach, Py_ssize_t longest):
    """Short form -> (start, end) of the long form; the first definition wins."""
    cdef Signs signs = signs_of(text)
    cdef dict found = {}
    cdef Py_ssize_t bracket, first = 0, last = 0
    cdef Short short
    cdef str form
    if longest > MOST_SIGNS:
        raise ValueError("short forms are shorter")
    for bracket, short.start, short.end in seen:
        if short.end - short.start > longest or not is_short_form(&signs, &short):
            continue
        if long_form(&signs, bracket, &short, reach, &first, &last):
            form = text[short.start : short.end]
            if form not in found:
                found[form] = (first, last)
    return found


cdef struct Short:  # a short form in its text
    Py_ssize_t start, end
    int many
    unsigned char letters[MOST_SIGNS]  # its letters and digits, small


cdef bint is_short_form(Signs *signs, Short *short) noexcept:
    """Letters and digits at both ends, or a plus at the last; half of the letters are capitals.

    Its letters are noted."""
    cdef Py_ssize_t at, letters = 0, capitals = 0
    cdef int here = class_of(sign_at(signs, short.start))
    if short.end - short.start < 2 or not here & PLAIN:
        return 0
    short.many = 0
    for at in range(short.start, short.end):
        here = class_of(sign_at(signs, at))
        if not here & RUN:
            return 0
        letters += here & LETTER != 0
        capitals += here & CAPITAL != 0
        if here & PLAIN:
            short.letters[short.many] = small(sign_at(signs, at))
            short.many += 1
    if not letters or 2 * capitals < letters:
        return 0
    return here & PLAIN != 0 or sign_at(signs, short.end - 1) == u"+"


cdef bint long_form(Signs *signs, Py_ssize_t bracket, Short *short, Py_ssize_t reach,
                    Py_ssize_t* first, Py_ssize_t* last) noexcept:
    """Whether the words before a bracket are the long form of what it holds, and their span."""
    cdef Py_ssize_t floor = behind_stop(signs, max(0, bracket - reach), bracket)
    cdef Py_ssize_t end = bracket, at, words, start = 0, size = short.end - short.start
    cdef bint inside = False, is_blank
    while end > floor and sign_at(signs, end - 1).isspace():
        end -= 1
    if end == floor:
        return 0
    words = min(size + 5, 2 * size)
    at = end
    while at > floor and words:  # to the beginning of the first word that may belong to it
        at -= 1
        is_blank = sign_at(signs, at).isspace()
        if inside and is_blank:
            words -= 1
            start = at + 1
        inside = not is_blank
    if words and inside:  # the first word begins where all of it does
        start = at
    at = match_letters(signs, start, end, short)
    if at < 0 or end - at <= size:
        return 0
    first[0], last[0] = at, end
    return 1


cdef Py_ssize_t behind_stop(Signs *signs, Py_ssize_t floor, Py_ssize_t bracket) noexcept:
    """Behind the last stop with a blank and the last blank line before a bracket."""
    cdef Py_ssize_t at = floor, behind, line
    cdef Py_UCS4 sign
    while at < bracket:
        sign = sign_at(signs, at)
        at += 1
        if sign > u"?":
            continue
        if sign == u"." or sign == u";" or sign == u":" or sign == u"!" or sign == u"?":
            if at < bracket and sign_at(signs, at).isspace():
                at += 1
                floor = at
        elif sign == u"\n":
            behind, line = at, 0
            while behind < bracket and sign_at(signs, behind).isspace():
                behind += 1
                if sign_at(signs, behind - 1) == u"\n":
                    line = behind
            if line:
                at = floor = line
    return floor


cdef Py_ssize_t match_letters(Signs *signs, Py_ssize_t floor, Py_ssize_t end, Short *short) noexcept:
    """Walk back through both; the first letter must open a word. -1: they do not fit."""
    cdef Py_ssize_t place = short.many, at = end
    if (place > 2 and sign_at(signs, short.end - 1) == u"s"
            and class_of(sign_at(signs, short.end - 2)) & CAPITAL):
        place -= 1  # plural of the short form
    while place:
        place -= 1
        at -= 1
        while at >= floor and (
            small(sign_at(signs, at)) != short.letters[place]
            or (place == 0 and at > floor and sign_at(signs, at - 1).isalnum())
        ):
            at -= 1
        if at < floor:
            return -1
    return at


def places(str text, list shorts):
    """Where each of these stands as a word of its own, in the plural too; each begins with a letter.

    A search for the first letter goes over the text in strides, and few letters are capitals.
    """
    cdef Signs signs = signs_of(text), looked_for
    cdef list found = []
    cdef Py_ssize_t at
    cdef Py_UCS4 first
    cdef list here
    cdef str short
    for short in shorts:
        looked_for = signs_of(short)
        first = sign_at(&looked_for, 0)
        if not class_of(first) & PLAIN:
            raise ValueError("a short form begins with a letter or a digit")
        here = []
        found.append(here)
        at = PyUnicode_FindChar(text, first, 0, signs.size, 1)
        while at >= 0:
            if not before_word(sign_at(&signs, at - 1)) and stands_at(&signs, at, &looked_for):
                note(here, at, at + looked_for.size)
            at = PyUnicode_FindChar(text, first, at + 1, signs.size, 1)
    return found


cdef inline bint before_word(Py_UCS4 sign) noexcept:
    return sign == u"-" or in_word(sign)


cdef bint stands_at(Signs *text, Py_ssize_t at, Signs *short) noexcept:
    """Whether a short form stands here and ends a word, but for the s of the plural."""
    cdef Py_ssize_t place, end = at + short.size
    if end > text.size:
        return 0
    for place in range(short.size):
        if sign_at(text, at + place) != sign_at(short, place):
            return 0
    if not in_word(sign_at(text, end)):
        return 1
    return sign_at(text, end) == u"s" and not in_word(sign_at(text, end + 1))


cdef int note(list found, Py_ssize_t start, Py_ssize_t end) except -1:
    """Add a place unless it overlaps the one before."""
    if not found or <Py_ssize_t>(<tuple>found[len(found) - 1])[1] <= start:
        found.append((start, end))
    return 0


def redefined(list hits, list places, meaning, record, flags):
    """Hits without those within one of the places, and with the places that touch none of the rest.

    These mean what `meaning` says (kind, concepts and row), or nothing if it is None. Hits and
    places are apart and in order.
    """
    cdef Py_ssize_t at, many = len(hits), start, end, done = 0
    cdef list kept = []
    cdef tuple place
    check_record(record, 6)
    for place in places:
        start, end = place
        at = first_from(hits, start, done)
        kept += hits[done:at]
        done = at
        while done < many and bound_of(hits[done], 0) <= end:
            if bound_of(hits[done], 1) > end + 1:
                kept.append(hits[done])
            done += 1
        if meaning is not None:
            put_unless_taken(kept, start, end, place, meaning, record, flags)
    kept += hits[done:]
    return kept


cdef inline Py_ssize_t bound_of(hit, Py_ssize_t which) except -1:
    """Where a hit begins (0) or ends (1)."""
    if not isinstance(hit, tuple):
        raise TypeError("a hit is a tuple")
    return (<tuple>hit)[which]


cdef Py_ssize_t first_from(list hits, Py_ssize_t start, Py_ssize_t low) except -1:
    """The first of the hits from a number on that begins here or behind."""
    cdef Py_ssize_t high = len(hits), middle
    while low < high:
        middle = (low + high) // 2
        if bound_of(hits[middle], 0) < start:
            low = middle + 1
        else:
            high = middle
    return low


cdef int put_unless_taken(list kept, Py_ssize_t start, Py_ssize_t end, tuple place, tuple meaning, record,
                  flags) except -1:
    """Add a place unless it touches a hit, of which all that begin before its end are there."""
    cdef Py_ssize_t at = len(kept)
    cdef tuple made
    while at and bound_of(kept[at - 1], 0) >= end:
        at -= 1
    if at and bound_of(kept[at - 1], 1) > start:
        return 0
    first, last = place
    kind, concepts, row = meaning
    made = new_record(record, 6)
    set_field(made, 0, first)
    set_field(made, 1, last)
    set_field(made, 2, kind)
    set_field(made, 3, concepts)
    set_field(made, 4, row)
    set_field(made, 5, flags)
    kept.insert(at, made)
    return 0
