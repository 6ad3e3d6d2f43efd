"""Whoever edits, deletes, swaps, inserts, cuts, recomputes or replaces the ledger is found out."""

import contextlib
import hashlib
import hmac
import json
import shutil
import sqlite3

import pytest

from dlp.errors import StoreError
from dlp.store.database import writing
from dlp.store.ledger import Ledger
from dlp.store.migrations import open_database

KEY = b"k" * 32
FIELDS = ("number", "at", "who", "what", "item", "why")


def written(base, records, key=KEY):
    engine = open_database(base / "state.db")
    ledger = Ledger(engine, key, base / "anchor")
    for start in range(0, records, 100):
        with writing(engine) as connection:
            for number in range(start, min(start + 100, records)):
                ledger.append(connection, who="daemon", what="noted", item=f"{number:x}")
        ledger.anchor()
    engine.dispose()


def faults(base):
    engine = open_database(base / "state.db")
    try:
        return Ledger(engine, KEY, base / "anchor").verify()
    finally:
        engine.dispose()


def sql(base, *statements):
    connection = sqlite3.connect(base / "state.db")
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()


def edit(base, middle):
    sql(base, f"UPDATE ledger SET why='nothing happened' WHERE number={middle}")


def remove(base, middle):
    sql(base, f"DELETE FROM ledger WHERE number={middle}")


def remove_and_renumber(base, middle):
    remove(base, middle)
    connection = sqlite3.connect(base / "state.db")
    later = connection.execute(f"SELECT number FROM ledger WHERE number>{middle} ORDER BY number")
    for (number,) in later.fetchall():
        connection.execute(f"UPDATE ledger SET number={number - 1} WHERE number={number}")
    connection.commit()
    connection.close()


def swap(base, middle):
    sql(
        base,
        f"UPDATE ledger SET number=-1 WHERE number={middle}",
        f"UPDATE ledger SET number={middle} WHERE number={middle + 1}",
        f"UPDATE ledger SET number={middle + 1} WHERE number=-1",
    )


def insert(base, middle):
    connection = sqlite3.connect(base / "state.db")
    (last,) = connection.execute("SELECT max(number) FROM ledger").fetchone()
    connection.execute(
        "INSERT INTO ledger SELECT ?, at, who, 'released', item, why, mac FROM ledger WHERE number=?",
        (last + 1, middle),
    )
    connection.commit()
    connection.close()


def cut_tail(base, middle):
    sql(base, f"DELETE FROM ledger WHERE number>{middle}")


def recompute(base, middle, key=KEY):
    """The worst case: the attacker even has the key, and rewrites the whole chain."""
    connection = sqlite3.connect(base / "state.db")
    connection.execute(f"UPDATE ledger SET why='nothing' WHERE number={middle}")
    before = "0" * 64
    for row in connection.execute("SELECT * FROM ledger ORDER BY number").fetchall():
        body = json.dumps([before, *row[:6]]).encode()
        before = hmac.new(key, body, hashlib.sha256).hexdigest()
        connection.execute("UPDATE ledger SET mac=? WHERE number=?", (before, row[0]))
    connection.commit()
    connection.close()


def replace_file(base, middle):
    """A ledger of the same length that never was this one's."""
    other = base / "other"
    other.mkdir()
    written(other, 2 * middle, key=b"x" * 32)
    for path in base.glob("state.db*"):
        path.unlink()
    shutil.copy(other / "state.db", base / "state.db")


def older_copy(base, middle):
    """An earlier state of the very same file, put back from a backup."""
    cut_tail(base, middle)
    sql(base, "VACUUM")


TAMPERINGS = (
    edit,
    remove,
    swap,
    insert,
    cut_tail,
    recompute,
    replace_file,
    remove_and_renumber,
    older_copy,
)


@pytest.mark.parametrize("tamper", TAMPERINGS, ids=lambda f: f.__name__)
def test_each_tampering_is_found(tmp_path, tamper):
    written(tmp_path, 300)
    assert faults(tmp_path) == []
    tamper(tmp_path, 150)
    assert faults(tmp_path)


@pytest.mark.long
@pytest.mark.parametrize("tamper", TAMPERINGS, ids=lambda f: f.__name__)
def test_each_tampering_is_found_among_ten_thousand(tmp_path, tamper):
    written(tmp_path, 10_000)
    assert faults(tmp_path) == []
    tamper(tmp_path, 5_000)
    assert faults(tmp_path)


def test_without_its_anchor_the_end_is_not_proven(tmp_path):
    written(tmp_path, 10)
    (tmp_path / "anchor").unlink()
    assert "no anchor" in faults(tmp_path)[0].what


def test_a_forged_anchor_line_is_found(tmp_path):
    written(tmp_path, 10)
    with (tmp_path / "anchor").open("a") as out:
        out.write("\n11 " + "0" * 64 + " " + "0" * 64 + " .")
    assert any("did not write" in fault.what for fault in faults(tmp_path))


def test_an_anchor_line_torn_by_a_crash_is_no_fault(tmp_path):
    written(tmp_path, 10)
    with (tmp_path / "anchor").open("a") as out:
        out.write("\n11 00")
    assert faults(tmp_path) == []


def test_after_a_torn_line_the_anchor_goes_on(tmp_path):
    written(tmp_path, 10)
    with (tmp_path / "anchor").open("a") as out:
        out.write("\n11 00")
    written(tmp_path, 5)
    assert faults(tmp_path) == []
    cut_tail(tmp_path, 12)
    assert faults(tmp_path)


def test_a_record_that_was_rolled_back_is_not_in_the_chain(tmp_path):
    engine = open_database(tmp_path / "state.db")
    ledger = Ledger(engine, KEY, tmp_path / "anchor")
    for fails in (False, True, False):
        with contextlib.suppress(StoreError), writing(engine) as connection:
            ledger.append(connection, who="a", what="b")
            if fails:
                raise StoreError("no")
    ledger.anchor()
    assert len(ledger.records()) == 2
    assert ledger.verify() == []
    engine.dispose()
