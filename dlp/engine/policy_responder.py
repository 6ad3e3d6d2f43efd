"""Act on verdicts: policy, then breaker, then the action; and everything an operator can undo.

In: settings; then files as judged with their verdicts.  Out: Outcome, journal, ledger, outbox.
"""

from __future__ import annotations

import functools
import logging
import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import Engine

from dlp.config import Policy, Settings, Share, Suppress
from dlp.errors import ConfigError, LedgerError, RespondError
from dlp.intent import Intent, State
from dlp.judge.breaker import Breaker
from dlp.judge.ignore import Ignore
from dlp.judge.policy import MOVES, Decision, decide, moves
from dlp.keys import check_apart, kept_key, read_key, secret_key, state_folder, state_owner
from dlp.measure.risk_levels import level_of
from dlp.model import Container, FileRef, Outcome, Verdict
from dlp.private_files import check_private
from dlp.respond.holding_folder import Place, code_of
from dlp.respond.notify_action import Notify, Observe
from dlp.respond.quarantine import Quarantine, Terms
from dlp.respond.replace import Replace
from dlp.respond.restore import Purge, Recovery, Restore
from dlp.respond.vault import Vault
from dlp.store.database import writing
from dlp.store.journal import Journal
from dlp.store.ledger import Ledger, open_ledger, witness_files
from dlp.store.migrations import open_database
from dlp.store.outbox import Outbox
from dlp.store.reviews import active_suppressions

IGNORE_FILE = b".dlpignore"
IGNORE_BYTES = 1 << 20
log = logging.getLogger(__name__)

MOST_NOTIFIED = 100_000  # files in memory
MARKS_SECONDS = 5.0  # how soon a decision in the console counts here


@dataclass(frozen=True, slots=True)
class Made:
    """What sanitising gave: the clean content, or None where certificate or rescan failed."""

    content: Iterable[bytes] | None
    certificate: Mapping[str, Any]
    verdict: Verdict  # on the clean content, by the same rules
    why: str = ""  # there is none: closed words


@dataclass(frozen=True, slots=True)
class Keeping:
    """The opened stores that actions and operators share."""

    engine: Engine
    ledger: Ledger
    journal: Journal
    vault: Vault
    outbox: Outbox

    who: str = "daemon"

    def note(self, what: str) -> None:
        """Something an operator did that changes no file."""
        with writing(self.engine) as connection:
            self.ledger.append(connection, who=self.who, what=what)
        self.ledger.anchor()

    def close(self) -> None:
        self.vault.close()
        self.engine.dispose()


def open_keeping(settings: Settings, *, who: str = "daemon") -> Keeping:
    check_apart(settings)
    folder = Path(settings.quarantine.vault or state_folder() / "vault")
    check_not_lost(folder, settings)
    engine = open_database(settings.store.database or state_folder() / "catalogue.db")
    ledger = open_ledger(settings, engine, secret_key("ledger", settings.ledger.key, lasting=True))
    check_private(folder, "vault")
    for path in witness_files(settings):
        check_private(path, "anchor")
    key = secret_key("vault", settings.quarantine.key, lasting=True)
    old = [read_key(Path(path), "vault") for path in settings.quarantine.old_keys]
    vault = Vault(os.fsencode(folder), key, old)
    return Keeping(engine, ledger, Journal(engine, ledger, who=who), vault, Outbox(engine), who)


def check_not_lost(vault: Path, settings: Settings) -> None:
    """A new key beside old copies would hide that nobody can open them any more."""
    if (
        kept_key("vault", settings.quarantine.key) is None
        and vault.is_dir()
        and any(vault.iterdir())
    ):
        raise ConfigError(
            "the vault holds copies and its key is gone",
            where=str(vault),
            fix="put the key back (quarantine.key or the credential vault-key); without it the"
            " copies cannot be opened, and a new vault needs another folder",
        )


@contextmanager
def actions_on(name: str, settings: Settings, keeping: Keeping) -> Iterator[ShareActions]:
    """The actions of the share of that name, while somebody works with them."""
    for share in settings.share:
        if share.name == name:
            actions = ShareActions(share, settings, keeping)
            try:
                if moves(actions.policy):
                    actions.place.prepare()
                yield actions
            finally:
                actions.place.close()
            return
    raise ConfigError(
        f"the settings name no share {name}", fix="give --config with the daemon's file"
    )


