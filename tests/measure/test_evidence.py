"""What a text says counts however it is laid out: pairs of texts, the more private one second."""

import io

import pytest

from dlp.assembly import Analysis
from dlp.config import Settings
from dlp.model import FileRef

ANALYSIS = Analysis(Settings())


def worst(text):
    record = ANALYSIS(FileRef("", b"note.txt"), io.BytesIO(text.encode()))
    return max((one["privacy"] for one in record["persons"]), default=0.0)


LESS_AND_MORE = {
    "a fact more in a list": (
        "FYI, Kenji Patel struggles with gallstones.",
        "FYI, Kenji Patel struggles with gallstones and hepatitis C.",
    ),
    "a fact more in a cell": (
        "Patient\tDiagnosis\nUriah Lindqvist\tpsoriasis",
        "Patient\tDiagnosis\nUriah Lindqvist\tpsoriasis and schizophrenia",
    ),
    "a stage in a cell": (
        "Patient,Diagnosis\nMarta Adams,stage I bladder cancer",
        "Patient,Diagnosis\nMarta Adams,stage III bladder cancer",
    ),
    "a stage inside a term": (
        "Klaus Ibarra has prostate cancer.",
        "Klaus Ibarra has metastatic prostate cancer.",
    ),
    "a stage of a kidney disease": (
        "Student: Yolanda Long\nHealth condition: chronic kidney disease",
        "Student: Yolanda Long\nHealth condition: stage II chronic kidney disease",
    ),
    "a form of tabs": (
        "Patient\tWanda Hale\nDiagnosis\tcataract",
        "Patient\tWanda Hale\nCity\tBoise, Idaho\nAge\t61\nDiagnosis\tcataract",
    ),
    "a form of dashes": (
        "Patient - Edith Reed\nDiagnosis - asthma",
        "Patient - Edith Reed\nAge - 54\nZIP - 59330\nDiagnosis - asthma",
    ),
    "an employer behind a dash": (
        "Patient - Edith Reed\nDiagnosis - asthma",
        "Patient - Edith Reed\nEmployer - Holm Bakery\nDiagnosis - asthma",
    ),
    "an occupation in a column": (
        "Patient\tAge\tDiagnosis\nMarie Quill\t44\tgout",
        "Patient\tAge\tOccupation\tDiagnosis\nMarie Quill\t44\twelder\tgout",
    ),
    "an employer that is one word": (
        "Percy Myers, 40, was admitted with rosacea.",
        "Percy Myers, 40, who works at Walmart, was admitted with rosacea.",
    ),
    "a mailbox between commas": (
        "Minutes: it was noted that Diana Ortiz has a hernia. No action.",
        "Minutes: it was noted that Diana Ortiz, e-mail k4@example.com, has a hernia. No action.",
    ),
    "work between commas": (
        "Prayer list: Anton Fuji is in hospital with gout.",
        "Prayer list: Anton Fuji, who works as a cook, is in hospital with gout.",
    ),
    "a country that is a town of its own": (
        "Karim Nwosu of Colombia has rosacea.",
        "Karim Nwosu of Bogota, Colombia, has rosacea.",
    ),
    "graver, though nobody counts it": (
        "Abdul Alvarez suffers from osteoarthritis.",
        "Abdul Alvarez suffers from cocaine abuse.",
    ),
    "graver in six words": (
        "Client: Keiko Castillo\nCondition: rosacea",
        "Client: Keiko Castillo\nCondition: genital herpes",
    ),
}


@pytest.mark.parametrize("less,more", LESS_AND_MORE.values(), ids=LESS_AND_MORE)
def test_more_is_never_less(less, more):
    assert 0 < worst(less) < worst(more)


ALIKE = {
    "an ambiguous word": ("Tom Hale has herpes zoster.", "Tom Hale has shingles."),
    "noise below a table": (
        "Patient,City,Diagnosis\nAda Diaz,Boise,gout\n",
        "Patient,City,Diagnosis\nAda Diaz,Boise,gout\n\nLunch is at noon.\n\nPlease close the door.\n",
    ),
}


@pytest.mark.parametrize("one,other", ALIKE.values(), ids=ALIKE)
def test_what_says_the_same_scores_the_same(one, other):
    assert worst(one) == pytest.approx(worst(other), rel=1e-3)
    assert worst(one) > 0


@pytest.mark.parametrize("name", [
    "Hope Gunderson", "Ginger Clutterbuck", "Grant Sanchez", "Vera Young", "Daisy Hill",
    "Tom Price", "Amos Oglethorpe", "Hope Foster", "Ivy Price", "M. Cook", "N. Darlington",
    "F. Van der Berg",
])  # fmt: skip
def test_names_that_are_words_or_towns_are_people_when_something_befell_them(name):
    assert worst(f"{name} was diagnosed with asthma.") > 0


def test_the_oldest_are_the_fewest_whatever_their_name():
    texts = [f"Adelheid Broussard, {age}, has asthma." for age in (59, 103)]
    assert 0 < worst(texts[0]) < worst(texts[1])


def test_a_city_in_a_state_of_its_name():
    whole, city = "Ann Hale of New York has asthma.", "Ann Hale of New York, New York, has asthma."
    assert worst(whole) < worst(city)
