# cython: boundscheck=True, wraparound=False, cdivision=True, language_level=3
"""Keyed hashes of little values: the first half of HMAC-SHA-256 (RFC 2104, FIPS 180-4).

In: a key, messages; or kinds and values of findings.  Out: 32 hexadecimal digits for each.

The twins are dlp/keys.py, whose two objects of Python's own SHA-256 cost more than the two blocks
that are hashed, and detect/fingerprint.py, which writes a value in its normal form.
"""

cimport cython
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from cpython.unicode cimport PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_New
from libc.stdint cimport uint32_t

import hashlib

cdef extern from *:
    """
    #pragma GCC optimize ("O3")
    #include <stdint.h>
    static const uint32_t DLP_K[64] = {
        0x428a2f98,0x71374491,0xb5c0fbcf,0xe9b5dba5,0x3956c25b,0x59f111f1,0x923f82a4,0xab1c5ed5,
        0xd807aa98,0x12835b01,0x243185be,0x550c7dc3,0x72be5d74,0x80deb1fe,0x9bdc06a7,0xc19bf174,
        0xe49b69c1,0xefbe4786,0x0fc19dc6,0x240ca1cc,0x2de92c6f,0x4a7484aa,0x5cb0a9dc,0x76f988da,
        0x983e5152,0xa831c66d,0xb00327c8,0xbf597fc7,0xc6e00bf3,0xd5a79147,0x06ca6351,0x14292967,
        0x27b70a85,0x2e1b2138,0x4d2c6dfc,0x53380d13,0x650a7354,0x766a0abb,0x81c2c92e,0x92722c85,
        0xa2bfe8a1,0xa81a664b,0xc24b8b70,0xc76c51a3,0xd192e819,0xd6990624,0xf40e3585,0x106aa070,
        0x19a4c116,0x1e376c08,0x2748774c,0x34b0bcb5,0x391c0cb3,0x4ed8aa4a,0x5b9cca4f,0x682e6ff3,
        0x748f82ee,0x78a5636f,0x84c87814,0x8cc70208,0x90befffa,0xa4506ceb,0xbef9a3f7,0xc67178f2};
    #define DLP_ROR(x, n) ((x) >> (n) | (x) << (32 - (n)))
    #define DLP_STEP(a, b, c, d, e, f, g, h, i) do { \\
        uint32_t one = h + (DLP_ROR(e, 6) ^ DLP_ROR(e, 11) ^ DLP_ROR(e, 25)) + (g ^ (e & (f ^ g))) + DLP_K[i] + w[i]; \\
        d += one; \\
        h = one + (DLP_ROR(a, 2) ^ DLP_ROR(a, 13) ^ DLP_ROR(a, 22)) + ((a & b) | (c & (a | b))); } while (0)
    static void DLP_SHA256(uint32_t *state, const unsigned char *block) {
        uint32_t w[64], a = state[0], b = state[1], c = state[2], d = state[3];
        uint32_t e = state[4], f = state[5], g = state[6], h = state[7];
        int i;
        for (i = 0; i < 16; i++)
            w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16
                 | (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
        for (; i < 64; i++)
            w[i] = w[i - 16] + w[i - 7] + (DLP_ROR(w[i - 15], 7) ^ DLP_ROR(w[i - 15], 18) ^ w[i - 15] >> 3)
                 + (DLP_ROR(w[i - 2], 17) ^ DLP_ROR(w[i - 2], 19) ^ w[i - 2] >> 10);
        for (i = 0; i < 64; i += 8) {
            DLP_STEP(a, b, c, d, e, f, g, h, i);
            DLP_STEP(h, a, b, c, d, e, f, g, i + 1);
            DLP_STEP(g, h, a, b, c, d, e, f, i + 2);
            DLP_STEP(f, g, h, a, b, c, d, e, i + 3);
            DLP_STEP(e, f, g, h, a, b, c, d, i + 4);
            DLP_STEP(d, e, f, g, h, a, b, c, i + 5);
            DLP_STEP(c, d, e, f, g, h, a, b, i + 6);
            DLP_STEP(b, c, d, e, f, g, h, a, i + 7);
        }
        state[0] += a; state[1] += b; state[2] += c; state[3] += d;
        state[4] += e; state[5] += f; state[6] += g; state[7] += h;
    }

    /* Where the processor says that it knows SHA-256 itself: a fifth of the time. */
    #if (defined(__GNUC__) || defined(__clang__)) && defined(__x86_64__)
    #include <cpuid.h>
    #include <immintrin.h>
    static int DLP_KNOWS_SHA(void) {
        unsigned int a, b, c, d;
        if (!__get_cpuid(1, &a, &b, &c, &d) || !(c >> 9 & 1) || !(c >> 19 & 1)) return 0;
        return __get_cpuid_count(7, 0, &a, &b, &c, &d) && b >> 29 & 1;
    }
    __attribute__((target("sha,sse4.1,ssse3")))
    static void DLP_SHA256_QUICK(uint32_t *state, const unsigned char *block) {
        const __m128i turned = _mm_set_epi64x(0x0c0d0e0f08090a0bLL, 0x0405060700010203LL);
        __m128i low = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)&state[0]), 0xB1);
        __m128i high = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)&state[4]), 0x1B);
        __m128i abef = _mm_alignr_epi8(low, high, 8), cdgh = _mm_blend_epi16(high, low, 0xF0);
        const __m128i abef_before = abef, cdgh_before = cdgh;
        __m128i w[4], some;
        int i;
        for (i = 0; i < 4; i++)
            w[i] = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)&block[16 * i]), turned);
        for (i = 0; i < 16; i++) {
            some = _mm_add_epi32(w[i & 3], _mm_loadu_si128((const __m128i *)&DLP_K[4 * i]));
            cdgh = _mm_sha256rnds2_epu32(cdgh, abef, some);
            abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(some, 0x0E));
            some = _mm_add_epi32(_mm_sha256msg1_epu32(w[i & 3], w[(i + 1) & 3]),
                                 _mm_alignr_epi8(w[(i + 3) & 3], w[(i + 2) & 3], 4));
            w[i & 3] = _mm_sha256msg2_epu32(some, w[(i + 3) & 3]);
        }
        low = _mm_shuffle_epi32(_mm_add_epi32(abef, abef_before), 0x1B);
        high = _mm_shuffle_epi32(_mm_add_epi32(cdgh, cdgh_before), 0xB1);
        _mm_storeu_si128((__m128i *)&state[0], _mm_blend_epi16(low, high, 0xF0));
        _mm_storeu_si128((__m128i *)&state[4], _mm_alignr_epi8(high, low, 8));
    }
    #else
    #define DLP_KNOWS_SHA() 0
    #define DLP_SHA256_QUICK DLP_SHA256
    #endif
    """
    bint processor_knows "DLP_KNOWS_SHA"() noexcept nogil
    void add_plainly "DLP_SHA256"(uint32_t *state, const unsigned char *block) noexcept nogil
    void add_quickly "DLP_SHA256_QUICK"(uint32_t *state, const unsigned char *block) noexcept nogil

