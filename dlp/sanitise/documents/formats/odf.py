"""Rewrite OpenDocument texts, spreadsheets, presentations and drawings.

In: an odt, ods, odp, odg or one of their templates.  Out: the same document; nothing hidden left.
"""

from __future__ import annotations

import re
from typing import Any, cast
from urllib.parse import unquote

from lxml import etree

from dlp.sanitise.documents.content_type import ODF
from dlp.sanitise.documents.contract import Job, refuse
from dlp.sanitise.documents.formats.picture import bare_picture
from dlp.sanitise.documents.formats.zip import members_of, pack
from dlp.sanitise.documents.xml_tree import (
    Element,
    Slot,
    edit_attributes,
    edit_slots,
    local,
    namespace,
    parse,
    remove,
    serialise,
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


MEDIA_TYPES = frozenset({
    f"{ODF}{kind}{template}"
    for kind in ("text", "spreadsheet", "presentation", "graphics")
    for template in ("", "-template")
})  # fmt: skip
PARTS = re.compile(r"(?:Object \d+/)?(?:content|styles)\.xml")
PICTURES = re.compile(r"(?:Object \d+/)?(?:Pictures|media)/[\w.-]+")
MANIFEST = "urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"
VERSION = "1.3"


def rewrite(data: bytes, job: Job) -> bytes:
    members = members_of(data, job)
    manifest = members.get("META-INF/manifest.xml", b"")
    if b"encryption-data" in manifest:
        raise refuse("the document is locked by a password", fix="save it without a password")
    if any("signatures" in name for name in members if name.startswith("META-INF/")):
        raise refuse(
            "the document is signed: a changed copy would not be", fix="remove the signature"
        )
    kind = members.get("mimetype", b"").decode("ascii", "replace").strip()
    if kind not in MEDIA_TYPES or "content.xml" not in members:
        raise refuse("the package has no main part")
    pictures = {
        name: bare
        for name, content in members.items()
        if PICTURES.fullmatch(name) and (bare := picture(name, content, job)) is not None
    }
    parts = [name for name in members if PARTS.fullmatch(name)]
    for name in members:
        if (
            name not in pictures
            and name not in parts
            and not name.startswith(("META-INF/", "mimetype"))
        ):
            job.note(f"part dropped: {described(name)}")
    kept = frozenset((*parts, *pictures))
    written = {name: rewrite_part(members[name], name, kept, job) for name in parts}
    return pack(
        {
            "mimetype": kind.encode(),
            **written,
            **pictures,
            "META-INF/manifest.xml": write_manifest(kind, written, pictures),
        },
        stored=frozenset({"mimetype"}),
    )


def rewrite_part(data: bytes, name: str, kept: frozenset[str], job: Job) -> bytes:
    root = parse(data)
    clean_part(root, kept, name.rpartition("/")[0] + "/" if "/" in name else "", job)
    return serialise(root)


def picture(name: str, content: bytes, job: Job) -> bytes | None:
    bare = bare_picture(content) if job.edit(name) == name else None
    job.note("words inside pictures are not read" if bare else "picture dropped: cannot be checked")
    return bare


def described(name: str) -> str:
    known = re.match(r"Thumbnails|Basic|Scripts|Configurations2|meta\.xml|settings\.xml", name)
    return known[0] if known else "other"


def write_manifest(kind: str, parts: dict[str, bytes], pictures: dict[str, bytes]) -> bytes:
    root: Element = etree.Element(
        f"{{{MANIFEST}}}manifest", nsmap=cast("Any", {"manifest": MANIFEST})
    )
    root.set(f"{{{MANIFEST}}}version", VERSION)
    folders = {name.rpartition("/")[0] + "/": f"{ODF}chart" for name in parts if "/" in name}
    rows = {"/": kind, **folders, **dict.fromkeys(parts, "text/xml"), **dict.fromkeys(pictures, "")}
    for name, media_type in rows.items():
        row = etree.SubElement(root, f"{{{MANIFEST}}}file-entry")
        row.set(f"{{{MANIFEST}}}full-path", name)
        row.set(f"{{{MANIFEST}}}media-type", media_type)
    return serialise(root)
