"""The proof catches a rewriter with a defect: each defect here leaves a value, and each is seen."""

import io

import pikepdf
import pytest

from dlp.errors import SanitiseError
from dlp.sanitise.documents import ooxml_markup, ooxml_parts, ooxml_workbook
from dlp.sanitise.documents.content_type import DOCX, XLSX
from dlp.sanitise.documents.format_rewriter import rewrite
from dlp.sanitise.documents.formats import eml, html, ooxml, pdf
from dlp.sanitise.documents.leftover_check import leftovers
from dlp.sanitise.documents.value_search import replacing
from tests.support import office_builder as office
from tests.support.pdf_builder import build_pdf, pdf_marks

DOCX_MARKS = office.planted(office.DOCX_PLACES)
XLSX_MARKS = office.planted(office.XLSX_PLACES)
MARKS = {**DOCX_MARKS, **XLSX_MARKS, **pdf_marks(), "name": "Jane Sample"}
VALUES = list(MARKS.values())
EDIT = replacing([(value, "[GONE]") for value in VALUES])
MAIL = b"From: a@example.org\nSubject: Jane Sample\n\nwords\n"
PAGE = b"<p onclick='Jane Sample'>x</p>"


def nothing(*_args, **_options):
    return None


def keep_everything(_relation, package, _job):
    return True


DEFECTS = {
    "paragraphs of Word are not edited": (ooxml_markup, "edit_paragraphs", nothing, DOCX),
    "attributes of Word are not edited": (ooxml_markup, "edit_attributes", nothing, DOCX),
    "pictures keep their comments": (ooxml, "bare_picture", lambda data: data, DOCX),
    "links keep their targets": (ooxml_parts, "keeps", keep_everything, DOCX),
    "words in formulas are not edited": (ooxml_workbook.Workbook, "_formula", nothing, XLSX),
    "pages of a PDF are not edited": (pdf, "edit_pages", lambda *_: [], "application/pdf"),
    "a PDF keeps what hangs on its pages": (pdf, "strip", nothing, "application/pdf"),
    "headers of mail are copied": (eml, "head", lambda message, _job: f"Subject: {message['Subject']}\n".encode(), "message/rfc822"),
    "a page keeps its scripts": (html, "attribute", nothing, "text/html"),
}  # fmt: skip
SOURCES = {
    DOCX: office.build_docx(DOCX_MARKS),
    XLSX: office.build_xlsx(XLSX_MARKS),
    "application/pdf": build_pdf(pdf_marks()),
    "message/rfc822": MAIL,
    "text/html": PAGE,
}


@pytest.mark.parametrize("kind", SOURCES)
def test_without_a_defect_nothing_is_found(kind):
    assert leftovers(rewrite(SOURCES[kind], kind, EDIT).data, kind, VALUES) == []


@pytest.mark.parametrize("defect", DEFECTS)
def test_a_defect_is_caught(defect, monkeypatch):
    where, name, broken, kind = DEFECTS[defect]
    monkeypatch.setattr(where, name, broken)
    try:
        data = rewrite(SOURCES[kind], kind, EDIT).data
    except SanitiseError:
        return  # caught even earlier, and no output
    assert leftovers(data, kind, VALUES)


def test_a_former_revision_is_found_although_nothing_refers_to_it():
    marks = pdf_marks()
    source = build_pdf(marks)
    with pikepdf.open(io.BytesIO(source)) as document:
        out = io.BytesIO()
        document.save(out)
    assert leftovers(source, "application/pdf", [marks["former_revision"]])
    assert not leftovers(out.getvalue(), "application/pdf", [marks["former_revision"]])


def test_places_are_named_without_the_value():
    places = leftovers(SOURCES[DOCX], DOCX, VALUES)
    assert places
    assert not any(value in place for place in places for value in VALUES)
