"""Answer from the countries' numbering plans whether a telephone number can exist, quickly.

In: digits, the country they are dialled in, if any.  Out: True, False, or None: ask the library.

The plans are those of phonenumbers, which takes ten microseconds a country because it also keeps
what it learns on the way (carrier, type, source). A page of a thousand numbers asks for fifteen
countries each. Here only the question is answered, and what depends on more than the plan (a prefix
that is rewritten, two readings of which one is wrong) is left to the library. A test compares both.
"""

from __future__ import annotations

import functools
import importlib
import re
from typing import Any, NamedTuple

import re2

from dlp.lazy_resources import OnDemand, lazy_registry

PLANS = "telephones"  # the name of what a worker lacks without them
TYPES = (
    *("premium_rate", "toll_free", "shared_cost", "voip", "personal_number"),
    *("pager", "uan", "voicemail", "fixed_line", "mobile"),
)
LONGEST_CODE = 3  # digits of a country calling code
SHORTEST = 2  # digits a national number must have
LONGEST = 15  # digits of an international number (ITU-T E.164)
NOTHING = "(?!)"
PLANS_MEMORY = 32 << 20


class Plan(NamedTuple):
    """How the national numbers of one region look."""

    of_length: dict[int, tuple[str, str]]  # patterns: any number, and one of a type
    prefix: str | None  # dialled before a number within the country
    rewritten: bool  # the prefix is not cut off but replaced
    abroad: str | None  # dialled before a country code
    leading: str | None  # the digits all numbers of this region start with
    code: str

    def holds(self, number: str) -> bool:
        shapes = self.of_length.get(len(number))
        return shapes is not None and all(compiled(shape).fullmatch(number) for shape in shapes)


def quick_answer(digits: str, region: str | None) -> bool | None:
    if region is None:
        return from_anywhere(digits)
    plan = plan_of(region)
    if plan.abroad and (found := compiled(plan.abroad).match(digits)):
        rest = digits[found.end() :]
        if not rest.startswith("0"):  # no country code does; then it is a number at home
            return from_anywhere(rest)
    readings = readings_of(digits, plan)
    if readings is not None and digits.startswith(plan.code):
        behind = readings_of(digits[len(plan.code) :], plan)
        # behind a country code a prefix may be cut off twice
        twice = readings_of(behind[-1], plan) if behind else None
        maybe = twice is None or any(
            is_assigned(one, plan.code) for one in (*readings, *(behind or ()), *twice)
        )
        return None if maybe else False
    return answer_of(readings, plan.code)


def likely_regions(digits: str, regions: tuple[str, ...]) -> list[str]:
    """Those of these regions that may know a number; the others do not."""
    return [regions[one] for one in sorted(all_plans(regions).Match(digits) or ())]


@functools.lru_cache(maxsize=64)  # the regions of one number ask the same
def from_anywhere(digits: str) -> bool | None:
    """A number that starts with a country code."""
    for length in range(1, LONGEST_CODE + 1):
        code = digits[:length]
        if regions := regions_of(code):
            if regions[0] == "001":  # satellites and free phones of no country
                return None
            return answer_of(readings_of(digits[length:], plan_of(regions[0])), code)
    return False


def answer_of(readings: tuple[str, ...] | None, code: str) -> bool | None:
    if readings is None:
        return None
    if is_assigned(readings[-1], code):
        return True
    return None if any(is_assigned(one, code) for one in readings[:-1]) else False


def readings_of(number: str, plan: Plan) -> tuple[str, ...] | None:
    """The number as it is and, where it starts with a prefix, without it; None: hard to say."""
    if not SHORTEST <= len(number) <= LONGEST:
        return None
    found = compiled(plan.prefix).match(number) if plan.prefix else None
    if found is None:
        return (number,)
    return None if plan.rewritten else (number, number[found.end() :])


def is_assigned(number: str, code: str) -> bool:
    """Whether some region behind a country code has such numbers."""
    regions = regions_of(code)
    for region in regions:
        plan = plan_of(region)
        if len(regions) == 1 or (plan.leading and compiled(plan.leading).match(number)):
            return plan.holds(number)
        if not plan.leading and plan.holds(number):
            return True
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
def regions_of(code: str) -> tuple[str, ...]:
    known = plans().get().COUNTRY_CODE_TO_REGION_CODE
    return tuple(known.get(int(code), ())) if code[:1] != "0" else ()


@functools.cache
def plan_of(region: str) -> Plan:
    known = plans().get().PhoneMetadata.metadata_for_region(region, None)
    kinds = [getattr(known, kind) for kind in TYPES]
    return Plan(
        of_length={
            length: (known.general_desc.national_number_pattern, one_of(kinds, length))
            for length in known.general_desc.possible_length
        },
        prefix=known.national_prefix_for_parsing,
        rewritten=bool(known.national_prefix_transform_rule),
        abroad=known.international_prefix,
        leading=known.leading_digits,
        code=str(known.country_code),
    )


@functools.cache
def all_plans(regions: tuple[str, ...]) -> re2.Set:
    """Everything quick_answer can say yes or nothing to, one pattern a region."""
    options = re2.Options()
    options.never_capture = True
    options.max_mem = PLANS_MEMORY
    plans = re2.Set.FullMatchSet(options)
    for region in regions:
        plan = plan_of(region)
        numbers = {
            shape
            for other in regions_of(plan.code)
            for _, shape in plan_of(other).of_length.values()
            if shape != NOTHING
        }
        prefix = f"(?:{plan.prefix})" if plan.prefix else "(?:)"
        before = f"(?:{prefix}|{plan.code}{prefix}{{0,2}})?"
        ways = [f"{before}(?:{'|'.join(sorted(numbers))})"]
        ways += [f"(?:{plan.abroad})[0-9]*"] if plan.abroad else []
        ways += [f"(?:{plan.code})?{prefix}[0-9]*"] if plan.rewritten else []
        plans.Add("|".join(ways))
    plans.Compile()
    return plans


@functools.cache
def compiled(shape: str) -> re.Pattern[str]:
    """Compiled when a number first comes that long: few countries write to one share."""
    return re.compile(shape)


def one_of(kinds: list[Any], length: int) -> str:
    """Any type of number that may have this length; with none of them nothing matches."""
    shapes = [
        f"(?:{kind.national_number_pattern})"
        for kind in kinds
        if kind is not None
        and kind.national_number_pattern
        and (not kind.possible_length or length in kind.possible_length)
    ]
    return "|".join(shapes) or NOTHING
