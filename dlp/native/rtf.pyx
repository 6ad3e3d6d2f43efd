# cython: language_level=3, wraparound=False, binding=False
"""Rich Text Format, read word by word; and the packing Outlook keeps it in.

In: the bytes of an RTF file, whole or cut off.  Out: streams of text, properties, files inside.

The twins are RtfReader in dlp/decode/office/rtf.py, with what single words change in
dlp/decode/office/rtf_state.py (Reader), and inflate in dlp/decode/office/lzfu.py. They give the tables
of words; what is seldom needed is asked of them.
"""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from libc.stdint cimport int64_t

cimport cython

cdef enum:
    DEEPEST = 500
    LONGEST_WORD = 32
    MOST_DIGITS = 10
    SKIP = 0  # numbers of streams: 0 is read by nobody, 1 is the body
    BODY = 1
    NO_STREAM = -1

# what a word does; from CHARACTER on each number is one sign, PARAGRAPH ends one as well
cdef enum:
    UNKNOWN = 0
    UNICODE = 2
    FONT = 3
    CODEPAGE = 4
    FONT_CODEPAGE = 5
    CHARSET = 6
    FALLBACK = 7
    REMOVED = 8
    ADDED = 9
    SILENT = 10
    PLAIN = 11
    MAC = 12
    DOS = 13
    DIGITS = 14  # a file, in digits
    CHARACTER = 32
    PARAGRAPH = 1024


def constants():
    """What this file repeats of its twins, for a test to compare."""
    return {
        "rtf": {"DEEPEST": DEEPEST},
        "words": {
            "u": UNICODE, "f": FONT, "ansicpg": CODEPAGE, "cpg": FONT_CODEPAGE,
            "fcharset": CHARSET, "uc": FALLBACK, "deleted": REMOVED, "revised": ADDED,
            "htmlrtf": SILENT, "plain": PLAIN, "mac": MAC, "pc": DOS,
        },
        "kinds": {"DIGITS": DIGITS, "CHARACTER": CHARACTER, "PARAGRAPH": PARAGRAPH},
        "lzfu": {"WINDOW": WINDOW},
    }


cdef unsigned char[256] LETTER, DIGIT, HEX, STOP
for _sign in range(256):
    LETTER[_sign] = 65 <= _sign <= 90 or 97 <= _sign <= 122
    DIGIT[_sign] = 48 <= _sign <= 57
    HEX[_sign] = u"0123456789abcdef".find(chr(_sign).lower()) + 1  # 0: none
    STOP[_sign] = _sign in b"\\{}\r\n\0"


cdef struct State:
    int stream, around
    int codec
    int fallback
    int binary  # 0: none; else the number of the word whose digits are a file
    bint removed, added, silent, fresh, optional


@cython.final
cdef class Tables:
    """What the twin knows of words, made once."""

    cdef dict words  # bytes -> what a word does
    cdef list signs  # the text of each CHARACTER
    cdef dict destinations, codepages
    cdef frozenset properties, through, spoken, named
    cdef list binaries  # words whose digits are a file
    cdef object codec_of, is_plain, files_of, line_of_tag

    def __init__(self, dict words not None, list signs not None, dict destinations not None,
                 dict codepages not None, tuple sets not None, list binaries not None, asked):
        self.words, self.signs = words, signs
        self.destinations, self.codepages, self.binaries = destinations, codepages, binaries
        self.properties, self.through, self.spoken, self.named = sets
        self.codec_of, self.is_plain, self.files_of, self.line_of_tag = asked


