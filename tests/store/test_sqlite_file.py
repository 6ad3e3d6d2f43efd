"""A SQLite file is brought to the present schema, or refused."""

import sqlite3
import subprocess
import sys

import pytest

from dlp.errors import ConfigError, StoreError
from dlp.store.database import engine_of
from dlp.store.migrations import STEPS, migrate, open_database, open_directly
from dlp.store.schema import VERSION

MADE = "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name"
STEPS_DONE = "SELECT number, name FROM migrations ORDER BY number"


def content(database):
    return database.query(MADE), database.query(STEPS_DONE), database.query("SELECT * FROM about")


@pytest.fixture
def migrated(tmp_path):
    open_database(tmp_path / "migrated.db").dispose()
    return tmp_path / "migrated.db"


def test_opening_it_again_changes_nothing(tmp_path):
    made = open_directly(tmp_path / "a.db")
    before = content(made)
    open_database(tmp_path / "a.db").dispose()
    assert content(made) == before
    made.dispose()


@pytest.mark.parametrize("reached", range(VERSION))
def test_an_older_file_is_brought_to_the_present(tmp_path, migrated, reached):
    engine = engine_of(tmp_path / "old.db")
    migrate(engine, STEPS[:reached])
    engine.dispose()
    brought, known = open_directly(tmp_path / "old.db"), open_directly(migrated)
    assert content(brought)[1:] == content(known)[1:]
    assert {row[:3] for row in content(brought)[0]} == {row[:3] for row in content(known)[0]}
    brought.dispose()
    known.dispose()


@pytest.mark.parametrize("newer", ["UPDATE about SET value = '99'",
                                   "INSERT INTO migrations VALUES (99, 'later', 0)"])  # fmt: skip
def test_a_newer_file_is_refused(migrated, newer):
    with sqlite3.connect(migrated) as other:
        other.execute(newer)
    other.close()
    with pytest.raises(StoreError, match="newer dlp"):
        open_directly(migrated)


def test_several_may_make_it_at_once(tmp_path):
    program = "import sys; from dlp.store.migrations import open_directly as o; o(sys.argv[1])"
    command = [sys.executable, "-c", program, tmp_path / "a.db"]
    started = [subprocess.Popen(command, stderr=subprocess.PIPE) for _ in range(4)]
    for one in started:
        _, said = one.communicate(timeout=60)
        assert one.returncode == 0, said
    made = open_directly(tmp_path / "a.db")
    assert made.query("SELECT count(*) FROM migrations") == [(VERSION,)]
    made.dispose()


def test_what_is_no_database_and_what_others_can_read_is_refused(tmp_path):
    (tmp_path / "no.db").write_bytes(b"no database at all" * 99)
    (tmp_path / "no.db").chmod(0o600)
    with pytest.raises(StoreError, match="SQLITE_NOTADB"):
        open_directly(tmp_path / "no.db")
    with pytest.raises(StoreError, match="cannot be opened"):
        open_directly(tmp_path / "no.db" / "below.db")
    (tmp_path / "open.db").touch(0o644)
    with pytest.raises(ConfigError, match="others can reach"):
        open_directly(tmp_path / "open.db")
