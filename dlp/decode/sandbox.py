"""Confine the process that reads files: Landlock, seccomp, resource limits, no privileges.

In: Limits.  Out: a Confinement that says which walls stand; guarded calls that give value or Gap.

Everything the work needs must be imported and loaded before: afterwards no path can be opened,
not even for a lazy import or a codec.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import math
import os
import resource
import signal
import struct
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from dlp.decode.contract import BudgetExceededError, Limits
from dlp.errors import DlpError
from dlp.lazy_resources import NotLoadedError
from dlp.model import Gap, GapCode

T = TypeVar("T")
# Mapped files and reserved address space cost no memory; this much of them may come on top.
ADDRESS_SLACK_BYTES = 512_000_000
OPEN_FILES = 64  # above what is open already
# Each of the first two closes the file system alone; a sandbox without one of the four is degraded.
WALLS = ("landlock", "seccomp", "no_new_privs", "memory")

CREATE_RULESET, RESTRICT_SELF = 444, 446  # the same on every architecture
_VERSION = 1  # flag: only tell the version

# Rights the kernel learnt with each version: handle all it knows, allow none.
_FILE_RIGHTS = {1: (1 << 13) - 1, 2: 1 << 13, 3: 1 << 14, 5: 1 << 15}
_NETWORK_SINCE = 4  # TCP bind and connect
_SCOPE_SINCE = 6  # abstract sockets and signals to processes outside

ALLOW = 0x7FFF0000
KILL = 0x80000000
REFUSE = 0x00050000  # plus the errno
_LOAD, _EQUAL, _AT_LEAST, _AND, _RETURN = 0x20, 0x15, 0x35, 0x54, 0x06
_NUMBER_AT, _ARCHITECTURE_AT, _ARGUMENTS_AT = 0, 4, 16
_X32 = 0x40000000  # a second numbering of the same calls on x86-64
_SECCOMP = {"x86_64": 317, "aarch64": 277}
_ARCHITECTURE = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
CLONE_THREAD = 0x00010000
AT_EMPTY_PATH = 0x1000

# Most frequent first; numbers from the kernel's syscall tables (x86-64, arm64; -1: not there).
_ALLOWED_CALLS = {
    "read": (0, 63), "pread64": (17, 67), "lseek": (8, 62), "mmap": (9, 222),
    "munmap": (11, 215), "brk": (12, 214), "madvise": (28, 233), "futex": (202, 98),
    "mremap": (25, 216), "mprotect": (10, 226), "fstat": (5, 80), "close": (3, 57),
    "sendto": (44, 206), "recvmsg": (47, 212), "recvfrom": (45, 207), "sendmsg": (46, 211),
    "write": (1, 64), "writev": (20, 66), "readv": (19, 65), "preadv": (295, 69),
    "setitimer": (38, 103), "getitimer": (36, 102), "getrusage": (98, 165),
    "clock_gettime": (228, 113), "clock_getres": (229, 114), "clock_nanosleep": (230, 115),
    "gettimeofday": (96, 169), "nanosleep": (35, 101), "time": (201, -1), "times": (100, 153),
    "rt_sigaction": (13, 134), "rt_sigprocmask": (14, 135), "rt_sigreturn": (15, 139),
    "rt_sigtimedwait": (128, 137), "sigaltstack": (131, 132), "restart_syscall": (219, 128),
    "getpid": (39, 172), "getppid": (110, 173), "gettid": (186, 178), "getuid": (102, 174),
    "geteuid": (107, 175), "getgid": (104, 176), "getegid": (108, 177),
    "sched_yield": (24, 124), "sched_getaffinity": (204, 123), "getcpu": (309, 168),
    "set_robust_list": (273, 99), "get_robust_list": (274, 100), "set_tid_address": (218, 96),
    "rseq": (334, 293), "membarrier": (324, 283), "getrandom": (318, 278),
    "uname": (63, 160), "sysinfo": (99, 179), "getrlimit": (97, 163),
    "poll": (7, -1), "ppoll": (271, 73), "select": (23, -1), "pselect6": (270, 72),
    "dup": (32, 23), "dup2": (33, -1), "dup3": (292, 24), "close_range": (436, 436),
    "fadvise64": (221, 223), "shutdown": (48, 210), "mincore": (27, 232),
    "getcwd": (79, 17), "exit": (60, 93), "exit_group": (231, 94),
}  # fmt: skip
_LOOK_UPS = {
    "open": (2, -1), "openat": (257, 56), "openat2": (437, 437), "stat": (4, -1),
    "lstat": (6, -1), "access": (21, -1), "faccessat": (269, 48), "faccessat2": (439, 439),
    "readlink": (89, -1), "readlinkat": (267, 78),
}  # fmt: skip
_CLONE3 = (435, 435)

LIBC = ctypes.CDLL(None, use_errno=True)

PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4
PR_CAPBSET_DROP = 24
PR_SET_CHILD_SUBREAPER = 36
PR_SET_NO_NEW_PRIVS = 38
PR_CAP_AMBIENT = 47
PR_CAP_AMBIENT_CLEAR_ALL = 4

_CAPABILITY_VERSION_3 = 0x20080522
HIGHEST_CAPABILITY = 63  # asking for one the kernel does not know is refused and harmless


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
        ("landlock", install_landlock),
        ("seccomp", install_seccomp),
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
    except NotLoadedError:
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


class _Ruleset(ctypes.Structure):
    _fields_ = (
        ("handled_access_fs", ctypes.c_uint64),
        ("handled_access_net", ctypes.c_uint64),
        ("scoped", ctypes.c_uint64),
    )


def landlock_version() -> int:
    """The kernel's Landlock version; 0 where there is none."""
    try:
        return syscall(CREATE_RULESET, None, ctypes.c_size_t(0), ctypes.c_uint32(_VERSION))
    except OSError:
        return 0


