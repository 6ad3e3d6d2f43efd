# What the kernel of all values (spotting.pyx) asks of the neighbours of one.

cdef enum:
    FREE = 0  # what may touch a value, as the rules name it
    WHOLE_WORD = 1
    HOST = 2
    NUMBER = 3

cdef int edges_of(str name) except -1
cdef bint touches(bytes raw, Py_ssize_t start, Py_ssize_t end, int edges) except -1
