"""Drugs, procedures and tests imply the conditions they disclose; every name is a real heading."""

import tomllib

import pytest

from dlp.errors import KnowledgeError
from dlp.knowledge.artefact import load
from dlp.knowledge.inference import FILE, TABLES, load_inference, read_rules
from dlp.knowledge.mesh import load_mesh
from dlp.knowledge.sensitivity import load_sensitivity, rare_headings
from dlp.resources import artefacts_folder, rules_folder

MESH = load_mesh()
RULES = load_inference()
TABLE = load_sensitivity()
TEXT = tomllib.loads((rules_folder() / FILE).read_text())


def implied(term):
    return {MESH.name(MESH.index(d)): share for d, share in RULES.implied(term)}


def test_there_are_enough_lines():
    assert len(TEXT["drug"]) >= 600
    assert len(TEXT["procedure"]) >= 150


def test_every_name_is_a_heading_or_a_numbered_record():
    for table in ("drug", "procedure", "alone"):
        for name in TEXT[table]:
            assert MESH.find(name) or TEXT["id"][name][0] in "CD", name
    headings = {d for t in TABLES for s in TEXT[t].values() for d in s}
    assert [h for h in headings if h not in {MESH.name(i) for i in MESH.find(h)}] == []


def test_no_two_lines_speak_of_the_same_concept():
    rules = read_rules(rules_folder() / FILE, MESH)
    assert len(rules.by_concept) == sum(len(TEXT[t]) for t in ("drug", "procedure", "alone"))
    assert len(rules.by_phrase) == len(TEXT["phrase"])


def test_no_share_exceeds_one():
    for concept in read_rules(rules_folder() / FILE, MESH).by_concept:
        shares = [share for _, share in RULES.implied(concept)]
        assert 0 < sum(shares) <= 1 + 1e-9


@pytest.mark.parametrize(
    "term, disease, share",
    [
        ("dolutegravir", "HIV Infections", 0.9),
        ("darunavir", "HIV Infections", 0.9),
        ("abacavir, dolutegravir, and lamivudine drug combination", "HIV Infections", 1.0),
        ("Antiretroviral Therapy, Highly Active", "HIV Infections", 1.0),
        ("CD4 count", "HIV Infections", 0.9),
        ("HIV western blot", "HIV Infections", 0.7),
        ("methadone", "Opioid-Related Disorders", 0.7),
        ("buprenorphine", "Opioid-Related Disorders", 0.7),
        ("methadone clinic", "Opioid-Related Disorders", 1.0),
        ("disulfiram", "Alcoholism", 0.9),
        ("acamprosate", "Alcoholism", 0.9),
        ("lithium", "Bipolar Disorder", 0.8),
        ("clozapine", "Schizophrenia", 0.9),
        ("chlamydia NAAT", "Sexually Transmitted Diseases", 0.5),
        ("mifepristone", "Pregnancy, Unwanted", 0.8),
        ("Abortion, Induced", "Pregnancy, Unwanted", 0.9),
        ("clomiphene", "Infertility, Female", 0.8),
        ("donepezil", "Alzheimer Disease", 0.8),
        ("Renal Dialysis", "Kidney Failure, Chronic", 0.8),
        ("Electroconvulsive Therapy", "Depressive Disorder, Major", 0.7),
        ("isotretinoin", "Acne Vulgaris", 0.9),
        ("metformin", "Diabetes Mellitus, Type 2", 0.8),
        ("BRCA testing", "Hereditary Breast and Ovarian Cancer Syndrome", 0.3),
        ("nirmatrelvir", "COVID-19", 0.9),
    ],
)
def test_what_must_be_implied(term, disease, share):
    assert implied(term)[disease] >= share


def test_a_name_an_id_and_a_supplementary_number_agree():
    assert RULES.implied("metformin") == RULES.implied("Metformin") == RULES.implied("D008687")
    assert RULES.implied("dolutegravir") == RULES.implied("C562325") != ()


def test_a_heading_without_a_line_takes_the_nearest_broader_one():
    human = RULES.explain("Insulin, Regular, Human")
    assert human.pairs == RULES.implied("insulin")
    assert human.source == "curated for Insulin"


