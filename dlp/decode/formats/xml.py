"""Read XML of any kind, clinical documents (C-CDA) with care.

In: an open XML file.  Out: its text, values labelled with short element paths, documents inside.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterable, Iterator
from html.entities import html5
from typing import Any, BinaryIO

from lxml import etree

from dlp.decode import labelled
from dlp.decode.contract import Embedded, Item, Limits, Title
from dlp.decode.encoding import read_text
from dlp.decode.labelled import LabelledText
from dlp.model import Gap, GapCode, Part

MEDIA_TYPES = frozenset({"application/xml", "text/xml", "image/svg+xml"})
CHUNK = 65_536
ENTITY = re.compile(r"<!ENTITY\s", re.IGNORECASE)
DOCTYPE = re.compile(r"<!DOCTYPE[^\[>]*(\[|>)", re.IGNORECASE)
PROLOGUE = re.compile(r"\s*<\?xml[^>]*\?>")
# References other than to the five names every parser knows.
REFERENCE = re.compile(r"&(?!(?:amp|lt|gt|quot|apos);)([A-Za-z_][\w.-]{0,60});")
# Characters XML 1.0 forbids; exports contain them, and the parser would stop there.
FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")

# Elements that break no line: runs of Word and OpenDocument, and the usual inline markup.
INLINE = frozenset({
    "t", "r", "span", "b", "i", "u", "em", "strong", "a", "sub", "sup", "font", "s",
    "content", "tspan",
})  # fmt: skip
# Elements whose name says nothing about their text.
PROSE = frozenset({
    "p", "para", "paragraph", "text", "td", "th", "tr", "li", "item", "list", "caption",
    "title", "h", "head", "cell", "div", "section", "body", "note", "linkHtml", "content",
    "entry", "row", "line", "string", "value", "data", "tspan", "footnote", "q",
})  # fmt: skip
CELLS = frozenset({"td", "th", "cell", "Cell", "entry"})
# People and institutions a clinical document names; a value's label starts with its role.
ROLES = frozenset({
    "recordTarget", "author", "dataEnterer", "informant", "custodian", "informationRecipient",
    "legalAuthenticator", "authenticator", "participant", "performer", "assignedEntity",
    "responsibleParty", "subject", "guardian",
})  # fmt: skip
# Attributes that steer software rather than inform people.
TECHNICAL = frozenset({
    "classCode", "moodCode", "typeCode", "determinerCode", "nullFlavor", "codeSystem",
    "codeSystemName", "codeSystemVersion", "inversionInd", "contextConductionInd",
    "styleCode", "ID", "type", "schemaLocation", "noNamespaceSchemaLocation", "style",
    "class", "id", "width", "height", "d", "x", "y", "transform", "fill", "stroke", "viewBox",
    "points", "cx", "cy", "rx", "ry", "version", "space", "preserveAspectRatio", "rsidR",
    "rsidRDefault", "rsidP", "rsidRPr", "root", "unit", "mediaType",
})  # fmt: skip
# HL7's grammar: closed words about the record, none about a patient; one is called "moodCode".
STRUCTURE = frozenset({
    "classCode", "moodCode", "typeCode", "determinerCode", "nullFlavor", "inversionInd",
    "contextConductionInd", "contextControlCode", "negationInd",
})  # fmt: skip
ABOUT = frozenset({"use", "qualifier"})  # technical in a clinical document
TYPE = "{http://www.w3.org/2001/XMLSchema-instance}type"
# HL7's data types; "CD" would be read as a disease.
DATA_TYPES = frozenset({
    "AD", "ANY", "BL", "BN", "CD", "CE", "CO", "CR", "CS", "CV", "ED", "EIVL_TS", "EN", "GLIST_PQ",
    "GLIST_TS", "HXIT_CE", "II", "INT", "IVL_INT", "IVL_PQ", "IVL_REAL", "IVL_TS", "IVXB_PQ",
    "IVXB_TS", "MO", "ON", "PIVL_TS", "PN", "PQ", "PQR", "REAL", "RTO", "RTO_PQ_PQ", "SC",
    "SLIST_PQ", "SLIST_TS", "ST", "SXCM_TS", "SXPR_TS", "TEL", "TN", "TS",
})  # fmt: skip
BINARY = frozenset({"binary-data", "binData", "Binary", "base64Binary"})
PATH_LENGTH = 3
# A person's name or an address is one phrase, though a clinical document keeps it in pieces.
PHRASES = frozenset({"name", "addr"})
# What a clinical document gives to people; its name is nobody's.
SUBSTANCES = frozenset({"manufacturedMaterial", "manufacturedLabeledDrug"})
SUBSTANCE = "MMAT"  # HL7's class of such entities
STAMP = re.compile(r"((?:18|19|20)\d{2})(\d{2})(\d{2})(?:\d{2,6}(?:\.\d+)?)?(?:[+-]\d{4})?")


class Remarks:
    """The half of a parser target that HTML and XML share."""

    def __init__(self) -> None:
        self.comments: list[str] = []

    def comment(self, text: str) -> None:
        self.comments.append(text)

    def pi(self, _target: str, text: str | None = None) -> None:
        self.comments.append(text or "")

    def close(self) -> None:
        """A target has to have an end; the reader asks it for what it heard."""


def feed_all(parser: Any, pieces: Iterable[bytes]) -> bool:
    """Feed a parser to the end; False when it gave up before."""
    try:
        for piece in pieces:
            parser.feed(piece)
        parser.close()
    except (etree.LxmlError, ValueError, AssertionError):
        return False
    return True


def extract(source: BinaryIO, limits: Limits) -> Iterator[Item]:
    text, longer = read_text(source, limits)
    start, declared = after_doctype(text)
    walk = Walk(limits)
    sound = feed_all(new_parser(walk), pieces(text, start))
    yield from items_of(walk)
    if declared:
        # Entities are how bombs work, so none is expanded; what they hide is read as it stands.
        yield Part("doctype", declared)
        yield Gap(GapCode.UNSUPPORTED, "entities")
    if longer:
        yield Gap(GapCode.TOO_LARGE, "body")
    elif not sound:
        yield Gap(GapCode.CORRUPT, "body")
        yield Part("raw", text)  # markup and all, so that nothing behind the damage is hidden


def after_doctype(text: str) -> tuple[int, str]:
    """Where the elements start, and the declarations before them if they declare entities."""
    prologue = PROLOGUE.match(text)
    start = prologue.end() if prologue else 0
    opening = text.find("<!", start, start + 65_536)
    doctype = DOCTYPE.search(text, opening, start + 65_536) if opening >= 0 else None
    if doctype is None:
        return start, ""
    end = text.find(">", text.find("]", doctype.end())) + 1 if doctype[1] == "[" else doctype.end()
    declared = text[doctype.start() : end or None]
    return end or len(text), declared if ENTITY.search(declared) else ""


def spell_out(reference: re.Match[str]) -> str:
    """HTML's names read as their sign; names of the file's own read as themselves."""
    return html5.get(f"{reference[1]};", f" {reference[1]} ")


def pieces(text: str, start: int) -> Iterator[bytes]:
    """Cut behind a tag, so that no reference is cut in two."""
    while start < len(text):
        end = text.find(">", start + CHUNK) + 1 or len(text)
        piece = FORBIDDEN.sub(" ", text[start:end])
        if "&" in piece:
            piece = REFERENCE.sub(spell_out, piece)
        yield piece.encode("utf-8", "replace")
        start = end


def new_parser(target: Any) -> Any:
    return etree.XMLParser(
        target=target,
        encoding="utf-8",  # the text is decoded already, whatever its first line says
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
        strip_cdata=False,
    )


class Element:
    __slots__ = ("has_children", "is_substance", "name", "packed", "pieces", "record", "role")

    def __init__(self, name: str, record: int, role: str, *, packed: bool) -> None:
        self.name, self.record, self.role, self.packed = name, record, role, packed
        self.is_substance = name in SUBSTANCES
        self.pieces: list[str] = []  # text not yet written, kept until we know it is a leaf
        self.has_children = False


class Walk(Remarks):
    """An lxml parser target."""

    def __init__(self, limits: Limits) -> None:
        super().__init__()
        self.body = LabelledText("body", limits)
        self.attributes = LabelledText("attributes", limits)
        self.embedded: list[Embedded] = []
        self.path: list[Element] = []
        self.title = ""
        self.records = 0
        self.clinical = False
        self.owed = ""  # white space before the next word
        self.phrase: Element | None = None

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        name = tag.rpartition("}")[2]
        parent = self.path[-1] if self.path else None
        if parent is not None:
            self.write_pieces(parent)
            parent.has_children = True
        else:
            self.clinical = name == "ClinicalDocument"
        role = parent.role if parent else ""
        record = parent.record if parent else 0
        if (self.clinical and name in ROLES) or len(self.path) == 1:
            self.records += 1
            record = self.records
            role = name if self.clinical and name in ROLES else role
        if self.clinical and name == "name" and parent and parent.is_substance:
            name = "substance"
        self.path.append(element := Element(name, record, role, packed=name in BINARY))
        if name not in INLINE:
            self.owed = "\t" if name in CELLS and self.owed != "\n" else "\n"
        if attributes:
            element.packed |= attributes.get("representation") == "B64"
            element.is_substance |= attributes.get("classCode") == SUBSTANCE
            self.take_attributes(name, attributes)

    def data(self, text: str) -> None:
        if self.path:
            self.path[-1].pieces.append(text)

    def end(self, _tag: str) -> None:
        element = self.path.pop()
        if element.packed:
            self.unpack("".join(element.pieces))
        elif element.has_children or element.name in INLINE or element.name in PROSE:
            self.write_pieces(element)
        else:
            self.write_leaf(element)
        if element.name not in INLINE:
            self.owed = "\t" if element.name in CELLS else "\n"

    def write_pieces(self, element: Element) -> None:
        if not element.pieces:
            return
        text = "".join(element.pieces)
        element.pieces.clear()
        words = " ".join(text.split())
        if not words:
            if text and not self.owed:
                self.owed = " "
            return
        self.write_gap(leading=text[0].isspace())
        self.body.add_value(self.label(element), words, element.record)
        self.owed = " " if text[-1].isspace() else ""
        if element.name == "title" and not self.title:
            self.title = words

    def write_leaf(self, element: Element) -> None:
        words = " ".join("".join(element.pieces).split())
        if not words:
            return
        phrase = self.clinical and bool(self.path) and self.path[-1].name in PHRASES
        if phrase and self.phrase is self.path[-1]:
            self.owed = " "
        self.write_gap(leading=False)
        if not phrase:
            self.body.write(f"{element.name}: ")
        elif self.phrase is not self.path[-1]:
            self.phrase = self.path[-1]
            self.body.write(f"{self.phrase.name}: ")
        self.body.add_value(self.label(element), words, element.record)

    def write_gap(self, *, leading: bool) -> None:
        if self.body.length:
            self.body.write(self.owed or (" " if leading else ""))
        self.owed = ""

    def take_attributes(self, name: str, attributes: dict[str, str]) -> None:
        element = self.path[-1]
        path = ""
        for key, value in attributes.items():
            short = key.rpartition("}")[2]
            if not value:
                continue
            value = value.replace("&#38;", "&")  # noqa: PLW2901 - how libxml2 leaves an ampersand
            if short in TECHNICAL or "}" in key or (self.clinical and short in ABOUT):
                shown = "structure" if self.clinical and short in STRUCTURE else short
                if not (self.clinical and key == TYPE and value in DATA_TYPES):
                    self.attributes.add(short, value, element.record, shown)
                continue
            if self.clinical:
                value = dated(value)  # noqa: PLW2901 - a day, not a number
            path = path or self.label(element)
            label = path if short == "value" else f"{path}/{short}"
            shown = name if short == "value" else f"{name} {short}"
            self.owed = "\n"
            self.write_gap(leading=False)
            self.body.write(f"{shown}: ")
            self.body.add_value(label, value, element.record)
            self.owed = "\n"

    def label(self, element: Element) -> str:
        names = [step.name for step in self.path[-PATH_LENGTH:]]
        if not self.path or self.path[-1] is not element:
            names = [*names[-PATH_LENGTH + 1 :], element.name]
        role = element.role
        return "/".join([role, *names] if role and role not in names else names)

    def unpack(self, text: str) -> None:
        inside = embedded_in(text, len(self.embedded) + 1)
        if inside is None:
            self.body.write(text)
        else:
            self.embedded.append(inside)

    def finish(self) -> None:
        """Write what is still open: the file was cut off here."""
        for element in self.path:
            self.write_pieces(element)


def embedded_in(text: str, number: int) -> Embedded | None:
    """The file that a text in base64 is, if it is one."""
    try:
        data = base64.b64decode(text)
    except (binascii.Error, ValueError):
        return None
    return Embedded(f"document:{number}", "", data)


def dated(value: str) -> str:
    """A moment as its day, which is no number; anything else as it is."""
    stamp = STAMP.fullmatch(value)
    return "-".join(stamp.groups()) if stamp else value


def items_of(walk: Walk) -> Iterator[Item]:
    walk.finish()
    if walk.title:
        yield Title(walk.title)
    yield from labelled.items_of(walk.body)
    yield from labelled.items_of(walk.attributes)
    if walk.comments:
        # Each is a paragraph of its own: what one says is not said beside the next.
        yield Part("comments", "\n\n".join(walk.comments))
    yield from walk.embedded
