"""What it costs to be watched: a scrape, and counting a catalogue of a million files.

In: how many files, how many ledger records.  Out: table rows: seconds of processor time.

    python -m bench.observability --files 1000000
"""

from __future__ import annotations

import argparse
import os
import sqlite3
import tempfile
import time
import urllib.request
from contextlib import closing
from pathlib import Path

SHARES = 10
CONTAINERS = ("impossible", "possible", "possible", "probable", "phi")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--files", type=int, default=1_000_000)
    parser.add_argument("--records", type=int, default=10_000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_STATE_HOME"] = folder
        measure(Path(folder), options)


def measure(folder, options):
    from dlp.config import Settings
    from dlp.engine.gauges import Stocktaker
    from dlp.measure.risk_levels import level_of
    from dlp.store.migrations import open_database
    from dlp.telemetry.metrics import Exporter, Metrics

    path = folder / "catalogue.db"
    database = open_database(path)
    fill(path, options.files)
    write_ledger(database, options.records)
    shares = {f"share-{number}": b"/srv/%d" % number for number in range(SHARES)}
    metrics = Metrics(shares, version="0", rules="r", level_of=level_of)
    stocktaker = Stocktaker(Settings(), shares, database, metrics)
    print("what | processor seconds")
    for name, job in (
        (f"count {options.files:,} files in {SHARES} shares", stocktaker.count_files),
        (
            f"count queue ({options.files:,} judged jobs), quarantine, outbox",
            stocktaker.count_queue,
        ),
        (f"check {options.records:,} ledger records", stocktaker.check_ledger),
    ):
        job()
        started = time.process_time()
        job()
        print(f"{name} | {time.process_time() - started:.3f}")
    exporter = Exporter(
        metrics.registry, healthy=lambda: (True, ""), ready=lambda: (True, ""),
        address="127.0.0.1", port=0,
    )  # fmt: skip
    started = time.process_time()
    for _ in range(20):
        with urllib.request.urlopen(f"http://127.0.0.1:{exporter.port}/metrics") as answer:
            size = len(answer.read())
    spent = (time.process_time() - started) / 20
    print(f"one scrape ({size / 1000:.0f} kB, {SHARES} shares), asking included | {spent:.4f}")
    exporter.close()
    database.dispose()


def fill(path, files):
    """Straight into the tables: judging a million files is not what is measured."""
    with closing(sqlite3.connect(path)) as connection:
        for pragma in ("synchronous=OFF", "cache_size=-400000"):
            connection.execute(f"PRAGMA {pragma}")
        made = "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL"
        indexes = connection.execute(made).fetchall()
        for name, _ in indexes:  # sorting once is faster than a million insertions
            connection.execute(f"DROP INDEX {name}")
        connection.executemany(
            "INSERT INTO files (id, path, folder, size_bytes, sha256, container, reason, privacy,"
            " identifiability, sensitivity, people, gaps, media_type, rules_version, judged_at)"
            " VALUES (?, ?, ?, 1000, ?, ?, '', ?, 1.0, 0.5, ?, '', 'text/plain', 'r', ?)",
            (file_row(number) for number in range(1, files + 1)),
        )
        connection.executemany(
            "INSERT INTO persons (file, person, identifiability, sensitivity, prints, bits, burden)"
            " VALUES (?, ?, 1.0, 0.5, '', '{}', '[]')",
            (
                (number, f"{number % (files // 8):032x}")
                for number in range(1, files + 1)
                if number % 5 == 4
            ),
        )
        connection.executemany(
            "INSERT INTO jobs (key, share, path, device, inode, size_bytes, mtime_ns, ctime_ns,"
            " rules_version, priority, rank, state, tries, not_before, lease_until, holder,"
            " queued_at, trouble) VALUES (?, 's', ?, '1', '1', 1, 1, 1, 'r', 1, 1, ?, 0, 0, 0, '',"
            " 1.0, '')",
            (
                (f"{number:064x}", b"/%d" % number, "waiting" if number % 1000 == 0 else "done")
                for number in range(files)
            ),
        )
        for _, statement in indexes:
            connection.execute(statement)
        connection.commit()


def file_row(number):
    path = b"/srv/%d/folder-%d/file-%d.txt" % (number % SHARES, number % 5000, number)
    container = CONTAINERS[number % 5]
    phi = container == "phi"
    privacy = (number % 997) / 997 if phi else 0.0
    return (
        number,
        path,
        os.path.dirname(path),
        f"{number:064x}",
        container,
        privacy,
        int(phi),
        float(number),
    )


def write_ledger(database, records):
    from dlp.config import Settings
    from dlp.keys import secret_key
    from dlp.store.database import writing
    from dlp.store.ledger import open_ledger

    book = open_ledger(Settings(), database, secret_key("ledger", lasting=True))
    with writing(database) as connection:
        for number in range(records):
            book.append(connection, who="daemon", what="noted", item=str(number))
    book.anchor()


if __name__ == "__main__":
    main()
