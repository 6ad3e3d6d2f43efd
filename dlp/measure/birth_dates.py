"""What a date of birth or an age says of when somebody was born, however it is written.

In: the text of a date or an age.  Out: Born: the years it leaves open, and whether month and day
are stated.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from math import exp, log
from typing import NamedTuple

from dlp.knowledge.names import DECADES
from dlp.text.dates import month_number

DAYS, MONTHS = 365.25, 12
OLDEST = 122
NUMBERS = re.compile(r"\d+")
WORDS = re.compile(r"[^\W\d_]+")
MONTH_OF_UNIT = re.compile(r"(?i)(month|mos?\b|week|wk|day|meses|d[ií]as|monate|mois)")
UNITS = {name: value for value, name in enumerate([
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen",
    "nineteen",
])}  # fmt: skip
TENS = {name: 10 * value for value, name in enumerate([
    "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety",
], 2)}  # fmt: skip
DECADE_WORDS = {f"{name[:-1]}ies": years for name, years in TENS.items()} | {"teens": 13}
NAMED_AGES = {
    "teenager": (13, 19), "teenage": (13, 19), "adolescent": (12, 18), "newborn": (0, 0),
    "neonate": (0, 0), "infant": (0, 1), "toddler": (1, 3), "sexagenarian": (60, 69),
    "septuagenarian": (70, 79), "octogenarian": (80, 89), "nonagenarian": (90, 99),
    "centenarian": (100, 112),
}  # fmt: skip
AGE_SPREAD = 2.0  # years in which somebody of an age may be born: nobody says as of which day
LEAST = 1e-8  # of the people alive, born in one year: so few are the oldest
SPREAD, LOOSE = 1.3, 2.0  # by which a share may be wrong: of a year of birth, and of an age


class Born(NamedTuple):
    """First and last year (fractions for months), and what else is stated."""

    first: float = 0.0  # 0: no year is stated
    last: float = 0.0
    month: bool = False
    day: bool = False
    age: bool = False


@functools.lru_cache(maxsize=8192)
def read_birth(text: str) -> Born:
    """A date of birth: 14/06/1962, 14-Jun-62, 14JUN1962, 19620614, June 1962, 06/1962, 1962."""
    month = next(filter(None, map(month_number, WORDS.findall(text))), 0)
    digits = NUMBERS.findall(text)
    if len(digits) == 1 and len(digits[0]) >= 8:
        return _of_compact(digits[0])
    numbers = [int(one) for one in digits[:3]]
    whole = [number for number in numbers if number > 1000]
    if whole:
        stated = len(numbers) - 1 + bool(month)
        return Born(whole[0], whole[0], month=stated >= 1, day=stated >= 2)
    if month and len(numbers) == 2:  # 14-Jun-62: the day stands first, the year last
        return _in_century(numbers[1], day=True)
    if len(numbers) == 3:
        return _in_century(numbers[0] if numbers[0] > 31 else numbers[2], day=True)
    if month and numbers:
        if numbers[0] > 31:
            return _in_century(numbers[0], day=False)
        return Born(month=True, day=True)  # "14 June": no year
    if len(numbers) == 1 and 31 < numbers[0] < 100:
        year = _in_century(numbers[0], day=False)
        return year._replace(month=False)
    return Born(month=bool(month))


def _of_compact(digits: str) -> Born:
    """YYYYMMDD or a day and month before the year."""
    year = int(digits[:4])
    if not 1850 <= year <= 2100:
        year = int(digits[4:8])
    return Born(year, year, month=True, day=True) if 1850 <= year <= 2100 else Born()


def _in_century(year: int, *, day: bool) -> Born:
    """Two digits of a year: of this century where that has been, else of the last."""
    whole = year + (2000 if year <= this_year() % 100 else 1900)
    return Born(whole, whole, month=True, day=day)


@functools.lru_cache(maxsize=8192)
def read_age(text: str) -> Born:
    """An age: 45, 92M, (45), ninety-four-year-old, in his nineties, 80s, 8 months, 45-50 years."""
    words = [word.lower() for word in WORDS.findall(text)]
    for word in words:
        if word in NAMED_AGES:
            return _aged(*NAMED_AGES[word])
        if word in DECADE_WORDS:
            return _in_decade(DECADE_WORDS[word], words)
    numbers = [int(one) for one in NUMBERS.findall(text)[:2]]
    if not numbers:
        spelt = _spelt(words)
        numbers = [spelt] if spelt is not None else []
    if not numbers or numbers[0] > OLDEST:
        return Born()
    if MONTH_OF_UNIT.search(text):
        years = numbers[0] / (12 if re.search(r"(?i)mo|mes|mon", text) else 52)
        return _aged(years, years, width=1 / 12)
    if re.search(r"\d0s\b", text) and numbers[0] % 10 == 0:
        return _in_decade(numbers[0], words)
    high = numbers[1] if len(numbers) > 1 and numbers[0] < numbers[1] <= OLDEST else numbers[0]
    return _aged(numbers[0], high)


def _in_decade(start: int, words: Sequence[str]) -> Born:
    low, high = start, 19 if start == 13 else start + 9
    for word, (first, last) in {"early": (0, 3), "mid": (3, 6), "late": (6, 9)}.items():
        if word in words:
            low, high = start + first, start + last
    return _aged(low, high)


def _aged(low: float, high: float, width: float = AGE_SPREAD) -> Born:
    now = this_year() + 0.5
    return Born(now - high - width, now - low, age=True)


def _spelt(words: Sequence[str]) -> int | None:
    """Ninety-four, forty, seven."""
    for at, word in enumerate(words):
        if word in TENS:
            after = words[at + 1] if at + 1 < len(words) else ""
            return TENS[word] + UNITS.get(after, 0) % 10
        if word in UNITS:
            return UNITS[word]
    return None


def this_year() -> int:
    return datetime.now(UTC).year


def birth_shares(stated: Iterable[Born], decades: tuple[float, ...]) -> tuple[float, float, str]:
    """The share born so, the factor by which it may be wrong, and the words for it.

    Every statement can only narrow: of the years the narrowest counts, a month and a day count
    once.
    """
    years, spread = 1.0, SPREAD
    month = day = aged = dated = False
    for born in stated:
        if born.first:
            share = span_share(born.first, born.last, decades)
            if share < years:
                years, spread = share, LOOSE if born.age else SPREAD
            aged, dated = aged or born.age, dated or not born.age
        month, day = month or born.month, day or born.day
    share = years * (1 / MONTHS if month else 1.0) * (MONTHS / DAYS if day else 1.0)
    if day:
        return share, spread, "born on that day"
    if month:
        return share, spread, "born in that month"
    return share, spread, "born in that year" if dated else "of that age" if aged else ""


def span_share(first: float, last: float, decades: tuple[float, ...]) -> float:
    """The share of living people born between two years."""
    if last - first < 1:
        whole = max(last - first, 1.0 if last == first else 1 / DAYS)
        return min(1.0, whole * year_share((first + last) / 2, decades))
    count = round(last - first)
    step = (last - first) / count
    each = [year_share(first + step * (i + 0.5), decades) for i in range(count)]
    return min(1.0, step * sum(each))


def year_share(year: float, decades: tuple[float, ...]) -> float:
    """The share of living people born in a year: thin decades count as thin, never as none.

    Between the middles of two decades the share changes evenly, on a scale of ratios, so that
    the oldest are the fewest.
    """
    place = (year - DECADES[0] - 5) / 10
    if place <= 0:
        fall = max(1.0, (place * -10) ** 1.5)  # who is left of the oldest
        return max(decades[0] / 10 * exp(-0.35 * fall) if place < 0 else decades[0] / 10, LEAST)
    at = min(int(place), len(decades) - 2)
    within = min(place - at, 1.0)
    before, after = max(decades[at], 1e-5), max(decades[at + 1], 1e-5)
    return exp((1 - within) * log(before) + within * log(after)) / 10
