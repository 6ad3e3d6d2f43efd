"""The number of a resident of China: check digit, date of birth, a county that stood that year.

In: a number as written.  Out: True or False.

The arithmetic and the counties are those of python-stdnum, whose own reader takes five times as
long for 7,000 counties as the one here, at every start.
"""

from __future__ import annotations

import functools
import re
from pathlib import Path

LENGTH = 18
LINE = re.compile(r'^(\d\d) |^  (\d{4}) county="([^"]*)"', re.MULTILINE)


def resident_number(value: str) -> bool:
    """Raises what python-stdnum raises at a date that is none."""
    from stdnum.cn import ric  # noqa: PLC0415 - see validators.py

    number = ric.compact(value)
    digits = number[:-1]
    if len(number) != LENGTH or not (digits.isascii() and digits.isdigit()):
        return False
    if number[-1] != ric.calc_check_digit(number):
        return False
    year = ric.get_birth_date(number).year
    named = counties().get(number[:6])
    return named is not None and any(stood(county, year) for county in named.split(","))


def stood(county: str, year: int) -> bool:
    """Whether "[1983-2010]name" was there; without years it always was."""
    if not county.startswith("["):
        return True
    start, end = county[1:].partition("]")[0].split("-")
    return not (start and year < int(start)) and not (end and year > int(end))


@functools.cache
def table() -> str:
    import stdnum  # noqa: PLC0415 - see validators.py

    return Path(stdnum.__path__[0], "cn", "loc.dat").read_text(encoding="utf-8")


@functools.cache
def counties() -> dict[str, str]:
    """What has borne each code of six digits, with the years where it has ended or begun."""
    known: dict[str, str] = {}
    province = ""
    for line in LINE.finditer(table()):
        province = line[1] or province
        if line[2]:
            known[province + line[2]] = line[3]
    return known
