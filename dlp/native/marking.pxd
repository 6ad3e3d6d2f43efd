# What the kernel of all values (spotting.pyx) marks them with.

from libc.stdint cimport uint32_t

cimport cython


@cython.final
cdef class Keyed:
    cdef bytes key
    cdef uint32_t begun[8]  # HMAC as far as the key alone takes it: its inner half, and its outer
    cdef uint32_t ending[8]

    cdef str of(self, const unsigned char *message, Py_ssize_t size)


@cython.final
cdef class Marker:
    cdef Keyed keyed
    cdef dict plans  # by kind: what is written before a value, and how the value is
    cdef object normal_form

    cdef str mark(self, kind, str value)
