"""Cut, reorder, roll back or replay the ledger and its witnesses: `verify` finds every way.

Each case runs on a real database with quarantined files, changes the files on disk as somebody
with the database, the anchor and old copies of both could, lets a new process append, and asks.
"""

import hashlib
import hmac
import itertools
import random
import shutil
import sqlite3

import pytest

from dlp.errors import LedgerError
from dlp.intent import Intent, State
from dlp.store.database import writing
from dlp.store.journal import Journal
from dlp.store.ledger import CONTINUED, Ledger
from dlp.store.migrations import open_database

KEY = random.Random(29).randbytes(32)


class Kept:
    """A ledger as a process opens it."""

    def __init__(self, base):
        self.engine = open_database(base / "state.db")
        self.ledger = Ledger(self.engine, KEY, base / "anchor", base / "away" / "head")
        self.journal = Journal(self.engine, self.ledger)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.engine.dispose()

    def quarantine(self, item):
        self.journal.begin(
            Intent(item, "quarantine", State.INTENT, "clinic", item.encode(), 1, 2, 3, 4, "")
        )
        self.journal.move(item, State.DONE, what="quarantined")


def quarantined(base, first, last):
    (base / "away").mkdir(exist_ok=True)
    with Kept(base) as kept:
        for number in range(first, last):
            kept.quarantine(f"{number:016x}")


def faults(base):
    with Kept(base) as kept:
        return kept.ledger.verify()


def sql(base, *statements):
    connection = sqlite3.connect(base / "state.db")
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()


def lines(base):
    return [line for line in (base / "anchor").read_text().split("\n") if line]


def write_lines(base, kept):
    (base / "anchor").write_text("".join("\n" + line for line in kept))


def copied(base, to):
    folder = base / to
    folder.mkdir()
    for path in (base / "state.db", base / "anchor"):
        shutil.copy(path, folder)


def put_back(base, origin, *names):
    for name in names:
        for path in base.glob(f"{name}-*"):
            path.unlink()
        shutil.copy(base / origin / name, base / name)


# --- of the database -----------------------------------------------------------------------------
def delete_end(base):
    sql(base, "DELETE FROM ledger WHERE number > 9")


def delete_one(base):
    sql(base, "DELETE FROM ledger WHERE number = 5")


def delete_first(base):
    sql(base, "DELETE FROM ledger WHERE number = 1")


def delete_all(base):
    sql(base, "DELETE FROM ledger")


def delete_end_and_sealed_end(base):
    sql(base, "DELETE FROM ledger WHERE number > 9", "DELETE FROM about WHERE key = 'ledger'")


def swap(base):
    sql(base, "UPDATE ledger SET number = -1 WHERE number = 5",
        "UPDATE ledger SET number = 5 WHERE number = 6",
        "UPDATE ledger SET number = 6 WHERE number = -1")  # fmt: skip


def renumber(base):
    sql(base, "DELETE FROM ledger WHERE number = 5")
    for number in range(6, 13):
        sql(base, f"UPDATE ledger SET number = {number - 1} WHERE number = {number}")


def edit(base):
    sql(base, "UPDATE ledger SET why = 'nothing' WHERE number = 12")


def replay_record(base):
    sql(base, "INSERT INTO ledger SELECT 13, at, who, what, item, why, mac FROM ledger"
        " WHERE number = 12")  # fmt: skip


def replay_sealed_end(base):
    old = sqlite3.connect(base / "early" / "state.db")
    (value,) = old.execute("SELECT value FROM about WHERE key = 'ledger'").fetchone()
    old.close()
    sql(base, "DELETE FROM ledger WHERE number > 6",
        f"UPDATE about SET value = '{value}' WHERE key = 'ledger'")  # fmt: skip


def roll_back_database(base):
    put_back(base, "early", "state.db")


def forget_journal(base):
    sql(base, "DELETE FROM intents WHERE path > x'30'")


# --- of the anchor -------------------------------------------------------------------------------
def cut_anchor(base):
    write_lines(base, lines(base)[:5])


def remove_anchor_line(base):
    kept = lines(base)
    del kept[4]
    write_lines(base, kept)


def reorder_anchor(base):
    kept = lines(base)
    kept[3], kept[5] = kept[5], kept[3]
    write_lines(base, kept)


def replay_anchor_line(base):
    kept = lines(base)
    write_lines(base, [*kept, kept[3]])


def forge_anchor_line(base):
    write_lines(base, [*lines(base), f"13 {'0' * 64} {'0' * 64} ;"])


def roll_back_anchor(base):
    put_back(base, "early", "anchor")


def remove_anchor(base):
    (base / "anchor").unlink()


