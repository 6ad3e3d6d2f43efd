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
from dlp.modes import check_settings


def settings_of(config: Path | None) -> Settings:
    if config is not None:
        check_settings(config)
    return load(config)


@contextmanager
def opened(config: Path | None) -> Iterator[Keeping]:
    keeping = open_keeping(settings_of(config), who=f"operator {getpass.getuser()}")
    try:
        yield keeping
    finally:
        keeping.close()
