"""The queue loses nothing, judges nothing twice and gives up on a killer after three tries."""

import random
import sqlite3

import psutil
import pytest
from sqlalchemy import text

from dlp.errors import StoreError
from dlp.model import FileRef
from dlp.store.job_queue import MOST, Backlog, Intake, Priority
from dlp.store.migrations import open_database

RULES = "r1"


class Clock:
    def __init__(self):
        self.now = 1_800_000_000.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def engine(tmp_path):
    engine = open_database(tmp_path / "state.db")
    yield engine
    engine.dispose()


@pytest.fixture
def backlog(engine, clock):
    return Backlog(engine, clock=clock)


def ref(number, *, version=1):
    name = b"folder/\xff%d" % number
    return FileRef("clinic", name, 2**63 + 5, 2**64 - 1 - number, 10, version, version)


def numbered(jobs):
    return [int(job.ref.path.rsplit(b"\xff")[1]) for job in jobs]


def test_each_event_delivered_three_times_gives_one_job(backlog):
    events = [(ref(n), Priority.NEW) for n in range(1000)] * 3
    random.Random(1).shuffle(events)
    for start in range(0, len(events), 100):
        backlog.put(events[start : start + 100], RULES)
    assert backlog.counts() == {"waiting": 1000}
    seen = set()
    while jobs := backlog.lease(64):
        seen.update(job.ref for job in jobs)
        backlog.done([job.id for job in jobs])
    assert len(seen) == 1000
    assert backlog.put(events[:100], RULES) == 0, "judged already"
    assert backlog.put(events[:1], "r2") == 1, "new rules judge again"


def test_the_reference_comes_back_exactly_as_seen(backlog):
    backlog.put([(ref(7), Priority.NEW)], RULES)
    assert backlog.lease(1)[0].ref == ref(7)


def test_newest_saves_come_before_the_sweep_in_order(backlog, clock):
    for number, priority in enumerate([2, 2, 1, 1]):
        clock.now += 1
        backlog.put([(ref(number), Priority(priority))], RULES)
    assert numbered(backlog.lease(5)) == [3, 2, 0, 1]


def test_a_save_hastens_what_the_sweep_queued(backlog, clock):
    backlog.put([(ref(n), Priority.SWEEP) for n in range(50)], RULES)
    clock.now += 1
    assert backlog.put([(ref(49), Priority.NEW)], RULES) == 0
    assert numbered(backlog.lease(1)) == [49]


def test_a_newer_version_replaces_the_one_that_waits(backlog):
    backlog.put([(ref(1), Priority.NEW)], RULES)
    backlog.put([(ref(1, version=2), Priority.NEW)], RULES)
    assert [job.ref.mtime_ns for job in backlog.lease(9)] == [2]


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0)])
def test_one_row_is_left_of_a_path_whichever_version_is_judged_last(backlog, order):
    leased = []
    for version in (1, 2, 3):
        backlog.put([(ref(1, version=version), Priority.NEW)], RULES)
        leased += backlog.lease(1)
    for place in order:
        backlog.done([leased[place].id])
    assert backlog.counts() == {"done": 1}
    assert not backlog.put([(ref(1, version=3), Priority.NEW)], RULES)


def test_a_file_that_kills_the_daemon_is_set_aside_after_three_starts(engine, clock):
    Backlog(engine, clock=clock).put([(ref(1), Priority.NEW), (ref(2), Priority.SWEEP)], RULES)
    for start in range(1, 4):
        dying = Backlog(engine, clock=clock)
        dying.recover()
        assert [job.tries for job in dying.lease(1)] == [start]
    last = Backlog(engine, clock=clock)
    last.recover()
    assert last.counts() == {"aside": 1, "waiting": 1}
    assert numbered(last.lease(5)) == [2], "the others go on"


def test_files_in_hand_at_every_death_are_innocent_but_one(engine, clock):
    """Ten files are in hand whenever the process dies; only the one that kills it is set aside."""
    Backlog(engine, clock=clock).put([(ref(n), Priority.SWEEP) for n in range(10)], RULES)
    done = set()
    for _ in range(40):
        dying = Backlog(engine, clock=clock)
        dying.recover()
        while jobs := dying.lease(10):
            if any(number == 7 for number in numbered(jobs)):
                break  # the process dies here, with all of them
            dying.done([job.id for job in jobs])
            done |= set(numbered(jobs))
        else:
            break
    assert done == set(range(10)) - {7}
    last = Backlog(engine, clock=clock)
    assert last.counts() == {"aside": 1, "done": 9}


def test_failures_wait_longer_each_time_then_stop(backlog, clock):
    backlog.put([(ref(1), Priority.NEW)], RULES)
    for _ in range(2):
        (job,) = backlog.lease(1)
        assert not backlog.fail(job, "timeout", retry_seconds=5)
        assert backlog.lease(1) == []
        clock.now += 60
    (job,) = backlog.lease(1)
    assert backlog.fail(job, "timeout")
    assert backlog.counts() == {"aside": 1}


