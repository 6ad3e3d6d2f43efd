"""Places carry their population and what they lie in, and admit what else their name means."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlp.knowledge.artefact import load
from dlp.knowledge.hashing import words_of
from dlp.knowledge.names import FIRST, LAST, PLACE, WORD, load_names
from dlp.knowledge.places import load_places
from tests.support.clock import least_cpu


@pytest.mark.parametrize(
    "name, kind, country, at_least",
    [
        ("Toronto", "city", "CA", 2_500_000),
        ("new  york", "state", "US", 20_000_000),
        ("NYC", "city", "US", 8_000_000),
        ("Québec", "state", "CA", 8_000_000),
        ("Saskatchewan", "state", "CA", 1_000_000),
        ("Cook County", "county", "US", 5_000_000),
        ("Stratford-upon-Avon", "city", "GB", 20_000),
        ("St. John's", "city", "CA", 100_000),
        ("Bombay", "city", "IN", 12_000_000),
        ("U.K.", "country", "GB", 60_000_000),
        ("Türkiye", "country", "TR", 70_000_000),
        ("Northern Ireland", "state", "GB", 1_900_000),
        ("Queensland", "state", "AU", 5_000_000),
        ("Eiffel Tower", "landmark", "", 0),
        ("Lake Ontario", "landmark", "", 0),
        ("Mount Everest", "landmark", "", 0),
    ],
)
def test_a_name_finds_its_largest_place(name, kind, country, at_least):
    place = load_places().find(name)[0]
    assert (place.kind, place.country) == (kind, country)
    assert place.population >= at_least


def test_places_that_share_a_name_come_by_size():
    found = load_places().find("Springfield")
    assert len(found) > 10
    sizes = [place.population for place in found]
    assert sizes == sorted(sizes, reverse=True)
    assert len({place.region for place in found}) > 5


def test_capitals_are_marked():
    places = load_places()
    for name in ("Ottawa", "London", "Sofia", "Canberra", "Kiev"):
        assert places.find(name)[0].capital, name
    assert not places.find("Toronto")[0].capital


def test_a_town_knows_what_it_lies_in():
    places = load_places()
    ottawa, ontario = places.find("Ottawa")[0], places.state("ON", "CA")
    assert [p.name for p in places.parents(ottawa)] == ["Ontario", "Canada"]
    assert places.lies_in(ottawa, ontario)
    assert places.lies_in(ottawa, places.country("CA"))
    assert not places.lies_in(ottawa, places.state("NY"))
    assert not places.lies_in(ontario, ottawa)
    assert ottawa.population < ontario.population < places.country("CA").population


def test_the_regions_add_up_to_their_countries():
    places = load_places()
    codes = ["AL", "AK", "AZ", "AR", "CA", "CO", "CT", "DE", "DC", "FL", "GA", "HI", "ID", "IL"]
    codes += ["IN", "IA", "KS", "KY", "LA", "ME", "MD", "MA", "MI", "MN", "MS", "MO", "MT", "NE"]
    codes += ["NV", "NH", "NJ", "NM", "NY", "NC", "ND", "OH", "OK", "OR", "PA", "RI", "SC", "SD"]
    codes += ["TN", "TX", "UT", "VT", "VA", "WA", "WV", "WI", "WY"]
    assert sum(places.state(code).population for code in codes) == places.populations["US"]
    provinces = ["NL", "PE", "NS", "NB", "QC", "ON", "MB", "SK", "AB", "BC", "YT", "NT", "NU"]
    assert sum(places.state(code, "CA").population for code in provinces) == 36_991_981


def test_zip_codes_have_people_and_a_state():
    places = load_places()
    assert places.zip("10001").region == "NY"
    assert places.zip("02139-4307") == places.zip("02139")
    assert places.zip("00000") is None
    assert places.zip("1000") is None
    assert [p.kind for p in places.parents(places.zip("90210"))] == ["state", "country"]


def test_three_digit_areas_sum_their_zip_codes():
    places, artefact = load_places(), load("places")
    for prefix in ("100", "036", "606", "999"):
        inside = artefact["zip"] // 100 == int(prefix)
        assert places.zip3_population(prefix) == artefact["zip.population"][inside].sum()
    assert artefact["zip.population"].sum() == 312_462_997  # the 2010 Census with Puerto Rico


def test_the_sparse_areas_of_the_2010_census_are_sparse():
    places = load_places()
    sparse = {f"{n:03}" for n in range(1000) if 0 < places.zip3_population(f"{n:03}") <= 20_000}
    assert {"036", "059", "102", "203", "205", "369", "556", "692", "821", "823"} <= sparse
    assert {"878", "879", "884", "893"} <= sparse
    assert len(sparse) == 14
    assert places.zip3_population("abc") == 0


def test_canadian_postal_areas_share_out_their_province():
    places = load_places()
    assert places.fsa("m5v 3l9").region == "ON"
    assert places.fsa("Z9Z") is None
    artefact = load("places")
    for province, letters in (("ON", "KLMNP"), ("NS", "B"), ("YT", "Y")):
        codes = [code for code in artefact.strings("fsa").all() if code[0] in letters]
        people = sum(places.fsa(code).population for code in codes)
        assert people == pytest.approx(places.state(province, "CA").population, rel=0.001)


def test_ambiguity_is_ordered_as_people_would():
    places = load_places()
    sure = ["Toronto", "Minneapolis", "Saskatoon", "USA", "Ottawa", "New York", "Bombay"]
    between = ["Sofia", "Jordan", "Chad", "Turkey", "Paris"]
    otherwise = ["Reading", "Nice", "Mobile", "Marina", "Split", "Jackson"]
    rate = {name: places.ambiguity(name) for name in sure + between + otherwise}
    assert max(rate[n] for n in sure) < min(rate[n] for n in between)
    assert max(rate[n] for n in between) < min(rate[n] for n in otherwise)
    assert places.ambiguity("Washington") > places.ambiguity("Minneapolis")
    assert places.ambiguity("nowhere at all") == 1


@pytest.mark.parametrize("name", ["Springfield", "Paris", "New York", "Eiffel Tower", "Chad"])
def test_a_glance_sees_the_largest_bearer(name):
    places = load_places()
    largest = max(places.find(name), key=lambda place: place.population)
    kind, population, ambiguity = places.standing(name)
    assert (kind, population) == (largest.kind, largest.population)
    assert ambiguity == places.ambiguity(name)
    assert places.standing("nowhere at all") is None


def test_a_string_that_is_several_things_says_so():
    names = load_names()
    assert names.flags(["Washington"])[0] == LAST | FIRST | PLACE
    assert names.flags(["Sofia"])[0] & (FIRST | PLACE) == FIRST | PLACE
    assert names.flags(["Reading"])[0] & (WORD | PLACE) == WORD | PLACE
    assert names.flags(["of"])[0] & PLACE == 0


def test_places_are_found_in_running_text():
    text = "She moved from New York City to St. John's, Newfoundland and Labrador, then Mobile."
    tokens = words_of(text)
    found = [" ".join(tokens[a:b]) for a, b in load_places().spans(tokens)]
    assert found == ["New York City", "St John's", "Newfoundland and Labrador", "Mobile"]


@given(st.lists(st.sampled_from(["New", "York", "City", "Toronto", "x", "and", "St", "Louis"])))
def test_spans_never_overlap_and_are_all_places(tokens):
    places = load_places()
    spans = places.spans(tokens)
    assert all(places.find(" ".join(tokens[a:b])) for a, b in spans)
    assert all(one[1] <= other[0] for one, other in itertools.pairwise(spans))


def test_names_are_sorted_and_loading_is_quick():
    hashes = load("places")["name.high"]
    assert np.all(hashes[1:] >= hashes[:-1])
    load_names()
    assert least_cpu(load_places.__wrapped__) < 0.15
