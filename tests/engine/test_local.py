"""A file that crashes, hangs or devours its worker costs only itself and becomes a gap."""

import ctypes
import functools
import hashlib
import itertools
import json
import logging
import mmap
import os
import select
import subprocess
import sys
import threading
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from dlp.acquire.walk import Walk
from dlp.assembly import Analysis
from dlp.config import Settings
from dlp.decode.contract import Limits
from dlp.decode.sandbox import Confinement, Measure
from dlp.detect.naming.model_reader import installed, later_model
from dlp.engine import forkserver as forkserver_module
from dlp.engine import worker_handle
from dlp.engine.local_engine import Job, LocalEngine
from dlp.engine.scanning import Scan
from dlp.engine.verdict_version import verdict_version
from dlp.engine.worker import Sandbox
from dlp.engine.worker_settings import (
    SECTIONS,
    Ordered,
    limits_of,
    order_of,
    settings_in,
    start_forkserver,
)
from dlp.errors import IsolationError, KnowledgeError
from dlp.keys import place_of_key
from dlp.knowledge.roster_files import roster_folder
from dlp.lazy_resources import NotLoadedError, lazy_registry
from dlp.model import FileRef, Gap, GapCode
from tests.engine import analyses

LIMITS = Limits(wall_seconds=2.0, memory_bytes=160_000_000)
EXPECTED = {
    "segfault": Gap(GapCode.INTERNAL, "worker:SIGSEGV"),
    "loop": Gap(GapCode.TIMEOUT, "worker:wall"),
    "memory": Gap(GapCode.TOO_LARGE, "worker:memory"),
    "fork": Gap(GapCode.INTERNAL, "worker:PermissionError"),
    "stop": Gap(GapCode.TIMEOUT, "worker:wall"),
    "exit": Gap(GapCode.INTERNAL, "worker:exit 7"),
    "output": Gap(GapCode.TOO_LARGE, "worker:output"),
    "sleep": Gap(GapCode.TIMEOUT, "worker:wall"),
    "raise": Gap(GapCode.INTERNAL, "worker:SystemExit"),
}
# What the metrics call the end of the worker; one that answered without trouble lives on.
ENDS = {"segfault": "crash", "loop": "timeout", "memory": "memory", "stop": "timeout",
        "exit": "crash", "sleep": "timeout", "fork": "recycled", "raise": "recycled"}  # fmt: skip


def jobs_of(folder):
    return (Job(sighting.ref, sighting.open) for sighting in Walk()([os.fsencode(folder)]))


def fill(folder, files, poisons=()):
    """Good files with poison spread evenly among them, in walking order."""
    step = files // (len(poisons) or 1)
    for number in range(files):
        poisoned = poisons and number % step == step // 2 and number // step < len(poisons)
        place = folder / f"{number:05}"
        place.mkdir()
        name = f"{poisons[number // step]}.txt" if poisoned else "note.txt"
        (place / name).write_text(f"file {number}\n" * 50)


def engine_for(**settings):
    settings = {"jobs": 2, "limits": LIMITS, "max_output_bytes": 1_000_000, **settings}
    return LocalEngine(analyses.analyse, **settings)


@pytest.mark.parametrize("poison", analyses.POISONS)
def test_each_poison_is_one_gap_and_its_neighbours_are_read(tmp_path, poison):
    fill(tmp_path, 9, [poison])
    with engine_for(jobs=1) as engine:
        done = list(engine.run(jobs_of(tmp_path)))
    assert len(done) == 9
    (failed,) = [one for one in done if one.gap]
    assert failed.gap == EXPECTED[poison]
    assert set(engine.ends) == ({ENDS[poison]} if poison in ENDS else set())
    assert failed.record is None
    assert failed.ms < (LIMITS.wall_seconds + 2) * 1000
    for one in done:
        if one is not failed:
            content = Path(os.fsdecode(one.ref.path)).read_bytes()
            assert one.record["sha256"] == hashlib.sha256(content).hexdigest()
            assert one.ref.size_bytes == len(content)


