"""Decide which parts of an Office package stay, and write their relations anew.

In: the members of a package.  Out: kept parts, their types, their relations.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, cast
from urllib.parse import unquote

from lxml import etree

from dlp.sanitise.documents.contract import Job, refuse
from dlp.sanitise.documents.xml_tree import Element, local, parse, serialise

RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"
TYPES = "http://schemas.openxmlformats.org/package/2006/content-types"
RELATION_TYPE = "application/vnd.openxmlformats-package.relationships+xml"
# The last word of a relation's type. Comments, properties, custom XML, embedded files, macros,
# printers, pivot caches and links to other files are not among them.
KEPT = frozenset({
    "officeDocument", "styles", "stylesWithEffects", "numbering", "settings", "fontTable", "theme",
    "themeOverride", "header", "footer", "footnotes", "endnotes", "image", "chart",
    "chartUserShapes", "diagramData", "diagramLayout", "diagramQuickStyle", "diagramColors",
    "diagramDrawing", "worksheet", "chartsheet", "sharedStrings", "drawing", "table", "slide",
    "slideLayout", "slideMaster", "notesSlide", "notesMaster", "handoutMaster", "presProps",
    "viewProps", "tableStyles", "hyperlink",
})  # fmt: skip
# Where programs put those parts by convention; some files name no relation for them.
PATHS = re.compile(
    r"word/(document|styles|numbering|settings|fontTable|footnotes|endnotes|(header|footer)\d*)\.xml"
    r"|xl/(workbook|styles|sharedStrings|(worksheets|chartsheets)/sheet\d+|tables/table\d+)\.xml"
    r"|ppt/(presentation|presProps|viewProps|tableStyles|slides/slide\d+|slideLayouts/slideLayout\d+"
    r"|slideMasters/slideMaster\d+|notesSlides/notesSlide\d+|notesMasters/notesMaster\d+"
    r"|handoutMasters/handoutMaster\d+)\.xml"
    r"|(word|xl|ppt)/(theme/theme\d+|(charts/chart|diagrams/(data|layout|colors|quickStyle|drawing)"
    r"|drawings/drawing)\d+)\.xml|(word|xl|ppt)/media/image\d+\.\w+"
)
SOUND_TYPE = re.compile(r"[\w.+-]+/[\w.+-]+")
SOUND_LINK = re.compile(r"(https?://|mailto:)", re.IGNORECASE)
PICTURE = re.compile(
    r"(word|xl|ppt)/media/|\.(png|jpe?g|gif|emf|wmf|tiff?|bmp|svg|wdp)$", re.IGNORECASE
)


@dataclass(slots=True)
class Relation:
    id: str
    type: str
    target: str  # the part's name, or an address
    external: bool


@dataclass(slots=True)
class Package:
    members: Mapping[str, bytes]
    types: dict[str, str] = field(default_factory=dict)
    defaults: dict[str, str] = field(default_factory=dict)
    relations: dict[str, list[Relation]] = field(default_factory=dict)
    main: str = ""

    def type_of(self, name: str) -> str:
        ending = name.rpartition(".")[2].lower()
        found = self.types.get(name.lower()) or self.defaults.get(ending, "application/xml")
        return found if SOUND_TYPE.fullmatch(found) else "application/xml"


def open_package(members: Mapping[str, bytes], job: Job) -> Package:
    package = Package(members)
    if "[Content_Types].xml" not in members:
        raise refuse("the package does not list its parts")
    for row in parse(members["[Content_Types].xml"]):
        kind = row.get("ContentType", "")
        if local(row) == "Override":
            package.types[row.get("PartName", "").lstrip("/").lower()] = kind
        else:
            package.defaults[row.get("Extension", "").lower()] = kind
    roots = read_relations(package, "")
    if any("digital-signature" in relation.type for relation in roots) or any(
        name.lower().startswith("_xmlsignatures") for name in members
    ):
        raise refuse(
            "the document is signed: a changed copy would not be", fix="remove the signature"
        )
    mains = [
        r.target for r in roots if last_word(r.type) == "officeDocument" and r.target in members
    ]
    if not mains:
        raise refuse("the package has no main part")
    package.main = mains[0]
    kinds = (package.type_of(package.main), *package.defaults.values())
    if any("macroenabled" in kind.lower() or "addin" in kind.lower() for kind in kinds):
        raise refuse("the document carries macros", fix="save it without macros")
    collect(package, job)
    return package


def collect(package: Package, job: Job) -> None:
    """Follow known relations from the main part; then take parts that lie where such parts lie."""
    waiting = [package.main, *filter(PATHS.fullmatch, package.members)]
    package.relations = {}
    while waiting:
        name = waiting.pop(0)
        if name in package.relations:
            continue
        package.relations[name] = []
        for relation in read_relations(package, name):
            if keeps(relation, package, job):
                package.relations[name].append(relation)
                if not relation.external:
                    waiting.append(relation.target)
    for name in package.members:
        if name not in package.relations and not name.endswith((".rels", "[Content_Types].xml")):
            job.note(f"part dropped: {described(name)}")


def keeps(relation: Relation, package: Package, job: Job) -> bool:
    if last_word(relation.type) not in KEPT:
        return False
    if not relation.external:
        return relation.target in package.members
    shown = unquote(relation.target)
    return (
        last_word(relation.type) == "hyperlink"
        and SOUND_LINK.match(relation.target) is not None
        and job.edit(shown) == shown
        and job.edit(relation.target) == relation.target
    )


def described(name: str) -> str:
    """A part's kind in closed words: its own name may say more than it should."""
    known = re.search(
        r"docProps|customXml|comments|people|persons|embeddings|glossary|printerSettings|vbaProject"
        r"|externalLinks|pivot|revisions|connections|activeX|tags|ctrlProps|threadedComments",
        name,
    )
    return known[0] if known else "other"


