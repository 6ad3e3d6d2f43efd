"""`dlp console`: rankings, review and evidence in the browser, on this machine by default.

In: settings, an address.  Out: a server in the foreground; users are kept by `dlp console user`.
"""

from __future__ import annotations

import importlib.util
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from dlp.console.endpoint import Endpoint

NEEDED = ("starlette", "uvicorn", "jinja2")
CONFIG = click.option(
    "--config", type=click.Path(exists=True, path_type=Path), help="TOML settings."
)
OWN_CONFIG = click.option(  # behind the last word too, as with every other command
    "--config", type=click.Path(exists=True, path_type=Path), expose_value=False,
    callback=lambda ctx, _, given: setattr(ctx, "obj", given or ctx.obj), help="TOML settings.",
)  # fmt: skip
FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
ROLE = click.option("--role", type=click.Choice(["viewer", "reviewer", "officer", "admin"]))


@click.group(invoke_without_command=True)
@CONFIG
@click.option("--address", help="Where to listen; else as the settings say: 127.0.0.1.")
@click.option("--port", type=click.IntRange(0, 65535), help="Else as the settings say: 8464.")
@click.option("--name", "names", multiple=True, help="A host name people use; may be repeated.")
@click.option("--certificate", type=FILE, help="PEM; needed beyond this machine.")
@click.option("--key", type=FILE, help="The certificate's key.")
@click.option("--behind-proxy", is_flag=True, help="A proxy on this machine adds TLS.")
@click.option("--demo", is_flag=True, help="Show an invented share instead of yours.")
@click.option("--attached", is_flag=True, help="Stop when standard input ends.")
@click.pass_context
def command(
    ctx: click.Context, /, config: Path | None, *, demo: bool, attached: bool, **given: object
) -> None:
    """Serve the console until Ctrl-C."""
    need_extra()
    if ctx.invoked_subcommand is not None:
        ctx.obj = config
        return
    from dlp.cli._operator_stores import settings_of
    from dlp.console.endpoint import Endpoint

    settings = settings_of(config)
    endpoint = Endpoint.of(settings.console, given)
    endpoint.check()
    if demo:
        serve_demo(endpoint)
        return
    from dlp.console.serve import run
    from dlp.console.services import open_services

    services = open_services(settings, tls=endpoint.tls)
    if not services.users.all():
        click.echo("nobody can sign in yet: dlp console user add NAME --role admin", err=True)
    said = "" if attached else "  (Ctrl-C stops it)"
    run(
        services,
        endpoint,
        lambda address: click.echo(f"console: {address}{said}"),
        attached=attached,
    )


def need_extra() -> None:
    missing = [name for name in NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        click.echo(
            "dlp: the console needs its extra: pip install 'phi-share-dlp[console]'", err=True
        )
        sys.exit(2)


def serve_demo(endpoint: Endpoint) -> None:
    from dlp.console import demo
    from dlp.console.serve import run
    from dlp.console.services import open_services

    with tempfile.TemporaryDirectory(prefix="dlp-console-") as base:
        click.echo("judging an invented share …")
        settings, passwords = demo.build(Path(base))
        services = open_services(settings, tls=endpoint.tls, demo=True)

        def ready(address: str) -> None:
            click.echo(f"\nconsole: {address}  (Ctrl-C stops it and forgets everything)")
            for name, password in passwords.items():
                click.echo(f"  {demo.USERS[name]:<9} {name}  {password}")

        run(services, endpoint, ready)


@command.group()
def user() -> None:
    """Who may sign in."""


@user.command()
@click.argument("name")
@OWN_CONFIG
@ROLE
@click.option("--password-stdin", is_flag=True, help="Read the password from standard input.")
@click.pass_obj
def add(config: Path | None, name: str, role: str | None, *, password_stdin: bool) -> None:
    """Let NAME sign in."""
    from dlp.cli._operator_stores import opened
    from dlp.store.users import Users

    password = ask_password(from_stdin=password_stdin)
    with opened(config) as keeping:
        Users(keeping.engine).add(name, role or "viewer", password)
        keeping.note(f"user {name} added as {role or 'viewer'}")
    click.echo(f"{name}  {role or 'viewer'}")


@user.command("set")
@click.argument("name")
@OWN_CONFIG
@ROLE
@click.option("--password", "new_password", is_flag=True, help="Ask for a new password.")
@click.option("--password-stdin", is_flag=True, help="Read it from standard input.")
@click.option("--disable/--enable", "disabled", default=None)
@click.pass_obj
def set_(
    config: Path | None,
    name: str,
    role: str | None,
    *,
    new_password: bool,
    password_stdin: bool,
    disabled: bool | None,
) -> None:
    """Change a user; their sessions end."""
    from dlp.cli._operator_stores import opened
    from dlp.store.users import Users

    wanted = new_password or password_stdin
    password = ask_password(from_stdin=password_stdin) if wanted else ""
    with opened(config) as keeping:
        state = -1 if disabled is None else int(disabled)
        Users(keeping.engine).change(name, role=role or "", password=password, disabled=state)
        keeping.note(f"user {name} changed")
    click.echo(f"{name}  changed")


@user.command()
@click.argument("name")
@OWN_CONFIG
@click.pass_obj
def remove(config: Path | None, name: str) -> None:
    """Let NAME sign in no more."""
    from dlp.cli._operator_stores import opened
    from dlp.store.users import Users

    with opened(config) as keeping:
        Users(keeping.engine).remove(name)
        keeping.note(f"user {name} removed")
    click.echo(f"{name}  removed")


@user.command("list")
@OWN_CONFIG
@click.pass_obj
def list_(config: Path | None) -> None:
    """One line per user."""
    from dlp.cli._operator_stores import opened
    from dlp.store.users import Users

    with opened(config) as keeping:
        for one in Users(keeping.engine).all():
            click.echo(f"{one.name}  {one.role}{'  disabled' if one.disabled else ''}")


def ask_password(*, from_stdin: bool) -> str:
    if from_stdin:
        return sys.stdin.readline().rstrip("\n")
    entered: str = click.prompt("password", hide_input=True, confirmation_prompt=True, err=True)
    return entered
