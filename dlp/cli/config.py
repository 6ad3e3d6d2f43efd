"""`dlp config`: check a settings file, or show every setting with its value.

In: a TOML file.  Out: one line per mistake, or the whole file with defaults filled in.
"""

from __future__ import annotations

from pathlib import Path

import click


@click.group()
def command() -> None:
    """Check or show the settings."""


@command.command()
@click.argument("path", type=click.Path(path_type=Path))
def check(path: Path) -> None:
    """Say every mistake in PATH at once."""
    from dlp import config

    settings = config.load(path)
    click.echo(f"{path}: good ({settings.digest})")


@command.command()
@click.option("--config", "path", type=click.Path(path_type=Path), help="Start from this file.")
def show(path: Path | None) -> None:
    """Print every setting, ready to be edited."""
    from dlp import config

    click.echo(config.to_toml(config.load(path)), nl=False)
