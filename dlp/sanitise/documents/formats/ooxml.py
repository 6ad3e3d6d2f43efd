"""Rewrite Word, Excel and PowerPoint files without macros: known parts are edited, others are gone.

In: the bytes of a docx, xlsx or pptx.  Out: a package of the same kind, the same bytes every time.
"""

from __future__ import annotations

import posixpath
from dataclasses import replace

from dlp.sanitise.documents.content_type import DOCX, OOXML, PPTX, XLSX
from dlp.sanitise.documents.contract import Job, refuse
from dlp.sanitise.documents.formats.picture import BLANK, bare_picture
from dlp.sanitise.documents.formats.zip import members_of, pack
from dlp.sanitise.documents.ooxml_markup import clean_part
from dlp.sanitise.documents.ooxml_parts import (
    PICTURE,
    Package,
    Relation,
    open_package,
    write_relations,
    write_types,
)
from dlp.sanitise.documents.ooxml_workbook import Workbook
from dlp.sanitise.documents.xml_tree import local, parse, serialise

MEDIA_TYPES = frozenset({
    DOCX, f"{OOXML}wordprocessingml.template", XLSX, f"{OOXML}spreadsheetml.template",
    PPTX, f"{OOXML}presentationml.slideshow", f"{OOXML}presentationml.template",
})  # fmt: skip
PREFIX = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"


def rewrite(data: bytes, job: Job) -> bytes:
    package = open_package(members_of(data, job), job)
    is_workbook = local(parse(package.members[package.main])) == "workbook"
    workbook = Workbook(package, job) if is_workbook else None
    names = new_names(package, job)
    written: dict[str, bytes] = {}
    types: dict[str, str] = {}
    # sorted: the order of the walk changes with the names
    for name, new in sorted(names.items(), key=lambda pair: (pair[0] != package.main, pair[1])):
        relations = package.relations[name]
        if PICTURE.search(name):
            written[new], types[new] = picture(package.members[name], package.type_of(name), job)
            continue
        root = parse(package.members[name])
        done = workbook.prepare(root, relations) if workbook else frozenset()
        clean_part(root, frozenset(relation.id for relation in relations), job.edit, done)
        written[new], types[new] = serialise(root, standalone=True), package.type_of(name)
        if relations:
            folder, base = posixpath.split(new)
            moved = [
                replace(r, target=r.target if r.external else names[r.target]) for r in relations
            ]
            written[posixpath.join(folder, "_rels", f"{base}.rels")] = write_relations(
                moved, folder
            )
    top = [Relation("rId1", f"{PREFIX}officeDocument", names[package.main], external=False)]
    return pack({
        "[Content_Types].xml": write_types(types),
        "_rels/.rels": write_relations(top, ""),
        **written,
    })  # fmt: skip


def new_names(package: Package, job: Job) -> dict[str, str]:
    """Parts keep their names unless the edit touches them."""
    names: dict[str, str] = {}
    for number, name in enumerate(package.relations, 1):
        spoken = name.replace("_", " ").replace("/", " ")
        if job.edit(name) == name and job.edit(spoken) == spoken:
            names[name] = name
        else:
            folder, ending = posixpath.dirname(name), name.rpartition(".")[2]
            names[name] = posixpath.join(folder, f"part{number}.{ending}")
    if len(set(names.values())) != len(names):
        raise refuse("two parts of the package have the same name")
    return names


def picture(data: bytes, kind: str, job: Job) -> tuple[bytes, str]:
    bare = bare_picture(data)
    if bare is None:
        job.note("picture blanked: of a kind that can hold text")
        return BLANK, "image/png"
    job.note("words inside pictures are not read")
    return bare, kind if kind.startswith("image/") else "image/png"
