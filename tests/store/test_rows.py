"""Rows handed to the driver as they are: in the order of their columns, or refused."""

import pytest
from sqlalchemy import select

from dlp.errors import StoreError
from dlp.store.database import writing
from dlp.store.migrations import open_database
from dlp.store.rows import insert_rows
from dlp.store.schema import daily, details

NAMES = ("day", "container", "change")


@pytest.fixture
def database(tmp_path):
    engine = open_database(tmp_path / "catalogue.db")
    yield engine
    engine.dispose()


def days(database):
    with database.connect() as connection:
        return [tuple(row) for row in connection.execute(select(daily).order_by(daily.c.day))]


def test_rows_are_inserted_or_replaced_by_their_key(database):
    with writing(database) as connection:
        insert_rows(connection, daily, NAMES, [])
        insert_rows(connection, daily, NAMES, [("1", "phi", 1), ("2", "phi", 2)])
        changed = [("2", "phi", 5), ("3", "phi", 3)]
        insert_rows(connection, daily, NAMES, changed, key=("day", "container"))
    assert days(database) == [("1", "phi", 1), ("2", "phi", 5), ("3", "phi", 3)]


def test_columns_in_another_order_than_the_table_are_refused(database):
    with pytest.raises(ValueError, match="another order"), writing(database) as connection:
        insert_rows(connection, daily, NAMES[::-1], [(1, "phi", "1")])
    assert days(database) == []


def test_a_refusal_shows_nothing_of_the_row(database):
    with pytest.raises(StoreError) as refused, writing(database) as connection:
        insert_rows(connection, details, ("file", "body"), [(77, b"secret")])
    assert "secret" not in str(refused.value)