@cython.final
cdef class Reader:
    cdef readonly dict streams
    cdef readonly list properties, files
    cdef readonly bint depth_exceeded
    cdef readonly Py_ssize_t open_groups, end
    cdef Tables _tables
    cdef State _state
    cdef State[DEEPEST] _stack
    cdef Py_ssize_t _depth, _too_deep, _skip
    cdef list _pending, _shown, _before, _digits
    cdef list _names, _texts  # by number: names of streams, and the list of texts of each
    cdef dict _numbers
    cdef list _codecs, _plain
    cdef dict _codec_numbers, _fonts
    cdef int64_t _font
    cdef int _default, _high
    cdef bint _changed
    cdef str _name

    def __init__(self, Tables tables not None):
        self._tables = tables
        self.streams, self.properties, self.files = {}, [], []
        self._pending, self._shown, self._before, self._digits = [], [], [], []
        self._names, self._texts, self._numbers = [], [], {}
        self._codecs, self._plain, self._codec_numbers, self._fonts = [], [], {}, {}
        self._name = u""
        self._number_of(u"")
        self._number_of(u"body")
        self._state.stream = self._state.around = BODY
        self._state.codec = self._default = self._codec(u"cp1252")
        self._state.fallback = 1
        self._state.fresh = True

    cdef int _number_of(self, str stream) except -1:
        number = self._numbers.get(stream)
        if number is None:
            number = self._numbers[stream] = len(self._names)
            self._names.append(stream)
            self._texts.append(None)
        return number

    cdef int _codec(self, str name) except -1:
        number = self._codec_numbers.get(name)
        if number is None:
            number = self._codec_numbers[name] = len(self._codecs)
            self._codecs.append(name)
            self._plain.append(None)  # asked when it is needed: to know a codec is to import it
        return number

    def read(self, bytes content not None):
        cdef const unsigned char* signs = <const unsigned char*>PyBytes_AS_STRING(content)
        cdef Py_ssize_t size = PyBytes_GET_SIZE(content), at = 0, start
        cdef unsigned char sign
        while at < size:
            sign = signs[at]
            if sign == 123:  # {
                at += 1
                self._open()
            elif sign == 125:  # }
                at += 1
                # Braces do not always balance, and documents come one after the other.
                if not self._close() and content.find(b"}", at) < 0:
                    self.end = at
                    break
            elif sign == 92:  # a backslash
                at = self._control(content, signs, at + 1, size)
            elif STOP[sign]:
                at += 1
            else:
                start = at
                while at < size and not STOP[signs[at]]:
                    at += 1
                self._text(content, start, at)
        self._flush_paragraph()
        self.open_groups = self._depth + self._too_deep

    cdef Py_ssize_t _control(
        self, bytes content, const unsigned char* signs, Py_ssize_t at, Py_ssize_t size
    ) except -1:
        """What stands behind a backslash; says where it ends."""
        cdef Py_ssize_t start = at, length
        cdef int64_t number = 0
        cdef bint told = False, negative = False
        cdef bytes word
        if at >= size:
            return size  # cut off
        if not LETTER[signs[at]]:
            if signs[at] == 39 and at + 2 < size and HEX[signs[at + 1]] and HEX[signs[at + 2]]:
                number = 16 * (HEX[signs[at + 1]] - 1) + HEX[signs[at + 2]] - 1
                word = bytes((number,))
                self._text(word, 0, 1)
                return at + 3
            self._symbol(content, signs[at], at)
            return at + 1
        while at < size and at - start < LONGEST_WORD and LETTER[signs[at]]:
            at += 1
        word = content[start:at]
        start = at
        if at + 1 < size and signs[at] == 45 and DIGIT[signs[at + 1]]:  # a minus
            negative = True
            start = at = at + 1
        while at < size and at - start < MOST_DIGITS and DIGIT[signs[at]]:
            number = 10 * number + signs[at] - 48
            at += 1
            told = True
        if negative:
            number = -number
        if at < size and signs[at] == 32:
            at += 1
        if word == b"bin":
            length = max(0, number)
            if self._state.binary:
                self._digits.append(content[at:at + length].hex().encode())
            return min(size, at + length)
        self._word(word, told, number)
        return at

    cdef int _open(self) except -1:
        self._flush()
        if self._depth >= DEEPEST:
            self._too_deep += 1
            self.depth_exceeded = True
            return 0
        self._stack[self._depth] = self._state
        self._depth += 1
        self._state.fresh, self._state.optional = True, False
        return 0

    cdef bint _close(self) except -1:
        """Go back to the group around; False at the end of the document."""
        cdef int stream = self._state.stream, binary = self._state.binary
        cdef list tags
        self._flush()
        if self._too_deep:
            self._too_deep -= 1
            return True
        if self._depth <= 0 or self._depth > DEEPEST:
            return True  # one brace too many: read on
        self._depth -= 1
        self._state = self._stack[self._depth]
        if binary and not self._state.binary:
            self._end_file(binary)
        if stream != self._state.stream and stream != SKIP and stream != BODY:
            if self._names[stream] == u"markup":
                tags = self._texts[stream]
                line = self._tables.line_of_tag(tags[len(tags) - 1]) if tags else u""
                if line:
                    self._shown.append(line)
            self._add(stream, u"\n")
        return self._depth > 0

    cdef int _symbol(self, bytes content, unsigned char sign, Py_ssize_t at) except -1:
        if sign == 42:  # *
            self._state.optional = True
        elif sign == 92 or sign == 123 or sign == 125:
            self._text(content, at, at + 1)
        elif sign == 126:  # ~
            self._text(b" ", 0, 1)
        elif sign == 95:  # _
            self._text(b"-", 0, 1)
        elif sign == 10 or sign == 13:
            self._word(b"par", False, 0)
        return 0

    cdef int _word(self, bytes word, bint told, int64_t number) except -1:
        cdef bint fresh = self._state.fresh
        cdef int does
        self._state.fresh = False
        known = self._tables.words.get(word)
        if known is not None:
            does = known
            if does >= CHARACTER:
                self._character(self._tables.signs[does & ~PARAGRAPH], does & PARAGRAPH)
                return 0
            if does == UNICODE and told:
                self._unicode(number & 0xFFFF)
                return 0
            if does == FONT and told:
                self._flush()
                self._font = number
                chosen = self._fonts.get(number)
                self._state.codec = self._default if chosen is None else <int>chosen
                return 0
            if FONT < does < DIGITS:
                self._flush()
                self._set(does, told, number)
                return 0
            if does == DIGITS:
                fresh = True
        if fresh or self._state.optional:
            self._destination(word.decode("ascii"))
        return 0

    cdef int _set(self, int does, bint told, int64_t number) except -1:
        """What a word changes in its group, or in the fonts."""
        if does == CODEPAGE:
            if number:
                self._default = self._state.codec = self._codec(self._tables.codec_of(number))
        elif does == FONT_CODEPAGE:
            self._fonts[self._font] = self._codec(self._tables.codec_of(number))
        elif does == CHARSET:
            codec = self._tables.codepages.get(number)
            self._fonts[self._font] = self._default if codec is None else self._codec(codec)
        elif does == FALLBACK:
            self._state.fallback = <int>min(max(number, 0), 16)
        elif does == REMOVED:
            self._state.removed = not told or number != 0
        elif does == ADDED:
            self._state.added = not told or number != 0
        elif does == SILENT:
            self._state.silent = not told or number != 0
        elif does == PLAIN:
            self._state.removed = self._state.added = False
        else:
            self._default = self._state.codec = self._codec(
                self._tables.codec_of(10000 if does == MAC else 437)
            )
        return 0

    cdef int _destination(self, str name) except -1:
        cdef int outer = self._state.around if self._state.stream == SKIP else self._state.stream
        self._state.binary = 0  # the properties inside a picture are no digits of it
        if name == u"ud":
            self._state.stream = self._state.around
        elif name in self._tables.binaries:
            self._state.stream = SKIP
            self._state.binary = self._tables.binaries.index(name) + 1
            self._digits.clear()
        elif name in self._tables.properties and (self._state.optional or self._depth > 2):
            self._state.stream = self._number_of(u"property:" + name)
        elif name in self._tables.named:
            self._state.stream = self._number_of(u"name:" + name)
        elif name == u"sv" and self._name not in self._tables.spoken:
            self._state.stream = SKIP
        elif name in self._tables.destinations:
            self._state.around = outer
            self._state.stream = self._number_of(self._tables.destinations[name])
        elif self._state.optional and self._state.stream != SKIP and name not in self._tables.through:
            self._state.stream = self._number_of(u"other")
        self._state.optional = False
        return 0

    cdef int _unicode(self, int code) except -1:
        self._flush()
        self._skip = self._state.fallback
        if 0xD800 <= code < 0xDC00:
            self._high = code
            return 0
        if 0xDC00 <= code < 0xE000:
            if not self._high:
                return 0
            code = 0x10000 + ((self._high - 0xD800) << 10) + (code - 0xDC00)
        self._high = 0
        if code:
            self._put(chr(code))
        return 0

    cdef int _text(self, bytes content, Py_ssize_t start, Py_ssize_t end) except -1:
        cdef Py_ssize_t dropped
        self._state.fresh = False
        if self._skip:
            dropped = min(self._skip, end - start)
            self._skip -= dropped
            start += dropped
        if self._state.binary:
            self._digits.append(content[start:end])
        elif start < end and self._state.stream != SKIP and not self._state.silent:
            self._pending.append(content[start:end])
        return 0

    cdef int _character(self, str text, bint ends) except -1:
        self._flush()
        self._skip = 0
        self._put(text)
        if ends and self._state.stream == BODY:
            self._flush_paragraph()
        return 0

    cdef int _flush(self) except -1:
        cdef bytes raw
        cdef Py_ssize_t count = len(self._pending)
        if not count:
            return 0
        raw = self._pending[0] if count == 1 else b"".join(self._pending)
        self._pending.clear()
        if raw.isascii() and self._is_plain():
            self._put(raw.decode("ascii"))
        else:
            self._put(raw.decode(self._codecs[self._state.codec], "replace"))
        return 0

    cdef bint _is_plain(self) except -1:
        plain = self._plain[self._state.codec]
        if plain is None:
            plain = self._tables.is_plain(self._codecs[self._state.codec])
            self._plain[self._state.codec] = plain
        return plain

    cdef int _put(self, str text) except -1:
        cdef int stream = self._state.stream
        cdef str name
        if stream == SKIP or self._state.silent or self._state.binary:
            return 0
        if stream == BODY:
            if self._state.removed:
                self._before.append(text)
                self._changed = True
            else:
                self._shown.append(text)
                if not self._state.added:
                    self._before.append(text)
            return 0
        name = self._names[stream]
        if name.startswith((u"property:", u"name:")):
            self._named(name, text)
        else:
            self._add(stream, text)
        return 0

    cdef int _named(self, str stream, str text) except -1:
        kind, _, name = stream.partition(u":")
        if kind == u"name" and (name == u"propname" or name == u"sn"):
            self._name = text.strip()
        elif text.strip():
            label = self._name if kind == u"name" else name
            if kind == u"property" and self.properties:
                last = self.properties[len(self.properties) - 1]
                if last[0] == label:
                    text = last[1] + text
                    self.properties.pop()
            self.properties.append((label, text))
        return 0

    cdef int _flush_paragraph(self) except -1:
        self._flush()
        self._add(BODY, u"".join(self._shown))
        if self._changed:
            self._add(self._number_of(u"deleted"), u"".join(self._before).rstrip(u"\n") + u"\n")
        self._shown.clear()
        self._before.clear()
        self._changed = False
        return 0

    cdef int _add(self, int stream, str text) except -1:
        cdef list texts = self._texts[stream]
        if texts is None:
            texts = self._texts[stream] = self.streams[self._names[stream]] = []
        texts.append(text)
        return 0

    cdef int _end_file(self, int binary) except -1:
        data = self._tables.files_of(b"".join(self._digits))
        self._digits.clear()
        if data:
            self.files.append((self._tables.binaries[binary - 1], data))
        return 0


