# cython: boundscheck=True, wraparound=False, language_level=3
"""Cut out of a text what stands near its digits.

In: UTF-8 bytes, the part of them that is asked for, reaches (characters before and from a digit).
Out: the places of the first and the last digit (-1: there is none), and for each reach the pieces
within it, one byte more on either side, in one string of bytes.
"""

cdef enum:
    RUN = 32  # as dlp/detect/identify/around.py has it; a test compares
    MOST = 8  # reaches at a time

run = RUN
GAP = b"\n\0"  # between pieces: no word, and nothing a pattern asks for

cdef unsigned char IN_RUN[256]
for _one in range(256):
    IN_RUN[_one] = _one >= 0x80 or chr(_one).isalnum() or chr(_one) in "_-'"


cdef Py_ssize_t in_long_runs(const unsigned char[::1] data, Py_ssize_t start, Py_ssize_t stop):
    """Bytes of runs longer than RUN; such a run holds one of every RUN places."""
    cdef Py_ssize_t place = start, first, last = start, found = 0
    while place < stop:
        if IN_RUN[data[place]]:
            first = place
            while first > last and IN_RUN[data[first - 1]]:
                first -= 1
            last = place + 1
            while last < stop and IN_RUN[data[last]]:
                last += 1
            if last - first > RUN:
                found += last - first
            place = last
        place += RUN
    return found


def near_digits(bytes raw not None, Py_ssize_t start, Py_ssize_t stop, tuple reaches not None):
    cdef const unsigned char[::1] data = raw
    cdef Py_ssize_t before[MOST]
    cdef Py_ssize_t after[MOST]
    cdef Py_ssize_t begin[MOST]
    cdef Py_ssize_t end[MOST]
    cdef Py_ssize_t place, extra = 0, first = -1, last = -1, low
    cdef int number, many = len(reaches)
    cdef list pieces
    if many > MOST or start < 0 or stop > len(raw):
        raise ValueError("near_digits")
    for place in range(start, stop):
        if <unsigned char>(data[place] - 48) < 10:
            first = place
            break
    if first < 0:
        return -1, -1, [b""] * many
    # A reach is in characters and counts on short runs: what a character has beyond its first byte
    # comes on top, and so does every long run.
    extra = in_long_runs(data, start, stop)
    if not raw.isascii():
        for place in range(start, stop):
            extra += data[place] >= 0x80 and data[place] < 0xC0
    pieces = [[] for number in range(many)]
    for number in range(many):
        before[number] = <Py_ssize_t>reaches[number][0] + extra + 1
        after[number] = <Py_ssize_t>reaches[number][1] + extra + 1
        begin[number] = max(start, first - before[number])
        end[number] = begin[number]
    for place in range(first, stop):
        if <unsigned char>(data[place] - 48) < 10:
            for number in range(many):
                low = place - before[number]
                if low > end[number]:
                    (<list>pieces[number]).append(raw[begin[number]:end[number]])
                    begin[number] = low
                end[number] = place + after[number]
            last = place
    for number in range(many):
        (<list>pieces[number]).append(raw[begin[number]:min(stop, end[number])])
    return first, last, [GAP.join(some) for some in pieces]
