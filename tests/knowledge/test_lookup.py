"""What people type finds its concept, and distance orders pairs as a physician would."""

import pytest

from dlp.knowledge.concept_lookup import UnknownTermError, distance, meanings

NEAR = [
    ("renal failure", "kidney failure"),
    ("renal insufficiency", "kidney failure, chronic"),
    ("heart attack", "myocardial infarction"),
    ("rheumatoid arthritis", "osteoarthritis"),
    ("hepatitis B", "hepatitis C"),
    ("type 1 diabetes", "type 2 diabetes"),
    ("schizophrenia", "psychosis"),
    ("gonorrhea", "chlamydia infections"),
    ("lung cancer", "lung neoplasms"),
    ("crohn disease", "ulcerative colitis"),
    ("migraine", "cluster headache"),
    ("heroin dependence", "morphine dependence"),
    ("asthma", "bronchial spasm"),
    ("major depression", "dysthymic disorder"),
    ("lisinopril", "enalapril"),
]
FAR = [
    ("rectal polyp", "aorta"),
    ("acne", "syringe"),
    ("appendicitis", "osteoporosis"),
    ("depression", "cellulitis"),
    ("cortisone", "total knee replacement"),
    ("cholangiocarcinoma", "colonoscopy"),
    ("multiple sclerosis", "psychosis"),
    ("hiv infections", "myopia"),
    ("metformin", "hysterectomy"),
    ("asthma", "gout"),
    ("pregnancy", "lithium"),
    ("epilepsy", "hemorrhoids"),
    ("schizophrenia", "hip fractures"),
    ("insulin", "electroencephalography"),
    ("deafness", "leukemia"),
]


def test_fifteen_near_pairs_are_nearer_than_fifteen_far_pairs():
    near = {pair: distance(*pair)[0] for pair in NEAR}
    far = {pair: distance(*pair)[0] for pair in FAR}
    assert max(near.values()) < min(far.values()), (near, far)


def test_distance_is_symmetric_and_zero_for_synonyms():
    assert distance("gout", "asthma")[0] == distance("asthma", "gout")[0]
    assert distance("Kidney Failure, Chronic", "end stage renal disease")[0] == 0
    assert distance("D015658", "HIV Infections")[0] == 0
    assert 0 < distance("aorta", "metformin")[0] < 1


@pytest.mark.parametrize(
    "term, heading",
    [
        ("D015658", "HIV Infections"),
        ("end stage renal disease", "Kidney Failure, Chronic"),
        ("neoplasms, lung", "Lung Neoplasms"),
        ("Crohn's disease", "Crohn Disease"),
        ("diarrhoea", "Diarrhea"),
        ("severe asthma", "Asthma"),
        ("heart attack", "Myocardial Infarction"),
        ("COPD", "Pulmonary Disease, Chronic Obstructive"),
    ],
)
def test_a_term_finds_its_heading(term, heading):
    assert meanings(term)[0].name == heading


@pytest.mark.parametrize(
    "term, heading",
    [
        ("lung cancer", "Lung Neoplasms"),
        ("HIV", "HIV Infections"),
        ("Prozac", "Fluoxetine"),
        ("kidney failure", "Renal Insufficiency"),
        ("miscarriage", "Abortion, Spontaneous"),
    ],
)
def test_a_word_of_everyday_or_of_the_pharmacy_finds_its_heading(term, heading):
    assert meanings(term)[0].name == heading


def test_a_substance_outside_the_tree_lies_under_its_headings():
    (meaning,) = meanings("dolutegravir")
    assert meaning.concept == "C562325"
    assert len(meaning.nodes) > 1
    value = distance("dolutegravir", "bictegravir")[0]
    assert 0 < value < distance("dolutegravir", "Penicillins")[0]


def test_a_word_that_only_begins_headings_means_them_all():
    names = {meaning.name for meaning in meanings("abortion")}
    assert {"Abortion, Induced", "Abortion, Spontaneous"} <= names


def test_an_unknown_term_comes_with_suggestions():
    with pytest.raises(UnknownTermError) as caught:
        meanings("arthritiss")
    assert "Arthritis" in caught.value.nearest
    assert caught.value.exit_code == 2


def test_a_phrase_is_compared_by_its_known_part():
    assert distance("quaint asthma", "asthma")[0] == 0
    with pytest.raises(UnknownTermError):
        distance("one two three asthma", "gout")


@pytest.mark.parametrize("term", ["", "   ", "qwertzuiop", "severe"])
def test_nothing_is_invented(term):
    with pytest.raises(UnknownTermError):
        meanings(term)
