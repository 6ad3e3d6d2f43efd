"""Write `label: value` lines while noting where each value lies.

In: labelled values, one by one.  Out: a Part with its FieldMap, within the text limit.
"""

from __future__ import annotations

from collections.abc import Iterator

from dlp.decode.contract import Limits
from dlp.model import FieldMap, Gap, GapCode, Part

# Four numbers a field; past this the text still holds everything, only unlabelled.
MAX_FIELDS = 2_000_000
JOIN_AFTER = 10_000  # a short string costs ten times its letters


class LabelledText:
    def __init__(self, locator: str, limits: Limits) -> None:
        self.locator = locator
        self.length = 0
        self.fields = FieldMap()
        self._room = limits.max_text_chars
        self._pieces: list[str] = []
        self._joined: list[str] = []
        self._noted = 0
        self.full = False

    def add(self, label: str, value: str, record: int = 0, shown: str | None = None) -> None:
        """Append a line; `shown` stands before the value where the label itself reads badly."""
        head = f"{label if shown is None else shown}: "
        start = self.length + len(head)
        self.write(f"{head}{value}\n")
        self._note(label, start, start + len(value), record)

    def add_value(self, label: str, value: str, record: int = 0) -> None:
        start = self.length
        self.write(value)
        self._note(label, start, start + len(value), record)

    def _note(self, label: str, start: int, end: int, record: int) -> None:
        if start < end and not self.full and self._noted < MAX_FIELDS:
            self.fields.add(label, start, end, record)
            self._noted += 1

    def write(self, text: str) -> None:
        length = self.length + len(text)
        if length > self._room:
            self.full = True
        if not self.full:
            self._pieces.append(text)
            self.length = length
            if len(self._pieces) > JOIN_AFTER:
                self._joined.append("".join(self._pieces))
                self._pieces.clear()

    def taken(self) -> tuple[str, FieldMap | None]:
        """The text and its fields; nothing is left here."""
        text = "".join([*self._joined, *self._pieces])
        self._joined.clear()
        self._pieces.clear()
        return text, self.fields or None

    def items(self) -> Iterator[Part | Gap]:
        return items_of(self)


def items_of(lines: LabelledText) -> Iterator[Part | Gap]:
    """The part, if anything was written, and a gap if not everything was."""
    if lines.length:
        text, fields = lines.taken()
        yield Part(lines.locator, text, fields)
    if lines.full:
        yield Gap(GapCode.TOO_LARGE, lines.locator)
