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
    r"(?i)\bICD(?:[ -]?(?:9|10))?(?:[ -]?(?:CM|CA|AM|GM))?\b"
    r"|\b(?:diagnos[ei]s|diagnostic|dx) codes?\b"
    r"|\b(?:dx|diag(?:nos[ei]s)?)[.:]?[ \t]{1,4}[a-z]\d\d"
)
REACH = 60  # characters from the announcement to the first code
LONGEST = 8  # characters of a code with its dot
SURE = 0.9
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
    for hit in codes.scan(text, near(code_places(text), heard)):
        since, nine = last_heard(heard, hit.start)
        listed = bool(found) and hit.start - found[-1].end <= CHAIN
        if not listed and (hit.start - since > REACH or "\n\n" in text[since : hit.start]):
            continue
        meant = codes.find(text[hit.start : hit.end], nine=True) if nine else None
        found.append(hit._replace(concepts=meant.concepts) if meant else hit)
    return found


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
