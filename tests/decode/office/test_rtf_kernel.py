"""The kernel that reads RTF says what its twin says, of whatever comes."""

import importlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlp.decode.office import lzfu, rich_text, rtf, rtf_state, rtf_words
from dlp.native import kernel

KERNEL = kernel("rtf")
pytestmark = pytest.mark.skipif(KERNEL is None, reason="no kernel is compiled")
NAMES = [
    *rtf_words.CHARACTERS, *rtf_words.DESTINATIONS, *rtf_words.THROUGH, *rtf_words.PROPERTIES,
    *rtf_words.BINARY, *rtf_words.NAMED, *rtf_state.SETTERS, "u", "f", "bin", "ud", "sv", "b", "fs",
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


def heard(reader):
    return (
        list(reader.streams.items()),
        reader.properties,
        reader.files,
        reader.depth_exceeded,
        reader.open_groups,
        reader.end,
    )


def both(content):
    twin = rtf.RtfReader()
    twin.read(content)
    return heard(rich_text.read(content)), heard(twin)


def joined(told):
    """Pieces may be cut elsewhere; what they say may not."""
    streams, *rest = told
    return [(name, "".join(texts)) for name, texts in streams], *rest


@given(BYTES)
def test_whatever_comes_is_read_as_its_twin_reads_it(content):
    kernel_says, twin_says = both(content)
    assert joined(kernel_says) == joined(twin_says)


@given(BYTES)
def test_so_is_a_document_in_which_it_stands(content):
    kernel_says, twin_says = both(b"{\\rtf1\\ansi\\ansicpg1252 " + content + b"}")
    assert joined(kernel_says) == joined(twin_says)


@pytest.mark.parametrize("depth", [499, 500, 501, 900])
def test_groups_are_followed_to_the_same_depth(depth):
    kernel_says, twin_says = both(b"{\\rtf1 " + b"{\\b x" * depth + b"}" * (depth // 2))
    assert joined(kernel_says) == joined(twin_says)


def test_numbers_that_stand_in_both_are_the_same():
    constants = KERNEL.constants()
    assert constants["rtf"] == {"DEEPEST": rtf.DEEPEST}
    assert constants["lzfu"] == {"WINDOW": lzfu.WINDOW}
    assert set(constants["words"]) == {"u", "f", *rtf_state.SETTERS}
    assert max(constants["words"].values()) < constants["kinds"]["DIGITS"]
    assert (
        len(rtf_words.CHARACTERS) + constants["kinds"]["CHARACTER"]
        < constants["kinds"]["PARAGRAPH"]
    )


@pytest.mark.parametrize(
    "codec", sorted(set(rtf_words.CODEPAGES.values()) | {"utf-8", "utf-16-le", "cp037"})
)
def test_a_codec_is_plain_if_each_sign_of_ascii_is_itself(codec):
    signs = [bytes((sign,)).decode(codec, "replace") for sign in range(128)]
    assert rich_text.is_plain(codec) == (signs == [chr(sign) for sign in range(128)])


@given(
    st.binary(max_size=200),
    st.lists(st.integers(0, 255) | st.sampled_from([0, 16, 17, 32, 240, 255]), max_size=400).map(
        bytes
    ),
    st.sampled_from([0, 1, 7, 100, 4096, 1 << 40]),
)
def test_what_outlook_packs_is_unpacked_as_its_twin_does(letters, packed, size):
    for content in (bytes(16) + packed, bytes(16) + bytes(1) + letters):
        assert KERNEL.inflate(content, size, lzfu.PRELOADED) == lzfu.inflate(content, size)


def test_a_font_whose_codec_nobody_writes_in_is_not_asked_for(monkeypatch):
    asked = []
    monkeypatch.setattr(rich_text, "is_plain", lambda codec: asked.append(codec) or True)
    rich_text.tables.cache_clear()
    try:
        rich_text.read(b"{\\rtf1{\\fonttbl{\\f1\\fcharset128 x;}{\\f2\\fcharset204 y;}}\\f2 said}")
    finally:
        rich_text.tables.cache_clear()
    assert asked == ["cp1251"]


def test_the_twin_is_what_runs_without_a_kernel(monkeypatch):
    monkeypatch.setattr(rich_text, "KERNEL", None)
    assert isinstance(rich_text.read(b"{\\rtf1 x}"), rtf.RtfReader)
    assert importlib.import_module("dlp.decode.formats.rtf").rich_text is rich_text
