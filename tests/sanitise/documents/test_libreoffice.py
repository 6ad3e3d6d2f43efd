"""LibreOffice opens what we write, shows what was not touched, and nothing that was taken out.

It shares no code with our rewriters or readers. The original goes through it first: a place that it
does not show there proves nothing in the copy.
"""

import shutil
import subprocess

import pypdfium2
import pytest

from dlp.assembly import Analysis
from dlp.config import load
from dlp.engine.sanitiser_setup import examiner, plan_of
from dlp.sanitise.documents.content_type import DOCX, ODF, PPTX, XLSX
from dlp.sanitise.documents.format_rewriter import rewrite
from dlp.sanitise.documents.leftover_check import leftovers
from dlp.sanitise.documents.value_search import replacing
from dlp.sanitise.service import Service
from tests.support import flat_office
from tests.support.flat_office import KEPT
from tests.support.office_builder import planted
from tests.support.pdf_builder import build_pdf, pdf_marks

OFFICE = shutil.which("soffice") or shutil.which("libreoffice")
pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(OFFICE is None, reason="LibreOffice (soffice) is not installed here"),
]


KINDS = {
    "odt": (f"{ODF}text", flat_office.text, flat_office.TEXT_PLACES, "body"),
    "docx": (DOCX, flat_office.text, flat_office.TEXT_PLACES, "body"),
    "ods": (f"{ODF}spreadsheet", flat_office.spreadsheet, flat_office.SHEET_PLACES, "cell"),
    "xlsx": (XLSX, flat_office.spreadsheet, flat_office.SHEET_PLACES, "cell"),
    "odp": (f"{ODF}presentation", flat_office.presentation, flat_office.SLIDE_PLACES, "slide"),
    "pptx": (PPTX, flat_office.presentation, flat_office.SLIDE_PLACES, "slide"),
}
FLAT = {"odt": "fodt", "docx": "fodt", "ods": "fods", "xlsx": "fods", "odp": "fodp", "pptx": "fodp"}


class LibreOffice:
    """Converts one file after the other, with a profile of its own."""

    def __init__(self, folder):
        self._folder = folder
        self._count = 0

    def converted(self, data, kind, wanted):
        self._count += 1
        place = self._folder / str(self._count)
        place.mkdir()
        source = place / f"file.{kind}"
        source.write_bytes(data)
        done = subprocess.run(
            [
                OFFICE, f"-env:UserInstallation={(self._folder / 'profile').as_uri()}", "--headless",
                "--convert-to", wanted, "--outdir", place / "out", source,
            ],
            capture_output=True, timeout=600, check=False,
        )  # fmt: skip
        made = place / "out" / f"file.{wanted}"
        assert done.returncode == 0, done.stderr
        assert made.exists(), f"LibreOffice does not open this {kind}: {done.stderr}"
        return made.read_bytes()

    def made(self, kind, marks):
        """A file of LibreOffice's own make, with these words in their places."""
        return self.converted(KINDS[kind][1](marks), FLAT[kind], kind)

    def shown(self, kind, data):
        """What it shows of a file: the text of the PDF it makes of it."""
        document = pypdfium2.PdfDocument(self.converted(data, kind, "pdf"))
        pages = [document[n].get_textpage().get_text_range() for n in range(len(document))]
        document.close()
        return " ".join(" ".join(pages).split())


@pytest.fixture(scope="module")
def libreoffice(tmp_path_factory):
    return LibreOffice(tmp_path_factory.mktemp("libreoffice"))


@pytest.mark.parametrize("kind", KINDS)
def test_no_planted_value_is_shown(kind, libreoffice):
    media_type, _, places, _ = KINDS[kind]
    marks = planted(places)
    source = libreoffice.made(kind, marks)
    before = libreoffice.shown(kind, source)
    seen = {place for place, value in marks.items() if value in before}
    assert len(seen) >= 2, "the original shows its marks"
    edit = replacing([(value, "Gone") for value in marks.values()])
    output = rewrite(source, media_type, edit).data
    assert leftovers(output, media_type, marks.values()) == []
    after = libreoffice.shown(kind, output)
    assert [place for place, value in marks.items() if value in after] == []
    replaced = seen - {"sheet_name"}  # a sheet whose name is edited becomes "Sheet2"
    assert after.count("Gone") == len(replaced), "replaced, not lost with everything around it"
    assert KEPT in before
    assert KEPT in after
    assert ("42" in after) == ("42" in before), "sums are still there"


LETTER = "Patient: Maria Fernandez MRN: 4471902 has asthma and takes salbutamol"


@pytest.fixture(scope="module")
def service():
    plan = plan_of(load(None), protect=["syphilis"])
    return Service(plan, examiner(Analysis(load(None), full=True)))


@pytest.mark.parametrize("kind", KINDS)
def test_a_sanitised_letter_opens_and_still_reads(kind, libreoffice, service):
    source = libreoffice.made(kind, {KINDS[kind][3]: LETTER})
    assert "Fernandez" in libreoffice.shown(kind, source)
    done = service.sanitise(f"letter.{kind}", source)
    assert done.refusal is None, done.refusal
    after = libreoffice.shown(kind, done.output)
    for word in ("asthma", "salbutamol", KEPT):
        assert word in after
    for word in ("Maria", "Fernandez", "4471902"):
        assert word not in after


def test_a_pdf_opens(libreoffice):
    edit = replacing([(value, "Gone") for value in pdf_marks().values()])
    made = rewrite(build_pdf(pdf_marks()), "application/pdf", edit).data
    assert libreoffice.converted(made, "pdf", "png").startswith(b"\x89PNG")
