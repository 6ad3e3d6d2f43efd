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
