# cython: language_level=3, wraparound=False, cdivision=True
"""The elements of an XML part in which nothing is unusual, without a tree of it.

In: the bytes of a part and where its root begins.  Out: name and namespace of the root, and of each
element that somebody listens to its name with its text or its attributes; None at the first oddity.

The twin is lxml, asked by dlp/decode/office/{flow,package}.py; that of has_words is in markup.py
beside them. A part is read here only if libxml2
would not say a word about it: declared prefixes, matching tags, no attribute twice, no character
that XML forbids. Comments, instructions, CDATA, document types, references but the five of XML,
carriage returns, white space around "=" and names beyond ASCII are left to it, and so are parts that
hold an element that is refused. One pass; prefixes and attributes are looked up among at most 64.
"""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE


cdef enum:
    MOST_BYTES = 4194304  # libxml2 has limits of its own, above
    MOST_LEVELS = 200
    MOST_PREFIXES = 64
    MOST_ATTRIBUTES = 64
    MOST_NAMES = 255
    SLOTS = 1024
    LONGEST_NAME = 255
    REFUSED = 1
    TOLD = 2  # with its text
    MARKED = 3  # only that it is there
    LABELLED = 4  # with its attributes


cdef unsigned char[256] NAMES  # 2 for what may begin a name, 1 for what may go on
cdef unsigned char[256] WORDS  # 1 for what stands for itself in text
cdef unsigned char[256] VALUES  # and in the value of an attribute, where both quotes end it
cdef unsigned char[256] ADDRESSES  # and in the address of a namespace
for _sign in range(256):
    _letter = chr(_sign)
    _ascii = _sign < 128
    NAMES[_sign] = 2 if _ascii and (_letter.isalpha() or _letter == "_") else (
        1 if _ascii and (_letter.isdigit() or _letter in ".-") else 0)
    WORDS[_sign] = (_sign >= 32 or _sign in (9, 10)) and _letter not in "<&]"
    VALUES[_sign] = _sign >= 32 and _letter not in "<&\"'"
    ADDRESSES[_sign] = _ascii and (_letter.isalnum() or _letter in "/.:-_")


cdef unsigned char[256] BLANKS  # as a pattern of bytes has them
for _sign in range(256):
    BLANKS[_sign] = 9 <= _sign <= 13 or _sign == 32


def has_words(bytes content not None, tuple marks not None):
    """Whether there is text between tags, or one of the marks, each of which ends in "=", or "<!"."""
    cdef const unsigned char* data = <const unsigned char*>PyBytes_AS_STRING(content)
    cdef Py_ssize_t size = PyBytes_GET_SIZE(content), at = 0
    while at < size:
        if data[at] == c"=":
            if ends_a_mark(data, at, marks):
                return True
        elif data[at] == c"<":
            if at + 1 < size and data[at + 1] == c"!":
                return True
        elif data[at] == c">":
            at += 1
            while at < size and BLANKS[data[at]]:
                at += 1
            if at < size and data[at] != c"<":
                return True
            continue
        at += 1
    return False


cdef bint ends_a_mark(const unsigned char* data, Py_ssize_t at, tuple marks):
    cdef const unsigned char* letters
    cdef Py_ssize_t size, place
    cdef bytes mark
    for mark in marks:
        letters, size = <const unsigned char*>PyBytes_AS_STRING(mark), PyBytes_GET_SIZE(mark) - 1
        if size > at:
            continue
        place = 0
        while place < size and data[at - 1 - place] == letters[size - 1 - place]:
            place += 1
        if place == size:
            return True
    return False


cdef struct Attribute:
    int start  # of its name
    int local  # where that goes on behind a prefix
    int stop
    int value
    int end


cdef struct Open:
    int start  # of the name of an element
    int stop
    int prefixes  # declared before it


