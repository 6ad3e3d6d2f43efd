"""A notice to people, on its way from the outbox to a channel.

In: nothing.  Out: Notice and Parcel: ids, closed words, numbers and a link; nothing of a file.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

# All that a channel can name in `events`.
EVENTS = (
    "found", "quarantined", "replaced", "put back", "restored", "release begun", "purge begun",
    "purged", "held by law", "hold lifted", "rebuilt", "blocked", "stopped", "more",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Notice:
    id: str  # the same at every attempt and on every channel; no other event ever has it
    event: str
    item: str
    share: str
    level: str
    at: float
    count: int = 1  # over 1: so many events that could not be kept singly

    def as_object(self, link: str = "") -> dict[str, Any]:
        fields: dict[str, Any] = {
            "id": self.id,
            "event": self.event,
            "item": self.item,
            "share": self.share,
            "level": self.level,
            "at": datetime.fromtimestamp(self.at, UTC).isoformat(timespec="seconds"),
        }
        if self.count > 1:
            fields["count"] = self.count
        if link and self.item:
            fields["link"] = link.replace("{item}", self.item).replace("{share}", self.share)
        return fields


@dataclass(frozen=True, slots=True)
class Parcel:
    """What goes to one channel in one attempt; it keeps its id and its content until it arrives."""

    id: str
    channel: str
    notices: tuple[Notice, ...]
    attempt: int
