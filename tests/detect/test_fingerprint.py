"""A fingerprint is an HMAC, whatever the length of its key."""

import hmac

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlp import keys
from dlp.detect.fingerprint import fingerprint, marker
from dlp.keys import MARKING
from dlp.model import Kind

KEY = bytes(range(32))


@pytest.mark.parametrize("size", [0, 1, 32, 63, 64, 65, 200])
@pytest.mark.parametrize("value, plain", [("Ada Hale", "ADAHALE"), ("", ""), ("\ud800", "")])
def test_is_an_hmac_of_kind_and_plain_form(size, value, plain):
    key = bytes(range(size))
    message = f"person:{plain}".encode()
    assert fingerprint(key, Kind.PERSON, value) == hmac.digest(key, message, "sha256").hex()[:32]


@pytest.mark.skipif(MARKING is None, reason="no compiler was at hand")
@pytest.mark.parametrize("plainly", [False, True])
def test_the_kernel_hashes_as_the_standard_has_it(plainly: bool) -> None:
    """Of every length around a block, with keys of every length, with and without the processor."""
    MARKING.go_plainly(plainly)
    try:
        for size in (*range(200), 1000, 4096):
            key, message = bytes(range(size % 131)), bytes(value % 251 for value in range(size))
            known = hmac.new(key, message, "sha256").hexdigest()[:32]
            assert keys.hashed_alone(key, message) == known
            assert MARKING.keyed_hash(key, message) == known
            assert MARKING.keyed_hashes(key, [message, b"", message]) == keys.hashed_together(
                key, [message, b"", message]
            )
    finally:
        MARKING.go_plainly(False)


@pytest.mark.skipif(MARKING is None, reason="no compiler was at hand")
@given(
    st.sampled_from(list(Kind)),
    st.one_of(
        st.text(st.sampled_from("1190-()+. aZz_@:/é\u00a0\u0660\ud800\t\n\x1c\x0b"), max_size=300),
        st.text(max_size=20),
    ),
)
def test_values_are_marked_alike_with_and_without_the_kernel(kind: Kind, value: str) -> None:
    assert marker(KEY)(kind, value) == fingerprint(KEY, kind, value)
