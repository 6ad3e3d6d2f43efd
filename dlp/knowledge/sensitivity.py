"""How sensitive each MeSH concept is, where the value comes from, which law protects it.

In: rules/sensitivity.toml, a site's own file and its experts' tables, the MeSH graph.
Out: a value for every concept.

A site may keep a folder of tables, one for each expert:

    expert = "privacy officer"
    trust = 2.0            # optional, 1 when absent
    [[concept]]
    name = "Epilepsy"
    value = 0.7

A concept takes the median of the experts who judged it, each counted by trust; with equal trust
that is the plain median. One who is far from the others moves it little.
"""

from __future__ import annotations

import functools
import json
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from dlp.errors import KnowledgeError
from dlp.knowledge.arrays import packed, quantile, unpacked
from dlp.knowledge.artefact import load
from dlp.knowledge.mesh import Mesh, load_mesh
from dlp.knowledge.propagation import Floats, Graph, Propagation, propagate
from dlp.knowledge.site_knowledge import artefact_folder, is_open, site_folder, site_has
from dlp.prepared import prepared, read_table
from dlp.resources import rules_folder

FILE = "sensitivity.toml"
CATEGORIES = frozenset(
    {"hiv", "std", "mental", "substance", "reproductive", "sexual", "genetic", "abuse"}
)
STOP = "none"  # a category that ends inheritance
FIELDS = {"id", "name", "value", "category", "reason"}


@dataclass(frozen=True, slots=True)
class Judgement:
    """What an expert says about one concept."""

    concept: str
    name: str
    value: float
    category: str = ""
    reason: str = ""


class Sensitivity:
    """Values of all concepts under one table of judgements."""

    def __init__(self, judgements: Iterable[Judgement], mesh: Mesh | None = None) -> None:
        self.mesh = mesh or load_mesh()
        self.judgements = {judgement.concept: judgement for judgement in judgements}
        # judgements that contradict each other are refused here, and not kept
        stated = prepared(self.key(), self.worked_out, "knowledge")
        self.values: Floats = unpacked(stated["distinct"])[unpacked(stated["rows"])]
        self._value = self.values.data  # an item of it is an object of Python at once
        # by their place, or a worker would touch the id of every heading it comes by
        self._judged = {
            self.mesh.index(concept): judgement
            for concept, judgement in self.judgements.items()
            if concept in self.mesh
        }
        self._categories: dict[int, str] = {}

    @functools.cached_property
    def _result(self) -> Propagation:
        return propagate(
            mesh_graph(self.mesh),
            {self.mesh.index(concept): j.value for concept, j in self.judgements.items()},
            name=self.mesh.name,
        )

    def key(self) -> bytes:
        """What the values follow from."""
        values = sorted((concept, one.value) for concept, one in self.judgements.items())
        return json.dumps(["sensitivity", self.mesh.sha256, *values]).encode()

    def worked_out(self) -> dict[str, Any]:
        """The values as JSON can hold them."""
        values = self._result.values[: len(self.mesh)]
        rows = {value: row for row, value in enumerate(sorted(set(values.tolist())))}
        of_concepts = np.array([rows[value] for value in values.tolist()], dtype=np.uint16)
        return {"distinct": packed(np.array(list(rows))), "rows": packed(of_concepts)}

    def of(self, concept: str) -> float:
        """The sensitivity of a condition; 0 for an unknown concept.

        A rare disease outside the tree has the value of its headings. Drugs, procedures and tests
        hold 0 here: they are as sensitive as what they imply, see `Inference.sensitivity`.
        """
        return max(map(self._value.__getitem__, self._nodes(concept)), default=0.0)

    @functools.cached_property
    def mildest(self) -> float:
        """What a treatment weighs that implies no illness we know: less than most conditions."""
        return quantile(self.values[self.values > 0], 0.1) if self.values.any() else 0.0

    def category(self, concept: str) -> str:
        """The specially protected group a condition belongs to, by its nearest broader headings."""
        return self._first_category(self._nodes(concept))

    def source(self, concept: str) -> str:
        """One line that says where a value comes from."""
        mesh = self.mesh
        judgement = self.judgements.get(concept)
        if judgement is not None:
            return f"expert: {judgement.reason}" if judgement.reason else "expert"
        nodes = self._nodes(concept)
        if not nodes:
            return "no MeSH concept"
        node = max(nodes, key=lambda node: self.values[node])
        if mesh.ids[node] in self.judgements:
            return f"inherited from {self._named(node)}"
        source = self._result.source(node)
        named = [self._named(node) for node in source.nodes]
        if source.kind == "between":
            return f"between {named[0]} and {named[1]}"
        if source.nodes and source.nodes[0] < len(mesh):
            return f"inherited from {named[0]}"
        return "no expert value above or below"

    def but(self, changes: Mapping[str, float]) -> Sensitivity:
        """The same table with other values for some concepts, propagated anew."""
        changed = []
        for concept, value in changes.items():
            name = self.mesh.name(self.mesh.index(concept))
            before = self.judgements.get(concept, Judgement(concept, name, value))
            changed.append(replace(before, value=value, reason="set by hand"))
        return Sensitivity([*self.judgements.values(), *changed], self.mesh)

    def try_values(self, changes: Mapping[str, float]) -> tuple[Sensitivity, list[str]]:
        """Values that win over the table: judgements they contradict are set aside and named."""
        mesh = self.mesh
        aside = []
        for concept, judgement in self.judgements.items():
            node = mesh.index(concept)
            for other, value in changes.items():
                above = mesh.is_a(node, mesh.index(other)) and judgement.value < value
                below = mesh.is_a(mesh.index(other), node) and judgement.value > value
                if concept not in changes and (above or below):
                    aside.append(concept)
                    break
        kept = [j for concept, j in self.judgements.items() if concept not in aside]
        names = [f"{mesh.name(mesh.index(c))} ({self.judgements[c].value:g})" for c in aside]
        return Sensitivity(kept, mesh).but(changes), names

    def _nodes(self, concept: str) -> tuple[int, ...]:
        if concept in self.mesh:
            return (self.mesh.index(concept),)
        known = (h for h in rare_headings().get(concept, ()) if h in self.mesh)
        return tuple(map(self.mesh.index, known))

    def _named(self, node: int) -> str:
        name = self.mesh.name(node) if node < len(self.mesh) else "the root"
        return f"{name} ({self._result.values[node]:.2f})"

    def _category(self, node: int) -> str:
        known = self._categories.get(node)
        if known is None:
            judgement = self._judged.get(node)
            known = judgement.category if judgement else ""
            if not known:
                known = self._first_category(self.mesh.parents(node).tolist())
            known = self._categories[node] = "" if known == STOP else known
        return known

    def _first_category(self, nodes: Sequence[int]) -> str:
        """Of the gravest of these that has one."""
        if len(nodes) > 1:
            nodes = sorted(nodes, key=lambda node: -self._value[node])
        for node in nodes:
            if group := self._category(node):
                return group
        return ""


