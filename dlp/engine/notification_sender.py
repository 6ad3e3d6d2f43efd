"""Send what waits in the outbox, channel by channel, until it arrived.

In: settings, the outbox.  Out: notices at webhooks, mailboxes and hooks; trouble in closed words.

A process of its own: the part that holds rights on every share speaks to nobody.
"""

from __future__ import annotations

import fcntl
import logging
import os
import random
import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import Protocol, Self

from dlp.config import Channel, Settings
from dlp.errors import NotifyError, UndeliveredError
from dlp.keys import secret_key, state_folder
from dlp.model import LEVELS
from dlp.notice import Parcel
from dlp.notify.hook import Hook
from dlp.notify.mail import Mail
from dlp.notify.webhook import Webhook
from dlp.store.migrations import open_database
from dlp.store.outbox import Deliveries, Outbox

log = logging.getLogger(__name__)

FIRST_WAIT, LONGEST_WAIT = 1.0, 3600.0
LOOK_SECONDS = 1.0  # how long an event waits at most before the first attempt
IN_A_ROW = 50  # parcels of one channel before the others have their turn
PRUNE_SECONDS = 3600.0


class Transport(Protocol):
    most: int
    gather_seconds: float

    def deliver(self, parcel: Parcel) -> None: ...


def link_of(settings: Settings) -> str:
    """As the settings say; else to the console that runs beside the daemon."""
    console = settings.console
    if settings.notify.link or not console.beside:
        return settings.notify.link
    host = console.names[0] if console.names else "localhost"
    if console.behind_proxy:
        return f"https://{host}/cases/{{item}}"
    scheme = "https" if console.certificate else "http"
    return f"{scheme}://{host}:{console.port}/cases/{{item}}"


class Sender:
    """Not safe between threads; one process owns it, and a lock makes sure of that."""

    def __init__(
        self,
        settings: Settings,
        outbox: Outbox,
        deliveries: Deliveries,
        transports: Mapping[str, Transport] | None = None,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        notify = settings.notify
        self._outbox = outbox
        self._deliveries = deliveries
        self._most_waiting = notify.most_waiting
        self._wants = {channel.name: partial(wants, channel) for channel in notify.channel}
        given = {one.name: transport_of(one, link_of(settings)) for one in notify.channel}
        self._transports = given if transports is None else transports
        self._clock = clock
        self._quiet_until = dict.fromkeys(self._transports, 0.0)
        self._failures = dict.fromkeys(self._transports, 0)
        self._next_prune = 0.0

    def turn(self) -> int:
        """Offer new events to the channels, then one round of attempts; says how many arrived."""
        while self._outbox.spread(self._wants, most_waiting=self._most_waiting):
            pass
        now = self._clock()
        if now >= self._next_prune:
            self._next_prune = now + PRUNE_SECONDS
            self._outbox.prune()
        return sum(self._deliver_waiting(name) for name in self._transports)

    def _deliver_waiting(self, name: str) -> int:
        transport, arrived = self._transports[name], 0
        while arrived < IN_A_ROW and self._clock() >= self._quiet_until[name]:
            parcel = self._deliveries.claim(
                name, most=transport.most, gather_seconds=transport.gather_seconds
            )
            if parcel is None:
                break
            if not self._attempt(transport, parcel):
                break
            arrived += 1
        return arrived

    def _attempt(self, transport: Transport, parcel: Parcel) -> bool:
        name = parcel.channel
        try:
            transport.deliver(parcel)
        except UndeliveredError as error:
            wait = wait_after(parcel.attempt)
            if error.down:
                self._failures[name] += 1
                self._quiet_until[name] = self._clock() + wait_after(self._failures[name])
                wait = 0.0  # it is the channel that waits
            self._deliveries.failed(parcel, error.what, wait_seconds=wait)
            log.warning("%s not delivered by %s: %s", error.code, name, error.what)
            return False
        self._deliveries.sent(parcel)
        self._failures[name] = 0
        return True

    @property
    def waiting(self) -> int:
        counts = self._deliveries.counts()
        return sum(counts.get(name, 0) for name in self._transports)


def wants(channel: Channel, event: str, share: str, level: str) -> bool:
    if channel.events and event not in channel.events:
        return False
    if channel.shares and share and share not in channel.shares:
        return False
    return not level or LEVELS.index(level) >= LEVELS.index(channel.least)


def transport_of(channel: Channel, link: str) -> Transport:
    if channel.kind == "webhook":
        return Webhook(channel, secret_key(channel.name, channel.key, lasting=True), link)
    return Mail(channel, link) if channel.kind == "email" else Hook(channel, link)


def wait_after(attempts: int) -> float:
    """Twice as long each time, up to an hour, never in step with the other senders."""
    wait = min(LONGEST_WAIT, FIRST_WAIT * 2.0 ** min(attempts - 1, 12))
    return wait * random.uniform(0.8, 1.2)  # noqa: S311 - no secret


class OnlyOne:
    """Two senders of one host would each free what the other has in hand."""

    def __init__(self, *, patience_seconds: float = 0.0) -> None:
        self._patience = patience_seconds

    def __enter__(self) -> Self:
        folder = state_folder()
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._fd = os.open(folder / "notify.lock", os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
        until = time.monotonic() + self._patience
        while True:
            try:
                fcntl.flock(self._fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if time.monotonic() < until:
                    time.sleep(0.05)
                    continue
                os.close(self._fd)
                raise NotifyError(
                    "another sender is at work here",
                    fix="stop it, or set notify.apart = true and leave the sending to `dlp notify`",
                ) from None
            return self

    def __exit__(self, *_: object) -> None:
        os.close(self._fd)


def open_sender(settings: Settings) -> Sender:
    """With the database of the settings; what a killed sender had in hand waits again."""
    engine = open_database(settings.store.database or state_folder() / "catalogue.db")
    deliveries = Deliveries(engine)
    deliveries.recover()
    return Sender(settings, Outbox(engine), deliveries)
