"""A catalogue in a SQLite file."""

import pytest

from dlp.store.migrations import open_directly


@pytest.fixture
def database(tmp_path):
    found = open_directly(tmp_path / "catalogue.db")
    yield found
    found.dispose()