def install_landlock() -> int:
    """Allow nothing at all; descriptors that are already open keep working.

    Needs no_new_privs. Returns the version it was done with, raises OSError where there is none.
    """
    known = landlock_version()
    if known < 1:
        raise OSError("the kernel has no Landlock")
    rights = sum(bits for since, bits in _FILE_RIGHTS.items() if since <= known)
    ruleset = _Ruleset(
        rights, 0b11 if known >= _NETWORK_SINCE else 0, 0b11 if known >= _SCOPE_SINCE else 0
    )
    fd = syscall(
        CREATE_RULESET,
        ctypes.byref(ruleset),
        ctypes.c_size_t(ctypes.sizeof(ruleset)),
        ctypes.c_uint32(0),
    )
    try:
        syscall(RESTRICT_SELF, ctypes.c_int(fd), ctypes.c_uint32(0))
    finally:
        os.close(fd)
    return known


class Condition(NamedTuple):
    """A call that is allowed when `argument & mask` is one of the values."""

    numbers: tuple[int, int]
    argument: int
    values: tuple[int, ...]
    mask: int = 0xFFFFFFFF
    error: int = errno.EPERM


def conditions(own_pid: int) -> tuple[Condition, ...]:
    return (
        # A thread, never a process: py7zr reads with threads.
        Condition((56, 220), 0, (CLONE_THREAD,), CLONE_THREAD),
        # abort() signals itself; nobody else may be signalled.
        Condition((62, 129), 0, (own_pid,)),
        Condition((234, 131), 0, (own_pid,)),
        # Size and times of an open descriptor; by name it would be a directory listing.
        Condition((262, 79), 3, (AT_EMPTY_PATH,), AT_EMPTY_PATH, errno.ENOENT),
        Condition((332, 291), 2, (AT_EMPTY_PATH,), AT_EMPTY_PATH, errno.ENOENT),
        # F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_DUPFD_CLOEXEC: no locks, leases or owners.
        Condition((72, 25), 1, (0, 1, 2, 3, 1030)),
        # TCGETS, FIONREAD, FIONBIO, FIONCLEX, FIOCLEX: no typing into somebody's terminal.
        Condition((16, 29), 1, (0x5401, 0x541B, 0x5421, 0x5450, 0x5451)),
        Condition((157, 167), 0, (15,)),  # PR_SET_NAME
        Condition((302, 261), 0, (0, own_pid)),  # prlimit on itself
    )


def seccomp_program(machine: str, own_pid: int) -> bytes:
    """The filter as classic BPF for one architecture."""
    column = ("x86_64", "aarch64").index(machine)
    code = [
        _instruction(_LOAD, _ARCHITECTURE_AT),
        _instruction(_EQUAL, _ARCHITECTURE[machine], 1, 0),
        _instruction(_RETURN, KILL),
        _instruction(_LOAD, _NUMBER_AT),
        _instruction(_AT_LEAST, _X32, 0, 1),
        _instruction(_RETURN, REFUSE | errno.EPERM),
    ]
    answers = [(numbers, ALLOW) for numbers in _ALLOWED_CALLS.values()]
    answers += [(numbers, REFUSE | errno.ENOENT) for numbers in _LOOK_UPS.values()]
    # The C library then falls back to clone, whose flags can be looked at.
    answers.append((_CLONE3, REFUSE | errno.ENOSYS))
    for numbers, result in answers:
        if numbers[column] >= 0:
            code += [_instruction(_EQUAL, numbers[column], 0, 1), _instruction(_RETURN, result)]
    for condition in conditions(own_pid):
        code += _conditional(condition, column)
    code.append(_instruction(_RETURN, REFUSE | errno.EPERM))
    return b"".join(code)


