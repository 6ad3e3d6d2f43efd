"""A key that is the same in every run: surrogates, moved dates and ids hang on it.

That any other key serves as well is a test of its own (tests/sanitise/test_any_key.py).
"""

import hashlib


def key_number(number):
    return hashlib.sha256(str(number).encode()).digest()


def give_key(state, number=0):
    """Put a fingerprint key into a user's state folder (XDG_STATE_HOME)."""
    folder = state / "dlp"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "fingerprint.key"
    path.write_bytes(key_number(number))
    path.chmod(0o600)
