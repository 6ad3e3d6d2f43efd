"""`dlp policy`: what a policy would do, before it does it.

In: settings, a policy, the catalogue or folders.  Out: counts by action, or a row for each file.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import click

ACTIONS = ("quarantine", "sanitise", "notify", "observe")
COUNTS = ("action", "files", "people", "bytes")
FILES = ("action", "level", "people", "share", "path", "why")


@click.group()
def command() -> None:
    """Try a policy on what is on record, or on a folder, without touching a file."""


@command.command("try")
@click.argument("paths", nargs=-1, type=click.Path(exists=True, path_type=bytes))
@click.option("--policy", type=click.Path(exists=True, path_type=Path), help="TOML: [policy].")
@click.option("--files", "each", is_flag=True, help="A row for each file, not only counts.")
@click.option("--format", "format_", type=click.Choice(["table", "jsonl", "csv"]), default="table")
@click.option("--catalogue", help="A catalogue file or database; default: the service's or yours.")
@click.option("--config", type=click.Path(exists=True, path_type=Path), help="TOML settings.")
def try_(paths: tuple[bytes, ...], policy: Path | None, *, each: bool, **options: Any) -> None:
    """Say what a policy would do to everything on record; with PATHS, to what lies there now.

    Without --policy: the policy of the settings. A sanitised copy that cannot be made safely ends
    in quarantine, which only the daemon finds out.
    """
    from dlp.cli.rank import write_rows
    from dlp.engine.policy_trial import Outline

    settings = settings_with(options["config"], options["catalogue"], policy, paths)
    outline = Outline()
    trials = noted(tried(settings, options["catalogue"], paths), outline)
    if each:
        write_rows(map(row_of, trials), FILES, options["format_"])
    else:
        for _ in trials:
            pass
        write_rows(counted(outline), COUNTS, options["format_"])
    limit = settings.breaker
    if outline.moved() > limit.actions:
        click.echo(
            f"the breaker would stop after {limit.actions} of {outline.moved()} files taken within"
            f" {limit.minutes:g} minutes; raise breaker.actions for the first day, or start with"
            " one level",
            err=True,
        )


def settings_with(
    config: Path | None, catalogue: str | None, policy: Path | None, paths: tuple[bytes, ...]
) -> Any:
    """The settings as they would be; PATHS of no share are shares of their own."""
    import tomllib

    from dlp.cli._operator_stores import settings_of
    from dlp.config import Share, load, parse

    settings = load(config) if catalogue else settings_of(config)
    shares = list(settings.share)
    for number, path in enumerate(map(os.path.abspath, paths), 1):
        inside = (path + b"/").startswith
        if not any(inside(os.fsencode(share.path.rstrip("/")) + b"/") for share in shares):
            shares.append(Share(name=f"path-{number}", path=os.fsdecode(path)))
    if policy is not None:
        # Read, not loaded: loading would move the state folder to this file's.
        raw = tomllib.loads(policy.read_text(encoding="utf-8"))
        wanted = parse(raw, where=str(policy)).policy
        shares = [share.model_copy(update={"policy": wanted}) for share in shares]
    if not shares:
        raise click.UsageError("no share: give --config with the daemon's file, or a folder")
    return settings.model_copy(update={"share": tuple(shares)})


def tried(settings: Any, catalogue: str | None, paths: tuple[bytes, ...]) -> Iterator[Any]:
    import time

    from dlp.engine.policy_trial import PolicyTrial
    from dlp.engine.scanning import Scan
    from dlp.store.catalogue_probe import default_path
    from dlp.store.migrations import open_database

    engine = open_database(catalogue or settings.store.database or default_path())
    try:
        trial = PolicyTrial(settings, engine, now=time.time())
        yield from trial.of_records(Scan(settings).records(paths)) if paths else trial.on_record()
    finally:
        engine.dispose()


def noted(trials: Iterable[Any], outline: Any) -> Iterator[Any]:
    for trial in trials:
        outline.add(trial)
        yield trial


def row_of(trial: Any) -> dict[str, Any]:
    return {"action": trial.action, "level": trial.level, "people": len(trial.people),
            "share": trial.share, "path": os.fsdecode(trial.path), "why": trial.why}  # fmt: skip


def counted(outline: Any) -> Iterator[dict[str, Any]]:
    for action in ACTIONS:
        yield {"action": action, "files": outline.files[action],
               "people": len(outline.people[action]),
               "bytes": outline.size_bytes[action]}  # fmt: skip
