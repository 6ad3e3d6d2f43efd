"""The content decides what a file is; the name is only a hint, and text that decodes is text."""

import io
import struct
import zipfile

import pytest

from dlp.decode.encoding import decode, guess
from dlp.decode.identify import identify

SENTENCE = "Patient Zoë Example, née Müller – seen on 3 May for “asthma”; cost £20.\n" * 6
ODF = "application/vnd.oasis.opendocument."
FLAT = (
    b'<?xml version="1.0"?>\n<office:document xmlns:office="urn:oasis" office:version="1.3"'
    b' office:mimetype="application/vnd.oasis.opendocument.%s"><office:body/></office:document>'
)
CODECS = ["utf-8", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be", "cp1252", "mac_roman"]


def zipped(*names, stored=b""):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name in names:
            archive.writestr(name, stored or b"x")
    return out.getvalue()


@pytest.mark.parametrize(
    "content, media_type",
    [
        (b"PATIENT: Ada Example\nDOB: 1/2/1950\n", "text/plain"),
        (b"%PDF-1.7\n", "application/pdf"),
        (b"\r\nHeader\n%PDF-1.4\n%\xe2\xe3\xcf\xd3", "application/pdf"),
        (b"{\\rtf1 x}", "application/rtf"),
        (b'{"resourceType": "Patient"}', "application/json"),
        (b'[{"a": 1}]', "application/json"),
        (b"[1, 2.5e3]", "application/json"),
        (b"[]", "application/json"),
        (b"[10:02] Ada: how is the knee?\n[10:03] Bo: better\n", "text/plain"),
        (b"[2024-03-09 10:02] Ada: seen\n", "text/plain"),
        (b"[1] Example A. On knees. 2009.\n", "text/plain"),
        (b"[-] call the clinic\n", "text/plain"),
        (FLAT % b"text", "application/vnd.oasis.opendocument.text-flat-xml"),
        (FLAT % b"spreadsheet", "application/vnd.oasis.opendocument.spreadsheet-flat-xml"),
        (FLAT % b"text-template", "application/vnd.oasis.opendocument.text-flat-xml"),
        (b"<?xml version='1.0'?><office:document/>", f"{ODF}text-flat-xml"),
        (b"MSH|^~\\&|A|B\rPID|1\r", "application/hl7-v2"),
        (b"\x0bMSH|^~\\&|A|B\rPID|1\r\x1c\r", "application/hl7-v2"),
        (b"<?xml version='1.0'?><ClinicalDocument/>", "application/xml"),
        (b"<!DOCTYPE html><p>x", "text/html"),
        (b"<table><tr><td>x</table>", "text/html"),
        (b"<note id='1'>x</note>", "application/xml"),
        (b"Received: from a\nFrom: a@example.org\nSubject: x\n\nbody", "message/rfc822"),
        (b"From a@example.org Mon Jan  1 10:00:00 2024\nFrom: a\n\nx", "application/mbox"),
        (b"From: Dr A\nTo: Dr B\nDate: 3 May\n\nDear colleague", "text/plain"),
        (b"name,dob,mrn\nA,1,2\nB,3,4\nC,5,6\n", "text/csv"),
        (b"a\tb\n1\t2\n3\t4\n", "text/csv"),
        (b"Dear A, B, and C,\nI saw D today.\nShe is, as ever, well, thank you.\n", "text/plain"),
        (b"BEGIN:VCARD\nFN:A\nEND:VCARD\n", "text/vcard"),
        (b"SQLite format 3\x00" + bytes(90), "application/vnd.sqlite3"),
        (bytes(128) + b"DICM", "application/dicom"),
        (b"\x1f\x8b\x08", "application/gzip"),
        (b"", "application/x-empty"),
    ],
)
def test_content_decides(content, media_type):
    assert identify(io.BytesIO(content), "misleading.jpg").media_type == media_type


@pytest.mark.parametrize(
    "names, ending",
    [
        (("[Content_Types].xml", "word/document.xml"), "wordprocessingml.document"),
        (("[Content_Types].xml", "xl/workbook.xml"), "spreadsheetml.sheet"),
        (("[Content_Types].xml", "xl/workbook.bin"), "excel.sheet.binary.macroenabled.12"),
        (("[Content_Types].xml", "ppt/presentation.xml"), "presentationml.presentation"),
        (("report.docx",), "zip"),
    ],
)
def test_the_zip_family_is_told_apart_by_structure(names, ending):
    assert identify(io.BytesIO(zipped(*names))).media_type.endswith(ending)
    prefixed = io.BytesIO(b"PK00" + zipped(*names))
    assert identify(prefixed).media_type.endswith(ending)


def test_a_cut_zip_is_still_known_by_its_first_members():
    whole = zipped("[Content_Types].xml", "word/document.xml")
    assert identify(io.BytesIO(whole[:120])).media_type.endswith("wordprocessingml.document")


def test_open_document_says_its_own_type():
    declared = b"application/vnd.oasis.opendocument.spreadsheet"
    assert identify(io.BytesIO(zipped("mimetype", stored=declared))).media_type == declared.decode()


def test_names_that_lie_are_noted_in_closed_words():
    assert identify(io.BytesIO(b"%PDF-1.7\n"), "Ada Example.TXT").mismatch == "pdf named txt"
    assert identify(io.BytesIO(b"%PDF-1.7\n"), "x.pdf").mismatch == ""
    assert identify(io.BytesIO(b"a,b\n1,2\n"), "x.txt").mismatch == ""
    assert identify(io.BytesIO(b"words"), "x.unheard").mismatch == ""


def test_an_archive_behind_a_picture_is_noticed():
    polyglot = b"GIF89a" + bytes(50) + zipped("hidden.txt")
    identity = identify(io.BytesIO(polyglot))
    assert identity.media_type == "image/gif"
    assert identity.also == ("application/zip",)


@pytest.mark.parametrize("codec", CODECS)
@pytest.mark.parametrize("mark", [False, True], ids=["bare", "bom"])
def test_text_is_text_in_any_encoding(codec, mark):
    if mark and not codec.startswith("utf"):
        pytest.skip("no mark exists for it")
    raw = (("\ufeff" if mark else "") + SENTENCE).encode(codec)
    found = guess(raw)
    assert decode(raw, found) == SENTENCE
    identity = identify(io.BytesIO(raw))
    assert identity.media_type == "text/plain"


@pytest.mark.parametrize(
    "codec, text",
    [
        ("koi8-r", "Пациентка обратилась с жалобами на головную боль и слабость. " * 8),
        ("cp1251", "Пациентка обратилась с жалобами на головную боль и слабость. " * 8),
        ("shift_jis", "患者は頭痛とめまいを訴えて来院した。血圧は正常であった。" * 8),
        ("utf-16-le", "Пациентка обратилась с жалобами на головную боль. " * 8),
    ],
)
def test_other_scripts_are_read_in_doubt_by_statistics(codec, text):
    raw = text.encode(codec)
    found = guess(raw)
    assert found
    same = sum(a == b for a, b in zip(decode(raw, found), text, strict=False))
    assert same > 0.9 * len(text)


def test_ebcdic_is_read_on_request():
    raw = SENTENCE.replace("–", "-").replace("“", "'").replace("”", "'").encode("cp037", "replace")
    identity = identify(io.BytesIO(raw), extra_encodings=("cp037",))
    assert (identity.media_type, identity.encoding) == ("text/plain", "cp037")


def test_padding_with_nuls_does_not_hide_text():
    raw = b"Ada Example has asthma\n" * 20 + bytes(300)
    assert identify(io.BytesIO(raw)).media_type == "text/plain"


def test_a_stray_byte_does_not_turn_utf8_into_something_else():
    raw = SENTENCE.encode() + b"\xff" + SENTENCE.encode()
    assert guess(raw) == "utf-8"
    assert decode(raw, "utf-8").replace("ÿ", "") == SENTENCE * 2


@pytest.mark.parametrize("seed", range(5))
def test_random_bytes_are_no_text(seed):
    raw = b"".join(struct.pack("<Q", (i * 2654435761 + seed) ** 3 % 2**64) for i in range(512))
    assert guess(raw) is None
