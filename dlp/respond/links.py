"""The other names of a file: left behind, they would show what was taken.

In: an inode with several names.  Out: those names within the share, and their removal.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from dlp.intent import Intent
from dlp.respond import durable
from dlp.respond.holding_folder import Place, join, split


def other_names(place: Place, device: int, inode: int, path: bytes) -> tuple[bytes, ...]:
    """Walk the share for names of the same inode; a folder that cannot be read is passed by."""
    names = walk(place, b"", device, inode)
    return tuple(sorted(name for name in names if name != path))


def walk(place: Place, folder: bytes, device: int, inode: int) -> Iterator[bytes]:
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


def take(place: Place, intent: Intent) -> None:
    """Remove each other name; the held file keeps the inode number from being used again."""
    for number, path in enumerate(intent.links):
        held = f"{intent.id}.link{number}".encode()
        if place.found_held(held) is None:
            folder, name = split(path)
            try:
                with place.folder(folder) as parent:
                    if not same(intent, durable.found(place.system, name, parent)):
                        continue
                    durable.move(place.system, parent, name, place.hold, held)
            except (FileNotFoundError, NotADirectoryError):
                continue
        if same(intent, place.found_held(held)):
            durable.remove(place.system, held, place.hold)
        else:
            place.give_back(held, path)  # swapped for another file in between


def same(intent: Intent, seen: os.stat_result | None) -> bool:
    return seen is not None and (seen.st_dev, seen.st_ino) == (intent.device, intent.inode)


def put_back(place: Place, intent: Intent, target: bytes) -> int:
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
