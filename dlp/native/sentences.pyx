# cython: language_level=3, boundscheck=True, wraparound=False, initializedcheck=False
"""Where statements begin, and in which contexts the words of a statement put a place in it.

In: a text; places and the cues of a language.  Out: offsets; the contexts of each place, as bits.

The twins are dlp.detect.sentences, a regular expression, and dlp.detect.illness.context over RE2.
"""

cdef Py_ssize_t MARGIN = 60  # dlp.detect.sentences
cdef Py_ssize_t LABEL = 40  # characters of a label behind its first
cdef Py_ssize_t A_WORD = 12  # characters: dlp.detect.illness.context.reaches
cdef int FORWARD = 1, BACKWARD = 2

cdef unsigned char BREAKS[128]  # the signs that may end a statement
for _sign in range(128):
    BREAKS[_sign] = chr(_sign) in "\t\n!.;?|"


cdef inline bint blank(Py_UCS4 sign) noexcept:
    return sign == u" " or sign == u"\t" or sign == u"\n" or sign == u"\r" or sign == u"\f"


cdef inline bint letter(Py_UCS4 sign) noexcept:
    return u"A" <= sign <= u"Z" or u"a" <= sign <= u"z"


cdef inline bint digit(Py_UCS4 sign) noexcept:
    return u"0" <= sign <= u"9"


cdef inline bint in_word(Py_UCS4 sign) noexcept:
    """As \\b of RE2 has it: plain letters only."""
    return letter(sign) or digit(sign) or sign == u"_"


cdef inline Py_UCS4 sign_at(str text, Py_ssize_t at, Py_ssize_t size) except? 0xFFFF:
    """The character at a place; behind the end NUL, which no pattern here holds."""
    return text[at] if at < size else 0


def sentence_starts(str text, frozenset short_ends, is_abbreviated):
    """Offsets in rising order; `is_abbreviated` is asked about full stops behind a short end."""
    cdef Py_ssize_t size = len(text), at = -1, line = 0
    cdef Py_ssize_t free = 0  # the last break was read up to here
    cdef Py_ssize_t sentence = 0  # begins behind blanks that may hold ends of short lines
    cdef Py_ssize_t begin
    cdef bint ends
    cdef Py_UCS4 sign
    cdef list starts = [0]
    for sign in text:
        at += 1
        if sign >= 128 or not BREAKS[sign]:
            continue
        if sentence and sentence <= at:
            starts.append(sentence)
            sentence = 0
        ends = sign == u"\n" and at - line < MARGIN
        if sign == u"\n":
            line = at + 1
        if at < free:
            pass
        elif sign == u"." or sign == u"!" or sign == u"?":
            begin = new_sentence(text, at + 1, size, &free)
            if begin and not (sign == u"." and at > 1 and text[at - 2 : at] in short_ends
                              and is_abbreviated(text, at)):
                sentence = begin
        elif sign != u"\n":
            ends, free = True, at + 1
        elif new_line(text, at + 1, size, &free):
            ends = True
        if ends and at + 1 < size and at + 1 != sentence:
            starts.append(at + 1)
    if sentence:
        starts.append(sentence)
    return tuple(starts)


cdef Py_ssize_t new_sentence(str text, Py_ssize_t at, Py_ssize_t size, Py_ssize_t* free) except -1:
    """Where a sentence begins behind a sign that may end one, or 0."""
    cdef Py_ssize_t behind, begin
    cdef Py_UCS4 sign = sign_at(text, at, size)
    while sign == u'"' or sign == u"'" or sign == u")" or sign == u"]":
        at += 1
        sign = sign_at(text, at, size)
    behind = at
    while blank(sign):
        at += 1
        sign = sign_at(text, at, size)
    begin = at
    if begin == behind:
        return 0
    if sign == u'"' or sign == u"'" or sign == u"(" or sign == u"[":
        at += 1
        sign = sign_at(text, at, size)
    if not (u"A" <= sign <= u"Z" or digit(sign)):
        return 0
    free[0] = at + 1
    return begin


cdef int new_line(str text, Py_ssize_t start, Py_ssize_t size, Py_ssize_t* free) except -1:
    """Whether a blank line, an item of a list or a label follows a new line."""
    cdef Py_ssize_t at = start, last = 0, body
    cdef Py_UCS4 sign = sign_at(text, at, size)
    while blank(sign):
        at += 1
        if sign == u"\n":
            last = at
        sign = sign_at(text, at, size)
    if last:
        free[0] = last
        return 1
    at = start
    sign = sign_at(text, at, size)
    while sign == u" " or sign == u"\t":
        at += 1
        sign = sign_at(text, at, size)
    if sign == u"-" or sign == u"*" or sign == u"\u2022" or sign == u"\u00b7":
        body = at + 1
    elif digit(sign):
        body = at + 2 if digit(sign_at(text, at + 1, size)) else at + 1
        sign = sign_at(text, body, size)
        body = body + 1 if sign == u"." or sign == u")" else 0
    else:
        return label(text, at, size, free)
    if body and blank(sign_at(text, body, size)):
        free[0] = body + 1
        return 1
    return 0


