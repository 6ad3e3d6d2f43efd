"""Nobody sets hundreds of megabytes aside for a small file: a worker's memory is bounded."""

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlp.decode import extract
from dlp.decode.contract import PIECE_BYTES, at_most


class Asked(io.BytesIO):
    """`read(n)` of a real file allocates n bytes before it reads the first."""

    largest = 0

    def read(self, size=-1):
        self.largest = max(self.largest, size or 0)
        return super().read(size)


@given(st.binary(max_size=50), st.integers(0, 60))
def test_pieces_make_up_the_whole(content, most):
    assert at_most(io.BytesIO(content), most) == content[:most]


def test_more_than_one_piece_is_read():
    content = bytes(3 * PIECE_BYTES + 7)
    assert at_most(io.BytesIO(content), len(content) + 1) == content
    assert len(at_most(io.BytesIO(content), PIECE_BYTES + 1)) == PIECE_BYTES + 1


@pytest.mark.parametrize(
    "content",
    [
        b"{\\rtf1 Helen Fraser came.}",
        b"\x78\x9f\x3e\x22\x01\x00",  # TNEF
        b"\xd7\xcd\xc6\x9a" + bytes(18) + b"\x01\x00\x09\x00",  # a placeable metafile
        b"\x09\x04\x06\x00\x00\x00\x10\x00\x0a\x00\x00\x00",  # Excel 4, without a container
        b"%PDF-1.4\n%%EOF",
        b"<office:document xmlns:office='urn:oasis:names:tc:opendocument:xmlns:office:1.0'/>",
    ],
)
def test_a_small_file_costs_little(content):
    source = Asked(content)
    extract.read(source)
    assert 0 < source.largest <= 64 << 20
