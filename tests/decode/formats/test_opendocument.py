"""OpenDocument: every place that can hold words is read, encrypted and broken files say so."""

import io
import zipfile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dlp.decode.contract import Embedded, Title
from dlp.decode.extract import read
from dlp.decode.formats.opendocument import extract
from dlp.model import GapCode, Part
from tests.support import opendocument_builder as build
from tests.support.office_builder import planted
from tests.support.reading import all_words, gaps, is_sound, items, parts

EVERY_PLACE = [(kind, place) for kind, places in build.PLACES.items() for place in places]


@pytest.fixture(scope="module")
def read_all():
    return {
        kind: all_words(extract, build.build_odf(kind, planted(places)))
        for kind, places in build.PLACES.items()
    }


@pytest.mark.parametrize("kind, place", EVERY_PLACE)
def test_every_place_is_read(read_all, kind, place):
    assert planted((place,))[place] in read_all[kind]


@pytest.mark.parametrize("kind", build.PLACES)
def test_a_whole_file_has_no_gap_embeds_its_files_and_shows_nothing(kind):
    marks = planted(build.PLACES[kind])
    raw = build.build_odf(kind, marks)
    found = items(extract, raw)
    assert not gaps(extract, raw)
    assert Title(marks["title"]) in found
    assert any(isinstance(item, Embedded) for item in found)
    assert not any(marker in repr(found) for marker in marks.values())
    locators = [item.locator for item in found if isinstance(item, Part | Embedded)]
    assert len(locators) == len(set(locators))


def test_text_places_have_their_own_parts():
    marks = planted(build.ODT_PLACES)
    found = parts(extract, build.build_odf("text", marks))
    assert marks["split_spans"] in found["body"]
    assert "before after" in found["body"]
    assert "noted on" in found["body"]
    assert f"left\t{marks['table_cell']}" in found["body"]
    assert marks["deleted"] not in found["body"]
    assert marks["deleted"] in found["deleted"]  # with the half that stayed
    assert found["textboxes"] == marks["text_box"]
    assert marks["footnote"] in found["notes"]
    assert marks["annotation"] in found["comments"]
    assert marks["header"] in found["styles.headers"]


def test_a_sheet_has_labelled_cells_with_stored_values():
    marks = planted(build.ODS_PLACES)
    found = items(extract, build.build_odf("spreadsheet", marks))
    sheet = next(item for item in found if isinstance(item, Part) and item.locator == "sheet:1")
    cells = {(field.label, sheet.text[field.start : field.end]) for field in sheet.fields}
    assert ("Birth date", "1980-02-29") in cells
    assert ("Name", marks["cell"]) in cells
    assert "20586313" in sheet.text.split("\t")


def test_slides_are_the_body():
    marks = planted(build.ODP_PLACES)
    found = parts(extract, build.build_odf("presentation", marks))
    assert marks["slide"] in found["body"]
    assert marks["notes"] in found["notes"]


def test_an_encrypted_file_is_a_gap():
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("content.xml", b"\x93\x11\x87" * 40)
        archive.writestr(
            "META-INF/manifest.xml",
            f'<manifest:manifest {build.NAMES}><manifest:file-entry manifest:full-path="content.xml">'
            "<manifest:encryption-data/></manifest:file-entry></manifest:manifest>",
        )
    assert gaps(extract, out.getvalue()) == {GapCode.ENCRYPTED}


def test_a_flat_file_reads_like_a_package():
    flat = build.odt_content(lambda place: place).replace("document-content", "document")
    found = parts(extract, flat.encode())
    assert "split_spans" in found["body"]


def test_a_cut_off_file_gives_its_start_and_a_gap():
    raw = build.build_odf("text", planted(build.ODT_PLACES))
    cut = raw[: len(raw) * 2 // 3]
    assert GapCode.CORRUPT in gaps(extract, cut)
    assert planted(("body",))["body"] in parts(extract, cut)["body"]


@pytest.mark.parametrize("attack", [
    '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>',
    '<!DOCTYPE a [<!ENTITY b "' + "b" * 999 + '">]><a>' + "&b;" * 99_999 + "</a>",
    "<a>" * 100_000,
])  # fmt: skip
def test_hostile_xml_is_a_gap(attack):
    assert gaps(extract, build.build_odf("text", content=attack)) == {GapCode.CORRUPT}


@pytest.mark.parametrize("kind", ["text", "spreadsheet"])
def test_a_part_beyond_a_tree_is_read_as_a_stream(monkeypatch, kind):
    monkeypatch.setattr("dlp.decode.office.package.TREE_BYTES", 70_000)
    rows = "".join(
        f"<table:table-row><table:table-cell>{build.p(f'Cell {n}')}</table:table-cell></table:table-row>"
        for n in range(4000)
    )
    raw = build.build_odf(kind, content=build.document(kind, f"<table:table>{rows}</table:table>"))
    found = parts(extract, raw)
    assert found["body" if kind == "text" else "sheet:1"].strip().endswith("Cell 3999")
    assert not gaps(extract, raw)


@pytest.mark.parametrize("kind", build.PLACES)
def test_parts_beyond_a_tree_lose_no_place(monkeypatch, kind):
    monkeypatch.setattr("dlp.decode.office.package.TREE_BYTES", 10)
    marks = planted(
        tuple(place for place in build.PLACES[kind] if place not in {"printer", "xml_comment"})
    )
    # The first three letters of the deletion stay in the paragraph, the rest stands elsewhere.
    words = all_words(extract, build.build_odf(kind, marks))
    halves = {
        place: marker[3:] if place == "deleted" else marker for place, marker in marks.items()
    }
    assert not {place for place, marker in halves.items() if marker not in words}


TOKENS = st.sampled_from([
    "<text:p>", "</text:p>", "<text:span>Jane", "</text:span>", '<text:s text:c="3"/>', '<text:s text:c="x"/>',
    '<text:s text:c="99999999999"/>', "<text:tab/>", "<text:line-break/>", "<table:table>", "</table:table>",
    "<table:table-row>", "</table:table-row>", "<table:table-cell>", "</table:table-cell>",
    '<table:table-cell office:value-type="float" office:value="nope"/>', '<table:table-cell office:date-value="x"/>',
    '<table:table-cell table:number-columns-repeated="-1"/>', "<office:annotation>", "</office:annotation>", " tail ",
    "<draw:text-box>", "</draw:text-box>", "<text:tracked-changes>", "</text:tracked-changes>", "<!-- c -->", "<?pi?>",
    '<text:change text:change-id="a"/>', '<text:changed-region text:id="a">', "</text:changed-region>",
    "<office:binary-data>!!!</office:binary-data>", "<office:binary-data>QUJD</office:binary-data>", "&lt;", "&no;",
])  # fmt: skip


@given(st.sampled_from(list(build.CONTENTS)), st.lists(TOKENS, max_size=30), st.integers(0, 300))
@settings(max_examples=200, deadline=None)
def test_any_arrangement_of_its_own_tokens_is_read_or_a_gap(kind, tokens, cut):
    content = build.document(kind, "".join(tokens))
    raw = build.build_odf(kind, content=content)
    assert is_sound(extract, raw)
    assert is_sound(extract, raw[: len(raw) - cut])
    assert is_sound(extract, content[: len(content) - cut].encode())


def test_a_flat_file_is_known_by_what_it_holds():
    flat = build.odt_content(lambda place: place).replace("document-content", "document")
    reading = read(io.BytesIO(flat.encode()), "letter.xml")
    assert reading.document.media_type.endswith("text-flat-xml")
    assert "mismatch" not in reading.document.metadata
