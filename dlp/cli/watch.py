"""`dlp watch`: the daemon in the foreground; systemd runs this.

In: a configuration, or folders.  Out: verdicts in the catalogue, until a signal says stop.
"""

from __future__ import annotations

import logging
import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from dlp.config import Settings

FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)


@click.command()
@click.argument("folders", nargs=-1, type=FOLDER)
@click.option("--config", "config_path", type=click.Path(path_type=Path), help="The TOML file.")
@click.option("--once", is_flag=True, help="One sweep of every share, then stop.")
def command(folders: tuple[Path, ...], config_path: Path | None, *, once: bool) -> None:
    """Watch the shares of the configuration, and FOLDERS besides; observe only by default."""
    from dlp.daemon import Daemon

    # Journald keeps the time; a line never carries a path or a value.
    logging.getLogger("pikepdf").setLevel(logging.WARNING)
    logging.basicConfig(stream=sys.stderr, level=logging.INFO, format="%(levelname)s %(message)s")

    def read() -> Settings:
        settings = settings_for(config_path, folders)
        if settings.console.beside:
            check_console(settings)
        return settings

    Daemon(read(), reread=read, beside=company(config_path)).run(once=once)


def company(config_path: Path | None) -> dict[str, list[str]]:
    """Ourselves again, for what runs beside the daemon and ends with it."""
    from dlp.resources import ourselves

    config = ["--config", str(config_path)] if config_path else []
    commands = {"sender": "notify", "console": "console"}
    return {name: [*ourselves(), word, "--attached", *config] for name, word in commands.items()}


def check_console(settings: Settings) -> None:
    """What the console would refuse is refused here, before anything runs."""
    from dlp.cli.console import need_extra
    from dlp.console.endpoint import Endpoint

    need_extra()
    Endpoint.of(settings.console).check()


def settings_for(config_path: Path | None, folders: tuple[Path, ...]) -> Settings:
    from dlp import config

    settings = config.load(config_path)
    shares = list(settings.share)
    taken = {share.name for share in shares}
    for folder in folders:
        path = os.path.abspath(folder)
        name = stem = (
            re.sub(r"[^a-z0-9]+", "-", os.path.basename(path).lower()).strip("-") or "share"
        )
        number = 2
        while name in taken:
            name, number = f"{stem}-{number}", number + 1
        taken.add(name)
        shares.append(config.Share(name=name, path=path))
    return settings.model_copy(update={"share": tuple(shares)})
