"""More than 120 concepts stand in the order that a review gave them, each for a reason."""

from pathlib import Path

from dlp.knowledge.mesh import load_mesh
from dlp.measure.privacy import load_measure
from dlp.model import Fact, Kind, Subject

MEASURE = load_measure()
TABLE = Path(__file__).parent / "reviewed_concepts.tsv"
# What a tier's values may be: neighbours overlap, tiers that are two apart never do.
BOUNDS = {
    1: (0.0, 0.12), 2: (0.12, 0.26), 3: (0.24, 0.52), 4: (0.45, 0.68), 5: (0.65, 0.8), 6: (0.78, 1),
}  # fmt: skip


def reviewed():
    rows = [line.split("\t") for line in TABLE.read_text().splitlines() if line[0] != "#"]
    return [(int(tier), name, reason) for tier, name, reason in rows]


def value(name):
    mesh = load_mesh()
    (node,) = mesh.find(name)[:1]
    fact = Fact(Kind.DISEASE, mesh.ids[node])
    return MEASURE.score(Subject("x", facts=(fact,))).sensitivity


def test_each_concept_lies_in_its_tier():
    rows = reviewed()
    assert len(rows) >= 120
    assert all(reason for *_, reason in rows)
    assert len({name for _, name, _ in rows}) == len(rows)
    wrong = [
        (tier, name, found)
        for tier, name, _ in rows
        if not BOUNDS[tier][0] - 1e-9 <= (found := value(name)) <= BOUNDS[tier][1] + 1e-9
    ]
    assert wrong == []