def _conditional(condition: Condition, column: int) -> Iterator[bytes]:
    checks = []
    for value in condition.values:
        checks += [_instruction(_EQUAL, value, 0, 1), _instruction(_RETURN, ALLOW)]
    length = 2 + len(checks) + 1
    yield _instruction(_EQUAL, condition.numbers[column], 0, length)
    yield _instruction(_LOAD, _ARGUMENTS_AT + 8 * condition.argument)  # low word: little endian
    yield _instruction(_AND, condition.mask)
    yield from checks
    yield _instruction(_RETURN, REFUSE | condition.error)


def _instruction(code: int, operand: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("=HBBI", code, if_true, if_false, operand)


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_char_p))


def machine() -> str:
    return os.uname().machine


def install_seccomp() -> None:
    """Put the filter in force; needs no_new_privs. OSError where the kernel cannot."""
    here = machine()
    if here not in _SECCOMP:
        raise OSError(errno.ENOSYS, "no filter for this architecture")
    raw = seccomp_program(here, os.getpid())
    filter_program = _Program(len(raw) // 8, raw)
    mode_filter, every_thread = 1, 1
    syscall(
        _SECCOMP[here],
        ctypes.c_uint(mode_filter),
        ctypes.c_uint(every_thread),
        ctypes.byref(filter_program),
    )


def has_seccomp() -> bool:
    """Whether the kernel knows filters at all."""
    prctl_get_seccomp = 21
    return machine() in _SECCOMP and LIBC.prctl(prctl_get_seccomp, 0, 0, 0, 0) >= 0


def prctl(option: int, argument: int = 0) -> None:
    words = [ctypes.c_ulong(word) for word in (argument, 0, 0, 0)]
    if LIBC.prctl(ctypes.c_int(option), *words) != 0:
        raise OSError(ctypes.get_errno(), f"prctl {option}")


def syscall(number: int, *arguments: object) -> int:
    result = LIBC.syscall(ctypes.c_long(number), *arguments)
    if result < 0:
        raise OSError(ctypes.get_errno(), f"system call {number}")
    return int(result)


def die_with_parent(parent: int) -> None:
    """Have the kernel end this process when the thread that forked it ends."""
    end_with_forker()
    if os.getppid() != parent:  # it went before we asked
        os._exit(1)


def end_with_forker() -> None:
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def reap_strays_here() -> None:
    """Become the parent of orphaned descendants, so that they can be found and ended."""
    with contextlib.suppress(OSError):
        prctl(PR_SET_CHILD_SUBREAPER, 1)


def forbid_new_privileges() -> None:
    prctl(PR_SET_NO_NEW_PRIVS, 1)


def forbid_dumps() -> None:
    """No core file, and no other process of this user may attach or read our memory."""
    prctl(PR_SET_DUMPABLE, 0)


def drop_capabilities() -> None:
    """Give up every capability for good, also as root."""
    for capability in range(HIGHEST_CAPABILITY + 1):
        with contextlib.suppress(OSError):
            prctl(PR_CAPBSET_DROP, capability)
    with contextlib.suppress(OSError):
        prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL)
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION_3, 0)
    nothing = (ctypes.c_uint32 * 6)()
    if LIBC.capset(header, nothing) != 0:
        raise OSError(ctypes.get_errno(), "capset")


def shed_descriptors(keep: int) -> None:
    """Point every inherited descriptor but one at /dev/null.

    Closing them would free their numbers, and a forgotten object of the parent's that still
    thinks it owns one could later close a descriptor of ours.
    """
    null = os.open(os.devnull, os.O_RDWR)
    for name in os.listdir("/proc/self/fd"):
        fd = int(name)
        if fd > 2 and fd not in (keep, null):
            with contextlib.suppress(OSError):
                os.fstat(fd)  # the listing's own descriptor is closed by now
                os.dup2(null, fd, inheritable=False)
    os.close(null)
