"""`dlp init`: write a checked settings file from five answers.

In: answers, as options or at the terminal.  Out: a TOML file, its keys beside it, each private.
"""

from __future__ import annotations

import os
import secrets
import shutil
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import click

ACTIONS = ("observe", "quarantine", "sanitise")
SERVICE = "dlp"  # the group of the package's service, which reads the settings
KEYS = ("fingerprint", "vault", "ledger")


@click.command()
@click.option("--share", "shares", multiple=True, metavar="PATH", help="A folder to guard.")
@click.option("--action", type=click.Choice(ACTIONS), help="What happens to a file with PHI.")
@click.option("--contact", help="Named in the note where a file was taken.")
@click.option("--state", help="The folder for verdicts, queue and vault.")
@click.option("--console/--no-console", default=None, help="Serve the web console too.")
@click.option("--output", "-o", type=click.Path(path_type=Path), help="The file to write.")
@click.option("--yes", is_flag=True, help="Ask nothing: defaults for what is not given.")
@click.option("--force", is_flag=True, help="Replace a file that is there.")
def command(*, output: Path | None, yes: bool, force: bool, **given: Any) -> None:
    """Write a settings file from five answers, and check it.

    Example: dlp init --share /srv/ward --action observe --yes
    """
    from dlp import config
    from dlp.engine.settings_check import problems
    from dlp.errors import ConfigError

    output = (output or default_place()).absolute()
    if output.exists() and not force:
        raise click.UsageError(f"{output} is there already; --force replaces it, -o writes another")
    answers = asked(given, output, ask=not yes)
    text = text_of(answers)
    write(output, text)
    make_keys(output.parent)
    settings = config.load(output)
    found = problems(settings, output)
    for problem in found:
        click.echo(str(problem), err=True)
    click.echo(f"wrote {output}; next: dlp watch --config {output}")
    if any(problem.fatal for problem in found):
        sys.exit(ConfigError.exit_code)


def default_place() -> Path:
    return Path("/etc/dlp/dlp.toml") if os.geteuid() == 0 else Path("dlp.toml")


def asked(given: dict[str, Any], output: Path, *, ask: bool) -> dict[str, Any]:
    """The five answers; what was given as an option is not asked for."""
    from dlp.keys import SYSTEM_SETTINGS

    service = output.parent == SYSTEM_SETTINGS
    state = "/var/lib/dlp" if service else str(output.parent / "dlp-state")
    questions: dict[str, tuple[str, Any, Any]] = {
        "shares": ("Folders to guard (several: separate by a comma)", None, None),
        "action": ("What happens to files with PHI", "observe", click.Choice(ACTIONS)),
        "contact": ("Contact for people whose file was taken", "", None),
        "state": ("Folder for verdicts, queue and vault", state, None),
        "console": ("Serve the web console on this machine", False, bool),
    }
    answers = dict(given)
    if not ask and not given["shares"]:
        raise click.UsageError("name a folder to guard: --share PATH")
    for name, (words, default, kind) in questions.items():
        if answers[name] in (None, ()):
            answers[name] = click.prompt(words, default=default, type=kind) if ask else default
    if isinstance(answers["shares"], str):
        answers["shares"] = [one.strip() for one in answers["shares"].split(",") if one.strip()]
    return answers


def text_of(answers: dict[str, Any]) -> str:
    """Only what differs from the defaults: `dlp config show` has the rest."""
    from dlp.cli.watch import settings_for
    from dlp.config import as_toml

    lines = ["# Written by `dlp init`; `dlp config show` lists every setting with its default."]
    lines += ["[store]", f"state = {as_toml(os.path.abspath(answers['state']))}", ""]
    lines += ["[policy]", f"phi = {as_toml(answers['action'])}", ""]
    if answers["contact"]:
        lines += ["[quarantine]", f"contact = {as_toml(answers['contact'])}", ""]
    if answers["console"]:
        lines += ["[console]", "beside = true", ""]
    folders = tuple(Path(one).expanduser() for one in answers["shares"])
    for share in settings_for(None, folders).share:
        lines += ["[[share]]", f"name = {as_toml(share.name)}", f"path = {as_toml(share.path)}", ""]
    return "\n".join(lines[:-1]) + "\n"


def write(output: Path, text: str) -> None:
    """For its owner, and in the package's place for the service's group."""
    from dlp.private_files import write_whole

    output.parent.mkdir(parents=True, exist_ok=True)
    write_whole(output, text.encode())
    if os.geteuid() == 0:
        with suppress(LookupError):
            shutil.chown(output, group=SERVICE)
            output.chmod(0o640)


def make_keys(folder: Path) -> None:
    """Beside the settings and apart from the data; keys that are there stay."""
    for name in KEYS:
        with suppress(FileExistsError):
            mode = os.O_WRONLY | os.O_CREAT | os.O_EXCL
            with os.fdopen(os.open(folder / f"{name}.key", mode, 0o600), "wb") as out:
                out.write(secrets.token_bytes(32))
