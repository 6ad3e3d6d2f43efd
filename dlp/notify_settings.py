"""Whom the daemon tells, and how: the sections of the settings about notifications.

In: TOML.  Out: Notify with its channels; a channel that cannot work is refused at the start.
"""

from __future__ import annotations

from ipaddress import ip_address
from typing import Literal, Self
from urllib.parse import urlsplit

from pydantic import Field, model_validator

from dlp.section import Section

Level = Literal["none", "low", "medium", "high", "critical"]
NEEDED = {"webhook": ("url",), "email": ("relay", "sender", "to"), "hook": ("command",)}


class Channel(Section):
    """One way to tell somebody; ids and links leave, never a name or a value."""

    name: str = Field(pattern=r"^[a-z0-9][a-z0-9_-]*$")  # stands in logs and in the queue
    kind: Literal["webhook", "email", "hook"]  # signed HTTP, a mail relay, a program of yours
    shares: tuple[str, ...] = ()  # only these; empty: every share
    events: tuple[str, ...] = ()  # found, quarantined, replaced, blocked, stopped ...; empty: all
    least: Level = "none"  # for events that carry a level: nothing below this one
    seconds: float = Field(10.0, gt=0, le=300)  # one attempt takes no longer
    url: str = ""  # webhook: https, or http on this machine
    key: str = ""  # webhook: 32 random bytes, mode 0600; default: the credential NAME-key
    authority: str = ""  # webhook and email: a file with the certificates to trust
    relay: str = ""  # email: host:port
    tls: Literal["starttls", "tls", "none"] = "starttls"  # email: how the relay is spoken to
    user: str = ""  # email: signs in where it is set
    password: str = ""  # email: a file, mode 0600
    sender: str = ""  # email: the address it comes from
    to: tuple[str, ...] = ()  # email: who reads it
    gather_seconds: float = Field(60.0, ge=0)  # email: one message for what happens in this time
    command: tuple[str, ...] = ()  # hook: the program and its arguments; the event is on its stdin

    @model_validator(mode="after")
    def complete(self) -> Self:
        missing = [name for name in NEEDED[self.kind] if not getattr(self, name)]
        if missing:
            raise ValueError(f"a channel of kind {self.kind} needs {', '.join(missing)}")
        if self.kind == "webhook":
            _check_address(self.url)
        if self.kind == "hook" and not self.command[0].startswith("/"):
            raise ValueError("a hook is named by its full path")
        lines = (*self.to, self.sender, self.relay, self.url)
        if any(mark in line for line in lines for mark in "\r\n"):
            raise ValueError("an address is one line")
        return self


class Notify(Section):
    """Who hears of what is found and done; nobody unless a channel is named."""

    apart: bool = False  # true: the service `dlp notify` sends; false: a child of `dlp watch` does
    link: str = ""  # "https://dlp.example.org/cases/{item}": where a person looks it up
    most_waiting: int = Field(100_000, ge=100)  # a channel; beyond, events are counted, not kept
    channel: tuple[Channel, ...] = ()  # [[notify.channel]]: one table each

    @model_validator(mode="after")
    def told_apart(self) -> Self:
        names = [channel.name for channel in self.channel]
        if len(set(names)) < len(names):
            raise ValueError("two channels have the same name")
        return self


def _check_address(url: str) -> None:
    address = urlsplit(url)
    if address.scheme == "https" and address.hostname:
        return
    if address.scheme == "http" and address.hostname and is_here(address.hostname):
        return
    raise ValueError("a webhook needs https, or http to this very machine")


def is_here(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
