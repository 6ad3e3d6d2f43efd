"""Tell which format the bytes inside a container are.

In: bytes, what the container claims, a name.  Out: a media type, or "" for what nobody rewrites.
"""

from __future__ import annotations

import io
import json
import re
import zipfile

OOXML = "application/vnd.openxmlformats-officedocument."
DOCX = f"{OOXML}wordprocessingml.document"
XLSX = f"{OOXML}spreadsheetml.sheet"
PPTX = f"{OOXML}presentationml.presentation"
ODF = "application/vnd.oasis.opendocument."
ZIP = "application/zip"
MARKS = (
    (0, b"%PDF-", "application/pdf"),
    (0, b"{\\rtf", "application/rtf"),
    (128, b"DICM", "application/dicom"),
    (0, b"\x89PNG\r\n\x1a\n", "image/png"),
    (0, b"\xff\xd8\xff", "image/jpeg"),
    (0, b"GIF8", "image/gif"),
)
TEXT_ENDINGS = {
    "csv": "text/csv", "tsv": "text/csv", "htm": "text/html", "html": "text/html",
    "xml": "application/xml", "json": "application/json", "eml": "message/rfc822",
    "txt": "text/plain", "text": "text/plain", "log": "text/plain", "md": "text/plain",
}  # fmt: skip
TEXT_CLAIMS = frozenset(TEXT_ENDINGS.values()) | {
    "text/tab-separated-values",
    "application/xhtml+xml",
}
HTML = re.compile(rb"(?is)\s*(?:<!--.*?-->\s*)*<(?:!doctype html|html|head|body|div|p|table)\b")
HEADER = re.compile(rb"(?:[A-Za-z-]+:[ \t][^\n]*\n(?:[ \t][^\n]*\n)*){2,}")
CONTROL = re.compile(rb"[\0-\x08\x0e-\x1a\x1c-\x1f]")


def kind_of(data: bytes, claimed: str = "", name: str = "") -> str:
    for offset, mark, media_type in MARKS:
        if data[offset : offset + len(mark)] == mark:
            return media_type
    if data[:4] in {b"PK\x03\x04", b"PK\x05\x06"}:
        return kind_of_zip(data)
    return kind_of_text(data, claimed.lower(), name.lower())


def kind_of_zip(data: bytes) -> str:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            names = archive.namelist()
            if "mimetype" in names and archive.getinfo("mimetype").file_size < 100:
                return archive.read("mimetype").decode("ascii", "replace").strip()
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, ValueError, OSError, EOFError):
        return ""
    if "[Content_Types].xml" not in names:
        return ZIP
    for folder, media_type in (("word/", DOCX), ("xl/", XLSX), ("ppt/", PPTX)):
        if any(name.startswith(folder) for name in names):
            return media_type
    return ""


def kind_of_text(data: bytes, claimed: str, name: str) -> str:
    head = data[:4096]
    wide = head[:2] in {b"\xff\xfe", b"\xfe\xff"}
    if not wide and CONTROL.search(head):
        return ""
    if claimed == "text/plain":
        return claimed  # words that look like markup are words
    if head.lstrip(b"\xef\xbb\xbf \r\n\t").startswith(b"<?xml"):
        return "text/html" if b"<html" in head[:1000].lower() else "application/xml"
    if HTML.match(head):
        return "text/html"
    if claimed in TEXT_CLAIMS:
        return claimed
    if by_name := TEXT_ENDINGS.get(name.rpartition(".")[2]):
        return by_name
    if head.lstrip()[:1] in {b"{", b"["} and is_json(data):
        return "application/json"
    if HEADER.match(head) and re.search(rb"(?im)^(from|received|mime-version):", head):
        return "message/rfc822"
    return "text/plain"


def is_json(data: bytes) -> bool:
    try:
        json.loads(data)
    except (ValueError, RecursionError):
        return False
    return True
