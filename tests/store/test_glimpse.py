"""A look into a catalogue tells what was never judged, or by another program, and changes nothing."""

import os
import sqlite3

import pytest

from dlp.store import catalogue_probe
from dlp.store.database import Database
from dlp.store.judged_files import Judged, JudgedFiles
from dlp.store.migrations import open_database


def may_know(where, paths, marks=("version",)):
    return catalogue_probe.may_know(where, paths, lambda: marks)


@pytest.fixture
def catalogue(tmp_path):
    where = tmp_path / "a # 100%20 catalogue?.db"
    database = open_database(where)
    store = JudgedFiles(Database(database))
    for folder, name in ((b"/srv/share", b"a.txt"), (b"/srv/deep/down", b"b.txt")):
        store.add(Judged(folder, name, "state", 0, "hash", "version", b"record"))
    store.flush()
    database.dispose()
    return where


@pytest.mark.parametrize(
    "paths, known",
    [
        ([b"/srv/share"], True),
        ([b"/srv/share/"], True),
        ([b"/srv/share/a.txt"], True),
        ([b"/srv/share/other.txt"], False),
        ([b"/srv/shar"], False),
        ([b"/srv/share0"], False),
        ([b"/srv/deep"], True),
        ([b"/srv"], True),
        ([b"/"], True),
        ([b"/srv/share", b"/srv/deep"], True),
        ([b"/srv/share", b"/srv/new"], False),
    ],
)
def test_what_was_judged_before_may_be_known(catalogue, paths, known):
    assert may_know(catalogue, paths) is known


def test_what_another_program_has_judged_has_to_be_judged(catalogue):
    assert may_know(catalogue, [b"/srv"], marks=("vers", "other"))
    assert not may_know(catalogue, [b"/srv"], marks=("other",))


def test_one_verdict_of_another_program_is_enough(catalogue):
    with sqlite3.connect(catalogue) as other:
        other.execute("UPDATE judged SET version = 'other' WHERE folder = ?", (b"/srv/deep/down",))
    other.close()
    assert may_know(catalogue, [b"/srv/share"])
    assert not may_know(catalogue, [b"/srv"])
    assert not may_know(catalogue, [b"/srv/share", b"/srv/deep"])


def test_nobody_is_asked_which_program_this_is_where_nothing_is_known(catalogue, tmp_path):
    for where, path in ((catalogue, b"/srv/new"), (tmp_path / "none.db", b"/srv")):
        assert not catalogue_probe.may_know(where, [path], lambda: pytest.fail("it takes a while"))


def test_it_is_read_while_another_writes_and_nothing_of_it_changes(catalogue):
    before = catalogue.read_bytes()
    with sqlite3.connect(catalogue, isolation_level=None) as other:
        other.execute("BEGIN IMMEDIATE")
        assert may_know(catalogue, [b"/srv/share"])
        assert not may_know(catalogue, [b"/srv/new"])
        other.execute("ROLLBACK")
    other.close()
    assert catalogue.read_bytes() == before


def test_nothing_is_made_and_what_cannot_be_read_is_left_to_others(tmp_path):
    assert not may_know(tmp_path / "none.db", [b"/srv"])
    assert os.listdir(tmp_path) == []
    (tmp_path / "no.db").write_bytes(b"no database at all" * 99)
    assert may_know(tmp_path / "no.db", [b"/srv"])
    (tmp_path / "empty.db").touch()
    assert may_know(tmp_path / "empty.db", [b"/srv"])
    assert may_know("postgresql://nobody@nowhere/none", [b"/srv"])
