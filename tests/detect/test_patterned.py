"""Facts that a form of writing tells: each pattern's own examples, and none inside another hit."""

import tomllib

import pytest

from dlp.detect.illness.health import FindHealth
from dlp.detect.illness.patterned import load_patterns, patterned
from dlp.resources import rules_folder

BOOK = tomllib.loads((rules_folder() / "health_patterns.toml").read_text())["pattern"]


@pytest.mark.parametrize("entry", BOOK, ids=lambda entry: entry["id"])
def test_a_pattern_finds_its_examples_and_nothing_else(entry):
    concept = next(one.concept for one in load_patterns() if one.id == entry["id"])
    for text in entry["match"]:
        assert [hit.concepts for hit in patterned(text, [])] == [(concept,)], text
    for text in entry["reject"]:
        assert not [*patterned(text, [])], text


def test_a_pattern_leaves_known_terms_alone():
    text = "She takes amoxicillin 500 mg TDS and Zibrolane 20 mg OD."
    found = [text[one.start : one.end] for one in FindHealth().find(text)]
    assert found == ["amoxicillin", "Zibrolane 20 mg OD"]
