"""Turn the XML of Office documents into lines of text, by a tree or, if too large, by events.

In: the root of an XML part.  Out: named streams of text: what is shown, what was deleted, text
boxes, field codes, labels nobody sees on paper.

Runs are joined inside a paragraph, because a name in three fonts is still one name. Tags are
matched by local name: strict and transitional files and drawings then read alike.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterable, Iterator
from typing import Any

from lxml import etree

from dlp.decode.contract import Budget, BudgetExceededError, Item, Limits
from dlp.decode.office.binary_runs import wide_runs
from dlp.decode.office.markup import (
    MACHINE,
    Readable,
    attribute,
    by_local_name,
    local,
    local_of,
    speaks,
)
from dlp.decode.zip_archive import UnreadableError
from dlp.model import Gap, GapCode, Part

SHAPE = ("{*}p", "{*}tr", "{*}tc", "{*}tab", "{*}br", "{*}cr", "{*}noBreakHyphen", "{*}sym")
SHOWN = ("{*}t", "{*}insText")
BEFORE = ("{*}t", "{*}delText")
INSTRUCTIONS = ("{*}instrText", "{*}delInstrText")
TEXTS = {"t", "insText", "delText", "instrText", "delInstrText"}
SAYING = {"tab", "sym"}  # by their attributes
SPELLED = {"br": "\n", "cr": "\n", "noBreakHyphen": "-"}
PRIVATE = "{dlp}"
# The local name of an element, and its text or its attributes, as far as they are asked for.
Piece = tuple[str, Any]
# Names that programs give by themselves: "Picture 3", "TextBox 12", "_GoBack".
AUTOMATIC = re.compile(
    r"_.*|Normal|[A-Z]\d+|"
    r"((Auto|Free|Rounded|Straight|Text|Content|Slide|Date|Footer|Header|Picture|Vertical|Notes|Image)"
    r" ?)*(Picture|Box|Rectangle|Shape|Group|Object|Title|Subtitle|Placeholder|Chart|Table|Image|"
    r"Number|Diagram|Line|Oval|Connector|Arrow|shape|form|TextBox|Graphic|Frame)( Placeholder)? \d+"
)

# Which attributes of which elements are words that a person wrote.
LABELS: dict[str, tuple[str, ...]] = {
    "docPr": ("name", "descr", "title"),
    "cNvPr": ("name", "descr", "title"),
    "alias": ("val",),
    "tag": ("val", "name"),
    "docVar": ("name", "val"),
    "bookmarkStart": ("name",),
    "fldSimple": ("instr",),
    "helpText": ("val",),
    "statusText": ("val",),
    "default": ("val",),
    "listEntry": ("val",),
    "listItem": ("displayText", "value"),
    "date": ("fullDate",),
    "hyperlink": ("tooltip", "anchor", "docLocation"),
    "hlinkClick": ("tooltip", "invalidUrl"),
    "hlinkHover": ("tooltip",),
    "attr": ("name", "val"),
    "textpath": ("string",),
    "shape": ("alt", "title", "href"),
    "rect": ("alt", "title", "href"),
    "imagedata": ("title", "href"),
    "connectString": ("val",),
    "query": ("val",),
    "mailSubject": ("val",),
    "addressFieldName": ("val",),
    "tblCaption": ("val",),
    "tblDescription": ("val",),
    "lvlText": ("val",),
    "description": ("val",),
    "name": ("val",),
    "section": ("name",),
    "custShow": ("name",),
    "cSld": ("name",),
    "ser": ("name",),
    "OLEObject": ("ObjectID", "FieldCodes"),
    "control": ("name",),
    "oleObj": ("name",),
    "htmlPubPr": ("title",),
}
LABEL_TAGS = tuple(f"{{*}}{name}" for name in LABELS)
NAMED_BY_PEOPLE = {"ffData", "docPartPr", "category", "style"}
EDITOR_TAGS = tuple(
    f"{{*}}{name}"
    for name in (
        "ins", "del", "moveFrom", "moveTo", "comment", "rPrChange", "pPrChange", "person",
        "presenceInfo", "permStart", "cmAuthor", "author", "sectPrChange", "tblPrChange",
        "tcPrChange", "trPrChange", "cellIns", "cellDel", "numberingChange", "moveFromRangeStart",
        "moveToRangeStart", "tblGridChange", "tblPrExChange", "cellMerge",
    )
)  # fmt: skip
EDITOR_NAMES = ("author", "initials", "name", "displayName", "userId", "ed")

CHUNK = 1 << 16
PARAGRAPHS = frozenset({"p", "h"})
CELLS = frozenset({"tc", "table-cell"})
SPELLED_LONG = {"tab": "\t", "br": "\n", "cr": "\n", "line-break": "\n", "s": " "}
PLACES = frozenset({"posOffset", "align", "pctWidth", "pctHeight"})  # measures of drawings


def streams(root: etree._Element) -> Iterator[tuple[str, str]]:
    """Give (stream, text) for everything that flows in a part; the unnamed stream is what shows."""
    drop_equal_fallbacks(root)
    tracked = mark_changes(root)
    boxes = cut_text_boxes(root)
    yield "", lines(root, SHOWN)
    yield "textboxes", "\n".join(filter(None, (lines(box, SHOWN) for box in boxes)))
    everywhere = [root, *boxes]
    if tracked:
        yield "deleted", "\n".join(filter(None, map(original, everywhere)))
    if any(next(part.iter(*INSTRUCTIONS), None) is not None for part in everywhere):
        yield "fields", "\n".join(filter(None, (lines(part, INSTRUCTIONS) for part in everywhere)))
    found: dict[str, None] = {}
    for part in everywhere:
        add_labels(labelled(part), found)
    found.update((form_words(node.text or ""), None) for node in root.iter("{*}fldData"))
    yield "labels", "\n".join(found)


def lines(root: etree._Element, texts: tuple[str, ...]) -> str:
    return laid_out(pieces(root, texts))


def pieces(root: etree._Element, texts: tuple[str, ...]) -> Iterator[Piece]:
    for element in root.iter(*texts, *SHAPE):
        name = local(element.tag)
        if name in TEXTS:
            yield name, element.text
        else:
            yield name, by_local_name(element) if name in SAYING else None


def laid_out(found: Iterable[Piece]) -> str:
    """Join runs; a paragraph is a line, a table row is a line with tabs between its cells."""
    out: list[str] = []
    # What must come before the next paragraph: a row opens a line, a later cell a tab.
    opening, first_cell = "\n", True
    for name, said in found:
        if name in TEXTS:
            if said:
                out.append(said)
        elif name == "p":
            out.append(opening)
            opening = "\n"
        elif name == "tr":
            opening, first_cell = "\n", True
        elif name == "tc":
            opening = "\n" if first_cell else "\t"
            first_cell = False
        elif name == "tab":
            if not said:  # with attributes it defines a tab stop
                out.append("\t")
        elif name == "sym":
            out.append(symbol(said.get("char", "")))
        elif name in SPELLED:
            out.append(SPELLED[name])
    return "".join(out).strip("\n")


def symbol(written: str) -> str:
    try:
        code = int(written, 16)
    except ValueError:
        return ""
    # Symbol fonts sit in the private area; their low byte is the character people meant.
    code = code & 0xFF if 0xF000 <= code <= 0xF0FF else code
    return chr(code) if 0x20 <= code < 0xD800 else ""


def drop_equal_fallbacks(root: etree._Element) -> None:
    """Drawings come twice, for new and old programs; a fallback that says the same is dropped."""
    for alternate in list(root.iter("{*}AlternateContent")):
        said = {words(child) for child in alternate if local_of(child) == "Choice"}
        for child in list(alternate):
            if local_of(child) == "Fallback" and words(child) in said:
                alternate.remove(child)


def words(element: etree._Element) -> str:
    return "".join(node.text for node in element.iter("{*}t", "{*}delText") if node.text)


def mark_changes(root: etree._Element) -> bool:
    """Tell inserted from moved-away text by tag; say whether anything was deleted."""
    for change in root.iter("{*}moveFrom"):
        for text in change.iter("{*}t"):
            text.tag = PRIVATE + "delText"
    for change in root.iter("{*}ins", "{*}moveTo"):
        for text in change.iter("{*}t"):
            text.tag = PRIVATE + "insText"
    return next(root.iter("{*}delText"), None) is not None


def original(root: etree._Element) -> str:
    """The paragraphs that lost text, as they read before.

    Deleted letters alone would not do: of a name cut in half neither half is a name.
    """
    return "\n".join(
        lines(paragraph, BEFORE)
        for paragraph in root.iter("{*}p")
        if next(paragraph.iter("{*}delText"), None) is not None
    )


def cut_text_boxes(root: etree._Element) -> list[etree._Element]:
    """Take text boxes out of the paragraph they hang on: they would tear its words apart."""
    boxes = list(root.iter("{*}txbxContent"))
    for box in boxes:
        parent = box.getparent()
        if parent is not None:
            parent.remove(box)
    return boxes


def labelled(root: etree._Element) -> Iterator[Piece]:
    for element in root.iter(*LABEL_TAGS):
        name = local(element.tag)
        if name == "name" and not named_by_people(element):
            continue
        keys = LABELS[name]
        alone = len(keys) == 1
        yield name, {keys[0]: attribute(element, keys[0])} if alone else by_local_name(element)


def add_labels(labels: Iterable[Piece], found: dict[str, None]) -> None:
    automatic: set[str] = set()
    for name, said in labels:
        for key in LABELS.get(name, ()):
            value = said.get(key)
            # most names come again and again: on each slide the same
            if not value or value in found:
                continue
            if key in {"name", "val"}:
                if value in automatic:
                    continue
                if AUTOMATIC.fullmatch(value):
                    automatic.add(value)
                    continue
            found[value] = None


def form_words(packed: str) -> str:
    """What a form field keeps in its binary form, names and default texts among it."""
    try:
        return wide_runs(base64.b64decode(packed))
    except (binascii.Error, ValueError):
        return packed


def named_by_people(element: etree._Element) -> bool:
    parent = element.getparent()
    if parent is None or local_of(parent) not in NAMED_BY_PEOPLE:
        return False
    return local_of(parent) != "style" or attribute(parent, "customStyle") in {"1", "true"}


def editors(root: etree._Element) -> Iterator[str]:
    """Who wrote, changed and commented."""
    for element in root.iter(*EDITOR_TAGS):
        said = by_local_name(element)
        for key in EDITOR_NAMES:
            value = said.get(key)
            if value:
                yield value


class Words:
    """Receives what the parser meets; text of runs joins its paragraph, other words stand alone."""

    def __init__(self, limits: Limits, locator: str, *, mixed: bool) -> None:
        # Bounds what grows here; whoever takes the parts counts them.
        self._budget, self._locator = Budget(limits), locator
        self._mixed = mixed  # OpenDocument writes text anywhere in a paragraph, not only in runs
        self._inside = 0
        self._silent = 0
        self._joining = False
        self._paragraph: list[str] = []
        self._piece: list[str] = []
        self.lines: list[str] = []
        self.labels: dict[str, None] = {}

    def start(self, tag: Any, attributes: Any) -> None:
        name = local(str(tag))
        self._label()
        for value in attributes.values():
            if value not in self.labels and speaks(value):
                self._budget.take_text(len(value), self._locator)
                self.labels[value] = None
        if name in PARAGRAPHS:
            self._line()
            self._inside += 1
        elif name in TEXTS:
            self._joining = True
        elif name in CELLS and self._paragraph:
            self._paragraph.append("\t")
        elif name in SPELLED_LONG and not attributes:
            self._paragraph.append(SPELLED_LONG[name])
        self._silent += name in MACHINE or name in PLACES

    def end(self, tag: Any) -> None:
        name = local(str(tag))
        if name == "fldData":
            self._piece[:] = [form_words("".join(self._piece))]
        self._label()
        if name in PARAGRAPHS:
            self._line()
            self._inside = max(0, self._inside - 1)
        elif name in TEXTS:
            self._joining = False
        self._silent -= name in MACHINE or name in PLACES

    def data(self, data: Any) -> None:
        if self._silent:
            return
        if self._inside and (self._joining or self._mixed):
            self._paragraph.append(data)
        else:
            self._piece.append(data)

    def comment(self, text: Any) -> None:
        self.labels[text.strip()] = None

    def close(self) -> None:
        self._label()
        self._line()

    def _label(self) -> None:
        """Text outside paragraphs: a cached value, a property, a list entry."""
        if self._piece:
            text = "".join(self._piece).strip()
            self._piece.clear()
            if text:
                self._budget.take_text(len(text), self._locator)
                self.lines.append(text)

    def _line(self) -> None:
        text = "".join(self._paragraph)
        self._paragraph.clear()
        if text:
            self._budget.take_text(len(text), self._locator)
            self.lines.append(text)


def read_long(
    source: Readable, limits: Limits, locator: str, *, mixed: bool = False
) -> Iterator[Item]:
    words = Words(limits, locator, mixed=mixed)
    parser = etree.XMLParser(
        target=words, resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False
    )
    gap = trouble = None
    try:
        while block := source.read(CHUNK):
            parser.feed(block)
        parser.close()
    except (etree.XMLSyntaxError, UnreadableError):
        gap = Gap(GapCode.CORRUPT, locator)
    except BudgetExceededError as error:
        trouble = error
    yield Part(locator, "\n".join(words.lines))
    yield Part("labels" if locator == "body" else f"{locator}.labels", "\n".join(words.labels))
    if gap:
        yield gap
    if trouble:
        raise trouble
