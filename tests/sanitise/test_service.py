"""One call sanitises a file of any kind, checks it with two readers, and says why when it refuses."""

import io
import zipfile

import pytest

from dlp.assembly import Analysis
from dlp.config import load
from dlp.engine.sanitiser_setup import open_service, patient
from dlp.sanitise import service as service_module
from dlp.sanitise.documents import ooxml_markup
from tests.support import office_builder as office
from tests.support.sanitise_notes import NOTE


@pytest.fixture(scope="module")
def analysis():
    return Analysis(load(None), full=True)


@pytest.fixture
def service(analysis):
    return open_service(load(None), analysis=analysis)


def with_members(package, extra):
    made = io.BytesIO(package)
    with zipfile.ZipFile(made, "a") as archive:
        for name, content in extra.items():
            archive.writestr(name, content)
    return made.getvalue()


def test_a_note_comes_back_with_certificate_and_preview(service):
    done = service.sanitise("note.txt", NOTE.encode())
    assert done.refusal is None
    assert b"Fernandez" not in done.output
    assert done.certificate["profile"] == "safe-harbor"
    assert 0 < done.utility <= 1
    assert "Fernandez" not in done.preview
    assert "<del" in done.preview
    for heading in ("What went, and why", "What a clever reader could still guess", "not checked:"):
        assert heading in done.preview
    assert "names of people" in done.preview
    assert "<ins" in done.preview


def test_twice_is_once(service, analysis):
    once = service.sanitise("note.txt", NOTE.encode()).output
    again = open_service(load(None), analysis=analysis).sanitise("note.txt", once)
    assert again.output == once
    assert not again.certificate["replacements"]


def test_a_refusal_gives_no_output_and_says_why(service):
    done = service.sanitise("odd.bin", bytes(range(256)) * 40)
    assert done.output is None
    assert done.refusal.what
    assert not done.certificate
    assert "refused" in done.preview


def test_what_only_the_second_reader_sees_is_not_given_out(service, monkeypatch):
    """The first reader and the rewriter are made blind to the text; the bytes still hold it."""
    raw = NOTE.encode()

    def blind(data, media_type, edit, **_options):
        edit(NOTE)
        return service_module.NewFile(data)

    seen = service._examine
    clean = seen("note.txt", b"Nothing here.\n")
    monkeypatch.setattr(service_module, "rewrite_format", blind)
    calls = []

    def examine(name, data):
        calls.append(name)
        return clean if name == "note.txt" and len(calls) > 1 else seen(name, data)

    service._examine = examine
    done = service.sanitise("note.txt", raw)
    assert done.output is None
    assert "second reader" in done.refusal.what
    assert "Fernandez" not in str(done.refusal)


def test_a_defect_of_the_rewriter_ends_in_a_refusal(service, monkeypatch):
    monkeypatch.setattr(ooxml_markup, "edit_paragraphs", lambda *_a, **_k: None)
    marks = dict.fromkeys(office.DOCX_PLACES[:3], "Maria Fernandez, phone (217) 555-0143")
    done = service.sanitise("letter.docx", office.build_docx(marks))
    assert done.output is None


def test_parts_that_nobody_can_read_are_dropped_and_the_certificate_says_so(service):
    words = dict.fromkeys(office.DOCX_PLACES, "words")
    odd = {"word/embeddings/oleObject9.bin": b"\x00\x01Maria Fernandez\xff" * 40}
    done = service.sanitise("letter.docx", with_members(office.build_docx(words), odd))
    assert done.refusal is None
    assert "not read, dropped: unsupported" in done.certificate["not_checked"]
    with zipfile.ZipFile(io.BytesIO(done.output)) as archive:
        assert not any("oleObject9" in name for name in archive.namelist())
        assert not any(b"Fernandez" in archive.read(name) for name in archive.namelist())


def test_the_grammar_of_a_clinical_document_discloses_nothing(service):
    """Its "moodCode" is no mood, its type "CD" no disease."""
    raw = (
        b'<ClinicalDocument xmlns="urn:hl7-org:v3" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"'
        b' xsi:schemaLocation="urn:hl7-org:v3 file:///C:/Users/fernandez/CDA.xsd"><recordTarget><patientRole>'
        b"<patient><name><given>Maria</given><family>Fernandez</family></name></patient></patientRole>"
        b"</recordTarget><!-- Problems of Maria Fernandez --><entry><observation classCode='OBS'"
        b" moodCode='EVN'><value xsi:type='CD' code='38341003' displayName='Hypertension'/></observation>"
        b"</entry></ClinicalDocument>"
    )
    done = service.sanitise("record.xml", raw)
    assert done.refusal is None, done.refusal
    for word in (b"Hypertension", b"moodCode='EVN'".replace(b"'", b'"'), b"<!-- Problems of "):
        assert word in done.output
    for secret in (b"Maria", b"Fernandez", b"fernandez"):
        assert secret not in done.output


def test_a_file_that_takes_too_long_to_read_is_refused_with_advice():
    settings = load(None)
    hasty = settings.model_copy(
        update={"detect": settings.detect.model_copy(update={"seconds_per_file": 0.5})}
    )
    done = open_service(hasty).sanitise("note.txt", ("The ward was quiet. " * 12_000).encode())
    assert done.output is None
    assert "timeout" in done.refusal.what
    assert "seconds_per_file" in done.refusal.fix


def test_who_waits_for_a_command_waits_for_a_book():
    settings = load(None)
    longer = patient(settings)
    assert longer.detect.seconds_per_file == 300 > settings.detect.seconds_per_file
    assert longer.decode.wall_seconds == 300 > settings.decode.wall_seconds
    assert patient(longer) == longer
