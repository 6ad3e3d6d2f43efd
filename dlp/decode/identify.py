"""Say what a file is by what it holds; its name is only a hint.

In: an open file and its name.  Out: its media type, and what the name got wrong.
"""

from __future__ import annotations

import ctypes
import importlib
import io
import re
import struct
from functools import cache
from typing import Any, BinaryIO, NamedTuple

import olefile

from dlp.decode import encoding
from dlp.decode.compound_file import OLE_ERRORS
from dlp.decode.encoding import preload as preload_codecs
from dlp.text.field_labels import names_field

HL7 = "application/hl7-v2"
# A wrong "mail" would hide nothing, but headers nobody types make it certain.
MAIL_HEADERS = re.compile(
    r"^(received|return-path|message-id|mime-version|delivered-to|x-[\w-]+|content-type"
    r"|dkim-signature|content-transfer-encoding|in-reply-to|thread-topic):",
    re.IGNORECASE | re.MULTILINE,
)
TYPED_HEADERS = re.compile(
    r"^(from|to|cc|bcc|subject|date|sent|reply-to):", re.IGNORECASE | re.MULTILINE
)
HEADER_LINE = re.compile(r"[!-9;-~]+[ \t]*:|[ \t]")
MBOX = re.compile(r"From \S+.*\d{2}:\d{2}.*\r?\n(>From .*\r?\n)?[!-9;-~]+:")
HL7_START = re.compile(r"[\x0b\s]*(?:MSH|FHS|BHS)([^\w\s])[^\w\s]{2,5}\1?")
PAGE = re.compile(r"<!doctype\s+html|<html\b", re.IGNORECASE)
ELEMENT = re.compile(r"<[A-Za-z_][^\s>/]*[\s>/]")
HTML = re.compile(
    r"<!doctype\s+html|<(?:html|head|body|title|table|meta|script|div|span|font|center|h[1-6]|br|p)\b",
    re.IGNORECASE,
)
XML = re.compile(
    r"<\?(?:xml|xpacket)\b|<!DOCTYPE\b|<!--|<([A-Za-z_][\w.-]*:)?[A-Za-z_][\w.-]*(\s+[\w:.-]+\s*=|\s*/?>)"
)
# "[10:02] Ann:", "[1] Smith 2009" and "[ ] call back" open a chat, a footnote and a list of tasks.
NUMBER = r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?"
JSON = re.compile(
    r'\{\s*(?:"|\}|$)'
    rf'|\[\s*(?:[\[{{"]|(?:{NUMBER}|true|false|null)\s*(?:,|$|\]\s*$)|\]\s*$|$)'
)
# A document in one XML file says in its first element which kind of document it is.
FLAT_ODF = re.compile(r"<office:document\s[^>]*?(?:office:mimetype=[\"'](application/[\w.-]+)|>)")
ODF = "application/vnd.oasis.opendocument."
FLAT_KINDS = frozenset({"text", "spreadsheet", "presentation", "graphics"})
CARD = re.compile(r"BEGIN:(VCARD|VCALENDAR)\b", re.IGNORECASE)
HEADING = re.compile(r"\s*\"?[A-Za-z_][\w ./#-]{0,30}\"?\s*")
DELIMITERS = "\t,;|"
MOST_LINES = 60
AGREEMENT = 0.95
LONGEST_HEAD = 100  # characters of a line with two headings
FEW_CHARS = 4000  # of long lines there must be some
MAIL_NAMES = frozenset({"eml", "mht", "mhtml"})
TABLE_NAMES = frozenset({"csv", "tsv", "tab", "psv"})


def kind_of_text(text: str, extension: str = "") -> str:
    start = text.lstrip("\ufeff \t\r\n\x0b\x00")
    if marked := by_mark(start, extension):
        return marked
    if is_mail(start, extension):
        return "message/rfc822"
    if is_table(text, extension):
        return "text/csv"
    return "text/plain"


def by_mark(start: str, extension: str) -> str:
    """What the first signs of a text say it is."""
    if HL7_START.match(start):
        return HL7
    if start.startswith("<"):
        if markup := kind_of_markup(start):
            return markup
    elif JSON.match(start) and extension not in {"md", "ini", "toml", "cfg", "conf"}:
        return "application/json"
    if card := CARD.match(start):
        return "text/vcard" if card[1].upper() == "VCARD" else "text/calendar"
    return "application/mbox" if MBOX.match(start) else ""


