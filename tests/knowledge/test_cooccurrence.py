"""Counting is Resnik's: monotone upwards, bounded, the same by bits and by hand; thin is None."""

import json

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from dlp.cli.knowledge import command
from dlp.errors import KnowledgeError
from dlp.knowledge.artefact import load
from dlp.knowledge.compile.cooccurrence import build_site, paragraphs
from dlp.knowledge.cooccurrence import SUPPORT, Cooccurrence, load_cooccurrence
from dlp.knowledge.mesh import load_mesh

MESH = load_mesh()
SEEN = [MESH.index(i) for i in load("cooccurrence").strings("concept").all()]
anything = st.integers(0, len(MESH) - 1)
seen = st.sampled_from(SEEN)


def concept(name):
    return MESH.find(name)[0]


def test_all_records_of_the_two_medline_files_are_counted():
    assert load_cooccurrence().records == 50_788
    assert load_cooccurrence().count() == 50_788


@pytest.mark.parametrize(
    "drug, disease, at_least",
    [("Cromolyn Sodium", "Asthma", 65), ("Insulin", "Diabetes Mellitus", 200)],
)
def test_known_pairs_appear_together(drug, disease, at_least):
    together = load_cooccurrence().count(concept(drug), concept(disease))
    assert together >= at_least
    assert load_cooccurrence().pmi(concept(disease), concept(drug)) > 4


@given(anything)
def test_information_never_grows_upwards(index):
    statistics = load_cooccurrence()
    for parent in MESH.parents(index).tolist():
        assert statistics.count(parent) >= statistics.count(index)
        assert statistics.ic(parent) <= statistics.ic(index)


@given(seen, anything, anything)
def test_adding_a_concept_never_adds_records(a, b, c):
    statistics = load_cooccurrence()
    assert statistics.count(a, b, c) <= statistics.count(a, b) <= statistics.count(a)
    assert statistics.count(a, b, c) == statistics.count(c, a, b)
    assert statistics.p(a, b) == statistics.count(a, b) / statistics.records


@given(seen)
def test_a_concept_with_its_ancestor_is_itself(index):
    statistics = load_cooccurrence()
    for above in MESH.ancestors(index).tolist():
        assert statistics.count(index, above) == statistics.count(index)


@given(seen, seen)
def test_bits_count_like_sets(a, b):
    assert load_cooccurrence().count(a, b) == len(by_hand(a) & by_hand(b))


@given(seen, seen)
def test_mutual_information_is_symmetric_and_bounded(a, b):
    statistics = load_cooccurrence()
    bits = statistics.pmi(a, b)
    assert bits == statistics.pmi(b, a)
    if bits is not None:
        assert bits <= min(statistics.ic(a), statistics.ic(b)) + 1e-9


def test_thin_evidence_is_refused():
    statistics = load_cooccurrence()
    rare = next(i for i in SEEN if 0 < statistics.count(i) < SUPPORT)
    assert statistics.pmi(rare, concept("Humans")) is None
    assert statistics.pmi(concept("Humans"), rare) is None
    # both well seen, but neither together nor expected to be
    assert statistics.pmi(concept("Asthma"), concept("Methadone")) is None


def test_absence_against_chance_is_evidence():
    statistics = load_cooccurrence()
    bits = statistics.pmi(concept("Pregnancy"), concept("Prostatic Neoplasms"))
    assert bits is not None
    assert bits < -1


def test_pubmed_counts_are_those_of_the_source():
    statistics = load_cooccurrence()
    assert statistics.pubmed(concept("Neoplasms")) == 437_207
    assert statistics.pubmed(concept("HIV Infections")) == 214_327
    assert statistics.pubmed(concept("Insulin")) is None


def test_a_site_compiles_its_own_texts_the_same_way_every_time(tmp_path):
    texts = tmp_path / "texts"
    (texts / "sub").mkdir(parents=True)
    (texts / "a.txt").write_text(
        "Asthma, given cromolyn sodium.\n\nAsthma again.\n\nNothing of note."
    )
    (texts / "sub" / "b.txt").write_text("A fracture of the femur after a fall.")
    (texts / "c.bin").write_bytes(b"asthma")
    sizes = [build_site(texts, tmp_path / name) for name in ("one", "two")]
    assert sizes == [3, 3]
    files = [(tmp_path / name / "cooccurrence.bin").read_bytes() for name in ("one", "two")]
    assert files[0] == files[1]
    own = Cooccurrence(load("cooccurrence", tmp_path / "one"), MESH)
    assert own.count(concept("Asthma")) == 2
    assert own.count(concept("Asthma"), concept("Cromolyn Sodium")) == 1
    assert own.count(concept("Respiratory Tract Diseases")) == 2
    assert own.source == "site"


def test_a_folder_without_text_is_refused(tmp_path):
    with pytest.raises(KnowledgeError, match="no text"):
        build_site(tmp_path, tmp_path / "out")


@given(st.text(alphabet="ab \n", max_size=200))
def test_paragraphs_lose_nothing_but_blank_lines(text):
    assert "".join("".join(paragraphs(text)).split()) == "".join(text.split())


def test_rows_are_forgotten_when_there_are_too_many(monkeypatch):
    monkeypatch.setattr("dlp.knowledge.cooccurrence.REMEMBERED", 2)
    fresh = Cooccurrence(load("cooccurrence"), MESH)
    before = [fresh.count(i) for i in SEEN[:6]]
    assert [fresh.count(i) for i in SEEN[:6]] == before
    assert len(fresh._rows) == 2


def by_hand(index):
    artefact = load("cooccurrence", check=False)
    ends = np.cumsum(artefact["length"], dtype=np.int64)
    wanted = {MESH.ids[index], *(MESH.ids[i] for i in MESH.descendants(index).tolist())}
    held = set()
    for ident, end, length in zip(
        artefact.strings("concept").all(), ends.tolist(), artefact["length"].tolist(), strict=True
    ):
        if ident in wanted:
            held.update(artefact["record"][end - length : end].tolist())
    return held


def test_the_command_builds_from_a_folder_and_the_site_comes_first(tmp_path, monkeypatch):
    texts = tmp_path / "texts"
    texts.mkdir()
    (texts / "a.txt").write_text("Asthma.\n\nAnother paragraph: a fracture.")
    options = ["build", "--corpus", str(texts), "--out", str(tmp_path / "own"), "--json"]
    result = CliRunner().invoke(command, options)
    assert json.loads(result.output) == {"records": 2}
    monkeypatch.setenv("DLP_KNOWLEDGE", str(tmp_path / "own"))
    load_cooccurrence.cache_clear()
    try:
        assert load_cooccurrence().p(concept("Asthma")) == 0.5
    finally:
        load_cooccurrence.cache_clear()
