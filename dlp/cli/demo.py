"""`dlp demo`: scan a small invented share, so that a newcomer sees the product at work.

In: nothing.  Out: the ranked table, a report as a page, and the console one key away.
"""

from __future__ import annotations

import importlib.util
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

import click


@click.command()
@click.option("--keep", type=click.Path(path_type=Path), help="Leave the demo share here.")
@click.pass_context
def command(ctx: click.Context, /, keep: Path | None) -> None:
    """Scan a bundled share of invented files."""
    from dlp import demo_share
    from dlp.cli.scan import run
    from dlp.report.writers import Table

    # The report stays for you to open; the share goes unless you keep it.
    home = Path(tempfile.mkdtemp(prefix="dlp-demo-"))
    with tempfile.TemporaryDirectory(prefix="dlp-demo-") as scratch:
        share = keep or Path(scratch) / "share"
        count = demo_share.build(share)
        click.echo(f"{count} invented files of a careless team, judged worst first:\n")
        before = Path.cwd()
        os.chdir(share)
        folders = tuple(sorted(os.fsencode(entry.name) for entry in Path().iterdir()))
        options: dict[str, Any] = dict.fromkeys(
            ("config", "jobs", "profile", "full", "values", "no_progress", "no_catalogue")
        )
        options["catalogue"] = str(Path(scratch) / "state" / "catalogue.db")
        run(folders, Table(sys.stdout), options)
        os.chdir(before)
        page = report(home.absolute() / "risk.html", options["catalogue"])
    click.echo(
        "\nprivacy = how surely the file points at one person × how sensitive what it says is."
        f"\nThe same as a page: {page}"
        "\nNext: dlp scan PATH, dlp explain FILE, dlp --help"
    )
    offer_console(ctx)


def report(page: Path, catalogue: str) -> Path:
    from dlp.cli import _report_sources

    with _report_sources.opened(catalogue, None) as source:
        _report_sources.write_text(page, source.page(10))
    return page


def offer_console(ctx: click.Context) -> None:
    """One key away for a person at a terminal; a line to copy for everybody else."""
    from dlp.cli.console import NEEDED, command

    if any(importlib.util.find_spec(name) is None for name in NEEDED):
        click.echo("In the browser: pip install 'phi-share-dlp[console]', then dlp console --demo")
        return
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        click.echo("In the browser: dlp console --demo")
        return
    click.echo("In the browser with demo data: press c; any other key ends.")
    if click.getchar().lower() == "c":
        ctx.invoke(command, config=None, address="127.0.0.1", port=0, names=(), certificate=None,
                   key=None, behind_proxy=False, demo=True)  # fmt: skip
