# cython: language_level=3, boundscheck=True, wraparound=False, initializedcheck=False
"""What the words around a health word leave open: whether anything may say that somebody has it.

In: texts, the starts of their sentences, findings.  Out: the questions left for the patterns.

Cues(before, behind, labels, signs, joining): the words that open anything, alone or with the word
  that follows, with their marks, as cues_of in dlp/detect/linking/saying.py lists them; the signs
  that may stand in a phrase and in a word.
Cues.open_questions(texts, sentences, findings, owned, patients, drug, procedure, test, supposed,
  is_answer): for each of these findings, given with the keys of their people, None where every
  question of `Asserting.says`, `is_abnormal` and `is_answer` is answered with no, or where the
  finding is only supposed; True where `is_answer` says that a form tells it of its patient; else the
  questions that are open, where its line begins, and its sentence. A question that is asked may still
  be answered with no; where a letter may be another in the eyes of a pattern it is asked. The twin
  asks everything.

A word is known by its hash alone: whatever it is taken for, a pattern has the last word.
"""

from array import array

cimport cython
from cpython.unicode cimport PyUnicode_DATA, PyUnicode_FindChar, PyUnicode_KIND, PyUnicode_READ

cdef extern from "Python.h":
    Py_UCS4 Py_UNICODE_TOLOWER(Py_UCS4 sign) noexcept

from dlp.native.records cimport field

cdef enum:
    FIELDS = 11  # of a finding
    # questions, as dlp/detect/linking/asserting.py has them; a test compares
    CAUSE = 1
    ASKED = 2
    OWN = 4
    LEADS = 8
    FIELD = 16
    REGULAR = 32
    BEHIND = 64
    ODD = 128
    ANSWER = 256
    # marks of words
    LEADING = 1
    DRUG_LEADING = 2
    FOLLOWING = 4
    CAUSING = 8
    REGULARLY = 16
    ODDLY = 32
    OWNING = 64
    OPENING = 128
    LABELLING = 1  # a field, where it begins one
    STEM = 2  # and whatever begins with it, anywhere in a label
    # how far behind a word the health word may stand, above the marks: eight bits each
    REACH = 8
    DRUG_REACH = 16
    WINDOW = 90
    LINE = 400
    NEAR = 30
    ODD_REACH = 40
    BLANKS = 4
    UNREAD = -1
    NOWHERE = -2

QUESTIONS = {
    "CAUSE": CAUSE, "ASKED": ASKED, "OWN": OWN, "LEADS": LEADS, "FIELD": FIELD,
    "REGULAR": REGULAR, "BEHIND": BEHIND, "ODD": ODD, "ANSWER": ANSWER,
    "LEADING": LEADING, "DRUG_LEADING": DRUG_LEADING, "FOLLOWING": FOLLOWING, "CAUSING": CAUSING,
    "REGULARLY": REGULARLY, "ODDLY": ODDLY, "OWNING": OWNING, "OPENING": OPENING,
    "LABELLING": LABELLING, "STEM": STEM,
    "REACH": REACH, "DRUG_REACH": DRUG_REACH, "WINDOW": WINDOW, "LINE": LINE, "NEAR": NEAR,
    "ODD_REACH": ODD_REACH,
}

cdef unsigned long long FIRST = 14695981039346656037ULL  # FNV-1a
cdef enum:
    NO = 0  # ends a phrase
    BETWEEN = 1  # between words
    JOINING = 2  # within what a pattern takes for a word
    IN_WORD = 3
    OTHER = 4  # what a pattern may take for an i, an s or a digit
cdef unsigned char SORT[128]
cdef unsigned char SMALL[128]
for _ in range(128):
    SORT[_] = IN_WORD if chr(_).isalnum() or _ == 95 else BETWEEN if chr(_).isspace() else NO
    SMALL[_] = ord(chr(_).lower())


cdef inline unsigned char sort_of(const unsigned char *sorts, Py_UCS4 sign) noexcept:
    if sign < 128:
        return sorts[<unsigned int>sign]
    if sign == u"\u2019":
        return JOINING
    if sign.isalnum():
        return OTHER if sign in u"\u0130\u0131\u017f" or sign.isdecimal() else IN_WORD
    return BETWEEN if sign.isspace() else NO


