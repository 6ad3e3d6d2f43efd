"""A look into a catalogue tells a share that was never scanned, and leaves the catalogue alone."""

import os
import sqlite3

import pytest

from dlp.store.glimpse import may_know
from dlp.store.judged import Judged, JudgedFiles
from dlp.store.migrations import open_database


@pytest.fixture
def catalogue(tmp_path):
    where = tmp_path / "a # 100%20 catalogue?.db"
    database = open_database(where)
    store = JudgedFiles(database)
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
