"""Tell dates and ages from other groups of digits.

In: a date or age as written.  Out: whether it can be one; its ISO form when it can be read.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from datetime import date

NUMBERS = re.compile(r"\d+")
WORDS = re.compile(r"[^\W\d_]+")
# First letters of month names in English, Spanish, French, German, Italian, Dutch, Portuguese,
# without accents; the longest stem wins.
STEMS = {
    1: "jan ene enero janv gen gennaio",
    2: "feb fev feb fevr fevereiro febbraio",
    3: "mar marz mars maa maart mrt mrz maerz",
    4: "apr abr avr abril",
    5: "may mai mayo mei mag maggio maio",
    6: "jun juin giu giugno",
    7: "jul juil lug luglio",
    8: "aug ago agosto aout",
    9: "sep set sept settembre setembro",
    10: "oct okt ott out octubre outubro ottobre oktober",
    11: "nov noviembre novembre novembro",
    12: "dec dic des dez diciembre dezembro dezember dicembre",
}
MONTH_OF = {stem: month for month, stems in STEMS.items() for stem in stems.split()}
ACCENTS = str.maketrans("áàâäéèêëíìîïóòôöúùûüç", "aaaaeeeeiiiioooouuuuc")
LONGEST_MONTH = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
# "may 5", "march 4" and "mar 2" in lower case without a year are verbs and noise.
AMBIGUOUS = frozenset({"may", "march", "mar", "set", "out", "gen", "mag", "sep", "dec", "mai"})


def day_fits(month: int, day: int) -> bool:
    return 1 <= month <= 12 and 1 <= day <= LONGEST_MONTH[month - 1]


def numeric_date(value: str) -> bool | None:
    """Two numbers that can be day and month, a year, and the same sign between all three."""
    parts = [int(number) for number in NUMBERS.findall(value)[:3]]
    signs = NUMBERS.split(value)
    if len(parts) != 3 or signs[1].strip() != signs[2].strip(" '"):
        return False
    if parts[0] > 31:
        return (year_fits(parts[0]) and day_fits(parts[1], parts[2])) or False
    first, second, year = parts
    if not year_fits(year):
        return False
    return day_fits(first, second) or day_fits(second, first)


def year_fits(year: int) -> bool:
    return year < 100 or is_year(year)


def is_year(number: int) -> bool:
    """Whether records of care may name it: the oldest are of people born before 1900."""
    return 1850 <= number <= 2100


def compact_date(value: str) -> bool | None:
    """YYYYMMDD as in HL7 and DICOM, or DDMMYYYY / MMDDYYYY."""
    digits = "".join(NUMBERS.findall(value))[:8]
    if len(digits) != 8:
        return False
    year, month, day = int(digits[:4]), int(digits[4:6]), int(digits[6:])
    if is_year(year) and day_fits(month, day):
        return True
    first, second, year = int(digits[:2]), int(digits[2:4]), int(digits[4:])
    return is_year(year) and (day_fits(first, second) or day_fits(second, first))


@functools.lru_cache(maxsize=1024)  # the words of dates are few
def month_number(word: str) -> int | None:
    plain = word.lower().translate(ACCENTS)
    for length in range(len(plain), 2, -1):
        if plain[:length] in MONTH_OF:
            return MONTH_OF[plain[:length]]
    return None


def written_date(value: str) -> bool | None:
    """A date with its month in letters; a lower-case "may 5" without a year is a verb."""
    words = [word for word in WORDS.findall(value) if month_number(word)]
    numbers = [int(number) for number in NUMBERS.findall(value)]
    if not words or not numbers:
        return False
    month = month_number(words[0])
    assert month is not None
    small = [number for number in numbers if number <= 31]
    if len(numbers) == 1 and small and words[0] in AMBIGUOUS:
        return False
    if any(number > 99 and not is_year(number) for number in numbers):
        return False
    return not small or any(day_fits(month, number) for number in small)


def day_and_month(value: str) -> bool | None:
    """A day of a month; 5/7, 3/52 and 18/12 are days, weeks and months in British shorthand."""
    numbers = [int(number) for number in NUMBERS.findall(value)]
    if len(numbers) != 2:
        return False
    first, second = numbers
    if not day_fits(first, second) and not day_fits(second, first):
        return False
    return None if second in {7, 12} else True


def old_age(value: str) -> bool | None:
    """Ages HIPAA counts as identifying: from 89 on, up to the oldest people known."""
    return any(89 <= int(number) <= 122 for number in NUMBERS.findall(value)[:1]) or None


def any_age(value: str) -> bool | None:
    numbers = NUMBERS.findall(value)
    return not numbers or int(numbers[0]) <= 122


def birth_year(value: str) -> bool | None:
    return any(is_year(int(number)) for number in NUMBERS.findall(value))


@functools.lru_cache(maxsize=32_768)
def iso_date(value: str) -> str:
    """The one date a writing can mean, as YYYY-MM-DD; otherwise the writing, tidied."""
    tidy = " ".join(re.findall(r"\w+", value.lower()))
    numbers = [int(number) for number in NUMBERS.findall(value)[:3]]
    months = [month for word in WORDS.findall(value) if (month := month_number(word))]
    year = month = day = 0
    if months and len(numbers) == 2:
        month, (day, year) = months[0], sorted(numbers)
    elif len(numbers) == 3 and numbers[0] > 31:
        year, month, day = numbers
    elif len(numbers) == 3 and numbers[2] > 99 and (numbers[0] > 12 or numbers[1] > 12):
        year = numbers[2]
        month, day = sorted(numbers[:2])
    try:
        return date(year, month, day).isoformat() if year > 99 else tidy
    except ValueError:
        return tidy


CALENDAR_CHECKS: dict[str, Callable[[str], bool | None]] = {
    check.__name__: check
    for check in (
        *(numeric_date, compact_date, written_date, day_and_month, old_age, any_age, birth_year),
    )
}