def read_relations(package: Package, name: str) -> list[Relation]:
    folder, base = posixpath.split(name)
    content = package.members.get(posixpath.join(folder, "_rels", f"{base}.rels"))
    if content is None:
        return []
    return [relation_of(row, folder) for row in parse(content) if local(row) == "Relationship"]


def relation_of(row: Element, folder: str) -> Relation:
    target = row.get("Target", "")
    external = row.get("TargetMode") == "External"
    if not external:
        target = target.partition("#")[0]
        joined = target if target.startswith("/") else posixpath.join("/", folder, target)
        target = posixpath.normpath(joined).lstrip("/")
    return Relation(row.get("Id", ""), row.get("Type", ""), target, external)


def last_word(kind: str) -> str:
    return kind.rpartition("/")[2]


def write_relations(relations: list[Relation], folder: str) -> bytes:
    root: Element = etree.Element(
        f"{{{RELATIONS}}}Relationships", nsmap=cast("Any", {None: RELATIONS})
    )
    for relation in relations:
        target = relation.target
        if not relation.external:
            target = posixpath.relpath(f"/{target}", f"/{folder}")
        row = etree.SubElement(root, f"{{{RELATIONS}}}Relationship")
        row.set("Id", relation.id)
        row.set("Type", relation.type)
        row.set("Target", target)
        if relation.external:
            row.set("TargetMode", "External")
    return serialise(root, standalone=True)


def write_types(names: Mapping[str, str]) -> bytes:
    """One line per part: a default would also speak for parts that are gone."""
    root: Element = etree.Element(f"{{{TYPES}}}Types", nsmap=cast("Any", {None: TYPES}))
    for ending, kind in (("rels", RELATION_TYPE), ("xml", "application/xml")):
        row = etree.SubElement(root, f"{{{TYPES}}}Default")
        row.set("Extension", ending)
        row.set("ContentType", kind)
    for name, kind in names.items():
        row = etree.SubElement(root, f"{{{TYPES}}}Override")
        row.set("PartName", f"/{name}")
        row.set("ContentType", kind)
    return serialise(root, standalone=True)
