"""Simple questions about the look of a value: is it long enough, is it really a date or a dose?

In: a value as written.  Out: True (looks right), False (is something else).
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Callable

from dlp.text.dates import numeric_date

Answer = bool | None

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
    """Something with a house number, and not another kind of address."""
    return (
        "www" not in value and "http" not in value and re.search(r"[^\W\d_]{2}", value) is not None
    )


SHAPE_CHECKS: dict[str, Callable[[str], Answer]] = {
    check.__name__: check
    for check in (
        *(anything, record_number, long_code, ssn_with_label, ip_address),
        *(ip_long, mac_address, web_address, email_address, mixed_code),
        *(licence_plate, street_name, lower_case_street, post_box, nl_postcode),
        *(six_digits, card_length, not_tnm, labelled_address),
    )
}
