"""Values carry the label their format gives them, and offsets point at them."""

import base64
import io

import pikepdf
import pytest

from dlp.decode.contract import Limits
from dlp.decode.extract import read
from dlp.model import Gap, GapCode
from tests.support.file_builder import CCDA, CSV, EML, FHIR, HL7, HTML, NOTE, VCF, dicom, pdf


def reading_of(content, name=""):
    return read(io.BytesIO(content), name)


def parts_of(content, name=""):
    return {part.locator: part for part in reading_of(content, name).document.parts}


def values(part):
    return [
        (field.label, part.text[field.start : field.end], field.record) for field in part.fields
    ]


def test_a_table_keeps_the_offsets_of_the_file():
    body = parts_of(CSV, "t.csv")["body"]
    assert body.text == CSV.decode()
    assert values(body)[:3] == [
        ("name", "Example, Ada", 1),
        ("birth date", "1950-03-02", 1),
        ("mrn", "12345", 1),
    ]
    assert values(body)[-1] == ("mrn", "54321", 2)


@pytest.mark.parametrize(
    "content, expected",
    [
        (b"1;2;3\n4;5;6\n7;8;9\n", [("column 1", "1", 0), ("column 2", "2", 0)]),
        (b'a,b,c\n"x ""y"" z",2,3\n4,5,6\n', [("a", 'x ""y"" z', 1), ("b", "2", 1)]),
        (b'a,b,c\n"two\nlines",2,3\n4,5,6\n', [("a", "two\nlines", 1), ("b", "2", 1)]),
        (b'a,b,c\n"open,2,3\n4,5,6\n', [("a", '"open', 1), ("b", "2", 1)]),
        ("n\tm\nZoë\tx\n".encode("utf-16"), [("n", "Zoë", 1), ("m", "x", 1)]),
    ],
    ids=["no headings", "quotes", "line break", "open quote", "utf-16 tabs"],
)
def test_tables_of_all_kinds(content, expected):
    assert values(parts_of(content, "t.csv")["body"])[:2] == expected


def test_fhir_labels_start_at_the_resource_and_each_resource_is_a_record():
    body = parts_of(FHIR)["body"]
    found = values(body)
    assert ("Patient.name.family", "Example", 1) in found
    assert ("Patient.name.given", "Zoë", 1) in found
    assert ("Condition.code.text", "Asthma", 2) in found
    assert ("Condition.text.div", "Seen by Dr Sample", 2) in found


def test_a_contained_resource_does_not_rename_its_holder():
    content = (
        b'{"resourceType": "Observation", "contained": [{"resourceType": "Patient", "id": "p"}],'
        b' "valueString": "high"}'
    )
    found = {label: (value, record) for label, value, record in values(parts_of(content)["body"])}
    assert found["Observation.valueString"] == ("high", 0)
    assert found["resource.id"] == ("p", 1)


def test_lines_of_json_are_records():
    found = values(parts_of(b'{"n": "Ada"}\n{"n": "Grace"}\n')["body"])
    assert found == [("n", "Ada", 0), ("n", "Grace", 1)]


def test_base64_in_json_is_read_as_a_file():
    packed = base64.b64encode(NOTE * 3)
    content = b'{"resourceType": "DocumentReference", "content": [{"attachment": {"data": "%s"}}]}'
    assert "Ada Example" in parts_of(content % packed)["document:1/body"].text


def test_a_cut_json_is_read_to_the_cut():
    reading = reading_of(FHIR[:200])
    assert "Example" in reading.document.parts[0].text
    assert reading.gaps == (Gap(GapCode.CORRUPT, "body"),)


def test_clinical_documents_tell_who_is_who():
    body = parts_of(CCDA)["body"]
    found = {label: value for label, value, _ in values(body)}
    assert found["recordTarget/patient/name/family"] == "Example"
    assert found["author/assignedPerson/name/family"] == "Sample"
    assert found["recordTarget/patientRole/patient/birthTime"] == "1950-03-02"
    assert "name: Ada Example\n" in body.text
    assert "addr: 1 Test Street Springfield\n" in body.text
    records = {label.partition("/")[0]: record for label, _, record in values(body)}
    assert records["recordTarget"] != records["author"]


def test_a_document_wrapped_in_a_clinical_one_is_read():
    wrapped = (
        b"<ClinicalDocument><component><nonXMLBody><text mediaType='text/plain' representation='B64'>"
        + base64.b64encode(NOTE)
        + b"</text></nonXMLBody></component></ClinicalDocument>"
    )
    assert "Ada Example" in parts_of(wrapped)["document:1/body"].text


