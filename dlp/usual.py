"""The settings of whoever says none, without what reads and checks settings.

In: nothing.  Out: what `config.load(None)` gives, as far as a scan asks for it.

The library that checks settings takes two thirds of what a supervisor imports, and these were
checked when they were written down. They are tied to the very text that states the defaults.
"""

from __future__ import annotations

import os
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

from dlp.prepared import answer, line_of
from dlp.resources import PACKAGE

if TYPE_CHECKING:
    from dlp.config import Settings

FILE = "prepared.settings"
STATED_IN = ("config.py", "section.py", "telling.py")
SECTIONS = ("acquire", "decode", "triage", "detect", "measure", "engine", "keys", "store")


class UsualSection(SimpleNamespace):
    def plain(self) -> dict[str, Any]:
        """As JSON holds it."""
        return {
            key: list(one) if isinstance(one, tuple) else one for key, one in vars(self).items()
        }

    def __str__(self) -> str:
        """As a section is told: what verdicts rest on is known by this text."""
        return " ".join(f"{key}={one!r}" for key, one in vars(self).items())


class UsualSettings(SimpleNamespace):
    judging: str
    engine: UsualSection

    @property
    def jobs(self) -> int:
        return self.engine.jobs or len(os.sched_getaffinity(0))


def usual_settings() -> Settings | None:
    """None: the defaults are stated otherwise by now."""
    try:
        said = answer(key(), FILE)
    except OSError:
        return None
    if not isinstance(said, dict):
        return None
    sections = {name: UsualSection(**frozen(said[name])) for name in SECTIONS}
    return cast("Settings", UsualSettings(judging=said["judging"], **sections))


def frozen(section: dict[str, Any]) -> dict[str, Any]:
    return {key: tuple(one) if isinstance(one, list) else one for key, one in section.items()}


def key() -> bytes:
    return b"\n".join((PACKAGE / name).read_bytes() for name in STATED_IN)


def lines(settings: Settings) -> bytes:
    """The artefact, of settings that are the defaults."""
    told = {name: getattr(settings, name).plain() for name in SECTIONS}
    return line_of(key(), {**told, "judging": settings.judging})
