"""Checks on a candidate value: arithmetic of public standards, and simple shape questions.

In: a value as written.  Out: True (obeys), None (cannot tell), False (is something else).

A checksum is weak evidence: one random number in ten passes modulus 10. It refuses; it does not
convince. What convinces is context, and that is the rule's affair.
"""

from __future__ import annotations

import functools
import importlib
import re
from collections.abc import Callable, Iterable
from itertools import product
from string import ascii_lowercase

from dlp.demand import OnDemand, shelf
from dlp.detect.identify import chinese
from dlp.detect.identify.checksums import CHECKSUMS
from dlp.detect.identify.dates import CALENDAR_CHECKS
from dlp.detect.identify.numbering import plans
from dlp.detect.identify.shapes import SHAPE_CHECKS
from dlp.detect.identify.telephone import TELEPHONE_CHECKS

STANDARDS = "standards"  # the name of what a worker lacks without them
USUAL_STANDARDS = "usual standards"  # and without the few that most shares need
Answer = bool | None
Check = Callable[[str], Answer]

# What python-stdnum lets through where it meant to refuse: a Chinese number whose province has no
# such county ends in a KeyError. Such a value is none of the standard's.
UNPREPARED = (LookupError, ArithmeticError, TypeError, ValueError, AttributeError)

# Standards python-stdnum implements; a module is imported when its rule first fires.
STDNUM = {
    name: f"stdnum.{name.replace('_', '.', 1)}"
    for name in (
        *("ar_cuit", "ar_dni", "at_vnr", "au_tfn", "be_nn", "bg_egn", "br_cpf", "ca_bc_phn"),
        *("ca_sin", "ch_ssn", "cl_rut", "cn_ric", "cz_rc", "de_idnr", "dk_cpr", "ec_ci", "ee_ik"),
        *("es_dni", "es_nie", "fi_hetu", "fr_nif", "fr_nir", "gb_nhs", "gb_utr", "gr_amka"),
        *("hr_oib", "ie_pps", "il_idnr", "it_codicefiscale", "kr_rrn", "lt_asmens", "lv_pvn"),
        *("mx_curp", "my_nric", "nl_bsn", "no_fodselsnummer", "pk_cnic", "pl_pesel", "pt_nif"),
        *("ro_cnp", "se_personnummer", "si_emso", "th_pin", "tr_tckimlik", "us_ein", "us_itin"),
        *("us_rtn", "za_idnr"),
    )
} | {
    "in_aadhaar": "stdnum.in_.aadhaar",
    "in_pan": "stdnum.in_.pan",
    "is_kennitala": "stdnum.is_.kennitala",
    "iban": "stdnum.iban",
    "bic": "stdnum.bic",
    "imei": "stdnum.imei",
}


# Their shapes fire in shares of any kind; the other fifty modules together take a thirtieth of a
# start, and are asked for where people of their countries are patients.
USUAL = tuple(STDNUM[name] for name in ("iban", "se_personnummer", "fr_nir", "be_nn", "ie_pps"))
TABLES = ("my/bp", "us/ein")  # of python-stdnum, which opens them when they are first asked
LOADED: set[str] = set()  # modules that ask the disk for nothing any more


# Ten microseconds a value and more, where the others take one.
COSTLY = (frozenset(STDNUM) - {"us_ein"}) | {
    "phone_international",
    "phone_national",
    "phone_assigned",
}


def by_stdnum(module: str) -> Check:
    def check(value: str) -> Answer:
        # each module knows its own separators, some of which carry meaning (Finland's - + A)
        try:
            return bool(standard(module)(value.strip()))
        except UNPREPARED:
            return False

    return check


@functools.cache
def standard(module: str) -> Callable[[str], bool]:
    if shelf().sealed and module not in LOADED:
        (usual_standards() if module in USUAL else standards()).get()
    is_valid: Callable[[str], bool] = importlib.import_module(module).is_valid
    return is_valid


EIN = re.compile(r"[0-9]{2}-?[0-9]{7}")


def us_ein(value: str) -> Answer:
    """Two digits of the office that gave it out and seven of no rule (IRS): only the two decide."""
    return EIN.fullmatch(value) is not None and is_ein_office(value[:2])


@functools.cache
def is_ein_office(two: str) -> bool:
    return standard(STDNUM["us_ein"])(f"{two}-0000000")


def cn_ric(value: str) -> Answer:
    try:
        standard(STDNUM["cn_ric"])
        return chinese.resident_number(value.strip())
    except UNPREPARED:
        return False


VALIDATORS: dict[str, Check] = {
    **{name: by_stdnum(module) for name, module in STDNUM.items()},
    "cn_ric": cn_ric,
    "us_ein": us_ein,
    **CHECKSUMS,
    **CALENDAR_CHECKS,
    **TELEPHONE_CHECKS,
    **SHAPE_CHECKS,
}


@functools.lru_cache(maxsize=32_768)
def answer(name: str, value: bytes) -> Answer:
    """Ask a validator; values repeat within a file, so the answers are kept."""
    return VALIDATORS[name](value.decode("utf-8", "replace"))


@functools.cache
def standards() -> OnDemand[None]:
    return shelf().put(STANDARDS, load_standards)


@functools.cache
def usual_standards() -> OnDemand[None]:
    return shelf().put(USUAL_STANDARDS, functools.partial(load_modules, USUAL))


def load_standards() -> None:
    """Import all, and what they would open later: in a sandbox it is too late."""
    load_modules(STDNUM.values())
    tables = importlib.import_module("stdnum.numdb")
    for name in TABLES:
        tables.get(name)
    chinese.table()


def load_modules(modules: Iterable[str]) -> None:
    for module in set(modules) - LOADED:
        importlib.import_module(module)
        LOADED.add(module)
    if STDNUM["iban"] in LOADED:
        # else it would look for a module of any country, at the first account there
        known = importlib.import_module(STDNUM["iban"])._country_modules  # noqa: SLF001
        known |= dict.fromkeys(map("".join, product(ascii_lowercase, repeat=2)))
        known["es"] = importlib.import_module("stdnum.es.iban")


def preload() -> None:
    """Name what may be lacking."""
    usual_standards()
    standards()
    plans()
