"""Import a site's own knowledge: an official MeSH or ICD file, a list of terms, a vocabulary in
another language.

In: a file.  Out: artefacts in the site's folder, which stand before the bundled ones.

The bundled descriptors keep their positions, so that everything compiled against them still holds;
new ones come after, and a retired one stays as a name without a place in the tree.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from lxml import etree

from dlp.errors import KnowledgeError
from dlp.knowledge.artefact import load, write_manifest_entry
from dlp.knowledge.artefact import write as write_artefact
from dlp.knowledge.compile import icd
from dlp.knowledge.compile.health import pack, read_rules
from dlp.knowledge.compile.icd import Code
from dlp.knowledge.compile.mesh import Descriptor, write_mesh
from dlp.knowledge.compile.terms import Term, kind_of, mesh_terms
from dlp.knowledge.compile.variants import Filter, Surface
from dlp.knowledge.foreign_terms import NO_CONCEPT, write_site_terms
from dlp.knowledge.health import HealthLexicon
from dlp.knowledge.icd import load_icd
from dlp.knowledge.mesh import Mesh, load_mesh
from dlp.knowledge.site_knowledge import site_folder
from dlp.knowledge.words import load_words
from dlp.languages import languages
from dlp.model import Kind
from dlp.resources import artefacts_folder

KINDS = {kind.value: kind for kind in Kind}


@dataclass(frozen=True, slots=True)
class Imported:
    """What came in: "mesh", "icd", "terms" or "vocabulary", and how many."""

    what: str
    records: int
    new_terms: int


def import_file(path: Path, folder: Path | None = None) -> Imported:
    """Find out what a file is and import it; nothing changes unless all of it is good."""
    folder = folder or site_folder()
    try:
        with path.open("rb") as source:
            head = source.read(4096)
    except OSError as error:
        raise KnowledgeError(f"cannot read: {error.strerror}", where=path.name) from error
    if b"<ICD10CM.tabular" in head:
        return import_icd(icd.read_tabular(path.read_bytes()), path.name, folder)
    if head.lstrip().startswith((b"<?xml", b"<!DOCTYPE", b"<Descriptor")):
        return import_mesh(read_mesh_xml(path), path.name, folder)
    if b"*NEWRECORD" in head:
        return import_mesh(read_mesh_ascii(path), path.name, folder)
    first = head.split(b"\n", 1)[0].lower()
    if b"language" in first:
        return import_vocabulary(path, folder)
    if b"code" in first and b"title" in first:
        return import_icd(read_icd_csv(path), path.name, folder)
    return import_term_csv(path, folder)


def import_mesh(descriptors: list[Descriptor], edition: str, folder: Path) -> Imported:
    bundled = Mesh(load("mesh", artefacts_folder()))
    fresh = {descriptor.id: descriptor for descriptor in descriptors}
    kept = [
        fresh.pop(ident)
        if ident in fresh
        else Descriptor(ident, bundled.name(index), bundled.terms(index), ())
        for index, ident in enumerate(bundled.ids)
    ]
    ordered = [*kept, *(fresh[ident] for ident in sorted(fresh))]
    folder.mkdir(parents=True, exist_ok=True)
    sha256 = write_mesh(ordered, folder / "mesh.bin", edition, keep_order=True)
    write_manifest_entry(folder, "mesh", sha256, edition=edition)
    count = _write_terms(mesh_terms(descriptors), "site_mesh", folder, site=False)
    load_mesh.cache_clear()
    return Imported("mesh", len(descriptors), count)


def import_icd(codes: list[icd.Code], edition: str, folder: Path) -> Imported:
    if not codes:
        raise KnowledgeError("no ICD code in this file", where=edition)
    mesh = load_mesh()
    # What the bundled table knows of a code stays; new codes follow their title or the code above.
    old = load("icd", artefacts_folder())
    known = zip(old["code"].tolist(), old["concept"].tolist(), strict=True)
    ids = Mesh(load("mesh", artefacts_folder())).ids
    given = {code.decode(): ids[place] for code, place in known if place < len(ids)}
    concepts = icd.code_concepts(mesh, codes, {}, given)
    kept = {c.code: concepts[c.code] for c in codes if len(c.code) <= icd.DEPTH}
    kept |= {code: (ident,) for code, ident in given.items() if code.startswith("9")}
    titles = {code.code: code.title for code in codes if len(code.code) == 3}
    folder.mkdir(parents=True, exist_ok=True)
    sha256 = write_artefact(folder / "icd.bin", icd.pack(mesh, kept, titles), {"edition": edition})
    write_manifest_entry(folder, "icd", sha256, edition=edition)
    return Imported("icd", len(codes), 0)


def import_term_csv(path: Path, folder: Path | None = None) -> Imported:
    """Columns term and concept or kind: "Zystorel,Antineoplastic Agents,drug"."""
    folder = folder or site_folder()
    found = list(read_terms(path, load_mesh()))
    if not found:
        raise refuse(path, 1, "no terms")
    folder.mkdir(parents=True, exist_ok=True)
    count = _write_terms(found, "site_terms", folder, site=True)
    return Imported("terms", len(found), count)


def import_vocabulary(path: Path, folder: Path) -> Imported:
    """Columns language and term, concept or kind; or language, code and title of ICD-10.

    "de,Zuckerkrankheit,D003920" and "fr,E11,Diabète sucré" join the words of the language.
    """
    mesh, found = load_mesh(), dict[str, dict[Kind, dict[str, list[str]]]]()
    records = 0
    for line, cells in rows_of(path, ("language",)):
        code = cells["language"].lower()
        if code not in languages():
            known = ", ".join(languages())
            raise refuse(path, line, f"no rules for the language {code!r}; there are {known}")
        if "title" in cells:
            cells = _of_title(cells, path, line)  # noqa: PLW2901
        term = _term_of(cells, path, line, mesh)
        concept = term.concepts[0] if term.concepts else NO_CONCEPT
        found.setdefault(code, {}).setdefault(term.kind, {}).setdefault(concept, []).append(
            term.text
        )
        records += 1
    if not found:
        raise refuse(path, 1, "no terms")
    for code, kinds in found.items():
        write_site_terms(code, kinds, folder)
    return Imported("vocabulary", records, records)


def _of_title(cells: Mapping[str, str], path: Path, line: int) -> dict[str, str]:
    """A title is a name of the concept of its code; one that has none is a disease."""
    code = load_icd().find(cells.get("code", ""))
    if code is None:
        raise refuse(path, line, f"{cells.get('code', '')!r} is no ICD-10 code")
    return {
        "term": cells["title"],
        "concept": code.concepts[0] if code.concepts else "",
        "kind": Kind.DISEASE.value,
    }


def rows_of(path: Path, wanted: Sequence[str]) -> Iterator[tuple[int, dict[str, str]]]:
    """The number and the cells of each line, by names in small letters."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise KnowledgeError(f"not a text in UTF-8: {error}", where=path.name) from error
    rows = csv.DictReader(text.splitlines(), strict=True)
    try:
        names = {(name or "").strip().lower(): name for name in rows.fieldnames or ()}
        by_code = {"code", "title"} <= set(names) and "language" in wanted
        by_term = "term" in names and {"concept", "kind"} & set(names)
        if not set(wanted) <= set(names) or not (by_code or by_term):
            columns = " and ".join([*wanted, "term and concept or kind"])
            raise refuse(path, 1, f"the first line must name the columns {columns}")
        for row in rows:
            yield rows.line_num, {key: (row[name] or "").strip() for key, name in names.items()}
    except csv.Error as error:
        raise refuse(path, rows.reader.line_num, str(error)) from error


