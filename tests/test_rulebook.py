"""A rule that does not prove itself never reaches a scan, and the refusal says what to do."""

import pytest

from dlp.errors import RuleError
from dlp.rulebook import REQUIRED, load_identifiers, rules_version

ENTRY = """
[[identifier]]
id = "test-number"
title = "Test number"
kind = "id"
pattern = 'T\\d{4}'
validator = "anything"
context = []
confidence = [0.5, 0.9]
source = "nobody"
match = ["number {T1234}"]
reject = ["T12"]
"""
FIELDS = sorted(REQUIRED)


def load(folder, text):
    (folder / "x.toml").write_text(text)
    return load_identifiers({"anything"}, folder)


def test_a_complete_entry_is_read(tmp_path):
    (rule,) = load(tmp_path, ENTRY)
    assert (rule.id, rule.alone, rule.in_context, rule.file) == ("test-number", 0.5, 0.9, "x.toml")
    assert (rule.match[0].text, rule.match[0].start, rule.match[0].end) == ("number T1234", 7, 12)


@pytest.mark.parametrize("field", FIELDS)
def test_an_entry_that_lacks_a_field_is_refused(tmp_path, field):
    lines = [line for line in ENTRY.splitlines() if not line.startswith(f"{field} =")]
    with pytest.raises(RuleError, match="missing") as refusal:
        load(tmp_path, "\n".join(lines))
    assert "x.toml" in refusal.value.where
    assert refusal.value.fix


@pytest.mark.parametrize(
    "old, new, says",
    [
        ('"test-number"', '"Test Number"', "lower-case"),
        ('"id"', '"number"', "no kind"),
        ('"anything"', '"magic"', "no validator"),
        ("T\\d{4}", "(?=T)", "RE2 refuses"),
        ("T\\d{4}", "(T)\\d", "only the value"),
        ("T\\d{4}", "T?", "nothing at all"),
        ("T\\d{4}", "(?:T\\d{1,900}){1,90}", "RE2 refuses|steps"),
        ("T\\d{4}", "{nomacro}", "unknown macro"),
        ("[0.5, 0.9]", "[0.9, 0.5]", "not a pair"),
        ("[0.5, 0.9]", "0.5", "not a pair"),
        ("[0.5, 0.9]", "[0, 0.5]", "never be found"),
        ('"nobody"', '" "', "source is empty"),
        ('["T12"]', "[]", "no example"),
        ("{T1234}", "T1234", "bad example"),
        ("context = []", 'context = []\nedges = "sharp"', "no edges"),
        ("context = []", "context = []\ncolour = 1", "unknown colour"),
        ('id = "test', 'id == "test', "Invalid|Expected|Cannot"),
    ],
)
def test_a_wrong_entry_is_refused_with_a_reason(tmp_path, old, new, says):
    assert old in ENTRY
    with pytest.raises(RuleError, match=says):
        load(tmp_path, ENTRY.replace(old, new, 1))


def test_an_id_is_used_once(tmp_path):
    (tmp_path / "a.toml").write_text(ENTRY)
    with pytest.raises(RuleError, match=r"also in a\.toml"):
        load(tmp_path, ENTRY)


def test_a_folder_without_rules_is_refused(tmp_path):
    with pytest.raises(RuleError, match="no identifier rules"):
        load_identifiers({"anything"}, tmp_path)


def test_macros_and_labels_are_filled_in(tmp_path):
    (tmp_path / "macros.toml").write_text("digit = '[0-9]'\nmany = '{digit}{2,}'\n")
    entry = ENTRY.replace("T\\d{4}", "{label}: (?P<v>{many})")
    (rule,) = load(tmp_path, entry.replace("context = []", 'context = []\nlabels = ["my no"]'))
    assert rule.pattern == r"(?i:\bmy[\s._\-/]{0,2}no\b): (?P<v>[0-9]{2,})"


def test_the_version_changes_with_any_file_its_name_or_its_content(tmp_path):
    seen = set()
    (tmp_path / "a.toml").write_text("x")
    seen.add(rules_version(tmp_path))
    (tmp_path / "a.toml").write_text("y")
    seen.add(rules_version(tmp_path))
    (tmp_path / "a.toml").rename(tmp_path / "b.toml")
    seen.add(rules_version(tmp_path))
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "c.csv").write_text("")
    seen.add(rules_version(tmp_path))
    assert len(seen) == 4
    assert rules_version(tmp_path) in seen
    assert len(rules_version()) == 12
