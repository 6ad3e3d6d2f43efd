"""What a file is besides its content: owner, mode, times, ACLs and extended attributes.

In: an open file.  Out: a record for the vault, and the same put back on another file.
"""

from __future__ import annotations

import stat
from typing import Any

from dlp.respond.system import System
from dlp.respond.vault import packed, unpacked

NEEDS_MORE_RIGHTS = ("security.", "trusted.")  # writing them asks for CAP_SYS_ADMIN


def capture(system: System, fd: int) -> dict[str, Any]:
    seen = system.fstat(fd)
    return {
        "uid": seen.st_uid,
        "gid": seen.st_gid,
        "mode": stat.S_IMODE(seen.st_mode),
        "atime_ns": seen.st_atime_ns,
        "mtime_ns": seen.st_mtime_ns,
        "size_bytes": seen.st_size,
        "sparse": seen.st_blocks * 512 < seen.st_size,
        "attributes": packed(system.attributes(fd)),
    }


def put_back(system: System, fd: int, meta: dict[str, Any], *, times: bool = True) -> list[str]:
    """Returns the names of attributes that we have no right to write."""
    system.chown(fd, meta["uid"], meta["gid"])
    system.chmod(fd, meta["mode"])  # after chown, which clears setuid and setgid
    refused = []
    for name, value in unpacked(meta["attributes"]).items():
        try:
            system.set_attribute(fd, name, value)
        except PermissionError:
            if not name.startswith(NEEDS_MORE_RIGHTS):
                raise
            refused.append(name)
    if times:
        system.utime(fd, meta["atime_ns"], meta["mtime_ns"])
    return refused
