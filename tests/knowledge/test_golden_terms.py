"""Two hundred terms people use resolve to the right concept, and two hundred ordinary ones to none."""

from pathlib import Path

import pytest

from dlp.knowledge.belief import believe
from dlp.knowledge.health import load_health
from dlp.knowledge.mesh import load_mesh

GOLDEN = Path(__file__).parent / "golden"
LEXICON = load_health()


def lines(name):
    text = (GOLDEN / name).read_text()
    return [line for line in text.splitlines() if line and not line.startswith("#")]


@pytest.mark.parametrize("line", lines("resolve.tsv"))
def test_a_term_resolves(line):
    term, kind, heading = line.split("\t")
    mesh = load_mesh()
    text = f"Note: {term}."
    whole = [h for h in LEXICON.scan(text) if text[h.start : h.end] == term]
    assert [h.kind.value for h in whole] == [kind]
    wanted = mesh.find(heading)[0]
    assert mesh.name(wanted) == heading
    concepts = [mesh.index(concept) for concept in whole[0].concepts if concept in mesh]
    assert any(mesh.is_a(concept, wanted) for concept in concepts)


@pytest.mark.parametrize("phrase", lines("reject.txt"))
def test_an_ordinary_phrase_does_not(phrase):
    assert believe(LEXICON.scan(phrase, abbreviations=True), phrase) == []


def test_the_lists_are_long_enough():
    assert len(lines("resolve.tsv")) >= 200
    assert len(lines("reject.txt")) >= 200
