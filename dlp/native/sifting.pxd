# What the kernel of all values (spotting.pyx) asks of the neighbours of one.

cdef bint touches(bytes raw, Py_ssize_t start, Py_ssize_t end, str edges) except -1
cdef bint near(object words, Py_ssize_t start, Py_ssize_t end, Py_ssize_t reach, Py_ssize_t after) except -1
