"""A table as columns of cells, and what makes it unfit to be worked on.

In: headers and columns.  Out: Table, or SanitiseError that says what to do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from dlp.errors import SanitiseError

_SHOWN = 5


@dataclass(frozen=True, slots=True)
class Table:
    headers: tuple[str, ...]
    columns: tuple[Sequence[object], ...] = field(repr=False)  # cells never reach a log

    @property
    def rows(self) -> int:
        return len(self.columns[0]) if self.columns else 0

    def column(self, header: str) -> Sequence[object]:
        return self.columns[self.headers.index(header)]


def from_rows(headers: Sequence[object], rows: Sequence[Sequence[object]]) -> Table:
    """Rows as a file gives them; a row of another length than the header is refused."""
    names = tuple("" if header is None else str(header).strip() for header in headers)
    for number, row in enumerate(rows, 2):
        if len(row) != len(names):
            raise SanitiseError(
                f"row {number} has {len(row)} cells, the header has {len(names)}",
                fix="mend the row, or check the delimiter and quoting",
            )
    columns = tuple(zip(*rows, strict=True)) if rows else tuple(() for _ in names)
    table = Table(names, columns)
    check(table)
    return table


def check(table: Table) -> None:
    """Refuse a table whose columns cannot be given roles."""
    if not table.headers:
        raise SanitiseError("the table is empty", fix="the first row names the columns")
    if not table.rows:
        raise SanitiseError("the table has a header but no rows")
    if "" in table.headers:
        at = table.headers.index("") + 1
        raise SanitiseError(f"column {at} has no header", fix="name every column")
    twice = [name for name, count in Counter(table.headers).items() if count > 1]
    if twice:
        listed = ", ".join(map(repr, twice[:_SHOWN]))
        raise SanitiseError(
            f"{len(twice)} headers occur more than once: {listed}",
            fix="rename them: a role belongs to one column",
        )
