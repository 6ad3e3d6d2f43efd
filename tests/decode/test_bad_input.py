"""Whatever comes, never a traceback and never "clean": each kind of bad file has its gap code."""

import gzip
import io
import os
import resource
import struct
import time
import zipfile
import zlib

import pytest

from dlp.decode import ocr
from dlp.decode.contract import Limits
from dlp.decode.extract import read
from dlp.model import GapCode
from tests.support.file_builder import CCDA, NOTE, SAMPLES, pdf, scanned_pdf, seven_zipped, zipped

SECONDS = 20


def zip_of(name):
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        archive.writestr(name.encode("utf-8", "surrogateescape").decode("latin-1"), b"x")
    return target.getvalue()


def codes(content, name="x", limits=None):
    start = time.monotonic()
    reading = read(io.BytesIO(content) if isinstance(content, bytes) else content, name, limits)
    assert time.monotonic() - start < SECONDS
    return {gap.code for gap in reading.gaps}


def locked_zip():
    """A member marked as encrypted, as every tool marks it: bit 0 of its flags."""
    raw = bytearray(zipped())
    raw[6] |= 1
    raw[raw.find(b"PK\x01\x02") + 8] |= 1
    return bytes(raw)


@pytest.mark.parametrize(
    "content",
    [locked_zip(), seven_zipped(password="tika"), pdf(password="secret")],
    ids=["zip", "7z", "pdf"],
)
def test_encrypted(content):
    assert GapCode.ENCRYPTED in codes(content)


