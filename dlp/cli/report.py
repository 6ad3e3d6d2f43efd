"""`dlp report`: what the catalogue and the ledger know, for officers, auditors and other programs.

In: the catalogue.  Out: a page, rows, events, a weekly summary, or an evidence pack.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

FORMATS = ("html", "csv", "jsonl", "sarif", "ocsf", "cef", "syslog")


@click.command()
@click.option("--output", "-o", type=click.Path(path_type=Path), help="Write here, mode 0600.")
@click.option("--format", "format_", type=click.Choice(FORMATS), help="Default: by the name, html.")
@click.option("--weekly", is_flag=True, help="A summary in plain words instead.")
@click.option("--evidence", type=click.Path(path_type=Path), help="A folder to fill for an audit.")
@click.option("--breach", is_flag=True, help="The worksheet of a breach, as html or csv.")
@click.option("--under", type=click.Path(path_type=Path), help="With --breach: only this folder.")
@click.option("--discovered", type=click.DateTime(), help="With --breach: when, UTC; default: now.")
@click.option("--days", type=click.IntRange(min=1), help="The period; 7, for evidence 365.")
@click.option("--top", type=click.IntRange(min=1, max=500), default=10, show_default=True)
@click.option("--catalogue", help="A catalogue file or database; default: the user's own.")
@click.option("--config", type=click.Path(exists=True, path_type=Path), help="TOML settings.")
def command(
    output: Path | None, format_: str | None, *, weekly: bool, evidence: Path | None, breach: bool,
    **options: Any,
) -> None:  # fmt: skip
    """Report on everything scanned so far: worst first, people only as pseudonyms."""
    from dlp.cli import _report_sources

    if (weekly and (evidence or format_)) or (evidence and (output or format_)):
        raise click.UsageError("choose one: --format, --weekly or --evidence")
    if breach and (weekly or evidence or format_ not in {None, "html", "csv"}):
        raise click.UsageError("--breach is a page or csv of its own")
    if (options["under"] or options["discovered"]) and not breach:
        raise click.UsageError("--under and --discovered belong to --breach")
    with _report_sources.opened(options["catalogue"], options["config"]) as source:
        if evidence:
            written = _report_sources.write_pack(evidence, source, options["days"] or 365)
            click.echo(f"{written} files in {evidence}; check them: sha256sum -c SHA256SUMS")
        elif breach:
            name = format_ or _report_sources.format_by_name(output, "csv")
            _report_sources.write_breach(output, name, source.breach(**options))
        elif weekly:
            _report_sources.write_text(output, source.weekly(options["days"] or 7, options["top"]))
        else:
            name = format_ or _report_sources.format_by_name(output)
            if name == "html":
                _report_sources.write_text(output, source.page(options["top"]))
            else:
                _report_sources.write_incidents(output, name, source.incidents())
    if output:
        click.echo(str(output), err=True)
    sys.exit(0)
