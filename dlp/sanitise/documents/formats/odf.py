"""Rewrite OpenDocument texts, spreadsheets, presentations and drawings.

In: an odt, ods, odp, odg or one of their templates.  Out: the same document; nothing hidden left.
"""

from __future__ import annotations

import re
from typing import Any, cast

from lxml import etree

from dlp.sanitise.documents.contract import Job, refuse
from dlp.sanitise.documents.kinds import ODF
from dlp.sanitise.documents.odf_markup import clean_part
from dlp.sanitise.documents.packing import members_of, pack
from dlp.sanitise.documents.pictures import bare_picture
from dlp.sanitise.documents.tree import Element, parse, serialise

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
