"""Read Rich Text Format files.

In: an open rtf.  Out: body, headers, notes, comments, deletions, fields, labels, properties,
pictures and objects inside.
"""

from __future__ import annotations

import binascii
import html
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import BinaryIO

from dlp.decode.contract import Budget, BudgetExceededError, Embedded, Item, Limits, Title, at_most
from dlp.decode.encoding import CHARSETS, codec_of
from dlp.decode.office import properties
from dlp.decode.office.embedded import unwrap_ole1, unwrap_package
from dlp.model import Gap, GapCode, Part

SKIP = ""
BODY = "body"

# Destination -> stream. Groups that hold no words of people go to SKIP.
DESTINATIONS = {
    **dict.fromkeys(("header", "headerl", "headerr", "headerf"), "headers"),
    **dict.fromkeys(("footer", "footerl", "footerr", "footerf"), "footers"),
    "footnote": "footnotes",
    "annotation": "comments",
    **dict.fromkeys(("atnauthor", "atnid", "revtbl", "protusertbl"), "editors"),
    "fldinst": "fields",
    **dict.fromkeys(("shptxt", "dptxbxtext"), "textboxes"),
    "shprslt": "textboxes",
    **dict.fromkeys(
        (
            "bkmkstart", "xe", "tc", "tcn", "docvar", "ffname", "ffdeftext", "ffl", "ffstattext",
            "ffhelptext", "objclass", "objname", "objalias", "objsect", "mmquery", "mmconnectstr",
            "mmheadersource", "mmdatasource", "nextfile", "filetbl", "hlloc", "hlsrc", "hlfr", "sv",
            "xmlattrvalue", "xmlname", "factoidname", "writereservhash", "listname", "tbltitle",
        ),
        "labels",
    ),
    "htmltag": "markup",
    **dict.fromkeys(
        (
            "fonttbl", "colortbl", "stylesheet", "listtable", "listoverridetable", "rsidtbl",
            "generator", "pgptbl", "latentstyles", "colorschememapping", "themedata", "xmlnstbl",
            "bkmkend", "creatim", "revtim", "printim", "buptim", "pnseclvl", "panose", "falt",
            "blipuid", "picprop", "sn", "passwordhash", "atrfstart", "atrfend", "atndate", "atnref",
            "atnparent", "atntime", "atnicn", "mmathPr", "fchars", "lchars", "datafield", "pntxtb",
            "pntxta", "pn", "ebcstart", "ebcend", "wgrffmtfilter", "upr", "listpicture",
            "oldcprops", "oldpprops", "oldsprops", "oldtprops", "leveltext", "levelnumbers", "hsv",
            "nonshppict", "aftnsep", "aftnsepc", "ftnsep", "ftnsepc", "aftncn", "ftncn", "propname",
            "staticval",
        ),
        SKIP,
    ),
}  # fmt: skip
# Destinations that read on in the stream around them.
THROUGH = frozenset({
    "rtf", "field", "fldrslt", "shp", "shpinst", "shpgrp", "shppict", "sp", "object", "result",
    "listtext", "pntext", "info", "userprops", "ud", "do", "formfield", "mailmerge", "ffresult",
    "mhtmltag", "background", "xmlopen", "xmlattr",
})  # fmt: skip
PROPERTIES = frozenset({
    "title", "subject", "author", "operator", "manager", "company", "category", "keywords",
    "comment", "doccomm", "hlinkbase", "template",
})  # fmt: skip
NAMED = frozenset({"propname", "staticval", "sn"})  # names of properties, and one's value
BINARY = frozenset({"pict", "objdata", "datastore"})
# Of the many properties of a shape, those whose value is words.
SPOKEN_SHAPE = frozenset({
    "wzDescription", "wzName", "gtextUNICODE", "pihlShape", "wzTooltip", "wzLineId", "pibName",
    "wzSigSetupSuggSigner", "wzSigSetupSuggSigner2", "wzSigSetupSuggSignerEmail", "metroBlob",
})  # fmt: skip

CHARACTERS = {
    **dict.fromkeys(("par", "line", "sect", "page", "row", "nestrow", "column", "softline"), "\n"),
    **dict.fromkeys(("cell", "nestcell", "tab"), "\t"),
    "emdash": "\u2014", "endash": "\u2013", "lquote": "\u2018", "rquote": "\u2019",
    "ldblquote": "\u201c", "rdblquote": "\u201d", "bullet": "\u2022",
    **dict.fromkeys(("emspace", "enspace", "qmspace"), " "),
}  # fmt: skip

