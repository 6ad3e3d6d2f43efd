"""Format the cells of a sheet and lay them out as lines; each value is labelled by its column.

In: rows of cells, in order.  Out: a part of tab-separated lines whose cells are labelled fields.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from dlp.decode.contract import Budget
from dlp.model import FieldMap, Part

# Find the row of a table that names its columns.

LOOK_AT_ROWS = 12
VALUE_LIKE = re.compile(r"\d{4,}|\d[\s./:-]+\d|@|^[\d\s.,%+-]+$")
JOINT = re.compile(r"_|(?<=[a-z])(?=[A-Z])")  # date_of_birth, dateOfBirth
# Words of column names; enough for tables whose every column is text.
WORDS = re.compile(
    r"\b(name|names|surname|forename|first|last|middle|patient|id|ids|no|nr|number|mrn|ssn|nhs|dob|"
    r"birth|birthdate|born|date|time|year|month|sex|gender|age|race|ethnicity|address|street|city|town|state|"
    r"county|country|zip|postcode|postal|phone|tel|telephone|mobile|fax|email|e-mail|mail|diagnosis|"
    r"diagnoses|condition|disease|icd|code|drug|medication|dose|test|result|value|unit|units|comment|"
    r"comments|notes|note|description|type|status|category|title|doctor|physician|provider|hospital|"
    r"ward|clinic|department|company|organisation|organization|occupation|salary|amount|price|total|"
    r"count|quantity|qty|item|product|reference|ref|url|website|insurance|policy|account|visit|admission|"
    r"discharge|symptom|symptoms|treatment|procedure|allergy|allergies|weight|height|blood)\b",
    re.IGNORECASE,
)  # fmt: skip

# ECMA-376 part 1, 18.8.30: formats that are never written out in the file.
BUILT_IN_DATES = frozenset({*range(14, 18), 22, *range(27, 32), 36, *range(50, 59)})
BUILT_IN_TIMES = frozenset({18, 19, 20, 21, 32, 33, 34, 35, 45, 47})
QUOTED = re.compile(r'"[^"]*"|\\.|_.|\*.|\[[^\]]*\]')
ELAPSED = re.compile(r"\[(h+|m+|s+)\]", re.IGNORECASE)
PLACES = re.compile(r"[0#?]")
MASK = re.compile(r"[0#?() /.+-]*0[0#?() /.+-]*")
LAST_DAY = 2_958_465  # 9999-12-31
EPOCH_1900 = dt.datetime(1899, 12, 30)  # noqa: DTZ001 - a calendar date has no zone
EPOCH_1904 = dt.datetime(1904, 1, 1)  # noqa: DTZ001
WHOLE = 1e15  # a double is exact up to here


def find_header(rows: Sequence[Mapping[int, str]]) -> int | None:
    """Give the index of the header among the first rows; each row maps column to text."""
    rows = rows[:LOOK_AT_ROWS]
    width = max((len(row) for row in rows), default=0)
    for index, row in enumerate(rows[:-1]):
        if looks_like_labels(row, width) and names_what_follows(row, rows[index + 1 :]):
            return index
    return None


def looks_like_labels(row: Mapping[int, str], width: int) -> bool:
    texts = list(row.values())
    # A label may stand twice ("Date", "Date"); a row of repeated words is not a header.
    distinct = len({text.casefold() for text in texts})
    if not texts or len(texts) * 2 < width or distinct * 5 < len(texts) * 4:
        return False
    return all(len(text) <= LONGEST_LABEL and not VALUE_LIKE.search(text) for text in texts)


def names_what_follows(row: Mapping[int, str], below: Sequence[Mapping[int, str]]) -> bool:
    """Labels differ in kind from the values under them, or are words that name columns."""
    for column in row:
        values = [other[column] for other in below if column in other]
        if values and sum(bool(VALUE_LIKE.search(value)) for value in values) * 2 > len(values):
            return True
    known = sum(bool(WORDS.search(JOINT.sub(" ", text))) for text in row.values())
    return known * 2 >= len(row)


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


@lru_cache(maxsize=4096)
def classify(number_format: int, code: str) -> str:
    """Give "date", "time", the digit mask, or nothing for a plain number."""
    if number_format in BUILT_IN_DATES:
        return "date"
    if number_format in BUILT_IN_TIMES:
        return "time"
    if not code or code.lower() == "general" or ELAPSED.search(code):
        return ""
    first = code.split(";", maxsplit=1)[0]
    bare = QUOTED.sub("", first).lower()
    if re.search(r"[dy]", bare) or ("m" in bare and not re.search(r"[hs]", bare)):
        return "date"
    if re.search(r"[hs]", bare):
        return "time"
    mask = re.sub(r'\\(.)|"([^"]*)"|\[[^\]]*\]|_.|\*.', r"\1\2", first)
    # A mask with separators or leading zeros rebuilds what was typed: 000-00-0000.
    if MASK.fullmatch(mask) and "." not in mask and len(PLACES.findall(mask)) > 1:
        return mask
    return ""


def number_text(stored: str, meaning: str = "", *, from_1904: bool = False) -> str:
    """Write a stored number as it was meant; what is not a number comes back as it is."""
    try:
        value = float(stored)
    except ValueError:
        return stored
    if value != value or abs(value) == float("inf"):  # noqa: PLR0124 - the test for not-a-number
        return stored
    if meaning in {"date", "time"}:
        return moment(value, from_1904=from_1904) or plain(value)
    if meaning and value.is_integer() and abs(value) < WHOLE:
        return masked(int(value), meaning)
    return plain(value)


def plain(value: float) -> str:
    if value.is_integer() and abs(value) < WHOLE:
        return str(int(value))
    return repr(value)


def moment(serial: float, *, from_1904: bool) -> str:
    """Write a serial day as an ISO date, date and time, or time of day."""
    if not 0 <= serial <= LAST_DAY:
        return ""
    if serial < 1:
        return clock(serial)
    # The old programs believe in 29 February 1900, so days before it are one off.
    epoch = EPOCH_1904 if from_1904 else EPOCH_1900 + dt.timedelta(days=serial < 60)
    try:
        when = epoch + dt.timedelta(days=int(serial))
    except OverflowError:
        return ""
    day = f"{when.year:04}-{when.month:02}-{when.day:02}"
    seconds = round(serial % 1 * 86_400)
    return f"{day} {clock(serial % 1)}" if 0 < seconds < 86_400 else day


def clock(fraction: float) -> str:
    minutes, seconds = divmod(min(round(fraction * 86_400), 86_399), 60)
    return f"{minutes // 60:02}:{minutes % 60:02}:{seconds:02}"


def masked(value: int, mask: str) -> str:
    """Fill the places of a mask from the right; digits beyond it stay in front."""
    digits = list(str(abs(value)))
    zeros_left = mask.count("0")
    out: list[str] = []
    for place in reversed(mask):
        if place not in "0#?":
            out.append(place)
            continue
        if digits:
            out.append(digits.pop())
        elif zeros_left:
            out.append("0")
        zeros_left -= place == "0"
    text = "".join(reversed(out)).strip()
    return ("-" if value < 0 else "") + "".join(digits) + text
