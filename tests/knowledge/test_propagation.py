"""Propagation is the paper's on trees, and orders every edge of any graph without touching an expert.

The reference below follows the paper's Figure 1 line by line on a tree, with none of the shortcuts
of the product: pairs in a list, lengths by walking, re-anchoring by searching.
"""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dlp.errors import KnowledgeError
from dlp.knowledge.propagation import Graph, propagate


def reference(parent, expert):
    """Figure 1 of the paper; parent[i] is the parent of node i, None for the root."""
    label = dict(expert)
    label.setdefault(parent.index(None), 0.0)

    def way_up(node):
        walk = [node]
        while parent[walk[-1]] is not None:
            walk.append(parent[walk[-1]])
        return walk

    pairs = []
    for node in label:
        for length, above in enumerate(way_up(node)[1:], start=1):
            if above in label:
                if length > 1:
                    pairs.append((above, node))
                break
    while pairs:

        def increment(pair):
            top, bottom = pair
            return (label[bottom] - label[top]) / way_up(bottom).index(top)

        chosen = min(pairs, key=increment)
        top, bottom = chosen
        step = increment(chosen)
        between = way_up(bottom)[1 : way_up(bottom).index(top)]
        for distance, node in enumerate(reversed(between), start=1):
            label[node] = label[top] + step * distance
        pairs.remove(chosen)
        moved = []
        for above, node in pairs:
            nearest = next(a for a in way_up(node)[1:] if a in label) if above == top else above
            if way_up(node).index(nearest) > 1:
                moved.append((nearest, node))
        pairs = moved
    return [label[next(a for a in way_up(node) if a in label)] for node in range(len(parent))]


@st.composite
def trees(draw):
    size = draw(st.integers(1, 40))
    return [None] + [draw(st.integers(0, node - 1)) for node in range(1, size)]


@st.composite
def graphs(draw):
    """Parents precede children; several roots, several parents."""
    size = draw(st.integers(1, 40))
    return [
        sorted(draw(st.sets(st.integers(0, node - 1), max_size=4))) if node else []
        for node in range(size)
    ]


def ancestors(parents, node):
    found, queue = set(), list(parents[node])
    while queue:
        above = queue.pop()
        if above not in found:
            found.add(above)
            queue += parents[above]
    return found


@st.composite
def consistent_labels(draw, parents):
    """Values for some nodes, each at least that of its labelled ancestors."""
    labels = {}
    for node in range(len(parents)):
        if draw(st.booleans()) and draw(st.booleans()):
            floor = max((labels[a] for a in ancestors(parents, node) if a in labels), default=0.0)
            labels[node] = draw(st.floats(floor, 1.0)) if draw(st.booleans()) else floor
    return labels


@given(st.data(), trees())
@settings(max_examples=300, deadline=None)
def test_equals_the_paper_on_trees(data, tree):
    rows = [[] if above is None else [above] for above in tree]
    labels = data.draw(consistent_labels(rows))
    found = propagate(Graph.of(rows), labels).values
    assert np.allclose(found, reference(tree, labels), atol=1e-9)


@given(st.data(), graphs())
@settings(max_examples=500, deadline=None)
def test_every_edge_is_in_order_and_every_expert_is_kept(data, rows):
    labels = data.draw(consistent_labels(rows))
    found = propagate(Graph.of(rows), labels).values
    assert ((found >= 0) & (found <= 1)).all()
    assert all(found[node] == value for node, value in labels.items())
    assert all(found[node] >= found[above] for node, row in enumerate(rows) for above in row)


@given(st.data(), graphs())
@settings(max_examples=300, deadline=None)
def test_no_value_exceeds_a_label_below_and_the_rest_takes_the_largest_parent(data, rows):
    labels = data.draw(consistent_labels(rows))
    found = propagate(Graph.of(rows), labels).values
    above_a_label = set()
    for node, value in labels.items():
        for above in ancestors(rows, node):
            above_a_label.add(above)
            assert found[above] <= value
    for node, row in enumerate(rows):
        if node not in labels and node not in above_a_label:
            assert found[node] == max((found[above] for above in row), default=0.0)


@given(st.data(), graphs())
@settings(max_examples=300, deadline=None)
def test_a_contradiction_is_refused_and_both_concepts_are_named(data, rows):
    nodes = [node for node in range(len(rows)) if rows[node]]
    if not nodes:
        return
    node = data.draw(st.sampled_from(nodes))
    above = data.draw(st.sampled_from(sorted(ancestors(rows, node))))
    with pytest.raises(KnowledgeError) as caught:
        propagate(Graph.of(rows), {above: 0.7, node: 0.3}, name="<{}>".format)
    assert f"<{above}>" in str(caught.value)
    assert f"<{node}>" in str(caught.value)


@given(st.data(), graphs())
@settings(max_examples=200, deadline=None)
def test_every_value_can_say_where_it_comes_from(data, rows):
    labels = data.draw(consistent_labels(rows))
    result = propagate(Graph.of(rows), labels)
    for node in range(len(rows)):
        source = result.source(node)
        if source.kind == "between":
            low, high = (result.values[n] for n in source.nodes)
            assert low <= result.values[node] <= high
        elif source.kind == "inherited":
            assert result.values[node] == result.values[source.nodes[0]]
            assert source.nodes[0] in ancestors(rows, node)
        elif source.kind == "root":
            assert result.values[node] == 0
        else:
            assert result.values[node] == labels[node]


def test_the_order_of_filling_on_a_small_tree():
    #        0
    #        1
    #      2   3
    #      4   5 (0.4)
    #      6 (0.9)
    rows = [[], [0], [1], [1], [2], [3], [4]]
    result = propagate(Graph.of(rows), {5: 0.4, 6: 0.9})
    slow, rest = 0.4 / 3, (0.9 - 0.4 / 3) / 3
    expected = [0, slow, slow + rest, 2 * slow, slow + 2 * rest, 0.4, 0.9]
    assert np.allclose(result.values, expected)
    assert result.source(1).nodes == (0, 5)
    assert result.source(2).nodes == (1, 6)


def test_of_two_ways_down_the_longer_one_rises_slower():
    # 0 -> 1 -> 2 -> 3 and 0 -> 4 -> 3: the long way is filled first, each node keeps order
    rows = [[], [0], [1], [2, 4], [0]]
    found = propagate(Graph.of(rows), {3: 0.9}).values
    assert np.allclose(found, [0, 0.3, 0.6, 0.9, 0.45])


def test_a_value_outside_the_unit_interval_is_refused():
    for value in (-0.1, 1.1, math.nan):
        with pytest.raises(KnowledgeError):
            propagate(Graph.of([[], [0]]), {1: value})


def test_a_cycle_is_refused():
    with pytest.raises(KnowledgeError, match="its own ancestor"):
        propagate(Graph.of([[], [0, 2], [1]]), {2: 0.5})


def test_any_object_with_parents_will_do():
    class Ladder:
        def __len__(self):
            return 3

        def parents(self, node, /):
            return (node - 1,) if node else ()

    assert propagate(Ladder(), {2: 0.5}).values.tolist() == [0, 0.25, 0.5]
