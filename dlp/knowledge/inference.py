"""What a drug, procedure or test says about the person who has it: R -> {(disease, share)}.

In: rules/inference.toml, a site's own file, the artefact "inference".  Out: implied conditions.

A curated line wins; a concept without one takes the line of the nearest broader heading; what has
neither takes the indications seen in MEDLINE, at half their share because nobody checked them.
"""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple, cast

from dlp.errors import KnowledgeError
from dlp.knowledge.artefact import load
from dlp.knowledge.mesh import Mesh, load_mesh
from dlp.knowledge.phrases import fold_words
from dlp.knowledge.sensitivity import Sensitivity
from dlp.knowledge.site_knowledge import artefact_folder, site_folder, site_has
from dlp.prepared import prepared, read_table
from dlp.resources import rules_folder

FILE = "inference.toml"
TABLES = ("drug", "procedure", "alone", "phrase")
UNCHECKED = 0.5  # trust in a pair that only MEDLINE counts support
ALMOST_ONLY = 0.9  # share of one illness, from which on even an allergy to the drug tells it
DECISIVE = 0.3  # a category counts when this share of the people belongs to it
# Only substances and procedures hand their line down; a disease is not implied by itself.
TREES = ("D", "E")

Pairs = tuple[tuple[str, float], ...]


class Implication(NamedTuple):
    """What follows from a term, and who says so."""

    pairs: Pairs = ()
    source: str = ""


class Rules(NamedTuple):
    """Curated lines by MeSH id and by wording, and the ids of names MeSH spells otherwise."""

    by_concept: dict[str, Pairs]
    by_phrase: dict[str, Pairs]
    ids: dict[str, str]
    alone: set[str]  # concepts whose line does not hold for what lies below


class Inference:
    """Implied conditions by concept id, by name, by wording."""

    def __init__(self, mesh: Mesh, rules: Rules, seen: Mapping[str, Implication]) -> None:
        self._mesh = mesh
        self._rules = rules
        self._seen = seen
        self._found: dict[str, Implication] = {}

    @property
    def ids(self) -> Mapping[str, str]:
        """MeSH numbers of folded names that MeSH keeps outside its tree or spells otherwise."""
        return self._rules.ids

    def __len__(self) -> int:
        return len(self._rules.by_concept) + len(self._rules.by_phrase)

    def implied(self, term: str) -> Pairs:
        """Diseases a drug, procedure or test implies, with shares that sum to at most 1."""
        return self.explain(term).pairs

    def explain(self, term: str) -> Implication:
        known = self._found.get(term)
        if known is None:
            known = self._found[term] = self._look_up(term)
        return known

    def sensitivity(self, term: str, table: Sensitivity) -> float:
        """S(R) = sum of S(D) p."""
        return sum(table.of(disease) * share for disease, share in self.implied(term))

    def category(self, term: str, table: Sensitivity) -> str:
        """The protected group most of the implied conditions belong to; "" when none does."""
        shares: dict[str, float] = {}
        for disease, share in self.implied(term):
            group = table.category(disease)
            shares[group] = shares.get(group, 0.0) + share
        shares.pop("", None)
        best = max(shares, key=lambda group: (shares[group], group), default="")
        return best if shares.get(best, 0.0) >= DECISIVE else ""

    def _look_up(self, term: str) -> Implication:
        if term in self._rules.by_concept:
            return Implication(self._rules.by_concept[term], "curated")
        if term in self._mesh:
            return self._inherited(self._mesh.index(term)) or self._seen.get(term, Implication())
        wording = _folded(term)
        if wording in self._rules.by_phrase:
            return Implication(self._rules.by_phrase[wording], "curated")
        if wording in self._rules.ids:
            return self._look_up(self._rules.ids[wording])
        found = [self._look_up(self._mesh.ids[index]) for index in self._mesh.find(term)]
        return next((implication for implication in found if implication.pairs), Implication())

    def _inherited(self, node: int) -> Implication | None:
        """The line of the nearest broader substance or procedure."""
        mesh, ring, passed = self._mesh, [node], {node}
        while ring:
            ring = [p for below in ring for p in mesh.parents(below).tolist() if p not in passed]
            passed.update(ring)
            for above in sorted(ring):
                pairs = self._rules.by_concept.get(mesh.ids[above])
                handed = pairs and mesh.ids[above] not in self._rules.alone
                if handed and any(t.startswith(TREES) for t in mesh.tree_numbers(above)):
                    return Implication(pairs or (), f"curated for {mesh.name(above)}")
        return None


@functools.cache
def load_inference(site: Path | None = None) -> Inference:
    """The bundled rules, changed and completed by the site's own file where there is one."""
    mesh = load_mesh()
    rules = bundled_rules(mesh)
    if site is not None or site_has(FILE):
        more = read_rules(site or site_folder() / FILE, mesh)
        rules = Rules(
            rules.by_concept | more.by_concept,
            rules.by_phrase | more.by_phrase,
            rules.ids | more.ids,
            rules.alone - more.by_concept.keys() | more.alone,
        )
    return Inference(mesh, rules, dict(_seen_in_medline()))


