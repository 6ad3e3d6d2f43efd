"""Whoever is easier to point at, and whatever matters more, scores higher: 80 pairs we are sure of."""

import pytest

from dlp.knowledge.mesh import load_mesh
from dlp.knowledge.name_frequencies import EVERYBODY
from dlp.knowledge.sensitivity import rare_headings
from dlp.measure.condition_rarity import load_rarity
from dlp.measure.privacy import load_measure
from dlp.model import Fact, Kind, Subject

MEASURE = load_measure()
MESH = load_mesh()
RARITY = load_rarity(MESH)


def somebody(**known):
    return Subject(id="x", **known)


def said(*terms, context=()):
    """Facts by MeSH name; a leading > marks a drug, ~ a test or procedure."""
    facts = []
    for term in terms:
        kind = {">": Kind.DRUG, "~": Kind.TEST}.get(term[0], Kind.DISEASE)
        name = term.lstrip(">~")
        found = MESH.find(name)
        facts.append(Fact(kind, MESH.ids[found[0]] if found else name, frozenset(context)))
    return tuple(facts)


WHO = [
    # from the paper
    (dict(first="Tom", places=("Toronto",), has_address=True), dict(first="Tom")),
    (dict(first="Burt"), dict(first="David")),
    # names
    (dict(first="Meehai"), dict(first="John")),
    (dict(first="John", last="Smith"), dict(first="John")),
    (dict(first="John", last="Smith"), dict(last="Smith")),
    (dict(first="John", last="Whitcombe"), dict(first="John", last="Smith")),
    (dict(first="Zelda", last="Smith"), dict(first="Mary", last="Smith")),
    (dict(last="Abernathy"), dict(last="Johnson")),
    (dict(last="Xyzzyqvist"), dict(last="Abernathy")),
    (dict(first="Khaled", last="Garcia"), dict(first="Maria", last="Garcia")),
    # places
    (dict(first="John", places=("Ottawa",)), dict(first="John", places=("New York",))),
    (dict(first="John", places=("Fredericton",)), dict(first="John", places=("Ottawa",))),
    (dict(first="John", places=("Toronto",)), dict(first="John", places=("Canada",))),
    (dict(first="John", places=("Canada",)), dict(first="John")),
    (dict(first="John", places=("Vermont",)), dict(first="John", places=("California",))),
    (dict(first="John", places=("02115",)), dict(first="John", places=("Boston",))),
    (dict(first="John", places=("K1H 8L1",)), dict(first="John", places=("Ottawa",))),
    (dict(first="John", places=("Boston",), has_address=True), dict(first="John", places=("Boston",))),
    (dict(places=("Boston", "02115")), dict(places=("Boston",))),
    # birth and age
    (dict(first="John", birth_date="1961-03-07"), dict(first="John", birth_date="1961-03")),
    (dict(first="John", birth_date="1961-03"), dict(first="John", birth_date="1961")),
    (dict(first="John", birth_date="1961"), dict(first="John")),
    (dict(first="John", age=104), dict(first="John", age=40)),
    (dict(first="John", age=40), dict(first="John")),
    (dict(age=95, places=("Boston",)), dict(age=30, places=("Boston",))),
    (dict(first="Ethel", age=12), dict(first="Ethel", age=90)),
    (dict(first="Jayden", age=80), dict(first="Jayden", age=12)),
    # sex: a name tells it already
    (dict(places=("Boston",), sex="f"), dict(places=("Boston",))),
    (dict(first="John", sex="f"), dict(first="John", sex="m")),
    (dict(first="Robin", sex="f"), dict(first="Robin")),
    # direct identifiers
    (dict(direct=frozenset({"us-ssn"})), dict(first="John", last="Smith", birth_date="1961-03-07")),
    (dict(first="John", direct=frozenset({"email"})), dict(first="John", last="Smith")),
    # occupation
    (dict(first="John", places=("Boston",), occupation="welder"), dict(first="John", places=("Boston",))),
    # combinations
    (dict(last="Smith", birth_date="1961-03-07", places=("Boston",)), dict(last="Smith", places=("Boston",))),
    (dict(first="Burt", places=("Tulsa",)), dict(first="David", places=("Tulsa",))),
]  # fmt: skip


@pytest.mark.parametrize("more,less", WHO)
def test_whoever_is_easier_to_point_at_scores_higher(more, less):
    score = {
        name: MEASURE.score(somebody(**who)).identifiability
        for name, who in (("more", more), ("less", less))
    }
    assert score["more"] > score["less"]


