"""How rare a condition is: a rare one narrows down who is meant.

In: rules/prevalence.toml, concepts said of one person.  Out: the rarest of them.

A common condition narrows nothing: who has asthma is not known around, and what a file tells must
not count as a means to find out whom it tells it of. A rare one is known where its bearer lives;
it narrows by as much as it is rarer than the limit of a rare disease, so that there is no step.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from dlp.errors import KnowledgeError
from dlp.knowledge.mesh import Mesh
from dlp.knowledge.name_frequencies import EVERYBODY, Share
from dlp.knowledge.sensitivity import rare_headings
from dlp.measure.bounded_cache import Remembered
from dlp.prepared import read_table
from dlp.resources import rules_folder

FILE = "prevalence.toml"
DISEASES = ("C", "F03")  # branches of MeSH
LIMIT = 5 / 10_000  # of a rare disease: Regulation (EC) 141/2000, article 3


class Rarity:
    def __init__(self, mesh: Mesh, shares: Mapping[int, Share], rare: Share = EVERYBODY) -> None:
        """`rare`: the share of a disease that MeSH keeps as a supplementary record."""
        self._rare = rare
        self._mesh = mesh
        self._shares = shares
        self._known = frozenset(shares)
        self._share = Remembered(self._look_up)

    def rarest(self, concepts: Iterable[str]) -> tuple[Share, str]:
        """The smallest share and the heading it belongs to; all and nothing when none is known.

        Only the rarest counts: conditions come together far more often than chance has it.
        """
        found = [known for concept in concepts if (known := self._share[concept]) is not None]
        share, name = min(found, default=(EVERYBODY, ""))
        if share.middle >= LIMIT:
            return EVERYBODY, ""
        return Share(*(min(one / LIMIT, 1.0) for one in share)), name

    def _look_up(self, concept: str) -> tuple[Share, str] | None:
        if concept not in self._mesh:
            return (self._rare, "a rare disease") if self._is_rare_disease(concept) else None
        mesh = self._mesh
        place = mesh.index(concept)
        if place not in self._shares and self._known.isdisjoint(mesh.ancestors(place).tolist()):
            return None  # of most; the rest is climbed ring by ring
        ring, passed = [place], set()
        while ring:
            known = [(self._shares[node], mesh.name(node)) for node in ring if node in self._shares]
            if known:
                return min(known)
            passed.update(ring)
            ring = [p for node in ring for p in mesh.parents(node).tolist() if p not in passed]
        return None

    def _is_rare_disease(self, concept: str) -> bool:
        """Whether a supplementary record belongs to diseases; those of drugs say nothing of it."""
        mesh = self._mesh
        headings = [mesh.index(one) for one in rare_headings().get(concept, ()) if one in mesh]
        return any(c.startswith(DISEASES) for node in headings for c in mesh.categories(node))


def load_rarity(mesh: Mesh) -> Rarity:
    tables = read_table(rules_folder() / FILE)
    shares: dict[int, Share] = {}
    for table in (tables["remembered"], tables["orphanet"]):
        for name, cases in table["per_100000"].items():
            found = mesh.find(name)
            if not found or not 0 < cases <= 100_000:
                raise KnowledgeError(
                    f"{name!r}: no such heading, or no number of cases per 100,000",
                    where=FILE,
                    fix="use a MeSH heading and a number above 0",
                )
            shares[found[0]] = Share.around(cases / 100_000, table["spread"])
    rare = tables["rare"]
    return Rarity(mesh, shares, Share.around(rare["per_100000"] / 100_000, rare["spread"]))
