"""`dlp exposure`: who can read the files with health information, or any file by its path.

In: the catalogue, or paths.  Out: counts by class with stale and orphaned files; files; classes.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from dlp.access import REACHES

VIEWS = ("stale", "orphaned")
FILES = ("level", "risk", "exposure", "readers", "owner", "modified", "opened", "path")
COUNTS = ("exposure", "files", "people", "meaning")
PATHS = ("exposure", "readers", "path")


@click.command()
@click.argument("paths", nargs=-1, type=click.Path(exists=True, path_type=bytes))
@click.option("--class", "reach", type=click.Choice(REACHES), help="List the files of a class.")
@click.option("--view", type=click.Choice(VIEWS), help="List stale or orphaned files.")
@click.option("--top", type=click.IntRange(min=1, max=10_000), default=20, show_default=True)
@click.option("--format", "format_", type=click.Choice(["table", "jsonl", "csv"]), default="table")
@click.option("--catalogue", help="A catalogue file or database; default: the user's own.")
@click.option("--config", type=click.Path(exists=True, path_type=Path), help="TOML settings.")
def command(paths: tuple[bytes, ...], reach: str | None, view: str | None, **options: Any) -> None:
    """Show who can read files with health information; with PATHS, who can read those."""
    from dlp.cli._operator_stores import settings_of
    from dlp.cli.rank import write_rows
    from dlp.config import load

    config = options["config"]
    settings = load(config) if options["catalogue"] else settings_of(config)
    columns: tuple[str, ...]
    if paths:
        rows, columns = list(of_paths(paths, settings)), PATHS
    elif reach or view:
        rows, columns = list(of_catalogue(settings, reach, view, options)), FILES
    else:
        rows, columns = list(counted(settings, options["catalogue"])), COUNTS
    write_rows(rows, columns, options["format_"])


def of_paths(paths: tuple[bytes, ...], settings: Any) -> Iterator[dict[str, Any]]:
    """As they are now; the folder that is named counts as the top of the share."""
    from dlp.acquire.walk import Walk
    from dlp.engine.exposures import Exposures

    exposures = Exposures(settings, [p if os.path.isdir(p) else os.path.dirname(p) for p in paths])
    for note in exposures.notes():
        click.echo(f"not taken into account: {note}", err=True)
    for sighting in Walk()(paths):
        seen = exposures.of(os.path.abspath(sighting.ref.path))
        if seen is not None:
            path = os.fsdecode(sighting.ref.path)
            yield {"exposure": seen["exposure"], "readers": seen["readers"], "path": path}


def counted(settings: Any, where: str | None) -> Iterator[dict[str, Any]]:
    import time

    from dlp.acquire.share_definitions import read_accounts
    from dlp.report.words_and_masks import REACH_WORDS, VIEW_WORDS
    from dlp.store.exposed_files import exposed_counts

    accounts, days = read_accounts().users.values(), settings.exposure.stale_days
    with opened(settings, where) as engine:
        counts = exposed_counts(engine, accounts, time.time(), days)
    for reach in reversed(REACHES):
        yield {"exposure": reach, "files": counts.files[reach], "people": counts.people[reach],
               "meaning": REACH_WORDS[reach]}  # fmt: skip
    for view in VIEWS:
        words = f"{VIEW_WORDS[view]} for {days} days" if view == "stale" else VIEW_WORDS[view]
        yield {"exposure": view, "files": getattr(counts, view), "people": "", "meaning": words}


def of_catalogue(
    settings: Any, reach: str | None, view: str | None, options: dict[str, Any]
) -> Iterator[dict[str, Any]]:
    from dlp.acquire.share_definitions import read_accounts
    from dlp.measure.risk_levels import level_of
    from dlp.report.words_and_masks import day
    from dlp.store.queries import Asked, file_page

    users = read_accounts().users
    called = {uid: name for name, uid in users.items()}
    asked = Asked(
        "risk", limit=options["top"], containers=("phi",), exposure=reach or "", view=view or "",
        accounts=frozenset(called), stale_days=settings.exposure.stale_days,
    )  # fmt: skip
    with opened(settings, options["catalogue"]) as engine:
        rows = file_page(engine, asked).rows
    for row in rows:
        level = level_of(row["risk"], row["privacy"], settings.measure.profile)
        yield {"level": level, "risk": row["risk"], "exposure": row["exposure"],
               "readers": row["readers"], "owner": called.get(row["owner"], str(row["owner"])),
               "modified": day(row["modified_at"]), "opened": day(row["accessed_at"]),
               "path": os.fsdecode(row["path"])}  # fmt: skip


def opened(settings: Any, where: str | None) -> Any:
    from contextlib import contextmanager

    from dlp.store.catalogue_probe import default_path
    from dlp.store.migrations import open_database

    @contextmanager
    def engine_of() -> Iterator[Any]:
        engine = open_database(where or settings.store.database or default_path())
        try:
            yield engine
        finally:
            engine.dispose()

    return engine_of()
