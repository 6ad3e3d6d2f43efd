# What the kernel of all values (spotting.pyx) asks of the words around them.

cimport cython

cdef enum:
    SLOTS = 8192
    FULL = 2048  # more first words make long searches
    LONGEST = 64  # bytes of a first word


@cython.final
cdef class Spans:
    """Spans in order, as many as are noted."""

    cdef long long[::1] starts, ends
    cdef Py_ssize_t many

    cdef int add(self, Py_ssize_t start, Py_ssize_t end) except -1
    cdef bint near(self, Py_ssize_t start, Py_ssize_t end, Py_ssize_t reach, Py_ssize_t after) except -1


@cython.final
cdef class Index:
    cdef short slots[SLOTS]  # number of a word and one more; 0: none
    cdef short signs[256]
    cdef list words
    cdef int number_of(self, bytes raw, Py_ssize_t start, Py_ssize_t end, unsigned int slot) except -2
    cdef int note_near(
        self, bytes raw, Py_ssize_t start, Py_ssize_t end, Spans spans,
        Py_ssize_t reach, Py_ssize_t after, dict wanted, Spans found,
    ) except -1
    cdef Py_ssize_t between(
        self, bytes raw, Py_ssize_t place, Py_ssize_t stop, Py_ssize_t end, dict wanted, Spans found,
        bint apart,
    ) except -1
    cdef (int, Py_ssize_t) next_word(self, bytes raw, Py_ssize_t place, Py_ssize_t stop) except *
