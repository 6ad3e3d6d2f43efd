# cython: language_level=3, boundscheck=True, wraparound=False
# Inner loops of dlp/detect/linking.
#
# heading_lines(text, shortest, longest, heading, words): spans of the lines that may be the headings
#   of a pasted table, as far as an ASCII line holds one of the words; its twin is heading_lines in
#   dlp/detect/linking/pasted.py.
# opening_runs(text, words): where those runs of letters and digits start that are among the words,
#   without regard to case; its twin is opening_runs in dlp/detect/linking/asserting.py.
# told_about(findings, ids, cls): findings that name their person; its twin is Finding.about.

from cpython.unicode cimport (
    PyUnicode_DATA,
    PyUnicode_FindChar,
    PyUnicode_KIND,
    PyUnicode_READ,
)


cdef unsigned char SORT[128]  # of a character: 1 to 4 the signs ",;|\\t", 5 a digit
cdef Py_UCS4 SIGNS[5]
for _ in range(128):
    SORT[_] = 0
for _ in range(48, 58):
    SORT[_] = 5
for _, _sign in enumerate(",;|\t", 1):
    SORT[<int> ord(_sign)] = _
    SIGNS[_] = ord(_sign)


cdef bint fits(str text, Py_ssize_t start, Py_ssize_t end, Py_ssize_t heading):
    """Whether a cell holds something short, when blanks and then quotes are stripped."""
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    while start < end and text[start] == u'"':
        start += 1
    while end > start and text[end - 1] == u'"':
        end -= 1
    return 0 < end - start <= heading


cdef bint cells_fit(str text, Py_ssize_t start, Py_ssize_t end, Py_UCS4 sign, Py_ssize_t heading):
    cdef Py_ssize_t place, cell = start
    for place in range(start, end):
        if text[place] == sign:
            if not fits(text, cell, place, heading):
                return False
            cell = place + 1
    return fits(text, cell, end, heading)


cdef int sign_of(str text, Py_ssize_t start, Py_ssize_t end):
    """The number of the sign that stands most often in a line; 0 if that is not twice, or where a
    digit or half a character stands."""
    cdef int kind = PyUnicode_KIND(text), number, most = 1
    cdef void *data = PyUnicode_DATA(text)
    cdef Py_ssize_t place
    cdef Py_ssize_t counts[5]
    cdef Py_UCS4 char
    counts[1] = counts[2] = counts[3] = counts[4] = 0
    for place in range(start, end):
        char = PyUnicode_READ(kind, data, place)
        if char < 128:
            number = SORT[char]
            if number:
                if number == 5:
                    return 0
                counts[number] += 1
        elif 0xD800 <= char <= 0xDFFF:
            return 0
    for number in range(2, 5):
        if counts[number] > counts[most]:
            most = number
    return most if counts[most] >= 2 else 0


cdef bint holds(str line, tuple words):
    """Whether one of the words may be in it, whatever its case; without a look unless ASCII."""
    if not line.isascii():
        return True
    cdef str low = line.lower()
    for word in words:
        if word in low:
            return True
    return False


def heading_lines(
    str text, Py_ssize_t shortest, Py_ssize_t longest, Py_ssize_t heading, tuple words
):
    cdef Py_ssize_t length = len(text), start = 0, end
    cdef int sign
    cdef list found = []
    while start < length:
        end = PyUnicode_FindChar(text, u'\n', start, length, 1)
        if end < 0:
            end = length
        if shortest <= end - start <= longest:
            sign = sign_of(text, start, end)
            if sign and cells_fit(text, start, end, SIGNS[sign], heading):
                if holds(text[start:end], words):
                    found.append((start, end))
        start = end + 1
    return found


def opening_runs(str text, frozenset words):
    cdef Py_ssize_t length = len(text), place, start = -1
    cdef Py_UCS4 char
    cdef list found = []
    for place in range(length + 1):
        char = text[place] if place < length else u' '
        if char.isalnum() or char == u'_':
            if start < 0:
                start = place
        elif start >= 0:
            word = text[start:place].lower()
            if word in words:
                found.append((start, word))
            start = -1
    return found


def told_about(tuple findings, dict ids, cls):
    cdef list all_of_them = list(findings)
    cdef tuple one
    for index, person in ids.items():
        found = all_of_them[index]
        if not isinstance(found, tuple):
            raise TypeError("a finding is a tuple")
        one = <tuple> found  # of a class of its own, which Cython asks no further about
        all_of_them[index] = tuple.__new__(cls, (
            one[0], one[1], one[2], one[3], one[4], one[5], one[6], one[7], person, one[9], one[10],
        ))
    return tuple(all_of_them)
