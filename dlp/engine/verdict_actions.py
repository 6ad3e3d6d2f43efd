"""Hand each verdict to the policy and say in one word what was done about the file.

In: a file as judged, its record.  Out: observe, notify, quarantine, sanitise, held or failed, and
for the last two the reason, with which the file stays in the queue until it is acted on.

One thread acts, one file after the other: copying a large file into the vault takes minutes, and
the loop goes on meanwhile. The result of a file is reported in a later turn of the loop.
"""

from __future__ import annotations

import logging
import os
from collections import deque
from collections.abc import Callable, Collection, Iterable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from typing import Any, TypeVar

from dlp.acquire.file_identity import open_file
from dlp.config import Settings
from dlp.engine.policy_responder import Made, Responder, open_keeping
from dlp.engine.sanitise_workers import Clean, Cleansing, Unclean
from dlp.errors import LedgerError, RespondError
from dlp.judge.policy import wishes
from dlp.model import Container, FileRef, Gap, GapCode, Outcome, Person, Verdict
from dlp.respond.notify_action import Observe
from dlp.respond.quarantine import ALLOWED, ELSEWHERE
from dlp.respond.replace import Replace
from dlp.table_slices import people_in, readers_in

NOBODY = -1  # no owner has this number, so nobody's permission applies
DRAIN_SECONDS = 60.0
FINAL = frozenset({ELSEWHERE})  # refusals that no later try changes

T = TypeVar("T")
Then = Callable[[str, str], None]  # what was done; why it has to be tried again, or nothing

log = logging.getLogger(__name__)


