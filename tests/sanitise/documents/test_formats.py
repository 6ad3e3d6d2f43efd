"""Every rewritable format: values gone, the rest kept, the same again, refused rather than partial."""

import base64
import io
import json
import random
import zipfile

import pikepdf
import pydicom
import pytest

from dlp.decode.extract import read
from dlp.errors import SanitiseError
from dlp.sanitise.documents.content_type import DOCX, ODF, PPTX, XLSX
from dlp.sanitise.documents.contract import Bounds
from dlp.sanitise.documents.format_rewriter import rewrite, supported
from dlp.sanitise.documents.leftover_check import leftovers
from dlp.sanitise.documents.value_search import replacing
from tests.support import office_builder, one_of_each, opendocument_builder
from tests.support.pdf_builder import plain_pdf

NAME = "Jane Sample"
PAIRS = [(NAME, "[NAME]"), ("Jane", "[FIRST]"), ("Sample", "[LAST]"), ("Sample^Jane", ""), ("4711", "[ID]"),
         ("1950-05-04", "1950"), ("Jürgen", "[NAME]")]  # fmt: skip
EDIT = replacing(PAIRS)
VALUES = [value for value, _ in PAIRS]
RTF = (
    rb"{\rtf1\ansi\ansicpg1252{\fonttbl{\f0\fswiss Arial;}}{\info{\author Jane Sample}}{\*\generator x;}"
    rb"\f0 Seen Ja{\b ne Sam}ple was \deleted gone Jane Sample\deleted0  kept {\b bold}\par caf\'e9 \u8217?s "
    rb'{\*\unknown Jane Sample}{\field{\*\fldinst HYPERLINK "http://x/Jane Sample"}{\fldrslt link}}\tab x'
    rb"{\*\annotation Jane Sample}{\footnote note by Jane Sample}\u-10179?\u-8704? end\par}"
)
HTML = (
    b"<html><head><title>About Jane Sample</title><meta name=author content='Jane Sample'><script>x='Jane "
    b"Sample'</script></head><body onload='Jane'><!-- Jane Sample --><p title='Jane Sample'>Seen <b>Ja</b>ne "
    b"<i>Sample</i>, <b>kept</b> bold</p><a href='mailto:Jane%20Sample'>write</a><table><tr><td>a</td>"
    b"<td>Sample</td></tr></table><img alt='Jane Sample' src='javascript:1'><iframe srcdoc='Jane'></iframe></body></html>"
)
CCDA = (
    b'<?xml version="1.0"?><?xml-stylesheet href="Jane Sample"?><ClinicalDocument xmlns="urn:hl7-org:v3">'
    b'<!-- Jane Sample --><recordTarget><patientRole><id root="2.16" extension="4711"/><patient><name><given>Jane'
    b'</given><family>Sample</family></name><birthTime value="1950-05-04"/></patient></patientRole></recordTarget>'
    b'<text><paragraph>kept <content styleCode="Bold">Ja</content>ne Sample</paragraph></text></ClinicalDocument>'
)
FHIR = json.dumps({
    "resourceType": "Patient", "id": "4711", "name": [{"family": "Sample", "given": ["Jane"]}],
    "birthDate": "1950-05-04", "note": "kept", "count": 4711, "Jane Sample": True,
    "text": {"div": '<div xmlns="http://www.w3.org/1999/xhtml">Ja<b>ne</b> Sample <b>kept</b></div>'},
    "photo": [{"data": base64.b64encode(plain_pdf("about Jane Sample")).decode()}],
}).encode()  # fmt: skip
SAMPLES = {
    "text/plain": "Zoë met Jane\n Sample. kept".encode(),
    "text/csv": b'name,born,note\n"Sample, Jane",1950-05-04,"kept ""so"""\r\nJane Sample,,kept\n',
    "text/html": HTML,
    "application/xml": CCDA,
    "application/json": FHIR,
    "application/rtf": RTF,
    "message/rfc822": one_of_each.mail().replace(b"Subject: note", b"Subject: kept Jane Sample\nX-Odd: Jane"),
    "application/zip": one_of_each.zipped().replace(b"zzz", b""),
    "application/dicom": one_of_each.dicom(),
    "application/pdf": plain_pdf("kept Jane Sample 4711\nborn 1950-05-04"),
    "image/png": office_builder.png(NAME),
    "image/jpeg": one_of_each.picture("JPEG"),
    DOCX: office_builder.build_docx({"body": f"kept {NAME}"}),
    XLSX: office_builder.build_xlsx({"cell": f"kept {NAME}"}),
    PPTX: office_builder.build_pptx({"title": f"kept {NAME}"}),
    f"{ODF}text": opendocument_builder.build_odf("text", {"body": f"kept {NAME}"}),
    f"{ODF}spreadsheet": opendocument_builder.build_odf("spreadsheet", {"cell": f"kept {NAME}"}),
    f"{ODF}presentation": opendocument_builder.build_odf("presentation", {"slide": f"kept {NAME}"}),
}  # fmt: skip
SILENT = {"application/zip", "application/dicom", "image/png", "image/jpeg"}


