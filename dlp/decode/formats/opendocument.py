"""Read OpenDocument packages: texts, spreadsheets, presentations, drawings, their templates.

In: an open odt, ods, odp, an older sxw, sxc, sxi, or a flat XML file.  Out: parts, files, gaps.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import BinaryIO

from lxml import etree

from dlp.decode.contract import Budget, BudgetExceededError, Embedded, Item, Limits, Title, at_most
from dlp.decode.office import embedded, properties, xml_text
from dlp.decode.office.binary_runs import readable_runs
from dlp.decode.office.markup import (
    Readable,
    attribute,
    by_local_name,
    comments,
    everything,
    local_of,
    parse,
    root_name,
    speaks,
    stream,
)
from dlp.decode.office.package import Package, Piece, natural, normal, settled, then_closing
from dlp.decode.office.sheet_text import SheetText, number_text
from dlp.decode.zip_archive import Entry, UnreadableError
from dlp.model import Gap, GapCode, Part

# Read the tables of an OpenDocument spreadsheet.

DIGITS = re.compile(r"\d")
QUOTING = re.compile(r"[\"'\[]|\d{5}")
MOST_COLUMNS = 20_000

MEDIA_TYPES = frozenset({
    "application/vnd.oasis.opendocument.text",
    "application/vnd.oasis.opendocument.text-template",
    "application/vnd.oasis.opendocument.text-master",
    "application/vnd.oasis.opendocument.text-web",
    "application/vnd.oasis.opendocument.text-flat-xml",
    "application/vnd.oasis.opendocument.spreadsheet",
    "application/vnd.oasis.opendocument.spreadsheet-template",
    "application/vnd.oasis.opendocument.spreadsheet-flat-xml",
    "application/vnd.oasis.opendocument.presentation",
    "application/vnd.oasis.opendocument.presentation-template",
    "application/vnd.oasis.opendocument.presentation-flat-xml",
    "application/vnd.oasis.opendocument.graphics",
    "application/vnd.oasis.opendocument.graphics-template",
    "application/vnd.oasis.opendocument.graphics-flat-xml",
    "application/vnd.oasis.opendocument.chart",
    "application/vnd.oasis.opendocument.formula",
    "application/vnd.oasis.opendocument.base",
    "application/vnd.oasis.opendocument.image",
    "application/vnd.sun.xml.writer",
    "application/vnd.sun.xml.writer.template",
    "application/vnd.sun.xml.calc",
    "application/vnd.sun.xml.calc.template",
    "application/vnd.sun.xml.impress",
    "application/vnd.sun.xml.impress.template",
    "application/vnd.sun.xml.draw",
})  # fmt: skip

PARAGRAPHS = frozenset({"p", "h"})
ROWS = frozenset({"table-row"})
CELLS = frozenset({"table-cell", "covered-table-cell"})
MOST_SPACES = 1000  # a count is a number in a file
# Subtrees that would tear the paragraph they hang on; each becomes a stream of its own.
CUT = {
    "tracked-changes": "deleted",
    "annotation": "comments",
    "note-body": "notes",
    "footnote-body": "notes",
    "endnote-body": "notes",
    "notes": "notes",
    "text-box": "textboxes",
    "header": "headers",
    "header-left": "headers",
    "header-first": "headers",
    "footer": "footers",
    "footer-left": "footers",
    "footer-first": "footers",
}
# Elements whose text is words although it is no paragraph.
WORDS = (
    "title",
    "desc",
    "creator",
    "sender-initials",
    "script",
    "event-listener",
    "option",
    "item",
)
SPOKEN = frozenset({
    "name", "title", "href", "string-value", "label", "value", "current-value", "description",
    "display-name", "formula", "condition", "help-message", "text", "author", "author-name", "alt",
    "connection-resource", "command", "database-name", "table-name", "date-value", "tooltip",
})  # fmt: skip
SPEAKERS = tuple(f"{{*}}{name}" for name in (
    "frame", "bookmark", "bookmark-start", "reference-mark", "reference-mark-start", "a",
    "section", "user-field-decl", "variable-set", "variable-decl", "user-field-get",
    "text-input", "image", "table", "named-range", "named-expression", "content-validation",
    "help-message", "error-message", "object", "object-ole", "page", "custom-shape", "rect",
    "form", "text", "textarea", "button", "checkbox", "radio", "listbox", "combobox",
    "formatted-text", "hidden", "password", "fixed-text", "option", "table-source",
    "cell-range-source", "dde-source", "database-range", "database-display", "database-name",
    "date", "plugin", "applet", "param", "event-listener", "placeholder", "hidden-text",
    "hidden-paragraph", "conditional-text", "change-info", "list-item", "control",
    "meta-field", "script", "table-cell", "connection-resource", "calculation-cell",
))  # fmt: skip


def read_tables(root: etree._Element, budget: Budget) -> Iterator[Item]:
    comments: list[str] = []
    for note in list(root.iter("{*}annotation")):
        cut_out(note)
        comments.append(text_of(note))
    formulas: dict[str, None] = {}
    for number, table in enumerate(root.iter("{*}table"), start=1):
        sheet = SheetText(f"sheet:{number}", budget)
        add_rows(sheet, table.iter("{*}table-row"), formulas)
        if (part := sheet.part()) is not None:
            yield part
    yield Part("formulas", "\n".join(formulas))
    yield Part("comments", distinct(comments))


def read_stream(source: Readable, budget: Budget) -> Iterator[Item]:
    """All tables as one, for files too large to keep in memory."""
    sheet = SheetText("sheet:1", budget)
    formulas: dict[str, None] = {}
    gap, around = None, ""
    try:
        rows = Rows(stream(source, "{*}table-row"))
        add_rows(sheet, rows, formulas)
        around = rows.rest
    except (etree.XMLSyntaxError, UnreadableError):
        gap = Gap(GapCode.CORRUPT, "sheet:1")
    if (part := sheet.part()) is not None:
        yield part
    yield Part("formulas", "\n".join(formulas))
    yield Part("around", around)
    if gap:
        yield gap


class Rows:
    """The rows of a stream; once they are through, the words of what surrounds them."""

    def __init__(self, elements: Iterator[etree._Element]) -> None:
        self._elements = elements
        self.rest = ""

    def __iter__(self) -> Iterator[etree._Element]:
        for element in self._elements:
            if local_of(element) == "table-row":
                yield element
            else:
                self.rest = everything(element)


def add_rows(sheet: SheetText, rows: Iterable[etree._Element], formulas: dict[str, None]) -> None:
    row_number = 1
    for row in rows:
        cells: dict[int, str] = {}
        column = 0
        for cell in row:
            if local_of(cell) not in CELLS:
                continue
            text = cell_text(cell)
            if text:
                cells[column] = text
            formula = attribute(cell, "formula")
            if formula and QUOTING.search(formula):
                formulas[formula] = None
            column = min(column + repeated(cell, "number-columns-repeated"), MOST_COLUMNS)
        # A repeated row says its words once; the sheet's end is "repeated" a million times.
        sheet.add(row_number, cells)
        row_number += repeated(row, "number-rows-repeated")


def repeated(element: etree._Element, key: str) -> int:
    count = attribute(element, key)
    return int(count) if count.isdecimal() and len(count) < 9 else 1


def cell_text(cell: etree._Element) -> str:
    """The stored date or number, unless what shows says the same digits more readably."""
    shown = text_of(cell)
    date = attribute(cell, "date-value")
    if date:
        return date.removesuffix("T00:00:00").replace("T", " ")
    if attribute(cell, "value-type") == "float":
        value = number_text(attribute(cell, "value"))
        same = "".join(DIGITS.findall(shown)).lstrip("0") == "".join(DIGITS.findall(value))
        return shown if shown and same else value
    return shown or attribute(cell, "string-value") or attribute(cell, "value")


FIRST = ("meta-inf/manifest.xml", "content.xml", "styles.xml", "meta.xml")
DOCUMENTS = frozenset({"document-content", "document-styles", "document"})
WORDLESS = ("mimetype", "layout-cache")


def extract(source: BinaryIO, limits: Limits) -> Iterator[Item]:
    head = source.read(64)
    if head.lstrip(b"\xef\xbb\xbf \r\n\t").startswith(b"<"):
        items = read_flat(head + at_most(source, limits.max_inflated_bytes), Budget(limits))
        package = None
    else:
        package = Package(source, limits)
        yield from package.zip.gaps
        if not package.zip.entries:
            return
        items = PackageReader(package).items()
    try:
        for item in items:
            if isinstance(item, Part):
                if not item.text.strip():
                    continue
                if item.fields is None and package:
                    package.zip.budget.take_text(len(item.text), item.locator)
            yield item
    except BudgetExceededError as error:
        yield error.gap


def read_flat(content: bytes, budget: Budget) -> Iterator[Item]:
    reader = DocumentReader(budget)
    yield from reader.read(content, "body")
    yield from reader.closing()


class DocumentReader:
    """Reads the XML documents of one package."""

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._counts: Counter[str] = Counter()
        self._properties: list[tuple[str, str]] = []

    def closing(self) -> Iterator[Item]:
        yield properties.labelled("properties", self._properties)

    def locator(self, base: str) -> str:
        self._counts[base] += 1
        return base if self._counts[base] == 1 else f"{base}:{self._counts[base]}"

    def read(self, content: bytes, where: str) -> Iterator[Item]:
        root, damage = parse(content)
        if root is None:
            yield Gap(damage or GapCode.CORRUPT, where)
            return
        name = local_of(root)
        for metadata in root.findall("{*}meta"):
            yield from self._read_meta(metadata)
        yield from self._inline_files(root)
        if name in DOCUMENTS:
            yield from self._read_document(root, where)
        elif name == "document-settings":
            told = ((item.text, by_local_name(item)) for item in root.iter("{*}config-item"))
            yield Part(self.locator("settings"), "\n".join(settings(told)))
        elif name != "document-meta":
            yield Part(self.locator(where), everything(root))
        if hidden := comments(root, content):
            yield Part(self.locator("xml_comments"), hidden)
        if damage:
            yield Gap(damage, where)

    def _read_document(self, root: etree._Element, where: str) -> Iterator[Item]:
        spoken = distinct(labels(root))
        prefix = "" if where == "body" else f"{where}."
        books = list(root.iter("{*}spreadsheet"))
        for book in books if where == "body" else ():
            yield from read_tables(book, self._budget)
            for row in list(book.iter("{*}table-row")):
                cut_out(row)
        for name, text in streams(root):
            if name == "":
                yield Part(self.locator("around" if books and where == "body" else where), text)
            else:
                yield Part(self.locator(prefix + name), text)
        yield Part(self.locator(f"{prefix}labels"), spoken)

    def _inline_files(self, root: etree._Element) -> Iterator[Item]:
        """A flat file carries its pictures and objects as base64."""
        for element in root.iter("{*}binary-data"):
            locator = self.locator("media")
            try:
                data = base64.b64decode(element.text or "")
            except (binascii.Error, ValueError):
                yield Gap(GapCode.CORRUPT, locator)
            else:
                yield Embedded(locator, "", data)
                element.text = None

    def _read_meta(self, metadata: etree._Element) -> Iterator[Item]:
        for element in metadata.iterchildren("{*}*"):
            name = attribute(element, "name") or local_of(element)
            if local_of(element) == "document-statistic":
                continue
            texts = [str(text).strip() for text in element.itertext() if str(text).strip()]
            self._properties += [(name, text) for text in texts]
            # A template or a reload points at a file, often in somebody's home.
            links = (
                str(value) for key, value in element.attrib.items() if str(key).endswith("href")
            )
            self._properties += [(name, link) for link in links if link]
            if local_of(element) == "title" and texts:
                yield Title(texts[0])


class PackageReader:
    def __init__(self, package: Package) -> None:
        self._package = package
        self._reader = DocumentReader(package.zip.budget)
        self._sealed: set[str] = set()
        self._objects: dict[str, int] = {}

    def items(self) -> Iterator[Item]:
        return then_closing(self._pieces(), self._closing)

    def _pieces(self) -> Iterator[Item]:
        for entry in sorted(self._package.entries(), key=reading_order):
            if normal(entry.name) not in self._sealed:
                piece = self._package.load(entry)
                yield from settled(piece, self._read(piece))

    def _closing(self) -> Iterator[Item]:
        yield from self._reader.closing()
        archive = self._package.zip
        notes = [archive.comment, *(entry.comment for entry in archive.entries)]
        yield Part("zip:comment", "\n".join(n.decode("utf-8", "replace") for n in notes if n))
        yield from (Embedded(f"zip:{where}", "", data) for where, data in archive.around())

    def _read(self, piece: Piece) -> Iterator[Item]:
        path, content = piece.path, piece.content
        if not content or path in WORDLESS:
            return
        if path == "meta-inf/manifest.xml":
            yield from self._read_manifest(content)
        elif path.startswith(("pictures/", "thumbnails/", "media/")) or not root_name(content):
            yield from self._embedded(piece)
            if path == "content.xml":
                yield Gap(GapCode.CORRUPT, "body")
        elif path == "content.xml":
            yield from self._read_body(piece)
        elif piece.rest is not None:
            where = self._reader.locator("part")
            limits = self._package.limits
            yield from xml_text.read_long(piece.stream(), limits, where, mixed=True)
        elif path == "styles.xml":
            yield from self._reader.read(content, "styles")
        elif path.endswith(("/content.xml", "/styles.xml")):
            folder, _, name = path.rpartition("/")
            number = self._objects.setdefault(folder, len(self._objects) + 1)
            where = f"object:{number}" + (".styles" if name == "styles.xml" else "")
            yield from self._reader.read(content, where)
        else:
            yield from self._reader.read(content, "part")

    def _read_body(self, piece: Piece) -> Iterator[Item]:
        if piece.rest is None:
            yield from self._reader.read(piece.content, "body")
        elif b"office:spreadsheet" in piece.content[:TREE_HEAD]:
            yield from read_stream(piece.stream(), self._package.zip.budget)
        else:
            yield from xml_text.read_long(piece.stream(), self._package.limits, "body", mixed=True)

    def _read_manifest(self, content: bytes) -> Iterator[Item]:
        root, damage = parse(content)
        if root is not None:
            for entry in root.iter("{*}file-entry"):
                if next(entry.iter("{*}encryption-data"), None) is not None:
                    self._sealed.add(normal(attribute(entry, "full-path")))
        if self._sealed:
            yield Gap(GapCode.ENCRYPTED, "body")
        if damage:
            yield Gap(damage, "manifest")

    def _embedded(self, piece: Piece) -> Iterator[Item]:
        if piece.path.startswith("thumbnails/"):
            yield from embedded.read_thumbnail(piece.all_bytes(), self._package.limits)
            return
        base = "media" if piece.path.startswith("pictures/") else "embedded"
        number = self._reader.locator(base)
        yield Embedded(
            number if ":" in number else f"{number}:1",
            piece.name.rpartition("/")[2],
            piece.all_bytes(),
        )


TREE_HEAD = 1_000_000


def settings(items: Iterable[tuple[str | None, dict[str, str]]]) -> Iterator[str]:
    """Printer and data source names; switches and sizes say nothing about anybody."""
    for stated, said in items:
        text = (stated or "").strip()
        if said.get("name") == "PrinterSetup":
            try:
                yield readable_runs(base64.b64decode(text))
            except (binascii.Error, ValueError):
                yield text
        elif said.get("type") == "string" and speaks(text):
            yield text


def reading_order(entry: Entry) -> tuple[int, list[tuple[int, int | str]]]:
    path = normal(entry.name)
    return FIRST.index(path) if path in FIRST else len(FIRST), natural(path)


def streams(root: etree._Element) -> Iterator[tuple[str, str]]:
    """Give (stream, text) of one part; the unnamed stream is what shows."""
    found: dict[str, list[str]] = {}
    removed: dict[str, str] = {}
    for element in list(root.iter("{*}title", "{*}desc")):
        if "svg" in str(element.tag):
            cut_out(element)  # labels() has it
    for element in list(root.iter(*(f"{{*}}{name}" for name in CUT))):
        name = local_of(element)
        if name == "text-box" and not in_paragraph(element):
            continue  # the text of a slide lives in boxes
        if name == "tracked-changes":
            regions = element.iterchildren("{*}*")
            removed |= {attribute(region, "id"): lines(region) for region in regions}
        cut_out(element)
        found.setdefault(CUT[name], []).append(lines(element))
    yield "", lines(root)
    found.setdefault("deleted", []).extend(original(root, removed))
    for name, texts in found.items():
        yield name, "\n".join(filter(None, texts))


def original(root: etree._Element, removed: dict[str, str]) -> Iterator[str]:
    """The paragraphs that lost text, with it back in place: half a name is no name."""
    changed: dict[etree._Element, None] = {}
    for mark in root.iter("{*}change"):
        mark.text = removed.get(attribute(mark, "change-id"))
        holder = next(mark.iterancestors("{*}p", "{*}h"), None)
        if holder is not None and mark.text:
            changed[holder] = None
    return map(lines, changed)


def in_paragraph(element: etree._Element) -> bool:
    return next(element.iterancestors("{*}p", "{*}h"), None) is not None


def labels(root: etree._Element) -> Iterator[str]:
    """Words outside the text: names, targets, form values, descriptions."""
    for element in root.iter(*SPEAKERS):
        for key, value in element.attrib.items():
            if str(key).rpartition("}")[2] in SPOKEN and speaks(str(value)):
                yield str(value)
    for element in root.iter(*(f"{{*}}{name}" for name in WORDS)):
        if element.text and not element.text.isspace():
            yield element.text.strip()


def cut_out(element: etree._Element) -> None:
    """Detach a subtree but leave the text that follows it in its place."""
    parent = element.getparent()
    if parent is None:
        return
    tail, before = element.tail, element.getprevious()
    if tail and before is not None:
        before.tail = (before.tail or "") + tail
    elif tail:
        parent.text = (parent.text or "") + tail
    element.tail = None
    parent.remove(element)


def lines(root: etree._Element) -> str:
    """A paragraph is a line; a table row is a line with tabs between its cells."""
    out: list[str] = []
    inside = 0  # how many paragraphs we are in; text elsewhere is white space between elements
    opening, first_cell = "\n", True
    for event, element in etree.iterwalk(root, events=("start", "end")):
        name = local_of(element)
        if event == "start":
            if name in PARAGRAPHS:
                out.append(opening)
                opening = "\n"
                inside += 1
            elif name in ROWS:
                opening, first_cell = "\n", True
            elif name in CELLS:
                opening, first_cell = ("\n" if first_cell else "\t"), False
            elif inside:
                out.append(spelled(element, name))
            if inside and element.text and name:
                out.append(element.text)
            continue
        inside -= name in PARAGRAPHS
        if inside and element.tail and element is not root:
            out.append(element.tail)
    return "".join(out).strip("\n")


def spelled(element: etree._Element, name: str) -> str:
    if name == "s":
        count = attribute(element, "c")
        return " " * min(int(count), MOST_SPACES) if count.isdecimal() and len(count) < 9 else " "
    return {"tab": "\t", "tab-stop": "\t", "line-break": "\n"}.get(name, "")


def text_of(element: etree._Element) -> str:
    """The paragraphs of one cell, in one line."""
    return " ".join(lines(element).split())


def distinct(texts: Iterable[str]) -> str:
    return "\n".join(dict.fromkeys(texts))
