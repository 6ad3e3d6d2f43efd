"""Count what a scan did: the funnel, what was not read and why, duplicates.

In: records.  Out: totals, one closing line, the exit code.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from dlp.model import Container
from dlp.report.record import Record

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