cdef inline unsigned long long mixed(unsigned long long told, Py_UCS4 sign) noexcept:
    cdef unsigned int low
    if sign < 128:
        low = SMALL[<unsigned int>sign]
    else:
        low = <unsigned int>Py_UNICODE_TOLOWER(sign)
    return (told ^ low) * 1099511628211ULL


cdef inline unsigned long long paired(unsigned long long one, unsigned long long other) noexcept:
    """Of a word and of the one that follows."""
    return one * 1099511628211ULL ^ other


@cython.final
cdef class Words:
    """A table of open addresses, at most a quarter full, by the hashes of words and of pairs."""

    cdef unsigned long long[::1] _hashes
    cdef unsigned int[::1] _marks
    cdef unsigned long long _mask

    def __init__(self, dict marks):
        cdef unsigned long long told, slot, first
        cdef bint several
        size = 64
        while size < 4 * len(marks):
            size *= 2
        self._hashes = array("Q", [0]) * size
        self._marks = array("I", [0]) * size
        self._mask = size - 1
        for word, mark in marks.items():
            told, first, several = FIRST, 0, False
            for sign in <str>word:
                if sign == u" ":
                    told, first, several = FIRST, told, True
                else:
                    told = mixed(told, sign)
            if several:
                told = paired(first, told)
            slot = (told ^ (told >> 32)) & self._mask
            while self._marks[slot] and self._hashes[slot] != told:
                slot = (slot + 1) & self._mask
            self._hashes[slot] = told
            self._marks[slot] |= <unsigned int>mark

    cdef unsigned int find(self, unsigned long long told) except? 0xFFFFFFFF:
        cdef unsigned long long slot = (told ^ (told >> 32)) & self._mask
        while self._marks[slot]:
            if self._hashes[slot] == told:
                return self._marks[slot]
            slot = (slot + 1) & self._mask
        return 0


cdef inline bint leads_so_far(unsigned int mark, unsigned int wanted, Py_ssize_t words) noexcept:
    return (
        mark & wanted & LEADING and <Py_ssize_t>(mark >> REACH & 255) >= words
        or mark & wanted & DRUG_LEADING and <Py_ssize_t>(mark >> DRUG_REACH & 255) >= words
    )


cdef inline bint is_dose(int kind, void *data, Py_ssize_t length, Py_ssize_t place) noexcept:
    """Whether "times", "mg", "am", "x" and the like may stand behind a number that ends here."""
    cdef Py_UCS4 signs[4]
    cdef Py_ssize_t at
    if place < length and PyUnicode_READ(kind, data, place) == u" ":
        place += 1
    for at in range(4):
        signs[at] = PyUnicode_READ(kind, data, place + at) if place + at < length else u" "
        if signs[at] < 128:
            signs[at] = SMALL[<unsigned int>signs[at]]
    if signs[0] == u"t":
        return signs[1] == u"i"
    if signs[0] == u"m":
        return signs[1] == u"g" and signs[2] == u" " and signs[3] in u"dobtqnm"
    if signs[0] == u"a" or signs[0] == u"p":
        return signs[1] == u"m" and (signs[2] > 127 or SORT[<unsigned int>signs[2]] != IN_WORD)
    return signs[0] == u"x"


