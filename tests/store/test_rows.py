"""What is said in plain SQL is the same by the driver alone and by way of SQLAlchemy."""

import pytest

from dlp.errors import StoreError
from dlp.store.database import AT_ONCE, insert_of, pieces, update_of

NAMES = ("day", "container", "change")
KEY = ("day", "container")
DAYS = "SELECT day, container, change FROM daily ORDER BY day"


def test_rows_are_inserted_or_replaced_by_their_key(database):
    with database.writing() as session:
        session.take_turns()
        session.execute_many(insert_of("daily", NAMES), [])
        session.execute_many(insert_of("daily", NAMES), [("1", "phi", 1), ("2", "phi", 2)])
        session.execute_many(insert_of("daily", NAMES, KEY), [("2", "phi", 5), ("3", "phi", 3)])
        assert session.query(DAYS) == [("1", "phi", 1), ("2", "phi", 5), ("3", "phi", 3)]
        session.execute_many(update_of("daily", ("container", "change"), "day"), [("no", 7, "3")])
        assert session.query("DELETE FROM daily WHERE day = ?", ["1"]) == []
    assert database.query(DAYS) == [("2", "phi", 5), ("3", "no", 7)]
    assert database.query("SELECT change FROM daily WHERE day = ?", ("2",)) == [(5,)]
    assert database.server_name("configured") == ""  # the file of one machine


def write_and_fail(database):
    with database.writing() as session:
        session.execute_many(insert_of("daily", NAMES), [("1", "phi", 1)])
        raise KeyboardInterrupt


def test_a_transaction_is_written_whole_or_not_at_all(database):
    with pytest.raises(KeyboardInterrupt):
        write_and_fail(database)
    assert database.query(DAYS) == []
    with database.writing() as session:
        session.execute_many(insert_of("daily", NAMES), [("2", "phi", 1)])
    assert database.query(DAYS) == [("2", "phi", 1)]


def test_a_refusal_shows_nothing_of_the_row(database):
    with pytest.raises(StoreError) as refused, database.writing() as session:
        session.execute_many(insert_of("details", ("file", "body")), [(77, b"secret")])
    assert "secret" not in str(refused.value)
    assert "SQLITE_CONSTRAINT_FOREIGNKEY" in str(refused.value)
    with database.writing() as session:  # and it goes on
        session.execute_many(insert_of("daily", NAMES), [("2", "phi", 1)])


def test_many_values_are_asked_for_in_pieces():
    assert [len(some) for some in pieces(range(2 * AT_ONCE + 1))] == [AT_ONCE, AT_ONCE, 1]
