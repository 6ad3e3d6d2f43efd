"""The gauges say what stands in the database, and asking never walks through history."""

import os
import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from prometheus_client import generate_latest
from sqlalchemy import event, insert, select, text, update

from dlp.config import Settings
from dlp.engine.gauges import Stocktaker, hold_of, level_number, line_of, share_counts
from dlp.keys import secret_key
from dlp.measure.risk_levels import level_of
from dlp.store.catalogue import Catalogue
from dlp.store.database import writing
from dlp.store.ledger import open_ledger
from dlp.store.migrations import open_database
from dlp.store.schema import deliveries, files, intents, jobs, ledger, outbox, persons
from dlp.store.verdict_writer import UNSEEN
from dlp.telemetry.metrics import STATES, Metrics

ROOTS = {"ward": b"/srv/ward", "lab": b"/srv/lab"}


@pytest.fixture(autouse=True)
def state(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))


@pytest.fixture
def database(tmp_path):
    engine = open_database(tmp_path / "catalogue.db")
    yield engine
    engine.dispose()


def file_row(number, **changes):
    path = b"/srv/ward/%d" % number
    plain = {"path": path, "folder": os.path.dirname(path), "container": "phi", "judged_at": 0.0}
    return plain | changes


def add(engine, table, rows):
    with writing(engine) as connection:
        connection.execute(insert(table), rows)


def record(path, persons, container="phi", privacy=0.5):
    people = [
        {"id": one, "identifiability": 1.0, "sensitivity": 0.5, "fingerprints": [], "bits": {},
         "burden": []} for one in persons
    ]  # fmt: skip
    people = people if privacy else []
    return {"path": path, "exposure": {**UNSEEN, "readers": 1000}, "container": container,
            "reason": "", "privacy": privacy,
            "identifiability": 1.0, "sensitivity": 0.5, "persons": people, "gaps": [],
            "media_type": "", "size_bytes": 1, "sha256": "", "rules_version": ""}  # fmt: skip


edges = st.sampled_from([0.0, 1e-9, 5e-5, 5.1e-5, 1.0, 1.1, 20.0, 20.1, 400.0, 400.1, 1e9])


@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=60
)
@given(
    st.lists(st.tuples(edges | st.floats(0, 1000), edges | st.floats(0, 1)), min_size=1),
    st.sampled_from(["default", "geng2011"]),
)  # fmt: skip
def test_the_level_in_sql_is_the_level_in_words(database, figures, profile):
    with writing(database) as connection:
        connection.execute(text("DELETE FROM files"))
        rows = [file_row(n, risk=r, privacy=p) for n, (r, p) in enumerate(figures)]
        connection.execute(insert(files), rows)
        query = select(files.c.risk, files.c.privacy, level_number(profile))
        words = ("none", "low", "medium", "high", "critical")
        for risk, privacy, number in connection.execute(query):
            assert words[number] == level_of(risk, privacy, profile)


def test_a_person_in_three_files_is_one_person_exposed(database):
    catalogue = Catalogue(database)
    for number, people in enumerate((["a", "b"], ["a"], ["a", "c"])):
        catalogue.add(record(f"/srv/ward/{number}.txt", people))
    catalogue.add(record("/srv/ward/leaflet.txt", ["z"], container="possible", privacy=0.0))
    catalogue.add(record("/srv/ward0/elsewhere.txt", ["y"]))
    catalogue.add(record("/srv/lab/x.txt", ["a"]) | {"exposure": {**UNSEEN, "readers": 10}})
    catalogue.flush()
    counts = share_counts(database, b"/srv/ward", "default")
    assert (counts.persons, counts.containers["phi"], counts.containers["possible"]) == (3, 3, 1)
    assert (counts.levels["critical"], counts.levels["none"]) == (3, 1)
    assert share_counts(database, b"/srv/lab", "default").levels == {"medium": 1}
    assert share_counts(database, b"/", "default").persons == 4
    assert share_counts(database, b"/srv/ward", "default", "another server").containers == {}


def test_what_somebody_decided_waits_for_nobody(database):
    decided = ["open", "open", "cleared", "confirmed"]
    rows = [file_row(n, review=word, judged_at=10.0 + n) for n, word in enumerate(decided)]
    add(database, files, [*rows, file_row(9, container="possible", judged_at=1.0, review="open")])
    counts = share_counts(database, b"/srv/ward", "default")
    assert (counts.undecided, counts.undecided_since) == (2, 10.0)


def test_linked_persons_count_once_and_harmless_ones_never(database):
    catalogue = Catalogue(database)
    catalogue.add(record("/srv/ward/1.txt", ["a", "b", "c"]))
    catalogue.flush()
    with writing(database) as connection:
        same = update(persons).where(persons.c.person.in_(["a", "b"])).values(identity="x")
        connection.execute(same)
    assert share_counts(database, b"/srv/ward", "default").persons == 2
    with writing(database) as connection:
        until = update(persons).where(persons.c.person == "c").values(suppressed_until=4e9)
        connection.execute(until)
    assert share_counts(database, b"/srv/ward", "default").persons == 1


def job_row(number, state, queued_at):
    plain = dict.fromkeys(("device", "inode", "rules_version"), "1")
    plain |= dict.fromkeys(("size_bytes", "mtime_ns", "ctime_ns", "priority", "rank"), 1)
    return plain | {
        "key": str(number),
        "share": "ward",
        "path": b"p",
        "state": state,
        "queued_at": queued_at,
    }


