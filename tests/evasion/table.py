"""The one table of evasions: every technique with its family, applied to several texts.

In: nothing.  Out: Case, each a file whose leak lies where a scanner may not look.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from tests.evasion.ciphers import CIPHERS
from tests.evasion.containers import ARCHIVES, MAIL, OFFICE, OTHER, PAGES, PDF, PICTURES, RTF, XML
from tests.evasion.writings import CODES, ENCODINGS, LETTERS
from tests.flow.leaks import LEAKS

TEXTS = ("sick note", "personnel mail")


class Technique(NamedTuple):
    family: str
    name: str
    make: Callable[[str], bytes]


class Case(NamedTuple):
    technique: Technique
    path: str  # of the file, told from the folder of all
    content: bytes


def named(family, table):
    return [
        Technique(family, name if "." in name else f"{name}.txt", make)
        for name, make in table.items()
    ]


TECHNIQUES = [
    *named("encodings", ENCODINGS),
    *named("letters", LETTERS),
    *named("codes", CODES),
    *named("ciphers", CIPHERS),
    *named("archives", ARCHIVES),
    *named("pages", PAGES),
    *named("markup and tables", XML),
    *named("mail", MAIL),
    *named("pdf", PDF),
    *named("office", OFFICE),
    *named("rtf", RTF),
    *named("pictures", PICTURES),
    *named("other", OTHER),
]


def cases(texts=TEXTS) -> Iterator[Case]:
    """The file names say nothing: neither the technique nor the text."""
    for text in texts:
        for number, technique in enumerate(TECHNIQUES):
            extension = technique.name.rpartition(".")[2]
            path = f"{TEXTS.index(text)}-{number:03d}.{extension}"
            yield Case(technique, path, technique.make(LEAKS[text]))
