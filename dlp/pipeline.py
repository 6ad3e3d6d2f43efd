"""Run the stages in order; with the sandbox, the only place that catches everything.

In: Case with a FileRef.  Out: Case that went through every stage it needed.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import Protocol

from dlp.errors import DlpError
from dlp.model import Case, GapCode

log = logging.getLogger(__name__)
ALWAYS = frozenset({"ref", "findings", "gaps", "facts"})


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


class Pipeline:
    def __init__(
        self, stages: Sequence[Stage], *, given: AbstractSet[str] = ALWAYS, full: bool = False
    ) -> None:
        check_order(stages, given)
        self._stages = tuple(stages)
        # looked up once: a share holds millions of small files
        self._turns = tuple(
            (stage, stage.name.partition(".")[0], getattr(stage, "final", False))
            for stage in stages
        )
        self._full = full

    def preload(self) -> None:
        """Let each stage load what it would otherwise load late: a sandboxed worker cannot."""
        for stage in self._stages:
            getattr(stage, "preload", lambda: None)()

    def run(self, case: Case) -> Case:
        """Give each stage its turn; a settled case only meets the stages marked `final`."""
        spent: dict[str, float] = {}
        trail = list(case.trail)
        clock = time.perf_counter
        started = clock()
        for stage, folder, final in self._turns:
            if case.settled and not self._full and not final:
                continue
            case = run_one(stage, case, trail)
            ended = clock()
            spent[folder] = spent.get(folder, 0.0) + (ended - started) * 1000
            started = ended
        return case.but(spent_ms=spent, trail=tuple(trail))


def run_one(stage: Stage, case: Case, trail: list[str]) -> Case:
    """Run a stage, or say in the case itself that it did not run; `trail` gets those that did."""
    for name in stage.requires:
        if getattr(case, name) is None:
            # An earlier gap explains the hole; a hole with no gap is our own bug.
            return case if case.gaps else case.with_gap(GapCode.INTERNAL, stage.name)
    try:
        case = stage(case)
    except DlpError:
        raise  # our own store or rules are broken: stop, do not blame the file
    except MemoryError:
        raise  # the limit of the worker, which says so and is replaced
    except Exception as error:  # noqa: BLE001 - a bug must not pass for a clean file
        # Exception texts carry cell values; the type and the place are enough to find the bug.
        log.error("stage failed", extra={"stage": stage.name, "error": type(error).__name__})  # noqa: TRY400 - a traceback can show content
        return case.with_gap(GapCode.INTERNAL, stage.name)
    trail.append(stage.name)
    return case


def check_order(stages: Sequence[Stage], given: AbstractSet[str] = ALWAYS) -> None:
    """Refuse to start if a stage needs a field no earlier stage fills."""
    filled = set(ALWAYS | given)
    for stage in stages:
        if missing := stage.requires - filled:
            raise ValueError(f"{stage.name} needs {sorted(missing)} first")
        filled |= stage.provides