@functools.lru_cache(maxsize=2)
def mesh_graph(mesh: Mesh) -> Graph:
    """MeSH under one root: the tops of its trees have no heading above them, the root holds 0."""
    root = len(mesh)
    offsets, targets = mesh.parent_rows
    tops = np.flatnonzero(np.diff(offsets) == 0)
    added = np.searchsorted(tops, np.arange(root + 1))  # one edge for each top before a row
    rows = np.append(offsets + added, offsets[-1] + len(tops))  # the root's own row is empty
    return Graph(rows, np.insert(targets, offsets[tops], root))


@functools.cache
def rare_headings() -> dict[str, tuple[str, ...]]:
    """The headings of diseases that MeSH keeps as supplementary records, outside its tree."""
    artefact = load("inference", artefact_folder("inference"))
    headings = artefact.strings("rare.headings").all()
    pairs = zip(artefact.strings("rare.id").all(), headings, strict=True)
    return {ident: tuple(named.split()) for ident, named in pairs}


def name_of(concept: str) -> str:
    """What people call a concept: a supplementary record goes by the headings it belongs to."""
    mesh = load_mesh()
    if concept in mesh:
        return mesh.name(mesh.index(concept))
    known = [mesh.name(mesh.index(one)) for one in rare_headings().get(concept, ()) if one in mesh]
    return f"a rare form of {', '.join(known)}" if known else concept


@functools.cache
def load_sensitivity(site: Path | None = None) -> Sensitivity:
    """The bundled table, changed by the site's experts and completed by the site's own file."""
    mesh = load_mesh()
    table = {j.concept: j for j in read_judgements(rules_folder() / FILE, mesh, bundled=True)}
    if site is None and (asked := read_experts(mesh)):
        table = merged(table, reconciled(asked, mesh), mesh)
    if site is not None or site_has(FILE):
        own = read_judgements(site or site_folder() / FILE, mesh)
        table |= {j.concept: j for j in own}
    return Sensitivity(table.values(), mesh)


def read_judgements(path: Path, mesh: Mesh, *, bundled: bool = False) -> list[Judgement]:
    """Read a table; a bad entry is refused by name and nothing is loaded.

    A bundled entry whose id a site's own MeSH no longer has is left out.
    """
    try:
        entries = read_table(path)["concept"]
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, KeyError) as error:
        raise KnowledgeError(
            f"the table of sensitivities cannot be read: {error}",
            where=path.name,
            fix="one [[concept]] table per value; compare the bundled rules/sensitivity.toml",
        ) from error
    judgements: dict[str, Judgement] = {}
    for number, entry in enumerate(entries, start=1):
        if bundled and entry["id"] not in mesh:
            continue
        judgement = _judgement(path, number, entry, mesh)
        if judgement.concept in judgements:
            raise _bad(path, number, entry, "this concept is listed twice")
        judgements[judgement.concept] = judgement
    return list(judgements.values())


