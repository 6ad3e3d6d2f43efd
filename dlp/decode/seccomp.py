"""A seccomp filter that names the system calls a parser needs and refuses all others.

In: nothing.  Out: the filter in force for this process; a refused call fails with EPERM.

Looking up a path fails with ENOENT: to a worker the disk is empty. Libraries know what to do
without a file, but take a refusal for a broken document.

An allow list, because new kernels bring new calls. What is not here: anything with a path,
sockets, programs, other processes, locks, mounts, namespaces, keys, tracing, shared memory.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct
from collections.abc import Iterator
from typing import NamedTuple

from dlp.decode.kernel import LIBC, syscall

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
_PLAIN = {
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


def program(machine: str, own_pid: int) -> bytes:
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
    answers = [(numbers, ALLOW) for numbers in _PLAIN.values()]
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


def install() -> None:
    """Put the filter in force; needs no_new_privs. OSError where the kernel cannot."""
    here = machine()
    if here not in _SECCOMP:
        raise OSError(errno.ENOSYS, "no filter for this architecture")
    raw = program(here, os.getpid())
    filter_program = _Program(len(raw) // 8, raw)
    mode_filter, every_thread = 1, 1
    syscall(
        _SECCOMP[here],
        ctypes.c_uint(mode_filter),
        ctypes.c_uint(every_thread),
        ctypes.byref(filter_program),
    )


def is_available() -> bool:
    """Whether the kernel knows filters at all."""
    prctl_get_seccomp = 21
    return machine() in _SECCOMP and LIBC.prctl(prctl_get_seccomp, 0, 0, 0, 0) >= 0
