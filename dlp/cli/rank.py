"""`dlp rank`: the worst files, folders or people of everything scanned so far.

In: the catalogue.  Out: a table, jsonl or csv; people only as pseudonyms.
"""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click

COLUMNS = {
    "file": ("level", "risk", "people", "exposure", "readers", "path", "reason"),
    "folder": ("level", "risk", "harm", "people", "phi", "files", "path"),
    "person": ("person", "level", "risk", "privacy", "identifiability", "sensitivity", "files"),
}


@click.command()
@click.option("--by", type=click.Choice(list(COLUMNS)), default="file", show_default=True)
@click.option("--top", type=click.IntRange(min=1), default=20, show_default=True)
@click.option("--format", "format_", type=click.Choice(["table", "jsonl", "csv"]), default="table")
@click.option("--catalogue", help="A catalogue file or database; default: the user's own.")
@click.option("--config", type=click.Path(exists=True, path_type=Path), help="TOML settings.")
def command(by: str, top: int, format_: str, catalogue: str | None, config: Path | None) -> None:
    """Show the worst first."""
    rows = ranking(by, catalogue, config)[:top]
    write_rows(rows, columns_of(by, rows), format_)


def write_rows(rows: Iterable[dict[str, Any]], columns: tuple[str, ...], format_: str) -> None:
    if format_ == "jsonl":
        for row in rows:
            click.echo(json.dumps(row))
    elif format_ == "csv":
        write_csv(rows, columns)
    else:
        write_table(list(rows), columns)


def ranking(by: str, where: str | None, config: Path | None) -> list[dict[str, Any]]:
    from dlp.cli._operator_stores import settings_of
    from dlp.config import load
    from dlp.errors import StoreError
    from dlp.measure.combined_score import load_combiner
    from dlp.measure.linkage import link_people
    from dlp.measure.risk_levels import level_of
    from dlp.report import ranking as rank
    from dlp.store.catalogue import open_catalogue

    settings = load(config) if where else settings_of(config)
    profile = settings.measure.profile
    if where and "://" not in where and not Path(where).exists():
        raise StoreError(
            "no catalogue here", where=where, fix="`dlp scan PATH --catalogue` makes one"
        )

    def level(risk: float, privacy: float) -> str:
        return level_of(risk, privacy, profile)

    with open_catalogue(where or settings.store.database or None) as catalogue:
        if by == "file":
            return rank.by_file(catalogue.files(), level)
        if by == "folder":
            return rank.by_folder(catalogue.files(), catalogue.persons(), level)
        people = list(catalogue.persons())
    return rank.by_person(people, link_people(people), load_combiner(), level)


def columns_of(by: str, rows: list[dict[str, Any]]) -> tuple[str, ...]:
    """Name the server only where there are several."""
    several = len({row.get("server") for row in rows}) > 1
    return ("server", *COLUMNS[by]) if several else COLUMNS[by]


def write_csv(rows: Iterable[dict[str, Any]], columns: tuple[str, ...]) -> None:
    from dlp.report.writers import cell

    out = csv.writer(sys.stdout)
    out.writerow(columns)
    for row in rows:
        out.writerow([cell(column, row[column]) for column in columns])


def write_table(rows: list[dict[str, Any]], columns: tuple[str, ...]) -> None:
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    from dlp.report.writers import figure, printable

    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in columns:
        table.add_column(column, overflow="fold" if column == "path" else "ellipsis")
    for row in rows:
        cells = (row[column] for column in columns)
        shown = [figure(c) if isinstance(c, float) else printable(str(c)) for c in cells]
        table.add_row(*map(escape, shown))
    width = None if sys.stdout.isatty() else 160
    Console(width=width).print(table if rows else "nothing scanned yet: dlp scan PATH")