def test_words_split_by_markup_stay_one_word():
    assert (
        "Ada Example"
        in parts_of(b"<doc><p><r><t>Ada Exam</t></r><r><t>ple</t></r></p></doc>")["body"].text
    )
    assert "Ada Example has\nasthma" in parts_of(HTML)["body"].text


def test_html_keeps_hidden_things_apart():
    parts = parts_of(HTML)
    assert values(parts["form"]) == [("ssn", "998-11-2222", 1)]
    assert parts["title"].text == "Record of Ada"
    assert parts["scripts"].text == "Ada Example 19500302"
    assert "scan of Ada" in parts["attributes"].text
    assert "mailto:ada@example.org" in parts["links"].text
    assert parts["data:1/body"].text == "Attached words"
    assert "color" not in parts["body"].text


def test_hl7_fields_and_escapes():
    found = {label: value for label, value, _ in values(parts_of(HL7)["body"])}
    assert found["PID-5"] == "Example, Ada Zo"
    assert found["PID-7"] == "1950-03-02"
    assert found["PID-3"] == "12345 HOSP MR"
    assert found["OBX-5"] == "Asthma & cough\nstable"
    assert found["MSH-9"] == "ORU R01"


def test_hl7_messages_are_records_also_in_a_frame():
    framed = b"\x0b" + HL7 + b"\x1c\r\x0b" + HL7.replace(b"Ada", b"Eve") + b"\x1c\r"
    names = [
        (value, record)
        for label, value, record in values(parts_of(framed)["body"])
        if label == "PID-5"
    ]
    assert names == [("Example, Ada Zo", 0), ("Example, Eve Zo", 1)]


def test_hl7_documents_inside_are_read():
    observation = b"OBX|2|ED|^Report||^application^txt^Base64^" + base64.b64encode(NOTE) + b"\r"
    assert "Ada Example" in parts_of(HL7 + observation)["document:1/body"].text


def test_hl7_with_signs_of_its_own():
    odd = HL7.replace(b"|", b"#").replace(b"^", b"!")
    found = {label: value for label, value, _ in values(parts_of(odd)["body"])}
    assert found["PID-5"] == "Example, Ada Zo"


def test_mail_has_headers_a_body_and_attachments():
    reading = reading_of(EML)
    parts = {part.locator: part for part in reading.document.parts}
    assert reading.document.title == "Résumé of Ada"
    found = {label: value for label, value, _ in values(parts["headers"])}
    assert found["From"] == "Grace Sample <grace@example.org>"
    assert parts["body"].text.strip() == "Ada has asthma."
    assert parts["html:1/body"].text == "Ada has asthma indeed"
    assert "born 2 March" in parts["attachment:1/body"].text
    assert parts["names"].text == "Ada.txt"


@pytest.mark.parametrize(
    "header",
    [b"From: <", b"From: =?utf-8?b?!!!?=", b"Subject: \xe9t\xe9", b"To: \xff\xfe", b"Date: 99/99"],
)
def test_broken_headers_cost_nothing_else(header):
    reading = reading_of(
        b"Received: a\r\nMIME-Version: 1.0\r\n" + header + b"\r\nX-A: b\r\n\r\nAda has asthma"
    )
    assert reading.gaps == ()
    assert any(part.text == "Ada has asthma" for part in reading.document.parts)


def test_sealed_mail_is_a_gap():
    sealed = (
        b"Received: a\r\nFrom: a@example.org\r\nMIME-Version: 1.0\r\n"
        b"Content-Type: application/pkcs7-mime; smime-type=enveloped-data\r\n"
        b"Content-Transfer-Encoding: base64\r\n\r\nMIAGCSqGSIb3DQ==\r\n"
    )
    assert GapCode.ENCRYPTED in {gap.code for gap in reading_of(sealed).gaps}


def test_pdf_forms_and_properties():
    reading = reading_of(pdf())
    parts = {part.locator: part for part in reading.document.parts}
    assert values(parts["form"]) == [("Social number", "998-11-2222", 0)]
    assert ("Author", "Grace Sample", 0) in values(parts["metadata"])
    assert parts["annotations"].text == "annotated cough"
    assert parts["outline"].text == "Chapter of Ada"
    assert "born 2 March" in parts["attachment:1/body"].text
    assert reading.document.title == "Record of Ada"


