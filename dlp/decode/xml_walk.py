"""Turn a stream of XML events into readable text with labelled values.

In: start, data and end events.  Out: parts "body" and "attributes", and documents held in base64.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator

from dlp.decode import labelled
from dlp.decode.contract import Embedded, Item, Limits, Title
from dlp.decode.labelled import LabelledText
from dlp.decode.remarks import Remarks
from dlp.model import Part

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
