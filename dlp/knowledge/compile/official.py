"""Read the files standards bodies publish: MeSH descriptors as XML or ASCII, ICD lists as CSV.

In: a file an administrator downloaded.  Out: records; trouble names the line and the reason.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from pathlib import Path
from typing import cast

from lxml import etree

from dlp.errors import KnowledgeError
from dlp.knowledge.compile.icd import Code
from dlp.knowledge.compile.mesh import Descriptor

_UI = re.compile(r"D\d{6,9}")
_TREE = re.compile(r"[A-Z]\d{2}(\.\d{3})*")
_FIELD = re.compile(r"([A-Z][A-Z -]*) = (.*)")
_TEN = re.compile(r"[A-Z]\d[0-9A-Z](\.?[0-9A-Z]{1,4})?")


def refuse(path: Path, line: int, reason: str) -> KnowledgeError:
    """Nothing of the file is loaded: half a thesaurus misleads more than an old one."""
    return KnowledgeError(
        f"line {line}: {reason}", where=path.name, fix="correct the file; nothing was imported"
    )


def read_mesh_xml(path: Path) -> list[Descriptor]:
    """NLM's descriptor file (desc2026.xml), record by record; it has 300 MB."""
    found = []
    try:
        with path.open("rb") as source:
            events = etree.iterparse(
                source, tag="DescriptorRecord", resolve_entities=False, no_network=True
            )
            for _, record in events:
                found.append(_descriptor(record, path))
                record.clear()
                while record.getprevious() is not None:
                    del record.getparent()[0]
    except etree.XMLSyntaxError as error:
        raise refuse(path, error.lineno or 0, error.msg or "not well-formed") from error
    return _checked(found, path)


def _descriptor(record: etree._Element, path: Path) -> Descriptor:
    ident = (record.findtext("DescriptorUI") or "").strip()
    name = (record.findtext("DescriptorName/String") or "").strip()
    line = cast("int", record.sourceline)  # the stubs know no better
    if not _UI.fullmatch(ident) or not name:
        raise refuse(path, line, "a record without a descriptor id and name")
    strings = record.findall("ConceptList/Concept/TermList/Term/String")
    terms = dict.fromkeys((string.text or "").strip() for string in strings)
    trees = [(node.text or "").strip() for node in record.findall("TreeNumberList/TreeNumber")]
    if wrong := [tree for tree in trees if not _TREE.fullmatch(tree)]:
        raise refuse(path, line, f"{ident} has the tree number {wrong[0]!r}")
    return Descriptor(ident, name, tuple(t for t in terms if t and t != name), tuple(trees))


def read_mesh_ascii(path: Path) -> list[Descriptor]:
    """NLM's ASCII file (d2026.bin): "MH = name", "ENTRY = term|...", "MN = tree", "UI = id"."""
    found = []
    record: dict[str, list[str]] = {}
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    for number, line in enumerate([*lines, "*NEWRECORD"], 1):
        if line.strip() == "*NEWRECORD":
            if record.get("RECTYPE", ["D"]) == ["D"] and record:
                found.append(_from_fields(record, path, number))
            record = {}
        elif match := _FIELD.fullmatch(line.rstrip()):
            record.setdefault(match[1], []).append(match[2])
        elif line.strip():
            raise refuse(path, number, "neither a field nor the start of a record")
    return _checked(found, path)


def _from_fields(record: dict[str, list[str]], path: Path, line: int) -> Descriptor:
    ident, name = record.get("UI", [""])[0].strip(), record.get("MH", [""])[0].strip()
    if not _UI.fullmatch(ident) or not name:
        raise refuse(path, line - 1, "a record that ends without UI and MH")
    trees = tuple(tree.strip() for tree in record.get("MN", ()))
    if wrong := [tree for tree in trees if not _TREE.fullmatch(tree)]:
        raise refuse(path, line - 1, f"{ident} has the tree number {wrong[0]!r}")
    entries = [*record.get("PRINT ENTRY", ()), *record.get("ENTRY", ())]
    terms = dict.fromkeys(entry.split("|")[0].strip() for entry in entries)
    return Descriptor(ident, name, tuple(terms), trees)


def _checked(found: list[Descriptor], path: Path) -> list[Descriptor]:
    if not found:
        raise refuse(path, 1, "no MeSH descriptor in this file")
    return found


def read_icd_csv(path: Path) -> list[Code]:
    """Columns code and title; more columns are ignored."""
    return [Code(code, title, ()) for code, title in _code_rows(path)]


def _code_rows(path: Path) -> Iterator[tuple[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as source:
        rows = csv.DictReader(source)
        names = {(name or "").strip().lower(): name for name in rows.fieldnames or ()}
        if "code" not in names or "title" not in names:
            raise refuse(path, 1, "the first line must name the columns code and title")
        for row in rows:
            code = (row[names["code"]] or "").strip().upper()
            title = (row[names["title"]] or "").strip()
            if not _TEN.fullmatch(code) or not title:
                raise refuse(path, rows.line_num, f"{code!r} is no ICD-10 code with a title")
            yield code.replace(".", ""), title
