"""Measure how fast office files of two pages are read, next to the libraries' own speed.

In: nothing; the files are made here.  Out: CPU milliseconds per file on standard output.

    python -m bench.office
"""

from __future__ import annotations

import datetime as dt
import io
import random
import statistics
import time
import zipfile
from collections.abc import Callable

import openpyxl
from lxml import etree
from python_calamine import CalamineWorkbook

from dlp.decode.contract import Limits
from dlp.decode.formats import ole, ooxml, opendocument, rtf
from tests.support import office_builder, ole_builder, opendocument_builder

WORDS = ["seen", "in", "clinic", "and", "well", "after", "treatment", "of", "the", "left", "knee"]
ROUNDS = 40


def main() -> None:
    random.seed(7)
    two_pages = [" ".join(random.choices(WORDS, k=14)) for _ in range(60)]
    word, sheet = word_file(two_pages), sheet_file()
    rows: list[tuple[str, Callable[[], object]]] = [
        ("docx: every part, as dlp reads it", lambda: read(ooxml.extract, word)),
        ("docx: unzip and parse every part, no more", lambda: parse_all(word)),
        ("xlsx, 600 cells: as dlp reads it", lambda: read(ooxml.extract, sheet)),
        ("xlsx: openpyxl read-only, cells only", lambda: openpyxl_cells(sheet)),
        ("xlsx: calamine, cells only", lambda: calamine_cells(sheet)),
        ("pptx, 3 slides", lambda: read(ooxml.extract, SMALL["pptx"])),
        ("odt", lambda: read(opendocument.extract, SMALL["odt"])),
        ("rtf, two pages", lambda: read(rtf.extract, SMALL["rtf"])),
        ("doc", lambda: read(ole.extract, SMALL["doc"])),
        ("xls", lambda: read(ole.extract, SMALL["xls"])),
    ]
    SMALL["rtf"] = (r"{\rtf1\ansi " + "\\par\n".join(two_pages) + "}").encode()
    print("| what | CPU ms |\n|---|---|")
    for name, work in rows:
        print(f"| {name} | {cpu_ms(work):.2f} |")


SMALL = {
    "pptx": office_builder.build_pptx(office_builder.planted(office_builder.PPTX_PLACES)),
    "odt": opendocument_builder.build_odf(
        "text", office_builder.planted(opendocument_builder.ODT_PLACES)
    ),
    "doc": ole_builder.build_doc(office_builder.planted(ole_builder.DOC_PLACES)),
    "xls": ole_builder.build_xls(office_builder.planted(ole_builder.XLS_PLACES)),
    "rtf": b"",
}


def word_file(lines: list[str]) -> bytes:
    body = "".join(
        office_builder.paragraph(
            *(office_builder.run(piece) for piece in (line[:20], line[20:40], line[40:]))
        )
        for line in lines
    )
    document = f"<w:document {office_builder.W_ALL}><w:body>{body}</w:body></w:document>"
    style = (
        '<w:style w:type="paragraph" w:styleId="S{0}"><w:name w:val="heading {0}"/>'
        '<w:rPr><w:sz w:val="28"/></w:rPr></w:style>'
    )
    rows = "".join(style.format(number) for number in range(180))
    return office_builder.pack(
        {
            "[Content_Types].xml": office_builder.content_types(),
            "_rels/.rels": office_builder.relations("r1 officeDocument word/document.xml"),
            "word/document.xml": document,
            **office_builder.docx_notes(lambda place: place),
            **office_builder.property_parts(lambda place: place),
            "word/styles.xml": f"<w:styles {office_builder.W_ALL}>{rows}</w:styles>",
        }
    )


def sheet_file() -> bytes:
    book = openpyxl.Workbook()
    page = book.active
    page.append(["Name", "Birth date", "Id", "City", "Value", "Note"])
    for number in range(100):
        day = dt.date(1980, 1, 1) + dt.timedelta(number)
        page.append(
            [
                *random.choices(WORDS, k=1),
                day,
                random.randrange(10**9),
                WORDS[0],
                random.random(),
                " ".join(WORDS[:4]),
            ]
        )
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def read(extract, raw: bytes) -> None:
    for _ in extract(io.BytesIO(raw), Limits()):
        pass


def parse_all(raw: bytes) -> None:
    with zipfile.ZipFile(io.BytesIO(raw)) as archive:
        for name in archive.namelist():
            "".join(etree.fromstring(archive.read(name)).itertext())


def openpyxl_cells(raw: bytes) -> None:
    book = openpyxl.load_workbook(io.BytesIO(raw), read_only=True)
    for page in book:
        for _ in page.values:
            pass


def calamine_cells(raw: bytes) -> None:
    CalamineWorkbook.from_filelike(io.BytesIO(raw)).get_sheet_by_index(0).to_python()


def cpu_ms(work: Callable[[], object]) -> float:
    times = []
    for _ in range(ROUNDS):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return statistics.median(times) * 1000


if __name__ == "__main__":
    main()
