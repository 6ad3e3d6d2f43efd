"""No output is given out that the verifier or the scanner contradicts; topics say how they stand."""

import json

import pytest
from click.testing import CliRunner

from dlp.assembly import Analysis
from dlp.cli.main import main
from dlp.config import load
from dlp.engine.sanitiser_setup import examiner, open_service
from dlp.errors import SanitiseError
from dlp.model import Container
from dlp.sanitise import service as service_module
from dlp.sanitise.certificate import HOLDS, UNMEASURED, verdict
from dlp.sanitise.protected_topics import topic_for, topics_for
from tests.support.sanitise_notes import NOTE


@pytest.fixture(scope="module")
def analysis():
    return Analysis(load(None), full=True)


def test_what_the_verifier_refuses_is_not_given_out(analysis, monkeypatch):
    class Strict:
        def __init__(self, certificate):
            self.topics = certificate["topics"]

        def violations(self, texts):
            return ["a term names something"] if self.topics and texts else []

    monkeypatch.setattr(service_module, "Verifier", Strict)
    done = open_service(load(None), analysis=analysis).sanitise("note.txt", NOTE.encode())
    assert done.output is None
    assert "a term names something" in done.refusal.what


def test_what_the_scanner_calls_phi_is_not_given_out(analysis, monkeypatch):
    """A sanitiser that is blind to every identifier hands the scanner the note as it was."""
    service = open_service(load(None), analysis=analysis)
    monkeypatch.setattr(service.sanitiser.identity, "left", lambda *_: [])
    monkeypatch.setattr(service.sanitiser.identity, "edits", lambda *_: [])
    done = service.sanitise("note.txt", NOTE.encode())
    assert done.output is None
    assert "scanner" in done.refusal.what


@pytest.mark.parametrize(
    "name, table",
    [
        (
            "b.csv",
            "name,dob,diagnosis,phone\n[name],1980,asthma,[phone]\n[name],1970,gout,[phone]\n",
        ),
        ("c.csv", "patient_id,first,last,zip,diagnosis\n[number],[name],[name],021**,asthma\n"),
        ("d.xml", "<record><name>[name]</name><ssn>[number]</ssn><dx>asthma</dx></record>"),
    ],
)
def test_marks_are_nobody_to_the_scanner(analysis, name, table):
    case = examiner(analysis)(name, table.encode())
    assert case.verdict.container is not Container.PHI


def test_a_certificate_is_nobody_to_the_scanner(analysis):
    done = open_service(load(None), analysis=analysis).sanitise("note.txt", NOTE.encode())
    case = examiner(analysis)("note.txt.certificate.json", json.dumps(done.certificate).encode())
    assert case.verdict.container not in {Container.PHI, Container.PROBABLE}


def test_a_copy_in_another_language_is_verified_and_says_what_was_not_measured(tmp_path):
    spanish = (
        "Paciente: María Fernández López. Diagnóstico: infección por VIH y depresión. El paciente"
        " toma antirretrovirales desde hace dos años y no presenta fiebre ni dolor en el pecho."
    )
    (tmp_path / "a.txt").write_text(spanish)
    out = tmp_path / "out.txt"
    run = CliRunner().invoke(main, ["sanitise", str(tmp_path / "a.txt"), "-o", str(out)])
    assert run.output.startswith(UNMEASURED.upper())
    for word in ("Fernández", "VIH", "depresión"):
        assert word not in out.read_text()
    checked = CliRunner().invoke(main, ["verify", str(out), f"{out}.certificate.json"])
    assert checked.exit_code == 0, checked.output
    assert UNMEASURED in checked.output.splitlines()[0]
    assert "withstand" not in run.output + checked.output


@pytest.mark.parametrize("term", ["homosexuality", "Catholicism", "Los Angeles", "progeria"])
def test_a_topic_nothing_can_measure_is_marked_first(term):
    topics = topics_for([term, "HIV"])
    assert verdict(topics).startswith(f"{UNMEASURED} for {term}")
    assert verdict([topic_for("HIV")]) == HOLDS


@pytest.mark.parametrize("term, near", [("HVI", "hiv"), ("schizofrenia", "Schizophrenia")])
def test_an_unknown_topic_is_an_error_that_names_its_neighbours(term, near):
    with pytest.raises(SanitiseError) as raised:
        topics_for([term])
    assert near.lower() in str(raised.value).lower()


@pytest.mark.parametrize("term", ["", "  ", "words:"])
def test_an_empty_topic_is_an_error(term):
    with pytest.raises(SanitiseError):
        topics_for([term])


def test_words_alone_can_be_asked_for():
    (topic,) = topics_for(["words:Project Falcon"])
    assert topic.words == ("project falcon",)
    assert verdict([topic]).startswith(UNMEASURED)


@pytest.mark.parametrize("name", ["psmith.txt", "mdoyle.txt", "jward.txt"])
def test_a_file_whose_name_reads_as_somebody_gets_a_neutral_one(analysis, name):
    service = open_service(load(None), analysis=analysis)
    note = b"Clinic note. Has asthma and diabetes, takes metformin. Name: Nora Tidewell. Reviewed."
    done = service.sanitise(name, note)
    assert done.output is not None, done.refusal
    assert done.safe_name == name or done.safe_name.startswith("document-")
    examine = examiner(analysis)
    assert examine(done.safe_name, done.output).verdict.container != "phi"


def test_a_relative_whose_name_was_taken_out_is_nobody(analysis):
    text = b"I need refills. Also my son [name] needs his inhaler for asthma and a nut allergy."
    assert examiner(analysis)("chat.txt", text).verdict.container != "phi"
