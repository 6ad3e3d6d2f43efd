"""Say what a file is by what it holds; its name is only a hint.

In: an open file and its name.  Out: its media type, and what the name got wrong.
"""

from __future__ import annotations

import ctypes
import importlib
from functools import cache
from typing import Any, BinaryIO, NamedTuple

from dlp.decode import codec_modules, encoding, signatures, textual

UNKNOWN = "application/octet-stream"
EMPTY = "application/x-empty"
DOS = "application/vnd.microsoft.portable-executable"

# What a name promises. Text kinds are one family: a note named .csv is no mismatch.
PROMISES = {
    "pdf": "application/pdf",
    "rtf": "application/rtf",
    "docx": signatures.DOCX,
    "xlsx": signatures.XLSX,
    "pptx": signatures.PPTX,
    "xlsb": signatures.XLSB,
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
    "zip": signatures.ZIP,
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
    "exe": DOS,
    "mp3": "audio/mpeg",
    "txt": "text/plain",
    "html": "text/html",
    "xml": "application/xml",
    "json": "application/json",
    "csv": "text/csv",
    "eml": "message/rfc822",
    "mbox": "application/mbox",
    "hl7": textual.HL7,
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
    signatures.ZIP,
    signatures.XLSB,
    "application/epub",
    "application/vnd.oasis",
    "application/vnd.openxml",
    "application/vnd.sun.xml",
)


class Identity(NamedTuple):
    media_type: str
    encoding: str = ""  # set when the file is text
    mismatch: str = ""  # "pdf named txt": closed words only, never the file's own name
    also: tuple[str, ...] = ()  # further formats the same bytes are, such as a zip behind a picture
    text: str | None = None  # all of a plain text, where it had to be read to be identified

    @property
    def family(self) -> str:
        """What to read it as when no module knows the very type."""
        if self.encoding:
            return "text/plain"
        return signatures.ZIP if self.media_type.startswith(ZIP_FAMILY) else self.media_type


def identify(
    source: BinaryIO, name: str = "", extra_encodings: tuple[str, ...] = (), claimed: str = ""
) -> Identity:
    """`claimed` is what a container says of it: as weak a hint as the extension."""
    source.seek(0)
    head = source.read(encoding.HEAD_BYTES)
    if not head:
        return Identity(EMPTY)
    whole = len(head) < encoding.HEAD_BYTES and not source.read(1)
    extension = extension_of(name) or SHORT_NAMES.get(claimed, "")
    if media_type := signatures.by_signature(source, head):
        return Identity(media_type, "", mismatch(media_type, extension), more(source, media_type))
    # Before libmagic: it calls notes that start with "PATIENT:" plotter graphics.
    if codec := encoding.guess(head, extra_encodings):
        text = encoding.decode(head, codec)
        whole = whole and not signatures.may_end_like_zip(head)
        return of_text(source, text, codec, extension, whole=whole)
    media_type = ask_libmagic(head)
    if media_type == UNKNOWN and extension == "dcm":
        media_type = PROMISES[extension]  # bare data sets have no mark at all; the reader decides
    return Identity(media_type, "", mismatch(media_type, extension), more(source, media_type))


def of_text(source: BinaryIO, text: str, codec: str, extension: str, *, whole: bool) -> Identity:
    """`whole`: the text is all of the file, and no archive can hang at its end."""
    media_type = textual.kind_of_text(text, extension)
    promised = PROMISES.get(extension, media_type)
    wrong = "" if promised == media_type else mismatch(media_type, extension)
    if whole and media_type == "text/plain":
        return Identity(media_type, codec, wrong, (), text)
    return Identity(media_type, codec, wrong, more(source, media_type))


def more(source: BinaryIO, media_type: str) -> tuple[str, ...]:
    zipped = media_type.startswith(ZIP_FAMILY)
    return (signatures.ZIP,) if not zipped and signatures.ends_like_zip(source) else ()


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
    codec_modules.preload()
