"""`dlp scan`: judge every file below the given paths and say what was found.

In: paths.  Out: a ranked table, a page, rows or events; exit 0, 1 (PHI), 3 (something unread).
"""

from __future__ import annotations

import gc
import io
import os
import stat
import sys
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, Self, TextIO

import click

# Records are kept for copies still to come: looking through them for cycles, which they have not,
# every 700 objects is a tenth of what a scan costs outside its workers.
OBJECTS_BETWEEN_COLLECTIONS = 50_000
JUDGING_ALL = ("no_catalogue", "fresh", "values")  # values are never stored

EVENTS = ("sarif", "ocsf")


@click.command()
@click.argument("paths", nargs=-1, required=True, type=click.Path(exists=True, path_type=bytes))
@click.option(
    "--format", "format_", default="table", help="table, jsonl, csv, html, sarif or ocsf."
)
@click.option("--jobs", type=click.IntRange(min=1), help="Workers; default: one per core.")
@click.option("--engine", default="local", help="local, or dask:tcp://HOST:8786 for a cluster.")
@click.option("--full", is_flag=True, help="Every stage on every file: for measuring and audits.")
@click.option("--profile", help="Rule set: default, sokolova2009, sokolova2009-weighted or -mesh.")
@click.option("--values", is_flag=True, help="Add the text of each finding; for measuring only.")
@click.option("--config", type=click.Path(exists=True, path_type=Path), help="TOML settings.")
@click.option("--output", "-o", type=click.Path(path_type=Path), help="Write here, mode 0600.")
@click.option("--catalogue", help="Where verdicts are kept for `dlp rank`: a file or a database.")
@click.option("--no-catalogue", is_flag=True, help="Keep no verdicts.")
@click.option("--fresh", is_flag=True, help="Judge every file, also those known to be unchanged.")
@click.option("--no-progress", is_flag=True, help="No progress line on the terminal.")
def command(paths: tuple[bytes, ...], format_: str, *, output: Path | None, **options: Any) -> None:
    """Judge every file below PATHS."""

    make_writer = writer_of(format_, options["config"])
    if options["values"] and not (output or may_show_values(sys.stdout.fileno())):
        raise click.UsageError(
            "--values prints what was found; send it to a terminal or to a file of your own"
        )
    if output:
        from dlp.private_files import output_file

        with output_file(output) as out:
            text = io.TextIOWrapper(out, encoding="utf-8", newline="")
            code = run(paths, make_writer(text), options)
            text.detach()  # flushed; closed by its owner
    else:
        code = run(paths, make_writer(sys.stdout), options)
    sys.exit(code)


def run(paths: tuple[bytes, ...], writer: Any, options: dict[str, Any]) -> int:
    with head_start(paths, options) as forkserver:
        return judge(paths, writer, options, forkserver)


@contextmanager
def head_start(paths: tuple[bytes, ...], options: dict[str, Any]) -> Iterator[Any]:
    """Where files have to be judged here, let the workers' half load beside our own."""
    forkserver = None
    local = (options.get("engine") or "local") == "local"
    if local and knows_nothing(paths, options):
        with unswept():
            from dlp.engine.worker_settings import start_forkserver

        forkserver = start_forkserver(many=any(map(os.path.isdir, paths)))
    try:
        yield forkserver if local else None
    finally:
        if forkserver is not None:
            forkserver.close()  # once more, if the engine did


def knows_nothing(paths: tuple[bytes, ...], options: dict[str, Any]) -> bool:
    """Whether files have to be judged: a share that was never scanned, or by another program."""
    if any(options.get(name) for name in JUDGING_ALL):
        return True
    from dlp.store.catalogue_probe import default_path, may_know

    def marks() -> Collection[str]:
        from dlp.engine.verdict_version import Program

        program = options["program"] = Program()  # what it reads for this is not read again
        return program.marks()

    return not may_know(options.get("catalogue") or default_path(), paths, marks)


def judge(paths: tuple[bytes, ...], writer: Any, options: dict[str, Any], forkserver: Any) -> int:
    with unswept():
        from dlp import config
        from dlp.engine.scanning import Scan
        from dlp.report.writers import Summary

        if not options.get("no_catalogue"):
            import_module("dlp.cli._catalogue_writer")  # a third of all that is imported here
        settings = config.load(options["config"])

    scan = Scan(
        settings,
        jobs=options["jobs"],
        full=options["full"],
        values=options["values"],
        profile=options["profile"],
        engine=options.get("engine") or "local",
        forkserver=forkserver,
    )
    summary = Summary()
    started = time.monotonic()
    shown = sys.stderr.isatty() and not options["no_progress"]
    with progress(shown=shown) as advance, keeper(options, scan) as keep:
        for record in scan.records(paths):
            summary.add(record)
            writer.add(record)
            keep(record)
            advance(summary)
    summary.skipped = scan.skipped
    writer.close()
    click.echo(summary.closing_line(time.monotonic() - started), err=True)
    if scan.weak_walls:
        weak = ", ".join(scan.weak_walls)
        click.echo(f"the sandbox lacks {weak} on this machine: see `dlp doctor`", err=True)
    if scan.disputed:
        click.echo(
            f"{scan.disputed} files were judged differently by two workers: one of them may have"
            " been taken over by a file before; see docs/runbooks/DlpReadingsDiffer.md",
            err=True,
        )
    return summary.exit_code