def test_waiting_for_a_writer_costs_no_try(backlog, clock):
    backlog.put([(ref(1), Priority.NEW)], RULES)
    for _ in range(10):
        (job,) = backlog.lease(1)
        assert job.tries == 1
        backlog.postpone(job, 1)
        clock.now += 2


def test_another_servers_lease_expires_and_ours_survives_a_clock_jump(engine, clock):
    mine, other = Backlog(engine, clock=clock), Backlog(engine, clock=clock)
    mine.put([(ref(1), Priority.NEW)], RULES)
    assert mine.lease(1)
    clock.now += 86_400
    assert mine.lease(1) == []
    (job,) = other.lease(1)
    mine.done([job.id])
    assert other.counts() == {"leased": 1}, "who lost the lease has no say"


def test_two_takers_never_get_the_same_job(engine, clock):
    takers = [Backlog(engine, clock=clock) for _ in range(2)]
    takers[0].put([(ref(n), Priority.NEW) for n in range(100)], RULES)
    taken = [job.id for _ in range(10) for taker in takers for job in taker.lease(5)]
    assert len(taken) == len(set(taken)) == 100


def test_the_intake_commits_at_a_hundred_or_after_fifty_milliseconds(backlog):
    clock = Clock()
    intake = Intake(backlog, RULES, clock=clock)
    for number in range(250):
        intake.add(ref(number), Priority.NEW)
    assert len(intake) == 50
    intake.tick()
    assert len(intake) == 50
    clock.now += 0.051
    intake.tick()
    assert backlog.counts() == {"waiting": 250}


def test_a_disk_that_refuses_is_an_error_that_names_no_file(engine, backlog):
    with engine.execution_options(writes=True).begin() as connection:
        connection.execute(text("DROP TABLE jobs"))
    intake = Intake(backlog, RULES)
    for number in range(MOST - 1):
        intake.add(ref(number), Priority.NEW)
    with pytest.raises(StoreError) as refused:
        intake.add(ref(MOST), Priority.NEW)
    assert "folder" not in str(refused.value)
    assert len(intake) == MOST


def test_a_job_shows_no_name(backlog):
    backlog.put([(ref(1), Priority.NEW)], RULES)
    assert "folder" not in repr(backlog.lease(1))


def test_commits_are_durable(tmp_path, engine):
    with engine.connect() as connection:
        assert connection.execute(text("PRAGMA synchronous")).scalar() == 2
        assert connection.execute(text("PRAGMA journal_mode")).scalar() == "wal"
    assert sqlite3.connect(tmp_path / "state.db").execute("PRAGMA integrity_check").fetchone()


@pytest.mark.long
def test_a_million_waiting_files_cost_disk_not_memory(backlog, clock):
    before = psutil.Process().memory_info().rss
    for start in range(0, 1_000_000, 1000):
        backlog.put([(ref(n), Priority.SWEEP) for n in range(start, start + 1000)], RULES)
    clock.now += 1
    backlog.put([(ref(5_000_000), Priority.NEW)], RULES)
    assert numbered(backlog.lease(1)) == [5_000_000]
    assert psutil.Process().memory_info().rss - before < 300_000_000


def steps_of(engine, act):
    """How many steps SQLite's own machine takes; the same on every computer."""
    taken = [0]

    def count():
        taken[0] += 1
        return 0

    with engine.connect() as connection:
        raw = connection.connection.driver_connection
    raw.set_progress_handler(count, 10)
    try:
        act()
    finally:
        raw.set_progress_handler(None, 0)
    return taken[0]


def prefer(engine, index):
    """Among indexes that seem alike to it, SQLite takes the one that was made last."""
    with engine.begin() as connection:
        made = text("SELECT sql FROM sqlite_master WHERE name = :name")
        statement = connection.execute(made, {"name": index}).scalar_one()
        connection.execute(text(f"DROP INDEX {index}"))
        connection.execute(text(statement))


@pytest.mark.parametrize("state", ["waiting", "done"])
@pytest.mark.parametrize("index", ["jobs_by_turn", "jobs_by_lease", "jobs_by_path"])
def test_a_long_queue_makes_no_turn_longer(engine, backlog, index, state):
    prefer(engine, index)

    def turn(number):
        backlog.put([(ref(number), Priority.NEW), (ref(number + 1), Priority.NEW)], RULES)
        backlog.put([(ref(number, version=2), Priority.NEW)], RULES)
        (job,) = backlog.lease(1)
        backlog.done([job.id])
        backlog.forget("clinic", [job.ref.path])

    def fill(first, last):
        backlog.put([(ref(n), Priority.SWEEP) for n in range(first, last)], RULES)
        with engine.begin() as connection:
            connection.execute(text(f"UPDATE jobs SET state = '{state}'"))

    fill(0, 50)
    short = steps_of(engine, lambda: turn(10_000))
    fill(50, 3000)
    assert short > 20
    assert steps_of(engine, lambda: turn(20_000)) < 1.5 * short
