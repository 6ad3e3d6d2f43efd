"""Distances, centroids and order are those of the published worked example, to its digits."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dlp.sanitise.tables.columns import build_column
from dlp.sanitise.tables.distance import ListedPairs, MatrixPairs, collect
from dlp.sanitise.tables.records import Records
from dlp.sanitise.tables.scale import SemanticScale
from dlp.sanitise.tables.taxonomies import ANY, IcdCodes, Known, MeshTerms, Paths, PlaceNames, Words

ABOVE = {
    "asbestosis": "degenerative disorder",
    "amyotrophia": "X",
    "myofibrosis": "X",
    "X": "degenerative disorder",
    "degenerative disorder": ANY,
    "allergy": "Y",
    "squint": "Y",
    "Y": ANY,
}


class Diseases:
    """The example's taxonomy: an ancestor can itself be a value."""

    name = "diseases"

    def find(self, value):
        return value if value in ABOVE else None

    def subsumers(self, node):
        found = {node}
        while node != ANY:
            node = ABOVE[node]
            found.add(node)
        return frozenset(found)

    def label(self, node):
        return node


WEIGHTS = {
    "asbestosis": 3,
    "degenerative disorder": 2,
    "amyotrophia": 2,
    "myofibrosis": 2,
    "allergy": 3,
    "squint": 1,
}


@pytest.fixture
def scale():
    return SemanticScale(collect(list(WEIGHTS), Known(Diseases())))


@pytest.mark.parametrize(
    "left, right, printed",
    [
        ("asbestosis", "degenerative disorder", "0.42"),
        ("amyotrophia", "myofibrosis", "0.49"),
        ("amyotrophia", "degenerative disorder", "0.58"),
        ("myofibrosis", "degenerative disorder", "0.58"),
        ("allergy", "squint", "0.58"),
        ("asbestosis", "amyotrophia", "0.68"),
        ("asbestosis", "myofibrosis", "0.68"),
        ("allergy", "degenerative disorder", "0.81"),
        ("squint", "degenerative disorder", "0.81"),
        ("asbestosis", "allergy", "0.85"),
        ("asbestosis", "squint", "0.85"),
        ("amyotrophia", "allergy", "0.87"),
        ("amyotrophia", "squint", "0.87"),
        ("myofibrosis", "allergy", "0.87"),
    ],
)
def test_distances_are_the_printed_ones(scale, left, right, printed):
    names = list(WEIGHTS)
    found = scale.between(names.index(left), np.array([names.index(right)], dtype=np.int32))
    assert f"{found[0]:.2f}" == printed


def test_the_centroid_is_the_printed_one_with_its_sums(scale):
    names, weights = list(WEIGHTS), np.array(list(WEIGHTS.values()))
    codes = np.arange(len(names), dtype=np.int32)
    centre = scale.centres(np.zeros(len(names), dtype=np.int64), codes, weights, 1)
    assert scale.write(centre[0]) == "degenerative disorder"
    assert scale.tally(codes, weights).centre() == centre[0]
    sums = {name: float(weights @ scale.between(names.index(name), codes)) for name in names}
    assert f"{sums['degenerative disorder']:.2f}" == "6.81"
    assert f"{sums['asbestosis']:.2f}" == "6.93"
    assert f"{sums['allergy']:.2f}" == "8.24"


def test_sorting_starts_at_the_record_farthest_from_the_centroid(scale):
    names = list(WEIGHTS)
    codes = np.arange(len(names), dtype=np.int32)
    records = Records((codes,), np.ones(len(names), dtype=np.int64), (scale,))
    order = [names[at] for at in records.sort()]
    assert order[0] in {"allergy", "squint"}
    assert {order[0], order[1]} == {"allergy", "squint"}
    assert order[2] == "degenerative disorder"


TAXONOMIES = {
    "MeSH": (MeshTerms, ["Asthma", "flu", "Neuropathy due to type 2 diabetes mellitus", "Stroke"]),
    "ICD-9": (lambda: IcdCodes("ICD-9"), ["250.01", "250", "4280", "V85.4", "E849.0", "nonsense"]),
    "ICD-10": (lambda: IcdCodes("ICD-10"), ["E11.65", "E11", "I50.9", "O9A.1", "S72.001A"]),
    "WordNet": (Words, ["nurse", "engineer", "husband", "xqzt"]),
    "places": (PlaceNames, ["01940", "01945", "Boston", "CA", "M5V 2T6", "47677"]),
    "paths": (lambda: Paths("p", {"a": ["A", "*"], "b": ["A", "*"], "c": ["C"]}), ["a", "b", "c"]),
}