def bundled_rules(mesh: Mesh) -> Rules:
    """The product's own table, its names looked up beforehand where the site has the same MeSH."""
    path = rules_folder() / FILE
    if not path.is_file():
        return read_rules(path, mesh, bundled=True)
    by_concept, by_phrase, ids, alone = prepared(
        b"inference " + resolved_from(path, mesh), lambda: plain_rules(path, mesh), "knowledge"
    )
    return Rules(paired(by_concept), paired(by_phrase), ids, set(alone))


def plain_rules(path: Path, mesh: Mesh) -> list[Any]:
    found = read_rules(path, mesh, bundled=True)
    return [*found[:3], sorted(found.alone)]


def resolved_from(path: Path, mesh: Mesh) -> bytes:
    """Everything that looking up the names depends on."""
    return path.read_bytes() + mesh.sha256.encode()


def paired(lines: Mapping[str, list[list[Any]]]) -> dict[str, Pairs]:
    return {name: cast("Pairs", tuple(map(tuple, pairs))) for name, pairs in lines.items()}


def read_rules(path: Path, mesh: Mesh, *, bundled: bool = False) -> Rules:
    """Read a table; names become ids. A bad line is refused by name and nothing is loaded.

    A bundled line whose heading a site's own MeSH no longer has is left out.
    """
    try:
        tables = read_table(path)
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise KnowledgeError(
            f"the inference rules cannot be read: {error}", where=path.name
        ) from error
    if unknown := sorted(set(tables) - {*TABLES, "id"}):
        raise KnowledgeError(f"unknown table {unknown[0]!r}", where=path.name)
    ids = {_folded(name): str(ident) for name, ident in tables.get("id", {}).items()}
    rules = Rules({}, {}, ids, set())
    reader = _Reader(path.name, mesh, ids, bundled)
    for table in TABLES:
        for name, shares in tables.get(table, {}).items():
            pairs = reader.pairs(name, shares)
            if table == "phrase":
                rules.by_phrase[_folded(name)] = pairs
            elif concept := reader.concept(name):
                rules.by_concept[concept] = pairs
                if table == "alone":
                    rules.alone.add(concept)
    return rules


class _Reader:
    """Turns the names of one file into MeSH ids."""

    def __init__(self, file: str, mesh: Mesh, ids: Mapping[str, str], bundled: bool) -> None:
        self._file, self._mesh, self._ids, self._bundled = file, mesh, ids, bundled
        self._headings: dict[str, str] = {}  # 400 diseases are named 3,000 times

    def concept(self, name: str) -> str:
        return self._ids.get(_folded(name)) or self._heading(name, TREES)

    def pairs(self, name: str, shares: object) -> Pairs:
        if not isinstance(shares, dict) or not shares:
            raise KnowledgeError(f"{name}: write {{disease = share}}", where=self._file)
        for share in shares.values():
            if isinstance(share, bool) or not isinstance(share, int | float) or not 0 < share <= 1:
                raise KnowledgeError(f"{name}: a share is not in (0, 1]", where=self._file)
        if sum(shares.values()) > 1 + 1e-9:
            raise KnowledgeError(f"{name}: the shares sum to more than 1", where=self._file)
        named = ((self._disease(disease), float(share)) for disease, share in shares.items())
        return tuple((disease, share) for disease, share in named if disease)

    def _disease(self, name: str) -> str:
        if name not in self._headings:
            self._headings[name] = self._heading(name)
        return self._headings[name]

    def _heading(self, name: str, trees: tuple[str, ...] = ("",)) -> str:
        found = self._mesh.find(name)
        if len(found) == 1:
            return self._mesh.ids[found[0]]
        fitting = [i for i in found if any(t.startswith(trees) for t in self._mesh.tree_numbers(i))]
        if fitting or found:
            return self._mesh.ids[(fitting or found)[0]]
        if self._bundled:
            return ""
        raise KnowledgeError(f"{name}: no such MeSH heading", where=self._file)


def _seen_in_medline() -> Iterator[tuple[str, Implication]]:
    artefact = load("inference", artefact_folder("inference"))
    drugs, diseases = artefact.strings("drug").all(), artefact.strings("disease").all()
    counts, given = artefact["count"].tolist(), artefact["given"].tolist()
    gathered: dict[str, list[tuple[str, int]]] = {}
    times: dict[str, int] = {}
    for drug, disease, count, total in zip(drugs, diseases, counts, given, strict=True):
        gathered.setdefault(drug, []).append((disease, count))
        times[drug] = total
    for drug, found in gathered.items():
        # One record may name several diseases, so the counts can exceed the records.
        whole = max(times[drug], sum(count for _, count in found))
        pairs = tuple((disease, UNCHECKED * count / whole) for disease, count in found)
        yield drug, Implication(pairs, f"MEDLINE, {times[drug]} records")


def _folded(name: str) -> str:
    return " ".join(fold_words(name))
