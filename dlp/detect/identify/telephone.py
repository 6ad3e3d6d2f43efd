"""Tell telephone numbers from other numbers.

In: a number as written.  Out: True (assignable), None (written like one), False (not one).
"""

from __future__ import annotations

import functools
import importlib
import re
from collections.abc import Callable
from typing import Any

import re2

from dlp.lazy_resources import OnDemand, lazy_registry

PLANS = "telephones"  # the name of what a worker lacks without them
DIGIT = re.compile(r"\d")
# Area and exchange codes start with 2 to 9 (NANP); 555-01xx is fiction's own exchange.
NANP = re.compile(r"1?([2-9]\d\d)([2-9]\d\d)(\d{4})")
EXTENSION = re.compile(r"(?i)\s*(?:x|ext\.?|extension|#)\s*\d{1,6}$")
# Countries whose national writing is tried when a label says "phone" but no country is given.
REGIONS = ("US", "GB", "ES", "FR", "DE", "IT", "NL", "BE", "CH", "AU", "IE", "SE", "DK", "NO", "BR")
AMERICA = REGIONS[0]
TYPES = (
    *("premium_rate", "toll_free", "shared_cost", "voip", "personal_number"),
    *("pager", "uan", "voicemail", "fixed_line", "mobile"),
)
PLANS_MEMORY = 32 << 20


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
    """Whether a country has it, or one beside America."""
    likely = (REGIONS[one] for one in sorted(all_plans().Match(digits) or ()))
    return any(known_number(digits, one) for one in likely if not (abroad and one == AMERICA))


@functools.lru_cache(maxsize=8192)
def known_number(digits: str, region: str | None) -> bool:
    """Whether a plan has such a number; one with a country code starts with + and has no region."""
    phonenumbers = plans().get()
    try:
        return bool(phonenumbers.is_valid_number(phonenumbers.parse(digits, region)))
    except phonenumbers.NumberParseException:
        return False


@functools.cache
def plans() -> OnDemand[Any]:
    """The numbering plan of every country; most files hold no such number."""
    return lazy_registry().put(PLANS, load_plans)


def load_plans() -> Any:
    """The library with all its plans: a confined worker can open none."""
    phones = importlib.import_module("phonenumbers")
    phones.PhoneMetadata.load_all()
    return phones


@functools.cache
def all_plans() -> re2.Set:
    """Numbers that a region may have, one pattern for each of REGIONS.

    A prefilter for the library, which takes 20 microseconds a region: a page of a thousand numbers
    would ask it for fifteen regions each.
    """
    options = re2.Options()
    options.never_capture = True
    options.max_mem = PLANS_MEMORY
    found = re2.Set.FullMatchSet(options)
    for region in REGIONS:
        known = metadata_of(region)
        prefix = f"(?:{known.national_prefix_for_parsing or ''})"
        numbers = sorted(
            {shape for other in sharing(known) for shape in shapes(metadata_of(other))}
        )
        ways = [f"(?:{prefix}|{known.country_code}{prefix}{{0,2}})?(?:{'|'.join(numbers)})"]
        if known.international_prefix:
            ways.append(f"(?:{known.international_prefix})[0-9]*")
        if known.national_prefix_transform_rule:
            ways.append(f"(?:{known.country_code})?{prefix}[0-9]*")
        found.Add("|".join(ways))
    found.Compile()
    return found


def metadata_of(region: str) -> Any:
    return plans().get().PhoneMetadata.metadata_for_region(region, None)


def sharing(known: Any) -> tuple[str, ...]:
    """The regions behind a country code."""
    regions: tuple[str, ...] = plans().get().COUNTRY_CODE_TO_REGION_CODE[known.country_code]
    return regions


def shapes(known: Any) -> list[str]:
    kinds = [getattr(known, kind) for kind in TYPES]
    return [one.national_number_pattern for one in kinds if one and one.national_number_pattern]


TELEPHONE_CHECKS: dict[str, Callable[[str], bool | None]] = {
    "phone_nanp": nanp,
    "phone_international": international,
    "phone_national": national,
    "phone_local": local_number,
    "phone_assigned": assigned,
}
