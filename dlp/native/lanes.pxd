# What kernels share that look at 64 characters of a text at a time, whatever bytes each of them has:
# with the instructions of every x86-64 machine, and one by one elsewhere.
from dlp.native.signs cimport u64

cdef extern from *:
    """
    #if defined(__SSE2__)
    #include <emmintrin.h>
    #define DLP_IS(signs, sign) _mm_cmpeq_epi8(signs, _mm_set1_epi8(sign))
    #define DLP_FROM(signs, first, last) _mm_and_si128( \\
        _mm_cmpgt_epi8(signs, _mm_set1_epi8((first) - 1)), \\
        _mm_cmplt_epi8(signs, _mm_set1_epi8((last) + 1)))
    #define DLP_BITS(signs) ((unsigned long long)(unsigned int)_mm_movemask_epi8(signs))
    #define DLP_LOAD(signs) _mm_loadu_si128((const __m128i *)&signs)
    /* What is no byte becomes the first or the last one, which are of no class. */
    static inline __m128i DLP_SIXTEEN(int kind, const void *data, Py_ssize_t at) {
        const unsigned short *twos = (const unsigned short *)data;
        const unsigned int *fours = (const unsigned int *)data;
        if (kind == 1)
            return DLP_LOAD(((const unsigned char *)data)[at]);
        if (kind == 2)
            return _mm_packus_epi16(DLP_LOAD(twos[at]), DLP_LOAD(twos[at + 8]));
        return _mm_packus_epi16(
            _mm_packs_epi32(DLP_LOAD(fours[at]), DLP_LOAD(fours[at + 4])),
            _mm_packs_epi32(DLP_LOAD(fours[at + 8]), DLP_LOAD(fours[at + 12])));
    }
    static inline unsigned long long DLP_ENDS(int kind, const void *data, Py_ssize_t at) {
        unsigned long long found = 0;
        int part;
        for (part = 0; part < 64; part += 16)
            found |= DLP_BITS(DLP_IS(DLP_SIXTEEN(kind, data, at + part), 10)) << part;
        return found;
    }
    #else
    static inline unsigned long long DLP_ENDS(int kind, const void *data, Py_ssize_t at) {
        unsigned long long found = 0;
        int place;
        for (place = 0; place < 64; place++)
            found |= (unsigned long long)(PyUnicode_READ(kind, data, at + place) == 10) << place;
        return found;
    }
    #endif
    #if defined(__SSE2__) && defined(__x86_64__)
    #define DLP_EIGHT(data, at) ((unsigned long long)_mm_cvtsi128_si64( \\
        _mm_loadl_epi64((const __m128i *)&((const unsigned char *)(data))[at])))
    #else
    static inline unsigned long long DLP_EIGHT(const void *data, Py_ssize_t at) {
        unsigned long long eight = 0;
        int place;
        for (place = 0; place < 8; place++)
            eight |= (unsigned long long)((const unsigned char *)data)[at + place] << 8 * place;
        return eight;
    }
    #endif
    """
    # a bit for each of 64 characters from a place that ends a line; who asks compared the last of them
    u64 line_ends "DLP_ENDS"(int kind, const void *data, Py_ssize_t at) noexcept
    # eight characters of a text that has a byte for each, the first in the lowest one; the last was
    # compared with the length as well
    u64 eight_narrow "DLP_EIGHT"(const void *data, Py_ssize_t at) noexcept