@cython.final
cdef class Cues:
    cdef Words _before, _behind, _labels
    cdef unsigned char _sort[128]
    cdef Py_ssize_t _most_before, _most_behind  # words from the health word to the end of a phrase

    cdef Py_ssize_t _shortest, _longest  # letters of a stem

    def __init__(self, dict before, dict behind, dict labels, str signs, str joining):
        """`before` has its words from the last letter to the first."""
        cdef int place
        cdef Py_UCS4 sign
        self._before, self._behind, self._labels = Words(before), Words(behind), Words(labels)
        stems = [len(word) for word, mark in labels.items() if mark & STEM] or [0]
        self._shortest, self._longest = min(stems), max(stems)
        for place in range(128):
            self._sort[place] = SORT[place]
        for sign in signs:
            if sign < 128 and self._sort[<unsigned int>sign] == NO:
                self._sort[<unsigned int>sign] = BETWEEN
        for sign in joining:
            if sign < 128:
                self._sort[<unsigned int>sign] = JOINING
        self._most_before = self._most_behind = 0
        for mark in before.values():
            self._most_before = max(self._most_before, mark >> REACH & 255, mark >> DRUG_REACH & 255)
        for mark in behind.values():
            self._most_behind = max(self._most_behind, mark >> REACH & 255)

    cdef int cause(self, int kind, void *data, Py_ssize_t length, Py_ssize_t end) except -1:
        """Whether one of the two words behind is a cause's, or cannot be read here."""
        cdef Py_ssize_t place = end, last = min(length, end + WINDOW)
        cdef unsigned long long told
        cdef Py_UCS4 sign = 0
        cdef unsigned char sort
        cdef int run
        while place < last:
            sign = PyUnicode_READ(kind, data, place)
            if sort_of(SORT, sign) != BETWEEN and sign != u"-":
                break
            place += 1
        if place == end:
            return 0
        for run in range(2):
            told = FIRST
            while place < last:
                sign = PyUnicode_READ(kind, data, place)
                sort = sort_of(SORT, sign)
                if sort == OTHER:
                    return CAUSE
                if sort != IN_WORD:
                    break
                told = mixed(told, sign)
                place += 1
            if (place == last and last < length) or self._behind.find(told) & CAUSING:
                return CAUSE
            if place == last or sort_of(SORT, sign) != BETWEEN:
                return 0
            place += 1
        return 0

    cdef int own(self, int kind, void *data, Py_ssize_t start, Py_ssize_t end) except -1:
        """Whether a term of several words may say it itself; the caller compared `end`."""
        cdef Py_ssize_t place
        cdef unsigned long long told = FIRST
        cdef Py_UCS4 sign
        cdef bint alone = True, odd = False, first = True
        cdef unsigned int marks = 0, mark
        for place in range(start, end):
            sign = PyUnicode_READ(kind, data, place)
            if sign > 127 and sign.isalnum():
                odd = True
                alone = alone and sign.isalpha()
            elif sign < 128 and SORT[<unsigned int>sign] == IN_WORD:
                alone = alone and sign > u"9" and sign != u"_"
                told = mixed(told, sign)
            else:
                alone = False
                mark = self._behind.find(told)
                marks |= mark & (OWNING | OPENING if first else OWNING)
                first = False
                told = FIRST
        return OWN if not alone and (odd or marks) else 0

    cdef int leads(
        self, int kind, void *data, Py_ssize_t floor, Py_ssize_t start, unsigned int wanted
    ) except -1:
        """Whether a phrase may lead up to the start: read back to what no phrase has in it."""
        cdef Py_ssize_t place = start - 1, words = 0
        cdef unsigned long long told = FIRST, after = 0
        cdef Py_UCS4 sign
        cdef unsigned int mark
        cdef unsigned char sort, last = BETWEEN
        if place < floor:
            return 0
        if sort_of(self._sort, PyUnicode_READ(kind, data, place)) != BETWEEN:
            return 0
        while place >= floor - 1:
            if place < floor:
                sort = NO
            else:
                sign = PyUnicode_READ(kind, data, place)
                sort = sort_of(self._sort, sign)
                if sort == OTHER:
                    return LEADS
            if sort != IN_WORD and last == IN_WORD:
                if leads_so_far(self._before.find(told), wanted, words) or leads_so_far(
                    self._before.find(paired(told, after)), wanted, words
                ):
                    return LEADS
                after = told
            if sort == NO:
                return 0
            if sort >= JOINING:
                if last == BETWEEN:
                    words += 1
                    if words > self._most_before:
                        return 0
                if sort == IN_WORD:
                    if last != IN_WORD:
                        told = FIRST
                    told = mixed(told, sign)
            last = sort
            place -= 1
        return 0

    cdef int follows(self, int kind, void *data, Py_ssize_t end, Py_ssize_t last) except -1:
        """Whether a phrase may follow: read on to what no phrase has in it."""
        cdef Py_ssize_t place = end, words = 0
        cdef unsigned long long told = FIRST, first = 0
        cdef Py_UCS4 sign
        cdef unsigned int mark
        cdef unsigned char sort, before = BETWEEN
        while place <= last:
            if place == last:
                sort = NO
            else:
                sign = PyUnicode_READ(kind, data, place)
                sort = sort_of(self._sort, sign)
                if sort == OTHER:
                    return BEHIND
            if sort != IN_WORD and before == IN_WORD:
                mark = self._behind.find(told)
                if mark & FOLLOWING and <Py_ssize_t>(mark >> REACH & 255) >= words:
                    return BEHIND
                mark = self._behind.find(paired(first, told))
                if mark & FOLLOWING:
                    return BEHIND
                first = told
            if sort == NO:
                return 0
            if sort >= JOINING:
                if before == BETWEEN:
                    words += 1
                    if words > self._most_behind:
                        return 0
                if sort == IN_WORD:
                    if before != IN_WORD:
                        told = FIRST
                    told = mixed(told, sign)
            before = sort
            place += 1
        return 0

    cdef int marked(
        self, int kind, void *data, Py_ssize_t start, Py_ssize_t end, unsigned int wanted
    ) except -1:
        """Whether a word of a stretch, or one and the next, has a mark, or is not ASCII."""
        cdef Py_ssize_t place
        cdef unsigned long long told = FIRST, first = 0
        cdef Py_UCS4 sign
        cdef unsigned char sort
        cdef bint within = False
        for place in range(start, end + 1):
            sign = PyUnicode_READ(kind, data, place) if place < end else u" "
            sort = sort_of(SORT, sign)
            if sort == OTHER:
                return 1
            if sort == IN_WORD:
                if not within:
                    told = FIRST
                    within = True
                told = mixed(told, sign)
            elif within:
                within = False
                if (self._behind.find(told) | self._behind.find(paired(first, told))) & wanted:
                    return 1
                first = told
        return 0

    cdef int doses(self, int kind, void *data, Py_ssize_t start, Py_ssize_t end) except -1:
        """Whether a number of a stretch, which ends as a text does, may say how often."""
        cdef Py_ssize_t place
        cdef Py_UCS4 sign, last = u" "
        for place in range(start, end):
            sign = PyUnicode_READ(kind, data, place)
            if u"0" <= sign <= u"9":
                if last == u"q" or last == u"Q":
                    return 1
            elif u"0" <= last <= u"9" and is_dose(kind, data, end, place):
                return 1
            last = sign
        return 0

    cdef int odd(
        self, int kind, void *data, Py_ssize_t length, Py_ssize_t start, Py_ssize_t end
    ) except -1:
        """Whether a result that is not as it should be may stand on either side of a test."""
        cdef Py_ssize_t place, last = min(length, end + WINDOW), stop = last
        cdef Py_UCS4 sign
        if self.marked(kind, data, max(0, start - NEAR), start, ODDLY):
            return ODD
        for place in range(end, last):
            sign = PyUnicode_READ(kind, data, place)
            if sign == u"\u2191" or sign == u"\u2193" or sort_of(SORT, sign) == OTHER:
                return ODD
            if stop < last:
                continue  # an arrow may still follow
            if sign == u"(":
                return ODD
            if sign == u"." or sign == u";" or sign == u"\n" or (
                place > end + ODD_REACH and sort_of(SORT, sign) != IN_WORD
            ):
                stop = place
        return ODD if self.marked(kind, data, end, stop, ODDLY) else 0

    def open_questions(
        self, list texts, list sentences, tuple findings, list owned, patients, drug, procedure,
        test, str supposed, is_answer
    ):
        cdef Py_ssize_t index, part, start, end, length = 0, place, known = -1, number
        cdef Py_ssize_t floor, first, last
        cdef int kind = 0, asked
        cdef void *data = NULL
        cdef str text = ""
        cdef tuple one, starts = ()
        cdef list opened = []
        cdef Line line = Line(self._labels, self._shortest, self._longest)
        for index, key in owned:
            found = findings[index]
            if not isinstance(found, tuple) or len(<tuple>found) != FIELDS:
                raise TypeError("a finding is a tuple")
            one = <tuple>found
            context = field(one, 10)
            if context and supposed in context:
                opened.append(None)
                continue
            part, start, end = field(one, 2), field(one, 3), field(one, 4)
            if part != known:
                text, starts, known = texts[part], sentences[part], part
                kind, data, length = PyUnicode_KIND(text), PyUnicode_DATA(text), len(text)
                line.begin(0)
            if not 0 <= start <= end <= length:
                raise IndexError("a finding stands in its text")
            line.go_to(text, start)
            what = field(one, 0)
            if line.filled & ANSWER and what is not test and key in patients:
                if line.is_told(text, start, is_answer):
                    opened.append(True)  # whatever else is said of it
                    continue
            number = behind(starts, start) - 1
            floor = starts[number]
            last = starts[number + 1] if number + 1 < len(starts) else length
            asked = line.filled & ~ANSWER | self.own(kind, data, start, end)
            if (start > 0 and PyUnicode_READ(kind, data, start - 1) == u"?") or (
                start > 1 and PyUnicode_READ(kind, data, start - 2) == u"?"
            ):
                asked |= ASKED
            asked |= self.leads(
                kind, data, max(floor, start - WINDOW), start,
                LEADING | DRUG_LEADING if what is drug else LEADING,
            )
            asked |= self.follows(kind, data, end, min(last, end + WINDOW))
            first = floor
            if what is test:
                asked |= self.odd(kind, data, length, start, end)
            elif what is drug or what is procedure:
                floor, place = max(0, start - WINDOW), min(length, end + WINDOW)
                if self.marked(kind, data, floor, place, REGULARLY) or self.doses(
                    kind, data, floor, place
                ):
                    asked |= REGULAR
            if asked:  # what a cause is said of is not said of anybody
                asked |= self.cause(kind, data, length, end)
            opened.append((asked, line.start, first, last) if asked else None)
        return opened


