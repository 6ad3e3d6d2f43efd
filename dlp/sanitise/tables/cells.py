"""Cells as a table gives them: missing, numbers, dates; and how to write such a cell again.

In: a cell, text or typed.  Out: text, quantities, and a writer that keeps the column's form.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime

_MISSING = frozenset(
    [
        *("", "na", "n/a", "nan", "null", "none", "nil", "#n/a", "?", "??", "-", "--", ".", "*"),
        *("unknown", "unk", "missing", "not available", "not recorded", "n.a.", "nd", "n/d"),
    ]
)
_NUMBER = re.compile(r"[-+]?(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.\d+)?(?:[eE][-+]?\d{1,3})?", re.ASCII)
_COMMA = re.compile(r"[-+]?(?:\d+|\d{1,3}(?:\.\d{3})+),\d+", re.ASCII)
_UNIT = re.compile(r"([-+]?[\d.,]*\d)\s*([^\W\d_%][\w/%².°]{0,11}|%|°[CF]?)")
# In this order: a form earlier in the list is tried first, and must fit nearly all cells.
DATE_FORMS = (
    "%Y-%m-%d", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M:%S%z", "%Y-%m-%d %H:%M",
    "%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S.%f", "%Y-%m-%d %H:%M:%S.%f", "%m/%d/%Y", "%d/%m/%Y",
    "%Y/%m/%d", "%d.%m.%Y", "%d-%b-%Y", "%d %b %Y", "%d %B %Y", "%B %d, %Y", "%m/%d/%y",
    "%m/%d/%Y %H:%M", "%d/%m/%Y %H:%M", "%m/%d/%Y %H:%M:%S", "%d/%m/%Y %H:%M:%S",
    "%m/%d/%Y %I:%M %p", "%m/%d/%Y %I:%M:%S %p", "%d.%m.%Y %H:%M", "%d.%m.%Y %H:%M:%S",
    "%d-%m-%Y", "%Y%m%d", "%Y-%m",
)  # fmt: skip
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_LARGEST = 1e100  # beyond, a range overflows; nobody measures so much
_SHORTEST_DATE = 6  # characters, as in "1/2/20"
_THOUSAND = 3  # digits behind a sign that parts thousands
_MOST = 0.9  # of the cells that a form must fit
_SEEN = 2000  # cells looked at to choose a form


def text_of(cell: object) -> str:
    """The cell as text; nothing for the many spellings of a missing value."""
    if cell is None or (isinstance(cell, float) and math.isnan(cell)):
        return ""
    text = str(cell).strip()
    return "" if text.lower() in _MISSING else text


def number_of(cell: object) -> float | None:
    if isinstance(cell, bool):
        return None
    if isinstance(cell, int | float):
        return float(cell) if abs(cell) < _LARGEST else None  # also refuses NaN
    text = text_of(cell)
    if not _NUMBER.fullmatch(text):
        return None
    number = float(text.replace(",", ""))
    return number if abs(number) < _LARGEST else None


@dataclass(frozen=True, slots=True)
class NumberForm:
    """How a column writes its numbers: with a decimal comma, with a unit behind them."""

    comma: bool = False
    unit: str = ""  # with the blank before it

    def read(self, cell: object) -> float | None:
        if not isinstance(cell, str) or not (self.comma or self.unit):
            return number_of(cell)
        return number_of(self.bare(cell))

    def bare(self, cell: str) -> str:
        """The number alone, with a point."""
        text = text_of(cell).removesuffix(self.unit.strip()).strip() if self.unit else text_of(cell)
        return text.replace(".", "").replace(",", ".") if self.comma else text


def number_form(cells: Iterable[object]) -> NumberForm:
    """The form that most texts of a column have; the plain one when they share none."""
    texts = [text for cell in cells if isinstance(cell, str) and (text := text_of(cell))]
    units = Counter(
        cell[hit.end(1) : hit.end(2)] for cell in texts if (hit := _UNIT.fullmatch(cell))
    )
    unit, often = units.most_common(1)[0] if units else ("", 0)
    unit = unit if often >= _MOST * len(texts) else ""
    bare = [text.removesuffix(unit.strip()).strip() if unit else text for text in texts]
    # "1,234" may be a thousand; a column with "5,3" or "12,75" in it has decimal commas.
    with_comma = [text for text in bare if _COMMA.fullmatch(text)]
    sure = any(len(text.rpartition(",")[2]) != _THOUSAND for text in with_comma)
    fit = sum(_COMMA.fullmatch(text) is not None or text.isdigit() for text in bare)
    return NumberForm(sure and fit >= _MOST * len(bare), unit)


def number_writer(
    cells: Sequence[object], form: NumberForm | None = None
) -> Callable[[float], object]:
    """Write a mean with as many decimals as the column has, in its form and type."""
    form = form or NumberForm()
    decimals, texts, typed = 0, 0, 0
    for cell in cells:
        text = form.bare(cell) if isinstance(cell, str) else text_of(cell)
        decimals = max(decimals, len(text.partition(".")[2]) if "e" not in text.lower() else 6)
        texts += isinstance(cell, str)
        typed += isinstance(cell, int | float)
    places = min(decimals, 6)

    def write(value: float) -> object:
        rounded = round(value, places)
        number: float | int = rounded if places else int(rounded)
        if texts <= typed:
            return number
        text = f"{number:.{places}f}"
        return (text.replace(".", ",") if form.comma else text) + form.unit

    return write


def date_form(cells: Sequence[object]) -> str | None:
    """The form of a column of dates; "typed" when the table itself knows them as dates."""
    there = [cell for cell in cells[:_SEEN] if text_of(cell)]
    if not there:
        return None
    if all(isinstance(cell, date) for cell in there):
        return "typed"
    if max(len(text_of(cell)) for cell in there) < _SHORTEST_DATE:
        return None
    for form in DATE_FORMS:
        if sum(date_of(cell, form) is not None for cell in there) >= _MOST * len(there):
            return form
    return None


def date_of(cell: object, form: str) -> float | None:
    """Seconds since 1970 by a form; None when the cell is no such date."""
    moment: datetime | None = None
    if isinstance(cell, datetime):
        moment = cell
    elif isinstance(cell, date):
        moment = datetime(cell.year, cell.month, cell.day, tzinfo=UTC)
    elif form != "typed":
        try:
            moment = datetime.strptime(text_of(cell), form)  # noqa: DTZ007 - set below
        except ValueError:
            return None
    if moment is None:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return (moment - _EPOCH).total_seconds()


def date_writer(form: str, cells: Sequence[object]) -> Callable[[float], object]:
    """Write a mean date as the column writes its own; whole days where it has no time."""
    first = next((cell for cell in cells if isinstance(cell, date)), None)
    whole = not isinstance(first, datetime) if form == "typed" else "%H" not in form

    def write(value: float) -> object:
        seconds = round(value / 86400) * 86400 if whole else round(value)
        moment = datetime.fromtimestamp(seconds, tz=UTC)
        if form != "typed":
            written = moment.strftime(form)
            return written[:-2] + ":" + written[-2:] if form.endswith("%z") else written
        return moment.date() if whole else moment.replace(tzinfo=None)

    return write
