"""Checks on a candidate value: arithmetic of public standards, and simple shape questions.

In: a value as written.  Out: True (obeys), None (cannot tell), False (is something else).

A checksum is weak evidence: one random number in ten passes modulus 10. It refuses; it does not
convince. What convinces is context, and that is the rule's affair.
"""

from __future__ import annotations

import functools
import importlib
import ipaddress
import re
from collections.abc import Callable
from itertools import product
from string import ascii_lowercase

from dlp.detect.identify.telephone import TELEPHONE_CHECKS, plans
from dlp.knowledge.marks import is_blank, mark_places
from dlp.lazy_resources import OnDemand, lazy_registry
from dlp.text.dates import CALENDAR_CHECKS, numeric_date

# Check digits of identifiers python-stdnum does not know, one function per public standard.

BAD_BODY = frozenset(str(digit) * 9 for digit in range(10))
# Characters a Medicare beneficiary identifier may use: no S, L, O, I, B, Z.
LETTER = "[AC-HJKMNP-RT-Y]"
EITHER = "[0-9AC-HJKMNP-RT-Y]"
MBI = re.compile(rf"[1-9]{LETTER}{EITHER}\d{LETTER}{EITHER}\d{LETTER}{{2}}\d\d")
VIN_VALUES = dict(zip("ABCDEFGHJKLMNPRSTUVWXYZ", map(int, "12345678123457923456789"), strict=True))
VIN_VALUES |= {str(digit): digit for digit in range(10)}
VIN_WEIGHTS = (8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2)
NI_NUMBER = re.compile(r"[ABCEGHJ-PRSTW-Z][ABCEGHJ-NPRSTW-Z]\d{6}[A-D]")
NI_UNUSED = frozenset({"BG", "GB", "KN", "NK", "NT", "TN", "ZZ"})
HICN = re.compile(
    r"\d{9}(?:A|B[1-9A-Z]?|C[1-9A-Z]|D[1-9A-Z]?|E[1-9]?|F[1-8]|H[ABC]|J[1-4]|K[1-9]|M1?"
    r"|T[A-Z2]?|W[1-9A-Z]?)"
)
CARD = re.compile(
    r"4(?:\d{12}|\d{15}|\d{18})|5[1-5]\d{14}|2[2-7]\d{14}|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}"
    r"|6(?:011|4[4-9]\d|5\d\d)\d{12}|35\d{14}|(?:5[06-9]|6\d)\d{10,17}|(?:2131|1800)\d{11}"
)


def plain(value: str) -> str:
    return NOT_ALNUM.sub("", value).upper()


def luhn_holds(digits: str) -> bool:
    """Modulus 10 with doubling (ISO/IEC 7812-1, annex B); anything but digits fails."""
    if not (digits.isascii() and digits.isdigit()):
        return False
    total = 0
    for place, digit in enumerate(reversed(digits)):
        number = int(digit) << (place & 1)
        total += number - 9 if number > 9 else number
    return total % 10 == 0


def us_npi(value: str) -> bool:
    """Luhn over the number with the issuer prefix 80840 (45 CFR 162.406; CMS NPI standard)."""
    digits = plain(value)
    return len(digits) == 10 and digits[0] in "12" and luhn_holds("80840" + digits)


def us_dea(value: str) -> bool:
    """(d1+d3+d5) + 2 (d2+d4+d6) ends in d7; two letters first (DEA registration number)."""
    code = plain(value)
    if len(code) != 9 or not code[2:].isdigit():
        return False
    digits = [int(one) for one in code[2:]]
    return (sum(digits[0:6:2]) + 2 * sum(digits[1:6:2])) % 10 == digits[6]


def us_mbi(value: str) -> bool:
    """Eleven places, each digit, letter or either (CMS, MBI format); there is no check digit."""
    return MBI.fullmatch(plain(value)) is not None


def us_hicn(value: str) -> bool:
    """A Social Security number and a claim suffix (CMS, before 2020)."""
    code = plain(value)
    return HICN.fullmatch(code) is not None and us_ssn_shape(code[:9])


def us_ssn_shape(value: str) -> bool:
    """Area, group and serial that can have been issued (SSA); there is no check digit."""
    digits = plain(value)
    if len(digits) != 9 or digits in BAD_BODY or digits in {"123456789", "078051120"}:
        return False
    area, group, serial = digits[:3], digits[3:5], digits[5:]
    return area < "900" and area not in {"000", "666"} and group != "00" and serial != "0000"


