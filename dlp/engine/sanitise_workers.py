"""Sanitise files in confined workers; the daemon itself never reads a document.

In: files that the policy wants sanitised.  Out: Clean, or the reason in closed words.

The sanitising service gives no output that its rescan, its second reader, the independent verifier
or the scanner contradicts; the worker adds the verdict on the new file, which the policy has to
find harmless. A worker that lies can at most spoil the copy of
the file it was given; the original is in the vault.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import io
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, BinaryIO, Protocol

from dlp import demo_share
from dlp.assembly import Analysis
from dlp.config import Settings
from dlp.engine.local_engine import LocalEngine
from dlp.engine.protocol import Done, Job
from dlp.engine.sanitiser_setup import configured_plan, examiner
from dlp.engine.worker import Sandbox
from dlp.engine.worker_settings import limits_of
from dlp.errors import SanitiseError
from dlp.model import FileRef
from dlp.report.words_and_masks import mask
from dlp.sanitise.service import Service

MAX_OUTPUT_BYTES = 96_000_000  # in base64 and JSON
PATIENCE = 3  # times what a verdict may take: it is read, rewritten and read again


@dataclass(frozen=True, slots=True)
class Clean:
    content: bytes = field(repr=False)
    certificate: Mapping[str, Any] = field(repr=False)
    record: Mapping[str, Any] = field(repr=False)  # the verdict on the new content


@dataclass(frozen=True, slots=True)
class Unclean:
    why: str  # goes to the ledger: closed words only


Then = Callable[[Clean | Unclean], None]


class Work(Protocol):
    """What is done with one open file in a confined worker, and what loads all it needs."""

    def warm(self) -> None: ...

    def __call__(self, ref: FileRef, source: BinaryIO) -> dict[str, Any]: ...


class Cleanse:
    """What a worker does with one open file."""

    def __init__(self, settings: Settings) -> None:
        self._plan = configured_plan(settings)
        self._analysis = Analysis(settings, full=True)
        self._examine = examiner(self._analysis)

    def warm(self) -> None:
        """Load everything once: afterwards no path can be opened."""
        self._analysis.warm()
        sample = io.BytesIO(demo_share.DISCHARGE.encode())
        made = self(FileRef("", b"warm-up.txt"), sample)
        if "clean" not in made:
            raise SanitiseError("the self-test of sanitising failed", fix="run: dlp doctor")

    def __call__(self, ref: FileRef, source: BinaryIO) -> dict[str, Any]:
        name = os.fsdecode(ref.path.rpartition(b"/")[2])
        # A service of its own for each file: what it learns of people ends with the file.
        outcome = Service(self._plan, self._examine, mask).sanitise(name, source.read())
        if outcome.output is None:
            return {"why": "refused"}
        return {
            "clean": base64.b64encode(outcome.output).decode("ascii"),
            "certificate": outcome.certificate,
            "record": self._analysis(ref, io.BytesIO(outcome.output)),
        }


def sanitising_engine(settings: Settings, work: Work, *, files_per_worker: int) -> LocalEngine:
    limits = limits_of(settings)
    return LocalEngine(
        work,
        jobs=1,
        limits=replace(limits, wall_seconds=PATIENCE * limits.wall_seconds),
        files_per_worker=files_per_worker,
        max_output_bytes=MAX_OUTPUT_BYTES,
        sandbox=Sandbox(settings.engine.sandbox),
        warm=work.warm,
    )


class Cleansing:
    """The daemon's side: one file after the other, never waited for."""

    def __init__(self, settings: Settings) -> None:
        self._engine = sanitising_engine(
            settings, Cleanse(settings), files_per_worker=settings.engine.files_per_worker
        )
        self._waiting: dict[int, Then] = {}

    def start(self) -> None:
        """Fork early, before threads and secrets."""
        self._engine.start()

    def __len__(self) -> int:
        return len(self._waiting)

    def submit(self, ref: FileRef, open_: Callable[[], int], then: Then) -> None:
        job = Job(ref, open_)
        self._waiting[id(job)] = then
        self._engine.submit(job)

    def turn(self) -> None:
        if self._waiting:
            for done in self._engine.results(0.0):
                self._waiting.pop(id(done.job))(read(done))

    def forget(self) -> None:
        """Ignore the answers that are still to come: their queue is closed."""
        self._waiting = dict.fromkeys(self._waiting, lambda _: None)

    def close(self) -> None:
        """Drop what was in hand without a result; the files wait for their next turn."""
        self._waiting.clear()
        self._engine.close()


def read(done: Done) -> Clean | Unclean:
    """Take a worker's answer apart without believing it."""
    if done.gap is not None or done.record is None:
        return Unclean(done.gap.code.value if done.gap else "worker")
    clean, certificate, record = (done.record.get(k) for k in ("clean", "certificate", "record"))
    if not isinstance(clean, str):
        return Unclean("refused")
    try:
        content = base64.b64decode(clean, validate=True)
        stated = certificate["output"]["sha256"] if isinstance(certificate, dict) else ""
    except (binascii.Error, KeyError, TypeError):
        return Unclean("worker")
    if not isinstance(record, dict) or not isinstance(certificate, dict):
        return Unclean("worker")
    if hashlib.sha256(content).hexdigest() != stated:
        return Unclean("certificate")
    return Clean(content, certificate, record)
