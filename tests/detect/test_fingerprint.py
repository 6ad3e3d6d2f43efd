"""A fingerprint is an HMAC, whatever the length of its key."""

import hmac

import pytest

from dlp.detect.fingerprint import fingerprint
from dlp.model import Kind


@pytest.mark.parametrize("size", [0, 1, 32, 63, 64, 65, 200])
@pytest.mark.parametrize("value, plain", [("Ada Hale", "ADAHALE"), ("", ""), ("\ud800", "")])
def test_is_an_hmac_of_kind_and_plain_form(size, value, plain):
    key = bytes(range(size))
    message = f"person:{plain}".encode()
    assert fingerprint(key, Kind.PERSON, value) == hmac.digest(key, message, "sha256").hex()[:32]
