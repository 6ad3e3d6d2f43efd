"""`dlp quarantine`: see what was taken, give it back, or destroy it when its time has come.

In: the journal and the vault.  Out: lines or JSON; every change is in the ledger under your name.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from typing import Any

import click

CONFIG = click.option(
    "--config", type=click.Path(exists=True, path_type=Path), help="TOML settings."
)
WHY = click.option("--why", default="", help="Goes to the ledger.")
JSON = click.option("--json", "as_json", is_flag=True)


@click.group()
def command() -> None:
    """List, show, verify, restore, release or purge quarantined files."""


@command.command("list")
@CONFIG
@JSON
@click.option("--all", "everything", is_flag=True, help="Also what was restored or purged.")
def list_(config: Path | None, *, as_json: bool, everything: bool) -> None:
    """One line per case, oldest first."""
    from dlp.cli._operator_stores import opened, settings_of
    from dlp.intent import State
    from dlp.report.writers import printable
    from dlp.store.job_queue import Backlog

    gone = {State.VOID, State.PURGED, State.RESTORED}
    with opened(config) as keeping:
        stopped = keeping.journal.stopped()
        rows = [row_of(i) for i in keeping.journal.items() if everything or i.state not in gone]
        refusals = Backlog(keeping.engine, server=settings_of(config).store.server).refusals()
    for row in rows:
        click.echo(json.dumps(row) if as_json else line_of(row))
    for refusal in refusals:
        again = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(refusal.next_try))
        name = printable(os.fsdecode(refusal.path))
        click.echo(f"not taken: {name}: {refusal.reason}; next try {again}", err=True)
    if stopped:
        click.echo(f"acting is stopped: {stopped} (dlp quarantine resume)", err=True)


@command.command()
@click.argument("item")
@CONFIG
def show(item: str, config: Path | None) -> None:
    """Everything known about one case, and whether its copy is sound."""
    from dlp.cli._operator_stores import opened
    from dlp.intent import State

    with opened(config) as keeping:
        intent = keeping.journal.get(item)
        row = row_of(intent)
        if intent.state in {State.DONE, State.RESTORED, State.VAULTED}:
            row["sound"] = keeping.vault.verify(item) == intent.sha256
        row["history"] = [
            f"{r['at']} {r['who']}: {r['what']}" for r in keeping.ledger.records(item)
        ]
    click.echo(json.dumps(row, indent=1))


@command.command()
@click.argument("items", nargs=-1, required=True)
@CONFIG
@WHY
def restore(items: tuple[str, ...], config: Path | None, why: str) -> None:
    """Give files back; the vault keeps its copy until its time is up."""
    sys.exit(give_back(items, config, why, release_too=False))


@command.command()
@click.argument("items", nargs=-1, required=True)
@CONFIG
@WHY
def release(items: tuple[str, ...], config: Path | None, why: str) -> None:
    """Give files back and destroy the vault's copy."""
    sys.exit(give_back(items, config, why, release_too=True))


def give_back(items: tuple[str, ...], config: Path | None, why: str, *, release_too: bool) -> int:
    from dlp.cli._operator_stores import opened, settings_of
    from dlp.engine.policy_responder import actions_on
    from dlp.intent import State

    failed = 0
    with opened(config) as keeping:
        for item in items:
            intent = keeping.journal.get(item)
            with actions_on(intent.share, settings_of(config), keeping) as share:
                back = release_too and intent.state is State.RESTORED
                if not back:
                    outcome = share.restore.apply(item, why)
                    click.echo(f"{item}  {outcome.detail}")
                    back = outcome.done
                failed += not back
                if release_too and back:
                    gone = share.purge.apply(item, now=time.time(), released=True)
                    click.echo(
                        f"{item}  {'copy destroyed' if gone else 'on legal hold: copy kept'}"
                    )
    return 1 if failed else 0


