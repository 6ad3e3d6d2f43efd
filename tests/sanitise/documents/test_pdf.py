"""A rewritten PDF holds no planted value in any stream or revision, and all that was drawn beside it."""

import io
import random

import pikepdf
import pypdf
import pypdfium2
import pytest
from click.testing import CliRunner

from dlp.cli.main import main
from dlp.decode.extract import read
from dlp.errors import SanitiseError
from dlp.sanitise.documents.cda import replacing
from dlp.sanitise.documents.contract import Bounds
from dlp.sanitise.documents.proof import leftovers, spoken
from dlp.sanitise.documents.rewrite import rewrite
from tests.support.pdf_builder import PDF_PLACES, build_pdf, pdf_marks, plain_pdf

PDF = "application/pdf"
MARKS = pdf_marks()
EDIT = replacing([(value, "[GONE]") for value in MARKS.values()])


@pytest.fixture(scope="module")
def pair():
    source = build_pdf(MARKS)
    return source, rewrite(source, PDF, EDIT).data


def everything(data):
    with pikepdf.open(io.BytesIO(data)) as document:
        out = io.BytesIO()
        document.save(
            out, stream_decode_level=pikepdf.StreamDecodeLevel.all, compress_streams=False,
            object_stream_mode=pikepdf.ObjectStreamMode.disable,
        )  # fmt: skip
    parts = read(io.BytesIO(data), "x.pdf").document.parts
    pages = pypdf.PdfReader(io.BytesIO(data)).pages
    return (
        data.decode("latin-1") + out.getvalue().decode("latin-1")
        + "\n".join(part.text for part in parts) + "\n".join(page.extract_text() for page in pages)
    )  # fmt: skip


@pytest.mark.parametrize("place", PDF_PLACES)
def test_nothing_is_left_in(place, pair):
    source, data = pair
    assert MARKS[place] in everything(source)
    assert MARKS[place] not in everything(data)
    assert leftovers(source, PDF, [MARKS[place]]) or place in {"outline", "attachment_name"}
    assert leftovers(data, PDF, [MARKS[place]]) == []


def test_what_is_visible_stays_visible(pair):
    _, data = pair
    document = pypdfium2.PdfDocument(data)
    text = document[0].get_textpage().get_text_range()
    assert "Seen was [GONE] on the ward" in text
    assert "kept line" in text
    assert "shown" in text
    with pikepdf.open(io.BytesIO(data)) as pdf:
        drawn = [str(operator) for _, operator in pikepdf.parse_content_stream(pdf.pages[0])]
    assert drawn.count("Do") == 1
    assert drawn.count("S") == 1


def test_the_value_of_a_form_field_is_drawn_edited():
    source = build_pdf({"field": "Jane Sample"})
    data = rewrite(source, PDF, replacing([("Jane Sample", "a person")])).data
    assert "a person" in pypdfium2.PdfDocument(data)[0].get_textpage().get_text_range()


def test_one_revision_and_nothing_but_pages(pair):
    _, data = pair
    assert data.count(b"%%EOF") == 1
    with pikepdf.open(io.BytesIO(data)) as document:
        assert set(document.Root.keys()) == {"/Type", "/Pages"}
        assert "/Info" not in document.trailer


def test_rewriting_again_changes_nothing(pair):
    source, data = pair
    assert rewrite(source, PDF, EDIT).data == data
    assert rewrite(data, PDF, EDIT).data == data


def test_a_locked_file_is_refused():
    with pikepdf.open(io.BytesIO(plain_pdf("words"))) as document:
        for owner, user in (("a", "b"), ("a", "")):
            out = io.BytesIO()
            document.save(out, encryption=pikepdf.Encryption(owner=owner, user=user))
            with pytest.raises(SanitiseError, match="password"):
                rewrite(out.getvalue(), PDF, str)


def test_a_signed_file_is_refused():
    with pikepdf.open(io.BytesIO(plain_pdf("words"))) as document:
        document.Root.AcroForm = pikepdf.Dictionary(SigFlags=3, Fields=[])
        out = io.BytesIO()
        document.save(out)
    with pytest.raises(SanitiseError, match="signed"):
        rewrite(out.getvalue(), PDF, str)