WHAT = [
    # from the paper
    (["Heart Diseases"], ["Common Cold"]),
    (["HIV Infections"], ["Heart Diseases"]),
    # more about diseases
    (["Schizophrenia"], ["Asthma"]),
    (["Syphilis"], ["Influenza, Human"]),
    (["Alcoholism"], ["Hypertension"]),
    (["Opioid-Related Disorders"], ["Migraine Disorders"]),
    (["Breast Neoplasms"], ["Sinusitis"]),
    (["Bipolar Disorder"], ["Arthritis"]),
    (["Huntington Disease"], ["Gout"]),
    (["Gonorrhea"], ["Otitis Media"]),
    (["Acquired Immunodeficiency Syndrome"], ["Diabetes Mellitus"]),
    (["Suicide, Attempted"], ["Back Pain"]),
    (["Infertility, Female"], ["Hay Fever"]),
    (["Erectile Dysfunction"], ["Common Cold"]),
    (["Dementia"], ["Cough"]),
    (["Hepatitis C"], ["Headache"]),
    (["Epilepsy"], ["Pharyngitis"]),
    (["Anorexia Nervosa"], ["Obesity"]),
    (["Lung Neoplasms"], ["Bronchitis"]),
    (["Tuberculosis"], ["Fever"]),
    (["Depressive Disorder, Major"], ["Sprains and Strains"]),
    (["Heart Diseases", "Asthma"], ["Heart Diseases"]),
    (["HIV Infections", "Alcoholism"], ["HIV Infections"]),
    # drugs and tests stand for diseases
    ([">zidovudine"], [">aspirin"]),
    ([">lithium carbonate"], [">amoxicillin"]),
    ([">methadone"], [">ibuprofen"]),
    ([">buprenorphine"], [">loratadine"]),
    ([">clozapine"], [">metformin"]),
    ([">disulfiram"], [">omeprazole"]),
    ([">mifepristone"], [">salbutamol"]),
    ([">donepezil"], [">cetirizine"]),
    ([">zidovudine", ">lamivudine"], [">lamivudine"]),
    ([">metformin", ">insulin"], [">amoxicillin"]),
    (["~CD4 Lymphocyte Count"], ["~Blood Cell Count"]),
    (["~Electroconvulsive Therapy"], ["~Electrocardiography"]),
]  # fmt: skip


@pytest.mark.parametrize("more,less", WHAT)
def test_whatever_matters_more_scores_higher(more, less):
    graver, lighter = (
        MEASURE.score(somebody(facts=said(*facts))).sensitivity for facts in (more, less)
    )
    assert graver > lighter


HOW = [
    ((), ("negated",)), ((), ("family",)), ((), ("hypothetical",)), ((), ("uncertain",)), ((), ("general",)),
    (("uncertain",), ("hypothetical",)), (("historical",), ("family",)), (("family",), ("general",)),
    (("historical",), ("negated",)),
]  # fmt: skip


@pytest.mark.parametrize("firm,loose", HOW)
@pytest.mark.parametrize("disease", ["HIV Infections", "Asthma"])
def test_context_takes_weight_away(firm, loose, disease):
    surer, vaguer = (
        MEASURE.score(somebody(facts=said(disease, context=c))).sensitivity for c in (firm, loose)
    )
    assert surer > vaguer


def test_a_cocktail_of_antiretrovirals_says_hiv():
    drugs = MEASURE.score(
        somebody(facts=said(">zidovudine", ">lamivudine", ">efavirenz"))
    ).sensitivity
    named = MEASURE.score(somebody(facts=said("HIV Infections"))).sensitivity
    assert drugs == pytest.approx(named, abs=0.02)


def test_a_negative_hiv_test_is_still_sensitive():
    assert (
        MEASURE.score(somebody(facts=said("HIV Infections", context=("negated",)))).sensitivity
        > 0.2
    )
    assert MEASURE.score(somebody(facts=said("Asthma", context=("negated",)))).sensitivity == 0


def test_a_rare_disease_narrows_down_who_is_meant():
    rare, common = (
        MEASURE.score(
            somebody(first="John", places=("Boston",), facts=said(disease))
        ).identifiability
        for disease in ("Huntington Disease", "Hypertension")
    )
    assert rare > common


def test_every_step_is_said_in_words():
    steps = MEASURE.score(
        somebody(first="Tom", places=("Toronto",), facts=said("Asthma"))
    ).explanation
    assert [step.split(" ", 1)[1] for step in steps[:4]] == [
        "people in the world", "in Canada", "in Ontario", "in a city",
    ]  # fmt: skip
    assert any("first name" in step for step in steps)
    assert any(step.startswith("Asthma") for step in steps)
    assert not any("Tom" in step for step in steps)


def test_a_disease_kept_as_a_supplementary_record_is_rarer_than_most():
    concept = min(c for c in rare_headings() if RARITY.rarest([c])[0].middle < 1)
    known = {"first": "John", "places": ("Boston",)}
    rare = MEASURE.score(somebody(**known, facts=(Fact(Kind.DISEASE, concept),)))
    common = MEASURE.score(somebody(**known, facts=said("Hypertension")))
    assert rare.identifiability > common.identifiability
    assert not any(concept in step for step in rare.explanation)


def test_a_drug_kept_as_a_supplementary_record_finds_nobody():
    records = {c: [MESH.index(h) for h in known] for c, known in rare_headings().items()}
    drugs = [c for c, nodes in records.items() if nodes and all(map(is_chemical, nodes))]
    assert len(drugs) > 100
    assert {RARITY.rarest([drug]) for drug in drugs} == {(EVERYBODY, "")}


def is_chemical(node):
    return all(category[0] in "DJ" for category in MESH.categories(node))