def uk_ni_number(value: str) -> bool:
    """Prefix, six digits, suffix A to D (HMRC NIM39110)."""
    code = plain(value)
    return NI_NUMBER.fullmatch(code) is not None and code[:2] not in NI_UNUSED


def ca_ohip(value: str) -> bool:
    """Ten digits with Luhn, two-letter version code allowed (Ontario health card)."""
    code = plain(value)
    digits = code[:10]
    return len(code) in {10, 12} and digits.isdigit() and digits[0] != "0" and luhn_holds(digits)


def ca_ramq(value: str) -> bool:
    """Four letters, year, month (+50 for women), day, serial (Québec health insurance)."""
    code = plain(value)
    if not re.fullmatch(r"[A-Z]{4}\d{8}", code):
        return False
    month, day = int(code[6:8]) % 50, int(code[8:10])
    return 1 <= month <= 12 and 1 <= day <= 31


def ca_ab_phn(value: str) -> bool:
    """Nine digits, the fifth a check digit in practice of no published rule: only shape."""
    digits = plain(value)
    return len(digits) == 9 and digits.isdigit() and len(set(digits)) > 2


def au_medicare(value: str) -> bool:
    """Eight digits, check digit with weights 1 3 7 9, issue number (Services Australia)."""
    digits = plain(value)
    if len(digits) not in {10, 11} or not digits.isdigit() or digits[0] not in "23456":
        return False
    total = sum(int(d) * w for d, w in zip(digits, (1, 3, 7, 9, 1, 3, 7, 9), strict=False))
    return total % 10 == int(digits[8])


def au_ihi(value: str) -> bool:
    """Sixteen digits, prefix 800360 (people) to 800362, Luhn (AS 5017, ISO 7812)."""
    digits = plain(value)
    return len(digits) == 16 and digits[:6] in {"800360", "800361", "800362"} and luhn_holds(digits)


