"""Keep which surrogate stands for what, readable only with the key.

In: surrogates and their originals, a key.  Out: sealed bytes, and back.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping

from cryptography.fernet import Fernet, InvalidToken

from dlp.errors import SanitiseError


def close(issued: Mapping[str, str], key: bytes) -> bytes:
    return _lock(key).encrypt(json.dumps(dict(issued), ensure_ascii=False).encode())


def disclose(sealed: bytes, key: bytes) -> dict[str, str]:
    """The originals by surrogate; refused when the key is another or the bytes were changed."""
    try:
        table = json.loads(_lock(key).decrypt(sealed))
    except InvalidToken as error:
        raise SanitiseError("the mapping cannot be opened with this key") from error
    return {str(made): str(original) for made, original in table.items()}


def _lock(key: bytes) -> Fernet:
    return Fernet(base64.urlsafe_b64encode(hashlib.sha256(b"mapping:" + key).digest()))
