"""Read Outlook messages, contacts, appointments and tasks.

In: the streams of a msg.  Out: headers, body, HTML and RTF versions, attachments, nested messages.

MS-OXMSG: one stream per text property, named by its number and type; fixed-size values lie together
in one table. A property without a name here is read under its number. MS-OXRTFCP: compressed RTF.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator

from dlp.decode.compound_file import Storage
from dlp.decode.contract import Embedded, Item, Title
from dlp.decode.encoding import codec_of
from dlp.decode.formats.rtf import RtfReader, texts
from dlp.decode.office import properties
from dlp.decode.office.properties import moment
from dlp.model import Gap, GapCode, Part

TABLE = "__properties_version1.0"
STREAM = re.compile(r"__substg1\.0_([0-9A-F]{4})([0-9A-F]{4})(?:-[0-9A-F]{8})?", re.IGNORECASE)
NARROW, WIDE, BINARY, MANY_NARROW, MANY_WIDE = 0x1E, 0x1F, 0x102, 0x101E, 0x101F
SUBJECT, TRANSPORT, BODY, HTML, RTF, CODEPAGE = 0x0037, 0x007D, 0x1000, 0x1013, 0x1009, 0x3FFD
CONTENT, LONG_NAME, SHORT_NAME, MIME = 0x3701, 0x3707, 0x3704, 0x370E
NAMES = {
    0x0037: "subject", 0x0042: "from", 0x0065: "from address", 0x0C1A: "sender",
    0x0C1F: "sender address", 0x5D01: "sender address", 0x5D02: "from address", 0x0E04: "to",
    0x0E03: "cc", 0x0E02: "bcc", 0x3001: "name", 0x3003: "address", 0x39FE: "address",
    0x0040: "received by", 0x0044: "received for", 0x0076: "received by address",
    0x3A06: "first name", 0x3A11: "last name", 0x3A44: "middle name", 0x3A05: "generation",
    0x3A45: "title", 0x3A4F: "nickname", 0x3A16: "company", 0x3A17: "job title",
    0x3A18: "department", 0x3A46: "profession", 0x3A08: "business phone", 0x3A09: "home phone",
    0x3A1C: "mobile phone",
    0x3A1A: "primary phone", 0x3A1B: "business phone", 0x3A2F: "home phone", 0x3A1F: "other phone",
    0x3A23: "fax", 0x3A24: "fax", 0x3A25: "fax", 0x3A15: "postal address", 0x3A26: "country",
    0x3A27: "city", 0x3A28: "state", 0x3A29: "street", 0x3A2A: "postcode", 0x3A59: "home city",
    0x3A5A: "home country", 0x3A5B: "home postcode", 0x3A5C: "home state", 0x3A5D: "home street",
    0x3A41: "wedding anniversary", 0x3A42: "birthday", 0x3A48: "spouse", 0x3A58: "children",
    0x3A07: "government id", 0x3A10: "organisation id", 0x3A4A: "customer id", 0x3A30: "assistant",
    0x3A4E: "manager", 0x3A51: "web page", 0x3A50: "home page", 0x0039: "sent", 0x0E06: "received",
    0x8005: "file under", 0x1035: "message id", 0x1039: "references", 0x1042: "in reply to",
}  # fmt: skip
# Address kinds and message classes: nobody's words.
SILENT = frozenset({0x001A, 0x0064, 0x0075, 0x0077, 0x0C1E, 0x3002})
# The topic and the subject without its prefix; worth reading only where they differ.
REPEATED = frozenset({0x0E1D, 0x0070, 0x003D})
SHOWN_ELSEWHERE = frozenset({TRANSPORT, BODY, HTML, RTF})
DATES = frozenset({0x0039, 0x0E06, 0x3A41, 0x3A42})
WORD = re.compile(r"\w{3,}")
Properties = dict[int, list[str]]

PRELOADED = (
    b"{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss "
    b"\\fmodern \\fscript \\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{"
    b"\\colortbl\\red0\\green0\\blue0\r\n\\par \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx"
)
PACKED, PLAIN = b"LZFu", b"MELA"
WINDOW = 4096


def read(storage: Storage) -> Iterator[Item]:
    where = storage.where
    codec = codepage_of(storage)
    found = text_properties(storage, codec)
    for subject in found.get(SUBJECT, []):
        yield Title(subject)
    yield properties.labelled(f"{where}headers", labelled(found))
    yield Part(f"{where}transport", "\n".join(found.get(TRANSPORT, [])))
    body = "\n".join(found.get(BODY, []))
    yield Part(f"{where}body", body)
    yield from read_html(storage, found)
    yield from read_rtf(storage, body)
    yield from read_people(storage, codec)
    for number, folder in enumerate(folders(storage, "__attach_version1.0"), start=1):
        yield from read_attachment(storage.inside(folder, f"{where}attachment:{number}/"), codec)


def folders(storage: Storage, start: str) -> list[str]:
    return sorted(name for name in storage.folders if name.lower().startswith(start))


def codepage_of(storage: Storage) -> str:
    fixed = fixed_properties(storage)
    return codec_of(int.from_bytes(fixed.get(CODEPAGE, b"")[:4], "little") or 1252)


def fixed_properties(storage: Storage) -> dict[int, bytes]:
    """Values of fixed size, by number; the table's own header has one of three lengths."""
    table = storage.read(TABLE)
    header = len(table) % 16 or (32 if not storage.where else 16)
    values: dict[int, bytes] = {}
    for at in range(header, len(table) - 15, 16):
        _, number = struct.unpack_from("<HH", table, at)
        values[number] = table[at + 8 : at + 16]
    return values


