"""Codes of a protected topic: ICD by meaning, the codes of other systems by the words beside them.

In: a text, the test of disclosure.  Out: terms that become "[code]".

ICD codes carry a MeSH concept and a title, so each is judged by itself, wherever it stands. No
open table gives the meaning of a SNOMED, LOINC, RxNorm, CPT, ATC or NDC code; such a code goes
when the words beside it disclose a topic, or when no word beside it says what it means. In a
table the words of the row count, and the header says which column holds codes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from dlp.knowledge.icd import IcdCode, code_places, is_loinc, is_snomed, load_icd
from dlp.knowledge.marks import CODE
from dlp.knowledge.mesh import load_mesh
from dlp.sanitise.disclosure import Disclosure, Risk
from dlp.sanitise.term_finder import Term
from dlp.sanitise.text_edits import Stretches

_LIST = r"(?:[\s,;/&|+]|and|or){0,4}"
_NINE_CODE = r"(?:[VE]?\d{2,3}(?:\.?\d{1,2})?)"
NINE = re.compile(
    r"(?i:\bICD[ -]?9(?:[ -]?CM)?\b|\b(?:dx|diag(?:nos[ei]s)?)\b)"
    r"(?i:\W{0,3}(?:codes?|dx|no\.?))?\W{0,3}"
    rf"(?P<codes>{_NINE_CODE}(?![\w-]|\.\d)(?:{_LIST}{_NINE_CODE}(?![\w-]|\.\d))*)"
)
_OTHER_CODE = r"(?:[A-Z]{0,2}\d[\w-]{2,17}|[A-Z]\d\d[A-Z]{1,2}\d\d)"
OTHER = re.compile(
    r"(?i:\b(?:SNOMED(?:[ -]?CT)?|SCTID|LOINC|RxNorm|RxCUI|CPT|HCPCS|ATC|NDC|OMIM|ORPHA(?:NET)?)\b)"
    r"(?i:\W{0,3}(?:codes?|ids?|concept|no\.?|numbers?))?\W{0,3}"
    rf"(?P<codes>{_OTHER_CODE}(?:{_LIST}{_OTHER_CODE})*)"
)
_EACH = re.compile(r"[A-Za-z]*\d[\w.-]*\w|\d")
# Digits 6 to 18, of which two name the partition and the last one checks the rest.
SNOMED = re.compile(r"(?<![\w.-])\d{3,15}[01][012]\d(?![\w-]|\.\d)")
LOINC = re.compile(r"(?<![\w.-])\d{3,5}-\d(?![\w-]|\.\d)")
ATC = re.compile(r"(?<![\w.-])[A-DGHJ-NPRSV]\d\d[A-Z]{2}\d\d(?![\w-])")
NDC = re.compile(r"(?<![\w.-])\d{4,5}-\d{3,4}-\d{1,2}(?![\w-])")
SEGMENT = re.compile(r"[;\n]|\.\s|,\s")
LINE = re.compile(r"\n")
_CELL = re.compile(r'"(?:[^"\n]|"")*"|[^,;|\t\n]+|(?<=[,;|\t\n])(?=[,;|\t\n])')
_CODE_COLUMN = re.compile(
    r"(?i)[\s\"]*(?:cpt|hcpcs|rx ?norm|rxcui|ndc|loinc|snomed|sctid|atc"
    r"|(?:procedure|proc|drug|service|test|concept)[ _-]?(?:code|cd|id)\b|code\b)"
)
FIRM = frozenset({"names", "related", "implies", "phrase"})
# Subcategories of ICD-10-CM whose title tells what the title of their category does not.
NARROW = {
    "B97.35": "human immunodeficiency virus, type 2", "Z11.4": "HIV screening",
    "Z83.0": "HIV disease", "Z11.3": "sexually transmitted diseases", "Z13.3": "mental disorders",
    "Z86.5": "mental disorders", "K29.2": "alcoholic gastritis", "K85.2": "alcoholic pancreatitis",
    "K86.0": "alcoholic pancreatitis", "R78.0": "alcohol", "R78.1": "opiates", "R78.2": "cocaine",
    "Z13.7": "genetic screening", "Z14.1": "cystic fibrosis", "Z84.81": "genetic carrier",
    "Q9": "chromosome disorders",
}  # fmt: skip

# Classes of the Anatomical Therapeutic Chemical index (WHO), by what they are given for.
ATC_CLASSES = {
    "J05AE": "antiretroviral agents", "J05AF": "antiretroviral agents",
    "J05AG": "antiretroviral agents", "J05AJ": "antiretroviral agents",
    "J05AR": "antiretroviral agents", "N07BB": "alcohol dependence", "N07BC": "opioid dependence",
    "N06A": "antidepressants", "N05A": "antipsychotic agents", "G03XB": "abortion",
    "G03A": "contraception", "G03GA": "infertility", "G03GB": "infertility",
}  # fmt: skip

Find = Callable[[str], list[Term]]


class CodeFinder:
    """One plan's codes; a code that went once goes wherever it stands, also alone in a cell."""

    def __init__(self, disclosure: Disclosure, find: Find) -> None:
        self._disclosure = disclosure
        self._find = find
        self._judged: dict[str, str] = {}  # ICD codes, to the topic they disclose
        self._gone: dict[str, str] = {}  # codes of other systems, to that topic
        self._pattern: re.Pattern[str] | None = None

    def find(self, text: str, terms: list[Term]) -> list[Term]:
        """Codes that disclose a topic; `terms` are the other terms of the text."""
        if not self._disclosure.topics or not any(map(str.isdigit, text)):
            return []
        found = {place: topic for place, topic in self._icd(text) if topic}
        found.update(self._by_words(text, terms, dict(found)))
        found.update(self._again(text))
        kept: list[Term] = []
        for start, end in sorted(found, key=lambda place: (place[0], -place[1])):
            if not kept or start >= kept[-1].end:
                written = text[start:end]
                topic = found[start, end]
                kept.append(Term(start, end, written, f"code:{written}", instead=CODE, topic=topic))
        return kept

    def _icd(self, text: str) -> Iterator[tuple[tuple[int, int], str]]:
        for start, end in code_places(text):
            if text[start].isalpha():  # a copy that loses a room called B20 loses little
                yield (start, end), self._topic_of(text[start:end])
        for listed in NINE.finditer(text):
            for hit in _EACH.finditer(text, *listed.span("codes")):
                yield hit.span(), self._topic_of(hit.group(), nine=True)
        for hit in ATC.finditer(text):
            classes = (title for start, title in ATC_CLASSES.items() if hit[0].startswith(start))
            risk = self._by_title(next(classes, ""))
            yield hit.span(), risk.topic if risk else ""

    def _topic_of(self, written: str, *, nine: bool = False) -> str:
        key = f"9{written}" if nine else written
        if key not in self._judged:
            code = load_icd().find(written, nine=nine)
            risk = self._risk(code) if code else None
            self._judged[key] = risk.topic if risk else ""
        return self._judged[key]

    def _risk(self, code: IcdCode) -> Risk | None:
        mesh = load_mesh()
        known = [mesh.index(concept) for concept in code.concepts if concept in mesh]
        narrow = (title for start, title in NARROW.items() if code.code.startswith(start))
        title = next(narrow, code.title)
        return self._disclosure.of_concepts(known) or self._by_title(title)

    def _by_title(self, title: str) -> Risk | None:
        titled = (self._disclosure.of_term(term) for term in self._find(title))
        return next((risk for risk in titled if risk and risk.why in FIRM), None)

    def _by_words(
        self, text: str, terms: list[Term], told: Mapping[tuple[int, int], str]
    ) -> Iterator[tuple[tuple[int, int], str]]:
        """`told` are codes beside them whose meaning is known."""
        announced = [
            hit.span()
            for listed in OTHER.finditer(text)
            for hit in _EACH.finditer(text, *listed.span("codes"))
        ]
        bare = [h.span() for h in SNOMED.finditer(text) if is_snomed(h.group())]
        bare += [h.span() for h in LOINC.finditer(text) if is_loinc(h.group())]
        bare += [h.span() for shape in (ATC, NDC) for h in shape.finditer(text)]
        cells = list(_code_cells(text))
        if not announced and not bare and not cells:
            return
        codes = Stretches((*announced, *bare, *cells))
        rows = _Beside(text, terms, self._disclosure, codes, LINE)
        for place in cells:
            topic = rows.of(*place)[0] or rows.code_beside(*place, told)
            if topic:
                yield self._goes(text, place, topic)
        beside = _Beside(text, terms, self._disclosure, codes, SEGMENT)
        for place in announced:
            topic, said = beside.of(*place)
            if topic or not said:
                yield self._goes(text, place, topic or self._disclosure.topics[0].name)
        for place in bare:
            topic, _ = beside.of(*place)
            if topic:
                yield self._goes(text, place, topic)

    def _goes(self, text: str, place: tuple[int, int], topic: str) -> tuple[tuple[int, int], str]:
        self._gone[text[slice(*place)]] = topic
        self._pattern = None
        return place, topic

    def _again(self, text: str) -> Iterator[tuple[tuple[int, int], str]]:
        if not self._gone:
            return
        if self._pattern is None:
            each = "|".join(map(re.escape, sorted(self._gone, key=len, reverse=True)))
            self._pattern = re.compile(rf"(?<![\w.-])(?:{each})(?![\w-]|\.\d)")
        for hit in self._pattern.finditer(text):
            yield hit.span(), self._gone[hit.group()]


