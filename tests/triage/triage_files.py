"""Synthetic files for the triage tests; every person is invented."""

from dlp.model import Case, Document, FileRef, Part

DIAGNOSIS = (
    "Patient Greta Lindqvist, DOB 03/04/1951, MRN 4471023, was diagnosed with metastatic "
    "breast cancer and started chemotherapy."
)


def case_of(text, name="untitled.txt", *, title="", gaps=(), sha256="", media_type="text/plain"):
    parts = tuple(
        Part(f"part:{i}", t) for i, t in enumerate([text] if isinstance(text, str) else text)
    )
    size = sum(len(p.text) for p in parts)
    ref = FileRef("share", name.encode(), size_bytes=size, sha256=sha256)
    return Case(ref, Document(media_type, parts, title=title), gaps=tuple(gaps))


def novel(pages, plant="", page=None):
    """A quiet story of so many pages, with something planted on one of them."""
    sentences = (
        "The lamp burned low while the carriage waited in the lane.",
        "She turned the letter over and looked at the sea for a long time.",
        "Nobody in the village had seen the grey horse since the spring fair.",
        "Old Thaddeus Merriweather laughed, and the fire laughed with him.",
        "They walked along the river until the bells had stopped.",
    )
    book = []
    for number in range(1, pages + 1):
        lines = [sentences[(number * 7 + i * 3) % len(sentences)] for i in range(40)]
        if number == page:
            lines[20] = plant
        book.append(" ".join(lines))
    return "The Grey Horse: a novel\n\nChapter 1\n\n" + "\f\n".join(book)
