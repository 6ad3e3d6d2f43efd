"""The command line: one module per command, imported when it is asked for.

In: arguments.  Out: an exit code; errors of ours as one readable line, never a traceback.
"""

from __future__ import annotations

import importlib
import pkgutil
import sys

import click

import dlp
import dlp.cli
from dlp.errors import DlpError


class Commands(click.Group):
    """Every other module in this folder is a command: its name, and its `command` object."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        found = (module.name for module in pkgutil.iter_modules(dlp.cli.__path__))
        return sorted(name for name in found if name != "main" and not name.startswith("_"))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.list_commands(ctx):
            return None
        command = importlib.import_module(f"dlp.cli.{cmd_name}").command
        assert isinstance(command, click.Command)
        return command

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except DlpError as error:
            click.echo(f"dlp: {error}", err=True)
            sys.exit(error.exit_code)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(dlp.__version__, prog_name="dlp")
def main() -> None:
    """Find, score and safely remove personal health information on file shares."""