def read_terms(path: Path, mesh: Mesh) -> Iterator[Term]:
    for line, cells in rows_of(path, ()):
        yield _term_of(cells, path, line, mesh)


def _term_of(cells: dict[str, str], path: Path, line: int, mesh: Mesh) -> Term:
    term, concept, kind = (cells.get(name, "") for name in ("term", "concept", "kind"))
    if not term:
        raise refuse(path, line, "a line without a term")
    found = mesh.find(concept) if concept else ()
    if concept and not found:
        raise refuse(path, line, "the concept is no MeSH id or heading")
    if kind and kind not in KINDS:
        raise refuse(path, line, f"the kind is none of {', '.join(sorted(KINDS))}")
    known = KINDS[kind] if kind else kind_of(mesh.tree_numbers(found[0])) if found else None
    if known is None:
        raise refuse(path, line, "the concept is no disease, drug, procedure or test: name a kind")
    return Term(term, known, (mesh.ids[found[0]],) if found else (), "rules")


def _write_terms(terms: Iterator[Term] | list[Term], name: str, folder: Path, *, site: bool) -> int:
    """Surfaces that the bundled lexicon lacks, or all of a site's own."""
    bundled = HealthLexicon(load("health", artefacts_folder()))
    sieve = Filter(load_words(), read_rules())
    fresh: dict[tuple[str, ...], Surface] = {}
    for surface in sieve.surfaces(terms):
        if site or bundled.sense(" ".join(surface.words)) is None:
            fresh.setdefault(surface.words, surface)
    arrays, facts = pack(fresh.values())
    sha256 = write_artefact(folder / f"{name}.bin", arrays, facts)
    write_manifest_entry(folder, name, sha256, **facts)
    return len(fresh)


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
