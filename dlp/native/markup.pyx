# cython: language_level=3, wraparound=False, binding=False
"""What a parser of markup says of a web page or an XML file, written down as it comes; JSON and tables.

In: starts, ends and texts of elements, one call each; the text of a JSON file or of a table.  Out: Lines of text that know where labelled
values lie, and the words of titles, scripts and comments.

The twins are LabelledText in dlp/decode/labelled.py (Lines), Page in dlp/decode/formats/html.py and
Walk in dlp/decode/xml_walk.py; those of JSON and tables are in dlp/decode/formats/{json,csv}.py. They give the tables; what is seldom needed, files packed into a text
or an address, is asked of them.
"""

from array import array

from cpython.unicode cimport (
    PyUnicode_DATA,
    PyUnicode_KIND,
    PyUnicode_New,
    PyUnicode_READ,
    PyUnicode_WRITE,
)

cimport cython

cdef enum:
    MAX_FIELDS = 2000000
    JOIN_AFTER = 10000
    PATH_LENGTH = 3
    MOST_COLUMNS = 4096  # whose labels are kept
    MOST_TAGS = 4096  # whose names are kept; a hostile file has as many as it likes

# what the name of an element of a page says
cdef enum:
    BLOCK = 1
    CELL = 2
    QUIET = 4
    TYPED = 8
    FORM = 16
    VALUED = 32  # a value in an attribute is what a person typed
    META = 64
    TITLE = 128
    SHOWN = 256  # of those that are quiet
    UNNAMED = 512

# what the name of an attribute of a page says
cdef enum:
    LAYOUT = 1
    LINK = 2
    VALUE = 4
    NAME = 8

# what the name of an element of XML says
cdef enum:
    INLINE = 1
    PROSE = 2
    XML_CELL = 4
    ROLE = 8
    PACKED = 16
    PHRASE = 32
    SUBSTANCE = 64
    XML_NAME = 128
    XML_TITLE = 256

# what the name of an attribute of XML says
cdef enum:
    TECHNICAL = 1
    STRUCTURE = 2
    ABOUT = 4  # technical in a clinical document


def constants():
    """What this file repeats of its twins, for a test to compare."""
    return {
        "labelled": {"MAX_FIELDS": MAX_FIELDS, "JOIN_AFTER": JOIN_AFTER},
        "xml_walk": {"PATH_LENGTH": PATH_LENGTH},
        "page": {
            "BLOCK": BLOCK, "CELL": CELL, "QUIET": QUIET, "TYPED": TYPED, "FORM": FORM,
            "VALUED": VALUED, "META": META, "TITLE": TITLE, "SHOWN": SHOWN, "UNNAMED": UNNAMED,
        },
        "page attributes": {"LAYOUT": LAYOUT, "LINK": LINK, "VALUE": VALUE, "NAME": NAME},
        "walk": {
            "INLINE": INLINE, "PROSE": PROSE, "CELL": XML_CELL, "ROLE": ROLE, "PACKED": PACKED,
            "PHRASE": PHRASE, "SUBSTANCE": SUBSTANCE, "NAME": XML_NAME, "TITLE": XML_TITLE,
        },
        "walk attributes": {"TECHNICAL": TECHNICAL, "STRUCTURE": STRUCTURE, "ABOUT": ABOUT},
    }


cdef inline bint is_blank(str text, Py_ssize_t place) except -1:
    """Whether the sign at a place is white space; there is none beyond the end."""
    if place < 0 or place >= len(text):
        raise IndexError("place")
    return PyUnicode_READ(PyUnicode_KIND(text), PyUnicode_DATA(text), place).isspace()


cdef unsigned char[256] BLANK
for _sign in range(256):
    BLANK[_sign] = chr(_sign).isspace()


cdef str words_of(str text):
    """As " ".join(text.split()): most texts are words with one space between them already."""
    cdef Py_ssize_t size = len(text), first = 0, place, last
    cdef int kind = PyUnicode_KIND(text)
    cdef void* data = PyUnicode_DATA(text)
    cdef Py_UCS4 sign
    cdef bint after = False, single = True
    if kind == 1:
        while first < size and BLANK[PyUnicode_READ(1, data, first)]:
            first += 1
        last = size
        while last > first and BLANK[PyUnicode_READ(1, data, last - 1)]:
            last -= 1
        for place in range(first, last):
            sign = PyUnicode_READ(1, data, place)
            if BLANK[sign]:
                if after or sign != u" ":
                    single = False
                    break
                after = True
            else:
                after = False
    else:
        while first < size and PyUnicode_READ(kind, data, first).isspace():
            first += 1
        last = size
        while last > first and PyUnicode_READ(kind, data, last - 1).isspace():
            last -= 1
        for place in range(first, last):
            sign = PyUnicode_READ(kind, data, place)
            if sign == u" ":
                if after:
                    single = False
                    break
                after = True
            elif sign.isspace():
                single = False
                break
            else:
                after = False
    if not single:
        return squeezed(text, first, last) if text.isascii() else u" ".join(text.split())
    if first == 0 and last == size:
        return text
    return text[first:last]