def survive(tmp_path, files, poisoned):
    poisons = [analyses.POISONS[i % len(analyses.POISONS)] for i in range(poisoned)]
    fill(tmp_path, files, poisons)
    me = psutil.Process()
    children = {child.pid for child in me.children(recursive=True)}
    limits = replace(LIMITS, wall_seconds=2.0)  # a loaded machine may take a second for a good file
    with engine_for(limits=limits) as engine:
        assert list(engine.run([])) == []
        before = me.memory_info().rss
        done = list(engine.run(jobs_of(tmp_path)))
        grown = me.memory_info().rss - before
    assert len(done) == files
    assert len({one.ref.path for one in done}) == files
    assert sum(one.gap is None for one in done) == files - poisoned
    by_poison = Counter(
        os.path.basename(one.ref.path).split(b".")[0].decode() for one in done if one.gap
    )
    assert by_poison == Counter(poisons)
    assert all(one.ms < 1900 for one in done if one.gap is None), "a neighbour waited"
    assert grown < 20_000_000 + 3_000 * files
    left = {child.pid for child in me.children(recursive=True)} - children
    assert not left, "a worker outlived its engine"


def test_five_percent_poison(tmp_path):
    survive(tmp_path, 160, 9)


@pytest.mark.long
def test_a_thousand_files_with_fifty_poisons(tmp_path):
    survive(tmp_path, 1000, 50)


def test_a_file_that_no_worker_took_is_blamed_on_nobody(tmp_path, monkeypatch):
    for name in ("1.pdf", "2.pdf"):
        (tmp_path / name).write_text("x")
    send, sent = worker_handle.send, []

    def refuse_the_second(channel, message, fd):
        sent.append(message)
        if len(sent) == 2:
            raise BrokenPipeError
        send(channel, message, fd)

    monkeypatch.setattr(worker_handle, "send", refuse_the_second)
    with engine_for(jobs=1) as engine:
        done = list(engine.run(jobs_of(tmp_path)))
    assert [one.gap for one in done] == [None, None]
    assert len(sent) == 3
    assert engine.spawned == 2


def test_jobs_are_taken_lazily(tmp_path):
    fill(tmp_path, 100)
    taken = []

    def counted():
        for job in jobs_of(tmp_path):
            taken.append(job)
            yield job

    with engine_for() as engine:
        results = engine.run(counted())
        next(results)
        assert len(taken) <= 2 * 2 + 1
        assert len(list(results)) == 99


def test_a_worker_is_replaced_after_its_share_of_files(tmp_path):
    fill(tmp_path, 20)
    with engine_for(jobs=1, files_per_worker=5) as engine:
        assert all(one.gap is None for one in engine.run(jobs_of(tmp_path)))
        assert engine.spawned == 4
        assert engine.ends == {"recycled": 4}


KEPT = []


def grow(ref, source):
    # as a parser with a leak does; mapped, because a large parent's freed heap would be used again
    KEPT.append(mmap.mmap(-1, 50_000_000, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS))
    return {"filler": len(KEPT)}


def test_a_worker_that_grew_is_replaced(tmp_path):
    fill(tmp_path, 4)
    with LocalEngine(grow, jobs=1, limits=LIMITS, recycle_bytes=30_000_000) as engine:
        assert all(one.gap is None for one in engine.run(jobs_of(tmp_path)))
        assert engine.spawned == 4


def test_a_missing_forbidden_or_special_file_is_a_gap_of_its_own_kind(tmp_path):
    os.mkfifo(tmp_path / "report.pdf")
    (tmp_path / "gone.txt").write_text("x")
    sightings = list(Walk()([os.fsencode(tmp_path)]))
    assert [s.gap for s in sightings] == [None, Gap(GapCode.UNSUPPORTED, "fifo")]
    (tmp_path / "gone.txt").unlink()
    with engine_for() as engine:
        done = list(engine.run(Job(s.ref, s.open) for s in sightings))
    assert {one.gap for one in done} == {
        Gap(GapCode.VANISHED, "open"),
        Gap(GapCode.UNSUPPORTED, "fifo"),
    }


def dawdle(ref, source):
    time.sleep(0.6)
    return {"bytes": len(source.read())}


def read_until_changed(ref, source):
    """Reads on until the open file is no longer what it was when it was opened."""
    for _ in range(2000):
        now = os.fstat(source.fileno())
        if now.st_nlink == 0 or not ref.is_state(now):
            break
        time.sleep(0.01)
    return {"bytes": len(source.read())}


