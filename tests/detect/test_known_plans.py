"""A prepared numbering plan is the library's own, but for how numbers are printed."""

import json

import phonenumbers
import pytest

from dlp import prepared
from dlp.detect.identify import known_plans
from dlp.resources import artefacts_folder

PLANS = phonenumbers.PhoneMetadata
PRINTED = ("number_format", "intl_number_format")


def parts_of(plan: phonenumbers.PhoneMetadata) -> dict[str, object]:
    return {name: one for name, one in vars(plan).items() if name not in PRINTED}


def test_every_plan_is_the_same():
    own = {one: PLANS.metadata_for_region(one) for one in phonenumbers.SUPPORTED_REGIONS}
    for code in phonenumbers.COUNTRY_CODES_FOR_NON_GEO_REGIONS:
        own[str(code)] = PLANS.metadata_for_nongeo_region(code)
    known = prepared.answer(known_plans.key_of(phonenumbers), known_plans.FILE)
    assert known is not None, "run: dlp rules prepare"
    assert known.keys() == own.keys()
    for region, plan in own.items():
        assert parts_of(known_plans.made_of(phonenumbers, known[region])) == parts_of(plan)


def test_the_shipped_file_is_what_would_be_prepared():
    shipped = (artefacts_folder() / known_plans.FILE).read_bytes()
    assert known_plans.lines() == shipped, "run: dlp rules prepare"


@pytest.mark.parametrize("known", [None, {}, {"US": "{}"}])
def test_without_them_all_are_loaded(monkeypatch, known):
    loaded = []
    monkeypatch.setattr(known_plans, "answer", lambda *_: known)
    monkeypatch.setattr(PLANS, "load_all", lambda: loaded.append(True))
    assert known_plans.load() is phonenumbers
    assert loaded


def test_a_plan_says_no_more_than_is_asked():
    said = json.loads(known_plans.said_of(PLANS.metadata_for_region("BR")))
    assert said["country_code"] == 55
    assert not set(PRINTED) & said.keys()
