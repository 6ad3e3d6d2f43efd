"""A cluster tells what one machine tells, whatever is killed: each file one verdict, none lost."""

import collections
import json
import os
import signal
import subprocess
import sys
import time

import pytest

from dlp.config import Settings
from dlp.engine.cluster import ClusterEngine
from dlp.engine.scanning import Scan
from dlp.errors import ClusterError, DlpError
from tests.support.dask_cluster import Cluster

pytest.importorskip("distributed")
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

    monkeypatch.setattr("dlp.engine.cluster.ClusterEngine", make)


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


def test_nobody_there_is_said_plainly(monkeypatch):
    monkeypatch.setattr("dlp.engine.cluster.CONNECT_SECONDS", 1)
    order = {"version": "0" * 32}
    engine = ClusterEngine("tcp://127.0.0.1:9", order, [b"/"], rejoin_seconds=0)
    with pytest.raises(ClusterError, match="cannot be reached"):
        engine.submit(None)


def scan(share, folder, *more, **options):
    command = [sys.executable, "-m", "dlp", "scan", str(share), "--format", "jsonl", *more]
    command += ["--catalogue", str(folder / "catalogue.db")]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, **options)


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_five_thousand_files_with_worker_scheduler_and_client_killed(tmp_path):
    share = tmp_path / "share"
    fill(share, 5000)
    with Cluster(tmp_path) as cluster:
        engine = ("--engine", f"dask:{cluster.address}")
        with scan(share, tmp_path, *engine) as first:
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
        with scan(share, tmp_path, *engine) as second:
            records = [json.loads(line) for line in second.stdout]
        print(f"resumed in {time.monotonic() - started:.1f} s")  # noqa: T201 - the figure
    recalled = sum(record["ms"] == 0 for record in records)
    assert recalled >= 2000, "what the first client committed is not judged again"
    with scan(share, tmp_path, "--fresh") as again:
        local = [json.loads(line) for line in again.stdout]
    assert max(collections.Counter(r["path"] for r in records).values()) == 1
    assert told(records) == told(local)
    assert len(records) == 5002
