"""The same schema, queue, journal and ledger on PostgreSQL, where several servers share them."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from dlp.engine.gauges import hold_of, line_of, share_counts
from dlp.intent import Intent, State
from dlp.model import FileRef, Gap, GapCode
from dlp.report.record import unread_record
from dlp.store.catalogue import Catalogue
from dlp.store.job_queue import Backlog, Priority
from dlp.store.journal import Journal
from dlp.store.judged_files import Judged, JudgedFiles
from dlp.store.ledger import Ledger
from dlp.store.migrations import open_database, open_directly, reached
from dlp.store.record_codec import pack
from dlp.store.schema import VERSION
from dlp.store.verdict_writer import Verdicts
from tests.support.postgres import postgres

pytest.importorskip("psycopg")

PERSON = {"id": "p", "identifiability": 0.5, "sensitivity": 0.25, "fingerprints": ["name:ab"],
          "bits": {"name": 3.0}, "burden": [["condition", "D003924", 0.5]]}  # fmt: skip


@pytest.fixture(scope="module")
def address():
    with postgres() as where:
        yield where


def ref(number):
    return FileRef("clinic", b"\xff%d" % number, 2**63, 2**64 - 1 - number, 1, 2, 3)


@pytest.mark.long
def test_servers_share_one_queue_and_one_chain(address, tmp_path):
    with ThreadPoolExecutor(3) as pool:
        engines = list(pool.map(open_database, [address] * 3))
    with engines[0].connect() as connection:
        assert reached(connection, engines[0]) == VERSION
        kept = "SELECT indexdef FROM pg_indexes WHERE indexname = 'intents_one_open'"
        (made,) = connection.exec_driver_sql(kept).scalars()
    assert "UNIQUE" in made
    assert all(state in made.partition("WHERE")[2] for state in ("intent", "held", "ready"))
    servers = [Backlog(engine) for engine in engines]
    assert servers[0].put([(ref(n), Priority.NEW) for n in range(300)], "r") == 300
    assert servers[1].put([(ref(n), Priority.NEW) for n in range(300)], "r") == 0

    def drain(server):
        mine = []
        while jobs := server.lease(7):
            mine += [job.ref for job in jobs]
            server.done([job.id for job in jobs])
        return mine

    with ThreadPoolExecutor(3) as pool:
        done = [one for part in pool.map(drain, servers) for one in part]
    assert len(done) == len(set(done)) == 300
    assert servers[0].counts() == {"done": 300}

    ledgers = [Ledger(engine, b"k" * 32, tmp_path / "anchor") for engine in engines]
    journals = [Journal(engine, ledger) for engine, ledger in zip(engines, ledgers, strict=True)]

    def work(number):
        journal = journals[number % 3]
        item = f"{number:016x}"
        parts = ("clinic", b"\xff%d" % number, 2**63, 2**64 - 1, 5, 6, "0" * 64)
        journal.begin(Intent(item, "quarantine", State.INTENT, *parts, links=(b"\x80",)))
        return journal.move(
            item, State.DONE, what="quarantined", allow=("ab",), new_inode=2**64 - 1
        )

    with ThreadPoolExecutor(3) as pool:
        assert {intent.new_inode for intent in pool.map(work, range(60))} == {2**64 - 1}
    assert ledgers[0].verify() == []
    assert len(ledgers[1].records()) == 60
    assert journals[2].is_allowed("clinic", "ab")
    for engine in engines:
        engine.dispose()


@pytest.mark.long
def test_the_gauges_count_here_as_well(address):
    database = open_database(address)
    person = {"id": "p", "identifiability": 1.0, "sensitivity": 0.5, "fingerprints": [], "bits": {},
              "burden": []}  # fmt: skip
    record = unread_record(b"/srv/ward/\xff.txt", Gap(GapCode.TIMEOUT, "x"), 1.0)
    risky = {"container": "phi", "privacy": 0.5, "persons": [person, {**person, "id": "q"}]}
    for server in ("fs1", "fs2"):
        catalogue = Catalogue(database, server=server)
        catalogue.add(record | risky)
        catalogue.flush()
    shelf = share_counts(database, b"/srv/ward", "default", "fs1")
    assert (shelf.persons, dict(shelf.levels), shelf.undecided) == (2, {"low": 1}, 1)
    assert line_of(database, ("waiting", "leased", "aside"), "fs1").states["waiting"] == 0
    assert hold_of(database, ["soc"]).messages >= 0
    database.dispose()


def kept_by(database, server):
    """What a scan says to its catalogue, and what is there then."""
    states, verdicts = (
        JudgedFiles(database, server=server),
        Verdicts(database, clock=lambda: 5.0, server=server),
    )
    paths = [b"/srv/a/\xff.txt", b"/srv/a/b.txt", b"/srv/c/b.txt"]
    for container in ("possible", "phi"):  # the second replaces the first
        for path in paths:
            folder, _, name = path.rpartition(b"/")
            record = unread_record(path, Gap(GapCode.CORRUPT, "body"), 5.0)
            record |= {"container": container, "persons": [PERSON], "sha256": "s" * 64}
            verdicts.add(record)
            states.add(Judged(folder, name, "1:2:3", 1, "s" * 64, "v" * 32, pack(record)))
        verdicts.flush()
        states.flush()
    verdicts.forget(paths[:1])
    states.gone(b"/srv/a", b"b.txt")
    states.flush()
    again = JudgedFiles(database, server=server)
    beneath = again.folders_beneath(b"/srv")
    seen = [list(again.folder(folder)) for folder in sorted(beneath)]
    seen += [sorted(again.kept(b"/srv/a")), again.same_content("s" * 64), sorted(beneath)]
    again.gone_folders({b"/srv/a"})
    tables = ("SELECT path, folder, people, gaps, review, container FROM files ORDER BY path",
              "SELECT person, prints, bits, burden FROM persons ORDER BY id",
              "SELECT count(*) FROM details", "SELECT concept FROM topics ORDER BY concept",
              "SELECT path, at, container FROM history ORDER BY id",
              "SELECT container, change FROM daily ORDER BY container",
              "SELECT path, stale, harm FROM folders ORDER BY path",
              "SELECT folder, name, record FROM judged ORDER BY folder, name")  # fmt: skip
    return seen, [database.query(table) for table in tables]


@pytest.mark.long
def test_a_scan_says_the_same_to_both(address, tmp_path):
    here, there = open_directly(tmp_path / "c.db"), open_directly(address)
    with there.writing() as session:  # what other tests left
        session.query("TRUNCATE files, persons, details, topics, history, daily, folders CASCADE")
    seen, rows = kept_by(here, "")
    assert [len(found) for found in rows] == [2, 2, 1, 2, 6, 2, 2, 1]
    assert kept_by(there, "ward") == (seen, rows)
    assert there.query("SELECT DISTINCT server FROM files") == [("ward",)]
    here.dispose()
    there.dispose()