cdef str squeezed(str text, Py_ssize_t first, Py_ssize_t last):
    """The words between two places of a text in ASCII; none of both is white space."""
    cdef void* data = PyUnicode_DATA(text)
    cdef Py_ssize_t place, at = 0, size = 0
    cdef bint after = False
    cdef Py_UCS4 sign
    for place in range(first, last):
        sign = PyUnicode_READ(1, data, place)
        size += not (after and BLANK[sign])
        after = BLANK[sign]
    cdef str made = PyUnicode_New(size, 127)
    cdef void* room = PyUnicode_DATA(made)
    after = False
    for place in range(first, last):
        sign = PyUnicode_READ(1, data, place)
        if not BLANK[sign]:
            after = False
        elif after:
            continue
        else:
            after, sign = True, u" "
        if at < size:
            PyUnicode_WRITE(1, room, at, sign)
        at += 1
    return made


cdef inline bint is_forbidden(Py_UCS4 sign) noexcept:
    """As FORBIDDEN in dlp/decode/formats/xml.py."""
    if sign < 32:
        return sign != 9 and sign != 10 and sign != 13
    return 0xD800 <= sign <= 0xDFFF or sign == 0xFFFE or sign == 0xFFFF


cdef unsigned long long ONES = 0x0101010101010101ULL
cdef unsigned long long TOPS = 0x8080808080808080ULL


cdef inline bint holds_low(unsigned long long eight) noexcept:
    """Whether one of eight bytes is below a space; each is compared in its own seven low bits."""
    return ((ONES * (127 + 32) - (eight & ~TOPS)) & ~eight & TOPS) != 0


