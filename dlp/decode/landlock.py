"""Landlock: shut the file system, TCP and foreign processes off, for good.

In: nothing.  Out: the kernel's Landlock version; after `shut_out` every path is refused.
"""

from __future__ import annotations

import ctypes
import os

from dlp.decode.kernel import syscall

CREATE_RULESET, RESTRICT_SELF = 444, 446  # the same on every architecture
_VERSION = 1  # flag: only tell the version

# Rights the kernel learnt with each version: handle all it knows, allow none.
_FILE_RIGHTS = {1: (1 << 13) - 1, 2: 1 << 13, 3: 1 << 14, 5: 1 << 15}
_NETWORK_SINCE = 4  # TCP bind and connect
_SCOPE_SINCE = 6  # abstract sockets and signals to processes outside


class _Ruleset(ctypes.Structure):
    _fields_ = (
        ("handled_access_fs", ctypes.c_uint64),
        ("handled_access_net", ctypes.c_uint64),
        ("scoped", ctypes.c_uint64),
    )


def version() -> int:
    """The kernel's Landlock version; 0 where there is none."""
    try:
        return syscall(CREATE_RULESET, None, ctypes.c_size_t(0), ctypes.c_uint32(_VERSION))
    except OSError:
        return 0


def shut_out() -> int:
    """Allow nothing at all; descriptors that are already open keep working.

    Needs no_new_privs. Returns the version it was done with, raises OSError where there is none.
    """
    known = version()
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
