"""`dlp find`: every file on record that speaks of one person.

In: values on standard input, one `name: value` a line; they are used once and kept nowhere.
Out: files with reasons, sure ones first; a note in the ledger that somebody looked.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

COLUMNS = ("degree", "why", "container", "people", "owner", "modified", "path")
ERASURE = ("degree", "erasure", "people", "path")
EXPORT = ("degree", "why", "tells", "media_type", "owner", "readers", "modified", "path")


@click.command()
@click.option("--erasure", is_flag=True, help="Show what taking the person out would mean.")
@click.option("--export", is_flag=True, help="For a data subject: what each file tells of them.")
@click.option("--sure", is_flag=True, help="Only files that are certainly about the person.")
@click.option("--format", "format_", type=click.Choice(["table", "jsonl", "csv"]), default="table")
@click.option("--config", type=click.Path(exists=True, path_type=Path), help="TOML settings.")
def command(format_: str, config: Path | None, *, erasure: bool, export: bool, sure: bool) -> None:
    """Find every file that speaks of a person; values come on standard input, as name: value."""
    from dlp.cli._operator_stores import opened, settings_of
    from dlp.cli.rank import write_rows
    from dlp.engine.person_search import SURE, described_by, find_person
    from dlp.keys import fingerprint_key

    settings = settings_of(config)
    sought = described_by(values())
    key = fingerprint_key(settings.keys.fingerprint)
    with opened(config) as keeping:
        search = find_person(keeping.engine, key, sought)
        keeping.note(search.note)
    columns = ERASURE if erasure else EXPORT if export else COLUMNS
    matches = [one for one in search.matches if not sure or one.degree == SURE]
    write_rows([row_of(one, columns) for one in matches], columns, format_)
    counts = ", ".join(f"{number} {degree}" for degree, number in search.counts.items())
    click.echo(f"{len(search.matches)} of {search.files} files: {counts}", err=True)
    if search.unread or search.untagged:
        click.echo(
            f"not searched: {search.unread} files not read in full, {search.untagged} without tags"
            " (judged by an earlier version, or of too many people); scan them again, or look",
            err=True,
        )


def values() -> Iterator[tuple[str, str]]:
    """From a terminal a question for each; else lines of a pipe."""
    from dlp.engine.person_search import FIELDS

    if sys.stdin.isatty():
        for name in FIELDS:
            yield name, click.prompt(name, default="", show_default=False)
        return
    for line in sys.stdin:
        name, _, value = line.partition(":")
        if line.strip():
            yield name.strip().lower(), value


def row_of(match: Any, columns: tuple[str, ...]) -> dict[str, Any]:
    from dlp.knowledge.sensitivity import name_of
    from dlp.report.words_and_masks import day

    row = match.row
    shown = {
        "degree": match.degree, "why": "; ".join(match.reasons), "erasure": match.erasure,
        "tells": "; ".join(name for one in match.facts if (name := name_of(one)) != one),
        "modified": day(row["modified_at"]),
        "path": os.fsdecode(row["path"]),
    }  # fmt: skip
    return {name: shown[name] if name in shown else row[name] for name in columns}
