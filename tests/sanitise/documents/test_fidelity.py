"""What the edit does not touch stays: bold runs, drawings, tables, formulas, numbers, links."""

import datetime as dt
import io
import zipfile

import openpyxl
import pytest

from dlp.sanitise.documents.content_type import DOCX, XLSX
from dlp.sanitise.documents.format_rewriter import rewrite
from dlp.sanitise.documents.leftover_check import leftovers
from dlp.sanitise.documents.run_alignment import spread
from dlp.sanitise.documents.value_search import replacing
from tests.support import office_builder as office

EDIT = replacing([("Jane Sample", "[NAME]"), ("219099999", "[SSN]"), ("1950-05-04", "1950")])
W = office.W
BODY = (
    '<w:p><w:r><w:rPr><w:b/></w:rPr><w:t xml:space="preserve">Bold </w:t></w:r><w:r><w:t>Ja</w:t></w:r>'
    "<w:r><w:rPr><w:i/></w:rPr><w:t>ne</w:t></w:r><w:r><w:tab/><w:t>Sample</w:t></w:r><w:r><w:rPr><w:b/></w:rPr>"
    '<w:t xml:space="preserve"> after</w:t></w:r></w:p>'
    '<w:p><w:r><w:drawing><wp:inline><wp:docPr id="7" name="Picture 7" descr="a scan"/><a:graphic><a:graphicData>'
    '<a:blip r:embed="rPic"/></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>'
    "<w:tbl><w:tr><w:tc><w:p><w:r><w:t>left</w:t></w:r></w:p></w:tc><w:tc><w:p/></w:tc></w:tr></w:tbl>"
)


def repacked(data, **changes):
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    return office.pack({**members, **changes})


def member(data, name):
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return archive.read(name).decode()


def test_word_keeps_bold_runs_drawings_and_tables():
    source = repacked(
        office.build_docx(),
        **{
            "word/document.xml": f"<w:document {office.W_ALL}><w:body>{BODY}</w:body></w:document>",
            "word/_rels/document.xml.rels": office.relations("rPic image media/image1.png"),
        },
    )
    made = rewrite(source, DOCX, EDIT).data
    document = member(made, "word/document.xml")
    for tag in (
        "<w:b/>",
        "<w:i/>",
        "<w:drawing>",
        "<w:tbl>",
        'r:embed="rPic"',
        "<w:tab/>",
        'descr="a scan"',
    ):
        assert document.count(tag) == BODY.count(tag), tag
    assert "[NAME]" in document
    assert leftovers(made, DOCX, ["Jane Sample", "Sample"]) == []
    assert "media/image1.png" in member(made, "word/_rels/document.xml.rels")


def workbook():
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "Jane Sample"
    other = book.create_sheet("Sums")
    sheet["A1"], sheet["B1"], sheet["C1"] = "Name", "Born", "Number"
    sheet["A2"], sheet["B2"], sheet["C2"] = (
        "Jane Sample",
        dt.date(1950, 5, 4),
        219099999,
    )
    sheet["C2"].number_format = "000-00-0000"
    sheet["D2"] = 12.5
    other["A1"], other["A2"] = "='Jane Sample'!D2*2", '=IF(A1>1,"Jane Sample","kept")'
    other["A3"] = "=SUM(A1:A1)"
    sheet["D2"].font = openpyxl.styles.Font(bold=True)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def test_a_workbook_keeps_formulas_formats_and_untouched_numbers():
    made = rewrite(workbook(), XLSX, EDIT).data
    assert leftovers(made, XLSX, ["Jane Sample", "219099999", "219-09-9999", "1950-05-04"]) == []
    book = openpyxl.load_workbook(io.BytesIO(made))
    first, sums = book.worksheets
    assert first.title == "Sheet1"
    assert [cell.value for cell in first[2]] == ["[NAME]", "1950", "[SSN]", 12.5]
    assert first["D2"].font.bold
    assert [sums[f"A{n}"].value for n in (1, 2, 3)] == [
        "=Sheet1!D2*2", '=IF(A1>1,"[NAME]","kept")', "=SUM(A1:A1)",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "runs, edited",
    [
        (["Pat", "ient ", "Jane", " Sample", " seen"], "Patient [NAME] seen"),
        (["a", "", "b"], ""),
        (["", ""], "new"),
        (["one two", "\t", "three"], "one [X] three"),
    ],
)
def test_runs_joined_give_the_edited_text(runs, edited):
    assert "".join(spread(runs, edited)) == edited


def test_a_replacement_takes_the_format_of_the_first_run():
    assert spread(["Seen ", "Jane ", "Sample", " today"], "Seen [NAME] today") == [
        "Seen ",
        "[NAME]",
        "",
        " today",
    ]