def kind_of_markup(start: str) -> str:
    opening = start[:4096]
    if PAGE.search(opening):
        return "text/html"
    if XML.match(opening):
        # Comments may come first; then the first element tells.
        first = ELEMENT.search(opening)
        if first and first[0].startswith("<office:document"):
            return kind_of_flat(start[first.start() : 32768])
        return "text/html" if first and HTML.match(first[0]) else "application/xml"
    return "text/html" if HTML.search(opening) else ""


def kind_of_flat(element: str) -> str:
    """A flat OpenDocument file; one that does not say its kind is read as a text."""
    said = FLAT_ODF.match(element)
    kind = (said[1] or "").removeprefix(ODF).removesuffix("-template") if said else ""
    return f"{ODF}{kind if kind in FLAT_KINDS else 'text'}-flat-xml"


def is_mail(start: str, extension: str) -> bool:
    if not HEADER_LINE.match(start, 0, 16384):
        return False
    head = start[:16384].replace("\r\n", "\n").partition("\n\n")[0]
    lines = head.split("\n", 3)[:3]
    if not lines[0] or not all(HEADER_LINE.match(line) for line in lines if line):
        return False
    sure = len(MAIL_HEADERS.findall(head))
    if extension in MAIL_NAMES:
        return sure >= 1 or TYPED_HEADERS.search(head) is not None
    return sure >= 1 and sure + len(TYPED_HEADERS.findall(head)) >= 3


def is_table(text: str, extension: str) -> bool:
    """Whether lines fall into the same number of cells; prose never does for long."""
    named = extension in TABLE_NAMES
    if not named and has_two_headings(text):
        return True
    lines = [line for line in text[:32768].splitlines()[:MOST_LINES] if line.strip()]
    if len(text) >= 32768 and len(lines) > 1:
        lines.pop()  # cut through the middle
    if named and lines:
        return any(delimiter in lines[0] for delimiter in DELIMITERS)
    if len(lines) == 2:  # headings and a single row
        cells = re.split(r"[,;\t|]", lines[0])
        headed = len(cells) >= 3 and all(map(HEADING.fullmatch, cells))
        return headed and bool(delimiter_of(lines, agreement=1.0))
    return len(lines) >= 3 and bool(delimiter_of(lines, agreement=AGREEMENT))


def has_two_headings(text: str) -> bool:
    """ "Patient,Diagnosis" above rows of two cells: too few for prose to differ, but for labels."""
    head = text[:LONGEST_HEAD].partition("\n")[0].strip()
    sign = next((one for one in DELIMITERS if head.count(one) == 1), "")
    if not sign or not all(map(names_field, head.split(sign))):
        return False
    lines = [line for line in text[:FEW_CHARS].splitlines()[1:MOST_LINES] if line.strip()]
    return bool(lines) and all(outside_quotes(line).count(sign) == 1 for line in lines)


