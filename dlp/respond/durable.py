"""The only writer of files: bytes synced, names moved atomically, both folders synced.

In: open folders and names.  Out: changes that a power cut cannot take back, or an OSError.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable

from dlp.respond.system_calls import CREATE, READ, System

BLOCK = 1 << 20
HOLE = 4096  # the page size below which a hole saves nothing


def write_new(
    system: System, folder: int, name: bytes, content: Iterable[bytes], *, sparse: bool = False
) -> int:
    """Write a file that did not exist; returns it open, not yet synced."""
    fd = system.open(name, CREATE, folder)
    complete = False
    try:
        size = 0
        for block in content:
            size += len(block)
            _put(system, fd, block, sparse=sparse)
        system.truncate(fd, size)  # a hole at the end has no byte of its own
        complete = True
    finally:
        if not complete:
            os.close(fd)
    return fd


def _put(system: System, fd: int, block: bytes, *, sparse: bool) -> None:
    if not sparse:
        _write_all(system, fd, block)
        return
    for start in range(0, len(block), HOLE):
        piece = block[start : start + HOLE]
        if piece.count(0) == len(piece):
            system.skip(fd, len(piece))
        else:
            _write_all(system, fd, piece)


def _write_all(system: System, fd: int, block: bytes) -> None:
    while block:
        block = block[system.write(fd, block) :]


def move(system: System, old_folder: int, old: bytes, new_folder: int, new: bytes) -> None:
    """Rename, never over another file, and make both folders remember."""
    system.rename(old_folder, old, new_folder, new)
    system.fsync(new_folder)
    system.fsync(old_folder)


def remove(system: System, name: bytes, folder: int) -> None:
    """Remove a name if it is there."""
    try:
        system.unlink(name, folder)
    except FileNotFoundError:
        return
    system.fsync(folder)


def found(system: System, name: bytes, folder: int) -> os.stat_result | None:
    try:
        return system.stat(name, folder)
    except FileNotFoundError:
        return None


def open_read(system: System, name: bytes, folder: int) -> int:
    try:
        return system.open(name, READ | os.O_NOATIME, folder)
    except PermissionError:
        return system.open(name, READ, folder)  # not ours: the access time has to move


def blocks(system: System, fd: int) -> Iterable[bytes]:
    position = 0
    while block := system.read(fd, BLOCK, position):
        yield block
        position += len(block)


def sha256_of(system: System, fd: int) -> str:
    digest = hashlib.sha256()
    for block in blocks(system, fd):
        digest.update(block)
    return digest.hexdigest()
