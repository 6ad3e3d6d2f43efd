"""Dates as people write them: find the year, move the whole by some days, keep the writing.

In: a date as written.  Out: the same writing of another day; None where it cannot be read.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, timedelta

MONTHS = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
_TOKEN = re.compile(r"\d+|[^\W\d_]{3,}")
_COMPACT = 8  # YYYYMMDD, perhaps with a time behind it
_UNDATED = 2000  # a leap year for days without a year
YEAR = re.compile(r"(?<!\d)(1[89]\d\d|20\d\d)(?!\d)")


@dataclass(frozen=True, slots=True)
class _Read:
    """Which token is what; -1 for none."""

    tokens: tuple[re.Match[str], ...]
    day: int = -1
    month: int = -1
    year: int = -1
    compact: bool = False


def year_of(written: str) -> str:
    """The year when four digits give it; compact writings too."""
    found = YEAR.search(written)
    if found:
        return found.group()
    compact = re.match(r"(1[89]\d\d|20\d\d)(?:0[1-9]|1[0-2])(?:[0-2]\d|3[01])", written.strip())
    return compact.group(1) if compact else ""


def shift(written: str, days: int, now: int = 2026) -> str | None:
    """The same writing, so many days later."""
    read = _read(written)
    if read is None:
        return None
    if read.compact:
        digits = read.tokens[read.year].group()
        moved = _moved(int(digits[:4]), int(digits[4:6]), int(digits[6:8]), days)
        new = {read.year: moved.strftime("%Y%m%d") + digits[8:]} if moved else {}
    else:
        year = _year(read.tokens[read.year].group(), now) if read.year >= 0 else _UNDATED
        month = _month(read.tokens[read.month].group()) if read.month >= 0 else 7
        day = int(read.tokens[read.day].group()) if read.day >= 0 else 15
        moved = _moved(year, month, day, days)
        new = _written(read, moved) if moved else {}
    if not new:
        return None
    pieces: list[str] = []
    place = 0
    for number, token in enumerate(read.tokens):
        pieces += (written[place : token.start()], new.get(number, token.group()))
        place = token.end()
    return "".join((*pieces, written[place:]))


def _moved(year: int, month: int, day: int, days: int) -> date | None:
    try:
        return date(year, month, day) + timedelta(days=days)
    except (ValueError, OverflowError):
        return None


def _written(read: _Read, moved: date) -> dict[int, str]:
    new = {}
    if read.year >= 0:
        width = len(read.tokens[read.year].group())
        new[read.year] = str(moved.year)[-width:] if width < 4 else str(moved.year)
    if read.month >= 0:
        old = read.tokens[read.month].group()
        new[read.month] = _like_number(old, moved.month) if old.isdigit() else _named(old, moved)
    if read.day >= 0:
        new[read.day] = _like_number(read.tokens[read.day].group(), moved.day)
    return new


def _like_number(old: str, value: int) -> str:
    return f"{value:02d}" if len(old) == 2 else str(value)


def _named(old: str, moved: date) -> str:
    name = MONTHS[moved.month - 1]
    name = name if old.lower() in MONTHS and len(old) > 3 else name[:3]
    if old.isupper():
        return name.upper()
    return name.capitalize() if old[:1].isupper() else name


def _month(word: str) -> int:
    if word.isdigit():
        return int(word)
    stems = [number for number, name in enumerate(MONTHS, 1) if name[:3] == word.lower()[:3]]
    return stems[0] if stems else 0


def _year(digits: str, now: int) -> int:
    value = int(digits)
    if len(digits) > 2:
        return value
    return value + (1900 if value > now % 100 + 1 else 2000)


def _read(written: str) -> _Read | None:
    tokens = tuple(_TOKEN.finditer(written))
    numbers = [n for n, t in enumerate(tokens) if t.group().isdigit()][:3]
    named = [n for n, t in enumerate(tokens) if not t.group().isdigit() and _month(t.group())]
    if numbers and len(tokens[numbers[0]].group()) >= _COMPACT:
        return _Read(tokens, year=numbers[0], compact=True)
    sizes = [len(tokens[n].group()) for n in numbers]
    if named:
        year = next((n for n, s in zip(numbers, sizes, strict=True) if s == 4), -1)
        rest = [n for n in numbers if n != year]
        if year < 0 and len(rest) > 1:
            year = rest.pop()
        return _Read(tokens, day=rest[0] if rest else -1, month=named[0], year=year)
    if len(numbers) == 3 and sizes[0] == 4:
        return _Read(tokens, year=numbers[0], month=numbers[1], day=numbers[2])
    if len(numbers) == 3:
        first, second = numbers[:2]
        if int(tokens[first].group()) > 12:
            first, second = second, first
        return _Read(tokens, month=first, day=second, year=numbers[2])
    if len(numbers) == 2:
        first, second = numbers
        if sizes[1] == 4:
            return _Read(tokens, month=first, year=second)
        if int(tokens[first].group()) > 12:
            first, second = second, first
        return _Read(tokens, month=first, day=second)
    return _Read(tokens, year=numbers[0]) if sizes == [4] else None
