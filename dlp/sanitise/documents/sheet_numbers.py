"""Read stored numbers as the people who typed them would: a serial day is a date.

In: a stored number and its cell's format.  Out: the texts it may stand for.
"""

from __future__ import annotations

import datetime as dt
import re

# ECMA-376 part 1, 18.8.30: formats that are never written out in the file.
DATES = frozenset({*range(14, 18), 22, *range(27, 32), 36, *range(50, 59)})
QUOTED = re.compile(r'"[^"]*"|\\.|_.|\*.|\[[^\]]*\]')
EPOCH = dt.datetime(1899, 12, 30)  # noqa: DTZ001 - a calendar date has no zone
EPOCH_1904 = dt.datetime(1904, 1, 1)  # noqa: DTZ001
LAST_DAY = 2_958_465  # 9999-12-31
MASK_DIGIT = re.compile(r"[0#?]")


def readings(stored: str, number_format: int, code: str, *, from_1904: bool) -> list[str]:
    """What the cell shows in common spellings, most likely first."""
    try:
        value = float(stored)
    except ValueError:
        return [stored]
    whole = value.is_integer() and abs(value) < 1e15
    texts = [str(int(value)) if whole else stored]
    if is_date(number_format, code) and 1 <= value <= LAST_DAY:
        day = (EPOCH_1904 if from_1904 else EPOCH) + dt.timedelta(days=int(value))
        texts = [
            f"{day.year:04}-{day.month:02}-{day.day:02}",
            f"{day.month}/{day.day}/{day.year}",
            f"{day.month:02}/{day.day:02}/{day.year}",
            f"{day.day:02}/{day.month:02}/{day.year}",
            f"{day.day:02}.{day.month:02}.{day.year}",
        ]
    elif whole and (mask := mask_of(code)):
        texts.insert(0, masked(int(value), mask))
    if stored not in texts:
        texts.append(stored)
    return texts


def is_date(number_format: int, code: str) -> bool:
    if number_format in DATES:
        return True
    bare = QUOTED.sub("", code.split(";", maxsplit=1)[0]).lower()
    if bare == "general":
        return False
    return bool(re.search(r"[dy]", bare) or ("m" in bare and not re.search(r"[hs]", bare)))


def mask_of(code: str) -> str:
    """A mask with separators or leading zeros rebuilds what was typed: 000-00-0000."""
    mask = re.sub(r'\\(.)|"([^"]*)"|\[[^\]]*\]|_.|\*.', r"\1\2", code.split(";", maxsplit=1)[0])
    plain = re.fullmatch(r"[0#?() /+-]*0[0#?() /+-]*", mask)
    return mask if plain and len(MASK_DIGIT.findall(mask)) > 1 else ""


def masked(value: int, mask: str) -> str:
    digits = str(abs(value)).rjust(len(MASK_DIGIT.findall(mask)), "0")
    extra = len(digits) - len(MASK_DIGIT.findall(mask))
    signs = iter(digits[extra:])
    return digits[:extra] + MASK_DIGIT.sub(lambda _: next(signs), mask)
