"""Say what a stored spreadsheet number means to the person who typed it.

In: the stored number and the cell's number format.  Out: text: 20586313, 1980-02-29, 078-05-1120.
"""

from __future__ import annotations

import datetime as dt
import re
from functools import lru_cache

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
