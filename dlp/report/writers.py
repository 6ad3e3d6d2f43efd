"""Print judged files (a ranked table for people, jsonl and csv for programs) and count them.

In: records, as they come.  Out: text on a stream; totals, one closing line and the exit code.
"""

from __future__ import annotations

import csv
import json
import secrets
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, TextIO

from dlp.model import Container
from dlp.report.record import TRACES, Record, rank_key
from dlp.table_slices import PEOPLE, people_in, readers_in

COLUMNS = (
    "path", "container", "reason", "privacy", "identifiability", "sensitivity", "persons",
    "findings", "gaps", "media_type", "language", "duplicate_of", "action", "ms",
)  # fmt: skip
HEADINGS: dict[str, Literal["left", "right"]] = {
    "container": "left", "privacy": "right", "= identif.": "right", "× sensit.": "right",
    "people": "right", "readers": "right", "file": "left", "why": "left",
}  # fmt: skip
TABLE_ROWS = 40
STYLES = {"phi": "bold red", "probable": "yellow", "possible": "", "impossible": "dim"}


class Writer(Protocol):
    def add(self, record: Record) -> None: ...

    def close(self) -> None: ...


class JsonLines:
    """One object per file as soon as it is judged."""

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._place = secrets.token_hex(16)  # where stored text goes; no file name can know it

    def add(self, record: Record) -> None:
        # ASCII with escapes: a hostile file name can neither forge a line nor move the cursor.
        record = {name: value for name, value in record.items() if name != TRACES}
        stored = getattr(record["findings"], "as_json", None)
        if stored is None:
            line = json.dumps(record)
        else:  # findings of a recalled record are JSON already
            line = json.dumps({**record, "findings": self._place})
            line = line.replace(f'"{self._place}"', stored(), 1)
        self._out.write(line + "\n")
        self._out.flush()

    def close(self) -> None:
        self._out.flush()


class Csv:
    def __init__(self, out: TextIO) -> None:
        self._writer = csv.writer(out)
        self._writer.writerow(COLUMNS)

    def add(self, record: Record) -> None:
        self._writer.writerow([cell(column, record[column]) for column in COLUMNS])

    def close(self) -> None:
        pass


class Table:
    """The worst files first; the rest is counted in the closing line."""

    def __init__(self, out: TextIO, *, rows: int = TABLE_ROWS) -> None:
        self._out = out
        self._rows = rows
        self._records: list[Record] = []

    def add(self, record: Record) -> None:
        kept = ("path", "container", "reason", "privacy", "persons", "gaps", "media_type",
                "identifiability", "sensitivity")  # fmt: skip
        more = {PEOPLE: people_in(record), "exposure": record.get("exposure")}
        self._records.append({key: record[key] for key in kept} | more)

    def close(self) -> None:
        from rich.console import Console  # noqa: PLC0415 - a pipe of jsonl never needs it
        from rich.markup import escape  # noqa: PLC0415
        from rich.table import Table as RichTable  # noqa: PLC0415

        table = RichTable(box=None, pad_edge=False, header_style="bold")
        for name, side in HEADINGS.items():
            table.add_column(name, justify=side, overflow="fold" if name == "file" else "ellipsis")
        self._records.sort(key=rank_key)
        for record in self._records[: self._rows]:
            style = STYLES[record["container"]]
            table.add_row(
                record["container"],
                figure(record["privacy"]),
                figure(record["identifiability"]),
                figure(record["sensitivity"]),
                str(people_in(record) or ""),
                str(readers_in(record)) if record.get("exposure") else "",
                escape(printable(record["path"])),
                escape(why(record)),
                style=style,
            )
        console = Console(
            file=self._out, width=None if self._out.isatty() else 160, soft_wrap=False
        )
        console.print(table)
        if len(self._records) > self._rows:
            console.print(f"… and {len(self._records) - self._rows} more", style="dim")


WRITERS: dict[str, Callable[[TextIO], Writer]] = {"table": Table, "jsonl": JsonLines, "csv": Csv}


FORMULA = ("=", "+", "-", "@", "\t", "\r")


def cell(column: str, value: Any) -> str:
    if column in {"persons", "findings"}:
        return str(len(value))
    if column == "gaps":
        return " ".join(sorted({gap["code"] for gap in value}))
    text = printable(str(value)) if value is not None else ""
    # A spreadsheet runs a cell that starts like this; a file name may.
    return "'" + text if text.startswith(FORMULA) else text


def figure(value: float) -> str:
    """Small numbers matter as much as large ones: 0.95, 0.004, 2.1e-05, or nothing at all."""
    if not value:
        return ""
    return f"{value:.2f}" if value >= 0.1 else f"{value:.1g}"


def why(record: Record) -> str:
    codes = sorted({gap["code"] for gap in record["gaps"]})
    unread = f" [not read: {', '.join(codes)}]" if codes else ""
    return f"{record['reason']}{unread}"


def printable(text: str) -> str:
    """Control characters and lone surrogates shown, not obeyed."""
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape", "surrogatepass").decode()
        for char in text
    )


NOTHING_FOUND, PHI_FOUND, SOMETHING_UNREAD = 0, 1, 3


@dataclass(slots=True)
class Summary:
    files: int = 0
    unread: int = 0
    duplicates: int = 0
    skipped: int = 0  # links, pipes, sockets, devices: nothing to read in them
    containers: Counter[str] = field(default_factory=Counter)
    gaps: Counter[str] = field(default_factory=Counter)
    reasons: Counter[tuple[str, str]] = field(default_factory=Counter)
    persons: set[str] = field(default_factory=set)

    def add(self, record: Record) -> None:
        self.files += 1
        self.containers[record["container"]] += 1
        self.reasons[record["container"], record["reason"]] += 1
        self.duplicates += record["duplicate_of"] is not None
        if record["gaps"]:
            self.unread += 1
            self.gaps.update({gap["code"] for gap in record["gaps"]})
        if record["container"] == Container.PHI:
            self.persons.update(person["id"] for person in record["persons"])

    @property
    def exit_code(self) -> int:
        """PHI outranks an unread file: the first needs action, the second a second look."""
        if self.containers[Container.PHI]:
            return PHI_FOUND
        return SOMETHING_UNREAD if self.unread else NOTHING_FOUND

    def closing_line(self, seconds: float) -> str:
        why = ", ".join(f"{code} {count}" for code, count in sorted(self.gaps.items()))
        funnel = " · ".join(f"{name} {self.containers[name]}" for name in reversed(Container))
        rate = self.files / seconds if seconds else 0.0
        return (
            f"{self.files} files: {self.files - self.unread} read in full, "
            f"{self.unread} not{f' ({why})' if why else ''}, {self.duplicates} duplicates"
            f"{f', {self.skipped} links or devices skipped' if self.skipped else ''}"
            f" — {funnel} — {seconds:.1f} s, {rate:.0f} files/s"
        )
