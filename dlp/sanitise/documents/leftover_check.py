"""Look for values in a rewritten file with readers that did not write it, and byte by byte.

In: the bytes of a file, values that must not be in it.  Out: the places where one still is.

Every stream is inflated, every member of every package opened, every revision of a PDF read.
"""

from __future__ import annotations

import base64
import binascii
import html
import io
import json
import quopri
import re
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from typing import Any, cast
from xml.parsers import expat

import pypdfium2
import python_calamine
from selectolax.lexbor import LexborHTMLParser
from striprtf import striprtf

from dlp.sanitise.documents.content_type import XLSX, kind_of
from dlp.sanitise.documents.formats.text import decode
from dlp.sanitise.documents.value_search import Search, folded

Layer = tuple[str, str | bytes]  # where, what
Reader = Callable[[bytes], Iterator[Layer]]
XML_KINDS = ("application/xml", "text/xml", "image/svg+xml", "application/fhir+xml")
SHORTEST = 3  # letters; shorter values are everywhere
DEEPEST = 8
PDF = "application/pdf"
SHORT_NUMBER = re.compile(r"\d{1,5}")
STREAM = re.compile(rb"stream\r?\n(.*?)endstream", re.DOTALL)
PACKED = re.compile(rb"(?:[A-Za-z0-9+/]{40,}={0,2}[\r\n ]*)+(?:[A-Za-z0-9+/]+={0,2})?")
END = b"%%EOF"
# Names of elements, attributes and headers belong to the format: "Title" there is no title.
XML_NAMES = re.compile(
    rb"(?<=<)[/!?]?[\w:.-]+|[\w:.-]+(?=\s*=\s*[\"'])|xmlns[\w:]*=[\"'][^\"']*[\"']"
)
NAMES = {
    **dict.fromkeys(XML_KINDS, XML_NAMES),
    "text/html": XML_NAMES,
    "message/rfc822": re.compile(rb"(?m)^[A-Za-z-]+:"),
}
MOST_INFLATED = 512_000_000


def leftovers(data: bytes, media_type: str, values: Iterable[str]) -> list[str]:
    """Name the places, never the values; an empty list is the proof."""
    wanted = {folded(value) for value in values if len(value.strip()) >= SHORTEST}
    if not wanted:
        return []
    search = Search(wanted)
    # Numbers of objects and places stand between the streams of a PDF; a short one proves nothing.
    between = Search({value for value in wanted if not SHORT_NUMBER.fullmatch(value)})
    is_pdf = (media_type or kind_of(data)) == PDF
    found = {
        where: None
        for where, layer in layers(data, media_type, "", 0)
        if (between if is_pdf and where == "bytes" else search).hit(layer)
    }
    return list(found)


def spoken(data: bytes, media_type: str) -> str:
    """All text that the second readers see, each layer once."""
    texts = [layer for _, layer in layers(data, media_type, "", 0) if isinstance(layer, str)]
    if media_type not in READERS and not data.startswith(b"PK"):
        texts.append(decode(data)[0])
    return "\n\n".join(dict.fromkeys(texts))


def layers(data: bytes, media_type: str, where: str, depth: int) -> Iterator[Layer]:
    kind = media_type or kind_of(data)
    yield f"{where}bytes", NAMES[kind].sub(b" ", data) if kind in NAMES else data
    if depth > DEEPEST:
        return
    if data.startswith(b"PK"):
        yield from members(data, where, depth)
    for reader in READERS.get(kind, ()):
        for place, layer in reader(data):
            if isinstance(layer, bytes) and place.endswith("/"):
                yield from layers(layer, "", f"{where}{place}", depth + 1)
            else:
                yield f"{where}{place}", layer


def members(data: bytes, where: str, depth: int) -> Iterator[Layer]:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            yield f"{where}zip comment", archive.comment
            for number, entry in enumerate(archive.infolist(), 1):
                yield f"{where}member {number} name", entry.filename
                yield f"{where}member {number} extra", entry.extra + entry.comment
                content = archive.read(entry)
                yield from layers(content, "", f"{where}member {number}/", depth + 1)
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError):
        yield f"{where}zip", "\ufffd"


def xml_layers(data: bytes) -> Iterator[Layer]:
    """Character data as one text, with and without the element boundaries, and each attribute."""
    words: list[str] = []
    said: list[str] = []
    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.CharacterDataHandler = words.append
    parser.CommentHandler = said.append
    parser.StartElementHandler = lambda _name, attributes: said.extend(attributes.values())
    parser.ProcessingInstructionHandler = lambda target, rest: said.append(f"{target} {rest}")
    try:
        parser.Parse(data, True)
    except expat.ExpatError:
        yield "xml", re.sub(r"<[^>]*>", "", html.unescape(data.decode("utf-8", "replace")))
    yield "text", "".join(words)
    yield "text", " ".join(words)
    yield "attributes", "\n".join(said).encode()  # as written: schemas have words of their own


