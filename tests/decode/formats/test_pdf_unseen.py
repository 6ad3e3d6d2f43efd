"""What no page of a PDF shows is read once; what the file needs to work is no text of people."""

import io

import pikepdf
import pytest
from pikepdf import Dictionary, Name

from dlp.decode.extract import read
from tests.support.pdf_builder import plain_pdf

LETTER = "BT /F1 12 Tf 72 700 Td (Zadie Merrow has a hernia since the spring of this year) Tj ET"
CODE = (
    'if (typeof(this.Viewer_needs_a_later_form) == "undefined")\n'
    '  app.alert("Please call the front desk before noon");  // asked by the clerks\n'
)


def parts(data):
    reading = read(io.BytesIO(data), "x.pdf")
    return {part.locator: part.text for part in reading.document.parts}, reading.gaps


def with_streams(change):
    document = pikepdf.open(io.BytesIO(plain_pdf("Minutes of the garden club.")))
    change(document)
    out = io.BytesIO()
    document.save(out, static_id=True)
    return out.getvalue()


def loose(document):
    document.Root.Spare = document.make_stream(LETTER.encode())


def script(document):
    stream = document.make_stream(CODE.encode())
    document.Root.OpenAction = Dictionary(S=Name.JavaScript, JS=stream)


def saved_again(data):
    """An incremental save that draws the page anew: the old drawing stays in the file."""
    with pikepdf.open(io.BytesIO(data)) as document:
        page, size = document.pages[0].obj, int(document.trailer.Size)
        old = page.Contents
        number = (old[0] if isinstance(old, pikepdf.Array) else old).objgen[0]
        body = page.unparse(resolved=True).replace(b"%d 0 R" % number, b"%d 0 R" % size)
        place, root = page.objgen[0], document.Root.objgen[0]
        end = data.rfind(b"startxref")
        previous = int(data[end + 9 :].split()[0])
    drawing = b"BT /F1 12 Tf 72 700 Td (Minutes) Tj ET"
    first, second = len(data) + 1, 0
    out = data + b"\n%d 0 obj\n%s\nendobj\n" % (place, body)
    second = len(out)
    out += b"%d 0 obj\n<< /Length %d >>\nstream\n%s\nendstream\nendobj\n" % (
        size, len(drawing), drawing,
    )  # fmt: skip
    table = len(out)
    out += b"xref\n%d 1\n%010d 00000 n \n%d 1\n%010d 00000 n \n" % (place, first, size, second)
    out += b"trailer\n<< /Size %d /Root %d 0 R /Prev %d >>\n" % (size + 1, root, previous)
    return out + b"startxref\n%d\n%%%%EOF\n" % table


def test_a_loose_stream_is_read():
    texts, _ = parts(with_streams(loose))
    assert "Zadie Merrow" in texts["stream:1/body"]


@pytest.mark.parametrize("marks", [1, 3])
def test_marks_of_an_end_make_no_loose_stream_a_drawing_of_before(marks):
    data = with_streams(loose)
    texts, _ = parts(data + b"%%EOF\n" * marks)
    assert any("Zadie Merrow" in text for text in texts.values())


def test_what_a_page_drew_before_is_read_with_the_earlier_state_alone():
    data = saved_again(plain_pdf("Minutes of the garden club, and of the bees."))
    texts, gaps = parts(data)
    assert not gaps
    assert not [where for where in texts if where.startswith("stream")]
    assert "the bees" in texts["revision:1"]


def test_of_a_script_its_strings_and_remarks_are_read_and_no_code():
    texts, gaps = parts(with_streams(script))
    assert not gaps
    said = texts["scripts/streams"]
    assert "call the front desk" in said
    assert "asked by the clerks" in said
    assert "Viewer_needs" not in "".join(texts.values())


def test_a_script_that_is_no_code_is_read_in_full():
    def prose(document):
        words = b"Zadie Merrow, born in May, has a hernia since spring"
        stream = document.make_stream(words)
        document.Root.OpenAction = Dictionary(S=Name.JavaScript, JS=stream)

    texts, _ = parts(with_streams(prose))
    assert "Zadie Merrow" in texts["scripts/streams"]
