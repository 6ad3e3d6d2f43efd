"""A cluster tells what one machine tells, whatever is killed: each file one verdict, none lost."""

import collections
import json
import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from types import SimpleNamespace

import pytest

from dlp.config import Settings
from dlp.engine.dask_engine import ClusterEngine
from dlp.engine.protocol import Job
from dlp.engine.scanning import Scan
from dlp.errors import ClusterError, DlpError
from dlp.model import FileRef
from tests.support.dask_cluster import Cluster

pytest.importorskip("distributed")
from distributed.client import ClosedClientError
from distributed.comm import CommClosedError

NOTE = "Patient: Jane Roe, MRN 44{0:05}, phone (416) 555-0{1:03}. She takes metformin for type 2 diabetes.\n"


def fill(share, count):
    for number in range(count):
        folder = share / f"d{number % 7}"
        folder.mkdir(parents=True, exist_ok=True)
        text = (
            NOTE.format(number, number % 1000) if number % 3 else f"The bus leaves at {number}.\n"
        )
        (folder / f"f{number}.txt").write_text(text)
    (share / "broken.pdf").write_bytes(b"%PDF-1.7 broken")
    (share / "copy.txt").write_bytes((share / "d0" / "f0.txt").read_bytes())


def told(records):
    """What was said of each file, without the times it took."""
    passing = {"ms", "spent_ms"}
    return {r["path"]: {key: r[key] for key in r.keys() - passing} for r in records}


def small_batches(monkeypatch, engines, size=12):
    def make(address, order, roots):
        engines.append(ClusterEngine(address, order, roots, batch_files=size, rejoin_seconds=60))
        return engines[-1]

    monkeypatch.setattr("dlp.engine.dask_engine.ClusterEngine", make)


@pytest.mark.long
@pytest.mark.timeout(900)
def test_a_worker_and_then_the_scheduler_are_killed_and_nothing_is_lost(tmp_path, monkeypatch):
    share = tmp_path / "share"
    fill(share, 70)
    paths = [os.fsencode(share)]
    local = list(Scan(Settings(), jobs=1).records(paths))
    engines = []
    small_batches(monkeypatch, engines)
    with Cluster(tmp_path) as cluster:
        records = []
        for record in Scan(Settings(), engine=f"dask:{cluster.address}").records(paths):
            records.append(record)
            if len(records) == 15:
                cluster.workers[0].send_signal(signal.SIGKILL)
            if len(records) == 40:
                cluster.scheduler.send_signal(signal.SIGKILL)
                cluster.restart()
    assert len(records) == len(local) == 72
    assert told(records) == told(local)
    assert engines[0].resent, "the scheduler died while batches were out"
    assert not engines[0].degraded, "the sandbox stands inside a cluster's workers"


@pytest.mark.timeout(600)
def test_a_machine_with_another_key_or_other_rules_is_refused(tmp_path, monkeypatch):
    share = tmp_path / "share"
    fill(share, 3)
    with Cluster(tmp_path, workers=1) as cluster:
        monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "another"))
        scan = Scan(Settings(), engine=f"dask:{cluster.address}")
        with pytest.raises(DlpError, match="another fingerprint key"):
            list(scan.records([os.fsencode(share)]))


class Going:
    """A client whose scheduler goes at a given step, once; the next one works."""

    def __init__(self, goes=""):
        self.goes, self.status = goes, "running"
        self.scheduler_comm = SimpleNamespace(comm=SimpleNamespace(closed=lambda: False))

    def register_plugin(self, plugin):
        pass

    def run(self, ask, roots, on_error):
        return {"one": ask(roots)}

    def nthreads(self):
        return {"one": 1}

    def submit(self, _, __, files, **___):
        if self.goes == "sending":
            self.status = "closed"
            raise ClosedClientError
        done = [{"number": n, "record": {}, "gap": None, "ms": 1.0, "ref": file["ref"]}
                for n, file in enumerate(files)]  # fmt: skip
        return Answer(self.goes, {"done": done, "walls": {}, "degraded": False})

    def close(self, timeout):
        if self.goes:
            raise TimeoutError


class Answer:
    status = "finished"

    def __init__(self, goes, reply):
        self.goes, self.reply = goes, reply

    def add_done_callback(self, tell):
        tell(self)

    def result(self):
        if self.goes == "fetching":
            raise CommClosedError
        return self.reply


@pytest.mark.parametrize("step", ["sending", "fetching"])
def test_a_scheduler_may_go_at_any_step_and_be_slow_to_leave(tmp_path, monkeypatch, step):
    clients = [Going(step), Going()]
    monkeypatch.setattr("dlp.engine.dask_engine.connect", lambda _: clients.pop(0))
    monkeypatch.setattr("dlp.engine.dask_engine.LOOK_SECONDS", 0.01)
    root = os.fsencode(tmp_path)
    engine = ClusterEngine("tcp://nowhere", {"version": "0" * 32}, [root], batch_files=2)
    jobs = [Job(FileRef("", b"%d" % n), lambda: -1, (root, b"%d" % n)) for n in range(3)]
    for job in jobs:
        engine.submit(job)
    done = []
    while engine.in_flight:
        done += engine.results(None)
    engine.close()
    assert sorted(one.job.ref.path for one in done) == [b"0", b"1", b"2"]
    assert engine.resent


def test_nobody_there_is_said_plainly(monkeypatch):
    monkeypatch.setattr("dlp.engine.dask_engine.CONNECT_SECONDS", 1)
    order = {"version": "0" * 32}
    engine = ClusterEngine("tcp://127.0.0.1:9", order, [b"/"], rejoin_seconds=0)
    with pytest.raises(ClusterError, match="cannot be reached"):
        engine.submit(None)


@contextmanager
def scan(share, folder, name, *more):
    """A scan as a program of its own; what it says beside its records is kept."""
    command = [sys.executable, "-m", "dlp", "scan", str(share), "--format", "jsonl", *more]
    command += ["--catalogue", str(folder / "catalogue.db")]
    with (folder / f"{name}.log").open("wb") as log:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True)
    with process:
        yield process
    assert process.returncode in {0, 1, 3, -signal.SIGKILL}, (folder / f"{name}.log").read_text()


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_five_thousand_files_with_worker_scheduler_and_client_killed(tmp_path):
    share = tmp_path / "share"
    fill(share, 5000)
    with Cluster(tmp_path) as cluster:
        engine = ("--engine", f"dask:{cluster.address}")
        with scan(share, tmp_path, "first", *engine) as first:
            for number, _ in enumerate(first.stdout):
                if number == 700:
                    cluster.workers[0].send_signal(signal.SIGKILL)
                    cluster.add_worker()
                if number == 1800:
                    cluster.scheduler.send_signal(signal.SIGKILL)
                    cluster.restart()
                if number == 3000:
                    first.kill()
        started = time.monotonic()
        with scan(share, tmp_path, "second", *engine) as second:
            records = [json.loads(line) for line in second.stdout]
        print(f"resumed in {time.monotonic() - started:.1f} s")  # noqa: T201 - the figure
        recalled = sum(record["ms"] == 0 for record in records)
        assert recalled >= 2000, "what the first client committed is not judged again"
        with scan(share, tmp_path, "alone", "--fresh") as again:
            local = [json.loads(line) for line in again.stdout]
        assert max(collections.Counter(r["path"] for r in records).values()) == 1
        assert len(records) == 5002
        ours, theirs = told(records), told(local)
        differing = [path for path in theirs if ours.get(path) != theirs[path]]
        assert [(ours.get(path), theirs[path]) for path in differing[:3]] == []
