"""Clean one XML part of an OpenDocument package: nothing hidden, every text edited.

In: the tree of a part, the names of the parts that stay.  Out: the same tree, changed in place.
"""

from __future__ import annotations

import re
from urllib.parse import unquote

from lxml import etree

from dlp.sanitise.documents.contract import Job
from dlp.sanitise.documents.tree import (
    Element,
    Slot,
    edit_attributes,
    edit_slots,
    local,
    namespace,
    remove,
)

KNOWN = re.compile(
    r"urn:oasis:names:tc:opendocument:|urn:org:documentfoundation:|http://openoffice\.org/"
    r"|http://purl\.org/dc/elements/|http://www\.w3\.org/(1999/xlink|1998/Math/MathML|2000/svg|XML/)"
)
DROPPED = frozenset({
    "tracked-changes", "change", "change-start", "change-end", "annotation", "annotation-end",
    "scripts", "script", "event-listeners", "event-listener", "dde-connection-decls",
    "dde-source", "dde-links", "meta", "database-ranges", "data-pilot-tables", "scenario",
    "change-track-table", "plugin", "applet", "object-ole", "floating-frame",
})  # fmt: skip
# Texts of their own, also where they hang inside a paragraph.
APART = frozenset({
    "p", "h", "note", "note-citation", "frame", "text-box", "title", "desc", "table-cell",
    "custom-shape", "ruby-text", "user-defined", "index-title", "section", "list-item",
    "creator", "date",
})  # fmt: skip
SIGNS = {"tab": "\t", "line-break": "\n", "s": " "}
SPOKEN = frozenset({
    "name", "string-value", "title", "display-name", "label", "help-message", "current-value",
    "text-content", "description", "style-name", "value", "condition", "author",
})  # fmt: skip
VALUES = ("value", "date-value", "time-value", "string-value", "boolean-value", "currency")
OFFICE = "urn:oasis:names:tc:opendocument:xmlns:office:1.0"
TABLE = "urn:oasis:names:tc:opendocument:xmlns:table:1.0"
LITERAL = re.compile(r'"((?:[^"]|"")*)"')
WEB = re.compile(r"https?://|mailto:", re.IGNORECASE)
HREF = "{http://www.w3.org/1999/xlink}href"


def clean_part(root: Element, kept: frozenset[str], folder: str, job: Job) -> None:
    for element in list(root.iter()):
        known = isinstance(element.tag, str) and KNOWN.match(namespace(element))
        if element is not root and (not known or local(element) in DROPPED):
            remove(element)
    drop_odd_attributes(root)
    for cell in root.iter(f"{{{TABLE}}}table-cell", f"{{{TABLE}}}covered-table-cell"):
        clean_cell(cell, job)
    rename_sheets(root, job)
    edit_paragraphs(root, job)
    for element in root.iter():
        link(element, kept, folder, job)
        edit_attributes(element, job.edit, SPOKEN)
    etree.cleanup_namespaces(root, keep_ns_prefixes=["of", "ooow", "oooc", "math"])


def drop_odd_attributes(root: Element) -> None:
    for element in root.iter():
        for key in list(element.attrib):
            space = key[1:].rpartition("}")[0]
            if space and not KNOWN.match(space) and "XML/1998" not in space:
                del element.attrib[key]


def clean_cell(cell: Element, job: Job) -> None:
    """A cell says its value twice; when the edit touches either, the words alone stay."""
    formula = cell.get(f"{{{TABLE}}}formula")
    if formula is not None:
        new = LITERAL.sub(lambda hit: f'"{job.edit(hit[1])}"', formula)
        if job.edit(new) != new:
            del cell.attrib[f"{{{TABLE}}}formula"]
            job.note("formula dropped: the edit touches it")
        elif new != formula:
            cell.set(f"{{{TABLE}}}formula", new)
    stored = [cell.get(f"{{{OFFICE}}}{name}", "") for name in VALUES]
    stored += [value.removesuffix(".0") for value in stored] + [value[:10] for value in stored]
    shown = "".join(cell.itertext())
    touched = [value for value in (*stored, shown) if value and job.edit(value) != value]
    if not touched or cell.get(f"{{{OFFICE}}}value-type") in {None, "string"}:
        return
    for key in (*(f"{{{OFFICE}}}{name}" for name in VALUES), f"{{{TABLE}}}formula"):
        cell.attrib.pop(key, None)
    cell.set(f"{{{OFFICE}}}value-type", "string")
    for paragraph in cell:  # the words may show a number that the edit knows only as it is stored
        for child in list(paragraph):
            paragraph.remove(child)
        paragraph.text = None
    if len(cell):
        cell[0].text = job.edit(touched[0])


def rename_sheets(root: Element, job: Job) -> None:
    """A sheet named after somebody gets a plain name; formulas that speak of it become values."""
    gone = set()
    for number, table in enumerate(root.iter(f"{{{TABLE}}}table"), 1):
        name = table.get(f"{{{TABLE}}}name", "")
        spoken = name.replace("_", " ")
        if job.edit(name) != name or job.edit(spoken) != spoken:
            gone.add(name)
            table.set(f"{{{TABLE}}}name", f"Sheet{number}")
    for element in root.iter():
        for key, value in list(element.attrib.items()):
            if key != f"{{{TABLE}}}name" and any(name in value for name in gone):
                del element.attrib[key]


def link(element: Element, kept: frozenset[str], folder: str, job: Job) -> None:
    href = element.get(HREF)
    if href is None:
        return
    inner = folder + href.removeprefix("./")
    if inner in kept or any(name.startswith(f"{inner}/") for name in kept):
        return
    shown = unquote(href)
    sound = WEB.match(href) and job.edit(shown) == shown and job.edit(href) == href
    if not sound and not (href.startswith("#") and job.edit(shown) == shown):
        element.set(HREF, "#")


def edit_paragraphs(root: Element, job: Job) -> None:
    frames: list[tuple[list[Slot], dict[int, str]]] = [([], {})]
    for event, element in etree.iterwalk(root, events=("start", "end")):
        name = local(element)
        if event == "start":
            if name in APART:
                frames.append(([], {}))
            slots, signs = frames[-1]
            if name in SIGNS and len(frames) > 1:
                signs[len(slots)] = SIGNS[name]
            if len(frames) == 1:
                edit_slots([(element, "text")], job.edit)
            else:
                slots.append((element, "text"))
            continue
        if name in APART:
            slots, signs = frames.pop()
            edit_slots(slots, job.edit, signs)
        if element is not root:
            frames[-1][0].append((element, "tail"))
    edit_slots(frames[0][0], job.edit)
