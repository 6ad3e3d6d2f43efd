"""Torn RTF is read to the end, as a whole document and as a piece of one."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dlp.decode.formats import rtf
from dlp.decode.office import outlook

NAMES = [
    *rtf.CHARACTERS, *rtf.DESTINATIONS, *rtf.THROUGH, *rtf.PROPERTIES,
    *rtf.BINARY, *rtf.NAMED, *rtf.SETTERS, "u", "f", "bin", "ud", "sv", "b", "fs",
    "x" * 40,
]  # fmt: skip
NUMBERS = [
    "", "0", "1", "2", "3", "16", "99", "-1", "-4", "437", "1252", "932", "65001", "1200", "10000",
    "8212", "55357", "56832", "-10179", "12345678901", "-",
]  # fmt: skip
PIECES = [
    *("{", "}", "{\\*", "\\*", "\\'e9", "\\'", "\\'g1", "\\\\", "\\{", "\\}", "\\~", "\\_", "\\-"),
    *(
        "\\\n",
        "\\\r",
        "\\",
        "\n",
        "\r",
        "\0",
        " ",
        "word",
        "Ada Hale",
        "0a1b2C",
        "?",
        "wzName",
        "é",
    ),
    *(
        "{\\info{\\title Said}}",
        "{\\*\\userprops {\\propname A}{\\staticval b}}",
        "&eacute;",
        "<br>",
    ),
    *("{\\fonttbl{\\f1\\fcharset204 x;}}", "{\\*\\htmltag <p>}", "{\\sp{\\sn wzName}{\\sv told}}"),
    *("{\\pict\\wmetafile8 0102\n0304}", "\\bin3 abc", "\\u8212?", "\\deleted gone\\deleted0 "),
]
WORD = st.builds(
    lambda name, number, end: f"\\{name}{number}{end}",
    st.sampled_from(NAMES),
    st.sampled_from(NUMBERS),
    st.sampled_from(["", " ", "  ", "a"]),
)
BYTES = st.lists(WORD | st.sampled_from(PIECES), max_size=60).map(
    lambda pieces: "".join(pieces).encode("latin-1")
)


def read(content):
    reader = rtf.RtfReader()
    reader.read(content)
    return reader


@settings(deadline=None)
@given(BYTES)
def test_whatever_comes_is_read(content):
    piece, whole = read(content), read(b"{\\rtf1\\ansi\\ansicpg1252 " + content + b"}")
    for reader in (piece, whole):
        assert all(isinstance("".join(texts), str) for texts in reader.streams.values())
        assert reader.end <= len(content) + 26


@pytest.mark.parametrize("depth", [499, 500, 501, 900])
def test_groups_are_followed_to_a_depth(depth):
    reader = read(b"{\\rtf1 " + b"{\\b x" * depth + b"}" * (depth // 2))
    assert reader.depth_exceeded == (depth + 1 > rtf.DEEPEST)


@given(
    st.binary(max_size=200),
    st.lists(st.integers(0, 255) | st.sampled_from([0, 16, 17, 32, 240, 255]), max_size=400).map(
        bytes
    ),
    st.sampled_from([0, 1, 7, 100, 4096, 1 << 40]),
)
def test_what_outlook_packs_is_unpacked_up_to_its_size(letters, packed, size):
    for content in (bytes(16) + packed, bytes(16) + bytes(1) + letters):
        assert len(outlook.inflate_rtf(content, size)) <= size