def words(data):
    return "\n".join(part.text for part in read(io.BytesIO(data), "x").document.parts)


@pytest.mark.parametrize("kind", SAMPLES)
def test_values_are_gone_and_the_rest_is_kept(kind):
    data = rewrite(SAMPLES[kind], kind, EDIT).data
    assert leftovers(SAMPLES[kind], kind, VALUES)
    assert leftovers(data, kind, VALUES) == []
    assert not any(value in words(data) for value in VALUES)
    assert kind in SILENT or "kept" in words(data)


@pytest.mark.parametrize("kind", SAMPLES)
def test_again_is_the_same(kind):
    data = rewrite(SAMPLES[kind], kind, EDIT).data
    assert rewrite(SAMPLES[kind], kind, EDIT).data == data
    assert rewrite(data, kind, EDIT).data == data


def test_unknown_types_are_refused():
    assert set(SAMPLES) <= supported()
    with pytest.raises(SanitiseError, match="DLP-600"):
        raise_from(b"MZ", "application/x-unheard-of")


def raise_from(data, kind):
    try:
        rewrite(data, kind, EDIT)
    except SanitiseError as error:
        raise SanitiseError(str(error)) from None


@pytest.mark.parametrize("kind", SAMPLES)
def test_damage_gives_a_refusal_or_a_file_without_the_values(kind):
    """Never a crash, never a partial output that still says what it should not."""
    chance = random.Random(kind)
    source = SAMPLES[kind]
    for _ in range(40):
        data = bytearray(source)
        for _ in range(chance.randint(1, 8)):
            act, at = chance.random(), chance.randrange(len(data))
            if act < 0.5:
                data[at] = chance.randrange(256)
            elif act < 0.75:
                del data[at : at + chance.randint(1, 40)]
            else:
                data[at:at] = data[at : at + chance.randint(1, 40)]
            if not data:
                break
        try:
            out = rewrite(bytes(data), kind, EDIT).data
        except SanitiseError:
            continue
        assert leftovers(out, kind, [NAME]) == []


@pytest.mark.parametrize("kind", [DOCX, XLSX, PPTX, f"{ODF}text", f"{ODF}spreadsheet"])
def test_damaged_xml_inside_a_sound_package_never_crashes(kind):
    chance = random.Random(kind)
    with zipfile.ZipFile(io.BytesIO(SAMPLES[kind])) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    for _ in range(60):
        name = chance.choice(list(members))
        content = bytearray(members[name] or b" ")
        for _ in range(chance.randint(1, 4)):
            content[chance.randrange(len(content))] = chance.choice(b'<>"/=& xAr:0')
        try:
            out = rewrite(office_builder.pack({**members, name: bytes(content)}), kind, EDIT).data
        except SanitiseError:
            continue
        assert leftovers(out, kind, [NAME]) == []


