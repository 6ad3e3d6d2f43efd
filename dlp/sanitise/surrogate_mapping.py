"""Keep which surrogate stands for whom, readable only with the vault key.

In: surrogates and their originals, a key.  Out: sealed bytes, and back.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterable, Mapping

from cryptography.fernet import Fernet, InvalidToken

from dlp.errors import SanitiseError

Originals = dict[str, set[str]]  # by surrogate; names come from lists, so two people may share one


def close(issued: Mapping[str, Iterable[str]], key: bytes) -> bytes:
    table = {made: sorted(originals) for made, originals in issued.items()}
    return _lock(key).encrypt(json.dumps(table, ensure_ascii=False).encode())


def disclose(sealed: bytes, keys: Iterable[bytes], where: str = "") -> Originals:
    """The originals by surrogate, with the first key that fits.

    Refused when none does, or when the bytes were changed: the lock cannot tell these apart.
    """
    for key in keys:
        try:
            table = json.loads(_lock(key).decrypt(sealed))
        except InvalidToken:
            continue
        return {str(made): set(map(str, originals)) for made, originals in table.items()}
    raise SanitiseError(
        "no mapping, or one that another vault key closed",
        where=where,
        fix="use the settings of the machine that wrote it (quarantine.key, quarantine.old_keys)",
    )


def joined(one: Mapping[str, Iterable[str]], other: Mapping[str, Iterable[str]]) -> Originals:
    """Both, with every original of either."""
    both: Originals = {made: set(originals) for made, originals in one.items()}
    for made, originals in other.items():
        both.setdefault(made, set()).update(originals)
    return both


def _lock(key: bytes) -> Fernet:
    return Fernet(base64.urlsafe_b64encode(hashlib.sha256(b"mapping:" + key).digest()))
