# cython: boundscheck=True, wraparound=False, language_level=3
"""What every start does with long lists of knowledge.

In: the strings of a table; the keys of a list.  Out: objects of Python; a byte, or two bits, for
each key in a map that begins empty and is asked before the list is searched.

Twins: Strings in dlp/knowledge/artefact.py, HashTable in dlp/knowledge/hashing.py, bits_of in
dlp/knowledge/health.py.
"""

from cpython.unicode cimport PyUnicode_DecodeUTF8


def decoded(const unsigned char[::1] raw not None, const unsigned int[::1] edges not None):
    """The strings of a table, which lie end to end; the second says where each begins and ends."""
    cdef Py_ssize_t row, start, end
    cdef list found = []
    for row in range(edges.shape[0] - 1):
        start, end = edges[row], edges[row + 1]
        if not start <= end <= raw.shape[0]:
            raise ValueError("beyond the table")
        found.append(PyUnicode_DecodeUTF8(<const char*>&raw[start], end - start, NULL) if start < end else "")
    return found


def mark_leading(const unsigned int[::1] keys, int shift, unsigned char[::1] marks not None):
    """A byte for the leading bits of each key."""
    cdef Py_ssize_t place
    for place in range(keys.shape[0]):
        marks[keys[place] >> shift] = 1


def mark_twice(const unsigned int[::1] keys, unsigned long long[::1] numbers not None):
    """Two bits for each key in the number that its last 16 bits choose."""
    cdef Py_ssize_t place
    cdef unsigned int key
    for place in range(keys.shape[0]):
        key = keys[place]
        numbers[key & 0xFFFF] |= 1ULL << (key >> 16 & 63) | 1ULL << (key >> 22 & 63)
