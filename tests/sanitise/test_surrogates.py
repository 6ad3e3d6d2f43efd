"""Surrogates are the same for the same value and key, another for another key, and of its form."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlp.errors import SanitiseError
from dlp.model import Kind
from dlp.sanitise.surrogate_mapping import close, disclose, joined
from dlp.sanitise.surrogates import DAYS, Surrogates

KEY, OTHER = b"k" * 32, b"o" * 32


@given(st.from_regex(r"[A-Z]{1,2}[0-9]{4,9}(-[0-9]{2})?", fullmatch=True))
def test_numbers_keep_their_form(value):
    made = Surrogates(KEY).of(Kind.ID, value)
    assert made != value
    assert re.sub(r"\d", "0", re.sub(r"[A-Z]", "A", made)) == re.sub(
        r"\d", "0", re.sub(r"[A-Z]", "A", value)
    )
    assert made == Surrogates(KEY).of(Kind.ID, value)


def test_a_person_keeps_one_name_however_it_is_written():
    one = Surrogates(KEY)
    full = one.of(Kind.PERSON, "Maria Fernandez")
    first, last = full.split()
    assert one.of(Kind.PERSON, "Fernandez, Maria") == f"{last}, {first}"
    assert one.of(Kind.PERSON, "FERNANDEZ") == last.upper()
    assert "Maria" not in full
    assert "Fernandez" not in full


def test_sex_and_language_stay():
    lists = Surrogates(KEY)._lists
    made = Surrogates(KEY).of(Kind.PERSON, "Maria Fernandez").split()
    assert made[0] in lists["first"]["f"]
    assert made[1] in lists["last"]["es"]


def test_another_key_gives_others():
    names = [f"Person{n}x Surname{n}y" for n in range(20)]
    assert [Surrogates(KEY).of(Kind.PERSON, n) for n in names] != [
        Surrogates(OTHER).of(Kind.PERSON, n) for n in names
    ]


@given(st.text(max_size=20))
def test_dates_of_a_person_move_but_not_far(person):
    days = Surrogates(KEY).days(person)
    assert days != 0
    assert abs(days) <= DAYS


def test_the_mapping_opens_with_its_key_alone():
    issued = {"Judith Diaz": {"Maria Fernandez", "Marta Ferrer"}}
    sealed = close(issued, KEY)
    assert b"Maria" not in sealed
    assert disclose(sealed, [OTHER, KEY]) == issued
    for spoilt, keys in ((sealed, [OTHER]), (sealed, []), (sealed[:-4], [KEY]), (b"", [KEY])):
        with pytest.raises(SanitiseError, match="another vault key"):
            disclose(spoilt, keys)


def test_people_who_share_a_surrogate_are_all_in_the_mapping():
    surrogates = Surrogates(KEY)
    people = {f"{a}{b}lar{c}" for a in "BDFGK" for b in "aeiou" for c in "dkmnst"}
    for person in people:
        surrogates.of(Kind.PERSON, person)
    assert len(surrogates.issued) < len(people), "names come from lists, so some are shared"
    assert set().union(*surrogates.issued.values()) == people


def test_mappings_of_two_runs_are_one():
    both = joined({"Reed": {"Ash"}, "Lane": {"Orr"}}, {"Reed": {"Birch"}, "Hill": {"Poe"}})
    assert both == {"Reed": {"Ash", "Birch"}, "Lane": {"Orr"}, "Hill": {"Poe"}}


@pytest.mark.parametrize("kind", [Kind.EMAIL, Kind.URL, Kind.IP])
def test_thousands_of_addresses_of_the_net_stay_apart(kind):
    surrogates = Surrogates(KEY)
    made = {surrogates.of(kind, f"{n:x}::1") for n in range(3000)}
    assert len(made) == 3000