cdef class Elements:
    cdef unsigned char[SLOTS] slots
    cdef unsigned char[256] kinds
    cdef int[256] starts
    cdef int[256] stops
    cdef bytes letters
    cdef list names

    def __init__(self, refused, told, marked, labelled):
        self.names = [""]
        letters = b""
        for kind, names in ((REFUSED, refused), (TOLD, told), (MARKED, marked), (LABELLED, labelled)):
            for name in names:
                number = len(self.names)
                if number > MOST_NAMES:
                    raise ValueError("too many names")
                self.names.append(name)
                self.starts[number] = len(letters)
                letters += name.encode("ascii")
                self.stops[number] = len(letters)
                self.kinds[number] = kind
        self.letters = letters
        for number in range(1, len(self.names)):
            place = slot_of(letters, self.starts[number], self.stops[number])
            while self.slots[place]:
                place = (place + 1) % SLOTS
            self.slots[place] = number

    def of(self, bytes content not None, Py_ssize_t start):
        """(name of the root, its namespace, [(name, text or attributes)]), or None."""
        return self.read(content, start, False)

    def all_of(self, bytes content not None, Py_ssize_t start):
        """(name of the root, its namespace, [(level, name, text, attributes)]) of all elements."""
        return self.read(content, start, True)

    cdef object read(self, bytes content, Py_ssize_t start, bint every):
        if not 0 <= start < PyBytes_GET_SIZE(content) <= MOST_BYTES:
            return None
        try:
            text = content.decode("utf-8")
        except UnicodeDecodeError:
            return None
        if u"\ufffe" in text or u"\uffff" in text:
            return None
        part = Part.__new__(Part)  # its own for each: others may read at the same time
        return (<Part>part).read(self, content, <int>start, every)

    cdef int known(self, const unsigned char* data, int start, int stop) noexcept:
        """The number of a name that somebody listens to, or 0."""
        cdef const unsigned char* letters = <const unsigned char*>PyBytes_AS_STRING(self.letters)
        cdef int place = slot(stop - start, data[start], data[stop - 1]), number, at
        while self.slots[place]:
            number = self.slots[place]
            if self.stops[number] - self.starts[number] == stop - start:
                at = 0
                while at < stop - start and data[start + at] == letters[self.starts[number] + at]:
                    at += 1
                if at == stop - start:
                    return number
            place = (place + 1) % SLOTS
        return 0


