"""Open what the operator's commands work on.

In: a settings file, or nothing.  Out: the stores, opened as this user and closed again.
"""

from __future__ import annotations

import getpass
import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import click

from dlp import keys
from dlp.config import Settings, load
from dlp.engine.policy_responder import Keeping, open_keeping
from dlp.keys import state_folder
from dlp.private_files import check_settings, give_to_owner
from dlp.store.ledger import witness_files


def settings_of(config: Path | None) -> Settings:
    """Those of the file given, else the service's where this user may work on its state."""
    config = config or service_settings()
    if config is not None:
        check_settings(config)
    return load(config)


@cache
def service_settings() -> Path | None:
    """The package's settings; a user who cannot reach the service's state has one of their own."""
    path = keys.SYSTEM_SETTINGS / "dlp.toml"
    reachable = os.access(path, os.R_OK) and os.access(keys.SYSTEM_STATE, os.W_OK | os.X_OK)
    if not reachable or os.environ.get("STATE_DIRECTORY"):
        return None
    click.echo(f"using {path}; another state: --config or --catalogue", err=True)
    return path


@contextmanager
def opened(config: Path | None) -> Iterator[Keeping]:
    settings = settings_of(config)
    keeping = open_keeping(settings, who=f"operator {getpass.getuser()}")
    try:
        yield keeping
    finally:
        keeping.close()
        vault = Path(settings.quarantine.vault or state_folder() / "vault")
        give_to_owner(state_folder(), vault, *witness_files(settings))
