"""A database that is open twice in one process keeps its locks, and so its log and its rows."""

import subprocess
import sys

import pytest
from sqlalchemy import text

from dlp.errors import StoreError
from dlp.private_files import make_private
from dlp.store.database import writing
from dlp.store.migrations import open_database

READ = "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); print(*c.execute({!r}).fetchone()); c.close()"
COUNT = "SELECT count(*) FROM about WHERE key LIKE 'row%'"


def seen_by_another_process(path):
    command = [sys.executable, "-c", READ.format(COUNT), str(path)]
    return int(subprocess.run(command, capture_output=True, check=True, text=True).stdout)


def test_a_reader_elsewhere_does_not_take_the_log_away(tmp_path):
    path = tmp_path / "catalogue.db"
    first = open_database(path)
    second = open_database(path)
    for number in range(3):
        for engine in (first, second):
            with engine.begin() as connection:
                row = {"key": f"row{number}{engine is first}", "value": ""}
                connection.execute(text("INSERT INTO about VALUES (:key, :value)"), row)
        open_database(path).dispose()
        # The last to close a database removes its log; we hold ours open, so it is not the last.
        assert seen_by_another_process(path) == 2 * number + 2
        assert path.with_name("catalogue.db-wal").exists()
    first.dispose()
    second.dispose()


HOLD = """
import sqlite3, sys, time
c = sqlite3.connect(sys.argv[1], isolation_level=None)
c.execute("CREATE TABLE other (one)")
c.execute("BEGIN IMMEDIATE")
print("writing", flush=True)
time.sleep(0.5)
"""


def test_a_new_database_waits_for_whoever_opens_it_at_the_same_time(tmp_path):
    """SQLite refuses the turn to WAL at once while another writes: two services starting do that."""
    path = tmp_path / "catalogue.db"
    make_private(path)
    command = [sys.executable, "-c", HOLD, str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout.readline().strip() == "writing"
        engine = open_database(path)
        with engine.connect() as connection:
            assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
        engine.dispose()


def test_a_refusal_names_its_cause_and_holds_nothing_of_the_row(tmp_path):
    engine = open_database(tmp_path / "catalogue.db")
    row = {"key": "Wilhelmina", "value": ""}

    def write():
        with writing(engine) as connection:
            connection.execute(text("INSERT INTO about VALUES (:key, :value)"), row)

    write()
    with pytest.raises(StoreError, match="SQLITE_CONSTRAINT") as refused:
        write()
    assert "Wilhelmina" not in str(refused.value)
    engine.dispose()