@pytest.mark.parametrize("name", TAXONOMIES)
def test_distance_is_symmetric_nought_on_itself_and_below_one(name):
    make, values = TAXONOMIES[name]
    nodes = collect(values, Known(make()))
    matrix = MatrixPairs(nodes).matrix
    assert np.array_equal(matrix, matrix.T)
    assert (np.diag(matrix) == 0).all()
    assert matrix.min() >= 0
    assert matrix.max() < 1
    assert nodes.labels[: len(values)] == tuple(values)


@pytest.mark.parametrize("name", TAXONOMIES)
def test_distances_worked_out_equal_distances_kept(name):
    make, values = TAXONOMIES[name]
    nodes = collect(values, Known(make()))
    kept, listed = MatrixPairs(nodes), ListedPairs(nodes)
    every = np.arange(len(nodes), dtype=np.int32)
    for node in range(len(nodes)):
        assert np.allclose(kept.row(node, every), listed.row(node, every), atol=1e-6)
    both = listed.many(every[:, None], every[None, :])
    assert np.allclose(kept.matrix, both, atol=1e-6)


def test_codes_near_in_the_classification_are_near():
    column = build_column("dx", "icd9", ["250.01", "250.02", "250.10", "244.9", "428.0"])
    one = column.scale.between(0, np.arange(5, dtype=np.int32))
    assert list(np.argsort(one, kind="stable")) == [0, 1, 2, 3, 4]
    assert one[1] < one[2] < one[3] < one[4]


def test_two_spellings_of_a_concept_are_no_distance_apart():
    column = build_column("dx", "terms", ["Heart attack", "Myocardial Infarction", "Asthma"])
    apart = column.scale.between(0, np.arange(3, dtype=np.int32))
    assert apart[0] == apart[1] == 0 < apart[2]


def test_a_town_means_the_one_where_its_neighbours_lie():
    towns = ["Worcester", "Springfield", "Lowell", "Cambridge", "Quincy"]
    taxonomy = PlaceNames(towns)
    assert all("state:US/MA" in taxonomy.subsumers(taxonomy.find(town)) for town in towns)


NUMBERS = st.lists(st.one_of(st.none(), st.integers(-1000, 1000)), min_size=2, max_size=30)


@given(NUMBERS)
@settings(max_examples=60, deadline=None)
def test_numbers_are_compared_by_their_share_of_the_range(cells):
    column = build_column("n", "number", cells)
    known = [cell for cell in cells if cell is not None]
    spread = (max(known) - min(known)) or 1 if known else 1
    for at, base in enumerate(cells):
        point = column.scale.point_of(column.codes[at : at + 1])[0]
        found = column.scale.between(float(point), column.codes)
        for cell, distance in zip(cells, found, strict=True):
            if base is None or cell is None:
                assert distance == (base is not cell)
            else:
                assert distance == pytest.approx(abs(base - cell) / spread, abs=1e-6)


@given(st.lists(st.sampled_from("abcdef"), min_size=1, max_size=25), st.integers(1, 2))
@settings(max_examples=60, deadline=None)
def test_centroids_found_together_are_those_found_one_by_one(cells, power):
    paths = Paths(
        "p", {"a": ["A", "R"], "b": ["A", "R"], "c": ["C", "R"], "d": ["C", "R"], "e": []}
    )
    column = build_column("x", "h", cells, taxonomy=paths)
    group = np.arange(len(cells)) % 3
    count = min(3, len(cells))
    weights = np.arange(1, len(cells) + 1)
    points = column.scale.centres(group, column.codes, weights, count, power)
    everything = np.arange(len(column.scale.nodes))
    for one in range(count):
        mine = group == one
        cost = [
            float(weights[mine] @ column.scale.between(node, column.codes[mine]) ** power)
            for node in everything
        ]
        assert cost[int(points[one])] == pytest.approx(min(cost), abs=1e-4)
