"""A database that is open twice in one process keeps its locks, and so its log and its rows."""

import subprocess
import sys

from sqlalchemy import text

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
