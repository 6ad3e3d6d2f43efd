"""What was prepared from the rules is what follows from them, and is used for no other text."""

from __future__ import annotations

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlp import prepared
from dlp.cli import _preparing
from dlp.detect.identify import prefilter
from dlp.detect.identify.finder import default_finder
from dlp.prepared import FILE, line_of, of_pattern, read_table
from dlp.resources import artefacts_folder, rules_folder

TABLES = sorted(rules_folder().rglob("*.toml"))
EXAMPLE = b'name = "ash"\nshares = [1, 0.5]\n'


@pytest.fixture
def without(tmp_path, monkeypatch):
    """Nothing prepared but what the test puts into this folder."""
    monkeypatch.setattr(prepared, "artefacts_folder", lambda: tmp_path)
    prepared.known_lines.cache_clear()
    yield tmp_path
    prepared.known_lines.cache_clear()


def test_the_shipped_file_is_what_the_rules_give_today():
    shipped = (artefacts_folder() / FILE).read_bytes()
    assert shipped.split(b"\n") == b"".join(_preparing.lines()).split(b"\n"), "dlp rules prepare"


@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.stem)
def test_a_table_is_the_one_people_wrote(path):
    written = tomllib.loads(path.read_text(encoding="utf-8"))
    assert repr(read_table(path)) == repr(written)  # order and 1 against 1.0 count too


def test_who_changes_a_table_changes_nobody_elses():
    path = rules_folder() / "fields.toml"
    read_table(path).clear()
    assert read_table(path)


def test_every_pattern_in_use_is_prepared():
    assert all(of_pattern(rule.pattern) for rule in default_finder().rules)


def test_rules_are_grouped_the_same_without(without):
    rules = default_finder().rules
    assert of_pattern(rules[0].pattern) is None
    slow = prefilter.grouped(rules)
    (without / FILE).write_bytes((artefacts_folder() / FILE).read_bytes())
    prepared.known_lines.cache_clear()
    assert of_pattern(rules[0].pattern) is not None
    assert [one[1:] for one in prefilter.grouped(rules)] == [one[1:] for one in slow]


def test_an_edited_file_is_read_as_it_is(without):
    (without / FILE).write_bytes(line_of(EXAMPLE, {"name": "prepared"}))
    path = without / "one.toml"
    path.write_bytes(EXAMPLE)
    assert read_table(path) == {"name": "prepared"}
    path.write_bytes(EXAMPLE.replace(b"ash", b"elm"))
    assert read_table(path) == {"name": "elm", "shares": [1, 0.5]}


@given(place=st.integers(0), other=st.integers(1, 255))
def test_a_damaged_line_is_never_believed(tmp_path_factory, place, other):
    folder = tmp_path_factory.getbasetemp()
    line = bytearray(line_of(EXAMPLE, {"name": "prepared"}))
    line[place % len(line)] ^= other
    (folder / FILE).write_bytes(line)
    (folder / "one.toml").write_bytes(EXAMPLE)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(prepared, "artefacts_folder", lambda: folder)
        prepared.known_lines.cache_clear()
        found = read_table(folder / "one.toml")
    prepared.known_lines.cache_clear()
    assert found == {"name": "ash", "shares": [1, 0.5]}


def test_a_broken_rule_file_is_refused_as_ever(without):
    path = without / "one.toml"
    path.write_text("name = ")
    with pytest.raises(tomllib.TOMLDecodeError):
        read_table(path)
    with pytest.raises(FileNotFoundError):
        read_table(without / "none.toml")
