"""A database opens under its old schema or its new one, never between, and loses no row."""

import os
import signal
import sqlite3
import subprocess
import sys

import pytest
from sqlalchemy import text

from dlp.errors import StoreError
from dlp.model import Gap, GapCode
from dlp.report.record import unread_record
from dlp.store.catalogue import open_catalogue
from dlp.store.database import engine_of
from dlp.store.migrations import STEPS, migrate, open_database

FIRST_RELEASE = """
CREATE TABLE about (key VARCHAR NOT NULL PRIMARY KEY, value TEXT);
CREATE TABLE files (id INTEGER NOT NULL PRIMARY KEY, path BLOB NOT NULL UNIQUE, folder BLOB NOT NULL,
  size_bytes BIGINT NOT NULL, sha256 VARCHAR(64) NOT NULL, container VARCHAR(12) NOT NULL,
  reason TEXT NOT NULL, privacy FLOAT NOT NULL, identifiability FLOAT NOT NULL,
  sensitivity FLOAT NOT NULL, people INTEGER NOT NULL, gaps TEXT NOT NULL, media_type VARCHAR NOT NULL,
  rules_version VARCHAR NOT NULL, judged_at FLOAT NOT NULL);
INSERT INTO about VALUES ('version', '1');
INSERT INTO files VALUES (1, X'2F61', X'2F', 1, '', 'phi', '', 1, 1, 1, 1, '', '', '', 0);
"""
RECORD = unread_record(b"/a", Gap(GapCode.CORRUPT, "body"), 0.0)


def old(path):
    with sqlite3.connect(path) as connection:
        connection.executescript(FIRST_RELEASE)
    os.chmod(path, 0o600)


def test_the_first_schema_becomes_the_present_one_with_its_rows(tmp_path):
    old(tmp_path / "a.db")
    engine = open_database(tmp_path / "a.db")
    with engine.connect() as connection:
        assert connection.execute(text("SELECT count(*) FROM files")).scalar() == 1
        assert connection.execute(text("SELECT count(*) FROM jobs")).scalar() == 0
        steps = connection.execute(text("SELECT name FROM migrations")).scalars().all()
    assert steps == [step.__name__ for step in STEPS]
    engine.dispose()


PEOPLE = """
CREATE TABLE persons (id INTEGER NOT NULL PRIMARY KEY, file INTEGER NOT NULL REFERENCES files (id) ON DELETE CASCADE,
  person VARCHAR(32) NOT NULL, identifiability FLOAT NOT NULL, sensitivity FLOAT NOT NULL,
  prints TEXT NOT NULL, bits TEXT NOT NULL, burden TEXT NOT NULL);
INSERT INTO persons VALUES (1, 1, 'p', 1, 1, '', '{}', '[]');
"""


def test_people_survive_the_migrations(tmp_path):
    old(tmp_path / "a.db")
    with sqlite3.connect(tmp_path / "a.db") as connection:
        connection.executescript(PEOPLE)
    with open_catalogue(tmp_path / "a.db") as catalogue:
        (person,) = catalogue.persons()
        assert (person["person"], person["path"]) == ("p", b"/a")
        assert person["server"] == catalogue.server
        catalogue.add({**RECORD, "path": "/b"})
        catalogue.add({**RECORD, "path": "/b"})  # judged again: one row
        catalogue.flush()
        assert len(list(catalogue.files())) == 2
        catalogue.forget([b"/b"])
        assert len(list(catalogue.persons())) == 1


def test_a_step_that_fails_leaves_nothing_of_itself(tmp_path):
    engine = open_database(tmp_path / "a.db")

    def broken(connection):
        connection.execute(text("CREATE TABLE half (a INTEGER)"))
        raise RuntimeError

    with pytest.raises(RuntimeError):
        migrate(engine, [*STEPS, broken])
    with engine.connect() as connection:
        tables = connection.execute(text("SELECT name FROM sqlite_master")).scalars().all()
    assert "half" not in tables
    engine.dispose()


def test_a_newer_database_is_refused(tmp_path):
    engine = open_database(tmp_path / "a.db")
    with engine.execution_options(writes=True).begin() as connection:
        connection.execute(text("UPDATE about SET value='99'"))
    engine.dispose()
    with pytest.raises(StoreError, match="newer dlp"):
        open_database(tmp_path / "a.db")


def test_killed_while_migrating_it_opens_all_the_same(tmp_path):
    """The child dies inside the n-th statement of the migration, for a spread of n."""
    script = (
        "import os, sys\n"
        "from sqlalchemy import event\n"
        "from dlp.store import database, migrations\n"
        "engine = database.engine_of(sys.argv[1]); left = [int(sys.argv[2])]\n"
        "@event.listens_for(engine, 'after_cursor_execute')\n"
        "def die(*_):\n"
        "    left[0] -= 1\n"
        "    if left[0] == 0: os.kill(os.getpid(), 9)\n"
        "migrations.migrate(engine)\n"
    )
    killed = 0
    for number in (1, 4, 8, 14, 18, 23, 28):
        path = tmp_path / f"{number}.db"
        old(path)
        run = subprocess.run([sys.executable, "-c", script, path, str(number)], check=False)
        killed += run.returncode == -signal.SIGKILL
        engine = engine_of(path)
        migrate(engine)
        with engine.connect() as connection:
            assert connection.execute(text("SELECT count(*) FROM files")).scalar() == 1
            assert connection.execute(text("SELECT count(*) FROM intents")).scalar() == 0
        engine.dispose()
    assert killed >= 5
