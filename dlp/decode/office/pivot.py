"""Read the copy of its source that a pivot table keeps.

In: cache definition and records.  Out: one part per cache, its rows labelled by column name.
"""

from __future__ import annotations

from collections.abc import Iterator

from lxml import etree

from dlp.decode.archive_guard import UnreadableError
from dlp.decode.contract import Budget, Item
from dlp.decode.office.markup import attribute, local_of, stream
from dlp.decode.office.package import Piece
from dlp.decode.office.sheet_text import SheetText
from dlp.model import Gap, GapCode, Part


class PivotCaches:
    """Columns of each cache by number, kept until its records come."""

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._columns: dict[str, list[list[str]]] = {}

    def read_definition(self, root: etree._Element, key: str, number: int) -> Iterator[Item]:
        columns: list[list[str]] = []
        lines: list[str] = []
        for field in root.iter("{*}cacheField"):
            shared = [shown(item) for items in field.iter("{*}sharedItems") for item in items]
            columns.append([attribute(field, "name"), *shared])
            lines.append("\n".join(filter(None, columns[-1])))
        for source in root.iter("{*}worksheetSource"):
            lines += filter(None, (attribute(source, "sheet"), attribute(source, "name")))
        lines += filter(None, [attribute(root, "refreshedBy")])
        self._columns[key] = columns
        yield Part(f"pivot:{number}", "\n".join(lines))

    def read_records(self, piece: Piece, key: str, number: int) -> Iterator[Item]:
        locator = f"pivot:{number}.records"
        columns = self._columns.get(key, [])
        rows = SheetText(locator, self._budget)
        rows.add(0, {place: column[0] for place, column in enumerate(columns) if column[0]})
        gap = None
        try:
            for count, record in enumerate(stream(piece.stream(), "{*}r"), start=1):
                if local_of(record) == "r":
                    rows.add(count, dict(values(record, columns)))
        except (etree.XMLSyntaxError, UnreadableError):
            gap = Gap(GapCode.CORRUPT, locator)
        if (part := rows.part()) is not None:
            yield part
        if gap:
            yield gap


def shown(item: etree._Element) -> str:
    value = attribute(item, "v")
    # Dates come as 1980-02-29T00:00:00; midnight only says there was no time.
    return value.removesuffix("T00:00:00") if local_of(item) == "d" else value


def values(record: etree._Element, columns: list[list[str]]) -> Iterator[tuple[int, str]]:
    for place, item in enumerate(record):
        value = shown(item)
        if local_of(item) == "x":  # a position among the shared values
            column = columns[place] if place < len(columns) else []
            index = int(value) + 1 if value.isdecimal() and len(value) < 9 else 0
            value = column[index] if 0 < index < len(column) else ""
        if value:
            yield place, value


def cache_key(path: str) -> str:
    """Records belong to the definition with the same number."""
    return "".join(letter for letter in path if letter.isdecimal())
