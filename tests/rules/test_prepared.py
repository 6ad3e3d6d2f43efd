"""The cache of prepared results answers for the very content, code and file it was made from."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlp import prepared as cache
from dlp.prepared import prepared, read_table
from dlp.resources import rules_folder

TABLES = sorted(rules_folder().rglob("*.toml"))


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty cache."""
    monkeypatch.delenv("CACHE_DIRECTORY", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    cache.lines.cache_clear()
    yield tmp_path / "dlp"
    cache.lines.cache_clear()


def again():
    """As the next process finds it."""
    cache.lines.cache_clear()


def known(key):
    """What the file says; None where it has nothing to say."""
    stated = cache.stated_in(cache.name_of(key, ""))
    return None if stated is None else json.loads(stated)


def refuse():
    raise AssertionError("worked out again")


def test_a_result_is_worked_out_once(folder):
    assert prepared(b"key", lambda: {"a": (1, "\ud800")}) == {"a": [1, "\ud800"]}
    again()
    assert prepared(b"key", refuse) == {"a": [1, "\ud800"]} == known(b"key")
    assert prepared(b"other", lambda: 7) == 7
    assert known(b"third") is None
    assert (folder / cache.FILE).stat().st_mode & 0o777 == 0o600


def test_other_code_is_another_key(folder, monkeypatch):
    prepared(b"key", lambda: 1, "detect/identify")
    monkeypatch.setattr(cache, "edition", lambda code: b"another")
    assert prepared(b"key", lambda: 2, "detect/identify") == 2


def test_the_code_counts_that_works_a_result_out(tmp_path, monkeypatch):
    monkeypatch.setattr(cache, "PACKAGE", tmp_path)
    (tmp_path / "rules").mkdir()
    source = tmp_path / "rules" / "loosen.py"
    source.write_text("a = 1\n")
    before = cache.edition.__wrapped__("rules")
    source.write_text("a = 2\n")
    assert cache.edition.__wrapped__("rules") != before != cache.edition.__wrapped__("")


def test_who_changes_a_result_changes_nobody_elses(folder):
    prepared(b"key", lambda: [1]).append(2)
    assert prepared(b"key", refuse) == [1]


@given(place=st.integers(0), other=st.integers(1, 255))
def test_a_damaged_line_is_never_believed(tmp_path_factory, place, other):
    folder = tmp_path_factory.mktemp("cache")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cache, "cache_file", lambda: folder / cache.FILE)
        again()
        prepared(b"key", lambda: {"name": "ash", "shares": [1, 0.5]})
        raw = bytearray((folder / cache.FILE).read_bytes())
        raw[place % len(raw)] ^= other
        (folder / cache.FILE).write_bytes(raw)
        again()
        asked = []
        found = prepared(b"key", lambda: asked.append(1) or {"name": "ash", "shares": [1, 0.5]})
        assert found == {"name": "ash", "shares": [1, 0.5]}
    again()


def test_a_torn_end_spoils_no_line_behind_it(folder):
    prepared(b"first", lambda: 1)
    file = folder / cache.FILE
    file.write_bytes(file.read_bytes()[:-9])
    again()
    prepared(b"second", lambda: 2)
    again()
    assert known(b"second") == 2
    assert known(b"first") is None


def test_what_others_may_write_is_not_read(folder):
    prepared(b"key", lambda: 1)
    (folder / cache.FILE).chmod(0o666)
    again()
    assert known(b"key") is None


def test_a_file_too_large_is_begun_anew(folder, monkeypatch):
    prepared(b"key", lambda: 1)
    monkeypatch.setattr(cache, "LARGEST_BYTES", 10)
    again()
    assert known(b"key") is None
    assert not (folder / cache.FILE).exists()


def test_without_a_place_to_write_all_is_worked_out(monkeypatch):
    monkeypatch.setattr(cache, "cache_file", lambda: cache.Path("/proc/none/prepared"))
    again()
    assert prepared(b"key", lambda: [1]) == [1]
    again()
    assert known(b"key") is None


@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.stem)
def test_a_table_is_the_one_people_wrote(path):
    written = tomllib.loads(path.read_text(encoding="utf-8"))
    read_table(path)
    assert repr(read_table(path)) == repr(written)  # order and 1 against 1.0 count too


def test_an_edited_table_is_read_as_it_is(folder, tmp_path):
    path = tmp_path / "one.toml"
    path.write_text('name = "ash"\n')
    assert read_table(path) == {"name": "ash"}
    path.write_text('name = "elm"\n')
    assert read_table(path) == {"name": "elm"}
    path.write_text("day = 2021-03-04\n")  # which JSON cannot hold
    assert str(read_table(path)["day"]) == "2021-03-04"


def test_a_broken_table_is_refused(folder, tmp_path):
    path = tmp_path / "one.toml"
    path.write_text("name = ")
    with pytest.raises(tomllib.TOMLDecodeError):
        read_table(path)
    with pytest.raises(FileNotFoundError):
        read_table(tmp_path / "none.toml")


def test_several_may_add_at_once(folder):
    program = (
        "import sys; from dlp.prepared import prepared\n"
        "for n in range(200): prepared(b'%d' % n, lambda: 'x' * 5000)"
    )
    started = [subprocess.Popen([sys.executable, "-c", program]) for _ in range(3)]
    assert [one.wait(timeout=60) for one in started] == [0, 0, 0]
    again()
    assert all(known(b"%d" % n) == "x" * 5000 for n in range(200))
