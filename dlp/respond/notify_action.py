"""Actions that leave the file: notify by case number, or only observe.

In: the file as judged.  Out: Outcome; with notify, a row in the outbox.
"""

from __future__ import annotations

import hashlib
from typing import Protocol

from dlp.model import FileRef, Outcome


class Outbox(Protocol):
    def add(self, *, event: str, item: str, share: str, level: str = "") -> None: ...


def item_of(path: bytes, key: bytes) -> str:
    """What a notice calls a file that stays, by its path beneath its share."""
    # Keyed: names are guessable, and a notice travels further than the database.
    return hashlib.blake2b(path, key=key[:32], digest_size=8).hexdigest()


class Notify:
    name = "notify"

    def __init__(self, outbox: Outbox, key: bytes) -> None:
        self._outbox = outbox
        self._key = key

    def apply(self, ref: FileRef, why: str = "", level: str = "") -> Outcome:
        item = item_of(ref.path, self._key)
        self._outbox.add(event="found", item=item, share=ref.share, level=level)
        return Outcome(self.name, done=True, detail=why)


class Observe:
    name = "observe"

    def apply(self, ref: FileRef, why: str = "") -> Outcome:  # noqa: ARG002 - the actions' signature
        return Outcome(self.name, done=True, detail=why)
