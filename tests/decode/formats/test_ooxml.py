"""Office Open XML: every place that can hold words is read, whatever the damage around it."""

import io
import zipfile

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dlp.decode.contract import Embedded, Title
from dlp.decode.formats import ooxml
from dlp.model import GapCode, Part
from tests.support import office_builder as build
from tests.support.reading import all_words, gaps, is_sound, items, parts

FORMATS = {
    "docx": (ooxml.extract, build.build_docx, build.DOCX_PLACES),
    "xlsx": (ooxml.extract, build.build_xlsx, build.XLSX_PLACES),
    "pptx": (ooxml.extract, build.build_pptx, build.PPTX_PLACES),
}
EVERY_PLACE = [(name, place) for name, (_, _, places) in FORMATS.items() for place in places]


@pytest.fixture(scope="module")
def read_all():
    found = {}
    for name, (extract, make, places) in FORMATS.items():
        found[name] = all_words(extract, make(build.planted(places)))
    return found


@pytest.mark.parametrize("name, place", EVERY_PLACE)
def test_every_place_is_read(read_all, name, place):
    assert build.planted((place,))[place] in read_all[name]


@pytest.mark.parametrize("name", FORMATS)
def test_a_whole_file_has_no_gap_and_embeds_its_files(name):
    extract, make, places = FORMATS[name]
    found = items(extract, make(build.planted(places)))
    assert not gaps(extract, make(build.planted(places)))
    assert any(isinstance(item, Embedded) for item in found)
    assert Title(build.planted(places)["core_title"]) in found
    locators = [item.locator for item in found if isinstance(item, Part | Embedded)]
    assert len(locators) == len(set(locators))


@pytest.mark.parametrize("name", FORMATS)
def test_nothing_shows_what_was_read(name):
    extract, make, places = FORMATS[name]
    shown = repr(items(extract, make(build.planted(places))))
    assert not any(marker in shown for marker in build.planted(places).values())


def test_word_places_have_their_own_parts():
    marks = build.planted(build.DOCX_PLACES)
    found = parts(ooxml.extract, build.build_docx(marks))
    assert f"left\t{marks['table_cell']}" in found["body"]
    assert marks["split_runs"] in found["body"]
    assert marks["inserted"] in found["body"]
    assert marks["deleted"] not in found["body"]
    assert marks["moved_from"] not in found["body"]
    assert marks["deleted"] in found["deleted"]
    assert marks["moved_from"] in found["deleted"]
    assert "before after" in found["body"]  # a text box does not tear its paragraph apart
    assert marks["text_box"] in found["textboxes"]
    assert found["header:1"] == marks["header"]
    assert found["footer:1"] == marks["footer"]
    assert found["footnotes"] == marks["footnote"]
    assert found["comments:1"] == marks["comment"]
    assert f"creator: {marks['core_author']}" in found["properties"]


def test_a_deleted_half_of_a_name_reads_whole():
    body = (
        f"<w:document {build.W_ALL}><w:body><w:p>{build.run('Ja')}<w:del><w:r><w:delText>ne Roe</w:delText>"
        f"</w:r></w:del><w:ins>{build.run('ck')}</w:ins></w:p></w:body></w:document>"
    )
    found = parts(ooxml.extract, build.pack({"word/document.xml": body}))
    assert found["body"] == "Jack"
    assert found["deleted"] == "Jane Roe"


def test_slides_come_in_the_order_they_are_shown():
    marks = build.planted(build.PPTX_PLACES)
    body = parts(ooxml.extract, build.build_pptx(marks))["body"]
    order = [body.index(marks[place]) for place in ("title", "second_slide", "hidden_slide")]
    assert order == sorted(order)
    assert marks["split_runs"] in body
    assert f"left\t{marks['table_cell']}" in body


def test_strict_and_transitional_files_read_alike():
    raw = build.build_docx(build.planted(build.DOCX_PLACES))
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(raw)) as old, zipfile.ZipFile(out, "w") as new:
        for name in old.namelist():
            strict = old.read(name).replace(
                b"http://schemas.openxmlformats.org/wordprocessingml/2006/main",
                b"http://purl.oclc.org/ooxml/wordprocessingml/main",
            )
            new.writestr(name, strict)
    assert parts(ooxml.extract, out.getvalue())["body"] == parts(ooxml.extract, raw)["body"]