class ShareActions:
    """The actions of one share, and its recovery."""

    def __init__(self, share: Share, settings: Settings, keeping: Keeping) -> None:
        kept = settings.quarantine
        terms = Terms(kept.retention_days, kept.note, kept.contact, kept.take_links)
        self.top = os.fsencode(share.path)
        self.place = Place(
            share.name, os.fsencode(share.path), os.fsencode(share.holding), owner=state_owner()
        )
        parts = (self.place, keeping.journal, keeping.vault)
        self.policy: Policy = share.policy or settings.policy
        self.quarantine = Quarantine(*parts, terms)
        self.replace = Replace(*parts, terms)
        self.restore = Restore(*parts, kept.contact)
        self.purge = Purge(keeping.journal, keeping.vault)
        self.recovery = Recovery(self.quarantine, self.replace, self.restore, self.purge)

    @functools.cached_property
    def ignore(self) -> Ignore:
        return Ignore(ignore_lines(self.place.root) if self.policy.ignore_file else b"")

    def trouble(self, device: int | None = None) -> str:
        """Why no file can be taken from this share now; nothing, when all is well."""
        try:
            if device is not None:
                self.place.renew(device)
            self.place.prepare()
        except RespondError as error:
            return error.what
        except OSError as error:
            return f"the share or its holding folder: {code_of(error)}"
        return ""


def ignore_lines(root: int) -> bytes:
    """The ignore file at the top of a share, if root or we own it."""
    try:
        flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        fd = os.open(IGNORE_FILE, flags, dir_fd=root)
    except OSError:
        return b""
    try:
        ours = os.fstat(fd).st_uid in {0, os.geteuid()}
        return os.read(fd, IGNORE_BYTES) if ours else b""
    finally:
        os.close(fd)


