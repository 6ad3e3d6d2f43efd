"""A rewritten PDF holds no planted value in any stream or revision, and all that was drawn beside it."""

import io
import random

import pikepdf
import pypdf
import pypdfium2
import pytest
from click.testing import CliRunner

from dlp.assembly import Analysis
from dlp.cli.main import main
from dlp.config import load
from dlp.decode.extract import read
from dlp.engine.sanitiser_setup import open_service
from dlp.errors import SanitiseError
from dlp.sanitise.documents.contract import Bounds
from dlp.sanitise.documents.format_rewriter import rewrite
from dlp.sanitise.documents.leftover_check import leftovers, spoken
from dlp.sanitise.documents.value_search import replacing
from tests.support.pdf_builder import PDF_PLACES, build_pdf, font, pdf_marks, plain_pdf
from tests.support.pdf_form_builder import FormBuilder

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
        out = io.BytesIO()
        document.save(out, encryption=pikepdf.Encryption(owner="a", user="b"))
    with pytest.raises(SanitiseError, match="password"):
        rewrite(out.getvalue(), PDF, str)


def test_a_file_that_only_forbids_changes_is_rewritten_in_the_open():
    with pikepdf.open(io.BytesIO(plain_pdf("words"))) as document:
        out = io.BytesIO()
        document.save(out, encryption=pikepdf.Encryption(owner="a", user=""))
    done = rewrite(out.getvalue(), PDF, str)
    assert b"/Encrypt" not in done.data
    assert any("protected against changes" in note for note in done.notes)


def sealed(**where):
    """A PDF with a signature dictionary in the root, below the given keys."""
    with pikepdf.open(io.BytesIO(plain_pdf("words of Jane Sample"))) as document:
        signature = document.make_indirect(
            pikepdf.Dictionary(
                Type=pikepdf.Name.Sig, ByteRange=[0, 1, 2, 3], Contents=pikepdf.String("x" * 20)
            )
        )
        for key, make in where.items():
            document.Root[f"/{key}"] = make(signature)
        out = io.BytesIO()
        document.save(out)
    return out.getvalue()


def signed_field(signature):
    field = pikepdf.Dictionary(FT=pikepdf.Name.Sig, T=pikepdf.String("s"), V=signature)
    return pikepdf.Dictionary(SigFlags=3, Fields=[field])


def test_a_signed_file_is_refused_unless_its_signature_is_to_go():
    source = sealed(AcroForm=signed_field)
    with pytest.raises(SanitiseError, match="signed"):
        rewrite(source, PDF, str)
    done = rewrite(source, PDF, EDIT, drop_signatures=True)
    assert any("signature" in note for note in done.notes)
    assert b"ByteRange" not in done.data


def test_a_signature_that_its_field_holds_itself_counts():
    with pikepdf.open(io.BytesIO(plain_pdf("words of Jane Sample"))) as document:
        signature = pikepdf.Dictionary(ByteRange=[0, 1, 2, 3], Contents=pikepdf.String("x"))
        document.Root.AcroForm = pikepdf.Dictionary(
            Fields=[document.make_indirect(pikepdf.Dictionary(FT=pikepdf.Name.Sig, V=signature))]
        )
        out = io.BytesIO()
        document.save(out)
    with pytest.raises(SanitiseError, match="signed"):
        rewrite(out.getvalue(), PDF, str)


def test_usage_rights_and_empty_signature_fields_sign_nothing():
    empty = pikepdf.Dictionary(SigFlags=1, Fields=[])
    source = sealed(
        Perms=lambda signature: pikepdf.Dictionary(UR3=signature), AcroForm=lambda _: empty
    )
    assert rewrite(source, PDF, EDIT).notes == ()


def test_the_command_drops_a_signature_on_request(tmp_path):
    (tmp_path / "a.pdf").write_bytes(sealed(AcroForm=signed_field))
    asked = ["sanitise", str(tmp_path / "a.pdf"), "-o", str(tmp_path / "b.pdf")]
    assert CliRunner().invoke(main, asked).exit_code != 0
    assert CliRunner().invoke(main, [*asked, "--drop-signatures"]).exit_code == 0
    certificate = (tmp_path / "b.pdf.certificate.json").read_text()
    assert "the signature of the original was dropped" in certificate


# pdfium shows nothing of the first line, which has no font, so that operators and letters differ.
UNMATCHED = (
    "BT 20 90 Td (no font) Tj ET BT /F1 18 Tf 20 50 Td (Seen was Jane Sample at noon) Tj ET"
    " BT /F1 18 Tf 20 20 Td (Nothing else happened) Tj ET"
)