def test_a_macro_file_is_refused():
    macro = office_builder.build_docx()
    with zipfile.ZipFile(io.BytesIO(macro)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    types = members["[Content_Types].xml"].replace(
        b"vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml",
        b"vnd.ms-word.document.macroEnabled.main+xml",
    )
    with pytest.raises(SanitiseError, match="macros"):
        rewrite(office_builder.pack({**members, "[Content_Types].xml": types}), DOCX, EDIT)


@pytest.mark.parametrize("name", ["_xmlsignatures/sig1.xml", "META-INF/documentsignatures.xml"])
def test_a_signed_package_is_refused(name):
    kind = DOCX if name.startswith("_") else f"{ODF}text"
    with zipfile.ZipFile(io.BytesIO(SAMPLES[kind])) as archive:
        members = {item: archive.read(item) for item in archive.namelist()}
    with pytest.raises(SanitiseError, match="signed"):
        rewrite(office_builder.pack({**members, name: b"<x/>"}), kind, EDIT)


def test_locked_files_are_refused():
    with pytest.raises(SanitiseError, match="password"):
        rewrite(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600, DOCX, EDIT)
    locked = bytearray(SAMPLES["application/zip"])
    at = locked.index(b"PK\x01\x02")
    locked[at + 8] |= 1
    with pytest.raises(SanitiseError):
        rewrite(bytes(locked), "application/zip", EDIT)


def test_declared_entities_are_refused():
    bomb = b'<!DOCTYPE x [<!ENTITY a "Jane Sample">]><x>&a;</x>'
    with pytest.raises(SanitiseError, match="entities"):
        rewrite(bomb, "application/xml", EDIT)


def test_a_bomb_is_refused():
    bomb = office_builder.pack({"a.txt": b"\0" * 5_000_000})
    with pytest.raises(SanitiseError, match="unpacks"):
        rewrite(bomb, "application/zip", EDIT, bounds=Bounds(inflated_bytes=1_000_000))


def test_unknown_attachments_are_dropped_with_a_note():
    inner = office_builder.pack({"a.txt": b"kept", "b.bin": b"MZ\0\1\2 Jane Sample"})
    result = rewrite(inner, "application/zip", EDIT)
    assert zipfile.ZipFile(io.BytesIO(result.data)).namelist() == ["a.txt"]
    assert result.notes == ("member 2 dropped: no module rewrites it",)


def test_notes_and_reprs_are_silent():
    result = rewrite(SAMPLES["application/zip"], "application/zip", EDIT)
    assert NAME not in repr(result)
    assert not any(value in " ".join(result.notes) for value in VALUES)


def test_identifiers_of_dicom_files_change_together():
    series = []
    for _ in range(2):
        dataset = pydicom.dcmread(io.BytesIO(SAMPLES["application/dicom"]))
        dataset.SeriesInstanceUID = "1.2.3.4"
        dataset.StudyDescription, dataset.Rows = f"CT of {NAME}", 512
        dataset.private_block(0x0099, "ODD", create=True).add_new(1, "LO", NAME)
        out = io.BytesIO()
        dataset.save_as(out)
        series.append(
            pydicom.dcmread(io.BytesIO(rewrite(out.getvalue(), "application/dicom", EDIT).data))
        )
    assert series[0].SeriesInstanceUID == series[1].SeriesInstanceUID != "1.2.3.4"
    assert series[0].StudyDescription == "CT of [NAME]"
    assert (series[0].PatientName, series[0].Rows, len(series[0].group_dataset(0x0099))) == (
        "",
        512,
        0,
    )


def test_the_text_in_a_pdf_is_found_by_its_proof():
    """The proof is no use if it cannot fail: each way of hiding is seen."""
    source = plain_pdf("about Jane Sample")
    assert leftovers(source, "application/pdf", [NAME])
    with pikepdf.open(io.BytesIO(source)) as document:
        document.docinfo["/Title"] = NAME
        out = io.BytesIO()
        document.save(out)
    assert leftovers(out.getvalue(), "application/pdf", [NAME])
    for kind in (DOCX, XLSX, "message/rfc822", "application/rtf", "text/html", "application/json"):
        assert leftovers(SAMPLES[kind], kind, [NAME]), kind