cdef enum:
    WINDOW = 4096
    HEADER = 16
    SHORTEST = 2  # stretch that a reference copies


def inflate(bytes content not None, Py_ssize_t size, bytes preloaded not None):
    """At most `size` bytes; the window is what was written last, and begins with `preloaded`."""
    cdef Py_ssize_t origin = WINDOW - PyBytes_GET_SIZE(preloaded), end
    cdef unsigned char[::1] nothing = bytearray(1)
    # walked twice: a header may claim any size, and only what is there is set aside
    end = unpack(content, size, origin, nothing, False)
    made = bytearray(end)
    made[:WINDOW] = preloaded.rjust(WINDOW, b"\0")
    unpack(content, size, origin, made, True)
    return bytes(made[WINDOW:min(end, WINDOW + size)])


cdef Py_ssize_t unpack(
    bytes content, Py_ssize_t size, Py_ssize_t origin, unsigned char[::1] out, bint writes
) except -1:
    """Where the output ends; it begins behind the window."""
    cdef const unsigned char* packed = <const unsigned char*>PyBytes_AS_STRING(content)
    cdef Py_ssize_t length = PyBytes_GET_SIZE(content), at = HEADER, back, end, place
    cdef Py_ssize_t to = WINDOW, full = WINDOW + size
    cdef int bit, control, reference
    while at < length and to < full:
        control = packed[at]
        at += 1
        for bit in range(8):
            if at >= length or to >= full:
                break
            if not control >> bit & 1:
                if writes:
                    out[to] = packed[at]
                to += 1
                at += 1
                continue
            # a last byte alone counts as a whole reference
            reference = packed[at] << 8 | packed[at + 1] if at + 1 < length else packed[at]
            at += 2
            back = (to - origin - (reference >> 4)) % WINDOW
            if back == 0:
                return to  # the end mark
            end = to + (reference & 0xF) + SHORTEST
            if writes:
                for place in range(to, end):
                    out[place] = out[place - back]
            to = end
    return to
