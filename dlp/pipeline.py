"""Run the stages in order; with the sandbox, the only place that catches everything.

In: Case with a FileRef.  Out: Case that went through every stage it needed.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from itertools import groupby
from typing import Protocol

from dlp.errors import DlpError
from dlp.model import Case, GapCode

log = logging.getLogger(__name__)
ALWAYS = frozenset({"ref", "findings", "gaps", "facts"})
DEADLINE = "deadline"  # the fact: when, by the monotonic clock, a file's time is over
FOREVER = float("inf")


class Stage(Protocol):
    @property
    def name(self) -> str: ...

    @property
    def requires(self) -> frozenset[str]:
        """Case fields that must be filled on entry."""

    @property
    def provides(self) -> frozenset[str]:
        """Case fields this stage fills."""

    def __call__(self, case: Case) -> Case: ...

    # A stage may have `in_time`, which is called in its place unless the file's time is over.


class Pipeline:
    def __init__(
        self, stages: Sequence[Stage], *, given: AbstractSet[str] = ALWAYS, full: bool = False
    ) -> None:
        check_order(stages, given)
        self._stages = tuple(stages)
        # looked up once: a share holds millions of small files
        turns = [
            (
                stage.name,
                getattr(stage, "in_time", stage.__call__),
                hasattr(stage, "in_time"),
                "document" in stage.requires,  # as nearly all: asked without a look-up by name
                tuple(stage.requires - ALWAYS - {"document"}),
                full or getattr(stage, "final", False),
            )
            for stage in stages
        ]
        groups = [
            (folder, tuple(those))
            for folder, those in groupby(turns, lambda turn: turn[0].partition(".")[0])
        ]
        self._folders = tuple(dict.fromkeys(folder for folder, _ in groups))
        # whose time it is, whether a settled case meets anybody there, and whom
        self._groups = tuple(
            (self._folders.index(folder), any(turn[-1] for turn in those), those)
            for folder, those in groups
        )

    def preload(self) -> None:
        """Let each stage load what it would otherwise load late: a sandboxed worker cannot."""
        for stage in self._stages:
            getattr(stage, "preload", lambda: None)()

    def run(self, case: Case) -> Case:
        """Give each stage its turn; a settled case only meets the stages marked `final`.

        A stage that did not run is said in the case itself; the trail has those that did.
        """
        spent = [0] * len(self._folders)
        trail = list(case.trail)
        clock, now = time.perf_counter_ns, time.monotonic
        started = clock()
        for folder, some_always, turns in self._groups:
            if case.settled and not some_always:
                continue
            for stage, work, is_timed, reads, others, always in turns:
                if case.settled and not always:
                    continue
                if (reads and case.document is None) or (others and lacks(case, others)):
                    # An earlier gap explains the hole; a hole with no gap is our own bug.
                    case = case if case.gaps else case.with_gap(GapCode.INTERNAL, stage)
                    continue
                try:
                    late = is_timed and now() > case.facts.get(DEADLINE, FOREVER)
                    case = case.with_gap(GapCode.TIMEOUT, stage) if late else work(case)
                    trail.append(stage)
                except (DlpError, MemoryError):
                    # Our own store or rules are broken: stop, do not blame the file. Or the limit
                    # of the worker, which says so and is replaced.
                    raise
                except Exception as error:  # noqa: BLE001 - a bug must not pass for a clean file
                    case = failed(case, stage, error)
            ended = clock()
            spent[folder] += ended - started
            started = ended
        met = zip(self._folders, spent, strict=True)
        spent_ms = {folder: ns // 1000 / 1000 for folder, ns in met if ns}
        return case.but(spent_ms=spent_ms, trail=tuple(trail))


def lacks(case: Case, fields: Sequence[str]) -> bool:
    return any(getattr(case, name) is None for name in fields)


def failed(case: Case, stage: str, error: Exception) -> Case:
    # Exception texts carry cell values; the type and the place are enough to find the bug.
    log.error("stage failed", extra={"stage": stage, "error": type(error).__name__})
    return case.with_gap(GapCode.INTERNAL, stage)


def check_order(stages: Sequence[Stage], given: AbstractSet[str] = ALWAYS) -> None:
    """Refuse to start if a stage needs a field no earlier stage fills."""
    filled = set(ALWAYS | given)
    for stage in stages:
        if missing := stage.requires - filled:
            raise ValueError(f"{stage.name} needs {sorted(missing)} first")
        filled |= stage.provides