def test_what_an_incremental_save_removed_is_still_found():
    whole = pdf()
    content = b"BT /F1 12 Tf 72 700 Td (Nothing to see) Tj ET"
    with pikepdf.open(io.BytesIO(whole)) as document:
        stream = document.pages[0].Contents.objgen[0]
        root, size = document.trailer.Root.objgen[0], int(document.trailer.Size)
    update = b"\n%d 0 obj\n<< /Length %d >>\nstream\n%s\nendstream\nendobj\n" % (
        stream,
        len(content),
        content,
    )
    table = len(whole) + len(update)
    update += b"xref\n%d 1\n%010d 00000 n \n" % (stream, len(whole) + 1)
    update += b"trailer\n<< /Size %d /Root %d 0 R /Prev %d >>\nstartxref\n%d\n%%%%EOF\n" % (
        size, root, int(whole.rsplit(b"startxref", 1)[1].split()[0]), table,
    )  # fmt: skip
    parts = parts_of(whole + update)
    assert parts["body"].text.strip() == "Nothing to see"
    assert "Ada Example has asthma" in parts["revision:1"].text


def test_dicom_names_days_and_documents():
    body = parts_of(dicom(EncapsulatedDocument=NOTE))
    found = {label: value for label, value, _ in values(body["body"])}
    assert found["PatientName"] == "Example, Ada Zo"
    assert found["PatientBirthDate"] == "1950-03-02"
    assert "Ada Example" in body["document/body"].text


@pytest.mark.parametrize(
    "more, gaps",
    [
        ({"Rows": 512, "Modality": "US"}, {GapCode.NEEDS_OCR}),
        ({"Rows": 512, "BurnedInAnnotation": "YES"}, {GapCode.NEEDS_OCR}),
        ({"Rows": 512, "Modality": "US", "BurnedInAnnotation": "NO"}, set()),
        ({"Rows": 512}, set()),
        ({"Modality": "US"}, set()),
    ],
)
def test_pixels_that_usually_carry_names_are_a_gap(more, gaps):
    assert {gap.code for gap in reading_of(dicom(**more)).gaps} == gaps


def test_cards_are_records_and_folded_lines_stay_together():
    body = parts_of(VCF + VCF.replace(b"Ada", b"Eve"))["body"]
    found = values(body)
    assert ("FN", "Ada Example", 1) in found
    assert ("FN", "Eve Example", 2) in found
    assert any(label == "NOTE" and "childhood" in value for label, value, _ in found)


def test_text_stops_at_the_limit_and_says_so():
    reading = read(io.BytesIO(NOTE * 100), "n.txt", Limits(max_text_chars=50))
    assert reading.document.parts[0].text == (NOTE * 2).decode()[:50]
    assert reading.gaps == (Gap(GapCode.TOO_LARGE, "body"),)


def test_a_mark_at_the_start_counts_as_a_character_of_the_text_and_of_no_heading():
    assert parts_of(b"\xef\xbb\xbfAda", "n.txt")["body"].text == "\ufeffAda"
    labels = [label for label, _, _ in values(parts_of(b"\xef\xbb\xbf" + CSV, "t.csv")["body"])]
    assert labels[0] == "name"


SENTENCE = "Zoë Exämple, née Müller, was seen for asthma by Dr Señor on Tuesday. " * 5
ENCODINGS = ["utf-8", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be", "cp1252", "latin-1",
             "mac_roman", "cp850", "cp037"]  # fmt: skip


def test_the_same_sentence_in_ten_encodings_with_and_without_a_mark():
    found = unread = 0
    for codec in ENCODINGS:
        for mark in ("", "\ufeff"):
            raw = ((mark if codec.startswith("utf") else "") + SENTENCE).encode(codec)
            reading = read(io.BytesIO(raw), "n.txt", Limits(extra_encodings=("cp037",)))
            text = "".join(part.text for part in reading.document.parts)
            found += SENTENCE in text
            unread += bool(reading.gaps)
    assert found >= 18
    assert found + unread == 2 * len(ENCODINGS)


def test_the_name_of_a_substance_is_nobodys():
    document = (
        b"<ClinicalDocument><recordTarget><patient><name>Ann Lee</name></patient></recordTarget>"
        b"<manufacturedMaterial><name>Inhaled steroids</name></manufacturedMaterial>"
        b"<playingEntity classCode='MMAT'><name>Egg white</name></playingEntity>"
        b"<playingEntity classCode='PLC'><name>Lakeview</name></playingEntity></ClinicalDocument>"
    )
    body = parts_of(document)["body"].text
    assert "name: Ann Lee" in body
    assert "substance: Inhaled steroids" in body
    assert "substance: Egg white" in body
    assert "name: Lakeview" in body
