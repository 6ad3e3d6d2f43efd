"""Hospitals are known by name, institutions by their words, and the rules file is checked."""

import numpy as np
import pytest

from dlp.errors import RuleError
from dlp.knowledge.artefact import load
from dlp.knowledge.hashing import Phrases, hash_words, words_of
from dlp.knowledge.people import load_organisations, load_people
from dlp.resources import rules_folder


def listed(tokens):
    """Names of the lists among these words, as the detector finds them."""
    phrases = Phrases(hash_words(tokens))
    return sorted(load_organisations().spans_from(phrases, np.arange(len(tokens))))


@pytest.mark.parametrize(
    "name", ["Massachusetts General Hospital", "bellevue hospital", "St. Mary's Medical Center"]
)
def test_known_hospitals_are_found_however_written(name):
    tokens = words_of(name)
    assert (0, len(tokens), "hospital") in listed(tokens)


@pytest.mark.parametrize(
    "name, kind",
    [
        ("Kaiser Permanente", "hospital"),
        ("st lukes", "hospital"),
        ("Brigham & Women’s", "hospital"),
        ("Tim Hortons", "company"),
        ("Blue Cross Blue Shield", "insurer"),
        ("Shoppers Drug Mart", "pharmacy"),
    ],
)
def test_famous_names_need_no_telling_word(name, kind):
    tokens = words_of(f"seen at {name} yesterday")
    assert (2, len(tokens) - 1, kind) in listed(tokens)


@pytest.mark.parametrize("name", ["Family Medical Clinic", "Primary Care", "hospital", "", "the"])
def test_a_description_is_no_name(name):
    assert listed(words_of(name)) == []


@pytest.mark.parametrize(
    "name, kind",
    [
        ("Northfield General Hospital", "hospital"),
        ("Elm Street Walk-in Clinic", "clinic"),
        ("Royal Oak Nursing Home", "care_home"),
        ("Northern Health Authority", "health_body"),
        ("Acme Widgets, Inc.", "company"),
        ("University of Northfield", "education"),
        ("Hospital for Sick Children", "hospital"),
        ("Northfield Elementary School", "education"),
        ("Jane Roe", None),
        ("", None),
    ],
)
def test_institutions_are_told_by_their_words(name, kind):
    assert load_organisations().institution(name) == kind


def test_facilities_are_found_in_text():
    tokens = words_of("Sent from Pekin Memorial Hospital to Mayo Clinic; works as a truck driver.")
    found = [tokens[a:b] for a, b, _ in listed(tokens)]
    assert ["Pekin", "Memorial", "Hospital"] in found
    assert ["Mayo", "Clinic"] in found


def test_the_lists_are_large_and_sorted():
    artefact = load("organisations")
    assert artefact.meta["facilities"] > 30_000
    assert np.all(artefact["facility.high"][1:] >= artefact["facility.high"][:-1])


def test_words_beside_people_say_what_they_mean():
    people = load_people()
    assert len(people) >= 150
    assert people.titles["dr"].group == "medical"
    assert people.titles["mrs"].sex == "f"
    assert "RN" in people.credentials
    assert "do" not in people.credentials  # credentials keep their case
    assert people.kinship["grandmother"].sex == "f"
    assert people.labels["dob"].group == "birth_date"
    assert people.streets["blvd"] == "boulevard"
    assert "cardiologist" in people.providers


@pytest.mark.parametrize(
    "change, complaint",
    [
        (('["mr", "m"]', '["mr", "x"]'), "no entry"),
        (('["mr", "m"]', '["mrs", "f"]'), "listed twice"),
        (("[providers]", "[carers]"), "carers"),
        (("[titles]", "[titles"), "Expected"),
    ],
)
def test_a_wrong_rules_file_is_refused(tmp_path, change, complaint):
    source = (rules_folder() / "people.toml").read_text()
    path = tmp_path / "people.toml"
    path.write_text(source.replace(*change, 1))
    with pytest.raises(RuleError, match=complaint):
        load_people(path)
