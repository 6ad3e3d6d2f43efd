"""A SQLite file opened by its driver alone is the one that the migrations make."""

import os
import sqlite3
import subprocess
import sys

import pytest

from dlp.errors import ConfigError, StoreError
from dlp.store import sqlite_file
from dlp.store.database import engine_of
from dlp.store.migrations import STEPS, migrate, open_database
from dlp.store.schema import VERSION
from dlp.store.sqlite_file import open_file

MADE = "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name"
STEPS_DONE = "SELECT number, name FROM migrations ORDER BY number"
PRAGMAS = ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")


def content(database):
    return database.ask(MADE), database.ask(STEPS_DONE), database.ask("SELECT * FROM about")


@pytest.fixture
def migrated(tmp_path):
    open_database(tmp_path / "migrated.db").dispose()
    return tmp_path / "migrated.db"


@pytest.fixture
def no_sqlalchemy(monkeypatch):
    sqlite_file.made_schema()  # in the cache from here on
    monkeypatch.setitem(sys.modules, "dlp.store.migrations", None)


def test_a_new_file_is_as_if_migrated(tmp_path, migrated, no_sqlalchemy):
    made, known = open_file(tmp_path / "new" / "a ? 100%20.db"), open_file(migrated)
    assert content(made) == content(known)
    for name in PRAGMAS:
        assert made.ask(f"PRAGMA {name}") == known.ask(f"PRAGMA {name}")
    made.dispose()
    known.dispose()
    assert os.stat(tmp_path / "new" / "a ? 100%20.db").st_mode & 0o777 == 0o600


def test_migrations_find_nothing_to_do_in_it(tmp_path):
    made = open_file(tmp_path / "a.db")
    before = content(made)
    open_database(tmp_path / "a.db").dispose()
    assert content(made) == before
    made.dispose()


@pytest.mark.parametrize("reached", range(VERSION))
def test_an_older_file_is_brought_to_the_present(tmp_path, migrated, reached):
    engine = engine_of(tmp_path / "old.db")
    migrate(engine, STEPS[:reached])
    engine.dispose()
    brought, known = open_file(tmp_path / "old.db"), open_file(migrated)
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
        open_file(migrated)


def test_half_a_schema_is_never_left(tmp_path, monkeypatch):
    schema = sqlite_file.made_schema()
    broken = schema._replace(statements=[*schema.statements[:9], "CREATE NOTHING"])
    monkeypatch.setattr(sqlite_file, "made_schema", lambda: broken)
    with pytest.raises(StoreError, match="cannot be opened: OperationalError"):
        open_file(tmp_path / "a.db")
    monkeypatch.undo()
    made = open_file(tmp_path / "a.db")
    assert made.ask("SELECT max(number) FROM migrations") == [(VERSION,)]
    made.dispose()


def test_several_may_make_it_at_once(tmp_path):
    program = "import sys; from dlp.store.sql_connection import open_directly as o; o(sys.argv[1])"
    command = [sys.executable, "-c", program, tmp_path / "a.db"]
    started = [subprocess.Popen(command, stderr=subprocess.PIPE) for _ in range(4)]
    for one in started:
        _, said = one.communicate(timeout=60)
        assert one.returncode == 0, said
    made = open_file(tmp_path / "a.db")
    assert made.ask("SELECT count(*) FROM migrations") == [(VERSION,)]
    made.dispose()


def test_what_is_no_database_and_what_others_can_read_is_refused(tmp_path):
    (tmp_path / "no.db").write_bytes(b"no database at all" * 99)
    (tmp_path / "no.db").chmod(0o600)
    with pytest.raises(StoreError, match="cannot be opened: DatabaseError"):
        open_file(tmp_path / "no.db")
    with pytest.raises(StoreError, match="cannot be opened"):
        open_file(tmp_path / "no.db" / "below.db")
    (tmp_path / "open.db").touch(0o644)
    with pytest.raises(ConfigError, match="others can reach"):
        open_file(tmp_path / "open.db")
