"""A catalogue in a SQLite file, by its driver alone and by way of SQLAlchemy."""

import pytest

from dlp.store.database import Served
from dlp.store.migrations import open_database
from dlp.store.sql_connection import open_directly


@pytest.fixture(params=["directly", "served"])
def database(request, tmp_path):
    where = tmp_path / "catalogue.db"
    found = open_directly(where) if request.param == "directly" else Served(open_database(where))
    yield found
    found.dispose()