@pytest.mark.parametrize("pages", [100, pytest.param(2_000, marks=pytest.mark.long)])
def test_long_files_are_rewritten_page_by_page(pages):
    source = plain_pdf(*(f"Page {n} about Jane Sample\nand more words" for n in range(pages)))
    data = rewrite(source, PDF, replacing([("Jane Sample", "somebody")])).data
    assert leftovers(data, PDF, ["Jane Sample"]) == []
    document = pypdfium2.PdfDocument(data)
    assert len(document) == pages
    assert "about somebody" in document[pages - 1].get_textpage().get_text_range()


def test_more_pages_than_can_be_checked_are_refused():
    with pytest.raises(SanitiseError, match="pages"):
        rewrite(plain_pdf(*["x"] * 9), PDF, str, bounds=Bounds(pages=8))


def test_a_book_that_would_take_too_long_is_refused_after_its_first_pages():
    book = plain_pdf(*["words\n" * 30] * 60)
    read_pages = []

    def edit(text):
        read_pages.append(text)
        return text

    with pytest.raises(SanitiseError, match="60 pages would take longer"):
        rewrite(book, PDF, edit, bounds=Bounds(cpu_seconds=1e-9))
    assert len(read_pages) <= 1


def test_a_page_is_edited_until_nothing_is_left_to_edit():
    def edit(text):
        return text.replace("kin", "[B]") if "[A]" in text else text.replace("Jane", "[A]")

    data = rewrite(plain_pdf("Jane and kin"), PDF, edit).data
    assert "[A] and [B]" in pypdfium2.PdfDocument(data)[0].get_textpage().get_text_range()


FIRST = ("Agnes", "Burt", "Carla", "Dolores", "Farid", "Greta", "Imogen", "Keiko")
LAST = ("Abernathy", "Baptiste", "Eriksen", "Gupta", "Kowalczyk", "Lindqvist", "Nakamura")
WORDS = [
    "the",
    "ward",
    "was",
    "quiet",
    "and",
    "a",
    "nurse",
    "wrote",
    "that",
    "the",
    "knee",
    "was",
    "painful",
    "after",
    "walking",
    "while",
    "the",
    "cough",
    "had",
    "gone",
    "with",
    "rest",
    "fluids",
    "and",
    "time",
    "before",
    "lunch",
    "she",
    "felt",
    "better",
    "then",
    "slept",
    "until",
    "evening",
]


def dense_page(number):
    """Forty full lines, four of them about somebody with a number."""
    chance = random.Random(number)
    lines = []
    for line in range(40):
        words = chance.choices(WORDS, k=12)
        if line % 10 == 3:
            digits = str(chance.randint(10**6, 10**7 - 1))
            words[2:6] = ["Mrs.", chance.choice(FIRST), chance.choice(LAST), "MRN", digits]
        lines.append(" ".join(words)[:76] + ".")
    return "\n".join(lines)


@pytest.mark.parametrize("pages", [12, pytest.param(2_000, marks=pytest.mark.long)])
@pytest.mark.timeout(1_500)
def test_a_dense_book_is_sanitised_or_refused_and_never_touched(pages, tmp_path):
    book = tmp_path / "book.pdf"
    book.write_bytes(plain_pdf(*map(dense_page, range(pages))))
    before = book.read_bytes(), book.stat().st_mtime_ns
    out = tmp_path / "out.pdf"
    done = CliRunner().invoke(main, ["sanitise", str(book), "-o", str(out), "--protect", "HIV"])
    assert (book.read_bytes(), book.stat().st_mtime_ns) == before
    if done.exit_code:
        assert pages > 12
        assert not out.exists()
        assert "split it" in done.stderr or "split the document" in done.stderr
        return
    text = spoken(out.read_bytes(), PDF)
    assert [name for name in LAST if name in text] == []
    assert text.count("[name]") >= 4 * pages