def unmatched(content=UNMATCHED, **more):
    document = pikepdf.new()
    document.add_blank_page(page_size=(400, 120))
    page = document.pages[0]
    page.Contents = document.make_stream(content.encode())
    page.Resources = pikepdf.Dictionary(Font=pikepdf.Dictionary(F1=font()))
    for key, value in more.items():
        page.obj[f"/{key}"] = value
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


@pytest.mark.parametrize("more", [{}, {"Rotate": 90}, {"CropBox": [10, 5, 390, 110]}])
def test_a_page_whose_text_cannot_be_edited_is_redrawn_as_a_picture(more):
    done = rewrite(unmatched(**more), PDF, replacing([("Jane Sample", "a person")]))
    assert done.notes == ("page 1 is a picture (200 dpi) with a new text layer",)
    assert leftovers(done.data, PDF, ["Jane Sample"]) == []
    page = pypdfium2.PdfDocument(done.data)[0]
    words = page.get_textpage().get_text_range()
    for kept in ("Seen was", "a person", "at noon", "Nothing else happened"):
        assert kept in words
    assert (
        rewrite(done.data, PDF, replacing([("Jane Sample", "a person")]))
        .notes[0]
        .startswith("words")
    )


def test_the_picture_of_a_redrawn_page_shows_no_letter_that_went():
    done = rewrite(unmatched(), PDF, replacing([("Jane Sample", "a person")]))
    words = pypdfium2.PdfDocument(unmatched())[0].get_textpage()
    text = words.get_text_range()
    with pikepdf.open(io.BytesIO(done.data)) as document:
        (image,) = document.pages[0].get_images().values()
        picture = pikepdf.PdfImage(image).as_pil_image().convert("L")

    def darkest(words_there):
        at = text.index(words_there)
        boxes = [words.get_charbox(at + n) for n in range(len(words_there))]
        left, right = min(b[0] for b in boxes), max(b[2] for b in boxes)
        low, high = min(b[1] for b in boxes), max(b[3] for b in boxes)
        scale = picture.width / 400
        box = (left * scale, (120 - high) * scale, right * scale, (120 - low) * scale)
        return picture.crop(tuple(map(round, box))).getextrema()[0]

    assert darkest("Jane Sample") > 200
    assert darkest("Nothing else") < 50


@pytest.mark.parametrize("turn", ["0 1 -1 0", "0 -1 1 0", "-1 0 0 -1", ".7 .7 -.7 .7"])
def test_letters_that_run_another_way_leave_the_picture_too(turn):
    source = unmatched(f"BT 9 9 Td (x) Tj ET BT /F1 9 Tf {turn} 200 60 Tm (Jane Sample) Tj ET")
    done = rewrite(source, PDF, replacing([("Jane Sample", ".")]))
    with pikepdf.open(io.BytesIO(done.data)) as document:
        (image,) = document.pages[0].get_images().values()
        assert pikepdf.PdfImage(image).as_pil_image().convert("L").getextrema()[0] > 200


@pytest.mark.parametrize("names", ["opaque", "xfa", "words"])
def test_a_filled_form_keeps_its_labels_and_draws_the_new_values(names):
    form = FormBuilder(names)
    form.text("Patient name", "Jane Sample")
    form.text("Reason", "asthma since March")
    form.box("Smoker", ticked=True)
    done = rewrite(form.bytes(), PDF, replacing([("Jane Sample", "[name]")]))
    text = pypdfium2.PdfDocument(done.data)[0].get_textpage().get_text_range()
    for kept in ("Patient name:", "[name]", "Reason:", "asthma since March", "Smoker"):
        assert kept in text
    assert leftovers(done.data, PDF, ["Jane Sample"]) == []
    assert done.notes == ()


def test_a_value_that_breaks_over_two_lines_goes():
    analysis = Analysis(load(None), full=True)
    source = plain_pdf(
        "Employer: Northgate Steel Works\nShe came home from Northgate\nSteel Works."
    )
    done = open_service(load(None), analysis=analysis).sanitise("a.pdf", source)
    assert done.refusal is None, done.refusal
    assert "Northgate" not in spoken(done.output, PDF)


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


@pytest.mark.parametrize("made", ["[x]", "a much longer word", "medicine"])
@pytest.mark.parametrize("behind", [", MD", ". Then", " 50-300 mg", ": more", ") and"])
def test_what_stands_behind_a_replacement_stays_whole_and_tied(made, behind):
    text = f"Given Dovato{behind} and the rest of the line."
    data = plain_pdf(text.replace(")", "\\)"))
    out = rewrite(data, "application/pdf", lambda old: old.replace("Dovato", made)).data
    shown = pypdfium2.PdfDocument(out)[0].get_textpage().get_text_range()
    assert shown.strip() == text.replace("Dovato", made)