def empty_anchor(base):
    (base / "anchor").write_text("")


def remove_head(base):
    (base / "away" / "head").unlink()


def forge_head(base):
    (base / "away" / "head").write_text(f"6 {'0' * 64} {'0' * 64}")


# --- of both -------------------------------------------------------------------------------------
def cut_both(base):
    sql(base, "DELETE FROM ledger WHERE number > 6")
    write_lines(base, lines(base)[:7])


def cut_both_and_sealed_end(base):
    replay_sealed_end(base)
    write_lines(base, lines(base)[:7])


def cut_both_and_journal(base):
    cut_both_and_sealed_end(base)
    sql(base, "DELETE FROM intents WHERE id NOT IN (SELECT item FROM ledger)")


def roll_back_both(base):
    put_back(base, "early", "state.db", "anchor")


def remove_both(base):
    for path in base.glob("state.db*"):
        path.unlink()
    (base / "anchor").unlink()


TAMPERINGS = (
    delete_end, delete_one, delete_first, delete_all, delete_end_and_sealed_end, swap, renumber,
    edit, replay_record, replay_sealed_end, roll_back_database, forget_journal, cut_anchor,
    remove_anchor_line, reorder_anchor, replay_anchor_line, forge_anchor_line, roll_back_anchor,
    remove_anchor, empty_anchor, remove_head, forge_head, cut_both, cut_both_and_sealed_end,
    cut_both_and_journal, roll_back_both, remove_both,
)  # fmt: skip


def prepared(base):
    quarantined(base, 0, 6)
    copied(base, "early")
    quarantined(base, 6, 12)
    assert faults(base) == []


@pytest.mark.parametrize("tamper", TAMPERINGS, ids=lambda f: f.__name__)
def test_a_tampering_is_found(tmp_path, tamper):
    prepared(tmp_path)
    tamper(tmp_path)
    assert faults(tmp_path)


@pytest.mark.parametrize("tamper", TAMPERINGS, ids=lambda f: f.__name__)
def test_a_tampering_is_found_after_further_records(tmp_path, tamper):
    """The daemon restarts and goes on: it refuses, or what it appends hides nothing."""
    prepared(tmp_path)
    tamper(tmp_path)
    for number in range(20, 28):
        try:
            quarantined(tmp_path, number, number + 1)
        except LedgerError:
            break
        assert faults(tmp_path)
    assert faults(tmp_path)


BEHIND = (delete_end, delete_all, cut_both, roll_back_database, roll_back_both, cut_anchor)


@pytest.mark.parametrize("tamper", BEHIND, ids=lambda f: f.__name__)
def test_nothing_is_appended_behind_a_witness(tmp_path, tamper):
    prepared(tmp_path)
    tamper(tmp_path)
    with pytest.raises(LedgerError):
        quarantined(tmp_path, 20, 21)
    with Kept(tmp_path) as kept:  # nor is the action begun that could not be recorded
        assert "0000000000000014" not in {intent.id for intent in kept.journal.items()}


@pytest.mark.parametrize("seed", range(8))
def test_any_two_tamperings_together_are_found(tmp_path, seed):
    prepared(tmp_path)
    pairs = list(itertools.permutations((cut_both, edit, swap, cut_anchor, forget_journal), 2))
    for tamper in random.Random(seed).choice(pairs):
        tamper(tmp_path)
    assert faults(tmp_path)


def test_a_loss_that_a_person_declared_is_no_fault_and_stays_on_record(tmp_path):
    prepared(tmp_path)
    roll_back_database(tmp_path)
    with Kept(tmp_path) as kept:
        with writing(kept.engine) as connection:
            kept.ledger.proceed(connection, who="operator", why="backup of Monday")
        kept.ledger.anchor()
    assert faults(tmp_path) == []
    quarantined(tmp_path, 30, 33)
    assert faults(tmp_path) == []
    with Kept(tmp_path) as kept:
        said = [each for each in kept.ledger.records() if each["what"] == CONTINUED]
    assert [each["why"] for each in said] == ["records 7 to 12 lost: backup of Monday"]


def test_an_anchor_of_an_older_version_is_read_and_continued(tmp_path):

    quarantined(tmp_path, 0, 3)
    ends = [line.split(" ")[:2] for line in lines(tmp_path)][1:]
    old = []
    for number, mac in ends:
        seal = hmac.new(KEY, f"anchor {number} {mac}".encode(), hashlib.sha256).hexdigest()
        old.append(f"{number} {mac} {seal} .")
    write_lines(tmp_path, old)
    assert faults(tmp_path) == []
    quarantined(tmp_path, 3, 5)
    assert faults(tmp_path) == []