class Acting:
    """The policy at work. Where everything is only observed, nothing is even opened for it."""

    def __init__(
        self,
        settings: Settings,
        roots: Mapping[str, bytes],
        cleansing: Cleansing | None = None,
    ) -> None:
        """Without `cleansing`, what should be sanitised is quarantined."""
        self._roots = roots
        self.cleansing = cleansing
        self._has_channels = bool(settings.notify.channel)
        self._responder: Responder | None = None
        self._thread = ThreadPoolExecutor(1, "acting")  # starts with the first file
        self._begun: deque[tuple[Future[Any], Callable[[Any], None]]] = deque()
        self._next_drain = 0.0
        if any(wished != {"observe"} for wished in wishes_of(settings)):
            try:
                self._responder = Responder(settings, open_keeping(settings))
            except OSError as error:
                raise RespondError(
                    f"a share or the vault cannot be opened: {error.strerror}",
                    fix="mount the share, check the owner of its holding folder and of the vault",
                ) from None  # the original text holds the path
            self._finish_begun(self._responder.recover)

    @staticmethod
    def _finish_begun(recover: Callable[[], object]) -> None:
        """A ledger that was tampered with stops what would be recorded in it, and nothing else."""
        try:
            recover()
        except LedgerError as error:
            log.error("%s: %s; `dlp ledger verify` says more", error.code, error.what)  # noqa: TRY400

    @property
    def own_folders(self) -> Collection[bytes]:
        return self._responder.own_folders() if self._responder else ()

    @property
    def stopped(self) -> bool:
        """Whether the breaker has stopped all acting until a person looks."""
        return self._responder is not None and bool(self._responder.breaker.reason)

    def __call__(self, ref: FileRef, record: Mapping[str, Any], then: Then) -> None:
        """Act, and say `then` what was done: in a later turn, where the file is to be moved."""
        if self._responder is None:
            then("observe", "")
            return
        try:
            owner = os.lstat(ref.path).st_uid
        except OSError:
            owner = NOBODY
        root = self._roots[ref.share]
        relative = ref.path[len(root) + 1 :]
        case = (replace(ref, path=relative), verdict_of(record), owner)
        if not self._responder.moves(*case):
            then(*self._act(*case))  # nothing is copied, so nothing takes long
            return

        def cleaned(clean: Clean | Unclean) -> None:
            self._begin(lambda: self._act(*case, clean), lambda done: then(*done))

        def acted(done: tuple[str, str] | None) -> None:
            if done is None and self.cleansing is not None:
                self.cleansing.submit(ref, lambda: open_file(root, relative), cleaned)
            else:
                then(*(done or ("failed", "no worker makes clean copies any more")))

        self._begin(lambda: None if self._wants_clean(*case) else self._act(*case), acted)

    def _wants_clean(self, ref: FileRef, verdict: Verdict, owner: int) -> bool:
        assert self._responder is not None
        return self.cleansing is not None and self._responder.would_sanitise(ref, verdict, owner)

    def _begin(self, work: Callable[[], T], then: Callable[[T], None]) -> None:
        self._begun.append((self._thread.submit(work), then))

    @property
    def idle(self) -> bool:
        return not self._begun

    def _act(
        self, ref: FileRef, verdict: Verdict, owner: int, clean: Clean | Unclean | None = None
    ) -> tuple[str, str]:
        assert self._responder is not None
        if isinstance(clean, Clean):
            cleaned = replace(verdict_of(clean.record), readers=verdict.readers)
            made = Made([clean.content], clean.certificate, cleaned)
        else:
            made = Made(None, {}, verdict, clean.why if clean else "")
        try:
            outcome = self._responder.act(ref, verdict, owner, made)
        except LedgerError as error:
            outcome = Outcome("record", done=False, detail=error.what)
        if outcome.done:
            if outcome.action != Observe.name:
                item = f" as {outcome.undo_token}" if outcome.undo_token else ""
                log.info("%s on %s%s: %s", outcome.action, ref.share, item, outcome.detail)
            return "sanitise" if outcome.action == Replace.name else outcome.action, ""
        if outcome.detail == ALLOWED:  # somebody gave it back: nothing failed
            log.info("left in place on %s: %s", ref.share, ALLOWED)
            return Observe.name, ""
        log.warning("action refused on %s: %s: %s", ref.share, outcome.action, outcome.detail)
        # What the journal holds is finished by the drain; everything else is judged again later.
        again = "" if outcome.undo_token or outcome.detail in FINAL else outcome.detail
        return "held" if self.stopped else "failed", again

    def turn(self, now: float) -> None:
        """Say what was done; now and then finish what a full disk or a missing right blocked."""
        if self.cleansing is not None:
            self.cleansing.turn()
        while self._begun and self._begun[0][0].done():
            work, then = self._begun.popleft()
            then(work.result())  # trouble with the database is the loop's
        if self._responder is not None and now >= self._next_drain:
            self._next_drain = now + DRAIN_SECONDS
            self._begin(self._drain, lambda _: None)

    def _drain(self) -> None:
        assert self._responder is not None
        self._finish_begun(self._responder.drain)
        if not self._has_channels:  # nobody wants to know: nothing piles up for a sender
            outbox = self._responder.keeping.outbox
            while outbox.spread({}, most_waiting=0):
                pass
            outbox.prune()

    def finish(self) -> None:
        """Wait for the file in hand and say what was done; the others are judged again."""
        for work, _ in self._begun:
            work.cancel()
        while self._begun:
            work, then = self._begun.popleft()
            if not work.cancelled():
                then(work.result())

    def close(self) -> None:
        self._thread.shutdown(wait=True, cancel_futures=True)
        self._begun.clear()
        if self._responder is not None:
            self._responder.close()
            self._responder.keeping.close()


def wishes_of(settings: Settings) -> Iterable[frozenset[str]]:
    """What the policy of each share may do."""
    return (wishes(share.policy or settings.policy) for share in settings.share)


def verdict_of(record: Mapping[str, Any]) -> Verdict:
    """A worker's record as the verdict that the policy reads."""
    return Verdict(
        container=Container(record["container"]),
        reason=record["reason"],
        persons=tuple(
            Person(
                person["id"],
                frozenset(person["fingerprints"]),
                person["identifiability"],
                person["sensitivity"],
                chance=person.get("chance", 1.0),
            )
            for person in record["persons"]
        ),
        gaps=tuple(Gap(GapCode(gap["code"]), gap["where"]) for gap in record["gaps"]),
        rules_version=record["rules_version"],
        privacy=record["privacy"],
        identifiability=record["identifiability"],
        sensitivity=record["sensitivity"],
        unlisted=people_in(record) - len(record["persons"]),
        readers=readers_in(record),
    )
