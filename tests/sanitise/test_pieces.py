"""A field that holds one piece of a value that was taken out is taken out too, and no other field."""

import pytest

from dlp.sanitise.identifier_replacement import Identity
from dlp.sanitise.plan import Edit, Plan, Profile
from dlp.sanitise.sanitiser import Pieces


def pieces(profile=Profile.SAFE_HARBOR, **replaced):
    identity = Identity(Plan(profile, key=bytes(32)))
    values = [
        (value, Edit(0, 0, made, "", kind))
        for kind, pairs in replaced.items()
        for value, made in pairs
    ]
    return Pieces(identity, values)


def test_a_family_name_that_is_a_word():
    found = pieces(person=[("Henry Seven", "[name]")])
    assert found.of("Seven") == "[name]"
    assert found.of("HENRY") == "[name]"
    assert found.of("Seven days") is None


def test_the_words_of_a_surrogate_keep_their_fields():
    found = pieces(Profile.PSEUDONYMISE, person=[("Henry Seven", "Paul Miller")])
    assert (found.of("Henry"), found.of(" Seven ")) == ("Paul", " Miller ")


def test_a_zip_code_in_a_field_of_its_own():
    found = pieces(address=[("UT 84060", "UT 840**")])
    assert found.of("84060") == "840**"
    assert found.of("84061") is None
    assert found.of("UT") is None


@pytest.mark.parametrize(
    "stamp, made",
    [
        ("20140416", "2014"),
        ("20140416120000-0500", "2014"),
        ("201404161200", "2014"),
        ("20140417", None),
    ],
)
def test_days_as_records_write_them(stamp, made):
    assert pieces(date=[("2014-04-16", "2014")]).of(stamp) == made


def test_a_shifted_day_keeps_the_form():
    found = pieces(Profile.PSEUDONYMISE, date=[("2014-04-16", "2014-05-02")])
    assert found.of("20140416") == "20140502"
