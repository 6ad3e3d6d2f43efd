"""Diagnosis codes where a column or the words before them say that they are some.

In: a part with labelled fields, or a text.  Out: findings or hits with the concept of each code.

"250.00" is any number; under "ICD9" or "Dx 1", behind "ICD-9 code:" or beside "401.9", it is
diabetes. "F32.1" behind a name, a date or "coded" is a depression; behind "room" it is a room.
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
STANDING = re.compile(
    r"[A-TV-Z]\d(?<![\w.-]..)[0-9AB](?:\.[0-9][0-9A-Z]{0,3})?(?![\w-]|\.\d|\s\d[A-Z]{2}\b)"
)
CELL_BEGINS = re.compile(r"(?:^|\n|[,;|\t(\[\"])[ \t]*$")
# What a form asks on a line of its own, with the answer alone on the next.
LABEL_ABOVE = re.compile(r"(?:^|\n)[^\W\d][^\d\n.]{2,40}\n[ \t]*$")
LINE_ENDS = re.compile(r"[ \t]*(?:\r?\n|$)")
CELL_ENDS = re.compile(r"[ \t]*(?:[,;|\t)\]\"]|\r?\n|$)")
PROCEDURE_FOLLOWS = re.compile(r"[ \t,;|]{1,3}\d{5}\b")
OTHER_NUMBER = re.compile(
    r"\b(?:rooms?|desks?|seats?|gates?|sections?|clauses?|figures?|fig|tables?|parts?|items?|see|annex"
    r"|appendix|version|bays?|docks?|rows?|units?|shelf|shelves|slots?|notes?|para(?:graph)?s?)\b",
    re.IGNORECASE,
)
LIST = re.compile(r"[ \t]*[,;/|&+ \t][ \t]*")
# What stands directly before a code that nothing else announces.
CODER = (
    r"\b(?:coded|codes|(?<!\w\s)code|dx|diag(?:nos[ei]s)?|icd[\w-]*|primary|secondary|principal|charge"
    r"|(?:recorded|filed|listed|registered|entered|classified|billed|put down|logged|booked)"
    r"(?= (?:as|under|with)\b))"
    r"(?: ?\d)?(?: (?:as|under|is|was|of|with))?"
)
NAMED = (
    r"(?-i:\b[A-Z][\w'’-]+,? (?:[A-Z]\.? )?[A-Z][\w'’-]+|\b(?:Mr|Mrs|Ms|Miss|Mx)\.? [A-Z][\w'’-]+)"
    r"(?: \(\d{1,3}\))?"
)
NUMBERED = r"\b\d{1,4}[/.-]\d{1,2}[/.-]\d{2,4}|\b\d{5,10}(?:-\d\d)?"
ENDS = r"[\s,;:|(=/–-]{0,4}$"
CODED = re.compile(rf"(?:{CODER}|\bCPT \d{{5}},?(?: with)?|\b\d{{5}},? with){ENDS}", re.IGNORECASE)
OF_ONE = re.compile(
    rf"(?:{NAMED}|{NUMBERED}|\b(?:use|says|claim|summary|referral|certificate)){ENDS}",
    re.IGNORECASE,
)
PAPERS = re.compile(
    r"\b(?:sick ?notes?|certificat\w+|incapacity|referral|superbill|billing|discharge|claims?"
    r"|authori[sz]\w+|encounter|diagnos\w+)\b",
    re.IGNORECASE,
)
MEASURED = re.compile(r"\s?(?:mm|cm|m|kg|km|%|€|£|\$|eur|usd|gbp|v|w|hz)\b", re.IGNORECASE)
# Codes of the ninth revision are written like prices: believed behind a label, or two in a row of
# which one is no price.
NINE = re.compile(r"\d{3}(?<![\w.,$€£-]...)(?:\.\d{1,2})?(?![\w-]|[.,]\d|\s?(?:%|€|£|\$))")
POINT = re.compile(r"\.\d(?<=\d\d\d\..)")  # or one of these words, or there is no such row
NINE_WORDS = ("dx", "diag", "icd")
NO_PRICE = re.compile(r"\d{3}(?:\.\d)?|\d{3}\.\d[1-9]")
NINE_ANNOUNCED = re.compile(
    r"(?:\b(?:dx|diag(?:nos[ei]s)?|icd[ -]?9(?:-cm)?)(?: ?(?:codes?|cd))? ?\d?"
    r"(?: for [^\n:]{2,40})?[\s.:=#-]{1,3}|\bdiagnosis codes? )$",
    re.IGNORECASE,
)
# "401.9 (ICD-9)", "C61 printed on her form": what stands behind a code.
NINE_NAMED = re.compile(r"[\s,]?[\[(]?\s?ICD[ -]?9", re.IGNORECASE)
ON_PAPER = re.compile(
    r" (?:is |was |are |were )?(?:printed|written|stamped|typed|entered|noted|put|shown|listed"
    r"|down)?"
    r" ?(?:on|in) (?:my|his|her|their|the patient's) (?:\w+ )?(?:forms?|notes?|letters?|records?"
    r"|files?|charts?|certificates?|slips?|cards?|claims?|bills?|report|summary)\b",
    re.IGNORECASE,
)
BEHIND_PROCEDURE = re.compile(r"\b\d{5},? $")
MONEY = re.compile(
    r"\b(?:total|paid|pay|price|rent|eur|usd|gbp|net|gross|vat|amount|balance|due|sum|miles?|km|kg"
    r"|salary|bonus|hours?|owes?|donat\w+|expenses)\b|[€£$]",
    re.IGNORECASE,
)
NINE_LIST = re.compile(r"[ \t]*[,;/|&+\n \t][ \t]*(?:and |dx ?\d? )?", re.IGNORECASE)
REACH = 60  # characters from the announcement to the first code
LONGEST = 8  # characters of a code with its dot
CATEGORY = 3  # characters of a code without its dot
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
    find = load_icd().find
    known = [
        (*match.span(), found)
        for match in STANDING.finditer(text)
        if (found := find(match[0])) and found.system != "icd-9-cm"
    ]
    return [
        TermHit(start, end, Kind.DISEASE, found.concepts, NO_TERM, 0)
        for number, (start, end, found) in enumerate(known)
        if speaks_for_code(text, start, end)
        or (not is_other_number(text, start) and any(
            is_listed(text, (start, end), other[:2]) and other[2].code[:3] != found.code[:3]
            and max(other[1] - other[0], end - start) > CATEGORY
            for other in known[max(0, number - 1) : number + 2]
        ))
    ]  # fmt: skip


def speaks_for_code(text: str, start: int, end: int) -> bool:
    """Whether a valid code stands in a cell, beside a procedure, behind a name or a coding word.

    Three characters without a dot ("B20") are also a seat: a coding word or paper has to be near.
    """
    line = text.rfind("\n", 0, start) + 1
    before = text[max(line, start - REACH) : start]
    if MEASURED.match(text, end):
        return False
    if CODED.search(before) or ON_PAPER.match(text, end):
        return True
    if end - start > CATEGORY:
        alone = stands_alone(text, start, end) and not is_other_number(text, start)
        return alone or OF_ONE.search(before) is not None
    return OF_ONE.search(before) is not None and PAPERS.search(before) is not None


def nine_codes(text: str) -> list[TermHit]:
    """Codes of the ninth revision behind a label, or two and more of them in a row."""
    low = text.lower()
    if not POINT.search(text) and not any(word in low for word in NINE_WORDS):
        return []
    find = load_icd().find
    rows: list[list[tuple[int, int, tuple[str, ...]]]] = [[]]
    for match in NINE.finditer(text):
        found = find(match[0], nine=True)
        if found is None or not found.concepts:
            rows.append([])
            continue
        if rows[-1] and not NINE_LIST.fullmatch(text, rows[-1][-1][1], match.start()):
            rows.append([])
        rows[-1].append((*match.span(), found.concepts))
    return [
        TermHit(start, end, Kind.DISEASE, concepts, NO_TERM, 0)
        for row in rows
        if row and is_coded_row(text, row)
        for start, end, concepts in row
    ]


def is_coded_row(text: str, row: list[tuple[int, int, tuple[str, ...]]]) -> bool:
    """Whether codes in a row are diagnoses: no amounts, and labelled or several of them."""
    start, end = row[0][0], row[-1][1]
    first, last = text.rfind("\n", 0, start) + 1, text.find("\n", end)
    if MONEY.search(text, first, last if last >= 0 else len(text)):
        return False
    written = [text[low:high] for low, high, _ in row]
    if NINE_NAMED.match(text, end):
        return True
    if NINE_ANNOUNCED.search(text[max(0, start - REACH) : start]):
        return any("." in one for one in written) or end - start == CATEGORY
    if BEHIND_PROCEDURE.search(text[max(0, start - REACH) : start]):
        return "." in written[0]
    return (
        len(row) > 1
        and any("." in one for one in written)
        and any(NO_PRICE.fullmatch(one) for one in written)
    )


def stands_alone(text: str, start: int, end: int) -> bool:
    """Whether a code fills a cell of a row, a pair of brackets or a claim line."""
    line = text.rfind("\n", 0, start) + 1
    if PROCEDURE_FOLLOWS.match(text, end):
        return True
    before = text[max(line, start - 4) : start]
    if not before.strip() and line >= start - len(before):  # a line that begins with it
        above = LABEL_ABOVE.search(text, max(0, line - REACH), line)
        return above is not None and LINE_ENDS.match(text, end) is not None
    return bool(CELL_BEGINS.search(before)) and bool(CELL_ENDS.match(text, end))


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