cdef enum:
    BLOCK = 64  # bytes that SHA-256 takes at a time
    LENGTH_AT = 56  # in the last one
    DIGEST = 32
    TOLD = 16  # bytes of the hash that are told: half of it
    ROOM = 256  # bytes of a value and what is written before it
    IN_PYTHON = 0  # how a value is written: as detect/fingerprint.py says,
    AS_ADDRESS = 1  # in small letters,
    AS_PHONE = 2  # in digits, without the 1 of North America,
    AS_NUMBER = 3  # in capitals and digits

cdef const char *DIGITS = b"0123456789abcdef"
cdef uint32_t FIRST[8]
FIRST[:] = [
    0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A, 0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19]


cdef bint QUICK = processor_knows()


def go_plainly(bint plainly):
    """For tests: do without what the processor knows itself."""
    global QUICK
    QUICK = processor_knows() and not plainly
    return QUICK


cdef inline void add_block(uint32_t *state, const unsigned char *block) noexcept:
    if QUICK:
        add_quickly(state, block)
    else:
        add_plainly(state, block)


@cython.final
cdef class Keyed:
    def __init__(self, bytes key not None):
        cdef bytes short = key if len(key) <= BLOCK else hashlib.sha256(key).digest()
        self.key = key
        short = short.ljust(BLOCK, b"\0")
        self.begun[:] = FIRST
        self.ending[:] = FIRST
        add_block(self.begun, bytes([sign ^ 0x36 for sign in short]))
        add_block(self.ending, bytes([sign ^ 0x5C for sign in short]))

    cdef str of(self, const unsigned char *message, Py_ssize_t size):
        """The hash of so many bytes."""
        cdef uint32_t state[8]
        cdef unsigned char digest[DIGEST]
        cdef unsigned char room[BLOCK]
        cdef Py_ssize_t done, place
        state[:] = self.begun
        for done in range(size // BLOCK):
            for place in range(BLOCK):
                room[place] = message[BLOCK * done + place]
            add_block(state, room)
        done = size - size % BLOCK
        for place in range(size - done):  # less than a block
            room[place] = message[done + place]
        finish(state, room, size - done, BLOCK + size)
        write(state, digest)
        state[:] = self.ending
        for place in range(DIGEST):
            room[place] = digest[place]
        finish(state, room, DIGEST, BLOCK + DIGEST)
        write(state, digest)
        return in_digits(digest)


cdef void finish(uint32_t *state, unsigned char *room, Py_ssize_t used, unsigned long long size) noexcept:
    """Add the last bytes, less than a block, and the length of all."""
    cdef Py_ssize_t place
    room[used] = 0x80
    for place in range(used + 1, BLOCK):
        room[place] = 0
    if used + 1 > LENGTH_AT:
        add_block(state, room)
        for place in range(LENGTH_AT):
            room[place] = 0
    size *= 8
    for place in range(BLOCK - 1, LENGTH_AT - 1, -1):
        room[place] = size & 0xFF
        size >>= 8
    add_block(state, room)


cdef void write(const uint32_t *state, unsigned char *digest) noexcept:
    cdef int place
    for place in range(DIGEST):
        digest[place] = state[place // 4] >> 8 * (3 - place % 4) & 0xFF


cdef str in_digits(const unsigned char *digest):
    cdef str told = PyUnicode_New(2 * TOLD, 127)
    cdef unsigned char *signs = <unsigned char *>PyUnicode_DATA(told)
    cdef int place
    for place in range(TOLD):
        signs[2 * place] = DIGITS[digest[place] >> 4]
        signs[2 * place + 1] = DIGITS[digest[place] & 15]
    return told


@cython.final
cdef class Marker:
    """Marks the values of findings, as detect/fingerprint.py does."""

    def __init__(self, bytes key not None, dict written not None, normal_form, date, phone, addresses):
        self.keyed, self.normal_form = Keyed(key), normal_form
        self.plans = {}
        for kind, prefix in written.items():
            how = AS_PHONE if kind is phone else AS_ADDRESS if kind in addresses else AS_NUMBER
            self.plans[kind] = prefix.encode(), IN_PYTHON if kind is date else how

    def __call__(self, kind, str value not None):
        return self.mark(kind, value)

    cdef str mark(self, kind, str value):
        cdef unsigned char room[ROOM]
        cdef bytes prefix, message
        cdef int how
        cdef Py_ssize_t size
        prefix, how = <tuple>self.plans[kind]
        if how == IN_PYTHON or not value.isascii() or len(prefix) + len(value) > ROOM:
            message = prefix + (<str>self.normal_form(kind, value)).encode("utf-8", "surrogatepass")
            return self.keyed.of(<const unsigned char *>PyBytes_AS_STRING(message), PyBytes_GET_SIZE(message))
        for size in range(len(prefix)):
            room[size] = prefix[size]
        if how == AS_ADDRESS:
            size = put_address(room, len(prefix), value)
        else:
            size = put_number(room, len(prefix), value, how == AS_PHONE)
        return self.keyed.of(room, size)


cdef inline bint is_space(unsigned char sign) noexcept:
    return sign == 32 or 9 <= sign <= 13 or 28 <= sign <= 31


cdef inline bint is_digit(unsigned char sign) noexcept:
    return c"0" <= sign <= c"9"


cdef inline bint is_capital(unsigned char sign) noexcept:
    return c"A" <= sign <= c"Z"


cdef Py_ssize_t put_address(unsigned char *room, Py_ssize_t at, str value) noexcept:
    """Write a value of ASCII, for which there is room, in small letters and without blanks around."""
    cdef const unsigned char *signs = <const unsigned char *>PyUnicode_DATA(value)
    cdef Py_ssize_t first = 0, last = PyUnicode_GET_LENGTH(value)
    while first < last and is_space(signs[first]):
        first += 1
    while first < last and is_space(signs[last - 1]):
        last -= 1
    while first < last:
        room[at] = signs[first] + 32 if is_capital(signs[first]) else signs[first]
        at += 1
        first += 1
    return at


cdef Py_ssize_t put_number(unsigned char *room, Py_ssize_t at, str value, bint phone) noexcept:
    """Write the letters of a value of ASCII, for which there is room, in capitals, and its digits."""
    cdef const unsigned char *signs = <const unsigned char *>PyUnicode_DATA(value)
    cdef Py_ssize_t place, start = at
    cdef unsigned char sign
    for place in range(PyUnicode_GET_LENGTH(value)):
        sign = signs[place]
        if c"a" <= sign <= c"z":
            sign -= 32
        if is_digit(sign) or (is_capital(sign) and not phone):
            room[at] = sign
            at += 1
    if phone and at - start == 11 and room[start] == c"1":
        at -= 1
        for place in range(start, at):
            room[place] = room[place + 1]
    return at


cdef Keyed LAST = Keyed(b"")


cdef Keyed keyed_with(bytes key):
    """A worker has one key."""
    global LAST
    if LAST.key is not key and LAST.key != key:
        LAST = Keyed(key)
    return LAST


def keyed_hash(bytes key not None, bytes message not None):
    return keyed_with(key).of(<const unsigned char *>PyBytes_AS_STRING(message), PyBytes_GET_SIZE(message))


def keyed_hashes(bytes key not None, messages):
    cdef Keyed keyed = keyed_with(key)
    cdef bytes message
    cdef list told = []
    for message in messages:
        told.append(keyed.of(<const unsigned char *>PyBytes_AS_STRING(message), PyBytes_GET_SIZE(message)))
    return told
