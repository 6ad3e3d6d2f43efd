# What the kernels that ask lists by themselves need of lists.pyx.

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t

cimport cython


@cython.final
cdef class Hasher:
    cdef const uint64_t[::1] weights

    cdef uint64_t of(self, str word) except? 0


@cython.final
cdef class Listed:
    cdef const uint8_t[::1] likely
    cdef const uint32_t[::1] high
    cdef const uint8_t[::1] low
    cdef const uint32_t[::1] steps
    cdef int shift, step

    cdef int64_t place(self, uint64_t wanted) except? -2
    cdef int near(self, uint64_t wanted) except -1
