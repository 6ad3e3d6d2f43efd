# cython: boundscheck=True, wraparound=False, language_level=3
"""Cut out of a text what stands near its digits.

In: UTF-8 bytes, reaches (characters before a digit and from it on).
Out: for each reach the pieces within it, one byte more on either side, in one string of bytes.
"""

cdef enum:
    RUN = 32  # as dlp/detect/identify/around.py has it; a test compares
    MOST = 8  # reaches at a time
    LONG = 7  # as dlp/detect/fold.py has it; a test compares

run = RUN
long_number = LONG
GAP = b"\n\0"  # between pieces: no word, and nothing a pattern asks for

cdef unsigned char IN_RUN[256]
cdef unsigned char IN_WORD[256]
cdef unsigned char IS_LOOKALIKE[256]
for _one in range(256):
    IS_LOOKALIKE[_one] = chr(_one) in "OolI"
    IN_WORD[_one] = _one < 0x80 and (chr(_one).isalnum() or _one == 95)
    IN_RUN[_one] = _one >= 0x80 or chr(_one).isalnum() or chr(_one) in "_-'"


cdef Py_ssize_t in_long_runs(bytes block):
    """Bytes of runs longer than RUN; what ends a shorter one is looked for from its far end."""
    cdef Py_ssize_t first = 0, place, found = 0, size = len(block)
    while first + RUN < size:
        place = first + RUN
        while place >= first and IN_RUN[<unsigned char>block[place]]:
            place -= 1
        if place < first:
            place = first + RUN + 1
            while place < size and IN_RUN[<unsigned char>block[place]]:
                place += 1
            found += place - first
        first = place + 1
    return found


cdef Py_ssize_t beyond_first_bytes(bytes block):
    """Bytes that no character begins with."""
    cdef Py_ssize_t found = 0
    cdef unsigned char one
    for one in block:
        found += (one & 0xC0) == 0x80
    return found


def near_digits(bytes block not None, tuple reaches not None):
    cdef Py_ssize_t before[MOST]
    cdef Py_ssize_t after[MOST]
    cdef Py_ssize_t begin[MOST]
    cdef Py_ssize_t place = -1, extra = 0, first = -1, last = -1, least = 0
    cdef int number, many = len(reaches)
    cdef unsigned char one
    cdef list pieces
    if many > MOST:
        raise ValueError("near_digits")
    for one in block:
        place += 1
        if <unsigned char>(one - 48) >= 10:
            continue
        if first < 0:
            # A reach is in characters and counts on short runs: what a character has beyond its
            # first byte comes on top, and so does every long run.
            extra = in_long_runs(block)
            if not block.isascii():
                extra += beyond_first_bytes(block)
            pieces = [[] for number in range(many)]
            for number in range(many):
                before[number] = <Py_ssize_t>reaches[number][0] + extra + 1
                after[number] = <Py_ssize_t>reaches[number][1] + extra + 1
                begin[number] = max(0, place - before[number])
                if number == 0 or before[number] + after[number] < least:
                    least = before[number] + after[number]
            first = place
        elif place - last > least:
            for number in range(many):
                if place - last > before[number] + after[number]:
                    (<list>pieces[number]).append(block[begin[number]:last + after[number]])
                    begin[number] = place - before[number]
        last = place
    if first < 0:
        return [b""] * many
    for number in range(many):
        (<list>pieces[number]).append(block[begin[number]:last + after[number]])
    return [GAP.join(some) if len(some) > 1 else some[0] for some in pieces]


def has_mixed_number(bytes raw not None):
    """Whether a letter that looks like a digit follows digits and hyphens that begin a word.

    Without one, in a number of LONG places, dlp/detect/fold.py has nothing to read as a digit.
    """
    cdef unsigned char one, previous = 32
    cdef bint within = False
    cdef Py_ssize_t place = -1, first = 0
    for one in raw:
        place += 1
        if <unsigned char>(one - 48) < 10:
            if not within and not IN_WORD[previous]:
                within = True
                first = place
        elif within and one != 45:
            if IS_LOOKALIKE[one] and is_long(raw, first, place):
                return True
            within = False
        previous = one
    return False


cdef bint is_long(bytes raw, Py_ssize_t first, Py_ssize_t place) except -1:
    """Whether digits, hyphens and letters like digits go on until there are enough of them."""
    cdef unsigned char one
    while place - first < LONG:
        if place >= len(raw):
            return False
        one = <unsigned char>raw[place]
        if not (<unsigned char>(one - 48) < 10 or one == 45 or IS_LOOKALIKE[one]):
            return False
        place += 1
    return True