@pytest.mark.parametrize(
    "meanwhile, code",
    [
        (lambda path: os.truncate(path, 9), GapCode.CHANGED),
        (lambda path: os.utime(path, ns=(1, 1)), GapCode.CHANGED),
        (os.unlink, GapCode.VANISHED),
        (lambda path: os.replace(_twin(path), path), GapCode.VANISHED),
    ],
    ids=["grows", "touched", "deleted", "replaced"],
)
def test_a_file_that_changes_while_it_is_read_says_so(tmp_path, meanwhile, code):
    path = tmp_path / "a.txt"
    path.write_text("first")

    timers = []

    def opened(open_it):
        timers.append(threading.Timer(0.25, meanwhile, [str(path)]))
        timers[0].start()
        return open_it()

    jobs = (Job(job.ref, functools.partial(opened, job.open)) for job in jobs_of(tmp_path))
    with LocalEngine(read_until_changed, jobs=1, limits=LIMITS) as engine:
        (done,) = engine.run(jobs)
    timers[0].join()
    assert done.gap == Gap(code, "while reading")
    assert done.record is not None


def _twin(path):
    with open(path + ".new", "w") as twin:
        twin.write("other")
    return twin.name


def test_it_serves_a_loop_of_ones_own(tmp_path):
    fill(tmp_path, 12)
    engine = engine_for()
    engine.start()
    waiting = list(jobs_of(tmp_path))
    seen = []
    while len(seen) < 12:
        while waiting and engine.room:
            engine.submit(waiting.pop())
        seen += engine.results(timeout=0.5)
    assert engine.results(timeout=0.0) == []
    assert engine.in_flight == 0
    engine.close()
    assert all(one.gap is None for one in seen)


def test_results_keeps_the_callers_time(tmp_path):
    (tmp_path / "sleep.txt").write_text("x")
    with engine_for(limits=Limits(wall_seconds=300)) as engine:
        for job in jobs_of(tmp_path):
            engine.submit(job)
        begun = time.monotonic()
        assert engine.results(timeout=0.2) == []
        assert 0.15 < time.monotonic() - begun < 60


def test_a_lost_nursery_is_replaced_and_no_file_is_blamed(tmp_path):
    fill(tmp_path, 30)
    with engine_for() as engine:
        done = []
        for number, one in enumerate(engine.run(jobs_of(tmp_path))):
            done.append(one)
            if number == 5:
                os.kill(engine._pool.forkserver.pid, 9)
        assert len(done) == 30
        assert all(one.gap is None for one in done)


def test_closing_after_a_lost_nursery_leaves_nothing_open(tmp_path):
    fill(tmp_path, 4)
    before = os.listdir("/proc/self/fd")
    engine = LocalEngine(dawdle, jobs=2, limits=LIMITS)
    for job in jobs_of(tmp_path):
        engine.submit(job)
    engine.results(timeout=0.0)
    os.kill(engine._pool.forkserver.pid, 9)
    engine.close()
    engine._pool.selector.close()
    # the selector is kept for a next start
    assert len(os.listdir("/proc/self/fd")) <= len(before)


def test_workers_die_with_their_engine(tmp_path):
    (tmp_path / "sleep.txt").write_text("x")
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        engine = engine_for(limits=Limits(wall_seconds=3600))
        for job in jobs_of(tmp_path):
            engine.submit(job)
        engine.results(timeout=0.3)
        family = [child.pid for child in psutil.Process().children(recursive=True)]
        os.write(writing, " ".join(map(str, family)).encode())
        os._exit(0)
    os.close(writing)
    family = [int(word) for word in os.read(reading, 1000).split()]
    os.close(reading)
    os.waitpid(pid, 0)
    assert len(family) == 2
    deadline = time.monotonic() + 5
    while any(psutil.pid_exists(child) for child in family) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not any(psutil.pid_exists(child) for child in family)


def loud(ref, source):
    os.write(1, b"Jane Sample")
    os.write(2, b"Jane Sample")
    logging.getLogger("dlp").critical("Jane Sample")
    ctypes.string_at(0)