def delimiter_of(lines: list[str], agreement: float = 0.6) -> str:
    """The sign that cuts most lines into equally many cells; "" if none does.

    `agreement` is of more than half of them.
    """
    best, most = "", 0
    bare = [outside_quotes(line) for line in lines]
    for delimiter in DELIMITERS:
        counts = sorted([line.count(delimiter) for line in bare])
        count = counts[len(counts) // 2]  # whatever most lines agree on is in the middle
        agreeing = counts.count(count)
        # Two cells on each of a few lines also happen in lists and addresses.
        enough = count >= 2 or (count == 1 and delimiter == "\t")
        if enough and agreeing >= agreement * len(lines) and count > most:
            best, most = delimiter, count
    return best


def outside_quotes(line: str) -> str:
    return "".join(line.split('"')[::2]) if '"' in line else line


OOXML = "application/vnd.openxmlformats-officedocument."
DOCX = OOXML + "wordprocessingml.document"
XLSX = OOXML + "spreadsheetml.sheet"
PPTX = OOXML + "presentationml.presentation"
XLSB = "application/vnd.ms-excel.sheet.binary.macroenabled.12"
OLE = "application/x-ole-storage"
OLE_SEALED = "application/x-ole-encrypted"  # OOXML wrapped in OLE by a password
ZIP = "application/zip"

MARKS: tuple[tuple[int, bytes, str], ...] = (
    (128, b"DICM", "application/dicom"),  # first: the 128 bytes before may be a TIFF header
    (0, b"%PDF-", "application/pdf"),
    (0, b"{\\rtf", "application/rtf"),
    (0, b"\x1f\x8b", "application/gzip"),
    (0, b"BZh", "application/x-bzip2"),
    (0, b"\xfd7zXZ\x00", "application/x-xz"),
    (0, b"7z\xbc\xaf\x27\x1c", "application/x-7z-compressed"),
    (0, b"\x28\xb5\x2f\xfd", "application/zstd"),
    (0, b"Rar!\x1a\x07", "application/vnd.rar"),
    (0, b"\x89PNG\r\n\x1a\n", "image/png"),
    (0, b"\xff\xd8\xff", "image/jpeg"),
    (0, b"GIF87a", "image/gif"),
    (0, b"GIF89a", "image/gif"),
    (0, b"II*\x00", "image/tiff"),
    (0, b"MM\x00*", "image/tiff"),
    (8, b"WEBP", "image/webp"),
    (0, b"8BPS\x00\x01", "image/vnd.adobe.photoshop"),
    (0, b"SQLite format 3\x00", "application/vnd.sqlite3"),
    (0, b"PAR1", "application/vnd.apache.parquet"),
    (0, b"PARE", "application/vnd.apache.parquet"),
    (257, b"ustar", "application/x-tar"),
    (40, b" EMF", "image/emf"),
    (0, b"\xd7\xcd\xc6\x9a", "image/wmf"),
    (0, b"\x01\x00\x09\x00\x00\x03", "image/wmf"),
    (0, b"\x00\x00\x00\x0cJXL \r\n\x87\n", "image/jxl"),
    (0, b"MZ", "application/vnd.microsoft.portable-executable"),
    (0, b"\x7fELF", "application/x-elf"),
)
# Data sets sent without the preamble start with group 0002 or 0008, little endian.
BARE_DICOM = (b"\x08\x00\x05\x00", b"\x08\x00\x08\x00", b"\x02\x00\x00\x00UL", b"\x08\x00\x00\x00")
END_OF_ZIP = b"PK\x05\x06"
LOCAL, CENTRAL = b"PK\x03\x04", b"PK\x01\x02"
DIRECTORY_BYTES = 262_144  # enough for 3,000 members; the family shows in the first few
TAIL_BYTES = 1024
OLE_MARK = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
ZIP_MARKS = (LOCAL, END_OF_ZIP, b"PK\x07\x08", b"PK00PK\x03\x04")
OLE_STREAMS = (
    ("EncryptedPackage", OLE_SEALED),
    ("__properties_version1.0", "application/vnd.ms-outlook"),
    ("WordDocument", "application/msword"),
    ("PowerPoint Document", "application/vnd.ms-powerpoint"),
    ("Workbook", "application/vnd.ms-excel"),
    ("Book", "application/vnd.ms-excel"),
)
EARLY_PDF = b"%PDF-1."
EARLY_BYTES = 1024
UNKNOWN = "application/octet-stream"
EMPTY = "application/x-empty"
DOS = "application/vnd.microsoft.portable-executable"

# What a name promises. Text kinds are one family: a note named .csv is no mismatch.
PROMISES = {
    "pdf": "application/pdf",
    "rtf": "application/rtf",
    "docx": DOCX,
    "xlsx": XLSX,
    "pptx": PPTX,
    "xlsb": XLSB,
    "doc": "application/msword",
    "xls": "application/vnd.ms-excel",
    "ppt": "application/vnd.ms-powerpoint",
    "msg": "application/vnd.ms-outlook",
    "odt": "application/vnd.oasis.opendocument.text",
    "ods": "application/vnd.oasis.opendocument.spreadsheet",
    "odp": "application/vnd.oasis.opendocument.presentation",
    "fodt": "application/vnd.oasis.opendocument.text-flat-xml",
    "fods": "application/vnd.oasis.opendocument.spreadsheet-flat-xml",
    "fodp": "application/vnd.oasis.opendocument.presentation-flat-xml",
    "fodg": "application/vnd.oasis.opendocument.graphics-flat-xml",
    "epub": "application/epub+zip",
    "zip": ZIP,
    "gz": "application/gzip",
    "bz2": "application/x-bzip2",
    "xz": "application/x-xz",
    "7z": "application/x-7z-compressed",
    "tar": "application/x-tar",
    "rar": "application/vnd.rar",
    "png": "image/png",
    "jpg": "image/jpeg",
    "gif": "image/gif",
    "tif": "image/tiff",
    "bmp": "image/bmp",
    "webp": "image/webp",
    "dcm": "application/dicom",
    "sqlite": "application/vnd.sqlite3",
    "parquet": "application/vnd.apache.parquet",
    "exe": DOS,
    "mp3": "audio/mpeg",
    "txt": "text/plain",
    "html": "text/html",
    "xml": "application/xml",
    "json": "application/json",
    "csv": "text/csv",
    "eml": "message/rfc822",
    "mbox": "application/mbox",
    "hl7": HL7,
    "vcf": "text/vcard",
    "ics": "text/calendar",
}
SPELLINGS = {
    "jpeg": "jpg",
    "htm": "html",
    "tiff": "tif",
    "log": "txt",
    "md": "txt",
    "tsv": "csv",
    "text": "txt",
}
SHORT_NAMES = {media_type: short for short, media_type in PROMISES.items()}
FLAT_FAMILY = frozenset({"fodt", "fods", "fodp", "fodg"})
TEXT_FAMILY = FLAT_FAMILY | frozenset(
    {"txt", "html", "xml", "json", "csv", "eml", "mbox", "hl7", "vcf", "ics"}
)


ZIP_FAMILY = (
    ZIP,
    XLSB,
    "application/epub",
    "application/vnd.oasis",
    "application/vnd.openxml",
    "application/vnd.sun.xml",
)


def by_signature(source: BinaryIO, head: bytes) -> str:
    if head.startswith(ZIP_MARKS):
        return zip_family(source, head)
    if head.startswith(OLE_MARK):
        return ole_family(source)
    for offset, mark, media_type in MARKS:
        if head.startswith(mark, offset):
            return media_type
    if head.startswith(b"BM") and len(head) > 26 and head[6:10] == bytes(4):
        return "image/bmp"
    if head.startswith(BARE_DICOM):
        return "application/dicom"
    if is_old_tar(head):
        return "application/x-tar"
    # Mail gateways and printers put bytes before the mark; readers accept it within 1 kB.
    return "application/pdf" if EARLY_PDF in head[:EARLY_BYTES] else ""


def zip_family(source: BinaryIO, head: bytes) -> str:
    if declared := declared_type(head):
        return declared
    names = member_names(source, head)
    for name in names:
        folder = name.partition("/")[0].lower()
        if folder == "word":
            return DOCX
        if folder == "ppt":
            return PPTX
        if folder == "xl":
            return XLSB if any(n.lower() == "xl/workbook.bin" for n in names) else XLSX
    if "content.xml" in names and "META-INF/manifest.xml" in names:
        return "application/vnd.oasis.opendocument.text"
    return ZIP


def declared_type(head: bytes) -> str:
    """OpenDocument and EPUB store their media type first and unpacked, for readers like us."""
    if head[30:38] != b"mimetype" or head[8:10] != bytes(2):
        return ""
    size = int.from_bytes(head[22:26], "little")
    start = 38 + int.from_bytes(head[28:30], "little")
    end = start + size if 0 < size < 200 else head.find(b"PK", start)
    declared = head[start:end].decode("ascii", "replace").strip()
    known = (
        "application/vnd.oasis.opendocument.",
        "application/epub+zip",
        "application/vnd.sun.xml.",
    )
    return declared if declared.startswith(known) and declared.isprintable() else ""


def member_names(source: BinaryIO, head: bytes) -> list[str]:
    """Names from the central directory; from the local headers when the end is cut off."""
    size = source.seek(0, io.SEEK_END)
    source.seek(max(0, size - 65_557))
    tail = source.read(65_557)
    end = tail.rfind(END_OF_ZIP)
    if end >= 0 and len(tail) >= end + 22:
        length, start = struct.unpack_from("<LL", tail, end + 12)
        # Bytes put before the archive shift everything; the directory still ends at its end mark.
        at = min(start, max(0, size - len(tail) + end - length))
        for place in {at, max(0, size - len(tail) + end - length)}:
            source.seek(place)
            if names := list(named(source.read(DIRECTORY_BYTES), CENTRAL, 46, 28)):
                return names
    return list(named(head, LOCAL, 30, 26))


def named(block: bytes, mark: bytes, fixed: int, length_at: int) -> list[str]:
    names, place = [], block.find(mark)
    while place >= 0 and place + fixed <= len(block):
        length = int.from_bytes(block[place + length_at : place + length_at + 2], "little")
        names.append(block[place + fixed : place + fixed + length].decode("utf-8", "replace"))
        place = block.find(mark, place + fixed + length)
    return names


def ole_family(source: BinaryIO) -> str:
    source.seek(0)
    try:
        with olefile.OleFileIO(source, raise_defects=olefile.DEFECT_FATAL) as ole:
            for stream, media_type in OLE_STREAMS:
                if ole.exists(stream):
                    return media_type
    except OLE_ERRORS:
        return OLE
    return OLE


def is_old_tar(head: bytes) -> bool:
    """Tar from before "ustar" has no mark, but a checksum of its header."""
    if len(head) < 512 or not head[0]:
        return False
    digits = head[148:156].strip(b"\x00 ")
    if not digits or digits.strip(b"01234567"):
        return False
    return sum(head[:148]) + 8 * 32 + sum(head[156:512]) == int(digits, 8)


def ends_like_zip(source: BinaryIO) -> bool:
    """Whether an archive hangs at the end of something else: self-extractors and polyglots."""
    size = source.seek(0, io.SEEK_END)
    source.seek(max(0, size - TAIL_BYTES))
    tail = source.read(TAIL_BYTES)
    end = tail.rfind(END_OF_ZIP)
    if end < 0 or len(tail) < end + 22:
        return False
    length, comment = struct.unpack_from("<L4xH", tail, end + 12)
    place = size - len(tail) + end - length
    if place < 0 or end + 22 + comment > len(tail):
        return False
    source.seek(place)
    return source.read(4) == CENTRAL


def identify(
    source: BinaryIO, name: str = "", extra_encodings: tuple[str, ...] = (), claimed: str = ""
) -> Identity:
    """`claimed` is what a container says of it: as weak a hint as the extension."""
    source.seek(0)
    head = source.read(encoding.HEAD_BYTES)
    if not head:
        return Identity(EMPTY)
    extension = extension_of(name) or SHORT_NAMES.get(claimed, "")
    if media_type := by_signature(source, head):
        return Identity(media_type, "", mismatch(media_type, extension), more(source, media_type))
    # Before libmagic: it calls notes that start with "PATIENT:" plotter graphics.
    if codec := encoding.guess(head, extra_encodings):
        media_type = kind_of_text(encoding.decode(head, codec), extension)
        return Identity(
            media_type, codec, mismatch(media_type, extension), more(source, media_type)
        )
    media_type = ask_libmagic(head)
    if media_type == UNKNOWN and extension == "dcm":
        media_type = PROMISES[extension]  # bare data sets have no mark at all; the reader decides
    return Identity(media_type, "", mismatch(media_type, extension), more(source, media_type))


def more(source: BinaryIO, media_type: str) -> tuple[str, ...]:
    zipped = media_type.startswith(ZIP_FAMILY)
    return (ZIP,) if not zipped and ends_like_zip(source) else ()


def extension_of(name: str) -> str:
    stem, dot, extension = name.rpartition(".")
    short = extension.lower() if dot and stem else ""
    return SPELLINGS.get(short, short)


def mismatch(media_type: str, extension: str) -> str:
    promised = PROMISES.get(extension)
    if promised is None or promised == media_type:
        return ""
    found = SHORT_NAMES.get(media_type, "something else")
    if found in TEXT_FAMILY and extension in TEXT_FAMILY:
        return ""
    return f"{found} named {extension}"


class Identity(NamedTuple):
    media_type: str
    encoding: str = ""  # set when the file is text
    mismatch: str = ""  # "pdf named txt": closed words only, never the file's own name
    also: tuple[str, ...] = ()  # further formats the same bytes are, such as a zip behind a picture

    @property
    def family(self) -> str:
        """What to read it as when no module knows the very type."""
        if self.encoding:
            return "text/plain"
        return ZIP if self.media_type.startswith(ZIP_FAMILY) else self.media_type


def ask_libmagic(head: bytes) -> str:
    try:
        answer = str(shared_magic().from_buffer(head))
    except libmagic().MagicException:
        return UNKNOWN
    # Its text answers contradict what the bytes just showed.
    return UNKNOWN if answer.startswith(("text/", "message/")) else answer


MAGIC = "libmagic.so.1"


@cache
def libmagic() -> Any:
    try:
        ctypes.CDLL(MAGIC)
    except OSError:
        importlib.import_module("pylibmagic")  # brings the library where the system has none
    return importlib.import_module("magic")


@cache
def shared_magic() -> Any:
    return libmagic().Magic(mime=True)


def preload() -> None:
    """Load libmagic's database and every codec while files can still be opened."""
    ask_libmagic(b"\x00\x01\x02\x03")
    preload_codecs()
