"""Actions that leave the file: notify by case number, or only observe.

In: the file as judged.  Out: Outcome; with notify, a row in the outbox.
"""

from __future__ import annotations

import hashlib
from typing import Protocol

from dlp.model import FileRef, Outcome


class Outbox(Protocol):
    def add(self, *, event: str, item: str, share: str, level: str = "") -> None: ...


class Notify:
    name = "notify"

    def __init__(self, outbox: Outbox, key: bytes) -> None:
        self._outbox = outbox
        self._key = key

    def apply(self, ref: FileRef, why: str = "", level: str = "") -> Outcome:
        # Keyed: names are guessable, and a notice travels further than the database.
        item = hashlib.blake2b(ref.path, key=self._key[:32], digest_size=8).hexdigest()
        self._outbox.add(event="found", item=item, share=ref.share, level=level)
        return Outcome(self.name, done=True, detail=why)


class Observe:
    name = "observe"

    def apply(self, ref: FileRef, why: str = "") -> Outcome:  # noqa: ARG002 - the actions' signature
        return Outcome(self.name, done=True, detail=why)
