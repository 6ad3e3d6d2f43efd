"""Old Office files and Outlook messages: every place is read; sealed and broken files say so."""

import struct

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dlp.decode.contract import Embedded, Title
from dlp.decode.formats import ole, ooxml
from dlp.decode.office import outlook
from dlp.model import Gap, GapCode, Part
from tests.support import ole_builder as build
from tests.support.compound_builder import build_compound
from tests.support.office_builder import planted
from tests.support.reading import gaps, is_sound, items, parts

FORMATS = {
    "doc": (ole.extract, build.build_doc, build.DOC_PLACES),
    "xls": (ole.extract, build.build_xls, build.XLS_PLACES),
    "ppt": (ole.extract, build.build_ppt, build.PPT_PLACES),
    "msg": (ole.extract, build.build_msg, build.MSG_PLACES),
}
EVERY_PLACE = [(name, place) for name, (_, _, places) in FORMATS.items() for place in places]


def all_words(extract, raw):
    words = []
    for item in items(extract, raw):
        if isinstance(item, Part | Title):
            words.append(item.text)
        elif isinstance(item, Embedded):
            inner = ooxml.extract if item.data.startswith(b"PK") else extract
            known = item.data.startswith((b"PK", b"\xd0\xcf"))
            words += [
                item.name,
                all_words(inner, item.data) if known else item.data.decode("latin-1"),
            ]
    return "\n".join(words)


@pytest.fixture(scope="module")
def read_all():
    return {
        name: all_words(extract, make(planted(places)))
        for name, (extract, make, places) in FORMATS.items()
    }


@pytest.mark.parametrize("name, place", EVERY_PLACE)
def test_every_place_is_read(read_all, name, place):
    assert planted((place,))[place] in read_all[name]


@pytest.mark.parametrize("name", FORMATS)
def test_a_whole_file_has_no_gap_and_shows_nothing(name):
    extract, make, places = FORMATS[name]
    raw = make(planted(places))
    found = items(extract, raw)
    assert not [item for item in found if isinstance(item, Gap)]
    assert any(isinstance(item, Embedded) for item in found)
    assert any(isinstance(item, Title) for item in found)
    assert not any(marker in repr(found) for marker in planted(places).values())
    locators = [item.locator for item in found if isinstance(item, Part | Embedded)]
    assert len(locators) == len(set(locators))


def test_word_stories_are_parts_of_their_own():
    marks = planted(build.DOC_PLACES)
    found = parts(ole.extract, build.build_doc(marks))
    assert found["body"].splitlines() == [
        marks["body"],
        f"left\t{marks['table_cell']}",
        marks["field_result"],
        f"{marks['wide_piece']} \U0001f600",
    ]
    assert found["footnotes"] == marks["footnote"]
    assert found["headers"] == marks["header"]
    assert found["comments"] == marks["comment"]
    assert found["header_textboxes"] == marks["header_text_box"]
    assert f"Case: {marks['user_property']}" in found["properties"]


def test_excel_cells_are_labelled_and_meant():
    marks = planted(build.XLS_PLACES)
    found = items(ole.extract, build.build_xls(marks))
    sheet = next(item for item in found if isinstance(item, Part) and item.locator == "sheet:1")
    assert sheet.text.splitlines()[1] == f"{marks['cell']}\t1980-02-29\t20586313"
    assert ("Birth date", "1980-02-29") in {
        (f.label, sheet.text[f.start : f.end]) for f in sheet.fields
    }
    assert marks["split_string"] in sheet.text


def test_a_nested_message_is_read_in_place():
    marks = planted(build.MSG_PLACES)
    found = parts(ole.extract, build.build_msg(marks))
    assert found["body"] == marks["body"]
    assert found["attachment:2/body"] == marks["nested_body"]
    assert f"home phone: {marks['home_phone']}" in found["headers"]