KVNR = re.compile(r"[A-Z][0-9]{9}")
# A digit of ASCII as its value, and as the digit sum of twice its value.
ONCE = bytes(digit - 48 if 48 <= digit < 58 else 0 for digit in range(256))
TWICE = bytes(2 * one // 10 + 2 * one % 10 for one in ONCE)


def de_kvnr(value: str) -> bool:
    """A letter, eight digits, check digit: letter as two digits, weights 1 2, digit sums."""
    code = plain(value)
    if not KVNR.fullmatch(code):
        return False
    body = b"%02d%s" % (ord(code[0]) - 64, code[1:9].encode())
    total = sum(body[::2].translate(ONCE)) + sum(body[1::2].translate(TWICE))
    return total % 10 == int(code[9])


def payment_card(value: str) -> bool:
    """Issuer prefix, length and Luhn (ISO/IEC 7812)."""
    digits = plain(value)
    if not digits.isdigit() or not 13 <= len(digits) <= 19 or len(set(digits)) < 3:
        return False
    return CARD.fullmatch(digits) is not None and luhn_holds(digits)


def vin(value: str) -> bool:
    """Seventeen characters, the ninth a check digit modulus 11 (49 CFR 565, ISO 3779)."""
    code = plain(value)
    if len(code) != 17 or set(code) - VIN_VALUES.keys() or code.isalpha() or code.isdigit():
        return False
    total = sum(VIN_VALUES[one] * weight for one, weight in zip(code, VIN_WEIGHTS, strict=True))
    return code[8] == "0123456789X"[total % 11]


def vin_shape(value: str) -> bool:
    """Seventeen permitted characters; European makers need not set the check digit."""
    code = plain(value)
    return len(code) == 17 and not set(code) - VIN_VALUES.keys() and any(map(str.isalpha, code))


def es_nss(value: str) -> bool | None:
    """Two digits of province, eight of number, two of check: the first ten modulus 97 (TGSS)."""
    digits = plain(value)
    if len(digits) not in {11, 12} or not digits.isdigit():
        return False
    number = digits[2:-2]
    body = digits[:2] + (number.lstrip("0") if number.startswith("0") else number)
    return True if int(body) % 97 == int(digits[-2:]) else None


def udi_gs1(value: str) -> bool:
    """A GTIN-14 after (01), check digit weights 3 1 (GS1 General Specifications 7.9)."""
    digits = re.sub(r"\D", "", value[value.index("01") + 2 :])[:14] if "01" in value else ""
    if len(digits) != 14:
        return False
    total = sum(int(d) * (3 if place % 2 == 0 else 1) for place, d in enumerate(digits[:13]))
    return (10 - total % 10) % 10 == int(digits[13])


CHECKSUMS: dict[str, Callable[[str], bool | None]] = {
    check.__name__: check
    for check in (
        *(us_npi, us_dea, us_mbi, us_hicn, us_ssn_shape, uk_ni_number, ca_ohip, ca_ramq),
        *(ca_ab_phn, au_medicare, au_ihi, de_kvnr, payment_card, vin, vin_shape, es_nss, udi_gs1),
    )
}


# Simple questions about the look of a value: is it long enough, is it really a date or a dose?

NOT_ALNUM = re.compile(r"[^0-9A-Za-z]")
# A year, a version or section, a fraction (18/12 is eighteen months), a range.
NO_RECORD = re.compile(r"(?:19|20)\d\d|\d{1,2}(?:\.\d{1,2}){1,4}|\d{1,2}/\d{1,4}|\d{1,3}-\d{1,3}")
FULL_DATE = re.compile(r"\d{1,4}([/.])\d{1,2}\1\d{1,4}|\d{4}-\d\d?-\d\d?|\d\d?-\d\d?-\d{4}")
NOT_A_STREET = re.compile(
    r"(?i)\b(?:mg|ml|mcg|kg|times?|days?|weeks?|months?|years?|hours?|minutes?|tablets?|patients?"
    r"|people|on|by|in|with|and|to|for|was|is|per|from|his|her|ms|at|of|the|a)\b"
)
ALONE_IS_MEDICAL = re.compile(r"(?i)(?:rr|r\.r|hc|unit|psc)")
TNM = re.compile(r"(?i)T[0-4]N[0-3]M[01]")
COURT = re.compile(r"\b(?:Supreme|High|District|Circuit|Appeals?|Crown) Court|\b(?:1[89]|20)\d\d,")
UUID = re.compile(r"(?i)[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
# Names of vocabularies and schemas are written as addresses and point to nobody.
NAMESPACES = re.compile(
    r"(?i)^(?:https?://)?(?:[\w-]+\.)*(?:hl7\.org|w3\.org|loinc\.org|snomed\.info|purl\.org"
    r"|unitsofmeasure\.org|openxmlformats\.org|schemas\.microsoft\.com|ns\.adobe\.com"
    r"|xmlsoap\.org|oasis-open\.org|dicom\.nema\.org|synthetichealth\.github\.io)(?:[/:#]|$)"
)
# One of these stands in every address that the pattern above knows; most hold none.
NAMESPACE_WORDS = (
    *("hl7", "w3", "loinc", "snomed", "purl", "unitsof", "openxml", "schemas", "ns."),
    *("xmlsoap", "oasis", "dicom", "synthetic"),
)
UNIT = re.compile(r"(?i)\d(?:mg|mcg|ml|kg|cm|mm|g|l|x|am|pm|st|nd|rd|th|yo|k|years?|days?)$")


def anything(value: str) -> Answer:
    """The pattern has said it all."""
    return True if value else None


def record_number(value: str) -> Answer:
    """A number with a label: enough digits, and neither a year nor a date."""
    if value.isalnum():  # neither a date nor a range, and a year has four digits
        other = len(value) == 4 and NO_RECORD.fullmatch(value) is not None
    else:
        other = NO_RECORD.fullmatch(value) is not None or is_date(value)
    return not other and digits_in(value) >= 3


def long_code(value: str) -> Answer:
    """For labels that also mean other things: four digits, no dose, no UUID of a machine."""
    other = ends_in_unit(value) or (len(value) == 36 and UUID.fullmatch(value))
    return not other and digits_in(value) >= 4 and record_number(value)


def digits_in(value: str) -> int:
    return len(value) if value.isdigit() else sum(map(str.isdigit, value))


def ends_in_unit(value: str) -> bool:
    return value[-1:].isalpha() and UNIT.search(value) is not None


def is_date(value: str) -> bool:
    """Slashes, dots or a year in full: 44-82-13 stays a number."""
    return FULL_DATE.fullmatch(value) is not None and numeric_date(value) is not False


def ssn_with_label(value: str) -> Answer:
    return len(NOT_ALNUM.sub("", value)) in {4, 9}


def ip_address(value: str) -> Answer:
    try:
        address = ipaddress.ip_address(value)
    except ValueError:
        return False
    # Loopback, "any" and documentation addresses point to nobody.
    return not (address.is_loopback or address.is_unspecified or address.is_multicast)


def ip_long(value: str) -> Answer:
    """Eleven characters: 7.5.2.4 and 1.11.8.6 are sections of a manual."""
    return len(value) >= 11 and ip_address(value)


def mac_address(value: str) -> Answer:
    plain = NOT_ALNUM.sub("", value).upper()
    return len(plain) == 12 and len(set(plain)) > 2


def web_address(value: str) -> Answer:
    plain = value.lower()
    # the long s and the sign of the kelvin are small letters to a pattern, not to lower()
    if value.isascii() and not any(word in plain for word in NAMESPACE_WORDS):
        return True
    return not NAMESPACES.match(value)


def email_address(value: str) -> Answer:
    local, _, domain = value.rpartition("@")
    return bool(local) and ".." not in value and not local.startswith(".") and "." in domain


def mixed_code(value: str) -> Answer:
    """Letters and digits both, or a long run of digits: the look of a serial number."""
    digits = sum(map(str.isdigit, value))
    letters = sum(map(str.isalpha, value))
    return digits >= 3 and (letters >= 1 or digits >= 5)


def licence_plate(value: str) -> Answer:
    plain = NOT_ALNUM.sub("", value)
    return 4 <= len(plain) <= 8 and any(map(str.isdigit, plain)) and not plain.isdigit()


def street_name(value: str) -> Answer:
    """In 1954, the Supreme Court sat in no street."""
    return not COURT.search(value)


def lower_case_street(value: str) -> Answer:
    """Words that never stand between a house number and its street."""
    return not NOT_A_STREET.search(value)


def post_box(value: str) -> Answer:
    """RR, HC and unit alone are respiratory rate, head circumference and a unit."""
    return "box" in value.lower() or not ALONE_IS_MEDICAL.match(value)


def nl_postcode(value: str) -> Answer:
    return value[-2:] not in {"SA", "SD", "SS"}


def six_digits(value: str) -> Answer:
    """Long enough for a national number, and no date or amount."""
    other = ends_in_unit(value) or (not value.isalnum() and is_date(value))
    return not other and 6 <= digits_in(value) <= 18


def card_length(value: str) -> Answer:
    return 12 <= sum(map(str.isdigit, value)) <= 19


def not_tnm(value: str) -> Answer:
    """T3N0M0 is a tumour stage."""
    return not TNM.fullmatch(value)


def labelled_address(value: str) -> Answer:
    """Something with a house number, and not another kind of address.

    Where a mark of a sanitised copy stands for the street, the state and the area that it left
    behind are no address; a street elsewhere in the line has rules of its own.
    """
    if "[" in value and mark_places(value):
        return False
    return (
        "www" not in value and "http" not in value and re.search(r"[^\W\d_]{2}", value) is not None
    )


def no_mark(value: str) -> Answer:
    """Not what a sanitised copy left of a value: "982**"."""
    return not is_blank(value)


SHAPE_CHECKS: dict[str, Callable[[str], Answer]] = {
    check.__name__: check
    for check in (
        *(anything, record_number, long_code, ssn_with_label, ip_address),
        *(ip_long, mac_address, web_address, email_address, mixed_code),
        *(licence_plate, street_name, lower_case_street, post_box, nl_postcode),
        *(six_digits, card_length, not_tnm, labelled_address, no_mark),
    )
}


STANDARDS = "standards"  # the name of what a worker lacks without them
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


# Of python-stdnum, which opens them when they are first asked.
TABLES = ("cn/loc", "my/bp", "us/ein")
# Ten microseconds a value and more, where the others take one.
COSTLY = frozenset(STDNUM) | {"phone_international", "phone_national", "phone_assigned"}


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
    if lazy_registry().sealed:
        standards().get()
    is_valid: Callable[[str], bool] = importlib.import_module(module).is_valid
    return is_valid


VALIDATORS: dict[str, Check] = {
    **{name: by_stdnum(module) for name, module in STDNUM.items()},
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
    return lazy_registry().put(STANDARDS, load_standards)


def load_standards() -> None:
    """Import all, and what they would open later: in a sandbox it is too late."""
    for module in STDNUM.values():
        importlib.import_module(module)
    # it would look for a module of any country, at the first account there
    known = importlib.import_module(STDNUM["iban"])._country_modules  # noqa: SLF001
    known |= dict.fromkeys(map("".join, product(ascii_lowercase, repeat=2)))
    known["es"] = importlib.import_module("stdnum.es.iban")
    tables = importlib.import_module("stdnum.numdb")
    for name in TABLES:
        tables.get(name)


def preload() -> None:
    """Name what may be lacking."""
    standards()
    plans()