def test_the_queue_is_counted_from_its_index(database):
    add(
        database,
        jobs,
        [
            job_row(n, state, 100.0 + n)
            for n, state in enumerate(["done"] * 5 + ["waiting"] * 3 + ["aside"])
        ],
    )
    statements = []
    event.listen(database, "before_cursor_execute", lambda *a: statements.append((a[2], a[3])))
    line = line_of(database, STATES)
    assert line.states == {"waiting": 3, "leased": 0, "aside": 1}
    assert line.oldest == 105.0
    with database.connect() as connection:
        for statement, parameters in statements.copy():
            plan = connection.exec_driver_sql("EXPLAIN QUERY PLAN " + statement, parameters).all()
            assert all("SEARCH" in row[-1] and "INDEX" in row[-1] for row in plan), plan


def intent_row(number, **changes):
    plain = {"id": str(number), "action": "quarantine", "share": "ward", "path": b"%d" % number,
             "device": "1", "inode": "1", "size_bytes": 10, "mtime_ns": 1, "sha256": "",
             "trouble": "", "created_at": 50.0 + number, "changed_at": 60.0}  # fmt: skip
    return plain | changes


def test_quarantine_review_and_outbox(database):
    rows = [
        intent_row(1, state="restored"), intent_row(2, state="done"), intent_row(3, state="done"),
        intent_row(4, state="held"), intent_row(5, state="intent", trouble="ENOSPC"),
        intent_row(6, state="done", action="replace"), intent_row(7, state="purged"),
    ]  # fmt: skip
    add(database, intents, rows)
    add(
        database,
        outbox,
        [
            {"event": "e", "item": "", "share": "", "at": 7.0 + n, "sent_at": sent}
            for n, sent in enumerate([1.0, None, None])
        ],
    )
    sent = {"channel": "soc", "event": "e", "item": "", "share": ""}
    add(
        database,
        deliveries,
        [
            {**sent, "notice": str(n), "at": 3.0 + n, "sent_at": at}
            for n, at in enumerate([9.0, None])
        ],
    )
    assert (hold_of(database).messages, hold_of(database).message_oldest) == (0, 0.0)
    hold = hold_of(database, ["soc"])
    assert {key: n for key, n in hold.kept.items() if key[1] != "original"} == {
        ("ward", "kept"): 2, ("ward", "moving"): 1, ("ward", "blocked"): 1,
    }  # fmt: skip
    assert (hold.kept_bytes, hold.review_oldest) == (30, 52.0)
    assert (hold.messages, hold.message_oldest, hold.records) == (3, 4.0, 0)


@pytest.fixture
def published():
    return Metrics(ROOTS, version="0", rules="r", level_of=level_of)


def ledger_state(metrics):
    lines = generate_latest(metrics.registry).decode().splitlines()
    return [
        line.split('"')[1]
        for line in lines
        if line.startswith("dlp_ledger_state") and line.endswith(" 1.0")
    ]


def test_the_ledger_is_whole_until_somebody_changes_it(database, published, tmp_path):
    stocktaker = Stocktaker(Settings(), ROOTS, database, published)
    stocktaker.check_ledger()
    assert ledger_state(published) == ["whole"]  # nothing was done yet
    assert not (tmp_path / "dlp" / "ledger.key").exists()  # and looking makes no key
    key = secret_key("ledger", lasting=True)
    book = open_ledger(Settings(), database, key)
    for number in range(3):
        with writing(database) as connection:
            book.append(connection, who="daemon", what="released", item=str(number))
        book.anchor()
    stocktaker.check_ledger()
    stocktaker.count_queue()
    assert ledger_state(published) == ["whole"]
    assert "dlp_ledger_records 3.0" in generate_latest(published.registry).decode()
    with writing(database) as connection:
        connection.execute(update(ledger).where(ledger.c.number == 2).values(who="nobody"))
    stocktaker.check_ledger()
    assert ledger_state(published) == ["broken"]
    (tmp_path / "dlp" / "ledger.key").unlink()
    stocktaker.check_ledger()
    assert ledger_state(published) == ["unchecked"]  # without the key nothing can be said


def test_it_counts_by_itself_and_rests_in_proportion(database, published):
    stocktaker = Stocktaker(Settings(), ROOTS, database, published, seconds=0.05)
    stocktaker.start()
    add(database, files, [file_row(1, risk=500.0, privacy=0.5)])
    deadline = time.monotonic() + 20
    wanted = 'dlp_files_at_risk{level="critical",share="ward"} 1.0'
    while wanted not in generate_latest(published.registry).decode():
        assert time.monotonic() < deadline
        time.sleep(0.05)
    stocktaker.close()
    until = time.thread_time() + 0.1

    def work():
        while time.thread_time() < until:
            pass

    dear = stocktaker._timed(work, 0.05)
    assert dear - time.monotonic() > 4


def test_a_database_that_is_gone_leaves_the_numbers_standing(database, published, caplog):
    stocktaker = Stocktaker(Settings(), ROOTS, database, published, seconds=0.05)
    with writing(database) as connection:
        connection.execute(text("DROP TABLE persons"))
    stocktaker._timed(stocktaker.count_files, 0.05)
    assert "stock not taken" in caplog.text
    assert "dlp_stock_taken_timestamp_seconds 0.0" in generate_latest(published.registry).decode()
