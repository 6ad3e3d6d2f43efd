"""What is about to be done to a file, as the journal keeps it.

In: nothing.  Out: the frozen type that the journal stores and the actions carry out.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol


class State(StrEnum):
    """How far an action came; what comes after a crash is decided by this and the disk alone."""

    INTENT = "intent"  # written down; the share may or may not have changed
    HELD = "held"  # out of the share, whole, in the holding folder
    READY = "ready"  # replace: original in the vault, complete draft in the holding folder
    VAULTED = "vaulted"  # encrypted, verified and synced; the held file may go
    DONE = "done"
    VOID = "void"  # came to nothing; the share is as it was
    RESTORING = "restoring"
    RESTORED = "restored"
    PURGING = "purging"
    PURGED = "purged"


OPEN = frozenset(
    {State.INTENT, State.HELD, State.READY, State.VAULTED, State.RESTORING, State.PURGING}
)


@dataclass(frozen=True, slots=True)
class Intent:
    id: str
    action: str  # quarantine or replace
    state: State
    share: str
    path: bytes = field(repr=False)  # a name can be a patient's
    device: int
    inode: int
    size_bytes: int
    mtime_ns: int
    sha256: str = field(repr=False)
    links: tuple[bytes, ...] = field(default=(), repr=False)
    why: str = ""
    new_inode: int = 0
    new_sha256: str = field(default="", repr=False)
    target: bytes = field(default=b"", repr=False)
    trouble: str = ""
    tries: int = 0
    created_at: float = 0.0
    changed_at: float = 0.0
    expires_at: float = 0.0
    legal_hold: str = ""


class Journal(Protocol):
    """What the actions need of the store; every call is durable when it returns."""

    def begin(self, intent: Intent) -> None: ...

    def move(
        self,
        item: str,
        state: State,
        *,
        what: str = "",
        allow: tuple[str, ...] = (),
        **changes: Any,
    ) -> Intent:
        """Reach a state; `what` also goes to the ledger, `allow` to the list of known content."""
        ...

    def trouble(self, item: str, code: str) -> None: ...

    def get(self, item: str) -> Intent: ...

    def open_items(self, share: str) -> list[Intent]: ...

    def is_allowed(self, share: str, sha256: str) -> bool: ...
