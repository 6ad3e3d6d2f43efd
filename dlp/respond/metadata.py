"""What a file is besides its content: owner, mode, times, ACLs, extended attributes, hard links.

In: an open file.  Out: a record for the vault, and the same put back on another file.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from typing import Any

from dlp.intent import Intent
from dlp.respond import durable
from dlp.respond.holding_folder import Place, join, split
from dlp.respond.system_calls import System
from dlp.respond.vault import packed, unpacked

NEEDS_MORE_RIGHTS = ("security.", "trusted.")  # writing them needs CAP_SYS_ADMIN


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


def restore_attributes(
    system: System, fd: int, meta: dict[str, Any], *, times: bool = True
) -> list[str]:
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


def other_names(place: Place, device: int, inode: int, path: bytes) -> tuple[bytes, ...]:
    """Walk the share for names of the same inode; a folder that cannot be read is passed by."""
    names = names_below(place, b"", device, inode)
    return tuple(sorted(name for name in names if name != path))


def names_below(place: Place, folder: bytes, device: int, inode: int) -> Iterator[bytes]:
    waiting = [folder]
    while waiting:
        folder = waiting.pop()
        try:
            with place.folder(folder) as fd, os.scandir(fd) as entries:
                for entry in entries:
                    name = join(folder, os.fsencode(entry.name))
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(name)
                    elif entry.inode() == inode:
                        seen = entry.stat(follow_symlinks=False)
                        if (seen.st_dev, seen.st_ino) == (device, inode):
                            yield name
        except OSError:
            continue


def remove_links(place: Place, intent: Intent) -> None:
    """Remove each other name; the held file keeps the inode number from being used again."""
    for number, path in enumerate(intent.links):
        held = f"{intent.id}.link{number}".encode()
        if place.found_held(held) is None:
            folder, name = split(path)
            try:
                with place.folder(folder) as parent:
                    if not is_same(intent, durable.found(place.system, name, parent)):
                        continue
                    durable.move(place.system, parent, name, place.hold, held)
            except (FileNotFoundError, NotADirectoryError):
                continue
        if is_same(intent, place.found_held(held)):
            durable.remove(place.system, held, place.hold)
        else:
            place.give_back(held, path)  # swapped for another file in between


def is_same(intent: Intent, seen: os.stat_result | None) -> bool:
    return seen is not None and (seen.st_dev, seen.st_ino) == (intent.device, intent.inode)


def restore_links(place: Place, intent: Intent, target: bytes) -> int:
    """Give a restored file its other names again; says how many could not be given."""
    missed = 0
    folder, name = split(target)
    for path in intent.links:
        other, new = split(path)
        try:
            with place.folder(folder) as source, place.folder(other) as parent:
                place.system.link(source, name, parent, new)
                place.system.fsync(parent)
        except OSError:
            missed += 1
    return missed
