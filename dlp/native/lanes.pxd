# What kernels share that look at many characters of a text at a time, whatever bytes each of them
# has, or at many bytes: with the instructions of every x86-64 machine, and one by one elsewhere.
from dlp.native.signs cimport u64

cdef extern from *:
    """
    #if defined(__SSE2__) && defined(__x86_64__)
    #include <emmintrin.h>
    #define DLP_IS(signs, sign) _mm_cmpeq_epi8(signs, _mm_set1_epi8(sign))
    #define DLP_FROM(signs, first, last) _mm_and_si128( \\
        _mm_cmpgt_epi8(signs, _mm_set1_epi8((first) - 1)), \\
        _mm_cmplt_epi8(signs, _mm_set1_epi8((last) + 1)))
    #define DLP_BITS(signs) ((unsigned long long)(unsigned int)_mm_movemask_epi8(signs))
    #define DLP_LOAD(signs) _mm_loadu_si128((const __m128i *)&signs)
    /* Letters of ASCII and digits. */
    #define DLP_COUNTED(signs) _mm_or_si128( \\
        DLP_FROM(_mm_or_si128(signs, _mm_set1_epi8(0x20)), 'a', 'z'), DLP_FROM(signs, '0', '9'))
    static inline unsigned long long DLP_EIGHT(const void *data, Py_ssize_t at) {
        const unsigned char *signs = (const unsigned char *)data;
        return (unsigned long long)_mm_cvtsi128_si64(_mm_loadl_epi64((const __m128i *)&signs[at]));
    }
    static inline void DLP_PUT_EIGHT(unsigned char *signs, Py_ssize_t at, unsigned long long eight) {
        _mm_storel_epi64((__m128i *)&signs[at], _mm_cvtsi64_si128((long long)eight));
    }
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
    #define DLP_AT_ONCE 16
    static inline __m128i DLP_SOME(int kind, const void *data, Py_ssize_t at, int part) {
        const char *signs = (const char *)data;
        return DLP_LOAD(signs[kind * at + 16 * part]);
    }
    /* Whether 16 characters are all of ASCII. */
    static inline int DLP_ALL_PLAIN(int kind, const void *data, Py_ssize_t at) {
        __m128i some = DLP_SOME(kind, data, at, 0), high;
        if (kind == 1) return _mm_movemask_epi8(some) == 0;
        some = _mm_or_si128(some, DLP_SOME(kind, data, at, 1));
        high = _mm_set1_epi16((short)0xFF80);
        if (kind == 4) {
            some = _mm_or_si128(some, DLP_SOME(kind, data, at, 2));
            some = _mm_or_si128(some, DLP_SOME(kind, data, at, 3));
            high = _mm_set1_epi32((int)0xFFFFFF80);
        }
        return DLP_BITS(_mm_cmpeq_epi8(_mm_and_si128(some, high), _mm_setzero_si128())) == 0xFFFF;
    }
    /* The same into a text whose characters are of one byte, or of as many as these. */
    static inline void DLP_PUT(int kind, const void *data, Py_ssize_t at, int into, void *room, Py_ssize_t to) {
        char *signs = (char *)room;
        __m128i some = DLP_SOME(kind, data, at, 0);
        if (kind == 2 && into == 1) some = _mm_packus_epi16(some, DLP_SOME(kind, data, at, 1));
        if (kind == 4 && into == 1) some = DLP_SIXTEEN(kind, data, at);
        _mm_storeu_si128((__m128i *)&signs[into * to], some);
        if (into == 1) return;
        _mm_storeu_si128((__m128i *)&signs[into * to + 16], DLP_SOME(kind, data, at, 1));
        if (into == 2) return;
        _mm_storeu_si128((__m128i *)&signs[into * to + 32], DLP_SOME(kind, data, at, 2));
        _mm_storeu_si128((__m128i *)&signs[into * to + 48], DLP_SOME(kind, data, at, 3));
    }
    static inline unsigned long long DLP_ENDS(int kind, const void *data, Py_ssize_t at) {
        unsigned long long found = 0;
        int part;
        for (part = 0; part < 64; part += 16)
            found |= DLP_BITS(DLP_IS(DLP_SIXTEEN(kind, data, at + part), 10)) << part;
        return found;
    }
    #else
    static inline unsigned long long DLP_EIGHT(const void *data, Py_ssize_t at) {
        const unsigned char *signs = (const unsigned char *)data;
        unsigned long long eight = 0;
        int place;
        for (place = 0; place < 8; place++) eight |= (unsigned long long)signs[at + place] << 8 * place;
        return eight;
    }
    static inline void DLP_PUT_EIGHT(unsigned char *signs, Py_ssize_t at, unsigned long long eight) {
        int place;
        for (place = 0; place < 8; place++) signs[at + place] = (unsigned char)(eight >> 8 * place);
    }
    #define DLP_AT_ONCE ((Py_ssize_t)1 << 62)
    #define DLP_ALL_PLAIN(kind, data, at) 0
    #define DLP_PUT(kind, data, at, into, room, to) ((void)0)
    static inline unsigned long long DLP_ENDS(int kind, const void *data, Py_ssize_t at) {
        unsigned long long found = 0;
        int place;
        for (place = 0; place < 64; place++)
            found |= (unsigned long long)(PyUnicode_READ(kind, data, at + place) == 10) << place;
        return found;
    }
    #endif
    """
    # a bit for each of 64 characters from a place that ends a line; who asks compared the last of them
    u64 line_ends "DLP_ENDS"(int kind, const void *data, Py_ssize_t at) noexcept
    # eight bytes as one number, the first in the lowest byte; who asks compared the last of them
    u64 eight_at "DLP_EIGHT"(const void *data, Py_ssize_t at) noexcept nogil
    void put_eight "DLP_PUT_EIGHT"(unsigned char* signs, Py_ssize_t at, u64 eight) noexcept nogil
    Py_ssize_t AT_ONCE "DLP_AT_ONCE"  # characters that are looked at together; too many where none are
    bint are_plain "DLP_ALL_PLAIN"(int kind, const void *data, Py_ssize_t at) noexcept
    void put_plain "DLP_PUT"(
        int kind, const void *data, Py_ssize_t at, int into, void *room, Py_ssize_t to) noexcept
