"""Lay the cells of a sheet out as lines, and remember which column each value stood under.

In: rows of cells, in order.  Out: a part of tab-separated lines whose cells are labelled fields.
"""

from __future__ import annotations

from collections.abc import Mapping

from dlp.decode.contract import Budget
from dlp.decode.table_header import LOOK_AT_ROWS, find_header
from dlp.model import FieldMap, Part

LONGEST_LABEL = 60


class SheetText:
    """Collects a sheet row by row; empty cells are left out, so a far column costs nothing."""

    def __init__(self, locator: str, budget: Budget) -> None:
        self._locator = locator
        self._budget = budget
        self._waiting: list[tuple[int, Mapping[int, str]]] | None = []
        self._labels: dict[int, str] = {}
        self._fields = FieldMap()
        self._lines: list[str] = []
        self._at = 0

    def add(self, number: int, cells: Mapping[int, str]) -> None:
        if not cells:
            return
        # Counted where it is used: one long shared string can be used a million times.
        self._budget.take_text(sum(map(len, cells.values())) + len(cells), self._locator)
        if self._waiting is None:
            self._write(number, cells)
            return
        self._waiting.append((number, cells))
        if len(self._waiting) >= LOOK_AT_ROWS:
            self._settle()

    def part(self) -> Part | None:
        self._settle()
        if not self._lines:
            return None
        return Part(self._locator, "\n".join(self._lines), self._fields)

    def _settle(self) -> None:
        if self._waiting is None:
            return
        rows, self._waiting = self._waiting, None
        header = find_header([cells for _, cells in rows])
        for index, (number, cells) in enumerate(rows):
            if index == header:
                self._labels = {column: text.strip() for column, text in cells.items()}
                self._line(cells)
            else:
                self._write(number, cells)

    def _write(self, number: int, cells: Mapping[int, str]) -> None:
        at, before = self._at, ""
        add, labels = self._fields.add, self._labels
        for column, text in cells.items():
            end = at + len(text)
            label = labels.get(column) or label_from(before)
            add(label, at, end, number)
            at, before = end + 1, text
        self._line(cells)

    def _line(self, cells: Mapping[int, str]) -> None:
        line = "\t".join(cells.values())
        self._lines.append(line)
        self._at += len(line) + 1


def label_from(text: str) -> str:
    """In a form the label stands to the left: "Date of birth:"."""
    text = text.rstrip()
    return text[:-1].strip() if text.endswith(":") and len(text) <= LONGEST_LABEL else ""
