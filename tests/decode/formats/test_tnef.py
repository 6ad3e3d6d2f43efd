"""winmail.dat: what Outlook wraps up is read as if it had not been wrapped."""

import struct

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dlp.decode.contract import Embedded, Title
from dlp.decode.formats.tnef import extract
from dlp.decode.identify import identify
from dlp.model import GapCode
from tests.support.office_builder import planted
from tests.support.reading import all_words, gaps, is_sound, items, parts

PLACES = (
    "subject", "body", "sender", "wide_property", "narrow_property", "named_property", "many_values",
    "html", "attachment_name", "attachment_content", "object_content",
)  # fmt: skip


def attribute(level, number, payload):
    return (
        struct.pack("<BII", level, number, len(payload))
        + payload
        + struct.pack("<H", sum(payload) & 0xFFFF)
    )


def padded(raw):
    return struct.pack("<I", len(raw)) + raw + b"\0" * (-len(raw) % 4)


def mapi(*values):
    return struct.pack("<I", len(values)) + b"".join(values)


def value(kind, number, *raws, name=b""):
    return (
        struct.pack("<HH", kind, number)
        + name
        + struct.pack("<I", len(raws))
        + b"".join(map(padded, raws))
    )


def build_tnef(marks):
    m = marks.get
    named = bytes(16) + struct.pack("<II", 1, 8) + "Case".encode("utf-16-le")
    return b"\x78\x9f\x3e\x22\1\0" + b"".join([
        attribute(1, 0x69007, struct.pack("<II", 1252, 0)),
        attribute(1, 0x18004, m("subject", "").encode() + b"\0"),
        attribute(1, 0x2800C, m("body", "").encode() + b"\0"),
        attribute(1, 0x69003, mapi(
            struct.pack("<HHI", 3, 0x0017, 1),
            value(0x1F, 0x0C1A, m("sender", "").encode("utf-16-le")),
            value(0x1F, 0x3A09, m("wide_property", "").encode("utf-16-le")),
            value(0x1E, 0x3A08, m("narrow_property", "").encode()),
            value(0x1F, 0x8001, m("named_property", "").encode("utf-16-le"), name=named),
            value(0x101F, 0x3A58, b"a\0", m("many_values", "").encode("utf-16-le")),
            value(0x102, 0x1013, f"<p>{m('html')}</p>".encode()),
        )),
        attribute(2, 0x69002, bytes(14)),
        attribute(2, 0x18010, m("attachment_name", "").encode() + b"\0"),
        attribute(2, 0x6800F, m("attachment_content", "").encode()),
        attribute(2, 0x69002, bytes(14)),
        attribute(2, 0x69005, mapi(value(0x0D, 0x3701, bytes(16) + m("object_content", "").encode()))),
    ])  # fmt: skip


@pytest.mark.parametrize("place", PLACES)
def test_every_place_is_read(place):
    assert planted((place,))[place] in all_words(extract, build_tnef(planted(PLACES)))


def test_a_whole_message_has_no_gap_and_shows_nothing():
    marks = planted(PLACES)
    raw = build_tnef(marks)
    found = items(extract, raw)
    assert not gaps(extract, raw)
    assert Title(marks["subject"]) in found
    assert parts(extract, raw)["body"] == marks["body"]
    assert [item.locator for item in found if isinstance(item, Embedded)] == [
        "html",
        "attachment:1",
        "attachment:2",
    ]
    assert not any(marker in repr(found) for marker in marks.values())


def test_it_is_known_by_its_mark(tmp_path):
    path = tmp_path / "winmail.dat"
    path.write_bytes(build_tnef(planted(PLACES)))
    with path.open("rb") as source:
        assert identify(source, "winmail.dat").media_type == "application/vnd.ms-tnef"


def test_a_cut_off_message_gives_its_start_and_a_gap():
    raw = build_tnef(planted(PLACES))
    assert gaps(extract, raw[: len(raw) // 2]) == {GapCode.CORRUPT}
    assert planted(("subject",))["subject"] in all_words(extract, raw[: len(raw) // 2])


PIECES = st.sampled_from([
    attribute(1, 0x69003, mapi(value(0x1F, 0x37, b"a\0"))), attribute(1, 0x69003, b"\xff" * 8), attribute(1, 0x69003, b""),
    attribute(1, 0x69003, mapi(struct.pack("<HHI", 0x101F, 0x8001, 0xFFFFFFFF))), attribute(2, 0x6800F, b"x"), attribute(2, 0x69005, b"\1\0\0\0\x0d"),
    attribute(1, 0x69007, b"\1"), attribute(1, 0x69003, mapi(value(0x102, 0x1009, b"LZFu"))), b"\1", b"\xff" * 9, attribute(9, 0, b""),
])  # fmt: skip


@given(st.lists(PIECES, max_size=10).map(b"".join), st.integers(0, 40))
@settings(max_examples=200, deadline=None)
def test_any_arrangement_of_its_own_attributes_is_read_or_a_gap(body, cut):
    assert is_sound(extract, b"\x78\x9f\x3e\x22\1\0" + body)
    assert is_sound(extract, (b"\x78\x9f\x3e\x22\1\0" + body)[: len(body) - cut])
