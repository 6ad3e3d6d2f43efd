"""Whatever happens to a job, its file ends with a record: judged, unread, or set aside and told."""

import os

import pytest

from dlp.acquire.file_identity import as_seen
from dlp.acquire.judged_state import Known, Row, key_of
from dlp.config import Settings
from dlp.engine.exposures import Exposures, Ranking
from dlp.engine.protocol import Done, Job
from dlp.engine.queue_processor import MAX_UNSTABLE, QueueProcessor
from dlp.engine.verdict_version import Versions
from dlp.model import FileRef, Gap, GapCode
from dlp.report.record import unread_record
from dlp.store.catalogue import Catalogue
from dlp.store.job_queue import Backlog, Priority
from dlp.store.migrations import open_database

ROOT = b"/srv/ward"
VERSIONS = Versions(Settings(), full=False, key=b"k" * 32)
REF = FileRef("ward", ROOT + b"/a/b.txt", 1, 2, 3, 4, 5)


class Observer:
    def __init__(self):
        self.heard = []

    def judged(self, share, record, ms, latency):
        self.heard.append((share, record["container"], latency is not None))


@pytest.fixture
def stores(tmp_path):
    known = Known(tmp_path / "known.db")
    database = open_database(tmp_path / "catalogue.db")
    yield known, database
    known.close()
    database.dispose()


def desk_of(stores, backlog=None):
    known, database = stores
    backlog = backlog or Backlog(database)
    return QueueProcessor(
        {"ward": ROOT}, known, Catalogue(database), backlog,
        versions=VERSIONS, act=lambda ref, record, then: then("observe", ""), observer=Observer(),
        ranking=Ranking(Exposures(Settings(), [ROOT]), database),
    )  # fmt: skip


def rows(stores):
    return [(row["path"], row["gaps"]) for row in Catalogue(stores[1]).files()]


class OneAnswer:
    """An engine that answers every job with the same gap."""

    def __init__(self, gap):
        self._gap, self._done = gap, []
        self.room = 2

    def submit(self, job):
        self._done.append(Done(job.ref, None, self._gap, 1.0, job))

    def results(self, timeout):
        done, self._done = self._done, []
        return done


def run(queue, engine, turns=4, *, flush=True):
    for turn in range(turns):
        queue.turn(engine, 1000.0 * turn)
    if flush:
        queue.flush()


def test_a_file_in_hand_at_every_crash_is_told(stores):
    Backlog(stores[1]).put([(REF, Priority.NEW)], VERSIONS.deep)
    for _ in range(3):
        crashed = Backlog(stores[1])
        crashed.recover()
        assert len(crashed.lease(5)) == 1
    Backlog(stores[1]).recover()
    queue = desk_of(stores)
    queue.report_set_aside(stores[1])
    queue.flush()
    assert rows(stores) == [(REF.path, "internal")]
    assert stores[0].file("ward", b"a/b.txt") == Row(key_of(REF), VERSIONS.deep)
    again = desk_of(stores)
    again.report_set_aside(stores[1])
    assert not again._observer.heard


def test_an_unreadable_file_has_a_record(stores):
    queue = desk_of(stores)
    queue.arrived(REF, fresh=True, seen=0.0)
    run(queue, OneAnswer(Gap(GapCode.PERMISSION, "open")))
    assert rows(stores) == [(REF.path, "permission")]
    assert queue._observer.heard == [("ward", "possible", True)]


def test_a_vanished_file_leaves_no_record(stores):
    queue = desk_of(stores)
    queue.arrived(REF, fresh=True, seen=0.0)
    run(queue, OneAnswer(Gap(GapCode.VANISHED, "open")))
    assert rows(stores) == []
    assert stores[0].file("ward", b"a/b.txt") is None


def test_a_file_that_never_rests_is_kept_as_a_gap_in_the_end(stores):
    queue, asked = desk_of(stores), []
    queue.again = lambda share, relative: asked.append((share, relative))
    for number in range(MAX_UNSTABLE):
        queue.arrived(FileRef("ward", REF.path, 1, 2, 3, 4, number), fresh=True, seen=0.0)
        run(queue, OneAnswer(Gap(GapCode.CHANGED, "while reading")))
    assert asked == [("ward", b"a/b.txt")] * (MAX_UNSTABLE - 1)
    assert rows(stores) == [(REF.path, "changed")]


def test_what_left_is_forgotten_even_if_just_judged(stores):
    queue = desk_of(stores)
    queue.unopenable(REF, Gap(GapCode.UNSUPPORTED, "fifo"))
    queue.departed("ward", REF.path)
    queue.flush()
    assert rows(stores) == []
    queue.departed("ward", REF.path)
    queue.unopenable(REF, Gap(GapCode.UNSUPPORTED, "fifo"))
    queue.flush()
    assert rows(stores) == [(REF.path, "unsupported")]


