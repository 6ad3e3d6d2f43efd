"""Check digits of identifiers python-stdnum does not know, one function per public standard.

In: a value as written.  Out: True when the value obeys the standard.
"""

from __future__ import annotations

import re
from collections.abc import Callable

NOT_ALNUM = re.compile(r"[^0-9A-Za-z]")
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


def de_kvnr(value: str) -> bool:
    """A letter, eight digits, check digit: letter as two digits, weights 1 2, digit sums."""
    code = plain(value)
    if not re.fullmatch(r"[A-Z]\d{9}", code):
        return False
    body = f"{ord(code[0]) - 64:02d}{code[1:9]}"
    total = 0
    for place, digit in enumerate(body):
        product = int(digit) * (1 + place % 2)
        total += product // 10 + product % 10
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