def test_nothing_a_worker_says_leaves_it(tmp_path, capfd, caplog):
    fill(tmp_path, 2)
    with LocalEngine(loud, jobs=1, limits=LIMITS) as engine:
        assert all(one.gap for one in engine.run(jobs_of(tmp_path)))
    out, err = capfd.readouterr()
    assert "Jane" not in out + err + caplog.text


def test_the_sandbox_is_reported(tmp_path):
    fill(tmp_path, 1)
    with engine_for(sandbox=Sandbox.RELAXED) as engine:
        list(engine.run(jobs_of(tmp_path)))
        assert set(engine.walls) >= {"landlock", "seccomp", "memory", "no_new_privs"}
        assert engine.degraded is any(
            not engine.walls[name].startswith("applied")
            for name in ("landlock", "seccomp", "memory", "no_new_privs")
        )


def test_the_supervisors_descriptors_do_not_reach_a_worker(tmp_path):
    secret = tmp_path / "key"
    secret.write_text("key material")
    (tmp_path / "share").mkdir()
    fill(tmp_path / "share", 1)
    with secret.open() as held, LocalEngine(_read_descriptors, jobs=1, limits=LIMITS) as engine:
        (done,) = engine.run(jobs_of(tmp_path / "share"))
    assert held.closed
    assert done.record["found"] == 0
    assert done.record["own"]


def _read_descriptors(ref, source):
    own = source.fileno()
    found = 0
    for fd in range(3, 200):
        try:
            found += fd != own and b"key material" in os.pread(fd, 100, 0)
        except OSError:
            continue
    return {"found": found, "own": bool(os.pread(own, 10, 0))}


def test_an_ordinary_user_has_the_same_workers(tmp_path):
    if os.getuid() != 0:
        pytest.skip("every other test here runs as one already")
    code = """
import os, sys
from dlp.assembly import Analysis
from dlp.config import Settings
from dlp.lazy_resources import NotLoadedError, lazy_registry
from dlp.detect.naming.model_reader import installed, later_model
from dlp.engine import pool
from dlp.engine.local_engine import Job, LocalEngine
from dlp.decode.contract import Limits
from dlp.model import FileRef
fd = os.open(sys.argv[1], os.O_RDONLY)
os.setgroups([]); os.setresgid(65534, 65534, 65534); os.setresuid(65534, 65534, 65534)
read = lambda ref, source: {"text": source.read().decode()}
with LocalEngine(read, jobs=1, limits=Limits(wall_seconds=5), sandbox="strict") as engine:
    (done,) = engine.run([Job(FileRef("", b"x"), lambda: fd)])
    print(done.record, engine.degraded)
"""
    path = tmp_path / "note"
    path.write_text("hello")
    done = subprocess.run(
        [sys.executable, "-c", code, path], capture_output=True, text=True, check=False
    )
    assert done.stdout == "{'text': 'hello'} False\n", done.stderr


def test_a_ref_survives_the_trip():
    seen = []

    def echo(ref, source):
        return {"hex": ref.path.hex(), "share": ref.share, "sha256": ref.sha256}

    path = os.fsencode(__file__)
    ref = FileRef("wards", path, sha256="ab")
    with LocalEngine(echo, jobs=1, limits=LIMITS) as engine:
        seen = list(engine.run([Job(ref, lambda: os.open(path, os.O_RDONLY))]))
    assert seen[0].record == {"hex": path.hex(), "share": "wards", "sha256": "ab"}


def test_trouble_while_warming_up_is_told_as_it_is():
    def damaged():
        raise KnowledgeError("damaged", where="mesh.bin", fix="reinstall")

    with pytest.raises(KnowledgeError) as caught:
        LocalEngine(analyses.analyse, jobs=1, limits=LIMITS, warm=damaged).start()
    assert str(caught.value) == str(KnowledgeError("damaged", where="mesh.bin", fix="reinstall"))


