"""Clean one XML part of an Office package: nothing hidden, every text edited.

In: the tree of a part, the relations it may still use.  Out: the same tree, changed in place.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from lxml import etree

from dlp.sanitise.documents.contract import Edit
from dlp.sanitise.documents.xml_tree import (
    PRESERVE,
    Element,
    Slot,
    edit_attributes,
    edit_slots,
    local,
    namespace,
    remove,
    unwrap,
)

KNOWN = re.compile(
    r"http://schemas\.openxmlformats\.org/|http://purl\.oclc\.org/ooxml/|urn:schemas-microsoft-com:"
    r"|http://schemas\.microsoft\.com/office/(word|drawing|powerpoint|excel|spreadsheetml|thememl)/"
)
R = ("http://schemas.openxmlformats.org/officeDocument/2006/relationships",
     "http://purl.oclc.org/ooxml/officeDocument/relationships")  # fmt: skip
MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
XML = "http://www.w3.org/XML/1998/namespace"
# Deleted and former states, comments, keys into parts that are gone, whatever an extension holds.
DROPPED = frozenset({
    "del", "moveFrom", "rPrChange", "pPrChange", "sectPrChange", "tblPrChange", "tcPrChange",
    "trPrChange", "tblGridChange", "tblPrExChange", "numberingChange", "cellIns", "cellDel",
    "cellMerge", "commentRangeStart", "commentRangeEnd", "commentReference", "annotationRef",
    "permStart", "permEnd", "proofErr", "fldData", "dataBinding", "docVars", "mailMerge", "rsids",
    "attachedTemplate", "attachedSchema", "placeholder", "writeProtection", "smartTagPr",
    "customXmlPr", "altChunk", "subDoc", "saveThroughXslt", "smartTagType", "moveFromRangeStart",
    "moveFromRangeEnd", "moveToRangeStart", "moveToRangeEnd", "customXmlInsRangeStart",
    "customXmlInsRangeEnd", "customXmlDelRangeStart", "customXmlDelRangeEnd",
    "customXmlMoveFromRangeStart", "customXmlMoveFromRangeEnd", "customXmlMoveToRangeStart",
    "customXmlMoveToRangeEnd", "extLst", "externalData", "OLEObject", "control", "controls",
    "oleObjects", "custDataLst", "cmAuthorLst", "schemaLibrary", "docId",
})  # fmt: skip
UNWRAPPED = frozenset({"ins", "moveTo", "smartTag", "customXml"})
TEXT = frozenset({"t", "delText", "instrText", "delInstrText"})
PARAGRAPH = frozenset({"p", "si", "is"})
SIGNS = {"tab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-", "ptab": "\t"}
SPOKEN = frozenset({
    "name", "descr", "title", "alt", "tooltip", "displayText", "instr", "prompt", "promptTitle",
    "error", "errorTitle", "comment", "caption", "string", "author", "initials", "userName",
    "uniqueName", "screenTip",
})  # fmt: skip
SPOKEN_VALUE = frozenset({
    "alias", "tag", "default", "lvlText", "tblDescription", "tblCaption", "helpText", "statusText",
    "name", "listEntry", "pt", "aliases", "result",
})  # fmt: skip
WITHOUT_LINK = frozenset({"hyperlink", "blip", "imagedata", "fill", "stroke"})


def clean_part(
    root: Element, kept: frozenset[str], edit: Edit, done: frozenset[str] = frozenset()
) -> None:
    """`done` names elements whose text is seen to already, such as formulas."""
    for element in list(root.iter()):
        if element.getparent() is None and element is not root:
            continue  # gone with its parent
        if not isinstance(element.tag, str) or not KNOWN.match(namespace(element) or "urn:none"):
            if element is not root:
                remove(element)
        elif local(element) in DROPPED:
            drop(element)
        elif local(element) in UNWRAPPED:
            unwrap(element)
    drop_dead_links(root, kept)
    drop_bookmarks(root, edit)
    drop_odd_attributes(root)
    edit_paragraphs(root, edit, done)
    for element in root.iter():
        spoken = SPOKEN | {"val"} if local(element) in SPOKEN_VALUE else SPOKEN
        edit_attributes(element, edit, spoken)
    etree.cleanup_namespaces(root, keep_ns_prefixes=needed_prefixes(root))


def drop(element: Element) -> None:
    parent = element.getparent()
    if parent is not None and local(element) == "del" and local(parent) == "trPr":
        row = parent.getparent()
        if row is not None and row.getparent() is not None:
            remove(row)  # a deleted table row
            return
    remove(element)


def drop_dead_links(root: Element, kept: frozenset[str]) -> None:
    for element in list(root.iter()):
        for key, value in list(element.attrib.items()):
            space = key[1:].rpartition("}")[0]
            if space not in R or value in kept or value == "":
                continue
            del element.attrib[key]
            if local(element) not in WITHOUT_LINK or "spreadsheetml" in namespace(element):
                frame = element
                if local(element) in {"oleObj", "videoFile", "audioFile", "contentPart"}:
                    frames = element.iterancestors("{*}graphicFrame")
                    frame = next(frames, element)
                remove(frame)
                break


def drop_bookmarks(root: Element, edit: Edit) -> None:
    """A bookmark named after somebody goes: no other name would be found by what refers to it."""
    gone = set()
    for mark in list(root.iter("{*}bookmarkStart")):
        name = attribute(mark, "name")
        if edit(name) != name or edit(name.replace("_", " ")) != name.replace("_", " "):
            gone.add(attribute(mark, "id"))
            remove(mark)
    for mark in list(root.iter("{*}bookmarkEnd")):
        if attribute(mark, "id") in gone:
            remove(mark)


def attribute(element: Element, name: str) -> str:
    return next((v for k, v in element.attrib.items() if k.rpartition("}")[2] == name), "")


def drop_odd_attributes(root: Element) -> None:
    for element in root.iter():
        for key in list(element.attrib):
            space, _, name = key[1:].rpartition("}") if key[0] == "{" else ("", "", key)
            unknown = space and space != XML and not KNOWN.match(space)
            if unknown or name.startswith("rsid") or name in {"author", "initials", "gfxdata"}:
                del element.attrib[key]


def edit_paragraphs(root: Element, edit: Edit, done: frozenset[str]) -> None:
    """Join the runs of each paragraph; a text box inside one is a paragraph of its own."""
    open_paragraphs: list[tuple[list[Slot], dict[int, str], list[Slot]]] = []
    for event, element in etree.iterwalk(root, events=("start", "end")):
        name = local(element)
        if event == "end":
            if name in PARAGRAPH and open_paragraphs:
                slots, signs, codes = open_paragraphs.pop()
                edit_slots(slots, edit, signs)
                edit_slots(codes, edit)
                keep_spaces(slots)
            continue
        if name in PARAGRAPH:
            open_paragraphs.append(([], {}, []))
        elif name in TEXT and open_paragraphs:
            slots, _, codes = open_paragraphs[-1]
            (codes if name == "instrText" else slots).append((element, "text"))
        elif name in SIGNS and open_paragraphs and local(element.getparent()) in {"r", "p"}:
            slots, signs, _ = open_paragraphs[-1]
            signs[len(slots)] = SIGNS[name]
            slots.append((element, "text"))
        elif name not in done and element.text and element.text.strip():
            edit_slots([(element, "text")], edit)


def keep_spaces(slots: Iterable[Slot]) -> None:
    for element, _ in slots:
        text = element.text or ""
        if text != text.strip() and "wordprocessingml" in namespace(element):
            element.set(PRESERVE, "preserve")


def needed_prefixes(root: Element) -> list[str]:
    """Prefixes that attributes speak of: without their declaration the file would not open."""
    found: set[str] = set()
    for element in root.iter():
        for key in (f"{MC}Ignorable", f"{MC}MustUnderstand", f"{MC}ProcessContent", "Requires"):
            found.update(element.get(key, "").replace(":*", "").split())
    return sorted(found)
