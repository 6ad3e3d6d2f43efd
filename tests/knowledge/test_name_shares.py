"""Shares of names are counts with a source, or estimates whose interval says so."""

import tomllib

from dlp.knowledge.name_frequencies import FIRST, LAST, load_bearers
from dlp.resources import rules_folder

TABLE = tomllib.loads((rules_folder() / "names.toml").read_text())
SPREAD = TABLE["spread"]


def width(which, name, country):
    share = load_bearers().share(which, name, country)
    return share.middle / share.low


def test_every_count_names_its_source():
    for code, entry in TABLE["country"].items():
        assert set(entry) <= {"source", "like", LAST, FIRST, "estimated_last", "estimated_first"}
        assert ("source" in entry) == (LAST in entry or FIRST in entry), code


def test_an_estimate_is_never_as_narrow_as_a_count():
    for code, entry in TABLE["country"].items():
        for which in (FIRST, LAST):
            for name in list(entry.get(f"estimated_{which}", ()))[:3]:
                assert width(which, name, code) > SPREAD["counted"], (code, name)
        for name in list(entry.get(LAST, ()))[:3]:
            assert width(LAST, name, code) <= SPREAD["counted"] + 1e-9, (code, name)


def test_another_countrys_count_is_an_estimate():
    assert width(LAST, "wang", "CN") < width(LAST, "wang", "TW")
    assert width(LAST, "muller", "DE") < width(LAST, "zhang", "HK")
