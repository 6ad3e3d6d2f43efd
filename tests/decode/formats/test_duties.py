"""Every format reads, keeps its place, survives damage with a gap, and stays silent in a repr."""

import io

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dlp.decode.contract import Limits
from dlp.decode.extract import read
from dlp.decode.format_registry import registry
from dlp.model import GapCode
from tests.support.file_builder import SAMPLES

PACKED = [
    "archive.tgz",
    "note.gz",
    "note.bz2",
    "note.xz",
    "archive.7z",
    "archive.zip",
    "archive.tar",
]
BINARY = [
    *PACKED,
    "letter.pdf",
    "scan.dcm",
    "photo.png",
    "photo.jpg",
    "photo.tif",
    "people.sqlite",
    "people.dbf",
    "people.parquet",
    "winmail.dat",
]
LIMITS = Limits(wall_seconds=5.0, max_text_chars=2_000_000, max_inflated_bytes=20_000_000)
QUICK = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)

# What a format is made of; random bytes alone never get past its first check.
TOKENS = {
    "table.csv": [",", ";", "\t", '"', '""', "\r\n", "\n", "name", "1950", " ", "é"],
    "page.html": ["<p>", "</p>", "<b", "<!--", "-->", "<script>", "</script>", "<title>", "&amp;", "&#0;",
                  "<img src='data:;base64,", "'>", "<input value=", "Ada", "<![CDATA[", "<table><tr><td>", "\0"],
    "record.xml": ["<?xml version='1.0'?>", "<a>", "</a>", "<b x='1'", "/>", ">", "<!DOCTYPE a [", "]>",
                   "<!ENTITY e 'Ada'>", "&e;", "&amp;", "<![CDATA[", "]]>", "Ada", "<?pi x?>", "<!--", "-->",
                   "<name>", "<ClinicalDocument>", "<x representation='B64'>", "QUJD"],
    "bundle.json": ['{"', '":', '"', "{", "}", "[", "]", ",", "\\u00e9", "\\ud800", "\\", "null", "1e5", "Ada",
                    '{"resourceType":"Patient",', '"data":"QUJDQUJDQUJDQUJDQUJDQUJDQUJDQUJDQUJDQUJDQUJDQUJDQUJDQUJD"'],
    "result.hl7": ["MSH|^~\\&|", "MSH", "PID|", "OBX|1|ED|", "|", "^", "~", "&", "\\X0D\\", "\\F\\", "\\", "\r",
                   "\n", "\x0b", "\x1c", "Base64^", "QUJD", "19500302", "NTE|1||"],
    "letter.eml": ["From: <", "To: ", "Subject: =?utf-8?b?", "?=", "=?x?q?=ZZ", "\r\n", "\r\n\r\n", "--b",
                   "--b--", "Content-Type: multipart/mixed; boundary=b", "Content-Type: text/html; charset=x",
                   "Content-Type: message/rfc822", "Content-Transfer-Encoding: base64", "Received: a",
                   "MIME-Version: 1.0", "Content-Disposition: attachment; filename*0*=x''%ff", "\udcff", "Ada"],
    "contact.vcf": ["BEGIN:VCARD", "END:VCARD", "\r\n", "\n ", ":", ";", "FN:", "a.TEL;X=", "Ada", "N"],
}  # fmt: skip


def text_of(reading):
    return "\n".join(part.text for part in reading.document.parts)


@pytest.mark.parametrize("name", SAMPLES)
def test_reads_what_is_there(name):
    content, words = SAMPLES[name]
    reading = read(io.BytesIO(content), name)
    text = text_of(reading)
    assert [word for word in words if word not in text] == []
    assert reading.document.media_type in registry().media_types
    assert {gap.code for gap in reading.gaps} <= {GapCode.NEEDS_OCR}


@pytest.mark.parametrize("name", SAMPLES)
def test_says_nothing_in_a_repr(name):
    reading = read(io.BytesIO(SAMPLES[name][0]), name)
    for secret in ("Ada", "Example", "998", "1950", "asthma"):
        assert secret not in repr(reading)


@pytest.mark.parametrize("name", SAMPLES)
def test_fields_lie_inside_their_text(name):
    reading = read(io.BytesIO(SAMPLES[name][0]), name)
    for part in reading.document.parts:
        for field in part.fields or ():
            assert 0 <= field.start < field.end <= len(part.text)
            assert field.label


@pytest.mark.parametrize("name", BINARY)
def test_half_a_file_is_never_whole(name):
    content = SAMPLES[name][0].rstrip(b"\0")  # tar pads its end
    reading = read(io.BytesIO(content[: len(content) // 2]), name)
    assert reading.gaps, "a cut file must say so"
    assert GapCode.INTERNAL not in {gap.code for gap in reading.gaps}


@pytest.mark.parametrize("name", BINARY)
@QUICK
@given(data=st.data())
def test_damage_is_survived(name, data):
    content = bytearray(SAMPLES[name][0])
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(content) - 1))
        change = data.draw(st.sampled_from(["flip", "cut", "repeat", "zero", "max"]))
        length = data.draw(st.integers(1, 24))
        match change:
            case "flip":
                content[place] ^= data.draw(st.integers(1, 255))
            case "cut":
                del content[place : place + length]
            case "repeat":
                content[place:place] = content[place : place + length]
            case "zero":
                content[place : place + 4] = bytes(4)
            case "max":
                content[place : place + 4] = b"\xff\xff\xff\xff"
        if not content:
            return
    reading = read(io.BytesIO(bytes(content)), name, LIMITS)
    assert GapCode.INTERNAL not in {gap.code for gap in reading.gaps}


@pytest.mark.parametrize("name", TOKENS)
@QUICK
@given(data=st.data())
def test_any_order_of_its_own_tokens_is_survived(name, data):
    tokens = data.draw(st.lists(st.sampled_from(TOKENS[name]), max_size=60))
    start = SAMPLES[name][0][: data.draw(st.integers(0, 40))]
    content = start + "".join(tokens).encode("utf-8", "surrogateescape")
    media_type = read(io.BytesIO(SAMPLES[name][0]), name).document.media_type
    extract = registry().extractor(media_type)
    for _ in extract(io.BytesIO(content), LIMITS):
        pass  # the format itself, whatever the door would have called it
    reading = read(io.BytesIO(content), name, LIMITS)
    assert GapCode.INTERNAL not in {gap.code for gap in reading.gaps}
