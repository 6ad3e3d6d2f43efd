"""Hand each verdict to the policy and say in one word what was done about the file.

In: a file as judged, its record.  Out: observe, notify, quarantine, sanitise, held or failed.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

from dlp.config import Policy, Settings
from dlp.engine.responder import Responder, open_keeping
from dlp.errors import RespondError
from dlp.model import Container, FileRef, Gap, GapCode, Person, Verdict

NOBODY = -1  # no owner has this number, so nobody's permission applies
DRAIN_SECONDS = 60.0


class Acting:
    """The policy at work. Where everything is only observed, nothing is even opened for it."""

    def __init__(self, settings: Settings, roots: Mapping[str, bytes]) -> None:
        self._roots = roots
        self._tells = bool(settings.notify.channel)
        self._responder: Responder | None = None
        self._next_drain = 0.0
        if not all(observes(share.policy or settings.policy) for share in settings.share):
            try:
                self._responder = Responder(settings, open_keeping(settings))
            except OSError as error:
                raise RespondError(
                    f"a share or the vault cannot be opened: {error.strerror}",
                    fix="mount the share, check the owner of its holding folder and of the vault",
                ) from None  # the original text holds the path
            self._responder.recover()

    @property
    def own_folders(self) -> Collection[bytes]:
        return self._responder.own_folders() if self._responder else ()

    @property
    def stopped(self) -> bool:
        """Whether the breaker has stopped all acting until a person looks."""
        return self._responder is not None and bool(self._responder.breaker.reason)

    def __call__(self, ref: FileRef, record: Mapping[str, Any]) -> str:
        if self._responder is None:
            return "observe"
        try:
            owner = os.lstat(ref.path).st_uid
        except OSError:
            owner = NOBODY
        relative = ref.path[len(self._roots[ref.share]) + 1 :]
        outcome = self._responder.act(replace(ref, path=relative), verdict_of(record), owner)
        if outcome.done:
            return outcome.action
        return "held" if self.stopped else "failed"

    def turn(self, now: float) -> None:
        """Finish now and then what a full disk or a missing right had blocked."""
        if self._responder is not None and now >= self._next_drain:
            self._next_drain = now + DRAIN_SECONDS
            self._responder.drain()
            if not self._tells:  # nobody wants to know: nothing piles up for a sender
                outbox = self._responder.keeping.outbox
                while outbox.spread({}, most_waiting=0):
                    pass
                outbox.prune()

    def close(self) -> None:
        if self._responder is not None:
            self._responder.close()
            self._responder.keeping.close()


def observes(policy: Policy) -> bool:
    wishes: list[str] = [policy.gaps]
    for answer in (policy.phi, policy.probable, policy.possible):
        wishes += [answer] if isinstance(answer, str) else list(answer.values())
    return all(wish == "observe" for wish in wishes)


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
            )
            for person in record["persons"]
        ),
        gaps=tuple(Gap(GapCode(gap["code"]), gap["where"]) for gap in record["gaps"]),
        rules_version=record["rules_version"],
        privacy=record["privacy"],
        identifiability=record["identifiability"],
        sensitivity=record["sensitivity"],
    )
