"""MeSH answers by term and id, its graph is a DAG, and its ancestor sets are those of the tree numbers."""

import graphlib
import timeit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlp.knowledge.artefact import manifest
from dlp.knowledge.compile.mesh import Descriptor, ancestors_of, parents_of, without_cycles
from dlp.knowledge.mesh import load_mesh, sd, subsumers

MESH = load_mesh()
somewhere = st.integers(0, len(MESH) - 1)


def found(term):
    return [MESH.name(index) for index in MESH.find(term)]


def test_the_whole_thesaurus_is_there():
    assert len(MESH) == 30_764
    facts = manifest()["mesh"]
    assert (facts["entry_terms"], facts["tree_positions"]) == (137_409, 64_457)


@pytest.mark.parametrize(
    "term, name",
    [
        ("Lung Neoplasms", "Lung Neoplasms"),
        ("Neoplasms, Lung", "Lung Neoplasms"),
        ("lung neoplasm", "Lung Neoplasms"),
        ("heart attack", "Myocardial Infarction"),
        ("oedema", "Edema"),
        ("anaemia", "Anemia"),
        ("Coeliac   disease", "Celiac Disease"),
        ("Crohn’s disease", "Crohn Disease"),
        ("non insulin-dependent diabetes mellitus", "Diabetes Mellitus, Type 2"),
        ("D003924", "Diabetes Mellitus, Type 2"),
        ("Ménière disease", "Meniere Disease"),
        ("AIDS", "Acquired Immunodeficiency Syndrome"),
    ],
)
def test_a_term_is_found_in_any_order_number_and_spelling(term, name):
    assert found(term)[0] == name


@pytest.mark.parametrize("term", ["", "  ,;", "no such illness exists", "D999999"])
def test_an_unknown_term_is_found_nowhere(term):
    assert MESH.find(term) == ()


@given(somewhere)
def test_every_name_finds_its_descriptor(index):
    assert index in MESH.find(MESH.name(index))
    assert MESH.index(MESH.ids[index]) == index


@given(somewhere)
def test_entry_terms_find_their_descriptor(index):
    assert all(index in MESH.find(term) for term in MESH.terms(index))


@given(somewhere)
def test_ancestors_are_the_closure_of_parents(index):
    above = set(MESH.ancestors(index).tolist())
    expected = set()
    for parent in MESH.parents(index).tolist():
        expected |= {parent, *MESH.ancestors(parent).tolist()}
        assert index in MESH.children(parent).tolist()
    assert above == expected
    assert index not in above
    assert all(MESH.is_a(index, other) for other in above)
    assert MESH.is_a(index, index)


@given(somewhere)
def test_is_a_and_descendants_agree(index):
    below = set(MESH.descendants(index)[:20].tolist())
    assert all(MESH.is_a(other, index) and not MESH.is_a(index, other) for other in below)


def test_the_graph_has_no_cycle():
    edges = {index: MESH.parents(index).tolist() for index in range(len(MESH))}
    assert sum(1 for _ in graphlib.TopologicalSorter(edges).static_order()) == len(MESH)


def test_a_descriptor_under_its_own_descendant_keeps_the_shallow_one_on_top():
    upper = Descriptor("D1", "Upper", (), ("C01", "C01.1.2"))
    lower = Descriptor("D2", "Lower", (), ("C01.1",))
    parents = parents_of([upper, lower])
    assert parents == [[1], [0]]
    assert without_cycles(parents, [1, 2]) == [[], [0]]
    assert ancestors_of([[], [0]]) == [[], [0]]


def test_categories_and_depth():
    anorexia = MESH.find("Anorexia Nervosa")[0]
    assert MESH.categories(anorexia) == ("F03",)
    assert MESH.depth(MESH.find("Neoplasms")[0]) == 1
    assert set(MESH.categories(MESH.find("Lung Neoplasms")[0])) == {"C04", "C08"}


def test_ancestors_take_under_two_microseconds():
    index = MESH.index("D003924")
    assert min(timeit.repeat(lambda: MESH.ancestors(index), number=2000, repeat=5)) / 2000 < 2e-6


@given(somewhere, somewhere)
def test_distance_is_symmetric_bounded_and_zero_only_for_itself(a, b):
    assert sd(a, b) == sd(b, a)
    assert 0 <= sd(a, b) < 1
    assert (sd(a, b) == 0) == (a == b)


@given(somewhere)
def test_a_parent_is_nearer_than_the_root_of_its_tree(index):
    above = MESH.ancestors(index).tolist()
    nearest = min((sd(index, other) for other in MESH.parents(index).tolist()), default=0.0)
    assert all(nearest <= sd(index, other) + 1e-9 for other in above)
    assert subsumers(index) > set(above)