def _judgement(path: Path, number: int, entry: Any, mesh: Mesh) -> Judgement:
    if not isinstance(entry, dict) or not set(entry) <= FIELDS:
        raise _bad(path, number, entry, f"an entry holds only {', '.join(sorted(FIELDS))}")
    value = entry.get("value")
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise _bad(path, number, entry, "value is not a number from 0 to 1")
    category = entry.get("category", "")
    if category not in CATEGORIES | {"", STOP}:
        raise _bad(path, number, entry, f"category is none of {', '.join(sorted(CATEGORIES))}")
    name, concept = str(entry.get("name", "")), str(entry.get("id", ""))
    if not concept:
        found = mesh.find(name)
        if len(found) != 1:
            raise _bad(path, number, entry, "the name is not one MeSH concept; give its id")
        concept = mesh.ids[found[0]]
    elif concept not in mesh:
        raise _bad(path, number, entry, "no MeSH concept has this id")
    return Judgement(concept, name, float(value), category, str(entry.get("reason", "")))


def _bad(path: Path, number: int, entry: Any, what: str) -> KnowledgeError:
    label = entry.get("name") or entry.get("id") if isinstance(entry, dict) else None
    return KnowledgeError(f"entry {number} ({label or 'without a name'}): {what}", where=path.name)


EXPERTS = "experts"  # folder of the site


@dataclass(frozen=True, slots=True)
class Expert:
    name: str
    trust: float
    judgements: tuple[Judgement, ...]


@dataclass(frozen=True, slots=True)
class Opinion:
    """What the experts say of one concept."""

    concept: str
    name: str
    said: tuple[tuple[str, float, float], ...]  # expert, value, trust

    @property
    def median(self) -> float:
        return median(value for _, value, _ in self.said)

    @property
    def by_trust(self) -> float:
        """The value that half of all trust lies below and half above."""
        rows = sorted((value, trust) for _, value, trust in self.said)
        half, below = sum(trust for _, trust in rows) / 2, 0.0
        for place, (value, trust) in enumerate(rows):
            below += trust
            if abs(below - half) < 1e-12 and place + 1 < len(rows):
                return (value + rows[place + 1][0]) / 2
            if below >= half:
                return value
        return rows[-1][0]

    @property
    def disagreement(self) -> float:
        values = [value for _, value, _ in self.said]
        return max(values) - min(values)


def read_experts(mesh: Mesh, folder: Path | None = None) -> list[Expert]:
    """The experts of a site, by name; none where it has no such folder."""
    if folder is None:
        folder = site_folder() / EXPERTS if is_open() else None
    if folder is None or not folder.is_dir():
        return []
    experts = []
    for path in sorted(folder.glob("*.toml")):
        judgements = tuple(read_judgements(path, mesh))  # refuses what cannot be read
        table = read_table(path)
        name, trust = str(table.get("expert", path.stem)), table.get("trust", 1.0)
        if isinstance(trust, bool) or not isinstance(trust, int | float) or trust <= 0:
            raise KnowledgeError("trust is not a number above 0", where=path.name)
        experts.append(Expert(name, float(trust), judgements))
    return experts


def opinions(experts: Iterable[Expert]) -> list[Opinion]:
    """What was said of each concept, the greatest disagreement first."""
    said: dict[str, list[tuple[str, float, float]]] = {}
    names: dict[str, str] = {}
    for expert in experts:
        for one in expert.judgements:
            said.setdefault(one.concept, []).append((expert.name, one.value, expert.trust))
            names[one.concept] = names.get(one.concept) or one.name
    found = [Opinion(concept, names[concept], tuple(rows)) for concept, rows in said.items()]
    return sorted(found, key=lambda one: (-one.disagreement, one.concept))


def reconciled(experts: list[Expert], mesh: Mesh) -> dict[str, Judgement]:
    """One judgement a concept; a narrower one is lifted to the broader ones of the same experts."""
    last = {one.concept: one for expert in experts for one in expert.judgements}
    table: dict[str, Judgement] = {}
    for opinion in opinions(experts):
        people = len(opinion.said)
        spread = f", {opinion.disagreement:.2f} apart" if people > 1 else ""
        reason = f"{people} expert{'s' if people > 1 else ''}{spread}"
        kept = last[opinion.concept]
        table[opinion.concept] = replace(kept, value=opinion.by_trust, reason=reason)
    lifted = {}
    for concept, judgement in table.items():
        above = [mesh.ids[node] for node in mesh.ancestors(mesh.index(concept)).tolist()]
        least = max((table[one].value for one in above if one in table), default=0.0)
        lifted[concept] = replace(judgement, value=max(judgement.value, least))
    return lifted


def merged(
    bundled: Mapping[str, Judgement], own: Mapping[str, Judgement], mesh: Mesh
) -> dict[str, Judgement]:
    """The bundled table without what contradicts the experts, completed by theirs."""
    out: set[str] = set()
    for concept, judgement in own.items():
        node = mesh.index(concept)
        for other in mesh.ancestors(node).tolist():
            known = bundled.get(mesh.ids[other])
            if known and known.value > judgement.value:
                out.add(known.concept)
        for other in mesh.descendants(node).tolist():
            known = bundled.get(mesh.ids[other])
            if known and known.value < judgement.value:
                out.add(known.concept)
    return {c: j for c, j in bundled.items() if c not in out} | dict(own)