cdef int label(str text, Py_ssize_t at, Py_ssize_t size, Py_ssize_t* free) except -1:
    cdef Py_ssize_t most = at + 1 + LABEL
    cdef Py_UCS4 sign = sign_at(text, at, size)
    if not u"A" <= sign <= u"Z":
        return 0
    at += 1
    sign = sign_at(text, at, size)
    while at < most and (letter(sign) or sign == u" " or sign == u"/" or sign == u"&"
                         or sign == u"'" or sign == u"-"):
        at += 1
        sign = sign_at(text, at, size)
    if sign != u":":
        return 0
    free[0] = at + 1
    return 1


cdef class Cues:
    """Phrases as a tree of characters; a blank in it stands for any number of them.

    `classes` gives each plain character its column, capitals that of the small ones, and 0 to what
    no phrase holds; `tree[node * width + column]` is the next node, or 0. `phrase_at[node]` is 0 or
    one more than the number of the phrase that ends there; the cues of a phrase are the rows from
    bounds[number] to bounds[number + 1] of `bits` (0: it stops others), `ways` and `reaches`.
    """

    cdef const unsigned char[::1] classes
    cdef const short[::1] tree
    cdef const int[::1] phrase_at, bounds, bits, ways, reach
    cdef int width
    cdef Py_ssize_t farthest

    def __init__(self, classes, int width, tree, phrase_at, bounds, bits, ways, reach):
        self.classes, self.width, self.tree, self.phrase_at = classes, width, tree, phrase_at
        self.bounds, self.bits, self.ways, self.reach = bounds, bits, ways, reach
        self.farthest = A_WORD * max(reach)

    def contexts(self, str text, tuple starts, places):
        """The contexts of each place as bits; a place begins with its start and its end."""
        cdef Py_ssize_t size = len(text), many = len(starts), start, end, low, high, middle
        cdef Py_ssize_t left = 0, right = -1, since = 0, before = 0
        cdef list heard = [], answers = []
        for place in places:
            start, end = place[0], place[1]
            if not left <= start < right:
                low, high = 0, many
                while low < high:
                    middle = (low + high) // 2
                    if start < <Py_ssize_t>starts[middle]:
                        high = middle
                    else:
                        low = middle + 1
                left = starts[low - 1]
                right = starts[low] if low < many else size
                heard = self.hear(text, left, right)
                since = 0
            elif start < before:
                since = 0
            before = start
            # cues that end farther away reach no place from here on
            while since < len(heard) and <Py_ssize_t>heard[since + 1] + self.farthest < start:
                since += 3
            answers.append(self.meant(text, start, end, heard, since) if heard else 0)
        return answers

    cdef list hear(self, str text, Py_ssize_t left, Py_ssize_t right):
        """Start, end and number of each phrase in a stretch, one after another, the longest."""
        cdef list heard = []
        cdef Py_ssize_t at = left, end
        cdef int column, phrase = 0
        cdef bint word = left > 0 and in_word(text[left - 1])
        cdef Py_UCS4 sign
        while at < right:
            sign = text[at]
            column = self.classes[sign] if sign < 128 else 0
            if column and self.tree[column] and not (word and (letter(sign) or digit(sign))):
                end = self.longest(text, at, right, &phrase)
                if end:
                    heard.append(at)
                    heard.append(end)
                    heard.append(phrase)
                    at = end
                    word = in_word(text[at - 1])
                    continue
            word = in_word(sign)
            at += 1
        return heard

    cdef Py_ssize_t longest(self, str text, Py_ssize_t at, Py_ssize_t right, int* phrase) except -1:
        """Where the longest phrase ends that begins here, and its number; 0 if none does."""
        cdef Py_ssize_t size = len(text), end = 0
        cdef int node = 0, column
        cdef Py_UCS4 sign, before = 0
        while at < right:
            sign = text[at]
            column = self.classes[sign] if sign < 128 else 0
            if blank(sign) and blank(before):
                at += 1
                continue
            node = self.tree[node * self.width + column] if column else 0
            if not node:
                break
            at += 1
            before = sign
            if self.phrase_at[node] and not (
                (letter(sign) or digit(sign)) and in_word(sign_at(text, at, size))
            ):
                end = at
                phrase[0] = self.phrase_at[node] - 1
        return end

    cdef int meant(self, str text, Py_ssize_t start, Py_ssize_t end, list heard,
                   Py_ssize_t since) except -1:
        """What the cues around a place say of it."""
        cdef Py_ssize_t one, first, last, left, right
        cdef int found = 0, row, phrase, way
        for one in range(since, len(heard), 3):
            first, last, phrase = heard[one], heard[one + 1], heard[one + 2]
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
                        and self.reaches(text, left, right, self.reach[row], heard, since)):
                    found |= self.bits[row]
        return found

    cdef int reaches(self, str text, Py_ssize_t left, Py_ssize_t right, Py_ssize_t words,
                     list heard, Py_ssize_t since) except -1:
        """Whether a cue carries over the words between it and the place."""
        cdef Py_ssize_t at, one, first
        cdef int row, phrase
        if right - left > words * A_WORD:
            return 0
        for at in range(left, right):
            words -= text[at] == u" "
        if words < 0:
            return 0
        for one in range(since, len(heard), 3):
            first, phrase = heard[one], heard[one + 2]
            if first >= right:
                break
            if first >= left:
                for row in range(self.bounds[phrase], self.bounds[phrase + 1]):
                    if self.bits[row] == 0:
                        return 0
        return 1
