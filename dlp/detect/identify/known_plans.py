"""Numbering plans of the library phonenumbers, a country at a time when a number asks for it.

In: the library.  Out: the same library, which takes its plans from what was prepared of them.

It keeps each of its 250 plans in a module of its own. All of them take a twentieth of a start, a
share asks for a few dozen, and a confined worker can open none. What is prepared of a plan leaves
out how numbers are printed, which nobody asks.
"""

from __future__ import annotations

import importlib
import json
from functools import partial
from typing import Any

from dlp.prepared import answer, line_of

FILE = "prepared.telephones"
STATED = (
    *("id", "country_code", "international_prefix", "preferred_international_prefix"),
    *("national_prefix", "preferred_extn_prefix", "national_prefix_for_parsing"),
    *("national_prefix_transform_rule", "main_country_for_code", "leading_digits"),
    *("mobile_number_portable_region", "short_data"),
)
KINDS = (
    *("general_desc", "fixed_line", "mobile", "toll_free", "premium_rate", "shared_cost"),
    *("personal_number", "voip", "pager", "uan", "emergency", "voicemail", "short_code"),
    *("standard_rate", "carrier_specific", "sms_services", "no_international_dialling"),
)
OF_KIND = (
    *("national_number_pattern", "example_number"),
    *("possible_length", "possible_length_local_only"),
)


def load() -> Any:
    """The library with every plan at hand; of another version than was prepared, all are loaded."""
    phones = importlib.import_module("phonenumbers")
    plans, regions, codes = phones.PhoneMetadata, regions_of(phones), codes_of(phones)
    known = answer(key_of(phones), FILE)
    if isinstance(known, dict) and known.keys() >= {*regions, *map(str, codes)}:
        load_one = partial(put, phones, known)
        for region in regions:
            plans.register_region_loader(region, load_one)
        for code in codes:
            plans.register_nongeo_region_loader(code, load_one)
    else:
        plans.load_all()
    return phones


def regions_of(phones: Any) -> list[str]:
    return sorted(phones.SUPPORTED_REGIONS)


def codes_of(phones: Any) -> list[int]:
    """Of satellites, and of free telephones in no country."""
    return sorted(phones.COUNTRY_CODES_FOR_NON_GEO_REGIONS)


def key_of(phones: Any) -> bytes:
    return f"numbering plans of phonenumbers {phones.__version__}".encode()


def put(phones: Any, known: dict[str, str], region: str | int) -> None:
    """Have the library know one of the plans, which making it does, unless it does already.

    Whoever asks holds the library's lock: what is raised here would leave it locked.
    """
    plans = phones.PhoneMetadata
    if region not in plans._region_metadata and region not in plans._country_code_metadata:  # noqa: SLF001
        made_of(phones, known[str(region)], register=True)


def made_of(phones: Any, said: str, *, register: bool = False) -> Any:
    stated = json.loads(said)
    for kind in KINDS:
        if kind in stated:
            pattern, example, *lengths = stated[kind]
            stated[kind] = phones.PhoneNumberDesc(pattern, example, *map(tuple, lengths))
    return phones.PhoneMetadata(**stated, register=register)


def said_of(plan: Any) -> str:
    """One plan, as `made_of` reads it."""
    stated = {name: getattr(plan, name) for name in STATED if getattr(plan, name)}
    for kind in KINDS:
        if (described := getattr(plan, kind)) is not None:
            stated[kind] = [getattr(described, name) for name in OF_KIND]
    return json.dumps(stated, ensure_ascii=False, separators=(",", ":"))


def lines() -> bytes:
    """The artefact."""
    phones = importlib.import_module("phonenumbers")
    plans = phones.PhoneMetadata
    known = {one: plans.metadata_for_region(one) for one in regions_of(phones)}
    known |= {str(one): plans.metadata_for_nongeo_region(one) for one in codes_of(phones)}
    return line_of(key_of(phones), {region: said_of(plan) for region, plan in known.items()})
