"""The five principles of the measure hold on MeSH itself, and the model meets published figures."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.measure import expected_unique_share
from dlp.knowledge.mesh import load_mesh
from dlp.knowledge.names import load_names
from dlp.knowledge.places import load_places
from dlp.measure.population import count
from dlp.measure.privacy import load_measure
from dlp.measure.sensitivity import fig4, heaviest
from dlp.model import Fact, Kind, Subject

MESH = load_mesh()
MEASURE = load_measure()
DISEASES = [
    i for i in range(len(MESH)) if any(c.startswith(("C", "F03")) for c in MESH.categories(i))
]
diseases = st.sampled_from(DISEASES)
sets = st.lists(diseases, min_size=1, max_size=6, unique=True)


def weight(*nodes):
    facts = tuple(Fact(Kind.DISEASE, MESH.ids[node]) for node in nodes)
    return MEASURE.score(Subject("x", facts=facts)).sensitivity


def near(node, draw):
    """The node with its relatives: knots of headings with several parents are where rules break."""
    parents = MESH.parents(node).tolist()
    return [*parents, *MESH.children(parents[0]).tolist()[:6]] if parents else []


@st.composite
def families(draw):
    node = draw(diseases)
    relatives = [n for n in near(node, draw) if n != node] or [node]
    return node, draw(st.lists(st.sampled_from(relatives), max_size=5, unique=True))


@settings(max_examples=300, deadline=None)
@given(families())
def test_more_facts_never_weigh_less(family):
    node, others = family
    together = weight(node, *others)
    assert 0 <= together <= 1
    assert together >= weight(*others) - 1e-9 if others else True
    assert together >= weight(node) - 1e-9


@settings(max_examples=300, deadline=None)
@given(diseases, st.data())
def test_a_broader_heading_adds_nothing(node, data):
    broader = [a for a in MESH.ancestors(node).tolist() if a in set(DISEASES)]
    if broader:
        above = data.draw(st.sampled_from(broader))
        assert weight(node, above) == pytest.approx(weight(node))
        assert weight(node) >= weight(above) - 1e-9


@settings(max_examples=300, deadline=None)
@given(families(), st.data())
def test_a_narrower_heading_never_weighs_less_in_company(family, data):
    node, company = family
    broader = MESH.parents(node).tolist()
    if broader and company:
        above = data.draw(st.sampled_from(broader))
        assert weight(node, *company) >= weight(above, *company) - 1e-9


def test_two_diseases_of_different_kinds_add_up_as_in_the_paper():
    assert pytest.approx(0.96) == 1 - (1 - 0.6) * (1 - 0.9)


def test_fig4_takes_the_gravest_until_the_probabilities_reach_one():
    assert fig4([(0.9, 0.6), (0.5, 0.6), (0.1, 0.9)]) == pytest.approx(0.9 * 0.6 + 0.5 * 0.4)
    assert fig4([]) == 0


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), max_size=12))
def test_fig4_stays_between_zero_and_the_gravest(pairs):
    assert 0 <= fig4(pairs) <= max((value for value, _ in pairs), default=0) + 1e-9


@given(st.lists(st.floats(0, 5), max_size=9), st.data())
def test_the_heaviest_set_is_the_heaviest(weights, data):
    n = len(weights)
    weights.sort(reverse=True)
    rivals = [0] * n
    for i in range(n):
        for j in range(i):
            if data.draw(st.booleans()):
                rivals[i] |= 1 << j
                rivals[j] |= 1 << i
    best = max(
        sum(weights[i] for i in range(n) if mask >> i & 1)
        for mask in range(1 << n)
        if all(not (mask >> i & 1 and mask & rivals[i]) for i in range(n))
    )
    chosen = heaviest(weights, rivals)
    assert math.isclose(sum(weights[i] for i in chosen), best, abs_tol=1e-9)
    assert all(not rivals[i] >> j & 1 for i in chosen for j in chosen)


@pytest.mark.parametrize(
    "kind,cells,published", [("zip", 365.25, 0.633), ("county", 365.25, 0.148), ("zip", 12, 0.042)]
)
def test_expected_uniqueness_comes_close_to_the_literature(kind, cells, published):
    areas = load_places().area_populations(kind)
    assert abs(expected_unique_share(areas, load_names().everyone, cells) - published) < 0.06


ODD = st.fixed_dictionaries({
    "first": st.text(max_size=12), "last": st.text(max_size=12), "sex": st.sampled_from(["", "f", "m", "?"]),
    "birth_date": st.sampled_from(["", "1961", "1961-13-45", "0000-00-00", "soon", "9999-01-01"]),
    "age": st.one_of(st.none(), st.integers(-5, 400)), "places": st.lists(st.text(max_size=8), max_size=3).map(tuple),
    "has_address": st.booleans(), "occupation": st.text(max_size=5),
})  # fmt: skip


@settings(deadline=None)
@given(ODD, st.lists(st.text(max_size=8), max_size=4))
def test_odd_evidence_is_bounded_and_explained(known, concepts):
    facts = tuple(Fact(Kind.DRUG, concept) for concept in concepts)
    person = MEASURE.score(Subject("x", facts=facts, **known))
    for value in (person.identifiability, person.sensitivity, person.privacy):
        assert 0 <= value <= 1
    assert person.explanation


def test_numbers_of_people_read_well():
    assert [count(n) for n in (7_950_000_000, 1204, 12, 2.345, 0.0001)] == [
        "7,950,000,000", "1,200", "12", "2.3", "fewer than 1 (1 in 10,000)",
    ]  # fmt: skip