cdef class Part:
    """One part while it is read."""

    cdef Elements heard
    cdef bint every  # element is told, whoever listens
    cdef bytes content
    cdef int size
    cdef Attribute[MOST_ATTRIBUTES] attributes
    cdef int count
    cdef int[MOST_PREFIXES] prefix_starts
    cdef int[MOST_PREFIXES] prefix_stops
    cdef int prefixes
    cdef int lately  # the prefix asked for last
    cdef int default_at  # where the address of names without a prefix stands
    cdef int default_end
    cdef Open[MOST_LEVELS] path

    cdef object read(self, Elements heard, bytes content, int start, bint every):
        cdef list found = [], root = []
        self.heard, self.content, self.every = heard, content, every
        self.size = <int>PyBytes_GET_SIZE(content)
        return (root[0], root[1], found) if self.walk(start, found, root) else None

    cdef bint walk(self, int at, list found, list root):
        cdef const unsigned char* data = <const unsigned char*>PyBytes_AS_STRING(self.content)
        cdef int size = self.size, level = 0, number, start, stop, before
        cdef bint closed
        while at < size:
            if data[at] != c"<":
                at = self.words_end(data, at) if level else -1
                if at < 0:
                    return False
                continue
            if at + 1 >= size:
                return False
            if data[at + 1] == c"/":
                if not level:
                    return False
                level -= 1
                at = self.after_end(data, at + 2, self.path[level].start, self.path[level].stop)
                if at < 0:
                    return False
                self.prefixes = self.path[level].prefixes
                if not level:
                    return self.only_blanks(data, at)
                continue
            start, before = at + 1, self.prefixes
            stop = self.name_end(data, start)
            if stop < 0:
                return False
            at = self.take_attributes(data, stop, level)
            if at < 0 or not self.is_declared(data, start, stop):
                return False
            closed = data[at] == c"/"
            at += 2 if closed else 1
            if not level:
                self.note_root(data, start, stop, root)
            number = self.heard.known(data, self.local_of(data, start, stop), stop)
            if number:
                if self.heard.kinds[number] == REFUSED:
                    return False
                if not self.every and not self.note(data, number, at, closed, found):
                    return False
            if self.every and not self.note_any(data, level, start, stop, at, closed, found):
                return False
            if closed:
                self.prefixes = before
                if not level:
                    return self.only_blanks(data, at)
            else:
                if level >= MOST_LEVELS:
                    return False
                self.path[level].start, self.path[level].stop = start, stop
                self.path[level].prefixes = before
                level += 1
        return False

    cdef bint only_blanks(self, const unsigned char* data, int at) noexcept:
        while at < self.size:
            if data[at] != 32 and not 9 <= data[at] <= 10 and data[at] != 13:
                return False
            at += 1
        return True

    cdef int words_end(self, const unsigned char* data, int at):
        """Where text ends before the next tag; what is in it must be allowed."""
        cdef int size = self.size, after
        while at < size:
            while at < size and WORDS[data[at]]:
                at += 1
            if at >= size or data[at] == c"<":
                return at
            if data[at] == c"]":
                if at + 2 < size and data[at + 1] == c"]" and data[at + 2] == c">":
                    return -1
                at += 1
            elif data[at] == c"&":
                after = self.reference_end(data, at + 1)
                if after < 0:
                    return -1
                at = after
            else:
                return -1
        return at

    cdef int reference_end(self, const unsigned char* data, int at):
        """Behind one of the five references that need no declaration."""
        cdef bytes name
        cdef int end = at
        while end < self.size and end < at + 5 and data[end] != c";":
            end += 1
        if end >= self.size or data[end] != c";":
            return -1
        name = self.content[at:end]
        return end + 1 if name in (b"amp", b"lt", b"gt", b"quot", b"apos") else -1

    cdef int after_end(self, const unsigned char* data, int at, int start, int stop) noexcept:
        """Behind an end tag, if it is that of the element that is open."""
        cdef int size = self.size
        while start < stop:
            if at >= size or data[at] != data[start]:
                return -1
            at += 1
            start += 1
        while at < size and data[at] == c" ":
            at += 1
        return at + 1 if at < size and data[at] == c">" else -1

    cdef int name_end(self, const unsigned char* data, int at) noexcept:
        """Behind a name with at most one prefix."""
        cdef int size = self.size, start = at, colons = 0
        cdef bint fresh = True
        while at < size and at - start <= LONGEST_NAME:
            if data[at] == c":" and not fresh and not colons:
                colons, fresh = 1, True
            elif NAMES[data[at]] == 2 or (NAMES[data[at]] and not fresh):
                fresh = False
            else:
                return -1 if fresh or data[at] == c":" or data[at] >= 128 else at
            at += 1
        return -1

    cdef int local_of(self, const unsigned char* data, int start, int stop) noexcept:
        cdef int at = start
        while at < stop:
            if data[at] == c":":
                return at + 1
            at += 1
        return start

    cdef int take_attributes(self, const unsigned char* data, int at, int level) noexcept:
        """Note the attributes of a start tag; give the place of its ">" or "/>"."""
        cdef int size = self.size, start, stop
        cdef unsigned char quote
        self.count = 0
        while True:
            start = at
            while at < size and (data[at] == 32 or 9 <= data[at] <= 10):
                at += 1
            if at + 1 >= size:
                return -1
            if data[at] == c">" or (data[at] == c"/" and data[at + 1] == c">"):
                return at if self.are_declared(data) else -1
            if at == start or self.count >= MOST_ATTRIBUTES:
                return -1
            start = at
            stop = self.name_end(data, start)
            if stop < 0 or stop + 1 >= size or data[stop] != c"=":
                return -1
            quote = data[stop + 1]
            if quote != 34 and quote != 39:
                return -1
            at = stop + 2
            while at < size and (VALUES[data[at]] or ((data[at] == 34 or data[at] == 39) and data[at] != quote)):
                at += 1
            if at >= size or data[at] != quote:
                return -1
            if not self.take_attribute(data, start, stop, at, level):
                return -1
            at += 1

    cdef bint take_attribute(self, const unsigned char* data, int start, int stop, int end, int level) noexcept:
        cdef int number, local = self.local_of(data, start, stop)
        cdef Attribute other
        for number in range(self.count):
            other = self.attributes[number]
            # two prefixes may mean one namespace
            if (local > start) == (other.local > other.start) and self.is_same(data, local, stop, other.local, other.stop):
                return False
        self.attributes[self.count].start, self.attributes[self.count].local = start, local
        self.attributes[self.count].stop = stop
        self.attributes[self.count].value, self.attributes[self.count].end = stop + 2, end
        self.count += 1
        if self.reads(data, start, stop, b"xmlns") or (local > start and self.reads(data, start, local, b"xmlns:")):
            return self.take_prefix(data, local if local > start else stop, stop, stop + 2, end, level)
        return True

    cdef bint take_prefix(self, const unsigned char* data, int start, int stop, int value, int end, int level) noexcept:
        """A namespace: its address must be one that nobody has a word to say about."""
        cdef int at
        cdef bint web = self.begins(data, value, end, b"http://")
        if end - value < 8 or not (web or self.begins(data, value, end, b"urn:")):
            return False
        if (end - value == 36 or end - value == 29) and self.begins(data, value, end, b"http://www.w3.org/"):
            return False  # that of XML itself, or that of namespaces
        if data[end - 1] == c"#":
            end -= 1
        for at in range(value + 5 if web else value, end):
            if not ADDRESSES[data[at]] or (web and data[at] == c":"):  # a port is a number
                return False
        if start == stop:
            if not level:
                self.default_at, self.default_end = value, end
            return True
        if self.begins(data, start, stop, b"xml") or self.prefixes >= MOST_PREFIXES:
            return False
        self.prefix_starts[self.prefixes], self.prefix_stops[self.prefixes] = start, stop
        self.prefixes += 1
        return True

    cdef bint are_declared(self, const unsigned char* data) noexcept:
        """Whether the prefixes of attributes are; of those of XML itself only that of blanks."""
        cdef int number
        cdef Attribute one
        for number in range(self.count):
            one = self.attributes[number]
            if one.local == one.start or self.reads(data, one.start, one.local, b"xmlns:"):
                continue
            if self.reads(data, one.start, one.stop, b"xml:space"):
                if not self.reads(data, one.value, one.end, b"preserve"):
                    return False
            elif not self.is_declared(data, one.start, one.local):
                return False
        return True

    cdef bint is_declared(self, const unsigned char* data, int start, int stop) noexcept:
        cdef int end = self.local_of(data, start, stop) - 1, number
        if end < start:
            return True
        number = self.lately
        if number < self.prefixes and self.is_same(data, start, end, self.prefix_starts[number], self.prefix_stops[number]):
            return True
        for number in range(self.prefixes):
            if self.is_same(data, start, end, self.prefix_starts[number], self.prefix_stops[number]):
                self.lately = number
                return True
        return False

    cdef bint is_same(self, const unsigned char* data, int start, int stop, int other, int end) noexcept:
        if stop - start != end - other:
            return False
        while start < stop:
            if data[start] != data[other]:
                return False
            start += 1
            other += 1
        return True

    cdef bint reads(self, const unsigned char* data, int start, int stop, bytes word) noexcept:
        return stop - start == PyBytes_GET_SIZE(word) and self.begins(data, start, stop, word)

    cdef bint begins(self, const unsigned char* data, int start, int stop, bytes word) noexcept:
        cdef const unsigned char* letters = <const unsigned char*>PyBytes_AS_STRING(word)
        cdef int at, size = <int>PyBytes_GET_SIZE(word)
        if stop - start < size:
            return False
        for at in range(size):
            if data[start + at] != letters[at]:
                return False
        return True

    cdef void note_root(self, const unsigned char* data, int start, int stop, list root):
        """Its name and what its prefix stands for: its own attributes declare it."""
        cdef int local = self.local_of(data, start, stop), value = self.default_at, end = self.default_end
        cdef int number
        cdef Attribute one
        if local > start:
            for number in range(self.count):
                one = self.attributes[number]
                if self.reads(data, one.start, one.local, b"xmlns:") and self.is_same(data, one.local, one.stop, start, local - 1):
                    value, end = one.value, one.end
        root.append(self.content[local:stop].decode("ascii"))
        root.append(self.content[value:end].decode("ascii"))

    cdef bint note(self, const unsigned char* data, int number, int at, bint closed, list found):
        cdef int kind = self.heard.kinds[number]
        if kind == MARKED:
            found.append((self.heard.names[number], None))
        elif kind == LABELLED:
            found.append((self.heard.names[number], self.said(data)))
        elif not closed:
            text = self.text_at(data, at)
            if text is None:
                return False
            if text:
                found.append((self.heard.names[number], text))
        return True

    cdef bint note_any(self, const unsigned char* data, int level, int start, int stop, int at, bint closed, list found):
        name = self.content[self.local_of(data, start, stop):stop].decode("ascii")
        text = u"" if closed else self.text_at(data, at)
        if text is None:
            return False
        found.append((level, name, text, self.said(data)))
        return True

    cdef object text_at(self, const unsigned char* data, int at):
        """Text before the next tag; None where there is something odd in it."""
        cdef int end = self.words_end(data, at)
        cdef bytes raw
        if end < 0:
            return None
        raw = self.content[at:end]
        if b"&" in raw:
            raw = raw.replace(b"&lt;", b"<").replace(b"&gt;", b">").replace(b"&quot;", b'"')
            raw = raw.replace(b"&apos;", b"'").replace(b"&amp;", b"&")
        return raw.decode("utf-8")

    cdef dict said(self, const unsigned char* data):
        """Attributes by local name; a bare name comes before one with a prefix."""
        cdef dict told = {}
        cdef Attribute one
        cdef int number
        for number in range(self.count):
            one = self.attributes[number]
            if one.local > one.start and not self.begins(data, one.start, one.stop, b"xmlns:"):
                told[self.content[one.local:one.stop].decode("ascii")] = self.content[one.value:one.end].decode("utf-8")
        for number in range(self.count):
            one = self.attributes[number]
            if one.local == one.start and not self.reads(data, one.start, one.stop, b"xmlns"):
                told[self.content[one.start:one.stop].decode("ascii")] = self.content[one.value:one.end].decode("utf-8")
        return told


cdef inline int slot(int size, int first, int last) noexcept:
    return (size * 131 + first * 37 + last * 11) % SLOTS


cdef int slot_of(bytes letters, int start, int stop):
    cdef bytes name = letters[start:stop]
    return slot(stop - start, name[0], name[len(name) - 1])
