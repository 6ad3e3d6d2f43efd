"""The command line: one module per command, imported when it is asked for.

In: arguments.  Out: an exit code; errors of ours as one readable line, never a traceback.
"""

from __future__ import annotations

import difflib
import errno
import importlib
import os
import pkgutil
import re
import sys
import traceback
from typing import NoReturn

import click

import dlp
import dlp.cli
from dlp.errors import DlpError, StoreError

# Every core has a worker of its own. numpy's threads would start before the first fork and wait
# there for sums nobody has for them: a twentieth of a second at every start.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

DOCSTRING = re.compile(r'\ndef command\([^"]*?:\n    """(.+?)[.\n"]', re.DOTALL)
INTERRUPTED = 130  # as shells say it: 128 and SIGINT
CHECK = "check the path, its owner and its mode"
OWN_FILES = {
    errno.ENOENT: "make the folder first, or correct the path",
    errno.EISDIR: "name a file, not a folder",
    errno.ENOSPC: "free some space; nothing half-written was kept",
    errno.EROFS: "choose a place that can be written",
}


GROUPS = {
    "Find": ("scan", "explain", "rank", "exposure", "report", "evaluate", "demo"),
    "Guard": ("watch", "console", "quarantine", "policy", "notify", "ledger"),
    "Clean": ("sanitise", "verify", "mapping", "anonymise"),
    "Set up": ("init", "config", "doctor", "knowledge", "rules"),
}
EPILOG = """\b
Examples:
  dlp scan /srv/share --format jsonl -o found.jsonl
  dlp rank --by folder
  dlp sanitise letter.docx -o clean.docx --protect HIV
\b
Exit codes: 0 done, nothing found; 1 PHI found, or a check failed; 2 wrong
usage; 3 something was not read; 10 to 19 an error, with its code DLP-nnn;
130 interrupted.
"""


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

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without importing them: `dlp --help` answers at once."""
        names = self.list_commands(ctx)
        grouped = {name for group in GROUPS.values() for name in group}
        groups = GROUPS | {"Other": tuple(name for name in names if name not in grouped)}
        for title, group in groups.items():
            if rows := [(name, self._about(ctx, name)) for name in group if name in names]:
                with formatter.section(title):
                    formatter.write_dl(rows)

    def _about(self, ctx: click.Context, name: str) -> str:
        source = os.path.join(next(iter(dlp.cli.__path__)), f"{name}.py")
        with open(source, encoding="utf-8") as file:
            found = DOCSTRING.search(file.read())
        if found:
            return found.group(1)
        command = self.get_command(ctx, name)
        return command.get_short_help_str() if command else ""

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except DlpError as error:
            self._stop(error)
        except KeyboardInterrupt:
            sys.exit(INTERRUPTED)
        except BrokenPipeError:
            raise  # the reader of our output closed it; click handles that
        except OSError as error:
            # Only our own files get here: trouble with a file on a share is a gap.
            place = os.fsdecode(error.filename) if error.filename else ""
            what = error.strerror or type(error).__name__
            self._stop(
                StoreError(what.lower(), where=place, fix=OWN_FILES.get(error.errno or 0, CHECK))
            )

        except (click.ClickException, click.exceptions.Exit, click.Abort):
            raise
        except Exception as error:  # noqa: BLE001 - a bug: its text may hold a value
            self._bug(error)

    @staticmethod
    def _bug(error: Exception) -> NoReturn:
        """Where it happened and its kind; not its text, and never the exit code of a finding."""
        frames = [
            f"{frame.name} ({os.path.basename(frame.filename)}:{frame.lineno})"
            for frame in traceback.extract_tb(error.__traceback__)[-8:]
        ]
        click.echo(f"dlp: DLP-000 internal error: {type(error).__name__}", err=True)
        click.echo("  in " + "\n  in ".join(reversed(frames)), err=True)
        sys.exit(DlpError.exit_code)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            near = difflib.get_close_matches(args[0], self.list_commands(ctx), 1, 0.5)
            hint = f" Did you mean {near[0]}?" if near else ""
            raise click.UsageError(error.message + hint, ctx) from None

    @staticmethod
    def _stop(error: DlpError) -> NoReturn:
        click.echo(f"dlp: {error}", err=True)
        sys.exit(error.exit_code)


@click.group(
    cls=Commands, epilog=EPILOG, context_settings={"help_option_names": ["-h", "--help"]}
)
@click.version_option(dlp.__version__, prog_name="dlp")
def main() -> None:
    """Find, score and safely remove personal health information on file shares."""
