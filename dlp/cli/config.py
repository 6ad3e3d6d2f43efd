"""`dlp config`: check a settings file, or show every setting with its value.

In: a TOML file.  Out: one line per mistake, or the whole file with defaults filled in.
"""

from __future__ import annotations

import sys
from pathlib import Path

import click


@click.group()
def command() -> None:
    """Check or show the settings."""


@command.command()
@click.argument("path", type=click.Path(path_type=Path))
def check(path: Path) -> None:
    """Name every mistake in PATH at once, also those that only this machine shows.

    Exit code 0: good, or only remarks. 11: at least one mistake.
    """
    from dlp import config
    from dlp.engine.settings_check import problems
    from dlp.errors import ConfigError

    settings = config.load(path)
    found = problems(settings, path)
    for problem in found:
        click.echo(str(problem), err=True)
    if any(problem.fatal for problem in found):
        sys.exit(ConfigError.exit_code)
    shares = ", ".join(share.name for share in settings.share)
    click.echo(f"{path}: good ({settings.digest}); guards {shares}")


@command.command()
@click.option("--config", "path", type=click.Path(path_type=Path), help="Start from this file.")
def show(path: Path | None) -> None:
    """Print every setting, ready to be edited."""
    from dlp import config

    click.echo(config.to_toml(config.load(path)), nl=False)
