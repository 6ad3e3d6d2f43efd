"""Tell telephone numbers from other numbers.

In: a number as written.  Out: True (assignable), None (written like one), False (not one).
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable

from dlp.detect.identify.phone_validity import likely_regions, plans, quick_answer

DIGIT = re.compile(r"\d")
# Area and exchange codes start with 2 to 9 (NANP); 555-01xx is fiction's own exchange.
NANP = re.compile(r"1?([2-9]\d\d)([2-9]\d\d)(\d{4})")
EXTENSION = re.compile(r"(?i)\s*(?:x|ext\.?|extension|#)\s*\d{1,6}$")
# Countries whose national writing is tried when a label says "phone" but no country is given.
REGIONS = ("US", "GB", "ES", "FR", "DE", "IT", "NL", "BE", "CH", "AU", "IE", "SE", "DK", "NO", "BR")
AMERICA = REGIONS[0]


def digits_of(value: str) -> str:
    return "".join(DIGIT.findall(without_extension(value)))


def without_extension(value: str) -> str:
    # a number of digits and signs alone, as most are, has none
    plain = "#" not in value and value.upper() == value.lower()
    return value if plain else EXTENSION.sub("", value)


def nanp(value: str) -> bool | None:
    """Three, three and four digits; codes that cannot be assigned leave it open."""
    digits = digits_of(value)
    if len(digits) not in {10, 11} or len(set(digits)) == 1:
        return False
    number = without_extension(value)
    if "." in number and "-" in number and "(" not in number:
        return False  # 252.227-7013 is a clause of a regulation
    return True if NANP.fullmatch(digits) else None


def international(value: str) -> bool | None:
    """Ask phonenumbers for a number with a country code."""
    digits = digits_of(value)
    if not 7 <= len(digits) <= 15:
        return False
    if not value.lstrip(" (").startswith("+"):
        # many numbers start with 00; only a real telephone number may be called one
        return known_number("+" + digits[2:], None)
    return True if known_number("+" + digits, None) else None


def national(value: str) -> bool | None:
    """Any country's own writing; only ever asked when a label calls it a telephone number."""
    digits = digits_of(value)
    if not 7 <= len(digits) <= 15 or len(set(digits)) == 1:
        return False
    return True if known_in_any(digits) else None


def assigned(value: str) -> bool | None:
    """A number some country has in its plan; without a label, shape alone is not enough."""
    digits = digits_of(value)
    if not 9 <= len(digits) <= 12 or len(set(digits)) < 3:
        return False
    return known_in_any(digits, abroad=True)


def local_number(value: str) -> bool | None:
    return len(digits_of(value)) == 7


def known_in_any(digits: str, *, abroad: bool = False) -> bool:
    """Whether a country has it, or one beside America: one set of plans answers both."""
    regions = likely_regions(digits, REGIONS)
    return any(known_number(digits, one) for one in regions if not (abroad and one == AMERICA))


@functools.lru_cache(maxsize=8192)
def known_number(digits: str, region: str | None) -> bool:
    """Whether a plan has such a number; one with a country code starts with + and has no region."""
    known = quick_answer(digits.removeprefix("+"), region)
    return asked_number(digits, region) if known is None else known


def asked_number(digits: str, region: str | None) -> bool:
    phonenumbers = plans().get()
    try:
        return bool(phonenumbers.is_valid_number(phonenumbers.parse(digits, region)))
    except phonenumbers.NumberParseException:
        return False


TELEPHONE_CHECKS: dict[str, Callable[[str], bool | None]] = {
    "phone_nanp": nanp,
    "phone_international": international,
    "phone_national": national,
    "phone_local": local_number,
    "phone_assigned": assigned,
}
