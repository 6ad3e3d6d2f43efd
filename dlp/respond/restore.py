"""Give a file back as it was, and finish or undo what a crash left half-way.

In: an item of the vault, or the open items of the journal.  Out: Outcome with where it went; or,
past its time, its destruction.

A file is never put over another one; it is verified, and not taken again.
"""

from __future__ import annotations

import os
from typing import Any

from dlp.errors import RespondError
from dlp.intent import Intent, Journal, State
from dlp.model import Outcome
from dlp.respond import durable, metadata, quarantine
from dlp.respond.holding_folder import Place, beside, code_of, join, split
from dlp.respond.quarantine import Quarantine
from dlp.respond.replace import Replace
from dlp.respond.vault import Vault


class Restore:
    name = "restore"

    def __init__(self, place: Place, journal: Journal, vault: Vault, contact: str = "") -> None:
        self.place = place
        self.journal = journal
        self.vault = vault
        self._contact = contact
        self._system = place.system

    def apply(self, item: str, why: str = "") -> Outcome:
        intent = self.journal.get(item)
        if intent.state is not State.DONE:
            raise RespondError(
                f"an item that is {intent.state.value} cannot be restored", where=item
            )
        intent = self.journal.move(
            item,
            State.RESTORING,
            # From now on: a daemon that watches sees the file before we can say that it is back.
            allow=(intent.sha256,),
            new_inode=0,
            new_sha256="",
            target=b"",
            why=why or intent.why,
        )
        return self.carry_on(intent)

    def carry_on(self, intent: Intent) -> Outcome:
        try:
            if not self._placed(intent):
                intent = self._place(intent)
            missed = metadata.restore_links(self.place, intent, intent.target)
            quarantine.remove_note(self.place, intent, self._contact)
        except (OSError, RespondError) as error:
            code = code_of(error) if isinstance(error, OSError) else error.what
            self.journal.trouble(intent.id, code)
            return Outcome(self.name, done=False, detail=f"blocked: {code}", undo_token=intent.id)
        intent = self.journal.move(
            intent.id,
            State.RESTORED,
            what="restored",
            trouble=f"{missed} other names not put back" if missed else intent.trouble,
        )
        same_name = intent.target == intent.path
        detail = "restored" if same_name else "restored beside: the name was taken"
        return Outcome(self.name, done=True, detail=detail, undo_token=intent.id)

    def _placed(self, intent: Intent) -> bool:
        """Whether an earlier run already moved the draft into the share."""
        if not intent.new_inode:
            return False
        draft = self.place.found_held(draft_of(intent))
        if draft is None:
            return True
        folder, name = split(intent.target)
        try:
            with self.place.folder(folder) as parent:
                there = durable.found(self._system, name, parent)
        except OSError:
            return False
        if there is None or there.st_ino != draft.st_ino:
            return False
        durable.remove(self._system, draft_of(intent), self.place.hold)  # renamed by linking
        return True

    def _place(self, intent: Intent) -> Intent:
        if intent.new_inode:
            # Before the old draft goes: a missing draft means "placed" to the next run.
            intent = self.journal.move(intent.id, State.RESTORING, new_inode=0, target=b"")
        durable.remove(self._system, draft_of(intent), self.place.hold)
        meta, pieces = self.vault.open(intent.id)
        fd = durable.write_new(
            self._system, self.place.hold, draft_of(intent), pieces, sparse=meta["sparse"]
        )
        try:
            refused = self._finish(intent, fd, meta)
            inode = self._system.fstat(fd).st_ino
        finally:
            os.close(fd)
        trouble = f"not put back: {' '.join(refused)}" if refused else ""
        folder, name = split(intent.path)
        with self.place.folder_made(folder) as parent:
            for candidate in beside(name):
                if durable.found(self._system, candidate, parent) is not None:
                    continue  # the next line writes to disk; most taken names end here
                target = join(folder, candidate)
                intent = self.journal.move(
                    intent.id, State.RESTORING, new_inode=inode, target=target, trouble=trouble
                )
                try:
                    durable.move(self._system, self.place.hold, draft_of(intent), parent, candidate)
                except FileExistsError:
                    continue
                break
        return intent

    def _finish(self, intent: Intent, fd: int, meta: dict[str, Any]) -> list[str]:
        """Verify the draft against the journal, dress it, sync it."""
        if durable.sha256_of(self._system, fd) != intent.sha256:
            raise RespondError("the vault's copy is not the file that was taken", where=intent.id)
        refused = metadata.restore_attributes(self._system, fd, meta)
        self._system.fsync(fd)
        return refused


class Purge:
    """Destroy what may be destroyed: past its time, or given back for good; never on hold."""

    def __init__(self, journal: Journal, vault: Vault) -> None:
        self.journal = journal
        self.vault = vault

    def apply(self, item: str, *, now: float, released: bool = False) -> bool:
        intent = self.journal.get(item)
        if intent.legal_hold or intent.state not in {State.DONE, State.RESTORED}:
            return False
        if not released and not 0 < intent.expires_at < now:
            return False
        what = "release begun" if released else "purge begun"
        self.carry_on(self.journal.move(item, State.PURGING, what=what))
        return True

    def carry_on(self, intent: Intent) -> None:
        self.vault.remove(intent.id)
        self.journal.move(intent.id, State.PURGED, what="purged")


def draft_of(intent: Intent) -> bytes:
    return f"{intent.id}.restore".encode()


class Recovery:
    """Called at start, and again on a timer: it is also what drains blocked items."""

    def __init__(
        self, quarantine: Quarantine, replace: Replace, restore: Restore, purge: Purge
    ) -> None:
        self._quarantine = quarantine
        self._replace = replace
        self._restore = restore
        self._purge = purge

    def run(self) -> list[Outcome]:
        place = self._quarantine.place
        return [self._one(intent) for intent in self._quarantine.journal.open_items(place.name)]

    def _one(self, intent: Intent) -> Outcome:
        if intent.state is State.RESTORING:
            return self._restore.carry_on(intent)
        if intent.state is State.PURGING:
            try:
                self._purge.carry_on(intent)
            except OSError as error:
                return Outcome("purge", done=False, detail=code_of(error), undo_token=intent.id)
            return Outcome("purge", done=True, detail="purged")
        actor = self._replace if intent.action == Replace.name else self._quarantine
        return actor.carry_on(intent)