def test_a_spreadsheet_under_a_word_name_is_still_read():
    marks = build.planted(build.XLSX_PLACES)
    assert marks["cell"] in parts(ooxml.extract, build.build_xlsx(marks))["sheet:1"]


@pytest.mark.parametrize("name", FORMATS)
def test_a_cut_off_file_gives_its_start_and_a_gap(name):
    extract, make, places = FORMATS[name]
    raw = make(build.planted(places))
    cut = raw[: len(raw) * 2 // 3]
    assert GapCode.CORRUPT in gaps(extract, cut)
    assert any(isinstance(item, Part) for item in items(extract, cut))


def with_document(xml):
    return build.pack(
        {
            "word/document.xml": xml,
            "word/header1.xml": f"<w:hdr {build.W_ALL}>{build.paragraph(build.run('kept'))}</w:hdr>",
        }
    )


def test_broken_xml_is_read_up_to_the_break():
    found = with_document(
        f"<w:document {build.W_ALL}><w:p>{build.run('first')}</w:p><w:p><w:r></w:p>"
    )
    assert parts(ooxml.extract, found)["body"] == "first"
    assert parts(ooxml.extract, found)["header:1"] == "kept"
    assert gaps(ooxml.extract, found) == {GapCode.CORRUPT}


LAUGHS = (
    '<!DOCTYPE w [<!ENTITY a "haha">'
    + "".join(f'<!ENTITY {chr(98 + n)} "{f"&{chr(97 + n)};" * 10}">' for n in range(9))
    + "]>"
)


@pytest.mark.parametrize("attack", [
    LAUGHS + f"<w:document {build.W_ALL}><w:p><w:r><w:t>&j;</w:t></w:r></w:p></w:document>",
    f'<!DOCTYPE w [<!ENTITY x SYSTEM "file:///etc/passwd">]><w:document {build.W_ALL}><w:t>&x;</w:t></w:document>',
    f'<!DOCTYPE w [<!ENTITY x SYSTEM "http://127.0.0.1:9/">]><w:document {build.W_ALL}><w:t>&x;</w:t></w:document>',
])  # fmt: skip
def test_entities_are_refused(attack):
    raw = with_document(attack)
    assert gaps(ooxml.extract, raw) == {GapCode.CORRUPT}
    assert set(parts(ooxml.extract, raw)) == {"header:1"}


def test_deep_xml_is_a_gap_and_costs_nothing():
    raw = with_document(f"<w:document {build.W_ALL}>{'<w:p>' * 100_000}")
    assert gaps(ooxml.extract, raw) == {GapCode.CORRUPT}
    assert parts(ooxml.extract, raw)["header:1"] == "kept"


def test_a_bomb_in_a_part_is_too_large():
    raw = with_document(f"<w:document {build.W_ALL}><w:t>{' ' * 20_000_000}</w:t></w:document>")
    assert gaps(ooxml.extract, raw) == {GapCode.TOO_LARGE}


def test_slides_in_front_of_a_bomb_are_given():
    marks = build.planted(build.PPTX_PLACES)
    members = {
        **build.pptx_slides(marks.get),
        "ppt/slides/slide9.xml": f"<p:sld {build.P_ALL}>{' ' * 30_000_000}</p:sld>",
    }
    raw = build.pack(members)
    assert gaps(ooxml.extract, raw) == {GapCode.TOO_LARGE}
    assert marks["title"] in parts(ooxml.extract, raw)["body"]


def test_a_part_beyond_a_tree_is_read_as_a_stream(monkeypatch):
    monkeypatch.setattr("dlp.decode.office.package.TREE_BYTES", 100_000)
    text = "".join(build.paragraph(build.in_three(f"Line number {n}")) for n in range(5000))
    raw = with_document(f"<w:document {build.W_ALL}><w:body>{text}</w:body></w:document>")
    body = parts(ooxml.extract, raw)["body"]
    assert body.startswith("Line number 0\nLine number 1\n")
    assert body.rstrip().endswith("Line number 4999")
    assert not gaps(ooxml.extract, raw)


@pytest.mark.parametrize("name", FORMATS)
def test_parts_beyond_a_tree_lose_no_place(monkeypatch, name):
    monkeypatch.setattr("dlp.decode.office.package.TREE_BYTES", 10)
    extract, make, places = FORMATS[name]
    raw = make(planted_small(places))
    words = all_words(extract, raw)
    missing = {place for place, marker in planted_small(places).items() if marker not in words}
    assert not missing


def planted_small(places):
    """Relations, workbook and properties are small by nature: they are always read as trees."""
    tree_only = {
        "link_target",
        "template_path",
        "external_path",
        "cell_link",
        "sheet_name",
        "xml_comment",
    }
    return build.planted(tuple(place for place in places if place not in tree_only))


TOKENS = st.sampled_from([
    "<w:p>", "</w:p>", "<w:r>", "</w:r>", "<w:t>Jane", "</w:t>", "<w:t/>", "<w:tbl>", "<w:tr>", "<w:tc>",
    "</w:tc>", "</w:tr>", "</w:tbl>", "<w:del>", "</w:del>", "<w:delText>x</w:delText>", "<w:ins>", "</w:ins>",
    "<w:txbxContent>", "</w:txbxContent>", '<w:sym w:char="F0E0"/>', '<w:sym w:char="D800"/>', '<w:sym w:char=""/>',
    "<mc:AlternateContent>", "<mc:Choice>", "<mc:Fallback>", "</mc:Choice>", "</mc:Fallback>",
    "</mc:AlternateContent>", "<!-- x -->", "<?pi ?>", "&#x41;", "&nope;", "<w:tab/>", "<w:br/>", "<![CDATA[x]]>",
    '<row r="2">', '<row r="x">', "</row>", '<c r="A1" t="s">', '<c t="inlineStr">', '<c s="99999999999">', "</c>",
    "<v>1</v>", "<v>9e999</v>", "<v>nan</v>", "<v>-5</v>", "<is><t>i</t></is>", "<f>A1</f>", "</sheetData>",
    '<x v="7"/>', '<s v="q"/>', "<r>", "</r>", "\ufffe"[:0],
])  # fmt: skip
ROOTS = st.sampled_from([
    ("word/document.xml", f"<w:document {build.W_ALL}>", "</w:document>"),
    ("xl/worksheets/sheet1.xml", f'<worksheet xmlns="{build.X}" {build.W_ALL}><sheetData>', "</worksheet>"),
    ("xl/sharedStrings.xml", f'<sst xmlns="{build.X}" {build.W_ALL}>', "</sst>"),
    ("xl/styles.xml", f'<styleSheet xmlns="{build.X}" {build.W_ALL}>', "</styleSheet>"),
    ("xl/pivotCache/pivotCacheRecords1.xml", f'<pivotCacheRecords xmlns="{build.X}" {build.W_ALL}>', "</pivotCacheRecords>"),
    ("ppt/slides/slide1.xml", f"<p:sld {build.P_ALL} {build.W_ALL.replace('xmlns:r=', 'xmlns:rr=').replace('xmlns:a=', 'xmlns:aa=')}>", "</p:sld>"),
    ("customXml/item1.xml", f"<any {build.W_ALL}>", "</any>"),
])  # fmt: skip


@given(
    st.lists(st.tuples(ROOTS, st.lists(TOKENS, max_size=25)), min_size=1, max_size=3),
    st.integers(0, 400),
)
@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_any_arrangement_of_its_own_tokens_is_read_or_a_gap(chosen, cut):
    members = {
        path: opening + "".join(tokens) + closing for (path, opening, closing), tokens in chosen
    }
    raw = build.pack(members)
    assert is_sound(ooxml.extract, raw)
    assert is_sound(ooxml.extract, raw[: max(0, len(raw) - cut)])