@command.command()
@CONFIG
@click.option("--yes", is_flag=True, help="Really destroy; without it only what would go is shown.")
def purge(config: Path | None, *, yes: bool) -> None:
    """Destroy copies whose time is up; what is on legal hold stays."""
    from dlp.cli._operator_stores import opened
    from dlp.intent import State
    from dlp.respond.restore import Purge

    now = time.time()
    with opened(config) as keeping:
        kept = keeping.journal.items(states=(State.DONE, State.RESTORED))
        due = [i for i in kept if 0 < i.expires_at < now and not i.legal_hold]
        purging = Purge(keeping.journal, keeping.vault)
        for intent in due:
            gone = yes and purging.apply(intent.id, now=now)
            click.echo(f"{intent.id}  {'purged' if gone else 'due'}")
    if due and not yes:
        click.echo("nothing was destroyed: say --yes", err=True)


@command.command()
@click.argument("item")
@click.option("--reason", default="", help="Empty: lift the hold.")
@CONFIG
def hold(item: str, reason: str, config: Path | None) -> None:
    """Keep a case whatever its age, for as long as there is a reason."""
    from dlp.cli._operator_stores import opened

    with opened(config) as keeping:
        keeping.journal.set_hold(item, reason)
    click.echo(f"{item}  {'on hold' if reason else 'hold lifted'}")


@command.command()
@click.option("--why", required=True, help="Goes to the ledger.")
@CONFIG
def resume(why: str, config: Path | None) -> None:
    """Let the daemon act again after the breaker stopped it."""
    from dlp.cli._operator_stores import opened

    with opened(config) as keeping:
        keeping.journal.resume(why)
    click.echo("acting again after the daemon's next reload")


@command.command()
@CONFIG
@JSON
def verify(config: Path | None, *, as_json: bool) -> None:
    """Read every copy in the vault: its key, each byte of it, and what the journal says of it."""
    from dlp.cli._operator_stores import opened
    from dlp.engine.policy_responder import vault_faults

    with opened(config) as keeping:
        count, faults = len(keeping.vault.items()), []
        for item, what in vault_faults(keeping):
            faults.append({"item": item, "what": what})
            if not as_json:
                click.echo(f"{item}  {what}")
    if as_json:
        click.echo(json.dumps({"copies": count, "sound": not faults, "faults": faults}))
    else:
        click.echo(f"{count} copies: " + (f"{len(faults)} NOT SOUND" if faults else "all sound"))
    sys.exit(1 if faults else 0)


@command.command()
@CONFIG
def rotate(config: Path | None) -> None:
    """Wrap every item's key with the present vault key (quarantine.key)."""
    from dlp.cli._operator_stores import opened

    with opened(config) as keeping:
        changed = sum(keeping.vault.rewrap(item) for item in keeping.vault.items())
    click.echo(f"{changed} items rewrapped; quarantine.old_keys can go")


@command.command()
@CONFIG
def rebuild(config: Path | None) -> None:
    """After the database is lost: fill the journal from the vault."""
    from dlp.cli._operator_stores import opened, settings_of
    from dlp.engine.policy_responder import rebuild as fill

    days = settings_of(config).quarantine.retention_days
    with opened(config) as keeping:
        added = fill(keeping, expires_at=time.time() + days * 86_400)
    click.echo(f"{added} items added")


def row_of(intent: Any) -> dict[str, Any]:
    from dlp.report.writers import printable

    day = time.strftime("%Y-%m-%d", time.gmtime(intent.expires_at)) if intent.expires_at else ""
    return {
        "id": intent.id,
        "state": intent.state.value,
        "action": intent.action,
        "share": intent.share,
        "path": printable(intent.path.decode("utf-8", "surrogateescape")),
        "bytes": intent.size_bytes,
        "why": intent.why,
        "taken": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(intent.created_at)),
        "expires": day,
        "hold": intent.legal_hold,
        "trouble": intent.trouble,
    }


def line_of(row: dict[str, Any]) -> str:
    trouble = f"  [{row['trouble']}]" if row["trouble"] else ""
    return (
        f"{row['id']}  {row['state']:<9}  {row['why']:<14}  {row['share']}/{row['path']}{trouble}"
    )