@pytest.mark.parametrize("name", ["letter.pdf", "archive.zip", "note.gz", "people.sqlite"])
def test_truncated(name):
    content = SAMPLES[name][0]
    assert GapCode.CORRUPT in codes(content[: len(content) * 2 // 3], name)


def test_mislabelled_files_are_read_as_what_they_are():
    reading = read(io.BytesIO(pdf()), "holiday.jpg")
    assert "Ada Example has asthma" in reading.document.parts[0].text
    assert reading.document.metadata["mismatch"] == "pdf named jpg"


def test_an_archive_behind_a_picture_is_read():
    reading = read(io.BytesIO(SAMPLES["photo.jpg"][0] + zipped()), "photo.jpg")
    assert any("born 2 March" in part.text for part in reading.document.parts)


def test_zero_bytes_hold_nothing_and_hide_nothing():
    assert codes(b"", "empty.docx") == set()


@pytest.fixture
def sparse(tmp_path):
    path = tmp_path / "sparse.txt"
    with path.open("wb") as out:
        out.write(NOTE * 4000)
        out.truncate(4 << 30)
    with path.open("rb") as source:
        yield source


def test_four_gigabytes_of_nothing(sparse):
    limits = Limits(max_text_chars=4_000_000)
    assert codes(sparse, "sparse.txt", limits) == {GapCode.TOO_LARGE}


def test_one_endless_line(tmp_path):
    path = tmp_path / "line.txt"
    with path.open("wb") as out:
        for _ in range(300):
            out.write(b"Ada Example; " * 80_660)  # about a megabyte
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with path.open("rb") as source:
        reading = read(source, "line.txt")
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert {gap.code for gap in reading.gaps} == {GapCode.TOO_LARGE}
    assert reading.document.characters == Limits().max_text_chars
    assert grown < 350_000  # kB


def bomb(size=60_000_000):
    packer = zlib.compressobj(9, wbits=31)
    return (
        b"".join([packer.compress(bytes(1_000_000)) for _ in range(size // 1_000_000)])
        + packer.flush()
    )


def zip_bomb():
    out = io.BytesIO()
    with (
        zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive,
        archive.open("a", "w") as member,
    ):
        for _ in range(60):
            member.write(bytes(1_000_000))
    return out.getvalue()


@pytest.mark.parametrize("make", [bomb, zip_bomb], ids=["gzip", "zip"])
def test_bombs(make):
    assert GapCode.TOO_LARGE in codes(make())


def test_a_thousand_bombs_in_one_archive_share_the_budget():
    out = io.BytesIO()
    small = gzip.compress(bytes(400_000))
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(1000):
            archive.writestr(f"{number}.gz", small)
    limits = Limits(max_inflated_bytes=50_000_000)
    assert GapCode.TOO_LARGE in codes(out.getvalue(), limits=limits)


def test_fifty_levels_deep():
    content = NOTE
    for level in range(50):
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w") as archive:
            archive.writestr(f"{level}.zip", content)
        content = out.getvalue()
    assert GapCode.TOO_DEEP in codes(content)


def test_archives_that_contain_themselves_end():
    # a gzip of a gzip of ... by hand, deeper than the limit
    content = NOTE
    for _ in range(30):
        content = gzip.compress(content)
    assert codes(content) == {GapCode.TOO_DEEP}


LAUGHS = (
    b'<?xml version="1.0"?><!DOCTYPE l [<!ENTITY a "ha">'
    + b"".join(
        b"<!ENTITY %c '%s'>" % (99 + i, b"&%c;" % (98 + i if i else 97) * 10) for i in range(12)
    )
    + b"]><l>&n;</l>"
)
STEALING = b'<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/hostname">]><a>&x;</a>'


@pytest.mark.parametrize("content", [LAUGHS, STEALING], ids=["laughs", "external"])
def test_entities_are_read_but_never_expanded(content):
    reading = read(io.BytesIO(content), "x.xml")
    assert GapCode.UNSUPPORTED in {gap.code for gap in reading.gaps}
    assert reading.document.characters < 5000
    hostname = os.uname().nodename
    assert all(hostname not in part.text for part in reading.document.parts)


def test_text_hidden_in_an_entity_is_still_found():
    content = b'<!DOCTYPE a [<!ENTITY x "Ada Example has asthma">]><a>&x;</a>'
    reading = read(io.BytesIO(content), "x.xml")
    assert any("Ada Example has asthma" in part.text for part in reading.document.parts)


def test_elements_nested_without_end():
    content = b"<a>" * 100_000
    assert codes(content, "x.xml") == {GapCode.CORRUPT}


def test_brackets_nested_without_end():
    assert GapCode.TOO_DEEP in codes(b'[{"a":' * 100_000, "x.json")


def test_broken_markup_loses_nothing():
    content = CCDA.replace(b"</given><family>", b"</give><family>")
    reading = read(io.BytesIO(content), "x.xml")
    assert {gap.code for gap in reading.gaps} == {GapCode.CORRUPT}
    assert any("Asthma" in part.text for part in reading.document.parts)


def test_a_scan_is_a_gap_where_nobody_reads_pictures():
    reading = read(io.BytesIO(scanned_pdf()), "scan.pdf")
    assert ocr.available() or GapCode.NEEDS_OCR in {gap.code for gap in reading.gaps}


def test_a_picture_of_absurd_size_costs_nothing():
    header = struct.pack(">IIBBBBB", 60_000, 60_000, 8, 2, 0, 0, 0)
    chunk = (
        struct.pack(">I", 13) + b"IHDR" + header + struct.pack(">I", zlib.crc32(b"IHDR" + header))
    )
    content = b"\x89PNG\r\n\x1a\n" + chunk + bytes(100)
    assert codes(content, "x.png") & {GapCode.NEEDS_OCR, GapCode.CORRUPT}


def test_sound_and_programs_are_never_clean():
    for content in (
        b"ID3\x03\x00\x00\x00\x00\x00\x00\xff\xfb\x90\x00" + bytes(400),
        b"\x7fELF" + bytes(200),
    ):
        assert codes(content) == {GapCode.UNSUPPORTED}


def test_words_in_an_unknown_format_are_salvaged_and_the_gap_stays():
    content = bytes(range(200, 256)) * 10 + b"Patient Ada Example, asthma" + bytes(range(64)) * 4
    reading = read(io.BytesIO(content), "x.weird")
    assert [gap.code for gap in reading.gaps] == [GapCode.UNSUPPORTED]
    assert any("Ada Example" in part.text for part in reading.document.parts)


def test_words_of_a_ruined_file_are_salvaged():
    ruined = b"SQLite format 3\0" + bytes(84) + b"\xff\xfe\0Ada Example, asthma since 1970\0" * 20
    reading = read(io.BytesIO(ruined), "x.db")
    assert GapCode.CORRUPT in {gap.code for gap in reading.gaps}
    assert any("Ada Example" in part.text for part in reading.document.parts)


HALVES = {
    "mail in UTF-7": (
        "a.eml",
        b"Subject: a\r\nContent-Type: text/plain; charset=utf-7\r\n\r\nAda Example +2hs- asthma\r\n",
    ),
    "an escape of JSON": ("a.json", b'{"name": "Ada Example", "note": "\\ud83d asthma"}'),
    "a reference of HTML": ("a.html", b"<p>Ada Example &#xD83D; asthma &#55357;</p>"),
    "a name in an archive": ("a.zip", zip_of("Ada Example \udcff asthma.txt")),
    "a text in UTF-16": (
        "a.txt",
        b"\xff\xfe" + "Ada Example \ud83d asthma".encode("utf-16-le", "surrogatepass"),
    ),
}


@pytest.mark.parametrize("case", HALVES)
def test_half_a_surrogate_pair_hides_nothing(case):
    """What libraries cannot encode stopped every detector behind the reader."""
    name, content = HALVES[case]
    reading = read(io.BytesIO(content), name)
    text = "\n".join(part.text for part in reading.document.parts)
    text.encode()
    assert GapCode.INTERNAL not in {gap.code for gap in reading.gaps}
    assert "Ada Example" in text
    assert "asthma" in text


NAMES = ["a.pdf", "a.txt", "a.docx", "a.jpg", "a.xls", "a.zip", "a.mp3", "a", "a.html", "a.exe"]


@pytest.mark.parametrize("name", SAMPLES)
def test_no_name_changes_what_is_read(name):
    """200 wrong names and more, 200 right readers."""
    content = SAMPLES[name][0]
    right = read(io.BytesIO(content), name)
    for wrong_name in NAMES:
        wrong = read(io.BytesIO(content), wrong_name)
        assert wrong.document.media_type == right.document.media_type
        assert wrong.document.parts == right.document.parts
        assert wrong.gaps == right.gaps