@cython.final
cdef class Line:
    """The line of a place, and whether the label of a field may stand before that place."""

    cdef Words _labels
    cdef Py_ssize_t _shortest, _longest
    cdef Py_ssize_t start, _read, _blanks, _letters
    cdef int filled
    cdef Py_ssize_t _label  # where a label at its very start ends
    cdef int _answer  # what such a label says of all that follows it, as far as it was asked
    cdef bint _labelled  # a word of a label stands before
    cdef bint _may_begin  # so may a field, if this is a word's first letter
    cdef unsigned long long _told
    cdef Py_UCS4 _last

    def __cinit__(self, Words labels, Py_ssize_t shortest, Py_ssize_t longest):
        self._labels, self._shortest, self._longest = labels, shortest, longest
        self.begin(0)

    cdef void begin(self, Py_ssize_t place) noexcept:
        self.start = self._read = place
        self._label = self._answer = UNREAD
        self._blanks = self._letters = 0
        self.filled = 0
        self._labelled = False
        self._may_begin = True
        self._told = FIRST
        self._last = u" "

    cdef int go_to(self, str text, Py_ssize_t place) except -1:
        cdef int kind = PyUnicode_KIND(text)
        cdef void *data = PyUnicode_DATA(text)
        cdef Py_ssize_t newline
        cdef Py_UCS4 sign
        cdef unsigned char sort
        if place < self._read:  # they do not come in order
            self.begin(0)
        newline = PyUnicode_FindChar(text, u"\n", self._read, place, -1)
        if newline >= 0:
            self.begin(newline + 1)
        while self._read < place and self._read < self.start + LINE:
            sign = PyUnicode_READ(kind, data, self._read)
            self._read += 1
            sort = sort_of(SORT, sign)
            if sort == OTHER:
                self._labelled = True
                self._blanks = 0
            elif sort == IN_WORD:
                self._blanks = self._blanks + 1 if sign == u"_" else 0
                if not self._labelled:
                    self.take(sign)
            else:
                if not self._labelled:
                    self.close(sign)
                self._blanks = self._blanks + 1 if sign == u" " or sign == u"." else 0
                if sign == u":":
                    self.filled |= FIELD | ANSWER if self._labelled else ANSWER
            if self._blanks >= BLANKS and self._labelled:
                self.filled |= FIELD
            self._last = sign
        self._read = max(self._read, place)
        return 0

    cdef bint is_told(self, str text, Py_ssize_t place, is_answer) except -1:
        """Whether a place of the line stands behind a label that is answered there."""
        if not self.has_label(text):
            return False
        if self._answer == UNREAD:
            answered = bool(is_answer(text, place, self.start))
            if self._label == self.start:  # nobody knows yet whether there is one
                return answered
            self._answer = answered
        return self._answer == 1

    cdef bint has_label(self, str text) noexcept:
        """Whether a label that the line begins with may end before the place that was gone to."""
        if self._label == UNREAD:
            self._label = end_of_label(text, self.start)
        return 0 <= self._label <= min(self._read, self.start + LINE)

    cdef int take(self, Py_UCS4 sign) except -1:
        """Another letter of a word."""
        if self._letters == 0:
            self._told = FIRST
        self._told = mixed(self._told, sign)
        self._letters += 1
        if self._shortest <= self._letters <= self._longest:
            self._labelled = self._labels.find(self._told) & STEM != 0
        # a blank to be filled in follows a label as a colon does, and is of the same run
        if sign == u"_" and self._may_begin:
            self._labelled = True
        return 0

    cdef int close(self, Py_UCS4 sign) except -1:
        """A sign between words."""
        if self._letters:
            if self._may_begin and self._labels.find(self._told) & LABELLING:
                self._labelled = True
            self._letters = 0
            self._may_begin = False
        if sign == u"\t" or (sign == u" " and self._last == u" "):
            self._may_begin = True
        return 0