@contextmanager
def keeper(options: dict[str, Any], scan: Any) -> Iterator[Callable[[dict[str, Any]], None]]:
    """Keep verdicts in the catalogue, by absolute path, unless that is not wanted."""
    if options.get("no_catalogue"):
        yield lambda _: None
        return
    from dlp.cli._catalogue_writer import Cataloguing

    with Cataloguing(scan, options) as cataloguing:
        yield cataloguing.keep


@contextmanager
def unswept() -> Iterator[None]:
    """Import without a search for cycles: modules leave hardly any, now or later."""
    if not gc.isenabled() or "dlp.engine.scanning" in sys.modules:
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS, 20, 20)
        gc.enable()


def may_show_values(descriptor: int) -> bool:
    """A terminal, or a regular file that belongs to this user."""
    status = os.fstat(descriptor)
    return os.isatty(descriptor) or (stat.S_ISREG(status.st_mode) and status.st_uid == os.getuid())


class progress:  # noqa: N801 - reads as a verb where it is used
    """One line on the terminal, redrawn ten times a second at most."""

    def __init__(self, *, shown: bool) -> None:
        self._shown = shown
        self._next = 0.0

    def __enter__(self) -> Self:
        return self

    def __call__(self, summary: Any) -> None:
        if self._shown and (now := time.monotonic()) >= self._next:
            self._next = now + 0.1
            found = summary.containers["phi"]
            line = f"\r\033[K{summary.files} files, {found} PHI, {summary.unread} unread"
            click.echo(line, nl=False, err=True)

    def __exit__(self, *_: object) -> None:
        if self._shown:
            click.echo("\r\033[K", nl=False, err=True)


def writer_of(name: str, config: Path | None) -> Callable[[TextIO], Any]:
    from dlp.report.writers import WRITERS

    if name in WRITERS:
        return WRITERS[name]
    if name not in {*EVENTS, "html"}:
        known = ", ".join((*WRITERS, "html", *EVENTS))
        raise click.BadParameter(f"choose one of {known}", param_hint="--format")
    from dlp.config import load
    from dlp.measure.risk_levels import level_of
    from dlp.report.exports import EXPORTS, IncidentExport

    profile = load(config).measure.profile

    def level(risk: float, privacy: float) -> str:
        return level_of(risk, privacy, profile)

    if name == "html":
        return lambda out: Page(out, level)
    return lambda out: IncidentExport(EXPORTS[name](out), level)


class Page:
    """Keeps what the page needs of each record, and draws it at the end."""

    def __init__(self, out: TextIO, level: Callable[[float, float], str]) -> None:
        self._out = out
        self._level = level
        self._files: list[dict[str, Any]] = []
        self._people: list[dict[str, Any]] = []

    def add(self, record: dict[str, Any]) -> None:
        from dlp.table_slices import people_in, readers_in, risk_in

        path, now = os.fsencode(record["path"]), time.time()
        kept = ("container", "reason", "privacy", "identifiability", "sensitivity", "size_bytes",
                "media_type", "rules_version")  # fmt: skip
        row = {key: record[key] for key in kept}
        codes = " ".join(sorted({gap["code"] for gap in record["gaps"]}))
        row |= {"path": path, "server": "", "people": people_in(record), "gaps": codes}
        seen = record.get("exposure") or {}
        row |= {"risk": risk_in(record), "readers": readers_in(record)}
        row |= {"exposure": seen.get("exposure", "")}
        self._files.append(row | {"judged_at": now})
        for person in record["persons"]:
            person_row = {key: person[key] for key in ("identifiability", "bits")}
            person_row["sensitivity"] = person["sensitivity"] * person["chance"]
            person_row |= {"person": person["id"], "prints": person["fingerprints"], "path": path}
            person_row |= {"burden": person["burden"], "server": ""}
            self._people.append(person_row | {"readers": readers_in(record)})

    def close(self) -> None:
        from dlp.measure.combined_score import load_combiner
        from dlp.measure.linkage import link_people
        from dlp.report.html_page import page
        from dlp.report.overview import Knowledge, look_over

        knowledge = Knowledge(self._level, link_people, load_combiner())
        self._out.write(page(look_over(self._files, self._people, knowledge, at=time.time())))
