"""What settings mean on this machine: mistakes that a valid file can still hold.

In: Settings and the file they were read from.  Out: one Problem per mistake, with its remedy.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from sqlalchemy.exc import SQLAlchemyError

from dlp.config import Settings
from dlp.errors import ConfigError
from dlp.judge.policy import MOVES, wishes
from dlp.keys import APART, keys_beside_data, read_key, state_folder
from dlp.notice import EVENTS
from dlp.private_files import check_settings
from dlp.store.database import engine_of, trouble


@dataclass(frozen=True, slots=True)
class Problem:
    key: str
    what: str
    fix: str
    fatal: bool = True  # False: it works, and is worth a look

    def __str__(self) -> str:
        kind = "wrong" if self.fatal else "look at"
        return f"{kind}: {self.key}: {self.what}\n  → {self.fix}"


def problems(settings: Settings, path: Path) -> list[Problem]:
    checks = (shares, places, key_files, policies, channels, database)
    found = [problem for check in checks for problem in check(settings)]
    try:
        check_settings(path)
    except ConfigError as error:
        found.append(Problem("the file", error.what, error.fix))
    return sorted(found, key=lambda problem: not problem.fatal)


def shares(settings: Settings) -> Iterator[Problem]:
    if not settings.share:
        yield Problem("share", "no folder is guarded", "`dlp init`, or add a [[share]] table")
    yield from same_names(settings)
    for share in settings.share:
        if not os.path.isdir(share.path):
            what = "is no folder" if os.path.exists(share.path) else "does not exist"
            key = f"share {share.name}"
            yield Problem(key, f"{share.path} {what}", "mount it, or correct its path")
    for one, other in combinations(settings.share, 2):
        tops = os.path.realpath(one.path), os.path.realpath(other.path)
        names = f"share {one.name}, {other.name}"
        if tops[0] == tops[1]:
            yield Problem(names, f"both guard {one.path}", "keep one of them")
        elif beneath(*tops) or beneath(*tops[::-1]):
            yield Problem(names, "one lies inside the other", "keep the outer one")


def same_names(settings: Settings) -> Iterator[Problem]:
    names = [share.name for share in settings.share]
    for name in sorted({name for name in names if names.count(name) > 1}):
        yield Problem(f"share {name}", "two shares have this name", "give each its own name")


def places(settings: Settings) -> Iterator[Problem]:
    """Our own files inside a share would be read by its users."""
    state = state_folder()
    own = {
        "store.state": str(state),
        "quarantine.vault": settings.quarantine.vault or str(state / "vault"),
        "store.database": "" if "://" in settings.store.database else settings.store.database,
        "ledger.anchor": settings.ledger.anchor,
    }
    for key, place in own.items():
        for share in settings.share:
            top = os.path.realpath(share.path)
            if place and beneath(os.path.realpath(place), top):
                yield Problem(key, f"{place} lies inside share {share.name}", "move it elsewhere")


def key_files(settings: Settings) -> Iterator[Problem]:
    named = {
        "keys.fingerprint": settings.keys.fingerprint,
        "quarantine.key": settings.quarantine.key,
        "ledger.key": settings.ledger.key,
    }
    named |= {f"quarantine.old_keys {n}": key for n, key in enumerate(settings.quarantine.old_keys)}
    named |= {f"channel {c.name}: key": c.key for c in settings.notify.channel}
    for key, place in named.items():
        if place:
            try:
                read_key(Path(place), key)
            except ConfigError as error:
                yield Problem(key, f"{error.what} ({place})", error.fix)


def policies(settings: Settings) -> Iterator[Problem]:
    used = [(f"share {s.name}: policy", s.policy) for s in settings.share if s.policy]
    asked = {
        key: wishes(policy)
        for key, policy in (("policy", settings.policy), *used)
        if key != "policy" or len(used) < len(settings.share)
    }
    for key, actions in asked.items():
        if "notify" in actions and not settings.notify.channel:
            yield Problem(key, "notify reaches nobody", "add a [[notify.channel]]", fatal=False)
    moving = [key for key, actions in asked.items() if actions & MOVES]
    if moving and (beside := keys_beside_data(settings)):
        fatal = settings.keys.apart == "require"
        if settings.keys.apart != "ignore":
            what = f"files are moved, and the key of {', '.join(beside)} lies beside the data"
            yield Problem(moving[0], what, APART, fatal=fatal)


def channels(settings: Settings) -> Iterator[Problem]:
    names = {share.name for share in settings.share}
    for channel in settings.notify.channel:
        key = f"channel {channel.name}"
        for share in sorted(set(channel.shares) - names):
            yield Problem(key, f"there is no share {share}", f"choose from {', '.join(names)}")
        for event in sorted(set(channel.events) - set(EVENTS)):
            yield Problem(key, f"there is no event {event}", f"choose from {', '.join(EVENTS)}")
        for address in channel.to:
            if not all(part for part in address.partition("@")):
                yield Problem(key, f"{address} is no mail address", "write name@host")
        if channel.kind == "hook" and not os.access(channel.command[0], os.X_OK):
            yield Problem(key, f"{channel.command[0]} cannot be run", "check path and mode")


def database(settings: Settings) -> Iterator[Problem]:
    """A database server that does not answer."""
    if "://" not in settings.store.database:
        return
    engine = engine_of(settings.store.database)
    try:
        engine.connect().close()
    except SQLAlchemyError as error:
        refusal = trouble(engine, error)
        yield Problem("store.database", f"{refusal.what} ({refusal.where})", refusal.fix)
    finally:
        engine.dispose()


def beneath(path: str, top: str) -> bool:
    return (path + "/").startswith(top.rstrip("/") + "/")