def test_a_bug_while_warming_up_shows_its_traceback():
    code = (
        "from dlp.engine.local_engine import LocalEngine; from dlp.decode.contract import Limits;"
        "LocalEngine(print, jobs=1, limits=Limits(), warm=lambda: 1 // 0).start()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "ZeroDivisionError" in done.stderr
    assert "IsolationError" in done.stderr


def test_what_is_loaded_while_warming_up_is_there_in_every_worker(tmp_path):
    fill(tmp_path, 4)
    loaded = []

    def count(ref, source):
        return {"loaded": list(loaded)}

    settings = {"jobs": 2, "limits": LIMITS, "files_per_worker": 1}
    with LocalEngine(count, warm=lambda: loaded.append("knowledge"), **settings) as engine:
        done = list(engine.run(jobs_of(tmp_path)))
    assert loaded == [], "the supervisor itself stays small"
    assert [one.record for one in done] == [{"loaded": ["knowledge"]}] * 4


def test_a_sandbox_that_does_not_hold_opens_nothing(tmp_path, monkeypatch):
    fill(tmp_path, 1)
    monkeypatch.setattr("dlp.engine.worker.confine", lambda limits: Confinement(()))
    with pytest.raises(IsolationError), engine_for() as engine:
        list(engine.run(jobs_of(tmp_path)))
    with engine_for(sandbox=Sandbox.RELAXED) as engine:
        (done,) = engine.run(jobs_of(tmp_path))
        assert done.gap is None
        assert engine.degraded


def test_strict_wants_every_wall(tmp_path, monkeypatch):
    fill(tmp_path, 1)
    walls = Confinement((Measure("landlock", applied=True), Measure("seccomp", applied=False)))
    monkeypatch.setattr("dlp.engine.worker.confine", lambda limits: walls)
    settings = Settings.model_validate({"engine": {"sandbox": "strict"}})
    with pytest.raises(IsolationError):
        list(Scan(settings, jobs=1).records([os.fsencode(tmp_path)]))
    (record,) = Scan(Settings(), jobs=1).records([os.fsencode(tmp_path)])
    assert record["container"]


def escape(ref, source):
    """Without a sandbox: leave children behind in sessions of their own, then hang."""
    for _ in range(3):
        if os.fork() == 0:
            os.setsid()
            time.sleep(3600)
    time.sleep(3600)


def test_children_of_a_worker_die_with_it_even_without_a_sandbox(tmp_path, monkeypatch):
    fill(tmp_path, 3)
    monkeypatch.setattr("dlp.engine.worker.confine", lambda limits: Confinement(()))
    limits = Limits(wall_seconds=0.3)
    with LocalEngine(escape, jobs=1, limits=limits, sandbox=Sandbox.RELAXED) as engine:
        done = list(engine.run(jobs_of(tmp_path)))
        assert {one.gap for one in done} == {Gap(GapCode.TIMEOUT, "worker:wall")}
        forkserver = psutil.Process(engine._pool.forkserver.pid)
        assert forkserver.children(recursive=True) == []


@pytest.mark.parametrize(
    "noise",
    [b"\x00\x00\x00\x02[]", b"\x00\x00\x00\x05hello", b"\xff\xff\xff\xff", b"\x00\x00\x00\x02{}"],
    ids=["array", "not JSON", "endless", "empty object"],
)
def test_a_worker_that_talks_nonsense_is_replaced(tmp_path, noise):
    fill(tmp_path, 3)

    def babble(ref, source):
        if b"00001" not in ref.path:
            return {}
        for fd in range(3, 100):
            try:
                os.write(fd, noise)
            except OSError:
                continue
        time.sleep(5)
        return {}

    with LocalEngine(babble, jobs=1, limits=LIMITS) as engine:
        done = list(engine.run(jobs_of(tmp_path)))
        # a second worker is given the file again; a third is needed where a file waits behind it
        assert engine.spawned in {2, 3}
    assert sorted(one.gap is None for one in done) == [False, True, True]
    (failed,) = [one.gap for one in done if one.gap]
    assert failed in {
        Gap(GapCode.INTERNAL, "worker:protocol"),
        Gap(GapCode.TOO_LARGE, "worker:output"),
    }


def test_what_a_worker_lacks_is_loaded_once_and_the_file_given_again(tmp_path):
    fill(tmp_path, 6)
    loaded = []

    def choosy(ref, source):
        if ref.path.endswith((b"2/note.txt", b"4/note.txt")) and not loaded:
            raise NotLoadedError("model")
        return {"loaded": list(loaded)}

    with LocalEngine(choosy, jobs=1, limits=LIMITS, supply=loaded.append) as engine:
        done = list(engine.run(jobs_of(tmp_path)))
        assert engine.spawned == 2
        assert engine.ends["outdated"] == 1
    assert loaded == [], "the supervisor itself stays small"
    assert len(done) == 6
    assert all(one.gap is None for one in done)
    assert {tuple(one.record["loaded"]) for one in done} == {(), ("model",)}


def test_workers_go_on_while_something_is_loaded(tmp_path):
    fill(tmp_path, 6)
    loaded = []
    gate = tmp_path.parent / f"{tmp_path.name}.open"

    def choosy(ref, source):
        if ref.path.endswith(b"0/note.txt") and not loaded:
            raise NotLoadedError("model")
        return {"loaded": list(loaded)}

    def supply(name):
        while not gate.exists():  # takes as long as the test wants
            time.sleep(0.01)
        loaded.append(name)

    seen = []
    with LocalEngine(choosy, jobs=1, limits=LIMITS, supply=supply) as engine:
        for done in engine.run(jobs_of(tmp_path)):
            seen.append(done)
            if len(seen) == 5:
                gate.touch()
        assert (engine.spawned, engine.ends["outdated"]) == (2, 1)
    assert all(one.gap is None for one in seen)
    assert [one.record["loaded"] for one in seen] == [[]] * 5 + [["model"]]


def test_nobody_waits_for_a_nursery_whose_word_was_taken_meanwhile(tmp_path, monkeypatch):
    """A worker to be replaced and what was loaded are heard at once; ending the worker hears both.

    What was seen to be readable is then silent, and listening to it stopped everything for two
    minutes, after which the forkserver was taken for lost.
    """
    fill(tmp_path, 4)
    monkeypatch.setattr(forkserver_module, "REPLY_SECONDS", 5.0)
    settings = {"jobs": 1, "limits": LIMITS, "files_per_worker": 1, "supply": lambda _: None}
    with LocalEngine(analyses.analyse, **settings) as engine:
        pool = engine._pool
        pool.start()
        forkserver, select, both = pool.forkserver, pool.selector.select, []

        def select_both(wait):
            """Ask for something, and look only once it and the worker's answer are there."""
            pool.load({f"thing {len(both)}"})
            time.sleep(0.2)
            ready = sorted(
                select(wait), key=lambda one: one[0].data is forkserver
            )  # the worker first
            both.append(len(ready) == 2)
            return ready

        monkeypatch.setattr(pool.selector, "select", select_both)
        started = time.monotonic()
        done = list(engine.run(jobs_of(tmp_path)))
        took = time.monotonic() - started
        assert pool.forkserver is forkserver, "one that answers was given up"
    assert any(both), "nothing was tested: they never came together"
    assert [one.gap for one in done] == [None] * 4
    assert took < 4.0


def test_a_nursery_killed_while_loading_is_replaced_and_loads_again(tmp_path):
    fill(tmp_path, 3)
    loaded = []
    mark = tmp_path.parent / f"{tmp_path.name}.mark"

    def choosy(ref, source):
        if not loaded:
            raise NotLoadedError("model")
        return {"loaded": list(loaded)}

    def supply(name):
        if not mark.exists():
            mark.touch()
            os.kill(os.getpid(), 9)
        loaded.append(name)

    with LocalEngine(choosy, jobs=2, limits=LIMITS, supply=supply) as engine:
        done = list(engine.run(jobs_of(tmp_path)))
    assert [one.gap for one in done] == [None] * 3
    assert all(one.record["loaded"] == ["model"] for one in done)


def test_an_idle_engine_read_messages_that_its_nursery_is_gone_once(tmp_path):
    """Else whoever waits for its descriptor would be woken for ever."""
    fill(tmp_path, 1)
    with LocalEngine(analyses.analyse, jobs=1, limits=LIMITS) as engine:
        assert len(list(engine.run(jobs_of(tmp_path)))) == 1
        os.kill(engine._pool.forkserver.pid, 9)
        assert select.select([engine], [], [], 30)[0]
        assert engine.results(0) == []
        assert not select.select([engine], [], [], 0)[0]
        assert len(list(engine.run(jobs_of(tmp_path)))) == 1


def test_a_worker_that_lacks_ever_new_things_is_ended(tmp_path):
    fill(tmp_path, 1)
    wishes = itertools.count()

    def greedy(ref, source):
        raise NotLoadedError(f"thing {next(wishes)} of {os.getpid()}")

    with LocalEngine(greedy, jobs=1, limits=LIMITS, supply=lambda _: None) as engine:
        (done,) = engine.run(jobs_of(tmp_path))
        assert engine.spawned < 30
    assert done.gap == Gap(GapCode.INTERNAL, "worker:protocol")


def test_a_worker_that_lacks_what_it_was_given_is_ended(tmp_path):
    fill(tmp_path, 1)
    for wish in ("model", "the root password"):

        def greedy(ref, source, wish=wish):
            raise NotLoadedError(wish)

        supplied = []
        with LocalEngine(greedy, jobs=1, limits=LIMITS, supply=supplied.append) as engine:
            (done,) = engine.run(jobs_of(tmp_path))
        assert done.gap == Gap(GapCode.INTERNAL, "worker:protocol")


def test_a_worker_speaks_of_no_other_file(tmp_path):
    fill(tmp_path, 2)
    innocent = os.fspath(min(tmp_path.glob("*/note.txt")))

    def liar(ref, source):
        return {"path": innocent}

    with LocalEngine(liar, jobs=1, limits=LIMITS) as engine:
        gaps = {os.fsdecode(done.ref.path): done.gap for done in engine.run(jobs_of(tmp_path))}
    assert gaps.pop(innocent) is None
    assert set(gaps.values()) == {Gap(GapCode.INTERNAL, "worker:protocol")}


def test_one_worker_makes_do_until_what_all_are_to_have_is_loaded(tmp_path):
    fill(tmp_path, 9)
    loaded = []
    gate = tmp_path.parent / f"{tmp_path.name}.open"

    def choosy(ref, source):
        if ref.path.endswith(b"2/note.txt") and "readers" not in loaded:
            raise NotLoadedError("readers")
        return {"loaded": list(loaded)}

    def supply(name):
        while not gate.exists():  # takes as long as the test wants
            time.sleep(0.01)
        loaded.append(name)

    seen = []
    settings = {"jobs": 2, "limits": LIMITS, "supply": supply, "soon": ("readers", "states")}
    with LocalEngine(choosy, **settings) as engine:
        for done in engine.run(jobs_of(tmp_path)):
            seen.append(done)
            if len(seen) == 5:
                assert engine.spawned == 1
                gate.touch()
        assert engine.spawned > 1
    assert [one.gap for one in seen] == [None] * 9
    assert [one.record["loaded"] for one in seen][:5] == [[]] * 5
    assert seen[-1].record["loaded"] == ["readers", "states"]
    assert len({one.ref.path for one in seen}) == 9


def test_nobody_waits_at_the_end_for_what_is_still_loading(tmp_path):
    fill(tmp_path, 2)
    settings = {"jobs": 2, "limits": LIMITS, "supply": lambda _: time.sleep(60), "soon": ("x",)}
    started = time.monotonic()
    with LocalEngine(analyses.analyse, **settings) as engine:
        assert len(list(engine.run(jobs_of(tmp_path)))) == 2
    assert time.monotonic() - started < 30


def test_a_nursery_forked_ahead_is_told_what_to_do(tmp_path):
    fill(tmp_path, 3)
    order = order_of(Settings())
    forkserver = start_forkserver()
    forkserver.send_order(order)
    analysis = Ordered(order)
    settings = {"jobs": 1, "limits": limits_of(Settings()), "supply": lazy_registry().supply}
    with LocalEngine(analysis, warm=analysis.warm, forkserver=forkserver, **settings) as engine:
        done = list(engine.run(jobs_of(tmp_path)))
        assert engine._pool.forkserver is forkserver
    assert [one.gap for one in done] == [None] * 3
    assert {one.record["rules_version"] for one in done} == {verdict_version(Settings())}


def test_a_closed_nursery_is_waited_for():
    forkserver = start_forkserver()
    forkserver.close()
    forkserver.close()
    with pytest.raises(ChildProcessError):
        os.waitpid(forkserver.pid, 0)


def test_an_order_says_all_that_an_analysis_reads():
    settings = Settings(decode={"extra_encodings": ("cp037",), "wall_seconds": 7})
    told = settings_in(json.loads(json.dumps(order_of(settings))))
    assert limits_of(told) == limits_of(settings)
    assert verdict_version(told) == verdict_version(settings)
    # workers know no settings file: where the site keeps its key and its rosters is said outright
    said = {
        "keys": {"fingerprint": str(place_of_key("fingerprint"))},
        "detect": {"rosters": str(roster_folder(settings.detect.rosters))},
    }
    for name in SECTIONS:
        expected = getattr(settings, name).model_dump() | said.get(name, {})
        assert vars(getattr(told, name)) == expected


@pytest.mark.skipif(installed() is None, reason="no English model is installed")
def test_the_model_comes_with_the_first_file_that_needs_it(tmp_path, monkeypatch):
    monkeypatch.setattr(later_model().model, "_loaded", [])  # another test may have had it
    (tmp_path / "plain.txt").write_text("The clinic is closed in August.\n")
    doubtful = "Follow up about the asthma with Grace Banks, who was wheezing a lot at night.\n"
    (tmp_path / "doubtful.txt").write_text(doubtful + "MRN: 48213377\n")
    analysis = Analysis(Settings(), key=bytes(32))
    limits = Limits(wall_seconds=30)
    engine = LocalEngine(
        analysis, jobs=1, limits=limits, warm=analysis.warm_lightly, supply=lazy_registry().supply
    )
    with engine:
        for expected in (1, 0):  # a worker that has it lacks nothing
            engine.ends.clear()
            done = list(engine.run(jobs_of(tmp_path)))
            assert [one.gap for one in done] == [None, None]
            assert all(one.record["gaps"] == [] for one in done)
            assert engine.ends["outdated"] == expected


def test_a_nursery_that_was_begun_loads_beside_us(tmp_path):
    loaded = tmp_path / "loaded"

    def warm():
        time.sleep(0.5)
        loaded.touch()

    engine = LocalEngine(analyses.analyse, jobs=1, limits=LIMITS, warm=warm)
    engine.begin()
    engine.begin()
    assert not loaded.exists(), "nobody waits for it yet"
    try:
        engine.start()
        assert loaded.exists()
    finally:
        engine.close()


def test_a_nursery_that_was_begun_and_never_needed_is_ended():
    engine = LocalEngine(analyses.analyse, jobs=1, limits=LIMITS, warm=lambda: time.sleep(60))
    before = set(psutil.Process().children())
    engine.begin()
    assert set(psutil.Process().children()) - before
    engine.close()
    assert not set(psutil.Process().children()) - before


def test_a_worker_whose_parser_met_trouble_reads_no_other_file(tmp_path):
    """An exploited parser would own whatever its worker reads next."""
    fill(tmp_path, 12)

    def corrupt(ref, source):
        gaps = [{"code": "corrupt", "where": "body"}] if b"/00004/" in ref.path else []
        return {"pid": os.getpid(), "gaps": gaps}

    with LocalEngine(corrupt, jobs=1, limits=LIMITS) as engine:
        done = list(engine.run(jobs_of(tmp_path)))
    (troubled,) = [one.record["pid"] for one in done if one.record["gaps"]]
    order = [one.record["pid"] for one in done]
    assert len(done) == 12
    assert troubled not in order[order.index(troubled, order.count(troubled) - 1) + 1 :]
    assert len(set(order)) == 2
    assert engine.ends["recycled"] == 1


def test_a_worker_sees_no_password_of_its_supervisor(tmp_path, monkeypatch):
    fill(tmp_path, 1)
    for name in ("PGPASSWORD", "AWS_SECRET_ACCESS_KEY", "SMTP_PASSWORD"):
        monkeypatch.setenv(name, "hunter2")

    def tell(ref, source):
        return {"names": sorted(os.environ), "secret": "hunter2" in os.environ.values()}

    with LocalEngine(tell, jobs=1, limits=LIMITS) as engine:
        (done,) = engine.run(jobs_of(tmp_path))
    assert done.record["secret"] is False
    assert "PATH" in done.record["names"]
