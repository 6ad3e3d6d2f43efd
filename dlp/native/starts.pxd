# What the kernel of all values (spotting.pyx) asks: where they may begin.

cdef enum:
    PARTS = 3  # numbers of 64 bits that hold a bit for each rule


cdef class Walk:
    """What a walk through a block leaves, and who walks."""

    cdef int rules, host  # how many there are; that of hosts, whose matches are found here
    cdef readonly bint mixed  # letters may stand for digits in it
    cdef unsigned long long asked[PARTS]  # a bit for each rule with a place
    cdef Py_ssize_t opening_of[64 * PARTS]  # the number of its first place, and of the last
    cdef Py_ssize_t latest_of[64 * PARTS]
    cdef long long[::1] places, behind  # by number: a place, and the number of the next of its rule
    cdef Py_ssize_t many

    cdef int read_block(self, const unsigned char[::1] raw, Py_ssize_t start, Py_ssize_t end) except -1
    cdef Py_ssize_t end_of_host(self, const unsigned char[::1] raw, Py_ssize_t place, Py_ssize_t limit) except -2
