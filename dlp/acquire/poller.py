"""Know where the kernel sends no events, so that those places are polled.

In: an open directory.  Out: the name of its file system if it has to be polled.

A change made on another machine, or behind a FUSE mount, reaches no inotify queue here.
"""

from __future__ import annotations

import ctypes
import os

# linux/magic.h and the file systems' own headers
REMOTE = {
    0x6969: "nfs",
    0x517B: "smb",
    0xFF534D42: "cifs",
    0xFE534D42: "smb2",
    0x65735546: "fuse",
    0x01021997: "9p",
    0x00C36400: "ceph",
    0x5346414F: "afs",
    0x6B414653: "kafs",
    0x73757245: "coda",
    0x564C: "ncp",
    0x01161970: "gfs2",
    0x7461636F: "ocfs2",
    0x0BD00BD0: "lustre",
    0x786F4256: "vboxsf",
}
STATFS_BYTES = 256  # struct statfs is 120 bytes on 64-bit machines; f_type comes first

_libc = ctypes.CDLL(None, use_errno=True)


def remote_kind(fd: int) -> str | None:
    """The file system's name if only polling sees its changes."""
    return REMOTE.get(magic_of(fd))


def magic_of(fd: int) -> int:
    answer = ctypes.create_string_buffer(STATFS_BYTES)
    if _libc.fstatfs(fd, answer):
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    # __fsword_t is as wide as long, and some magics set its sign bit.
    return ctypes.c_ulong.from_buffer(answer).value & 0xFFFFFFFF


class Mounts:
    """Asks once per device: a share may hold a remote mount deep inside."""

    def __init__(self) -> None:
        self._kinds: dict[int, str | None] = {}

    def kind(self, fd: int) -> str | None:
        device = os.fstat(fd).st_dev
        if device not in self._kinds:
            self._kinds[device] = remote_kind(fd)
        return self._kinds[device]
