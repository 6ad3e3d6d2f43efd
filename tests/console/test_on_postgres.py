"""The same pages' queries on PostgreSQL."""

import pytest

from dlp.console.person_linkage import link_all
from dlp.store import queries
from dlp.store.catalogue import Catalogue
from dlp.store.ledger import Ledger
from dlp.store.migrations import open_database
from dlp.store.reviews import Reviews, precision
from dlp.store.summaries import learn_sizes, refresh_folders, state_of_persons
from tests.console import site
from tests.store.test_postgres import address  # noqa: F401 - a server of its own


@pytest.mark.long
def test_every_view_answers_on_postgres(address, tmp_path):  # noqa: F811
    engine = open_database(address)
    for _ in range(2):  # written, and judged again under the same numbers
        writer = Catalogue(engine)
        for one in site.records("/srv"):
            writer.add(one)
        writer.flush()
    refresh_folders(engine)
    learn_sizes(engine)
    assert link_all(engine) == 133
    for sort in queries.FILE_SORTS:
        page, total = queries.listed(engine, queries.Asked(sort, limit=7, text=b"bulk"))
        assert (len(page.rows), total) == (7, 120)
    box = queries.Box(0.0, float("inf"))
    assert (
        queries.listed(
            engine, queries.Asked("privacy", box=box, containers=("phi",), review="open")
        )[1]
        == 124
    )
    assert queries.listed(engine, queries.Asked("privacy", under=b"/srv/office", gap="any"))[1] == 2
    assert queries.folder_page(engine, queries.Asked("harm")).rows[0]["people"] == 120
    assert queries.person_page(engine, queries.Asked("files", limit=3)).later
    assert queries.stock(engine) == {"phi": 124, "possible": 3, "impossible": 1}
    assert state_of_persons(engine)[0] == 133
    number = queries.file_page(engine, queries.Asked("privacy", limit=1)).rows[0]["id"]
    first = queries.one_file(engine, number)["persons"][0]
    reviews = Reviews(engine, Ledger(engine, b"k" * 32, tmp_path / "anchor"), who="console olga")
    assert (
        reviews.false_positive(
            number, first["person"], first["prints"][0], "nobody", expires_at=4e9
        )
        == 1
    )
    assert queries.one_file(engine, number)["privacy"] == 0
    reviews.confirm(number, "seen", ["r"])
    assert precision(engine)
    engine.dispose()
