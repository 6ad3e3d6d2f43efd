"""Diagnosis codes where a column or the words before them say that they are some.

In: a part with labelled fields, or a text.  Out: findings or hits with the concept of each code.

"250.00" is any number; under "ICD9" or "Dx 1", or behind "ICD-9 code:", it is diabetes.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import lru_cache

import re2

from dlp.detect.spans import spans_of_text
from dlp.knowledge.hits import TermHit
from dlp.knowledge.icd import CHAIN, code_places, load_icd
from dlp.model import Finding, Kind, Part

ANNOUNCES = re.compile(
    r"(?:.* )?(?:icd(?: ?(?:9|10))?(?: ?cm)?|dx|diag(?:nos[ie]s)?)(?: ?(?:codes?|cd))?(?: ?\d+)?"
)
PARTS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[^A-Za-z0-9]+")
# Words that announce a code in running text; "code" alone may be a telephone's or a door's.
IN_TEXT = re2.compile(
    r"(?i)\bICD(?:[ _-]?(?:9|10))?(?:[ _-]?(?:CM|CA|AM|GM))?(?:\b|_)"
    r"|\b(?:diagnos[ei]s|diagnostic|dx) codes?\b"
    r"|\b(?:dx|diag(?:nos[ei]s)?)[ _]?(?:cd|codes?)?[ _]?\d?[.:=#]{0,2}[ \t(\[]{0,4}[a-z]\d\d"
)
# Codes in small letters keep their dot; "b12" and "t20" are something else.
SMALL = re.compile(r"(?<![\w.-])[a-tv-z]\d[0-9ab]\.[0-9a-z]{1,4}(?![\w-]|\.\d)")
# Nothing announces them, but they stand as codes do: alone in a cell or in brackets, beside the
# five digits of a procedure, or one after another. The letter comes first, which `re` skips to.
DOTTED = re.compile(r"[A-TV-Z]\d(?<![\w.-]..)[0-9AB]\.[0-9][0-9A-Z]{0,3}(?![\w-]|\.\d)")
CELL_BEGINS = re.compile(r"(?:^|\n|[,;|\t(\[\"])[ \t]*$")
CELL_ENDS = re.compile(r"[ \t]*(?:[,;|\t)\]\"]|\r?\n|$)")
PROCEDURE_FOLLOWS = re.compile(r"[ \t,;|]{1,3}\d{5}\b")
OTHER_NUMBER = re.compile(
    r"\b(?:rooms?|desks?|seats?|gates?|sections?|clauses?|figures?|fig|tables?|parts?|items?|see|annex"
    r"|appendix|version|bays?|docks?|rows?|units?|shelf|shelves|slots?|notes?|para(?:graph)?s?)\b",
    re.IGNORECASE,
)
LIST = re.compile(r"[ \t]*[,;/|&+ \t][ \t]*")
REACH = 60  # characters from the announcement to the first code
LONGEST = 8  # characters of a code with its dot
SURE = 0.9
NO_TERM = -1
RULE = "icd-code"


def find_codes(part: Part, number: int) -> Iterator[Finding]:
    if part.fields is None:
        return
    asked = {label for label in part.fields.labels if announces(label)}
    if not asked:
        return
    find = load_icd().find
    known: dict[str, tuple[str, ...] | None] = {}
    for label, start, end, _ in part.fields:
        if label not in asked or end - start > LONGEST:
            continue
        code = part.text[start:end]
        if code not in known:
            found = find(code.strip())
            known[code] = found.concepts if found else None
        if (concepts := known[code]) is not None:
            concept = concepts[0] if concepts else ""
            yield Finding(Kind.DISEASE, RULE, number, start, end, SURE, ("field",), concept)


def announcement(text: str, start: int, end: int) -> tuple[int, bool]:
    """Where the words end, and whether they speak of the ninth revision; "Dx F33" holds a code."""
    if text[start : start + 3].lower() != "icd" and text[end - 2 : end].isdigit():
        return end - 3, False
    return end, "9" in text[start:end]


def announced_codes(text: str) -> list[TermHit]:
    """Codes behind words that announce them, and those that follow such a code in a list."""
    heard = [announcement(text, start, end) for start, end in spans_of_text(IN_TEXT, text)]
    found: list[TermHit] = []
    if not heard:
        return found
    codes = load_icd()
    places = sorted(code_places(text) + [match.span() for match in SMALL.finditer(text)])
    for hit in codes.scan(text, near(places, heard)):
        since, nine = last_heard(heard, hit.start)
        listed = bool(found) and hit.start - found[-1].end <= CHAIN
        if not listed and (hit.start - since > REACH or "\n\n" in text[since : hit.start]):
            continue
        meant = codes.find(text[hit.start : hit.end], nine=True) if nine else None
        found.append(hit._replace(concepts=meant.concepts) if meant else hit)
    return found


def standing_codes(text: str) -> list[TermHit]:
    """Valid codes that nothing announces, where they stand as codes do."""
    places = [match.span() for match in DOTTED.finditer(text)]
    if not places:
        return []
    find = load_icd().find
    known = [
        (*place, found)
        for place in places
        if (found := find(text[slice(*place)])) and not is_other_number(text, place[0])
    ]
    return [
        TermHit(start, end, Kind.DISEASE, found.concepts, NO_TERM, 0)
        for number, (start, end, found) in enumerate(known)
        if stands_alone(text, start, end)
        or any(
            is_listed(text, (start, end), other[:2]) and other[2].code[:3] != found.code[:3]
            for other in known[max(0, number - 1) : number + 2]
        )
    ]


def stands_alone(text: str, start: int, end: int) -> bool:
    """Whether a code fills a cell of a row, a pair of brackets or a claim line."""
    line = text.rfind("\n", 0, start) + 1
    if PROCEDURE_FOLLOWS.match(text, end):
        return True
    before = text[max(line, start - 4) : start]
    alone = not before.strip() and line >= start - len(before)  # a line that begins with it
    return not alone and bool(CELL_BEGINS.search(before)) and bool(CELL_ENDS.match(text, end))


def is_other_number(text: str, start: int) -> bool:
    """Whether the line speaks of rooms, clauses or figures before the number."""
    line = text.rfind("\n", 0, start) + 1
    return OTHER_NUMBER.search(text, max(line, start - REACH), start) is not None


def is_listed(text: str, one: tuple[int, int], other: tuple[int, int]) -> bool:
    first, second = sorted((one, other))
    return first != second and LIST.fullmatch(text, first[1], second[0]) is not None


def last_heard(heard: list[tuple[int, bool]], place: int) -> tuple[int, bool]:
    before = bisect_right(heard, (place, True)) - 1
    return heard[before] if before >= 0 else (-REACH, False)


def near(places: list[tuple[int, int]], heard: list[tuple[int, bool]]) -> Iterator[tuple[int, int]]:
    """The chains of places of which one is within reach: prices are written like codes, too."""
    chain: list[tuple[int, int]] = []
    wanted = False
    for start, end in places:
        if chain and start - chain[-1][1] > CHAIN:
            if wanted:
                yield from chain
            chain, wanted = [], False
        chain.append((start, end))
        wanted = wanted or start - last_heard(heard, start)[0] <= REACH
    if wanted:
        yield from chain


@lru_cache(maxsize=4096)
def announces(label: str) -> bool:
    plain = " ".join(filter(None, PARTS.split(label))).lower()
    return ANNOUNCES.fullmatch(plain) is not None