def test_a_broad_heading_may_keep_its_line_to_itself():
    assert "Neoplasms" in implied("Drug Therapy")
    assert "Neoplasms" not in implied("Polypharmacy")


def test_medline_completes_what_is_not_curated():
    source = load("inference", artefacts_folder())
    curated = read_rules(rules_folder() / FILE, MESH).by_concept
    fresh = [d for d in source.strings("drug").all() if d not in curated]
    derived = [RULES.explain(drug) for drug in fresh]
    assert any(implication.source.startswith("MEDLINE") for implication in derived)
    assert all(sum(share for _, share in i.pairs) <= 1 + 1e-9 for i in derived)


def test_what_implies_nothing_is_not_sensitive():
    for term in ("HIV Infections", "Sodium Chloride", "no such thing", ""):
        assert RULES.implied(term) == ()
        assert RULES.sensitivity(term, TABLE) == 0


def test_sensitivity_is_the_weighted_sum():
    expected = sum(TABLE.of(d) * share for d, share in RULES.implied("methadone"))
    assert RULES.sensitivity("methadone", TABLE) == pytest.approx(expected)
    assert RULES.sensitivity("dolutegravir", TABLE) == pytest.approx(TABLE.of("D015658"))
    assert RULES.sensitivity("loratadine", TABLE) < RULES.sensitivity("clozapine", TABLE)


@pytest.mark.parametrize(
    "term, category",
    [
        ("dolutegravir", "hiv"),
        ("clozapine", "mental"),
        ("naltrexone", "substance"),
        ("mifepristone", "reproductive"),
        ("Syphilis Serodiagnosis", "std"),
        ("sildenafil citrate", "sexual"),
        ("Genetic Testing", "genetic"),
        ("SANE exam", "abuse"),
        ("lisinopril", ""),
    ],
)
def test_the_protected_group_follows_what_is_implied(term, category):
    assert RULES.category(term, TABLE) == category


def test_a_rare_disease_outside_the_tree_has_the_value_of_its_headings():
    rare = rare_headings()
    assert len(rare) > 3000
    concept, headings = next((c, h) for c, h in rare.items() if h == ("D013132",))
    assert headings
    assert TABLE.of(concept) == TABLE.of("D013132") > 0
    assert TABLE.category(concept) == TABLE.category("D013132")
    judged = next(c for c, h in rare.items() if len(h) == 1 and h[0] in TABLE.judgements)
    heading = MESH.name(MESH.index(rare[judged][0]))
    assert TABLE.source(judged).startswith(f"inherited from {heading}")


def test_a_site_changes_and_adds_lines(tmp_path):
    own = tmp_path / "inference.toml"
    own.write_text(
        '[drug]\nmetformin = {"Polycystic Ovary Syndrome" = 0.9}\n'
        '[phrase]\n"Tuesday clinic" = {"HIV Infections" = 0.9}\n'
    )
    site = load_inference(own)
    assert dict(site.implied("metformin")) == {"D011085": 0.9}
    assert dict(site.implied("tuesday clinic")) == {"D015658": 0.9}
    assert site.implied("clozapine") == RULES.implied("clozapine")


@pytest.mark.parametrize(
    "text, says",
    [
        ('[drug]\nmetformin = {"Dragon Pox" = 0.5}\n', "Dragon Pox"),
        ('[drug]\nphlogiston = {"Gout" = 0.5}\n', "phlogiston"),
        ('[drug]\nmetformin = {"Gout" = 0.7, "Anemia" = 0.7}\n', "more than 1"),
        ('[drug]\nmetformin = {"Gout" = 0}\n', "share"),
        ('[drug]\nmetformin = {"Gout" = "often"}\n', "share"),
        ("[drug]\nmetformin = 3\n", "metformin"),
        ("[drugs]\n", "unknown table"),
        ("[drug\n", "cannot be read"),
    ],
)
def test_a_malformed_site_table_is_refused_by_name(tmp_path, text, says):
    own = tmp_path / "inference.toml"
    own.write_text(text)
    with pytest.raises(KnowledgeError, match=says):
        load_inference(own)
