"""`dlp notify`: send what waits in the outbox; systemd or `dlp watch` runs this.

In: a configuration.  Out: notices at their channels, until a signal says stop.
"""

from __future__ import annotations

import logging
import os
import select
import signal
import sys
import time
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from dlp.config import Settings

STDIN = 0
LOCK_SECONDS = 15.0  # a former sender is given so long to finish its attempt


@click.command()
@click.option("--config", "config_path", type=click.Path(path_type=Path), help="The TOML file.")
@click.option("--once", is_flag=True, help="One attempt for all that waits, then stop.")
@click.option("--attached", is_flag=True, help="Stop when standard input ends.")
@click.option("--test", "channel", metavar="NAME", help="Send one test notice by this channel.")
def command(config_path: Path | None, channel: str | None, *, once: bool, attached: bool) -> None:
    """Tell the channels of the configuration what happened; ids and links, never values."""
    from dlp import config
    from dlp.decode.sandbox import drop_capabilities
    from dlp.engine.notification_sender import OnlyOne, open_sender

    logging.basicConfig(stream=sys.stderr, level=logging.INFO, format="%(levelname)s %(message)s")
    settings = config.load(config_path)
    drop_capabilities()
    if channel is not None:
        try_out(settings, channel)
        return
    with OnlyOne(patience_seconds=0.0 if once else LOCK_SECONDS):
        sender = open_sender(settings)
        if once:
            while sender.turn():
                pass
            click.echo(f"{sender.waiting} waiting")
            sys.exit(1 if sender.waiting else 0)
        stopping = Stopping(attached=attached)
        while not stopping.now():
            stopping.pause(0.0 if sender.turn() else None)


class Stopping:
    """A signal, or the end of standard input, which is how a parent's death shows."""

    def __init__(self, *, attached: bool) -> None:
        self._attached = attached
        self._stop = False
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._signalled)
        if attached:
            signal.signal(signal.SIGHUP, signal.SIG_IGN)  # the parent reloads and starts another

    def _signalled(self, _number: int, _frame: FrameType | None) -> None:
        self._stop = True

    def now(self) -> bool:
        return self._stop

    def pause(self, seconds: float | None) -> None:
        from dlp.engine.notification_sender import LOOK_SECONDS

        seconds = LOOK_SECONDS if seconds is None else seconds
        if not self._attached:
            time.sleep(min(seconds, LOOK_SECONDS))
        elif select.select([STDIN], [], [], seconds)[0] and not os.read(STDIN, 64):
            self._stop = True


def try_out(settings: Settings, name: str) -> None:
    from dlp.engine.notification_sender import link_of, transport_of
    from dlp.errors import NotifyError
    from dlp.notice import Notice, Parcel

    found = [channel for channel in settings.notify.channel if channel.name == name]
    if not found:
        known = ", ".join(channel.name for channel in settings.notify.channel) or "none"
        raise NotifyError(f"no channel {name!r}", fix=f"the settings name: {known}")
    share = (found[0].shares or ("test",))[0]
    notice = Notice("0" * 32, "test", "0" * 16, share, "", time.time())
    transport_of(found[0], link_of(settings)).deliver(Parcel(notice.id, name, (notice,), 1))
    click.echo(f"{name}: delivered")