MEDIA_TYPES = frozenset({"application/rtf", "text/rtf"})
WHITE = b" \r\n\t\0\xef\xbb\xbf"


# Keep what an RTF group inherits, and what single words change in it.


@dataclass(slots=True)
class State:
    """What a group inherits from the one around it."""

    stream: str = BODY
    codec: str = "cp1252"
    fallback: int = 1  # how many characters stand in for one \\u
    removed: bool = False
    added: bool = False
    silent: bool = False  # RTF-only repetition inside encapsulated HTML
    binary: str = ""  # destination whose digits are a file
    around: str = BODY  # stream outside the nearest destination
    fresh: bool = True  # nothing but the opening brace so far
    optional: bool = False  # \\* came first: an unknown destination


@dataclass(slots=True)
class Fonts:
    """Which code page each font of the file writes in."""

    default: str = "cp1252"
    current: int = 0  # the font that the font table is describing
    codecs: dict[int, str] = field(default_factory=dict)

    def choose(self, state: State, number: int) -> None:
        self.current = number
        state.codec = self.codecs.get(number, self.default)


def set_codepage(fonts: Fonts, state: State, number: int | None) -> None:
    if number:
        fonts.default = state.codec = codec_of(number)


def set_charset(fonts: Fonts, _state: State, number: int | None) -> None:
    fonts.codecs[fonts.current] = CHARSETS.get(number or 0, fonts.default)


def set_font_codepage(fonts: Fonts, _state: State, number: int | None) -> None:
    fonts.codecs[fonts.current] = codec_of(number or 0)


def set_fallback(_fonts: Fonts, state: State, number: int | None) -> None:
    state.fallback = min(max(number or 0, 0), 16)


def set_removed(_fonts: Fonts, state: State, number: int | None) -> None:
    state.removed = number != 0


def set_added(_fonts: Fonts, state: State, number: int | None) -> None:
    state.added = number != 0


def set_silent(_fonts: Fonts, state: State, number: int | None) -> None:
    state.silent = number != 0


def set_plain(_fonts: Fonts, state: State, _number: int | None) -> None:
    state.removed = state.added = False


def set_mac(fonts: Fonts, state: State, _number: int | None) -> None:
    set_codepage(fonts, state, 10000)


def set_dos(fonts: Fonts, state: State, _number: int | None) -> None:
    set_codepage(fonts, state, 437)


SETTERS: dict[str, Callable[[Fonts, State, int | None], None]] = {
    "ansicpg": set_codepage,
    "cpg": set_font_codepage,
    "deleted": set_removed,
    "fcharset": set_charset,
    "htmlrtf": set_silent,
    "mac": set_mac,
    "pc": set_dos,
    "plain": set_plain,
    "revised": set_added,
    "uc": set_fallback,
}


TOKEN = re.compile(
    rb"\\([A-Za-z]{1,32})(-?\d{1,10})? ?|\\'([0-9A-Fa-f]{2})|\\([^A-Za-z])|([{}])|([^\\{}\r\n\0]+)"
)
DEEPEST = 500
NOT_HEX = bytes(set(range(256)) - set(b"0123456789abcdefABCDEF"))
BLOCK = re.compile(r"<(br|/?(p|div|tr|li|h\d|table|td|ul|ol|blockquote)\b)", re.IGNORECASE)
PARAGRAPH_ENDS = frozenset({"par", "row", "sect", "page"})


def shown_of(tag: str) -> str:
    """Encapsulated HTML: a tag breaks the line, an entity is a character."""
    if tag.startswith("&"):
        return html.unescape(tag)
    return "\n" if BLOCK.search(tag) else ""


