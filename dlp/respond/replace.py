"""Put a sanitised copy in a file's place; the original goes to the vault first.

In: the file as judged, the clean content.  Out: Outcome; the share holds one of the two, whole.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any

from dlp.errors import RespondError
from dlp.intent import Intent, State
from dlp.model import FileRef, Outcome
from dlp.respond import durable, metadata
from dlp.respond.holding_folder import code_of, split
from dlp.respond.quarantine import DAY_SECONDS, Action, RefusedError, check, intent_of, story
from dlp.respond.vault import ChangedError


class Replace(Action):
    name = "replace"

    def apply(
        self,
        ref: FileRef,
        clean: Iterable[bytes],
        why: str = "",
        certificate: Mapping[str, Any] | None = None,
    ) -> Outcome:
        """Replace, or say why not; the caller then quarantines instead."""
        folder, name = split(ref.path)
        intent: Intent | None = None
        try:
            with self.place.folder(folder) as parent:
                fd = durable.open_read(self._system, name, parent)
                try:
                    intent = self._written_down(ref, fd, why)
                    intent = self._ready(intent, fd, clean, certificate or {})
                finally:
                    os.close(fd)
                self._exchange(intent, parent, name)
        except RefusedError as refusal:
            return self._given_up(intent, str(refusal))
        except ChangedError:
            return self._given_up(intent, "changed since it was judged")
        except RespondError as error:
            return self._given_up(intent, error.what)
        except OSError as error:
            return self._given_up(intent, code_of(error))
        return self.carry_on(intent)

    def _given_up(self, intent: Intent | None, why: str) -> Outcome:
        if intent is not None:
            self.journal.trouble(intent.id, why)
            self.carry_on(self.journal.get(intent.id))
        return Outcome(self.name, done=False, detail=why)

    def _written_down(self, ref: FileRef, fd: int, why: str) -> Intent:
        if self._system.fstat(fd).st_nlink > 1:
            raise RefusedError("has other names, which would keep the original")
        sha256 = check(self.place, self.journal, ref, fd)
        if not self.vault.has_room(ref.size_bytes):
            raise RefusedError("vault full")
        intent = intent_of(ref, self.name, sha256, why)
        self.journal.begin(intent)
        return intent

    def _ready(
        self, intent: Intent, fd: int, clean: Iterable[bytes], certificate: Mapping[str, Any]
    ) -> Intent:
        meta = story(intent, intent.sha256) | metadata.capture(self._system, fd)
        if certificate:
            meta["certificate"] = dict(certificate)  # says what was changed
        self.vault.seal(intent.id, fd, meta, intent.sha256)
        draft = durable.write_new(self._system, self.place.hold, intent.id.encode(), clean)
        try:
            metadata.restore_attributes(self._system, draft, meta, times=False)
            self._system.fsync(draft)
            inode = self._system.fstat(draft).st_ino
            digest = durable.sha256_of(self._system, draft)
        finally:
            os.close(draft)
        self._system.fsync(self.place.hold)
        return self.journal.move(intent.id, State.READY, new_inode=inode, new_sha256=digest)

    def _exchange(self, intent: Intent, parent: int, name: bytes) -> None:
        # Two names change places in one step: no moment without a file, no file overwritten.
        self._system.exchange(self.place.hold, intent.id.encode(), parent, name)
        self._system.fsync(parent)
        self._system.fsync(self.place.hold)

    def carry_on(self, intent: Intent) -> Outcome:
        try:
            if intent.state is State.INTENT:
                intent = self._undone(intent, intent.trouble)
            elif intent.state is State.READY:
                intent = self._settled(intent)
        except OSError as error:
            return self._blocked(intent, code_of(error))
        except RespondError as error:
            return self._blocked(intent, error.what)
        done = intent.state is State.DONE
        detail = "sanitised in place" if done else intent.trouble or "not replaced"
        return Outcome(self.name, done=done, detail=detail, undo_token=intent.id if done else None)

    def _undone(self, intent: Intent, why: str) -> Intent:
        """INTENT: whatever was prepared goes; what was taken by mistake goes back."""
        held = self.place.found_held(intent.id.encode())
        if held is not None and intent.new_inode and held.st_ino != intent.new_inode:
            self._put_back(intent)
        durable.remove(self._system, intent.id.encode(), self.place.hold)
        self.vault.remove(intent.id)
        return self.journal.move(intent.id, State.VOID, trouble=why)

    def _settled(self, intent: Intent) -> Intent:
        """READY: what lies in the holding folder tells whether the exchange happened."""
        held = self.place.found_held(intent.id.encode())
        if held is not None and held.st_ino == intent.new_inode:
            return self._taken_back(intent, intent.trouble)
        if held is not None and not (metadata.is_same(intent, held) and self._as_vaulted(intent)):
            # Changed or swapped between the judgement and the exchange: give exactly that back.
            return self._taken_back(intent, "changed since it was judged")
        durable.remove(self._system, intent.id.encode(), self.place.hold)
        return self.journal.move(
            intent.id,
            State.DONE,
            what="replaced",
            allow=(intent.new_sha256,),
            expires_at=self._clock() + self.terms.retention_days * DAY_SECONDS,
        )

    def _taken_back(self, intent: Intent, why: str) -> Intent:
        # Written down first: READY with an empty holding folder means that it was replaced.
        return self._undone(self.journal.move(intent.id, State.INTENT, trouble=why), why)

    def _as_vaulted(self, intent: Intent) -> bool:
        fd = durable.open_read(self._system, intent.id.encode(), self.place.hold)
        try:
            if self._system.being_written(fd):
                return False
            return durable.sha256_of(self._system, fd) == intent.sha256
        finally:
            os.close(fd)

    def _put_back(self, intent: Intent) -> None:
        folder, name = split(intent.path)
        with self.place.folder_made(folder) as parent:
            there = durable.found(self._system, name, parent)
            if there is not None and there.st_ino == intent.new_inode:
                self._exchange(intent, parent, name)
                return
        self.place.give_back(intent.id.encode(), intent.path)
