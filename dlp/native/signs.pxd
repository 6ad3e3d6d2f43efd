# What kernels share that read the characters of a text: a place beyond it holds nothing.
from cpython.unicode cimport PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_KIND, PyUnicode_READ

ctypedef unsigned long long u64

cdef extern from *:
    """
    #if defined(__GNUC__) || defined(__clang__)
    #define DLP_LOWEST(bits) __builtin_ctzll(bits)
    #else
    static int DLP_LOWEST(unsigned long long bits) {
        int place = 0;
        while (!(bits & 1) && place < 63) { bits >>= 1; place++; }
        return place;
    }
    #endif
    """
    int lowest "DLP_LOWEST"(u64 bits) noexcept nogil  # the number of the lowest bit that is set


cdef struct Signs:  # the characters of a text
    int kind
    const void *data
    Py_ssize_t size


cdef inline Signs signs_of(str text) noexcept:
    cdef Signs signs
    signs.kind, signs.data = PyUnicode_KIND(text), PyUnicode_DATA(text)
    signs.size = PyUnicode_GET_LENGTH(text)
    return signs


cdef inline Py_UCS4 sign_at(Signs *signs, Py_ssize_t at) noexcept:
    """The character at a place; before and behind the text NUL, which nobody looks for."""
    return PyUnicode_READ(signs.kind, signs.data, at) if 0 <= at < signs.size else 0
