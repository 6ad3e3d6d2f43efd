"""Confine the process that reads other people's files; with the pipeline, what catches everything.

In: Limits.  Out: a Confinement that says which walls stand; guarded calls that give value or Gap.

Everything the work needs must be imported and loaded before: afterwards no path can be opened,
not even for a lazy import or a codec.
"""

from __future__ import annotations

import math
import resource
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from dlp.decode import landlock, seccomp
from dlp.decode.contract import BudgetExceededError, Limits
from dlp.decode.kernel import (
    drop_capabilities,
    end_with_forker,
    forbid_dumps,
    forbid_new_privileges,
)
from dlp.errors import DlpError
from dlp.lazy_resources import LackingError
from dlp.model import Gap, GapCode

T = TypeVar("T")
# Mapped files and reserved address space cost no memory; this much of them may come on top.
ADDRESS_SLACK_BYTES = 512_000_000
OPEN_FILES = 64  # above what is open already
# Each of the first two closes the file system alone; a sandbox without one of the four is degraded.
WALLS = ("landlock", "seccomp", "no_new_privs", "memory")


@dataclass(frozen=True, slots=True)
class Measure:
    """One wall of the sandbox."""

    name: str
    applied: bool
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Confinement:
    measures: tuple[Measure, ...]

    def has(self, name: str) -> bool:
        return any(measure.name == name and measure.applied for measure in self.measures)

    @property
    def degraded(self) -> bool:
        """Whether a wall is missing that the threat model counts on."""
        return not all(self.has(name) for name in WALLS)

    @property
    def open_to_files(self) -> bool:
        """Whether nothing keeps this process from opening paths: then it must not work at all."""
        return not (self.has("landlock") or self.has("seccomp"))

    def as_record(self) -> dict[str, str]:
        return {
            measure.name: "applied" if measure.applied else f"unavailable: {measure.detail}"
            for measure in self.measures
        }


def confine(limits: Limits) -> Confinement:
    """Give up, irrevocably, all that reading an open file does not need."""
    steps: tuple[tuple[str, Callable[[], object]], ...] = (
        ("first_out_of_memory", volunteer),
        ("memory", lambda: limit_memory(limits.memory_bytes)),
        ("cpu", lambda: limit_cpu(limits.wall_seconds)),
        ("file_size", lambda: lower(resource.RLIMIT_FSIZE, 0)),
        ("core", lambda: lower(resource.RLIMIT_CORE, 0)),
        ("open_files", limit_open_files),
        ("capabilities", drop_capabilities),
        ("no_new_privs", forbid_new_privileges),
        ("dumpable", forbid_dumps),
        ("parent_death", end_with_forker),
        ("landlock", landlock.shut_out),
        ("seccomp", seccomp.install),
    )
    measures = [_apply(name, step) for name, step in steps]
    if not measures[-1].applied:
        # The filter refuses new processes; without it a limit on their number has to do.
        measures.append(_apply("processes", lambda: lower(resource.RLIMIT_NPROC, 0)))
    return Confinement(tuple(measures))


def _apply(name: str, step: Callable[[], object]) -> Measure:
    try:
        step()
    except (OSError, ValueError) as error:
        return Measure(name, applied=False, detail=type(error).__name__)
    return Measure(name, applied=True)


def lower(what: int, bound: int) -> None:
    """Set soft and hard limit, never above what is already imposed."""
    _, hard = resource.getrlimit(what)
    if hard != resource.RLIM_INFINITY:
        bound = min(bound, hard)
    resource.setrlimit(what, (bound, bound))


def volunteer() -> None:
    """Have the kernel pick this process when memory runs out, and not the one it works for."""
    with open("/proc/self/oom_score_adj", "w", encoding="ascii") as score:
        score.write("900")


def limit_memory(memory_bytes: int) -> None:
    """Bound what this process may add to what it inherited.

    Inherited pages are shared with every other worker, so they count once against the total:
    a worker that starts at 200 MB of 480 may grow by 280, and always by half of the limit.
    """
    size, data, resident = inherited_memory()
    room = max(memory_bytes - resident, memory_bytes // 2)
    # DATA counts private writable memory, mapped or not; AS stops shared mappings as well.
    lower(resource.RLIMIT_DATA, data + room)
    lower(resource.RLIMIT_AS, size + room + ADDRESS_SLACK_BYTES)


def inherited_memory() -> tuple[int, int, int]:
    """Address space, private data and resident memory of this process, in bytes."""
    with open("/proc/self/statm", "rb") as statm:
        size, resident, _, _, _, data, _ = (int(pages) for pages in statm.read().split())
    page = resource.getpagesize()
    return size * page, data * page, resident * page


def limit_cpu(seconds: float) -> None:
    """Let the kernel end the process that has used this much more processor time than now."""
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    soft = math.ceil(time.process_time() + seconds)
    resource.setrlimit(resource.RLIMIT_CPU, (soft, hard))


def limit_open_files() -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with open("/dev/null", "rb") as lowest_free:
        wanted = lowest_free.fileno() + OPEN_FILES
    bound = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (bound, bound))


def guarded(call: Callable[[], T]) -> tuple[T | None, Gap | None]:
    """Run code that meets hostile input; whatever goes wrong is a gap that names no content."""
    try:
        return call(), None
    except LackingError:
        raise  # a wish, not a failure
    except MemoryError:
        return None, Gap(GapCode.TOO_LARGE, "worker:memory")
    except RecursionError:
        return None, Gap(GapCode.TOO_DEEP, "worker:recursion")
    except BudgetExceededError as error:
        return None, error.gap
    except DlpError as error:
        return None, Gap(GapCode.INTERNAL, f"worker:{error.code}")
    except BaseException as error:  # noqa: BLE001 - SystemExit from a parser is a parser's failure too
        return None, Gap(GapCode.INTERNAL, f"worker:{type(error).__name__}")