def _code_cells(text: str) -> Iterator[tuple[int, int]]:
    """Cells with digits below a header that says they are codes."""
    header, _, _ = text.partition("\n")
    if "\n" not in text or not re.search(r"[,;|\t]", header):
        return
    named = [bool(_CODE_COLUMN.match(cell[0])) for cell in _CELL.finditer(header)]
    start = len(header) + 1
    while any(named) and start < len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        for is_code, cell in zip(named, _CELL.finditer(text, start, end), strict=False):
            value = cell[0].strip(' "\r')
            if is_code and any(map(str.isdigit, value)):
                at = cell.start() + cell[0].index(value)
                yield at, at + len(value)
        start = end + 1


class _Beside:
    """What the words in the same segment or row say about a code in it."""

    def __init__(
        self,
        text: str,
        terms: list[Term],
        disclosure: Disclosure,
        codes: Stretches,
        border: re.Pattern[str],
    ) -> None:
        self._borders = [hit.end() for hit in border.finditer(text)]
        self._size = len(text)
        self._terms = [t for t in terms if t.kind and not codes.meet(t.start, t.end)]
        self._risks = [disclosure.of_term(term) for term in self._terms]

    def of(self, start: int, end: int) -> tuple[str, bool]:
        """The topic that a term beside it discloses, and whether any term stands there."""
        first, last = self._around(start, end)
        inside = [n for n, t in enumerate(self._terms) if first <= t.start < last]
        risks = (self._risks[n] for n in inside)
        topic = next((risk.topic for risk in risks if risk), "")
        return topic, bool(inside)

    def code_beside(self, start: int, end: int, told: Mapping[tuple[int, int], str]) -> str:
        """The topic that a code of known meaning in the same segment or row discloses."""
        first, last = self._around(start, end)
        return next((topic for (at, _), topic in told.items() if first <= at < last), "")

    def _around(self, start: int, end: int) -> tuple[int, int]:
        first = max((b for b in self._borders if b <= start), default=0)
        return first, min((b for b in self._borders if b > end), default=self._size + 1)
