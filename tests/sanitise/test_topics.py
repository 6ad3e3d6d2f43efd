"""Whatever names or implies a protected topic goes, by the rules that are not statistics."""

import pytest

from dlp.knowledge.topic_words import load_related
from dlp.sanitise.certificate import certify
from dlp.sanitise.plan import Plan
from dlp.sanitise.protected_topics import DEFAULT, default_topics, topic_for, topics_for
from dlp.sanitise.sanitiser import Sanitiser
from dlp.sanitise.verifier import Verifier
from tests.support.sanitising import sanitise_text


@pytest.mark.parametrize(
    "phrase", [p for t in load_related().topics for p in t.phrases], ids=lambda p: p.example
)
def test_every_disclosing_phrase_is_replaced(phrase):
    text = f"It is said: {phrase.example}, and more."
    done = sanitise_text(text, (), Plan(topics=default_topics(), alpha=2))
    assert not phrase.pattern.search(done.text)
    assert phrase.instead.split()[0] in done.text


@pytest.mark.parametrize(
    "word",
    [
        "HIV infection",
        "AIDS",
        "acquired immunodeficiency syndrome",
        "zidovudine",
        "CD4 count",
        "condoms",
        "antiretroviral therapy",
    ],
)
@pytest.mark.parametrize("alpha", [1, 4])
def test_synonyms_kinds_and_curated_terms_of_hiv_never_stay(word, alpha):
    done = sanitise_text(
        f"We spoke about {word} today.", (), Plan(topics=(topic_for("HIV"),), alpha=alpha)
    )
    assert word.lower() not in done.text.lower()


def test_negated_mentions_name_the_topic_too():
    done = sanitise_text("No history of syphilis.", (), Plan(topics=default_topics()))
    assert "syphilis" not in done.text


def test_defaults_are_the_protected_categories():
    topics = default_topics()
    assert [topic.name for topic in topics] == list(DEFAULT)
    assert all(topic.counted for topic in topics)


def test_a_free_term_stands_on_its_words():
    topic = topic_for("the Riverside project")
    assert not topic.counted
    done = sanitise_text("The Riverside project has asthma.", (), Plan(topics=(topic,)))
    assert "iverside" not in done.text
    assert "asthma" in done.text


def test_other_conditions_stay():
    text = "Type 2 diabetes and asthma are stable on metformin."
    assert sanitise_text(text, (), Plan(topics=(topic_for("HIV"),), alpha=1.5)).text == text


@pytest.mark.parametrize(
    "text",
    [
        "Discharge letter",
        "DISCHARGE SUMMARY",
        "Date of discharge: Tuesday. He was discharged home.",
        "Seen after discharge from hospital; discharge medication as before.",
        "No nasal discharge.",
        "The cervical spine is tender.",
    ],
)
def test_a_word_of_a_list_in_another_sense_stays(text):
    plan = Plan(topics=(topic_for("std"),), alpha=1)
    assert sanitise_text(text, (), plan).text == text


@pytest.mark.parametrize(
    "text", ["She complains of discharge.", "Discharge from the penis.", "A cervical smear."]
)
def test_the_sense_of_the_list_goes(text):
    made = sanitise_text(text, (), Plan(topics=(topic_for("std"),), alpha=1)).text
    assert "ischarge" not in made
    assert "ervical" not in made


def test_a_heading_of_five_words_is_better_than_a_vaguer_one():
    done = sanitise_text("Neurosyphilis was found.", (), Plan(topics=(topic_for("std"),)))
    assert done.text == "Central nervous system bacterial infection was found."


@pytest.mark.parametrize(
    "text, told",
    [
        ("He attends AA, had a DUI, AUDIT-C 10.", ["AA", "DUI", "AUDIT"]),
        ("MSM, H.I.V. positive since then.", ["MSM", "H.I.V"]),
        ("43 CAG repeats in the HTT gene.", ["CAG", "HTT"]),
        ("She cut her wrists and is on methadone.", ["wrists", "methadone"]),
        ("Diagnóstico: infección por VIH y depresión.", ["VIH", "depresión"]),
    ],
)
def test_what_gives_a_listed_topic_away_goes(text, told):
    out = sanitise_text(text, (), Plan(topics=default_topics())).text
    assert [word for word in told if word in out] == []


@pytest.mark.parametrize(
    "asked", ["Date of birth: 1961", "Sex: F", "Legal sex: M", "PID-8 sex: F", "sex F"]
)
def test_what_every_form_asks_tells_nothing(asked):
    assert sanitise_text(asked, (), Plan(topics=default_topics())).text == asked
    told = f"{asked}. Talked about sex and the birth of twins."
    assert "birth of twins" not in sanitise_text(told, (), Plan(topics=default_topics())).text


@pytest.mark.parametrize(
    "name", ["sexually transmitted diseases", "HIV", "alcohol use", "depression"]
)
def test_what_phrases_become_is_on_no_list_of_the_verifier(name):
    plan = Plan(topics=topics_for([name]), key=bytes(32))
    text = "It is a sexually transmitted disease, and he is HIV-positive, sober and depressed."
    report = Sanitiser(plan).document([(text, ())])
    found = Verifier(certify(plan, report, b"", "text/plain")).violations([report.pages[0].text])
    assert not found
