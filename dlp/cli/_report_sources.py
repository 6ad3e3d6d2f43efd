"""Open the catalogue for reports, and put what they say where it was asked for.

In: a catalogue, settings.  Out: Source; files with mode 0600, whole or not at all.
"""

from __future__ import annotations

import csv
import io
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from dlp.acquire.share_definitions import read_accounts
from dlp.cli._operator_stores import settings_of
from dlp.config import Settings, load
from dlp.engine.breach_sources import breach_of
from dlp.keys import kept_key, state_folder
from dlp.measure.risk_levels import level_of
from dlp.private_files import output_file
from dlp.report.breach import Breach, breach_page, rows_of
from dlp.report.evidence import Evidence, Proof, pack
from dlp.report.exports import EXPORTS
from dlp.report.html_page import page
from dlp.report.incident import Incident, from_row
from dlp.report.overview import Knowledge, Overview, exposed, look_over
from dlp.report.ranking import by_folder
from dlp.report.weekly_summary import Period, weekly
from dlp.report.writers import cell
from dlp.store.catalogue import Catalogue
from dlp.store.exposed_files import exposed_counts
from dlp.store.ledger import open_ledger
from dlp.store.migrations import open_database
from dlp.store.queries import Standing, backlog, trend

DAY = 86_400.0
NO_KEY = "the ledger's key is not here, so nothing was verified"
SUFFIXES = {".csv": "csv", ".jsonl": "jsonl", ".sarif": "sarif", ".cef": "cef", ".log": "syslog"}


@dataclass(frozen=True, slots=True)
class Source:
    """Everything reports are made of, read when asked for."""

    settings: Settings
    engine: Any
    now: float

    def level(self, risk: float, privacy: float) -> str:
        return level_of(risk, privacy, self.settings.measure.profile)

    def overview(self, top: int = 10) -> Overview:
        from dlp.measure.combined_score import load_combiner
        from dlp.measure.linkage import link_people

        catalogue, standing = Catalogue(self.engine), Standing(self.engine)
        actions: dict[str, int] = {}
        for row in standing.actions():
            name = f"{row['action']}: {row['state']}"
            actions[name] = actions.get(name, 0) + 1
        in_force = [row for row in standing.suppressions() if row["expires_at"] > self.now]
        people = list(catalogue.persons())
        combine = load_combiner() if people else lambda _: None
        accounts, days = read_accounts().users.values(), self.settings.exposure.stale_days
        counts = exposed_counts(self.engine, accounts, self.now, days)
        return look_over(
            list(catalogue.files()),
            people,
            Knowledge(self.level, link_people, combine),
            at=self.now,
            top=top,
            stock=trend(self.engine),
            reviews=backlog(self.engine),
            actions=actions,
            exceptions=len(in_force) + len(standing.accepted()),
            stale=counts.stale,
            orphaned=counts.orphaned,
        )

    def page(self, top: int) -> str:
        return page(self.overview(top))

    def weekly(self, days: int, top: int) -> str:
        standing, start = Standing(self.engine), self.now - days * DAY
        period = Period(
            start,
            self.now,
            list(standing.judged_since(start)),
            standing.decisions(start),
            standing.actions(start),
        )
        return weekly(self.overview(top), period)

    def incidents(self) -> Iterator[Incident]:
        for row in Catalogue(self.engine).files():
            incident = from_row(row, self.level)
            if incident is not None:
                yield incident

    def breach(
        self, under: Path | None = None, discovered: datetime | None = None, **_: Any
    ) -> Breach:
        when = discovered.replace(tzinfo=UTC).timestamp() if discovered else self.now
        top = os.fsencode(under.absolute()) if under else b""
        return breach_of(self.engine, self.settings, when, top)

    def evidence(self, days: int) -> Evidence:
        catalogue, standing = Catalogue(self.engine), Standing(self.engine)
        return Evidence(
            overview=self.overview(),
            incidents=list(self.incidents()),
            register=by_folder(catalogue.files(), exposed(catalogue.persons()), self.level),
            suppressions=standing.suppressions(),
            accepted=standing.accepted(),
            proof=proof_of(self.settings, self.engine),
            start=self.now - days * DAY,
            end=self.now,
        )


@contextmanager
def opened(where: str | None, config: Path | None) -> Iterator[Source]:
    settings = load(config) if where else settings_of(config)
    engine = open_database(where or settings.store.database or state_folder() / "catalogue.db")
    try:
        yield Source(settings, engine, time.time())
    finally:
        engine.dispose()


def proof_of(settings: Settings, engine: Any) -> Proof:
    """The ledger with what its check says; reading makes no key."""
    key = kept_key("ledger", settings.ledger.key)
    ledger = open_ledger(settings, engine, key or b"")
    records = ledger.records()
    if key is None:
        return Proof(records, [(0, NO_KEY)] if records else [])
    return Proof(records, [(fault.number, fault.what) for fault in ledger.verify()])


def write_breach(output: Path | None, name: str, breach: Breach) -> None:
    if name != "csv":
        write_text(output, breach_page(breach, standing=True))
        return
    out = io.StringIO(newline="")
    sheet = csv.writer(out)
    sheet.writerow(("section", "field", "value"))
    sheet.writerows([cell("", value) for value in row] for row in rows_of(breach))
    write_text(output, out.getvalue())


def format_by_name(output: Path | None, otherwise: str = "") -> str:
    if output is None and otherwise:
        return otherwise
    if output is None:
        raise click.UsageError("say where the page goes (-o risk.html), or choose a --format")
    return SUFFIXES.get(output.suffix.lower(), "html")


def write_text(output: Path | None, text: str) -> None:
    if output is None:
        click.echo(text, nl=False)
        return
    with output_file(output) as out:
        out.write(text.encode())


def write_incidents(output: Path | None, name: str, incidents: Iterable[Incident]) -> None:
    if output is None:
        write_all(sys.stdout, name, incidents)
        return
    with output_file(output) as out:
        text = io.TextIOWrapper(out, encoding="utf-8", newline="")
        write_all(text, name, incidents)
        text.detach()


def write_all(out: Any, name: str, incidents: Iterable[Incident]) -> None:
    export = EXPORTS[name](out)
    for incident in incidents:
        export.add(incident)
    export.close()


def write_pack(folder: Path, source: Source, days: int) -> int:
    """Fill a folder that is new or empty; half a pack never has its name."""
    if folder.exists() and any(folder.iterdir()):
        raise click.UsageError(f"{folder} is not empty; a pack needs a folder of its own")
    files = pack(source.evidence(days))
    folder.parent.mkdir(parents=True, exist_ok=True)
    with ExitStack() as cleaning:
        draft = Path(tempfile.mkdtemp(dir=folder.parent, prefix=".evidence-"))
        cleaning.callback(shutil.rmtree, draft, ignore_errors=True)
        for name, content in files.items():
            descriptor = os.open(draft / name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(descriptor, "wb") as out:
                out.write(content)
        if folder.exists():
            folder.rmdir()
        draft.rename(folder)
        cleaning.pop_all()
    return len(files)
