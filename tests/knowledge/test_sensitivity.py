"""The bundled table is consistent, covers what law protects, and gives sensible values everywhere."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dlp.errors import KnowledgeError
from dlp.knowledge.mesh import load_mesh
from dlp.knowledge.propagation import propagate
from dlp.knowledge.sensitivity import (
    CATEGORIES,
    FILE,
    Sensitivity,
    load_sensitivity,
    mesh_graph,
    read_judgements,
)
from dlp.resources import rules_folder
from tests.support.clock import least_cpu

MESH = load_mesh()
TABLE = load_sensitivity()
FIVE = {"Infections": 0.2, "Arthritis": 0.5, "Sarcoma": 0.9, "Cough": 0.3, "Anemia": 0.6}


def ident(name):
    (index,) = MESH.find(name)
    return MESH.ids[index]


def every_edge_rises(values):
    child, parent = mesh_graph(MESH).edges
    return bool((values[child] >= values[parent]).all())


def test_names_and_ids_agree():
    entries = read_judgements(rules_folder() / FILE, MESH)
    assert len(entries) >= 80
    for entry in entries:
        assert MESH.name(MESH.index(entry.concept)) == entry.name
        assert entry.reason, entry.name


def test_each_protected_category_is_used():
    used = Counter(judgement.category for judgement in TABLE.judgements.values())
    assert set(used) >= CATEGORIES


def test_the_bundled_table_is_in_order_on_every_edge():
    assert every_edge_rises(np.append(TABLE.values, 0.0))
    assert all(TABLE.of(c) == j.value for c, j in TABLE.judgements.items())


@pytest.mark.parametrize(
    "more, less",
    [
        ("HIV Infections", "Hepatitis C"),
        ("Gonorrhea", "Urinary Tract Infections"),
        ("Schizophrenia", "Anxiety Disorders"),
        ("Heroin Dependence", "Alcohol Drinking"),
        ("Lung Neoplasms", "Asthma"),
        ("Diabetes Mellitus, Type 2", "Common Cold"),
        ("Huntington Disease", "Migraine Disorders"),
        ("Abortion, Spontaneous", "Pregnancy"),
        ("Erectile Dysfunction", "Hypertension"),
        ("Common Cold", "Cough"),
        ("Panic Disorder", "Tension-Type Headache"),
        ("Carcinoma, Renal Cell", "Kidney Calculi"),
        ("Rape", "Accidental Falls"),
        ("AIDS-Associated Nephropathy", "Nephritis"),
    ],
)
def test_order_that_nobody_would_dispute(more, less):
    assert TABLE.of(ident(more)) > TABLE.of(ident(less))


@pytest.mark.parametrize(
    "term, category",
    [
        ("HIV Infections", "hiv"),
        ("HIV Wasting Syndrome", "hiv"),
        ("Neurosyphilis", "std"),
        ("Panic Disorder", "mental"),
        ("Crack Cocaine", ""),
        ("Opium Dependence", "substance"),
        ("Pre-Eclampsia", "reproductive"),
        ("Abortion, Habitual", "reproductive"),
        ("Tay-Sachs Disease", "genetic"),
        ("Transsexualism", "sexual"),
        ("Shaken Baby Syndrome", "abuse"),
        ("Common Cold", ""),
        ("Sleep Apnea, Obstructive", ""),
        ("Hypertension", ""),
    ],
)
def test_protected_categories_follow_the_tree(term, category):
    assert TABLE.category(ident(term)) == category


def test_an_unknown_concept_is_not_sensitive():
    assert TABLE.of("D999999999") == 0
    assert TABLE.category("D999999999") == ""
    assert TABLE.source("D999999999") == "no MeSH concept"


def test_the_five_values_of_the_paper_spread_in_order_and_in_time():
    expert = {MESH.index(ident(name)): value for name, value in FIVE.items()}
    graph = mesh_graph(MESH)
    result = propagate(graph, expert)
    assert least_cpu(lambda: propagate(graph, expert)) < 0.2
    assert all(result.values[node] == value for node, value in expert.items())
    assert every_edge_rises(result.values)
    assert result.values[MESH.index(ident("Osteosarcoma"))] == 0.9
    assert 0 < result.values[MESH.index(ident("Respiratory Tract Diseases"))] < 0.3


def test_the_whole_bundled_table_spreads_in_time():
    assert least_cpu(lambda: Sensitivity(TABLE.judgements.values(), MESH)) < 0.2


@given(st.integers(0, 2**32 - 1), st.sampled_from([5, 80, 600]))
@settings(max_examples=15, deadline=None)
def test_any_consistent_table_keeps_experts_and_orders_every_edge(seed, size):
    chance = np.random.default_rng(seed)
    chosen = chance.choice(len(MESH), size, replace=False).tolist()
    graph = mesh_graph(MESH)
    expert = {}
    for node in sorted(chosen, key=lambda node: graph.levels[node]):
        floor = max((expert[a] for a in MESH.ancestors(node).tolist() if a in expert), default=0.0)
        expert[node] = floor + (1 - floor) * float(chance.random()) ** 3
    values = propagate(graph, expert).values
    assert all(values[node] == value for node, value in expert.items())
    assert every_edge_rises(values)


def test_a_contradiction_names_both_concepts():
    with pytest.raises(KnowledgeError, match=r"Schizo.*more sensitive than Schizophrenia"):
        TABLE.but({ident("Schizophrenia"): 0.4})


def test_where_a_value_comes_from_can_be_read():
    assert TABLE.source(ident("HIV Infections")).startswith("expert")
    assert TABLE.source(ident("HIV Wasting Syndrome")).startswith("inherited from HIV Infections")
    assert TABLE.source(ident("Mood Disorders")).startswith("between Mental Disorders (0.35) and")
    assert TABLE.source(ident("Metformin")).startswith("no expert value")


def test_a_site_changes_and_adds_values(tmp_path):
    own = tmp_path / "sensitivity.toml"
    own.write_text(
        '[[concept]]\nname = "Gout"\nvalue = 0.55\n[[concept]]\nid = "D003371"\nvalue = 0.06\n'
    )
    site = load_sensitivity(own)
    assert site.of(ident("Gout")) == 0.55
    assert site.of("D003371") == 0.06
    assert site.of(ident("HIV Infections")) == TABLE.of(ident("HIV Infections"))


@pytest.mark.parametrize(
    "text, says",
    [
        ('[[concept]]\nname = "Gout"\nvalue = 1.5\n', "from 0 to 1"),
        ('[[concept]]\nname = "Gout"\nvalue = true\n', "from 0 to 1"),
        ('[[concept]]\nname = "Gout"\n', "from 0 to 1"),
        ('[[concept]]\nname = "Dragon pox"\nvalue = 0.5\n', "Dragon pox"),
        ('[[concept]]\nid = "D000000000"\nvalue = 0.5\n', "no MeSH concept"),
        ('[[concept]]\nname = "Gout"\nvalue = 0.5\ncolour = "red"\n', "holds only"),
        ('[[concept]]\nname = "Gout"\nvalue = 0.5\ncategory = "vip"\n', "category"),
        ('[[concept]]\nname = "Gout"\nvalue = 0.5\n' * 2, "twice"),
        ("concept = [1]\n", "entry 1"),
        ("[[concept]\n", "cannot be read"),
        ("", "cannot be read"),
    ],
)
def test_a_malformed_site_table_is_refused_by_name(tmp_path, text, says):
    own = tmp_path / "sensitivity.toml"
    own.write_text(text)
    with pytest.raises(KnowledgeError, match=says):
        load_sensitivity(own)
