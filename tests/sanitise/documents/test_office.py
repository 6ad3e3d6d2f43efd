"""A rewritten Office file holds no planted value anywhere, and all of its formatting."""

import io
import zipfile

import pytest

from dlp.decode.extract import read
from dlp.sanitise.documents.content_type import DOCX, PPTX, XLSX
from dlp.sanitise.documents.format_rewriter import rewrite
from dlp.sanitise.documents.value_search import replacing
from tests.support import office_builder as office

KINDS = {
    "docx": (DOCX, office.build_docx, office.DOCX_PLACES),
    "xlsx": (XLSX, office.build_xlsx, office.XLSX_PLACES),
    "pptx": (PPTX, office.build_pptx, office.PPTX_PLACES),
}
PLACES = [(kind, place) for kind, (_, _, places) in KINDS.items() for place in places]


def everything(data):
    """All members and their names, also without tags: a value may be cut by formatting."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        parts = [name.encode() + b"\n" + archive.read(name) for name in archive.namelist()]
        parts.append(archive.comment)
    return b"\n".join(parts)


def words(data):
    reading = read(io.BytesIO(data), "x")
    return "\n".join(part.text for part in reading.document.parts)


@pytest.fixture(scope="module")
def rewritten():
    out = {}
    for kind, (media_type, build, places) in KINDS.items():
        marks = office.planted(places)
        edit = replacing([(value, "[GONE]") for value in marks.values()])
        source = build(marks)
        out[kind] = marks, source, rewrite(source, media_type, edit).data, edit
    return out


@pytest.mark.parametrize("kind, place", PLACES, ids=lambda value: value)
def test_nothing_is_left_in(kind, place, rewritten):
    marks, source, data, _ = rewritten[kind]
    value = marks[place]
    assert value.encode() not in everything(data)
    assert value not in words(data)
    assert value in words(source) or value.encode() in everything(source) or place == "zip_comment"


@pytest.mark.parametrize("kind", KINDS)
def test_rewriting_again_changes_nothing(kind, rewritten):
    _, source, data, edit = rewritten[kind]
    assert rewrite(data, KINDS[kind][0], edit).data == data
    assert rewrite(source, KINDS[kind][0], edit).data == data


@pytest.mark.parametrize("kind", KINDS)
def test_an_untouched_file_keeps_its_words(kind):
    media_type, build, _ = KINDS[kind]
    kept = {
        "docx": (
            "body",
            "split_runs",
            "table_cell",
            "text_box",
            "header",
            "footnote",
            "field_result",
        ),
        "xlsx": ("cell", "rich_cell", "inline_cell", "hidden_row", "sheet_name", "formula_text"),
        "pptx": ("title", "split_runs", "table_cell", "notes", "alt_text", "master"),
    }[kind]
    marks = office.planted(kept)
    found = words(rewrite(build(marks), media_type, str).data)
    assert [place for place in kept if marks[place] not in found] == []
