"""`dlp ledger`: show what was done, and prove that the record is whole.

In: the ledger and its anchor.  Out: records, or every place that was tampered with; exit 1 then.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

CONFIG = click.option(
    "--config", type=click.Path(exists=True, path_type=Path), help="TOML settings."
)


@click.group()
def command() -> None:
    """Check or show the record of what was done."""


@command.command()
@CONFIG
@click.option("--json", "as_json", is_flag=True)
def verify(config: Path | None, *, as_json: bool) -> None:
    """Read every record against its chain and its anchor."""
    from dlp.cli._operator_stores import opened

    with opened(config) as keeping:
        records = len(keeping.ledger.records())
        faults = keeping.ledger.verify()
    if as_json:
        rows = [{"record": fault.number, "what": fault.what} for fault in faults]
        click.echo(json.dumps({"records": records, "whole": not faults, "faults": rows}))
    else:
        for fault in faults:
            click.echo(f"record {fault.number}: {fault.what}" if fault.number else fault.what)
        whole = "whole" if records else "nothing has been recorded yet"
        click.echo(f"{records} records: " + ("NOT WHOLE" if faults else whole))
    sys.exit(1 if faults else 0)


@command.command()
@CONFIG
@click.option("--item", default="", help="Only this case.")
def show(config: Path | None, item: str) -> None:
    """One line per record."""
    from dlp.cli._operator_stores import opened

    with opened(config) as keeping:
        for record in keeping.ledger.records(item):
            click.echo("{number}  {at}  {who}  {what}  {item}  {why}".format(**record))


@command.command("continue")
@CONFIG
@click.option("--why", required=True, help="What happened to the records, for the record.")
def go_on(config: Path | None, why: str) -> None:
    """Go on after a loss that you have looked into, such as a restored backup.

    The ledger then says which records were lost, who said so and why.
    """
    from dlp.cli._operator_stores import opened
    from dlp.store.database import writing

    with opened(config) as keeping:
        with writing(keeping.engine) as connection:
            keeping.ledger.proceed(connection, who=keeping.who, why=why)
        keeping.ledger.anchor()
        click.echo(keeping.ledger.records()[-1]["why"])