class Responder:
    """Not safe between threads: one loop owns it."""

    def __init__(
        self,
        settings: Settings,
        keeping: Keeping,
        *,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.keeping = keeping
        self._settings = settings
        self._clock = clock
        self._marks: tuple[Suppress, ...] = ()
        self._marked_at = float("-inf")
        self._notified: set[FileRef] = set()
        self.shares = {each.name: ShareActions(each, settings, keeping) for each in settings.share}
        self._notify = Notify(keeping.outbox, secret_key("fingerprint", settings.keys.fingerprint))
        limits = settings.breaker
        self.breaker = Breaker(
            actions=limits.actions,
            seconds=limits.minutes * 60,
            error_rate=limits.error_rate,
            error_sample=limits.error_sample,
        )
        self.breaker.seed(keeping.journal.acted_since(clock() - limits.minutes * 60))
        if reason := keeping.journal.stopped():
            self.breaker.open(reason)

    def own_folders(self) -> tuple[bytes, ...]:
        """Never scanned: compare by device and inode."""
        holding = []
        for share in self.shares.values():
            with suppress(OSError):  # it is not mounted
                holding.append(share.place.holding)
        return tuple(filter(os.path.isdir, [*holding, self.keeping.vault.path]))

    def recover(self) -> list[Outcome]:
        """At start, before anything else is done. A share in trouble stops no other."""
        self.keeping.vault.sweep_drafts()
        for name, share in self.shares.items():
            if moves(share.policy) and (trouble := share.trouble()):
                log.error("nothing can be taken from %s until this is mended: %s", name, trouble)
        return self.drain()

    def drain(self) -> list[Outcome]:
        """On a timer: finish what a full disk or a missing right had blocked."""
        return [o for share in self.shares.values() for o in share.recovery.run()]

    def decide(self, ref: FileRef, verdict: Verdict, owner: int) -> Decision:
        share = self.shares[ref.share]
        profile = self._settings.measure.profile
        return decide(
            self.policy_of(ref.share),
            verdict,
            path=ref.path,
            owner=owner,
            today=datetime.fromtimestamp(self._clock(), UTC).date(),
            level_of=lambda risk, privacy: level_of(risk, privacy, profile),
            ignored=ref.path in share.ignore,
            top=share.top,
        )

    def policy_of(self, share: str) -> Policy:
        """The share's policy, and what people called harmless in the console since."""
        policy, now = self.shares[share].policy, self._clock()
        if now - self._marked_at > MARKS_SECONDS:
            self._marks, self._marked_at = active_suppressions(self.keeping.engine, now), now
        return policy.model_copy(update={"suppress": (*policy.suppress, *self._marks)})

    def moves(self, ref: FileRef, verdict: Verdict, owner: int) -> bool:
        """Whether the file itself is to be touched."""
        try:
            return self.decide(ref, verdict, owner).action in MOVES
        except OSError:  # the share is gone; acting says so
            return True

    def would_sanitise(self, ref: FileRef, verdict: Verdict, owner: int) -> bool:
        """Whether a clean copy is of any use; checked before the expensive work of making one."""
        if not self.breaker.allows(self._clock()):
            return False
        return self.decide(ref, verdict, owner).action == "sanitise"

    def act(self, ref: FileRef, verdict: Verdict, owner: int, made: Made | None = None) -> Outcome:
        decision = self.decide(ref, verdict, owner)
        if verdict.container is Container.PHI and self._is_hidden_elsewhere(verdict):
            log.warning("a person dismissed everywhere is in another PHI file on %s", ref.share)
            self._notify_once(ref, decision)
        if decision.action == "observe":
            return Observe().apply(ref, decision.why)
        if decision.action == "notify":
            return self._notify.apply(ref, decision.why, decision.level)
        if not self.breaker.allows(self._clock()):
            self._stop()
            self._notify_once(ref, decision)
            return Outcome(decision.action, done=False, detail="stopped acting")
        try:
            outcome = self._move(ref, decision, made, owner)
        except LedgerError:  # what cannot be recorded is not done
            self._notify_once(ref, decision)
            return Outcome(decision.action, done=False, detail="the ledger is not whole")
        self.breaker.note(self._clock(), ok=outcome.done or not outcome.undo_token)
        if self.breaker.reason:
            self._stop()
        return outcome

    def _is_hidden_elsewhere(self, verdict: Verdict) -> bool:
        """Whether a dismissal of a person, not of a file, keeps something back here."""
        wide = {mark.fingerprint for mark in self._marks if not mark.beneath}
        return any(not wide.isdisjoint(person.fingerprints) for person in verdict.persons)

    def _notify_once(self, ref: FileRef, decision: Decision) -> None:
        """A file that cannot be taken is tried again and again; one notice is sent."""
        if ref not in self._notified and len(self._notified) < MOST_NOTIFIED:
            self._notified.add(ref)
            self._notify.apply(ref, decision.why, decision.level)

    def _stop(self) -> None:
        if not self.keeping.journal.stopped():
            self.keeping.journal.stop(self.breaker.reason)

    def _move(self, ref: FileRef, decision: Decision, made: Made | None, owner: int) -> Outcome:
        assert decision.action in MOVES
        share, why = self.shares[ref.share], decision.why
        if trouble := share.trouble(ref.device):
            return Outcome(decision.action, done=False, detail=trouble)
        if decision.action == "sanitise":
            trouble = made.why or "unsanitised" if made else "unsanitised"
            if made is not None and made.content is not None:
                if self.decide(ref, made.verdict, owner).action in MOVES:
                    trouble = "still judged so"
                else:
                    outcome = share.replace.apply(ref, made.content, why, made.certificate)
                    if outcome.done or outcome.undo_token:
                        return outcome
                    trouble = outcome.detail
            why = f"{why}, not sanitised: {trouble}"
        return share.quarantine.apply(ref, why)

    def close(self) -> None:
        for share in self.shares.values():
            share.place.close()


IN_VAULT = (State.VAULTED, State.DONE, State.RESTORING, State.RESTORED, State.PURGING)


def vault_faults(keeping: Keeping) -> Iterator[tuple[str, str]]:
    """Each item whose copy is not what the journal says, after reading all of it."""
    there = set(keeping.vault.items())
    known = {intent.id: intent for intent in keeping.journal.items()}
    for item in sorted(there | known.keys()):
        intent = known.get(item)
        if intent is None:
            yield item, "a copy that the journal does not know; see `dlp quarantine rebuild`"
        elif item in there and intent.state in {State.PURGED, State.VOID}:
            yield item, f"a copy of a case that is {intent.state.value}"
        elif item in there or intent.state in IN_VAULT:
            try:
                if keeping.vault.verify(item) != intent.sha256:
                    yield item, "the copy is not of the file that the journal names"
            except RespondError as error:
                yield item, error.what


def rebuild(keeping: Keeping, *, expires_at: float) -> int:
    """After the database is lost: one journal row for each blob that has none."""
    known = {intent.id for intent in keeping.journal.items()}
    added = 0
    with writing(keeping.engine) as connection:
        if keeping.ledger.is_behind(connection):
            why = "the database was lost, the journal is rebuilt from the vault"
            keeping.ledger.proceed(connection, who=keeping.who, why=why)
    keeping.ledger.anchor()
    for item in keeping.vault.items():
        if item in known:
            continue
        meta, _ = keeping.vault.open(item)
        intent = Intent(
            id=item,
            action=meta["action"],
            state=State.INTENT,
            share=meta["share"],
            path=bytes.fromhex(meta["path"]),
            device=0,
            inode=0,
            size_bytes=meta["size_bytes"],
            mtime_ns=meta["mtime_ns"],
            sha256=meta["sha256"],
            links=tuple(bytes.fromhex(link) for link in meta["links"]),
            why=meta["why"],
            created_at=meta["created_at"],
        )
        keeping.journal.begin(intent)
        keeping.journal.move(item, State.DONE, what="rebuilt", expires_at=expires_at)
        added += 1
    return added
