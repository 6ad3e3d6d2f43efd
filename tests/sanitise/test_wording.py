"""A replacement is what a clinician would write: true, plain, and no more than the topic asks for."""

import pytest

from dlp.sanitise.plan import Plan
from dlp.sanitise.protected_topics import default_topics, topics_for
from tests.support.sanitising import sanitise_text


def sanitised(text, **more):
    return sanitise_text(text, (), Plan(topics=default_topics(), **more)).text


@pytest.mark.parametrize("drug", ["tenofovir", "Biktarvy", "efavirenz", "Dovato"])
def test_a_medicine_is_called_by_its_field(drug):
    assert sanitised(f"Continues {drug} daily.") == "Continues anti-infective medicine daily."


def test_a_laxer_alpha_says_more_of_it():
    plan = Plan(topics=topics_for(["HIV"]), alpha=1)
    assert (
        sanitise_text("Treated with tenofovir.", (), plan).text
        == "Treated with an antiviral medicine."
    )


@pytest.mark.parametrize(
    "text",
    ["Continue metoprolol.", "Albuterol as needed.", "Carries an EpiPen.", "The liver is normal."],
)
def test_what_shares_a_syllable_with_a_topic_stays(text):
    assert sanitised(text) == text


@pytest.mark.parametrize("told", ["heroin", "cocaine", "alcohol"])
def test_what_is_no_medicine_is_not_called_one(told):
    assert sanitised(f"Admits to {told}.") == "Admits to something."


@pytest.mark.parametrize(
    "text, made",
    [
        ("Found unresponsive in the bathroom.", "Found unwell in the bathroom."),
        ("He was anxious.", "He was concerned."),
        ("Seen at the sexual health clinic.", "Seen at the clinic."),
        ("Feeds: 8 ml 2-hourly.", "Feeds: 8 ml 2-hourly."),
        ("The variant c.68_69delAG was found.", "The variant finding was found."),
    ],
)
def test_states_places_and_doses_read_as_written(text, made):
    assert sanitised(text) == made


@pytest.mark.parametrize("who", ["She", "They", "[name]"])
@pytest.mark.parametrize("verb", ["drinks", "smokes cannabis", "relapsed"])
def test_a_noun_never_stands_for_what_somebody_does(who, verb):
    made = sanitised(f"{who} {verb} at home.")
    assert made.startswith((f"{who} […]", f"{who} has", f"{who} smokes something")), made


@pytest.mark.parametrize("sign", [" / ", ", ", " and "])
@pytest.mark.parametrize("drugs", [("tenofovir", "efavirenz"), ("dolutegravir", "abacavir")])
def test_the_same_words_are_not_said_twice_in_a_list(drugs, sign):
    assert sanitised(f"Takes {sign.join(drugs)} daily.").count("anti-infective medicine") == 1


@pytest.mark.parametrize("many", ["half a bottle of vodka", "three pints of whisky"])
def test_what_somebody_drank_is_no_condition(many):
    made = sanitised(f"Brought in after {many} last night.")
    assert "condition" not in made
    assert many.split()[-1] not in made


@pytest.mark.parametrize(
    "text, made",
    [
        ("She attended AA twice.", "She attended meetings twice."),
        ("A past of heroin use.", "A past of […]."),
        ("The test for syphilis was negative.", "The test for […] was negative."),
        ("Discharge Dx: pneumonia.", "Discharge Dx: pneumonia."),
        ("They were depressed.", "They were […]."),
        ("He is HIV positive.", "He has a condition."),
        ("HIV-1/2 Ag/Ab: Reactive", "Infection Ag/Ab: Reactive"),
        ("He relapsed on alcohol again.", "He was unwell again."),
        ("Her opioid use disorder is treated.", "Her […] is treated."),
    ],
)
def test_tense_negation_and_headings_stay_true(text, made):
    assert sanitised(text) == made
