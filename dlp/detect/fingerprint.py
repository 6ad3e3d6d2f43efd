"""Recognise a value again without keeping it.

In: a key, a kind, a value.  Out: a keyed hash that the same value always gives.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable

from dlp.keys import keyed_hash
from dlp.model import Kind
from dlp.text.dates import iso_date

DATE, PHONE = Kind.DATE, Kind.PHONE  # a look into an enumeration costs as much as a call
ADDRESSES = frozenset({Kind.EMAIL, Kind.URL, Kind.IP})
WRITTEN = {kind: f"{kind.value}:" for kind in Kind}
NOT_ALNUM = re.compile(r"[\W_]+")


def normal_form(kind: Kind, value: str) -> str:
    """Write the same thing the same way: 416-555-0199 and (416) 555 0199 are one number."""
    if kind is DATE:
        return iso_date(value)
    if kind in ADDRESSES:
        return value.strip().lower()
    plain = value.replace(" ", "")
    if not plain.isalnum():
        plain = NOT_ALNUM.sub("", plain)
    plain = plain.upper()
    if kind is PHONE:
        digits = "".join(filter(str.isdigit, plain))
        return digits[1:] if len(digits) == 11 and digits[0] == "1" else digits
    return plain


def fingerprint(key: bytes, kind: Kind, value: str) -> str:
    # Keyed, because ten digits can be guessed back from a plain hash in seconds.
    message = WRITTEN[kind] + normal_form(kind, value)
    return keyed_hash(key, message.encode("utf-8", "surrogatepass"))


def marker(key: bytes) -> Callable[[Kind, str], str]:
    """The same for one key."""
    return functools.partial(fingerprint, key)