def test_work_in_hand_goes_back_to_the_queue(stores):
    backlog = Backlog(stores[1])
    queue = desk_of(stores, backlog)
    queue.arrived(REF, fresh=True, seen=0.0)
    queue.intake.flush()

    class Silent(OneAnswer):
        def submit(self, job):
            assert isinstance(job, Job)

    queue.turn(Silent(None), 1000.0)
    assert queue.in_hand == 1
    queue.hand_back()
    assert backlog.counts() == {"waiting": 1}


def test_the_opener_reaches_beneath_the_root_only(stores, tmp_path):
    (tmp_path / "f").write_text("x")
    root = os.fsencode(tmp_path)
    queue = desk_of(stores)
    queue._roots["ward"] = root
    ref = as_seen(FileRef("ward", root + b"/f"), os.stat(tmp_path / "f"))
    fd = queue._opener(ref)()
    os.close(fd)
    with pytest.raises(OSError, match="plain components"):
        queue._opener(FileRef("ward", root + b"/../f"))()


class Reads(OneAnswer):
    """An engine that reads every file, this far into the cascade."""

    def __init__(self, *trail):
        super().__init__(None)
        self._trail = list(trail)

    def submit(self, job):
        record = unread_record(job.ref.path, Gap(GapCode.ENCRYPTED, ""), 0.0, size_bytes=3)
        record["trail"] = self._trail
        self._done.append(Done(job.ref, record, None, 1.0, job))


@pytest.mark.parametrize("flushed", [True, False])
def test_what_left_and_came_back_in_the_same_state_is_judged_again(stores, flushed):
    queue = desk_of(stores)
    queue.arrived(REF, fresh=True, seen=0.0)
    run(queue, Reads("triage.shallow"), flush=flushed)
    stores[0].gone("ward", b"a/b.txt")
    queue.departed("ward", REF.path)
    if flushed:
        queue.flush()
        assert rows(stores) == []
    queue.arrived(REF, fresh=True, seen=0.0)
    run(queue, Reads("triage.shallow"))
    assert rows(stores) == [(REF.path, "encrypted")]
    assert stores[0].file("ward", b"a/b.txt") == Row(key_of(REF), VERSIONS.first)


def test_what_came_back_while_it_was_in_hand_is_looked_at(stores):
    """Its arrival was no news, since it was queued; then the worker found nothing to open."""
    queue, asked = desk_of(stores), []
    queue.again = lambda share, relative: asked.append((share, relative))
    queue.arrived(REF, fresh=True, seen=0.0)
    run(queue, OneAnswer(Gap(GapCode.VANISHED, "open")))
    assert asked == [("ward", b"a/b.txt")]
    queue.arrived(REF, fresh=True, seen=0.0)
    run(queue, Reads("triage.shallow"))
    assert rows(stores) == [(REF.path, "encrypted")]


def test_an_answer_that_the_desk_before_asked_for_is_borne(stores):
    """A reload that fails opens a new queue over the same workers; they know nothing of it."""
    engine = OneAnswer(Gap(GapCode.PERMISSION, "open"))
    former = desk_of(stores)
    former.arrived(REF, fresh=True, seen=0.0)
    former.intake.flush()
    former.turn(engine, 0.0)
    assert former.in_hand == 1
    former.hand_back()
    late = Job(FileRef("ward", ROOT + b"/c.txt", 1, 9, 3, 4, 5), open=lambda: -1)
    engine.submit(late)  # in a worker's hands, and not leased by the new queue
    queue = desk_of(stores)
    run(queue, engine)
    assert rows(stores) == [(REF.path, "permission")], "judged once, by the new queue"


def test_a_slow_action_never_overwrites_the_verdict_of_the_next_version(stores):
    """Rewriting a file in place makes a new version, which is judged before the rewriting is told."""
    queue, told = desk_of(stores), []
    queue._act = lambda ref, record, then: told.append(then)
    newer = FileRef("ward", REF.path, 1, 2, 3, 4, 9)
    queue.arrived(REF, fresh=True, seen=0.0)
    run(queue, OneAnswer(Gap(GapCode.ENCRYPTED, "body")))
    queue.arrived(newer, fresh=True, seen=0.0)
    run(queue, OneAnswer(Gap(GapCode.PERMISSION, "open")))
    old, new = told
    new("observe", "")
    old("sanitise", "")
    queue.flush()
    assert rows(stores) == [(REF.path, "permission")]
    assert stores[0].file("ward", b"a/b.txt").key == key_of(newer)
    assert queue._backlog.counts() == {"done": 1}
    assert not queue._last_of
