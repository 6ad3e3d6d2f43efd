"""One machine's share of a cluster: a clean process that holds the knowledge and its workers.

In: batches of files by path, on a socket.  Out: for each file a record or a gap.

    python -m dlp.engine.dask_node DESCRIPTOR

It is started by exec and not by fork, because a cluster's worker is full of threads; from here on
everything is as on one machine: a nursery, confined workers, one record a file.
"""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Iterator
from typing import Any, BinaryIO

from dlp.acquire.file_identity import open_file
from dlp.assembly import Analysis
from dlp.config import Settings
from dlp.engine.jobs import Done, Job
from dlp.engine.local_engine import LocalEngine
from dlp.engine.protocol import LENGTH, pack, pack_ref, unpack, unpack_ref
from dlp.engine.verdict_version import Versions
from dlp.engine.worker_settings import limits_of
from dlp.errors import ConfigError, DlpError
from dlp.keys import fingerprint_key
from dlp.lazy_resources import shelf
from dlp.report.checked import is_fit

Message = dict[str, Any]


def read_message(source: BinaryIO) -> Message | None:
    """One whole message; None once the other side has gone."""
    head = source.read(LENGTH.size)
    if len(head) < LENGTH.size:
        return None
    body = source.read(LENGTH.unpack(head)[0])
    return unpack(body) if len(body) == LENGTH.unpack(head)[0] else None


def told(error: DlpError) -> Message:
    said = {"code": error.code, "what": error.what, "where": error.where, "fix": error.fix}
    return {"broken": said}


def serve(channel: socket.socket) -> None:
    with channel, channel.makefile("rb") as source:
        order = read_message(source)
        if order is None:
            return
        try:
            engine = prepare(order)
        except DlpError as error:
            channel.sendall(pack(told(error)))
            return
        with engine:
            channel.sendall(pack({"ready": True}))
            while (batch := read_message(source)) is not None:
                try:
                    done = list(judge(engine, batch["files"]))
                except DlpError as error:
                    channel.sendall(pack(told(error)))
                    return
                reply = {"done": done, "walls": engine.walls, "degraded": engine.degraded}
                channel.sendall(pack(reply))


def prepare(order: Message) -> LocalEngine:
    settings = Settings.model_validate(order["settings"])
    key = fingerprint_key(settings.keys.fingerprint)
    # A verdict must not depend on which machine it was found.
    if Versions(settings, full=order["full"], key=key).deep != order["version"]:
        raise ConfigError(
            "this machine has other rules, knowledge, programs or another fingerprint key",
            where=socket.gethostname(),
            fix="install the same release, rules and keys.fingerprint file on every machine",
        )
    analysis = Analysis(settings, full=order["full"], values=order["values"], masks=order["masks"])
    return LocalEngine(
        analysis,
        jobs=order["jobs"],
        limits=limits_of(settings),
        files_per_worker=settings.engine.files_per_worker,
        warm=analysis.warm_lightly,
        supply=shelf().supply,
        fit=is_fit,
    )


def judge(engine: LocalEngine, files: list[Message]) -> Iterator[Message]:
    jobs = [job_of(file) for file in files]
    numbers = {id(job): number for number, job in enumerate(jobs)}
    for done in engine.run(jobs):
        yield {"number": numbers[id(done.job)], **pack_done(done)}


def pack_done(done: Done) -> Message:
    gap = [done.gap.code.value, done.gap.where] if done.gap else None
    return {"record": done.record, "gap": gap, "ms": done.ms, "ref": pack_ref(done.ref)}


def pack_file(job: Job) -> Message:
    assert job.place is not None
    root, relative = job.place
    place = {
        "root": os.path.abspath(root).decode("latin-1"),
        "relative": relative.decode("latin-1"),
    }
    return {"ref": pack_ref(job.ref), **place}


def job_of(file: Message) -> Job:
    root, relative = file["root"].encode("latin-1"), file["relative"].encode("latin-1")
    return Job(unpack_ref(file["ref"]), lambda: open_file(root, relative), (root, relative))


if __name__ == "__main__":
    os.set_inheritable(int(sys.argv[1]), False)
    serve(socket.socket(fileno=int(sys.argv[1])))