def file_of(digits: bytes) -> bytes:
    digits = digits.translate(None, NOT_HEX)
    return binascii.unhexlify(digits[: len(digits) // 2 * 2])


def texts(reader: RtfReader) -> Iterator[tuple[str, str]]:
    """Give the streams, the body first."""
    for stream in sorted(reader.streams, key=lambda name: name != BODY):
        text = "".join(reader.streams[stream]).strip("\n")
        # Lists of lists leave nothing but their separators.
        if stream == BODY or any(letter.isalnum() for letter in text):
            yield stream, text


def extract(source: BinaryIO, limits: Limits) -> Iterator[Item]:
    content = at_most(source, limits.max_inflated_bytes + 1)
    if len(content) > limits.max_inflated_bytes:
        yield Gap(GapCode.TOO_LARGE, "body")
        content = content[: limits.max_inflated_bytes]
    try:
        yield from read_rtf(content, Budget(limits))
    except BudgetExceededError as error:
        yield error.gap


def read_rtf(content: bytes, budget: Budget) -> Iterator[Item]:
    reader = RtfReader()
    reader.read(content)
    for stream, text in texts(reader):
        budget.take_text(len(text), stream)
        if text.strip():
            yield Part(stream, text)
    if reader.properties:
        yield properties.labelled("properties", reader.properties)
        yield from (Title(value) for name, value in reader.properties if name == "title")
    yield from files(reader, budget)
    behind = content[reader.end :].strip(WHITE) if reader.end else b""
    if behind:
        yield Embedded("behind", "", behind)
    if not content.lstrip(WHITE).startswith(b"{\\rt") or reader.open_groups:
        yield Gap(GapCode.CORRUPT, "body")
    if reader.depth_exceeded:
        yield Gap(GapCode.TOO_DEEP, "body")


def files(reader: RtfReader, budget: Budget) -> Iterator[Item]:
    for number, (kind, data) in enumerate(reader.files, start=1):
        locator = f"{'media' if kind == 'pict' else 'embedded'}:{number}"
        budget.take_bytes(len(data), locator)
        name = ""
        if kind != "pict" and (wrapped := unwrap_ole1(data)) is not None:
            label, path, data = wrapped  # noqa: PLW2901 - what is inside replaces the wrapping
            yield Part(f"{locator}.labels", "\n".join(filter(None, (label, path))))
            if (packed := unwrap_package(data)) is not None:
                name, data = packed  # noqa: PLW2901
        if data:
            yield Embedded(locator, name, data)


@dataclass(slots=True)
class RtfReader:
    streams: dict[str, list[str]] = field(default_factory=dict)
    properties: list[tuple[str, str]] = field(default_factory=list)
    files: list[tuple[str, bytes]] = field(default_factory=list)
    depth_exceeded: bool = False
    open_groups: int = 0
    end: int = 0

    _state: State = field(default_factory=State)
    _stack: list[State] = field(default_factory=list)
    _too_deep: int = 0
    _pending: bytearray = field(default_factory=bytearray)
    _skip: int = 0
    _high: int = 0  # first half of a character beyond 16 bits
    _fonts: Fonts = field(default_factory=Fonts)
    _shown: list[str] = field(default_factory=list)  # the paragraph as it reads now
    _before: list[str] = field(default_factory=list)  # ... and before its changes
    _changed: bool = False
    _digits: list[bytes] = field(default_factory=list)
    _name: str = ""

    def read(self, content: bytes) -> None:
        position, scan = 0, TOKEN.search
        while (hit := scan(content, position)) is not None:
            position = hit.end()
            word, number, code, symbol, brace, text = hit.groups()
            if text is not None:
                self._text(text)
            elif word is not None:
                name = word.decode("ascii")
                if name == "bin":
                    length = max(0, int(number or 0))
                    self._binary(content[position : position + length])
                    position += length
                else:
                    self._word(name, int(number) if number else None)
            elif code is not None:
                self._text(bytes((int(code, 16),)))
            elif brace == b"{":
                self._open()
            elif brace == b"}":
                # Braces do not always balance, and documents come one after the other.
                if not self._close() and content.find(b"}", position) < 0:
                    self.end = position
                    break
            else:
                self._symbol(symbol)
        self._flush_paragraph()
        self.open_groups = len(self._stack) + self._too_deep

    def _open(self) -> None:
        self._flush()
        if len(self._stack) >= DEEPEST:
            self._too_deep += 1
            self.depth_exceeded = True
            return
        self._stack.append(self._state)
        self._state = replace(self._state, fresh=True, optional=False)

    def _close(self) -> bool:
        """Go back to the group around; False at the end of the document."""
        self._flush()
        if self._too_deep:
            self._too_deep -= 1
            return True
        if not self._stack:
            return True  # one brace too many: read on
        inner, self._state = self._state, self._stack.pop()
        if inner.binary and not self._state.binary:
            self._end_file(inner.binary)
        if inner.stream != self._state.stream and inner.stream not in {SKIP, BODY}:
            if inner.stream == "markup":
                self._shown.append(shown_of("".join(self.streams.get("markup", [""])[-1:])))
            self._add(inner.stream, "\n")
        return bool(self._stack)

    def _symbol(self, symbol: bytes) -> None:
        if symbol == b"*":
            self._state.optional = True
        elif symbol in b"\\{}":
            self._text(symbol)
        elif symbol == b"~":
            self._text(b" ")
        elif symbol == b"_":
            self._text(b"-")
        elif symbol in b"\r\n":
            self._word("par", None)

    def _word(self, name: str, number: int | None) -> None:
        state = self._state
        fresh, state.fresh = state.fresh, False
        if name in CHARACTERS:
            self._character(CHARACTERS[name], ends=name in PARAGRAPH_ENDS)
        elif name == "u" and number is not None:
            self._unicode(number & 0xFFFF)
        elif name == "f" and number is not None:
            self._flush()
            self._fonts.choose(state, number)
        elif name in SETTERS:
            self._flush()
            SETTERS[name](self._fonts, state, number)
        elif fresh or state.optional or name in BINARY:
            self._destination(name, state)

    def _destination(self, name: str, state: State) -> None:
        outer = state.around if state.stream == SKIP else state.stream
        state.binary = ""  # the properties inside a picture are no digits of it
        if name == "ud":
            state.stream = state.around
        elif name in BINARY:
            state.stream, state.binary = SKIP, name
            self._digits.clear()
        elif name in PROPERTIES and (state.optional or len(self._stack) > 2):
            state.stream = f"property:{name}"
        elif name in NAMED:
            state.stream = f"name:{name}"
        elif name == "sv" and self._name not in SPOKEN_SHAPE:
            state.stream = SKIP
        elif name in DESTINATIONS:
            state.around = outer
            state.stream = DESTINATIONS[name]
        elif state.optional and name not in THROUGH and state.stream != SKIP:
            state.stream = "other"
        state.optional = False

    def _unicode(self, code: int) -> None:
        self._flush()
        self._skip = self._state.fallback
        if 0xD800 <= code < 0xDC00:
            self._high = code
            return
        if 0xDC00 <= code < 0xE000:
            if not self._high:
                return
            code = 0x10000 + ((self._high - 0xD800) << 10) + (code - 0xDC00)
        self._high = 0
        if code:
            self._put(chr(code))

    def _text(self, text: bytes) -> None:
        self._state.fresh = False
        if self._skip:
            dropped = min(self._skip, len(text))
            self._skip -= dropped
            text = text[dropped:]
        if self._state.binary:
            self._digits.append(text)
        elif text and self._state.stream != SKIP and not self._state.silent:
            self._pending += text

    def _character(self, text: str, *, ends: bool) -> None:
        self._flush()
        self._skip = 0
        self._put(text)
        if ends and self._state.stream == BODY:
            self._flush_paragraph()

    def _flush(self) -> None:
        if self._pending:
            text = self._pending.decode(self._state.codec, "replace")
            self._pending.clear()
            self._put(text)

    def _put(self, text: str) -> None:
        state = self._state
        if state.stream == SKIP or state.silent or state.binary:
            return
        if state.stream.startswith(("property:", "name:")):
            self._named(state.stream, text)
        elif state.stream == BODY:
            if state.removed:
                self._before.append(text)
                self._changed = True
            else:
                self._shown.append(text)
                if not state.added:
                    self._before.append(text)
        else:
            self._add(state.stream, text)

    def _named(self, stream: str, text: str) -> None:
        kind, _, name = stream.partition(":")
        if kind == "name" and name in {"propname", "sn"}:
            self._name = text.strip()
        elif text.strip():
            label = self._name if kind == "name" else name
            if self.properties and self.properties[-1][0] == label and kind == "property":
                text = self.properties.pop()[1] + text
            self.properties.append((label, text))

    def _flush_paragraph(self) -> None:
        self._flush()
        self._add(BODY, "".join(self._shown))
        if self._changed:
            self._add("deleted", "".join(self._before).rstrip("\n") + "\n")
        self._shown.clear()
        self._before.clear()
        self._changed = False

    def _add(self, stream: str, text: str) -> None:
        self.streams.setdefault(stream, []).append(text)

    def _binary(self, data: bytes) -> None:
        if self._state.binary:
            self._digits.append(binascii.hexlify(data))
        elif data:
            self.files.append(("data", data))

    def _end_file(self, kind: str) -> None:
        data = file_of(b"".join(self._digits))
        self._digits.clear()
        if data:
            self.files.append((kind, data))
