"""ICD codes: what a diagnosis code means, and where a text uses one.

In: the artefact "icd".  Out: MeSH concepts of codes; hits only in a coding context.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable
from typing import NamedTuple

from dlp.knowledge.artefact import Artefact, load
from dlp.knowledge.hits import Flag, TermHit
from dlp.knowledge.mesh import Mesh, load_mesh
from dlp.knowledge.site import artefact_folder
from dlp.model import Kind

_TEN = re.compile(r"[A-TV-Z][0-9][0-9AB](?:\.?[0-9A-TV-Z]{1,4})?", re.IGNORECASE)
_NINE = re.compile(
    r"(?:[0-9]{3}|V[0-9]{2})(?:\.?[0-9]{1,2})?|E[0-9]{3}(?:\.?[0-9])?", re.IGNORECASE
)
_IN_TEXT = re.compile(
    r"(?<![\w.-])(?:[A-TV-Z][0-9][0-9AB](?:\.[0-9A-TV-Z]{1,4}|[0-9A-TV-Z]{1,4})?"
    r"|(?:[0-9]{3}|V[0-9]{2})\.[0-9]{1,2})(?![\w-]|\.[0-9])"
)
# A3 is paper and B12 a vitamin: a code counts after words that announce one, or after another code.
_ANNOUNCED = re.compile(
    r"\b(?:icd[ _-]?(?:9|10)?|dx ?\d?|diag|diagnos(?:is|es|tic)|principal|secondary|admitting"
    r"|code[sd]?|billing|claim)(?:\b|_)[^\n]*$",
    re.IGNORECASE,
)
_BEFORE = 60  # characters looked at before a code
CHAIN = 12  # characters between the codes of one list


class IcdCode(NamedTuple):
    code: str  # with its dot
    system: str  # "icd-10-cm" or "icd-9-cm"
    title: str  # of its category; empty for ICD-9
    concepts: tuple[str, ...]


class IcdCodes:
    def __init__(self, artefact: Artefact, mesh: Mesh) -> None:
        self._codes = artefact["code"]
        self._concepts = artefact["concept"]
        self._ids = mesh.ids
        categories = artefact.strings("category").all()
        self._titles = dict(zip(categories, artefact.strings("title").all(), strict=True))

    def find(self, written: str, *, nine: bool = False) -> IcdCode | None:
        """A code with or without its dot; None when no such code exists.

        V70.0 is a check-up in one edition and a crash in the other: `nine` asks the older first.
        """
        if nine and (found := self._find_nine(written)) is not None:
            return found
        if _TEN.fullmatch(written):
            found = self._find_ten(written.upper().replace(".", ""))
            if found is not None:
                return found
        return self._find_nine(written)

    def _find_nine(self, written: str) -> IcdCode | None:
        plain = written.upper().replace(".", "")
        row = self._row("9" + plain) if _NINE.fullmatch(written) else None
        if row is None:
            return None
        cut = 4 if plain.startswith("E") else 3
        return IcdCode(_dotted(plain, cut), "icd-9-cm", "", self._concept(row))

    def _find_ten(self, plain: str) -> IcdCode | None:
        row = self._row(plain[:5])
        if row is None:
            return None
        return IcdCode(
            _dotted(plain, 3), "icd-10-cm", self._titles.get(plain[:3], ""), self._concept(row)
        )

    def scan(self, text: str, places: Iterable[tuple[int, int]] | None = None) -> list[TermHit]:
        """Codes that the text announces as codes; all of them, or those at some of their places.

        Places that are given come with all others that are less than a chain apart from them.
        """
        hits: list[TermHit] = []
        end_of_last = -CHAIN
        for start, end in code_places(text) if places is None else places:
            announced = start - end_of_last <= CHAIN and "\n\n" not in text[end_of_last:start]
            if not announced and not _ANNOUNCED.search(text[max(0, start - _BEFORE) : start]):
                continue
            known = self.find(text[start:end])
            if known is not None:
                end_of_last = end
                hits.append(TermHit(start, end, Kind.DISEASE, known.concepts, -1, int(Flag.NONE)))
        return hits

    def _row(self, code: str) -> int | None:
        key = code.encode()
        place = int(self._codes.searchsorted(key))
        return place if place < len(self._codes) and self._codes[place] == key else None

    def _concept(self, row: int) -> tuple[str, ...]:
        index = int(self._concepts[row])
        return (self._ids[index],) if index < len(self._ids) else ()


def code_places(text: str) -> list[tuple[int, int]]:
    """Where something stands that is written like a code."""
    return [match.span() for match in _IN_TEXT.finditer(text)]


def _dotted(plain: str, cut: int) -> str:
    return f"{plain[:cut]}.{plain[cut:]}" if len(plain) > cut else plain


@functools.cache
def load_icd() -> IcdCodes:
    return IcdCodes(load("icd", artefact_folder("icd")), load_mesh())


def icd(code: str) -> IcdCode | None:
    return load_icd().find(code)
