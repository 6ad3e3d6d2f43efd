"""`dlp demo`: scan a small invented share, so that a newcomer sees the product at work.

In: nothing.  Out: the ranked table and what each column means.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path
from typing import Any

import click


@click.command()
@click.option("--keep", type=click.Path(path_type=Path), help="Leave the demo share here.")
def command(keep: Path | None) -> None:
    """Scan a bundled share of invented files."""
    from dlp import demo_share
    from dlp.cli.scan import run
    from dlp.report.writers import Table

    with tempfile.TemporaryDirectory(prefix="dlp-demo-") as scratch:
        share = keep or Path(scratch) / "share"
        count = demo_share.build(share)
        click.echo(f"{count} invented files of a careless team, judged worst first:\n")
        os.chdir(share)
        folders = tuple(sorted(os.fsencode(entry.name) for entry in Path().iterdir()))
        options: dict[str, Any] = dict.fromkeys(
            ("config", "jobs", "profile", "full", "values", "no_progress", "catalogue")
        )
        options["no_catalogue"] = True
        run(folders, Table(sys.stdout), options)
    click.echo(
        "\nprivacy = how surely the file points at one person × how sensitive what it says is."
        "\nNext: dlp scan PATH, dlp explain FILE, dlp --help"
    )
