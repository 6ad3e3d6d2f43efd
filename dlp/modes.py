"""Refuse to work with secrets that others can read or settings that others can write.

In: paths of the settings, the database, the vault.  Out: nothing, or one clear line.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

from dlp.errors import ConfigError

OTHERS = 0o077
OTHERS_WRITE = 0o022


def check_private(path: Path, what: str) -> None:
    """Only the owner may touch it, and the owner is whoever runs us."""
    _check(path, what, OTHERS, "others can reach", "700" if path.is_dir() else "600")


def check_settings(path: Path) -> None:
    """A group may read the settings, but only the owner may write them."""
    _check(path, "settings", OTHERS_WRITE, "others can write", "640")


def _check(path: Path, what: str, forbidden: int, problem: str, mode: str) -> None:
    try:
        seen = path.stat()
    except FileNotFoundError:
        return  # made later, with the right mode
    if seen.st_uid not in {0, os.geteuid()}:
        raise ConfigError(
            f"the {what} belong{'s' if what != 'settings' else ''} to another user",
            where=str(path),
            fix=f"chown {os.geteuid()} {path}",
        )
    if stat.S_IMODE(seen.st_mode) & forbidden:
        raise ConfigError(f"{problem} the {what}", where=str(path), fix=f"chmod {mode} {path}")