def text_properties(storage: Storage, codec: str) -> Properties:
    found: Properties = {}
    for name in storage.names:
        hit = STREAM.fullmatch(name)
        if hit is None:
            continue
        number, kind = int(hit[1], 16), int(hit[2], 16)
        if kind in {WIDE, MANY_WIDE}:
            text = storage.read(name).decode("utf-16-le", "replace")
        elif kind in {NARROW, MANY_NARROW}:
            # The list of a multiple value holds lengths, its members the text.
            if kind == MANY_NARROW and "-" not in name:
                continue
            text = storage.read(name).decode(codec, "replace")
        else:
            continue
        if "-" not in name and kind == MANY_WIDE:
            continue
        if text := text.rstrip("\0"):
            found.setdefault(number, []).append(text)
    for number, raw in fixed_properties(storage).items():
        if number in DATES and (when := moment(int.from_bytes(raw, "little"))):
            found.setdefault(number, []).append(when.removesuffix(" 00:00:00"))
    return found


def labelled(found: Properties) -> Iterator[tuple[str, str]]:
    order = {number: place for place, number in enumerate(NAMES)}
    seen: set[tuple[str, str]] = set()
    subject = "\n".join(found.get(SUBJECT, []))
    for number in sorted(found, key=lambda n: (order.get(n, len(order)), n)):
        if number in SILENT or number in SHOWN_ELSEWHERE:
            continue
        label = NAMES.get(number, f"property {number:04x}")
        for text in found[number]:
            repeated = number in REPEATED and text in subject
            if text.strip() and (label, text) not in seen and not repeated:
                seen.add((label, text))
                yield label, text


def read_html(storage: Storage, found: Properties) -> Iterator[Item]:
    raw = storage.read(f"__substg1.0_{HTML:04X}{BINARY:04X}")
    text = "\n".join(found.get(HTML, []))
    if raw or text:
        yield Embedded(f"{storage.where}html", "", raw or text.encode(), "text/html")


def read_rtf(storage: Storage, body: str) -> Iterator[Item]:
    """The RTF version, where it says anything that the plain text does not."""
    packed = storage.read(f"__substg1.0_{RTF:04X}{BINARY:04X}")
    if not packed:
        return
    where = f"{storage.where}rtf"
    budget = storage.compound.budget
    content, whole = unpack_rtf(packed, budget.limits.max_inflated_bytes)
    budget.take_bytes(len(content), where)
    if not whole:
        yield Gap(GapCode.CORRUPT, where)
    reader = RtfReader()
    reader.read(content)
    known = set(WORD.findall(body))
    new = [text for _, text in texts(reader) if not set(WORD.findall(text)) <= known]
    if new or reader.files:
        yield Embedded(where, "", content, "application/rtf")


def read_people(storage: Storage, codec: str) -> Iterator[Item]:
    pairs: list[tuple[str, str]] = []
    for folder in folders(storage, "__recip_version1.0"):
        person = storage.inside(folder, f"{storage.where}recipients/")
        pairs += labelled(text_properties(person, codec))
    yield properties.labelled(f"{storage.where}recipients", pairs)


def read_attachment(storage: Storage, codec: str) -> Iterator[Item]:
    """Give a file, or read on inside an attached message or object."""
    found = text_properties(storage, codec)
    locator = storage.where.removesuffix("/")
    names = [*found.get(LONG_NAME, []), *found.get(SHORT_NAME, [])]
    mime = "".join(found.get(MIME, [])[:1])
    content = storage.read(f"__substg1.0_{CONTENT:04X}{BINARY:04X}")
    if content:
        yield Embedded(locator, (names or [""])[0], content, mime)
    elif names:
        yield Part(f"{locator}.names", "\n".join(names))


def unpack_rtf(content: bytes, limit: int) -> tuple[bytes, bool]:
    """Give the RTF and whether it was complete."""
    if len(content) < 16:
        return b"", not content
    _, size = struct.unpack_from("<II", content)
    if content[8:12] == PLAIN:
        return content[16 : 16 + size], len(content) >= 16 + size
    if content[8:12] != PACKED:
        return b"", False
    out = inflate_rtf(content, min(size, limit))
    return out, len(out) == size


def inflate_rtf(content: bytes, size: int) -> bytes:
    # The window is what was written last; place 0 of it is where PRELOADED begins.
    out = bytearray(PRELOADED.rjust(WINDOW, b"\0"))
    origin = WINDOW - len(PRELOADED)
    full = WINDOW + size
    at = 16
    while at < len(content) and len(out) < full:
        control = content[at]
        at += 1
        for bit in range(8):
            if at >= len(content) or len(out) >= full:
                break
            if not control >> bit & 1:
                out.append(content[at])
                at += 1
                continue
            reference = int.from_bytes(content[at : at + 2], "big")
            at += 2
            back, length = (len(out) - origin - (reference >> 4)) % WINDOW, (reference & 0xF) + 2
            if not back:
                return bytes(out[WINDOW:])  # the end mark
            copied = out[len(out) - back : len(out) - back + length]
            # a stretch that overtakes itself repeats: "ab" for five letters is "ababa"
            out += (copied * length)[:length] if back < length else copied
    return bytes(out[WINDOW:full])
