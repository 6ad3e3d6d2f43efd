"""Recognise a value again without keeping it.

In: a key, a kind, a value.  Out: a keyed hash that the same value always gives.
"""

from __future__ import annotations

import functools
import hashlib
import re
from typing import Any

from dlp.detect.identify.dates import iso_date
from dlp.model import Kind

ADDRESSES = frozenset({Kind.EMAIL, Kind.URL, Kind.IP})
BLOCK = 64  # bytes that SHA-256 reads at a time
Hash = Any  # hashlib does not name its type
NOT_ALNUM = re.compile(r"[\W_]+")


def normal_form(kind: Kind, value: str) -> str:
    """Write the same thing the same way: 416-555-0199 and (416) 555 0199 are one number."""
    if kind is Kind.DATE:
        return iso_date(value)
    if kind in ADDRESSES:
        return value.strip().lower()
    plain = value.replace(" ", "")
    if not plain.isalnum():
        plain = NOT_ALNUM.sub("", plain)
    plain = plain.upper()
    if kind is Kind.PHONE:
        digits = "".join(filter(str.isdigit, plain))
        return digits[1:] if len(digits) == 11 and digits[0] == "1" else digits
    return plain


def fingerprint(key: bytes, kind: Kind, value: str) -> str:
    # Keyed, because ten digits can be guessed back from a plain hash in seconds.
    message = f"{kind.value}:{normal_form(kind, value)}".encode("utf-8", "surrogatepass")
    keyed = _keyed(key)
    inner, outer = keyed[0].copy(), keyed[1].copy()
    inner.update(message)
    outer.update(inner.digest())
    return str(outer.hexdigest()[:32])


@functools.lru_cache(maxsize=16)
def _keyed(key: bytes) -> tuple[Hash, Hash]:
    """Both hashes of an HMAC with the key read: begun once, a fingerprint takes half the time."""
    block = (key if len(key) <= BLOCK else hashlib.sha256(key).digest()).ljust(BLOCK, b"\0")
    inner, outer = (block.translate(bytes(n ^ pad for n in range(256))) for pad in (0x36, 0x5C))
    return hashlib.sha256(inner), hashlib.sha256(outer)
