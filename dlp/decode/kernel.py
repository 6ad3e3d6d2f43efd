"""The process-wide switches of Linux that Python has no function for.

In: nothing.  Out: each switch thrown, or an OSError that says the kernel does not have it.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal

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