cdef Py_ssize_t end_of_label(str text, Py_ssize_t line) noexcept:
    """As the pattern LABEL has it, or NOWHERE; where signs stand that are rare, where the line begins:
    the pattern has the last word."""
    cdef int kind = PyUnicode_KIND(text)
    cdef void *data = PyUnicode_DATA(text)
    cdef Py_ssize_t place = line, length = min(len(text), line + LINE), dashes = 0, first
    cdef Py_UCS4 sign = 0
    while place < length:
        sign = PyUnicode_READ(kind, data, place)
        if not (sign == u" " or sign == u"\t" or sign == u"*" or sign == u"-" or sign == u"\u2022"):
            break
        dashes = dashes + 1 if sign == u"-" else 0
        place += 1
    first = place
    while place < length:  # a date
        sign = PyUnicode_READ(kind, data, place)
        if not (u"-" <= sign <= u":"):  # digits, and - . / : are all of these signs
            break
        place += 1
    if place < length and (sign > 127 or (sign != u" " and sign.isspace() and place == first)):
        return line
    if place > first:
        if place - first > 16 or place - first + dashes < 4:
            return NOWHERE
        first = place
        while place < length and PyUnicode_READ(kind, data, place).isspace():
            place += 1
        if place == first:
            return NOWHERE
    first = place
    while place < length:
        sign = PyUnicode_READ(kind, data, place)
        if sign > 127 and place == first:
            return line  # a digit or a blank, perhaps
        if not (sign < 128 and (sign.isalpha() or (place > first and sign in u" /&'-"))):
            break
        place += 1
    if place < length and sign == u":" and 2 <= place - first <= 31:
        return place + 1
    return NOWHERE


cdef Py_ssize_t behind(tuple starts, Py_ssize_t place) except -1:
    """As bisect_right."""
    cdef Py_ssize_t low = 0, high = len(starts), middle
    while low < high:
        middle = (low + high) // 2
        if place < <Py_ssize_t>starts[middle]:
            high = middle
        else:
            low = middle + 1
    return low