def is_allowed(str text not None):
    """Whether XML allows all signs of a text."""
    cdef Py_ssize_t size = len(text), place, eight, begin = 0
    cdef int kind = PyUnicode_KIND(text)
    cdef void* data = PyUnicode_DATA(text)
    cdef const unsigned long long* eights = <const unsigned long long*>data
    if kind == 1:
        for eight in range(size // 8):
            if holds_low(eights[eight]):
                for place in range(8 * eight, 8 * eight + 8):
                    if is_forbidden(PyUnicode_READ(1, data, place)):
                        return False
        begin = size - size % 8
    for place in range(begin, size):
        if is_forbidden(PyUnicode_READ(kind, data, place)):
            return False
    return True


@cython.final
cdef class Lines:
    """Text with the places of labelled values in it, within a limit."""

    cdef readonly str locator
    cdef readonly Py_ssize_t length
    cdef readonly bint full
    cdef Py_ssize_t _room, _noted
    cdef object _kind
    cdef tuple _columns
    cdef list _pieces, _joined, _labels, _starts, _ends, _records
    cdef dict _numbers

    def __init__(self, str locator not None, Py_ssize_t room, kind):
        """`kind` is the FieldMap that is made if anything is labelled."""
        self.locator, self._room, self._kind = locator, room, kind
        self._pieces = []

    cdef bint _takes(self, Py_ssize_t count) except -1:
        """Whether there is room for so many characters more; whoever asks then gives them."""
        if self.length + count > self._room:
            self.full = True
        if self.full:
            return False
        self.length += count
        if len(self._pieces) > JOIN_AFTER:
            if self._joined is None:
                self._joined = []
            self._joined.append(u"".join(self._pieces))
            self._pieces.clear()
        return True

    cdef int write(self, str text) except -1:
        if self._takes(len(text)):
            self._pieces.append(text)
        return 0

    cdef int write_both(self, str first, str second) except -1:
        """Both of them, or none."""
        if self._takes(len(first) + len(second)):
            self._pieces.append(first)
            self._pieces.append(second)
        return 0

    cdef int add(self, str label, str value, Py_ssize_t record, str shown) except -1:
        cdef Py_ssize_t start = self.length + len(shown) + 2
        if self._takes(len(shown) + 2 + len(value) + 1):
            self._pieces.append(shown)
            self._pieces.append(u": ")
            self._pieces.append(value)
            self._pieces.append(u"\n")
            self._note(label, start, start + len(value), record)
        return 0

    cdef int add_value(self, str label, str value, Py_ssize_t record) except -1:
        cdef Py_ssize_t start = self.length
        if self._takes(len(value)):
            self._pieces.append(value)
            self._note(label, start, start + len(value), record)
        return 0

    cdef int _note(self, str label, Py_ssize_t start, Py_ssize_t end, Py_ssize_t record) except -1:
        if start < end and self._noted < MAX_FIELDS:
            self._noted += 1
            self._mark(label, start, end, record)
        return 0

    cdef int _mark(self, str label, Py_ssize_t start, Py_ssize_t end, Py_ssize_t record) except -1:
        if self._starts is None:
            self._labels, self._starts, self._ends, self._records = [], [], [], []
            if self._numbers is None:
                self._numbers = {}
        number = self._numbers.get(label)
        if number is None:
            number = self._numbers[label] = len(self._numbers)
        self._labels.append(number)
        self._starts.append(start)
        self._ends.append(end)
        self._records.append(record)
        if len(self._labels) > JOIN_AFTER:
            self._keep()
        return 0

    cdef int _keep(self) except -1:
        """Move what was noted into arrays, where it takes a fifth of the room."""
        cdef tuple more = (self._labels, self._starts, self._ends, self._records)
        if self._columns is None:
            self._columns = (array("I"), array("Q"), array("Q"), array("Q"))
        for column, numbers in zip(self._columns, more):
            column.fromlist(numbers)
        self._starts = None
        return 0

    def taken(self):
        """The text and its fields, or None; nothing is left here."""
        cdef list pieces
        if self._starts is not None:
            self._keep()
        pieces = self._pieces if self._joined is None else self._joined + self._pieces
        text, fields = u"".join(pieces), None
        if self._columns is not None:
            fields = self._kind(self._numbers, *self._columns)
        self._pieces, self._joined, self._columns, self._numbers = [], None, None, None
        return text, fields


@cython.final
cdef class Page:
    """Gets the events of a parser of HTML."""

    cdef readonly Lines body, meta, form, attributes, links
    cdef readonly list code, title, embedded, comments
    cdef dict _tags, _names
    cdef object _embedded_in
    cdef list _inside, _inside_kinds
    cdef str _gap
    cdef Py_ssize_t _as_typed, _records

    def __init__(self, Py_ssize_t room, kind, dict tags not None, dict names not None, embedded_in):
        """`tags` and `names`: what the names of elements and attributes say."""
        self.body, self.meta = Lines(u"body", room, kind), Lines(u"meta", room, kind)
        self.form, self.attributes = Lines(u"form", room, kind), Lines(u"attributes", room, kind)
        self.links = Lines(u"links", room, kind)
        self.code, self.title, self.embedded, self.comments = [], [], [], []
        self._tags, self._names, self._embedded_in = tags, names, embedded_in
        self._inside, self._inside_kinds = [], []
        self._gap = u""

    cdef int _kind_of(self, str tag) except -1:
        told = self._tags.get(tag)
        return 0 if told is None else <int>told

    cpdef start(self, str tag, attributes):
        cdef int kind = self._kind_of(tag)
        if kind & BLOCK:
            self._gap = u"\t" if kind & CELL and self._gap != u"\n" else u"\n"
            self._records += (kind & FORM) != 0
            self._as_typed += (kind & TYPED) != 0
        if kind & QUIET:
            self._inside.append(tag)
            self._inside_kinds.append(kind)
        if type(attributes) is dict and attributes:
            self._take_attributes(tag, kind, attributes)

    cpdef end(self, str tag):
        cdef int kind = self._kind_of(tag)
        cdef Py_ssize_t depth = len(self._inside)
        if depth and kind & QUIET and self._inside[depth - 1] == tag:
            self._inside.pop()
            self._inside_kinds.pop()
        if kind & BLOCK:
            if kind & TYPED and self._as_typed > 0:
                self._as_typed -= 1
            self._gap = u"\t" if kind & CELL else u"\n"

    cpdef data(self, str text):
        cdef Py_ssize_t depth = len(self._inside_kinds)
        cdef int kind
        cdef str words
        if depth:
            kind = self._inside_kinds[depth - 1]
            if kind & TITLE:
                self.title.append(text)
            else:
                self.code.append(text)
            if not kind & SHOWN:
                return
        if self._as_typed:
            self._take_typed(text)
            return
        words = words_of(text)
        if words:
            self._write(words, text)
        elif not self._gap:
            self._gap = u" "

    cdef int _take_typed(self, str text) except -1:
        if text.isspace():
            self._gap = u"\n" if u"\n" in text else self._gap or u" "
            return 0
        cdef str words = text.strip()
        cdef Py_ssize_t first = len(text) - len(text.lstrip()), last = first + len(words)
        if u"\n" in text[:first]:
            self._gap = u"\n"
        self._write(words, text)
        if u"\n" in text[last:]:
            self._gap = u"\n"
        return 0

    cdef int _write(self, str words, str text) except -1:
        """The words of a text, behind the white space that is owed."""
        cdef str gap = self._gap
        if not self.body.length:
            self.body.write(words)
        elif gap:
            self.body.write_both(gap, words)
        elif text and is_blank(text, 0):
            self.body.write_both(u" ", words)
        else:
            self.body.write(words)
        self._gap = u" " if is_blank(text, len(text) - 1) else u""
        return 0

    cdef int _take_attributes(self, str tag, int kind, dict attributes) except -1:
        cdef str name, value, label
        cdef int says
        if kind & META:
            value = attributes.get(u"content")
            if value:
                label = attributes.get(u"name") or attributes.get(u"property") or u"meta"
                self.meta.add(label, value, 0, label)
            return 0
        for name, value in attributes.items():
            if not value:
                continue
            told = self._names.get(name)
            says = 0 if told is None else <int>told
            if says & LAYOUT:
                continue
            if kind & VALUED and says & VALUE:
                label = attributes.get(u"name") or tag
                self.form.add(label, value, self._records, label)
            elif says & LINK:
                self._take_link(value)
            elif not (kind & UNNAMED and says & NAME):
                self.attributes.add(name, value, 0, name)
        return 0

    cdef int _take_link(self, str value) except -1:
        if value.startswith(u"data:"):
            inside = self._embedded_in(value, len(self.embedded) + 1)
            if inside is not None:
                self.embedded.append(inside)
                return 0
        return self.links.write_both(value, u"\n")

    cpdef comment(self, str text):
        self.comments.append(text)

    cpdef pi(self, target, text=None):
        self.comments.append(text or u"")

cdef enum:
    SHORTEST = 3  # signs of a string worth a look, and the most; STRING in formats/html.py
    LONGEST = 2000


cdef inline bint is_quote(Py_UCS4 sign) noexcept:
    return sign == u'"' or sign == u"'" or sign == u"`"


def quoted(str code not None):
    """The strings of a script, as the pattern of the twin finds them.

    No sign of a string can be the quote behind it, so that a shorter one is never worth a try.
    """
    cdef Py_ssize_t size = len(code), at = 0, place, count
    cdef int kind = PyUnicode_KIND(code)
    cdef void* data = PyUnicode_DATA(code)
    cdef Py_UCS4 opened, sign
    cdef list found = []
    while at < size:
        opened = PyUnicode_READ(kind, data, at)
        at += 1
        if not is_quote(opened):
            continue
        place, count, sign = at, 0, 0
        while place < size and count < LONGEST:
            sign = PyUnicode_READ(kind, data, place)
            if is_quote(sign) or sign == u"\n":
                break
            if sign == u"\\":
                if place + 1 >= size or PyUnicode_READ(kind, data, place + 1) == u"\n":
                    break
                place += 1
            place += 1
            count += 1
        if count >= SHORTEST and place < size and PyUnicode_READ(kind, data, place) == opened:
            found.append(code[at:place])
            at = place + 1
    return found


@cython.final
@cython.no_gc
@cython.freelist(32)
cdef class Element:
    """An element that is open: texts not yet written, kept until we know whether it is a leaf."""

    cdef str name, role, label, text
    cdef list more
    cdef Py_ssize_t record
    cdef int kind
    cdef bint packed, is_substance, has_children


@cython.final
@cython.no_gc
cdef class Named:
    """The name of a tag without its namespace, and what it says."""

    cdef str name
    cdef int kind


cdef str without_namespace(str tag):
    """What stands behind the last "}"."""
    cdef Py_ssize_t end = len(tag), place = end
    cdef int kind = PyUnicode_KIND(tag)
    cdef void* data = PyUnicode_DATA(tag)
    while place > 0 and PyUnicode_READ(kind, data, place - 1) != u"}":
        place -= 1
    return tag[place:end] if place else tag


cdef inline bint begins_a_stamp(str value) except -1:
    """Whether a value may be a moment: eight digits or more, of the years from 1800 to 2099."""
    if len(value) < 8:
        return False
    cdef Py_UCS4 sign = PyUnicode_READ(PyUnicode_KIND(value), PyUnicode_DATA(value), 0)
    return sign == u"1" or sign == u"2"


@cython.final
cdef class Walk:
    """Gets the events of a parser of XML."""

    cdef readonly Lines body, attributes
    cdef readonly list embedded, comments
    cdef readonly str title
    cdef dict _tags, _names, _known
    cdef object _stamp, _embedded_in
    cdef frozenset _data_types
    cdef str _type, _substance
    cdef list _path
    cdef Py_ssize_t _records
    cdef bint _clinical
    cdef str _owed
    cdef Element _phrase

    def __init__(self, Py_ssize_t room, kind, dict tags not None, dict names not None,
                 tuple closed not None, stamp, embedded_in):
        """`tags` and `names` as for a page; `closed`: HL7's types, the name of that attribute, and
        the class of substances; `stamp`: what writes a moment as a day."""
        self.body, self.attributes = Lines(u"body", room, kind), Lines(u"attributes", room, kind)
        self.embedded, self.comments = [], []
        self.title = u""
        self._tags, self._names, self._known = tags, names, {}
        self._data_types, self._type, self._substance = closed
        self._stamp, self._embedded_in = stamp, embedded_in
        self._path = []
        self._owed = u""

    cdef Named _named(self, str tag):
        cdef Named named = self._known.get(tag)
        if named is not None:
            return named
        named = Named.__new__(Named)
        named.name = without_namespace(tag)
        told = self._tags.get(named.name)
        named.kind = 0 if told is None else <int>told
        if len(self._known) < MOST_TAGS:
            self._known[tag] = named
        return named

    cdef Element _top(self):
        cdef Py_ssize_t depth = len(self._path)
        return <Element>self._path[depth - 1] if depth else None

    cpdef start(self, str tag, attributes):
        cdef Named named = self._named(tag)
        cdef Element parent = self._top(), element = Element.__new__(Element)
        cdef bint has_role
        element.name, element.kind = named.name, named.kind
        if parent is not None:
            self._write_pieces(parent)
            parent.has_children = True
            element.role, element.record = parent.role, parent.record
        else:
            self._clinical = named.name == u"ClinicalDocument"
            element.role = u""
        has_role = self._clinical and named.kind & ROLE
        if has_role or len(self._path) == 1:
            self._records += 1
            element.record = self._records
            if has_role:
                element.role = named.name
        if self._clinical and named.kind & XML_NAME and parent is not None and parent.is_substance:
            element.name, element.kind = u"substance", 0
        element.packed = (element.kind & PACKED) != 0
        element.is_substance = (element.kind & SUBSTANCE) != 0
        self._path.append(element)
        if not element.kind & INLINE:
            self._owed = u"\t" if element.kind & XML_CELL and self._owed != u"\n" else u"\n"
        if type(attributes) is dict and attributes:
            if attributes.get(u"representation") == u"B64":
                element.packed = True
            if attributes.get(u"classCode") == self._substance:
                element.is_substance = True
            self._take_attributes(element, attributes)

    cpdef data(self, str text):
        cdef Element top = self._top()
        if top is None:
            return
        if top.text is None:
            top.text = text
        elif top.more is None:
            top.more = [top.text, text]
        else:
            top.more.append(text)

    cdef str _text_of(self, Element element):
        """All texts of an element not yet written, or None; they are taken out."""
        cdef str text = element.text
        if element.more is not None:
            text = u"".join(element.more)
            element.more = None
        element.text = None
        return text

    cpdef end(self, _tag):
        cdef Element element = self._path.pop()
        if element.packed:
            self._unpack(self._text_of(element) or u"")
        elif element.has_children or element.kind & (INLINE | PROSE):
            self._write_pieces(element)
        else:
            self._write_leaf(element)
        if not element.kind & INLINE:
            self._owed = u"\t" if element.kind & XML_CELL else u"\n"

    cdef int _write_pieces(self, Element element) except -1:
        cdef str words, text
        if element.text is None:
            return 0
        text = self._text_of(element)
        words = words_of(text)
        if not words:
            if text and not self._owed:
                self._owed = u" "
            return 0
        self._write_gap(is_blank(text, 0))
        self.body.add_value(self._label(element), words, element.record)
        self._owed = u" " if is_blank(text, len(text) - 1) else u""
        if element.kind & XML_TITLE and not self.title:
            self.title = words
        return 0

    cdef int _write_leaf(self, Element element) except -1:
        cdef str words
        cdef Element around
        if element.text is None:
            return 0
        words = words_of(self._text_of(element))
        if not words:
            return 0
        around = self._top() if self._clinical else None
        if around is not None and not around.kind & PHRASE:
            around = None
        if around is not None and self._phrase is around:
            self._owed = u" "
        self._write_gap(False)
        if around is None:
            self.body.write_both(element.name, u": ")
        elif self._phrase is not around:
            self._phrase = around
            self.body.write_both(around.name, u": ")
        self.body.add_value(self._label(element), words, element.record)
        return 0

    cdef int _write_gap(self, bint leading) except -1:
        if self.body.length:
            if self._owed:
                self.body.write(self._owed)
            elif leading:
                self.body.write(u" ")
        self._owed = u""
        return 0

    cdef int _take_attributes(self, Element element, dict attributes) except -1:
        cdef str key, value, short, path = None, shown
        cdef int says
        cdef bint spaced
        for key, value in attributes.items():
            if not value:
                continue
            short = without_namespace(key)
            spaced = short is not key
            if u"&#38;" in value:
                value = value.replace(u"&#38;", u"&")
            told = self._names.get(short)
            says = 0 if told is None else <int>told
            if spaced or says & TECHNICAL or (self._clinical and says & ABOUT):
                shown = u"structure" if self._clinical and says & STRUCTURE else short
                if not (self._clinical and key == self._type and value in self._data_types):
                    self.attributes.add(short, value, element.record, shown)
                continue
            if self._clinical and begins_a_stamp(value):
                value = self._stamp(value)
            if path is None:
                path = self._label(element)
            self._owed = u"\n"
            self._write_gap(False)
            if short == u"value":
                self.body.write_both(element.name, u": ")
                self.body.add_value(path, value, element.record)
            else:
                self.body.write_both(element.name, f" {short}: ")
                self.body.add_value(f"{path}/{short}", value, element.record)
            self._owed = u"\n"
        return 0

    cdef str _label(self, Element element):
        """Of an element that is open inside all others, or was until now."""
        if element.label is None:
            element.label = self._path_to(element)
        return element.label

    cdef str _path_to(self, Element element):
        """The last names on the way to an element, behind its role."""
        cdef Py_ssize_t depth = len(self._path), place
        cdef list names = []
        cdef str name
        if depth and <Element>self._path[depth - 1] is element:
            depth -= 1
        for place in range(max(0, depth - PATH_LENGTH + 1), depth):
            names.append((<Element>self._path[place]).name)
        names.append(element.name)
        if element.role:
            for name in names:
                if name == element.role:
                    break
            else:
                names.insert(0, element.role)
        return u"/".join(names)

    cdef int _unpack(self, str text) except -1:
        inside = self._embedded_in(text, len(self.embedded) + 1)
        if inside is None:
            self.body.write(text)
        else:
            self.embedded.append(inside)
        return 0

    def finish(self):
        """Write what is still open: the file was cut off here."""
        cdef Element element
        for element in self._path:
            element.label = None
            self._write_pieces(element)

    cpdef comment(self, str text):
        self.comments.append(text)

    cpdef pi(self, target, text=None):
        self.comments.append(text or u"")

@cython.final
cdef class PageEar:
    """What a parser speaks to, page after page."""

    cdef public Page target

    def start(self, str tag not None, attributes):
        self.target.start(tag, attributes)

    def end(self, str tag not None):
        self.target.end(tag)

    def data(self, str text not None):
        self.target.data(text)

    def comment(self, str text not None):
        self.target.comment(text)

    def pi(self, target, text=None):
        self.target.pi(target, text)

    def close(self):
        """A target has to have an end."""


@cython.final
cdef class WalkEar:
    """The same for XML."""

    cdef public Walk target

    def start(self, str tag not None, attributes):
        self.target.start(tag, attributes)

    def end(self, str tag not None):
        self.target.end(tag)

    def data(self, str text not None):
        self.target.data(text)

    def comment(self, str text not None):
        self.target.comment(text)

    def pi(self, target, text=None):
        self.target.pi(target, text)

    def close(self):
        """A target has to have an end."""


@cython.final
@cython.no_gc
@cython.freelist(32)
cdef class Frame:
    """A bracket of JSON that is open."""

    cdef str label, key
    cdef Py_ssize_t record
    cdef bint is_array, claimed


cdef inline bint is_sign(Py_UCS4 sign) noexcept:
    """A bracket, a comma or a colon."""
    return (
        sign == u"," or sign == u":" or sign == u"{" or sign == u"}" or sign == u"[" or sign == u"]"
    )


@cython.final


cdef class Tokens:
    """Follows the brackets and keys of JSON, so that each scalar knows its label and record."""

    cdef readonly Lines lines
    cdef readonly Py_ssize_t place
    cdef readonly bint sound
    cdef str _text
    cdef object _unescape, _document_in, _without_tags
    cdef list _frames
    cdef Py_ssize_t _most, _records, _documents, _arrays
    cdef bint _waits_for_key

    def __init__(self, str text not None, Py_ssize_t room, kind, Py_ssize_t most, asked):
        """`most`: brackets that may be open; `asked`: what reads escapes, packed files and tags."""
        self.lines = Lines(u"body", room, kind)
        self._text, self._most = text, most
        self._unescape, self._document_in, self._without_tags = asked
        self._frames = []
        self.sound = True

    @property
    def depth(self):
        return len(self._frames)

    cdef Frame _top(self):
        cdef Py_ssize_t depth = len(self._frames)
        return <Frame>self._frames[depth - 1] if depth else None

    def next_document(self):
        """Read on up to the next file that is packed into a value; None at the end."""
        cdef str text = self._text
        cdef int kind = PyUnicode_KIND(text)
        cdef void* data = PyUnicode_DATA(text)
        cdef Py_ssize_t size = len(text), at, start
        cdef bint escaped
        cdef Py_UCS4 sign
        while len(self._frames) <= self._most:
            at = self.place
            while at < size and PyUnicode_READ(kind, data, at).isspace():
                at += 1
            if at >= size:
                return None
            sign = PyUnicode_READ(kind, data, at)
            start = at
            found = None
            if is_sign(sign):
                at += 1
                self._bracket(sign)
            elif sign != u'"':
                while at < size:
                    sign = PyUnicode_READ(kind, data, at)
                    if is_sign(sign) or sign == u'"' or sign.isspace():
                        break
                    at += 1
                found = self._value(text[start:at], False)
            else:
                escaped = False
                at += 1
                while at < size:
                    sign = PyUnicode_READ(kind, data, at)
                    if sign == u'"':
                        break
                    if sign == u"\\":
                        escaped = True
                        at += 1  # whatever comes next is part of it
                    at += 1
                if at >= size:
                    return None  # never closed
                raw = text[start + 1:at]
                at += 1
                found = self._value(self._unescape(raw) if escaped else raw, True)
            self.place = at
            if found is not None:
                return found
        return None

    cdef int _bracket(self, Py_UCS4 sign) except -1:
        cdef Frame top = self._top(), frame
        cdef bint is_array = sign == u"[" or sign == u"]"
        if sign == u"{" or sign == u"[":
            frame = Frame.__new__(Frame)
            frame.label, frame.key, frame.is_array = self._label(top), u"", is_array
            frame.record = 0 if top is None else top.record
            if not is_array and (top is None or (top.is_array and self._arrays == 1)):
                frame.record = self._records
                self._records += 1
            self._frames.append(frame)
            self._arrays += is_array
            self._waits_for_key = not is_array
        elif sign == u"}" or sign == u"]":
            if top is None or top.is_array != is_array:
                self.sound = False
                return 0
            self._frames.pop()
            self._arrays -= is_array
            self._waits_for_key = False
        elif sign == u"," and top is not None:
            self._waits_for_key = not top.is_array
        return 0

    cdef str _label(self, Frame top):
        if top is None:
            return u""
        if top.is_array or not top.key:
            return top.label
        return f"{top.label}.{top.key}".lstrip(u".")

    cdef object _value(self, str value, bint quoted):
        cdef Frame top = self._top()
        if self._waits_for_key and top is not None:
            top.key = words_of(value)
            self._waits_for_key = False
            return None
        if not quoted and value == u"null":
            return None
        return self._scalar(top, value)

    cdef object _scalar(self, Frame top, str value):
        cdef str label
        cdef Py_ssize_t size = len(value)
        if top is not None and not top.is_array and top.key == u"resourceType":
            self._start_resource(top, value)
        else:
            document = self._document_in(value, self._documents + 1) if size >= 64 else None
            if document is not None:
                self._documents += 1
                return document
            if size and value[0] == u"<" and value[size - 1] == u">":
                value = self._without_tags(value)
        label = self._label(top) or u"value"
        self.lines.add(label, value, 0 if top is None else top.record, label)
        return None

    cdef int _start_resource(self, Frame top, str name) except -1:
        cdef Frame frame
        top.label = name
        for frame in self._frames:
            if frame.claimed and frame.record == top.record:
                top.record = self._records
                self._records += 1
                break
        top.claimed = True
        return 0


@cython.final
cdef class Cells:
    """Notes where the cells of a table lie that is kept as text."""

    cdef Lines _noted
    cdef str _text
    cdef Py_UCS4 _delimiter
    cdef int _kind
    cdef const void* _data
    cdef Py_ssize_t _size, _column
    cdef Py_ssize_t _first, _first_end, _at  # the first cell of a row, and the place reached
    cdef list _labels

    def __init__(self, str text not None, str delimiter not None, list labels not None, kind):
        """`labels`: of the first columns; the others are numbered."""
        if len(delimiter) != 1:
            raise ValueError("delimiter")
        self._noted = Lines(u"", 0, kind)
        self._text, self._delimiter, self._labels = text, delimiter[0], list(labels)
        self._kind, self._data, self._size = PyUnicode_KIND(text), PyUnicode_DATA(text), len(text)

    cdef inline Py_UCS4 _sign(self, Py_ssize_t place) noexcept:
        """A line feed beyond the end."""
        return PyUnicode_READ(self._kind, self._data, place) if 0 <= place < self._size else u"\n"

    def fields_from(self, Py_ssize_t place, Py_ssize_t record):
        """The fields of all rows from a place on; the first of them is this record."""
        cdef Py_ssize_t end
        cdef bint quoted
        self._at = max(0, place)
        while self._at < self._size:
            end, quoted = self._at, False
            while end < self._size and self._sign(end) != u"\n":
                quoted |= self._sign(end) == u'"'
                end += 1
            self._column = 0
            if quoted:
                self._quoted_row(record)
            else:
                self._plain_row(end, record)
            if self._column == 1 and self._first >= self._first_end:
                continue  # a row of one empty cell is none
            if record and self._noted._noted >= MAX_FIELDS:
                break  # the text holds the rest, unlabelled
            record += 1
        return self._noted.taken()[1]

    cdef int _plain_row(self, Py_ssize_t end, Py_ssize_t record) except -1:
        cdef Py_ssize_t start = self._at, place = start, last = end
        while last > start and (self._sign(last - 1) == u"\r" or self._sign(last - 1) == u"\n"):
            last -= 1
        while place < last:
            if self._sign(place) == self._delimiter:
                self._cell(start, place, record)
                start = place + 1
            place += 1
        self._at = min(self._size, end + 1)
        return self._cell(start, last, record)

    cdef int _quoted_row(self, Py_ssize_t record) except -1:
        """As the pattern of the twin: cells in quotes may span lines."""
        cdef Py_ssize_t start, end, place = self._at
        cdef Py_UCS4 sign
        while True:
            while place < self._size and self._sign(place) == u" ":
                place += 1
            start = place
            end = self._closing(place + 1) if self._sign(place) == u'"' else -1
            if end >= 0:
                start, place = start + 1, end + 1
            while place < self._size:
                sign = self._sign(place)
                if sign == self._delimiter or sign == u"\n" or sign == u"\r":
                    break
                place += 1
            self._cell(start, end if end >= 0 else place, record)
            if place >= self._size:
                break
            sign = self._sign(place)
            place += 1
            if sign != self._delimiter:
                if sign == u"\r" and place < self._size and self._sign(place) == u"\n":
                    place += 1
                break
        self._at = place
        return 0

    cdef Py_ssize_t _closing(self, Py_ssize_t place) noexcept:
        """The quote that ends a cell; two of them are one that is part of it. -1: there is none."""
        while place < self._size:
            if self._sign(place) == u'"':
                if place + 1 < self._size and self._sign(place + 1) == u'"':
                    place += 1
                else:
                    return place
            place += 1
        return -1

    cdef str _label(self):
        cdef Py_ssize_t number
        if self._column >= MOST_COLUMNS and self._column >= len(self._labels):
            return f"column {self._column + 1}"
        for number in range(len(self._labels), self._column + 1):
            self._labels.append(f"column {number + 1}")
        return self._labels[self._column]

    cdef int _cell(self, Py_ssize_t start, Py_ssize_t end, Py_ssize_t record) except -1:
        if self._column == 0:
            self._first, self._first_end = start, end
        if start < end:
            self._noted._noted += 1
            self._noted._mark(self._label(), start, end, record)
        self._column += 1
        return 0