@pytest.mark.parametrize("raw", [
    build.build_doc(flags=0x0200 | 0x0100), build.build_xls(sealed=True), build.build_ppt(sealed=True),
    build_compound({("EncryptedPackage",): b"x" * 99, ("EncryptionInfo",): b"y" * 99}),
], ids=["doc", "xls", "ppt", "ooxml"])  # fmt: skip
def test_an_encrypted_file_is_a_gap(raw):
    assert gaps(ole.extract, raw) == {GapCode.ENCRYPTED}


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("keep", [0.2, 0.5, 0.8])
def test_a_cut_off_file_is_a_gap(name, keep):
    extract, make, places = FORMATS[name]
    raw = make({place: marker * 12 for place, marker in planted(places).items()})
    assert GapCode.CORRUPT in gaps(extract, raw[: int(len(raw) * keep)])


def test_something_else_in_the_container_keeps_its_words_and_a_gap():
    raw = build_compound({("Unheard",): b"\0\1Jane Roe was here\0"})
    assert gaps(ole.extract, raw) == {GapCode.UNSUPPORTED}
    assert "Jane Roe was here" in parts(ole.extract, raw)["streams"]


def test_what_is_no_container_at_all_is_a_gap():
    assert gaps(ole.extract, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 Jane Roe") == {GapCode.CORRUPT}


def test_storages_inside_storages_end_at_the_limit():
    deep = build_compound({("a",) * 30 + ("WordDocument",): b"x"})
    assert GapCode.TOO_DEEP in gaps(ole.extract, deep)


def test_a_chain_that_bites_its_tail_ends():
    raw = bytearray(build_compound({("WordDocument",): b"x" * 5000}))
    entry = raw.index("WordDocument".encode("utf-16-le"))
    raw[entry + 120 : entry + 124] = (3 << 30).to_bytes(4, "little")  # "three gigabytes"
    first = int.from_bytes(raw[entry + 116 : entry + 120], "little")
    table = len(raw) - 512 + 4 * first
    raw[table : table + 4] = first.to_bytes(4, "little")
    assert GapCode.CORRUPT in gaps(ole.extract, bytes(raw))


def test_a_bare_stream_of_records_is_read():
    sheet = build.record(0x0409, bytes(6)) + build.record(
        0x204, bytes(6) + struct.pack("<H", 8) + b"Jane Roe"
    )
    assert parts(ole.extract, sheet + build.record(0x0A))["sheet:1"] == "Jane Roe"


@pytest.mark.parametrize("packed, text", [
    # The two worked examples of MS-OXRTFCP, sections 4.1.1 and 4.1.2.
    ("2d0000002b0000004c5a4675f1c5c7a703000a007263706731323542320af32068656c090020627705b06c647d0a800fa0", rb"{\rtf1\ansi\ansicpg1252\pard hello world}" + b"\r\n"),
    ("1a0000001c0000004c5a4675e2d44b51410004205758595a0d6e7d010eb0", rb"{\rtf1 WXYZWXYZWXYZWXYZWXYZ}"),
])  # fmt: skip
def test_compressed_rtf_unpacks_as_the_standard_says(packed, text):
    assert outlook.unpack_rtf(bytes.fromhex(packed), 10_000) == (text, True)


@given(st.binary(min_size=1, max_size=20), st.integers(2, 17), st.integers(0, 4100))
def test_compressed_rtf_repeats_what_it_wrote_last_even_while_it_writes_it(letters, length, before):
    """A reference may reach into what it is about to write, and around the end of the window."""
    told = [bytes([n % 251]) for n in range(before)] + [bytes([n]) for n in letters]
    start = (len(outlook.PRELOADED) + before) % outlook.WINDOW
    end = (len(outlook.PRELOADED) + before + len(letters) + length) % outlook.WINDOW
    tokens = [(0, letter) for letter in told]
    tokens.append((1, (start << 4 | (length - 2)).to_bytes(2, "big")))
    tokens.append((1, (end << 4).to_bytes(2, "big")))  # the end mark
    packed = b""
    for place in range(0, len(tokens), 8):
        run = tokens[place : place + 8]
        packed += bytes([sum(bit << n for n, (bit, _) in enumerate(run))])
        packed += b"".join(token for _, token in run)
    wanted = b"".join(told) + (letters * length)[:length]
    assert outlook.inflate_rtf(bytes(16) + packed, 10_000) == wanted


def test_macro_source_unpacks_as_the_standard_says():
    # MS-OVBA 3.2.1 and 3.2.3: nothing to compress, and as much as there can be.
    plain = "0119b000616263646566676800696a6b6c6d6e6f70007172737475762e"
    assert ole.unpack_macros(bytes.fromhex(plain)) == b"abcdefghijklmnopqrstuv."
    assert ole.unpack_macros(bytes.fromhex("0103b002614500")) == b"a" * 73


PIECES = st.sampled_from([
    build.begin(5), build.begin(0x10), build.record(0x0A), build.record(0xFC, struct.pack("<II", 9, 99) + b"\2\0\0ab"),
    build.record(0x3C, b"\1a\0"), build.record(0xFD, bytes(10)), build.record(0x204, b"\0\0\0\0\0\0\xff\xff"), build.record(0x06, bytes(22)),
    build.record(0x207, b"\5\0\0abc"), build.record(0xBD, bytes(9)), build.record(0x18, b"\0"), build.record(0x1B6, b"\0"),
    build.record(0x41E, b"\1"), build.record(0xE0, b""), build.record(0x85, b"\0\0"), b"\xff\xff", b"\0", build.record(0x14, rb"\9"),
    build.container(0x03EE, build.atom(0x0FA0, b"a")), build.container(0x0FF0), build.atom(0x1011, b"\1\2\3\4zz", 1), b"\x0f\0\xee\3\xff\xff\xff\x7f",
    struct.pack("<4H", 0xA5EC, 0xC1, 0, 0), struct.pack("<4H", 0xA5DC, 0x65, 0, 0), bytes(0x200), b"\xff" * 0x1B0, b"\2\x10\0\0\0", b"\1\xff\xff",
    b"LZFu", b"MELA", b"\x02\0a\0b\0", build.vba("Attribute x"),
])  # fmt: skip
NAMES = st.sampled_from([
    "WordDocument", "0Table", "1Table", "Data", "Workbook", "Book", "PowerPoint Document", "Pictures", "Current User",
    "__properties_version1.0", "__substg1.0_0037001F", "__substg1.0_1000001E", "__substg1.0_10090102", "__substg1.0_37010102",
    "\x05SummaryInformation", "\x05DocumentSummaryInformation", "\x01Ole10Native", "Package", "CONTENTS", "Other",
])  # fmt: skip
FOLDERS = st.sampled_from(
    [(), (), ("ObjectPool", "_1"), ("__attach_version1.0_#00000000",), ("_SX_DB_CUR",), ("MBD1",)]
)


@given(
    st.dictionaries(st.builds(lambda folder, name: (*folder, name), FOLDERS, NAMES), st.lists(PIECES, max_size=8).map(b"".join), min_size=1, max_size=5),
    st.integers(0, 3000),
)  # fmt: skip
@settings(max_examples=250, deadline=None)
def test_any_arrangement_of_its_own_pieces_is_read_or_a_gap(streams, cut):
    raw = build_compound(streams)
    assert is_sound(ole.extract, raw)
    assert is_sound(ole.extract, raw[: max(8, len(raw) - cut)])


@given(st.binary(max_size=200), st.integers(0, 2000), st.sampled_from(list(FORMATS)))
@settings(max_examples=150, deadline=None)
def test_overwritten_bytes_are_read_or_a_gap(noise, at, name):
    raw = bytearray(WHOLE[name])
    at = at * 7 % len(raw)
    raw[at : at + len(noise)] = noise
    assert is_sound(FORMATS[name][0], bytes(raw))


WHOLE = {name: make(planted(places)) for name, (_, make, places) in FORMATS.items()}
