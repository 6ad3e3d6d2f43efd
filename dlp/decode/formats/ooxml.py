"""Read an Office Open XML file by what its parts are, not by what the file is called.

In: an open docx, xlsx, pptx, a macro variant or a template.  Out: parts, files inside, gaps.

Every member is read. A part is known by its root element; an unknown part is read
whole, text and attributes; what is not XML is read as a file inside a file.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import BinaryIO

from lxml import etree

from dlp.decode.contract import Budget, BudgetExceededError, Embedded, Item, Limits, Title
from dlp.decode.office import embedded, properties, xml_text
from dlp.decode.office.binary_runs import readable_runs
from dlp.decode.office.markup import (
    attribute,
    comments,
    custom_styles,
    everything,
    has_words,
    local_of,
    parse,
    root_name,
    stream,
)
from dlp.decode.office.package import Package, Piece, normal, settled, then_closing
from dlp.decode.office.sheet_text import SheetText
from dlp.decode.office.spreadsheet import SHEETS, BinaryWorkbook, Workbook, is_sheet_part
from dlp.decode.office.xml_text import editors, streams
from dlp.decode.zip_archive import UnreadableError
from dlp.model import Gap, GapCode, Part

MEDIA_TYPES = frozenset({
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.template",
    "application/vnd.ms-word.document.macroenabled.12",
    "application/vnd.ms-word.template.macroenabled.12",
    "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    "application/vnd.openxmlformats-officedocument.presentationml.slideshow",
    "application/vnd.openxmlformats-officedocument.presentationml.template",
    "application/vnd.openxmlformats-officedocument.presentationml.slide",
    "application/vnd.ms-powerpoint.presentation.macroenabled.12",
    "application/vnd.ms-powerpoint.slideshow.macroenabled.12",
    "application/vnd.ms-powerpoint.template.macroenabled.12",
    "application/vnd.ms-powerpoint.addin.macroenabled.12",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.template",
    "application/vnd.ms-excel.sheet.macroenabled.12",
    "application/vnd.ms-excel.template.macroenabled.12",
    "application/vnd.ms-excel.addin.macroenabled.12",
    "application/vnd.ms-excel.sheet.binary.macroenabled.12",
})  # fmt: skip


# Read the copy of its source that a pivot table keeps.


class PivotCaches:
    """Columns of each cache by number, kept until its records come."""

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._columns: dict[str, list[list[str]]] = {}

    def read_definition(self, root: etree._Element, key: str, number: int) -> Iterator[Item]:
        columns: list[list[str]] = []
        lines: list[str] = []
        for field in root.iter("{*}cacheField"):
            shared = [shown(item) for items in field.iter("{*}sharedItems") for item in items]
            columns.append([attribute(field, "name"), *shared])
            lines.append("\n".join(filter(None, columns[-1])))
        for source in root.iter("{*}worksheetSource"):
            lines += filter(None, (attribute(source, "sheet"), attribute(source, "name")))
        lines += filter(None, [attribute(root, "refreshedBy")])
        self._columns[key] = columns
        yield Part(f"pivot:{number}", "\n".join(lines))

    def read_records(self, piece: Piece, key: str, number: int) -> Iterator[Item]:
        locator = f"pivot:{number}.records"
        columns = self._columns.get(key, [])
        rows = SheetText(locator, self._budget)
        rows.add(0, {place: column[0] for place, column in enumerate(columns) if column[0]})
        gap = None
        try:
            for count, record in enumerate(stream(piece.stream(), "{*}r"), start=1):
                if local_of(record) == "r":
                    rows.add(count, dict(values(record, columns)))
        except (etree.XMLSyntaxError, UnreadableError):
            gap = Gap(GapCode.CORRUPT, locator)
        if (part := rows.part()) is not None:
            yield part
        if gap:
            yield gap


def shown(item: etree._Element) -> str:
    value = attribute(item, "v")
    # Dates come as 1980-02-29T00:00:00; midnight only says there was no time.
    return value.removesuffix("T00:00:00") if local_of(item) == "d" else value


def values(record: etree._Element, columns: list[list[str]]) -> Iterator[tuple[int, str]]:
    for place, item in enumerate(record):
        value = shown(item)
        if local_of(item) == "x":  # a position among the shared values
            column = columns[place] if place < len(columns) else []
            index = int(value) + 1 if value.isdecimal() and len(value) < 9 else 0
            value = column[index] if 0 < index < len(column) else ""
        if value:
            yield place, value


def cache_key(path: str) -> str:
    """Records belong to the definition with the same number."""
    return "".join(letter for letter in path if letter.isdecimal())


# Root element -> locator, for parts whose text flows in paragraphs.
FLOWING = {
    "document": "body", "hdr": "header", "ftr": "footer", "footnotes": "footnotes",
    "endnotes": "endnotes", "comments": "comments", "glossaryDocument": "glossary",
    "settings": "settings", "styles": "styles", "numbering": "numbering", "fonts": "fonts",
    "webSettings": "web", "people": "people", "theme": "theme", "presentation": "presentation",
    "sld": "slide", "notes": "notes", "sldMaster": "master", "sldLayout": "layout",
    "notesMaster": "notes_master", "handoutMaster": "handout_master", "cmLst": "comments",
    "cmAuthorLst": "people", "authorLst": "people", "tagLst": "tags", "chartSpace": "chart",
    "dataModel": "diagram", "drawing": "diagram_drawing", "wsDr": "drawing",
    "userShapes": "chart_drawing", "colorsDef": "diagram_colours", "styleDef": "diagram_style",
    "layoutDef": "diagram_layout", "tblStyleLst": "table_styles", "viewPr": "view",
    "presentationPr": "presentation_settings",
}  # fmt: skip
# Root element -> locator, for parts that are read whole.
WHOLE = {
    "table": "table", "externalLink": "external", "connections": "connections",
    "personList": "people", "ThreadedComments": "threaded", "queryTable": "query",
    "slicerCacheDefinition": "slicer", "pivotTableDefinition": "pivot_table",
    "revisions": "revisions", "users": "people", "xml": "drawing_old", "datastoreItem": "custom",
}  # fmt: skip
ONCE = frozenset({
    "body", "footnotes", "endnotes", "glossary", "settings", "styles", "numbering", "fonts", "web",
    "theme", "presentation", "people", "connections", "view", "table_styles",
    "presentation_settings", "styles.labels",
})  # fmt: skip
# Parts of fonts, colours and measures; half of what a small document weighs.
FORMATTING = frozenset({"theme", "fonts", "webSettings", "styles", "tblStyleLst"})
# Lists of cell references and part names: no words in them.
WORDLESS = frozenset({"calcChain", "Types"})
# Parts of which more is asked than what flows: values of charts, the order of slides.
FONTS = (".odttf", ".fntdata", ".ttf", ".otf")
FILES = re.compile("/media/|/embeddings/|/printersettings/|docprops/thumbnail")


def extract(source: BinaryIO, limits: Limits) -> Iterator[Item]:
    package = Package(source, limits)
    yield from package.zip.gaps
    if not package.zip.entries:
        return
    reader = PackageReader(package)
    try:
        for item in reader.items():
            if isinstance(item, Part):
                if not item.text.strip():
                    continue
                if item.fields is None:  # sheets count their own text while they grow
                    package.zip.budget.take_text(len(item.text), item.locator)
            yield item
    except BudgetExceededError as error:
        yield error.gap


class PackageReader:
    def __init__(self, package: Package) -> None:
        self._package = package
        self._workbook = Workbook(package)
        self._binary = BinaryWorkbook(package)
        self._is_xlsb = any(normal(e.name) == "xl/workbook.bin" for e in package.zip.entries)
        self._pivots = PivotCaches(package.zip.budget)
        self._counts: Counter[str] = Counter()
        self._people: dict[str, None] = {}
        self._odd_names: dict[str, None] = {}  # of parts nobody described to us
        self._properties: list[tuple[str, str]] = []
        self._slide_order: dict[str, int] = {}
        self._slides: list[tuple[int, str]] = []

    def items(self) -> Iterator[Item]:
        return then_closing(self._pieces(), self._closing)

    def _pieces(self) -> Iterator[Item]:
        for entry in self._package.entries():
            piece = self._package.load(entry)
            if "/slides/" not in piece.path:
                yield from self._body_of_slides()
            yield from settled(piece, self._read(piece))

    def _body_of_slides(self) -> Iterator[Item]:
        """The slides, once all are read, in the order they are shown."""
        if self._slides:
            text = "\n\n".join(text for _, text in sorted(self._slides))
            self._slides.clear()
            yield Part(self._locator("body"), text)

    def _closing(self) -> Iterator[Item]:
        yield from self._body_of_slides()
        yield from self._workbook.unused_strings()
        yield properties.labelled("properties", self._properties)
        yield Part("links", "\n".join(self._package.external))
        yield Part("editors", "\n".join(self._people))
        yield Part("part_names", "\n".join(self._odd_names))
        archive = self._package.zip
        notes = [archive.comment, *(entry.comment for entry in archive.entries)]
        yield Part("zip:comment", "\n".join(n.decode("utf-8", "replace") for n in notes if n))
        yield from (Embedded(f"zip:{where}", "", data) for where, data in archive.around())

    def _read(self, piece: Piece) -> Iterator[Item]:
        root = root_name(piece.content)
        if piece.path.endswith(".rels"):
            self._package.note_relations(piece)
        elif self._is_xlsb and piece.path.endswith(".bin") and is_sheet_part(piece.path):
            yield from self._binary.read(piece)
        elif root in {"", "html", "HTML"} or FILES.search(f"/{piece.path}"):
            yield from self._embedded(piece)
            if not root and piece.content and piece.path.endswith(".xml"):
                yield Gap(GapCode.CORRUPT, "part")
        elif root in SHEETS:
            yield from self._workbook.read_sheet(piece)
        elif root == "sst":
            yield from self._workbook.read_strings(piece)
        elif root == "pivotCacheRecords":
            number = self._number("pivot_records")
            yield from self._pivots.read_records(piece, cache_key(piece.path), number)
        elif piece.rest is not None:
            yield from self._read_long(piece, root)
        elif root in FORMATTING and not has_words(piece.content):
            names = custom_styles(piece.content)
            if names is None:
                yield from self._read_tree(piece)
            else:
                yield Part(self._locator(f"{FLOWING[root]}.labels"), "\n".join(names))
        else:
            yield from self._read_tree(piece)

    def _read_tree(self, piece: Piece) -> Iterator[Item]:
        root, damage = parse(piece.content)
        if root is None:
            yield Gap(damage or GapCode.CORRUPT, self._locator("part"))
            return
        name = local_of(root)
        if name == "coreProperties":
            yield from (Title(title.text) for title in root.iter("{*}title") if title.text)
        if name in properties.ROOTS:
            self._properties += properties.read_xml(root)
        elif name == "workbook":
            self._note_people(root)
            yield from self._workbook.read_workbook(root, piece.path)
        elif name == "styleSheet":
            yield from self._workbook.read_styles(root)
        elif name == "pivotCacheDefinition":
            number = self._number("pivot")
            yield from self._pivots.read_definition(root, cache_key(piece.path), number)
        elif name not in WORDLESS:
            yield from self._read_words(root, name, piece)
        if hidden := comments(root, piece.content):
            yield Part(self._locator("xml_comments"), hidden)
        if damage:
            yield Gap(damage, f"{name if name in FLOWING or name in WHOLE else 'part'}")

    def _read_words(self, root: etree._Element, name: str, piece: Piece) -> Iterator[Item]:
        tag = str(root.tag)
        if name == "comments" and "spreadsheetml" in tag:
            yield from self._cell_comments(root)
        elif is_flowing(name, tag):
            yield from self._flow_of_tree(root, FLOWING[name], piece.path)
        else:
            self._odd_names[piece.name] = None
            base = "custom" if piece.path.startswith("customxml/") else WHOLE.get(name, "part")
            yield Part(self._locator(base), everything(root))

    def _flow_of_tree(self, root: etree._Element, base: str, path: str) -> Iterator[Item]:
        self._note_people(root)
        if base == "presentation":
            self._note_slides(root, path)
        locator = self._locator(base)
        yield from self._flow(streams(root), base, locator, path)
        if base in {"chart", "comments"}:
            spoken = root.iter("{*}v", "{*}pt", "{*}f", "{*}text", "{*}lvl")
            told = (node.text for node in spoken if node.text and not node.text.isspace())
            yield Part(f"{locator}.values", "\n".join(told))

    def _flow(
        self, found: Iterator[tuple[str, str]], base: str, locator: str, path: str
    ) -> Iterator[Item]:
        for name, text in found:
            if base == "slide" and not name:
                self._slides.append((self._slide_order.get(path, len(self._slides) + 10_000), text))
            elif base == "body" and locator == "body":
                yield Part(name or "body", text)
            else:
                yield Part(f"{locator}.{name}" if name else locator, text)

    def _cell_comments(self, root: etree._Element) -> Iterator[Item]:
        authors = [node.text for node in root.iter("{*}author") if node.text]
        self._people.update(dict.fromkeys(authors))
        remarks = ["".join(t.text for t in note.iter("{*}t") if t.text)
                   for note in root.iter("{*}comment")]  # fmt: skip
        yield Part(self._locator("comments"), "\n".join(remarks))

    def _read_long(self, piece: Piece, root: str) -> Iterator[Item]:
        """A part too large for a tree loses its arrangement, not its words."""
        if root not in FLOWING:
            self._odd_names[piece.name] = None
        locator = self._locator(FLOWING.get(root, WHOLE.get(root, "part")))
        yield from xml_text.read_long(piece.stream(), self._package.limits, locator)

    def _embedded(self, piece: Piece) -> Iterator[Item]:
        path = piece.path
        if not piece.content or path.endswith(FONTS):
            return
        if "printersettings" in path or "customproperty" in path:
            base = "printer" if "printer" in path else "custom_property"
            yield Part(self._locator(base), readable_runs(piece.content))
            return
        if path.startswith("docprops/thumbnail"):
            yield from embedded.read_thumbnail(piece.all_bytes(), self._package.limits)
            return
        base = "media" if "/media/" in path else "embedded"
        yield Embedded(self._locator(base), piece.name.rpartition("/")[2], piece.all_bytes())

    def _note_people(self, root: etree._Element) -> None:
        self._people.update(dict.fromkeys(editors(root)))

    def _note_slides(self, root: etree._Element, path: str) -> None:
        for number, slide in enumerate(root.iter("{*}sldId")):
            for key, value in slide.attrib.items():
                if str(key).endswith("}id"):
                    self._slide_order[self._package.relation(path, str(value))] = number

    def _locator(self, base: str) -> str:
        number = self._number(base)
        return base if base in ONCE and number == 1 else f"{base}:{number}"

    def _number(self, base: str) -> int:
        self._counts[base] += 1
        return self._counts[base]


def is_flowing(name: str, tag: str) -> bool:
    """Whether a root of this name, in this namespace, is of text in paragraphs."""
    known = name in FLOWING and "spreadsheetml" not in tag and "schemas" in tag
    return known or name == "document"
