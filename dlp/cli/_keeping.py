"""Open what the operator's commands work on.

In: a settings file, or nothing.  Out: the stores, opened as this user and closed again.
"""

from __future__ import annotations

import getpass
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from dlp.config import Settings, load
from dlp.engine.responder import Keeping, open_keeping
from dlp.keys import state_folder
from dlp.modes import check_settings, give_to_owner
from dlp.store.ledger import witness_files


def settings_of(config: Path | None) -> Settings:
    if config is not None:
        check_settings(config)
    return load(config)


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