def html_layers(data: bytes) -> Iterator[Layer]:
    page = LexborHTMLParser(data.decode("utf-8", "replace"))
    if page.root is not None:
        yield "text", page.root.text(separator="")
        yield "text", page.root.text(separator=" ")
        yield (
            "attributes",
            "\n".join(
                value or "" for node in page.root.traverse() for value in node.attributes.values()
            ),
        )
    markup = NAMES["text/html"].sub(b" ", data).decode("utf-8", "replace")
    yield "markup", html.unescape(markup).encode()


def json_layers(data: bytes) -> Iterator[Layer]:
    text = data.decode("utf-8-sig", "replace")
    said: list[str] = []

    def keep(pairs: list[tuple[str, object]]) -> None:
        for key, value in pairs:
            said.append(key)
            said.extend(str(v) for v in (value if isinstance(value, list) else [value]))

    # Lines for themselves only where the whole is no document: each would tell all of it again.
    for document in ([text], text.splitlines()):
        for line in document:
            try:
                json.loads(line, object_pairs_hook=keep)
            except ValueError:
                continue
        if said:
            yield "values", "\n".join(said)
            return


def pdf_layers(data: bytes) -> Iterator[Layer]:
    room = MOST_INFLATED
    for number, hit in enumerate(STREAM.finditer(data), 1):
        try:
            content = zlib.decompressobj().decompress(hit[1], room)
        except zlib.error:
            continue
        room -= len(content)
        yield f"stream {number}", content
        if room <= 0:
            yield "streams", "\ufffd"
            return
    ends = [hit.end() for hit in re.finditer(END, data)]
    for age, end in enumerate(ends or [len(data)], 1):
        yield from page_layers(data[:end], age)


def page_layers(data: bytes, age: int) -> Iterator[Layer]:
    try:
        document = pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError:
        return
    try:
        for number in range(len(document)):
            words = document[number].get_textpage().get_text_range()
            yield f"revision {age} page {number + 1}", words.replace("\ufffe", "")
    except pypdfium2.PdfiumError:
        yield f"revision {age}", "\ufffd"
    finally:
        document.close()


def mail_layers(data: bytes) -> Iterator[Layer]:
    """Without a mail parser: whatever looks packed is unpacked."""
    yield "quoted", quopri.decodestring(NAMES["message/rfc822"].sub(b" ", data))
    yield from packed_layers(data)


def packed_layers(data: bytes) -> Iterator[Layer]:
    for number, hit in enumerate(PACKED.finditer(data), 1):
        try:
            yield f"packed {number}/", base64.b64decode(re.sub(rb"\s", b"", hit[0]))
        except (binascii.Error, ValueError):
            continue


def rtf_layers(data: bytes) -> Iterator[Layer]:
    yield "text", cast("Any", striprtf).rtf_to_text(data.decode("latin-1"), errors="ignore")
    for number, hit in enumerate(re.finditer(rb"(?:[0-9a-fA-F]{2}\s*){16,}", data), 1):
        yield f"hex {number}/", bytes.fromhex(hit[0].decode())


def message_layers(data: bytes) -> Iterator[Layer]:
    """Fields of HL7 version 2 without the names of segments, each on a line of its own."""
    text = re.sub(r"(?m)^[A-Z][A-Z0-9]{2}(?=\W)", "", decode(data.replace(b"\r", b"\n"))[0])
    yield "fields", re.sub(r"[|^~&]+", "\n", text)
    yield from packed_layers(data)


def workbook_layers(data: bytes) -> Iterator[Layer]:
    try:
        book = python_calamine.CalamineWorkbook.from_filelike(io.BytesIO(data))
        for number, name in enumerate(book.sheet_names, 1):
            rows = book.get_sheet_by_name(name).to_python()
            yield f"sheet {number}", "\n".join("\t".join(map(str, row)) for row in rows)
    except (python_calamine.CalamineError, ValueError):
        return


READERS: dict[str, tuple[Reader, ...]] = {
    **dict.fromkeys(XML_KINDS, (xml_layers, packed_layers)),
    "text/html": (html_layers,),
    "application/xhtml+xml": (html_layers,),
    **dict.fromkeys(
        ("application/json", "application/fhir+json", "application/x-ndjson"),
        (json_layers, packed_layers),
    ),
    "application/pdf": (pdf_layers,),
    "message/rfc822": (mail_layers,),
    "application/hl7-v2": (message_layers,),
    "application/rtf": (rtf_layers,),
    "text/rtf": (rtf_layers,),
    XLSX: (workbook_layers,),
}
