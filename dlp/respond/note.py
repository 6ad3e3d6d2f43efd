"""The short notice left where a file lay: a case number and whom to ask, nothing else.

In: a case number, a contact.  Out: a small text file owned by the file's owner.
"""

from __future__ import annotations

import hashlib
import os
from typing import Any

from dlp.intent import Intent
from dlp.respond import durable
from dlp.respond.holding_folder import NAME_BYTES, Place, split

ENDING = b".quarantined.txt"


def text_of(item: str, contact: str) -> bytes:
    ask = f"To get it back, ask {contact} and give the case number.\n" if contact else ""
    return (
        "The file that was here is kept in a safe place, because it seems to hold\n"
        "health information about identifiable people. Nothing is lost.\n"
        f"Case number: {item}\n{ask}"
    ).encode()


def digest_of(item: str, contact: str) -> str:
    return hashlib.sha256(text_of(item, contact)).hexdigest()


def name_of(name: bytes) -> bytes:
    return name[: NAME_BYTES - len(ENDING)] + ENDING


def leave(place: Place, intent: Intent, meta: dict[str, Any], contact: str) -> None:
    """Write the notice; where the folder is gone or the name taken there is none."""
    folder, name = split(intent.path)
    draft = f"{intent.id}.note".encode()
    system = place.system
    durable.remove(system, draft, place.hold)
    fd = durable.write_new(system, place.hold, draft, [text_of(intent.id, contact)])
    try:
        system.chown(fd, meta["uid"], meta["gid"])
        system.chmod(fd, meta["mode"] & 0o666 | 0o400)
        system.fsync(fd)
    finally:
        os.close(fd)
    try:
        with place.folder(folder) as parent:
            durable.move(system, place.hold, draft, parent, name_of(name))
    except (FileExistsError, FileNotFoundError, NotADirectoryError):
        durable.remove(system, draft, place.hold)


def take_away(place: Place, intent: Intent, contact: str) -> None:
    """Remove the notice, if it is still the one we wrote."""
    folder, name = split(intent.path)
    try:
        with place.folder(folder) as parent:
            fd = durable.open_read(place.system, name_of(name), parent)
            try:
                ours = durable.sha256_of(place.system, fd) == digest_of(intent.id, contact)
            finally:
                os.close(fd)
            if ours:
                durable.remove(place.system, name_of(name), parent)
    except OSError:
        return  # gone, or no longer ours: either way not our concern
