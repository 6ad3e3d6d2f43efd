"""Judgements of several experts, who disagrees with whom, and the one value made of them.

In: a site's folder of tables, one for each expert.  Out: Opinions by concept, Judgements.

    expert = "privacy officer"
    trust = 2.0            # optional, 1 when absent
    [[concept]]
    name = "Epilepsy"
    value = 0.7

A concept takes the median of the experts who judged it, each counted by trust; with equal trust
that is the plain median. One who is far from the others moves it little.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median

from dlp.errors import KnowledgeError
from dlp.knowledge.mesh import Mesh
from dlp.knowledge.sensitivity import Judgement, read_judgements
from dlp.knowledge.site import is_open, site_folder
from dlp.prepared import read_table

FOLDER = "experts"


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
        folder = site_folder() / FOLDER if is_open() else None
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
