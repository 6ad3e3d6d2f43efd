"""Take a file out of the share, by identity, in steps that each survive a crash.

In: the file as it was judged.  Out: Outcome; the file is in the share or whole in our keeping.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import stat
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from dlp.errors import RespondError
from dlp.intent import Intent, Journal, State
from dlp.model import FileRef, Outcome
from dlp.respond import durable, metadata
from dlp.respond.holding_folder import NAME_BYTES, Place, code_of, split
from dlp.respond.vault import ChangedError, Vault

ATTEMPTS = 5  # at a copy of a file that keeps changing
DAY_SECONDS = 86_400
ALLOWED = "allowed: this very content was given back"
ELSEWHERE = "on another file system; make that a share of its own"

ENDING = b".quarantined.txt"


class RefusedError(Exception):
    """The file stays where it is; the message is safe to show."""


@dataclass(frozen=True, slots=True)
class Terms:
    """What the settings say about kept files."""

    retention_days: int = 365
    note: bool = True
    contact: str = ""
    take_links: bool = True


class Action:
    """What every journalled change of a share has at hand."""

    name = ""

    def __init__(
        self,
        place: Place,
        journal: Journal,
        vault: Vault,
        terms: Terms | None = None,
        *,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.place = place
        self.journal = journal
        self.vault = vault
        self.terms = terms or Terms()
        self._system = place.system
        self._clock = clock

    def _blocked(self, intent: Intent, code: str) -> Outcome:
        self.journal.trouble(intent.id, code)
        return Outcome(self.name, done=False, detail=f"blocked: {code}", undo_token=intent.id)


class Quarantine(Action):
    name = "quarantine"

    def apply(self, ref: FileRef, why: str = "") -> Outcome:
        """Take the file, or say why it stays. Trouble half-way is finished by `carry_on`."""
        folder, name = split(ref.path)
        try:
            with self.place.folder(folder) as parent:
                intent = self._begin(ref, parent, name, why)
                try:
                    durable.move(self._system, parent, name, self.place.hold, intent.id.encode())
                except OSError as error:
                    self.journal.trouble(intent.id, code_of(error))
        except RefusedError as refusal:
            return Outcome(self.name, done=False, detail=str(refusal))
        except OSError as error:
            return Outcome(self.name, done=False, detail=code_of(error))
        return self.carry_on(intent)

    def _begin(self, ref: FileRef, parent: int, name: bytes, why: str) -> Intent:
        fd = durable.open_read(self._system, name, parent)
        try:
            seen = self._system.fstat(fd)
            sha256 = check(self.place, self.journal, ref, fd)
        finally:
            os.close(fd)
        if not self.vault.has_room(ref.size_bytes):
            raise RefusedError("vault full")
        others: tuple[bytes, ...] = ()
        if seen.st_nlink > 1 and self.terms.take_links:
            others = metadata.other_names(self.place, ref.device, ref.inode, ref.path)
        intent = intent_of(ref, self.name, sha256, why, others)
        self.journal.begin(intent)
        return intent

    def carry_on(self, intent: Intent) -> Outcome:
        """Finish what was begun, from whatever state; the same code after a crash and without."""
        try:
            if intent.state is State.INTENT:
                intent = self._held(intent)
            for _ in range(2 * ATTEMPTS):
                if intent.state is State.HELD:
                    intent = self._vaulted(intent)
                elif intent.state is State.VAULTED:
                    intent = self._done(intent)
        except OSError as error:
            return self._blocked(intent, code_of(error))
        except (RefusedError, RespondError) as error:
            return self._blocked(intent, str(error.args[0]))
        if intent.state in {State.HELD, State.VAULTED}:
            return self._blocked(intent, "still being written")
        done = intent.state is State.DONE
        detail = "in the vault" if done else intent.trouble
        return Outcome(self.name, done=done, detail=detail, undo_token=intent.id if done else None)

    def _held(self, intent: Intent) -> Intent:
        """INTENT: look where the file is now."""
        held = self.place.found_held(intent.id.encode())
        if held is None:
            return self.journal.move(intent.id, State.VOID, trouble="not taken")
        if not metadata.is_same(intent, held):
            self.place.give_back(intent.id.encode(), intent.path)
            return self.journal.move(intent.id, State.VOID, trouble="swapped", what="put back")
        self._only_name(intent)
        return self.journal.move(intent.id, State.HELD)

    def _only_name(self, intent: Intent) -> None:
        """Where renaming is linking, a crash leaves the old name; the folders are synced anyway."""
        folder, name = split(intent.path)
        try:
            with self.place.folder(folder) as parent:
                if metadata.is_same(intent, durable.found(self._system, name, parent)):
                    self._system.unlink(name, parent)
                self._system.fsync(parent)
        except (FileNotFoundError, NotADirectoryError):
            pass  # the folder itself is gone
        self._system.fsync(self.place.hold)

    def _vaulted(self, intent: Intent) -> Intent:
        """HELD: encrypt what is there now; a writer may have gone on through an open handle."""
        fd = durable.open_read(self._system, intent.id.encode(), self.place.hold)
        try:
            sha256 = durable.sha256_of(self._system, fd)
            meta = story(intent, sha256) | metadata.capture(self._system, fd)
            self.vault.seal(intent.id, fd, meta, sha256)
        except ChangedError:
            return intent
        finally:
            os.close(fd)
        return self.journal.move(intent.id, State.VAULTED, sha256=sha256)

    def _done(self, intent: Intent) -> Intent:
        """VAULTED: the held file goes only if the vault holds exactly what it is now."""
        try:
            fd = durable.open_read(self._system, intent.id.encode(), self.place.hold)
        except FileNotFoundError:
            meta, _ = self.vault.open(intent.id)  # removed already; the vault must have it
            return self._close(intent, meta)
        try:
            if self._system.being_written(fd):
                raise RefusedError("still being written")
            if durable.sha256_of(self._system, fd) != intent.sha256:
                return self.journal.move(intent.id, State.HELD)
            meta = metadata.capture(self._system, fd)
            metadata.remove_links(self.place, intent)
            outside = self._system.fstat(fd).st_nlink - 1
        finally:
            os.close(fd)
        durable.remove(self._system, intent.id.encode(), self.place.hold)
        return self._close(intent, meta, f"{outside} other names remain" if outside else "")

    def _close(self, intent: Intent, meta: dict[str, Any], trouble: str = "") -> Intent:
        allow: tuple[str, ...] = ()
        if self.terms.note:
            leave_note(self.place, intent, meta, self.terms.contact)
            allow = (note_digest(intent.id, self.terms.contact),)
        return self.journal.move(
            intent.id,
            State.DONE,
            what="quarantined",
            allow=allow,
            trouble=trouble,
            expires_at=self._clock() + self.terms.retention_days * DAY_SECONDS,
        )


def check(place: Place, journal: Journal, ref: FileRef, fd: int) -> str:
    """Refuse unless this is the file that was judged, unchanged and at rest; gives its hash."""
    system = place.system
    seen = system.fstat(fd)
    if not stat.S_ISREG(seen.st_mode) or not ref.is_state(seen):
        raise RefusedError("changed since it was judged")
    if seen.st_dev != place.device:
        raise RefusedError(ELSEWHERE)
    if system.being_written(fd):
        raise RefusedError("open for writing")
    sha256 = durable.sha256_of(system, fd)
    if (ref.sha256 and ref.sha256 != sha256) or not ref.is_state(system.fstat(fd)):
        raise RefusedError("changed since it was judged")
    if journal.is_allowed(place.name, sha256):
        raise RefusedError(ALLOWED)
    return sha256


def intent_of(
    ref: FileRef, action: str, sha256: str, why: str, others: tuple[bytes, ...] = ()
) -> Intent:
    return Intent(
        id=secrets.token_hex(8),
        action=action,
        state=State.INTENT,
        share=ref.share,
        path=ref.path,
        device=ref.device,
        inode=ref.inode,
        size_bytes=ref.size_bytes,
        mtime_ns=ref.mtime_ns,
        sha256=sha256,
        links=others,
        why=why,
    )


def story(intent: Intent, sha256: str) -> dict[str, Any]:
    """Enough, encrypted within the blob, to rebuild the journal from the vault alone."""
    return {
        "action": intent.action,
        "share": intent.share,
        "path": intent.path.hex(),
        "links": [link.hex() for link in intent.links],
        "sha256": sha256,
        "why": intent.why,
        "created_at": intent.created_at or time.time(),
    }


def note_text(item: str, contact: str) -> bytes:
    ask = f"To get it back, ask {contact} and give the case number.\n" if contact else ""
    return (
        "The file that was here is kept in a safe place, because it seems to hold\n"
        "health information about identifiable people. Nothing is lost.\n"
        f"Case number: {item}\n{ask}"
    ).encode()


def note_digest(item: str, contact: str) -> str:
    return hashlib.sha256(note_text(item, contact)).hexdigest()


def note_name(name: bytes) -> bytes:
    return name[: NAME_BYTES - len(ENDING)] + ENDING


def leave_note(place: Place, intent: Intent, meta: dict[str, Any], contact: str) -> None:
    """Write the notice; where the folder is gone or the name taken there is none."""
    folder, name = split(intent.path)
    draft = f"{intent.id}.note".encode()
    system = place.system
    durable.remove(system, draft, place.hold)
    fd = durable.write_new(system, place.hold, draft, [note_text(intent.id, contact)])
    try:
        system.chown(fd, meta["uid"], meta["gid"])
        system.chmod(fd, meta["mode"] & 0o666 | 0o400)
        system.fsync(fd)
    finally:
        os.close(fd)
    try:
        with place.folder(folder) as parent:
            durable.move(system, place.hold, draft, parent, note_name(name))
    except (FileExistsError, FileNotFoundError, NotADirectoryError):
        durable.remove(system, draft, place.hold)


def remove_note(place: Place, intent: Intent, contact: str) -> None:
    """Remove the notice, if it is still the one we wrote."""
    folder, name = split(intent.path)
    try:
        with place.folder(folder) as parent:
            fd = durable.open_read(place.system, note_name(name), parent)
            try:
                ours = durable.sha256_of(place.system, fd) == note_digest(intent.id, contact)
            finally:
                os.close(fd)
            if ours:
                durable.remove(place.system, note_name(name), parent)
    except OSError:
        return  # gone, or no longer ours: either way not our concern
