"""Names as machines and clerks write them: carets, slashes, spelt out, a nickname in quotes.

In: text.  Out: Mentions of named people; of people shown by initials beside a bed, number or age.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import re2

from dlp.detect.naming.forms import form_of_words
from dlp.detect.naming.handles import is_given
from dlp.detect.naming.mention import PATIENT, Mention
from dlp.knowledge.hashing import hash_word
from dlp.knowledge.names import FIRST, LAST, PLACE, load_names
from dlp.knowledge.names import WORD as ENGLISH
from dlp.knowledge.people import load_people
from dlp.model import Kind, MentionForm
from dlp.resources import rules_folder
from dlp.rulebook import read_toml

LIKELY, SURE = 0.65, 0.85
FAIR = 0.45
ORDINARY, LEAST = 0.6, 4  # share of everyday uses; letters
BACK = 48  # characters before a spelt-out name that may say that it is one
# A word of bounded length: "John-John-John-..." without end is not searched anew at each hyphen.
WORD = r"[^\W\d_][\w'’-]{1,40}"
CARETS = re.compile(rf"(?<![\w^])({WORD})\^({WORD})(?:\^[\w.]*)*")
# In those below the set of capitals comes first, which `re` skips to; no letter stands before it.
SLASH = re.compile(
    r"([A-Z](?<!\w.)[A-Z'-]{1,40})/([A-Z][A-Z'-]{1,40}) ?(MR|MRS|MS|MISS|MSTR|DR|CHD|INF)\b"
)
SPELT = re2.compile(r"\b[A-Z](?:(?:-| - |\.|, ?)[A-Z]){2,}\b")
SPELLING = re.compile(r"spelt|spelled|spelling|surname|name", re.IGNORECASE)
QUOTED = re.compile(
    r"([A-Z](?<!\w.)[\w'’-]{1,40}) "
    r"(?:[\"“]\w[\w ]{1,20}[\"”]|\(\"?[A-Z]\w{1,40}\"?\)|['‘]\w{1,40}['’]) "
    r"([A-Z][\w'’-]{1,40})(?![\w'’-])"
)
QUOTE_HINT = re.compile(r"[\"”)'’] [A-Z]")
# Made-up patients have figures behind each name: "Lonny638 Reid820".
FIGURED = re.compile(
    r"([A-Z](?<!\w.)[a-zà-ÿ'’]{1,30})\d{1,4} (?:[A-Z][a-zà-ÿ'’]{1,30}\d{1,4} ){0,2}"
    r"([A-Z][A-Za-zà-ÿ'’]{1,30})\d{1,4}\b"
)
FIGURED_HINT = re.compile(r"[\d](?<=[a-zà-ÿ'’].)\d{0,3} [A-Z]")
# Scanned pages have figures within: "Tom Pors0ns", "M1tal1 Hale".
SCANNED = re.compile(r"([A-Z](?<![\w-].)[a-z015]{1,30}) ([A-Z][a-z015]{2,30})(?![\w-])")
FIGURE_WITHIN = re.compile(r"[015](?<=[A-Za-z].)[a-z]")
READ_AS = ({48: "o", 49: "i", 53: "s"}, {48: "o", 49: "l", 53: "s"})
DATE = r"\d{1,2}[./-]\d{1,2}[./-](?:\d{4}|\d\d)\b|\d{4}-\d\d-\d\d|\d{1,2} [A-Z][a-z]{2,8} \d{4}"
# What stands behind a single name in a sentence about somebody.
OF_PERSON = re.compile(
    r"([A-Z](?<!\w.)[a-z]{2,15})"
    r"(?:,? \(?[0-9]{1,3}\)?,?| \([^()\n]{1,20}\)|, [0-9]{1,3}, from [A-Z][a-z]+,)?"
    r"(?: (?:has|had) (?:an? |the )?[A-Za-z0-9_]"
    r"| (?:was|is being|been) (?:diagnos|treat|admit|taken)"
    r"| (?:takes|suffers|complained|reported|tested|stopped|came in|is on|is off|is allergic"
    r"|is waiting|lives with)\b)"
)
BEGUN = re.compile(
    r"(?:^[ \t>*•-]*|[.:] |\b(?:[Tt]hat|[Nn]ote|[Ww]ith|[Ff]or|[Aa]bout|called|named) )\Z",
    re.MULTILINE,
)
LETTERS = r"((?:[A-Z]\. ?){2,3}|[A-Z]\.?[A-Z]\b)"


class Initials(NamedTuple):
    before: Any  # what stands before them tells that they are a person
    behind: Any
    never: frozenset[str]
    name_before: Any  # a last name and then a bed or a room
    name_behind: Any


def named_in(text: str, part: int) -> Iterator[Mention]:
    """Each search is begun only where a sign it needs stands in the text at all."""
    if "^" in text:
        for found in CARETS.finditer(text):
            yield from named(found, part, found[2], found[1], "carets")
    if "/" in text:
        for found in SLASH.finditer(text):
            yield from named(found, part, found[2], found[1], "slash", sure=True)
    for found in QUOTED.finditer(text) if QUOTE_HINT.search(text) else ():
        if is_given(found[1], sure=True) and (knows(found[2], LAST) or not is_word(found[2])):
            yield from named(found, part, found[1], found[2], "nickname", sure=True)
    yield from with_figures(text, part)
    yield from beside_units(text, part)
    yield from said_to_have(text, part)
    for found in SPELT.finditer(text):
        word = re.sub(r"\W+", "", found[0])
        told = SPELLING.search(text, max(0, found.start() - BACK), found.start())
        if told and len(word) > 2 and (knows(word, FIRST | LAST) or told[0].lower()[:2] == "sp"):
            first = word.capitalize() if knows(word, FIRST) and not knows(word, LAST) else ""
            last = "" if first else word.capitalize()
            yield from named(found, part, first, last, "spelt")


def beside_units(text: str, part: int) -> Iterator[Mention]:
    """ "Hale in bed 4", "Bay 2 - Hale": a capitalised word that is more often a name."""
    for pattern in (initials().name_before, initials().name_behind):
        for found in pattern.finditer(text):
            group = found.lastindex or 1
            word = found[group]
            bits, ordinary, _ = load_names().bits_of_one(hash_word(word.lower()))
            if (bits & LAST and ordinary < ORDINARY) or not bits & ENGLISH | (len(word) < LEAST):
                start, end = found.span(group)
                yield Mention(Kind.PERSON, part, start, end, LIKELY, "name-unit", ("unit",),
                              PATIENT, "", word, form=MentionForm.SURNAME)  # fmt: skip


def said_to_have(text: str, part: int) -> Iterator[Mention]:
    """ "Suharto was diagnosed with": a word that English does not know, and only people do this."""
    for found in OF_PERSON.finditer(text):
        word = found[1]
        if not BEGUN.search(text, max(0, found.start() - BACK), found.start()):
            continue
        bits, ordinary, _ = load_names().bits_of_one(hash_word(word.lower()))
        if not bits & (ENGLISH | PLACE) and not ordinary:
            start, end = found.span(1)
            yield Mention(Kind.PERSON, part, start, end, LIKELY, "name-lone", ("lone",), "",
                          "", word, form=MentionForm.SURNAME)  # fmt: skip


def with_figures(text: str, part: int) -> Iterator[Mention]:
    """Names with figures behind or within their words."""
    for found in FIGURED.finditer(text) if FIGURED_HINT.search(text) else ():
        first, last = found[1], found[2]
        family = knows(last, LAST) or not is_word(last)
        if knows(first, FIRST) and family and not (is_word(first) and is_word(last)):
            yield from named(found, part, first, last, "figures")
    for found in SCANNED.finditer(text) if FIGURE_WITHIN.search(text) else ():
        first, last = found[1], found[2]
        if not FIGURE_WITHIN.search(found[0]):
            continue
        read = [as_letters(word) for word in (first, last)]
        if knows(read[0], FIRST) or (knows(read[1], LAST) and not is_word(read[0])):
            yield from named(found, part, read[0], read[1], "scanned", sure=True)


def as_letters(word: str) -> str:
    """A word with its figures read as the letters they look like, a known name before others."""
    readings = [word.translate(table) for table in READ_AS]
    return next((one for one in readings if knows(one, FIRST | LAST)), readings[0])


def named(
    found: Any, part: int, first: str, last: str, evidence: str, *, sure: bool = False
) -> Iterator[Mention]:
    known = knows(first, FIRST) or knows(last, LAST)
    if not known and not sure:
        return
    yield Mention(Kind.PERSON, part, found.start(), found.end(), SURE if known else LIKELY,
                  f"name-{evidence}", (evidence,), "", first, last,
                  form=form_of_words(first, last, titled=False))  # fmt: skip


def is_word(word: str) -> bool:
    return bool(load_names().bits_of_one(hash_word(word.lower()))[0] & ENGLISH)


def knows(word: str, bits: int) -> bool:
    return bool(word) and bool(load_names().bits_of_one(hash_word(word.lower()))[0] & bits)


def initials_in(text: str, part: int) -> Iterator[Mention]:
    """ "J.S. (room 12)", "Pt KM", "Bed 4, J.S.": letters that only their place makes a person."""
    rules = initials()
    for pattern in (rules.before, rules.behind):
        for found in pattern.finditer(text):
            letters = re.sub(r"\W", "", found[1])
            if letters in rules.never and "." not in found[1]:
                continue
            start, end = found.span(1)
            yield Mention(Kind.PERSON, part, start, end, FAIR, "initials", ("initials",), PATIENT,
                          letters[0], letters[-1], form=MentionForm.INITIALS)  # fmt: skip


@functools.cache
def initials() -> Initials:
    book = read_toml(rules_folder() / "mentions" / "en.toml")["unnamed"]
    units = "|".join(sorted((word.replace(" ", r"\s+") for word in book["units"]), key=len))
    unit = rf"(?i:(?:{units})\.?\s*[:#]?\s*\d{{1,4}}[A-Za-z]?)"
    label = "|".join(book["initials_before"])
    number = r"(?i:mrn|hosp|unit no|chart|patient id|nhs|ref|dob|d\.o\.b|born|date of birth)"
    age = r"\d{1,3} ?(?:[MF]\b|y|yo\b)"
    never = {*load_people().credentials, *book["not_initials"]}
    return Initials(
        re2.compile(rf"(?:\b{unit}\s*[,:(/|–-]?\s*|\b(?i:{label})\s*:?\s+){LETTERS}"),
        re2.compile(
            rf"\b{LETTERS}\s*(?:[,(/|;–-]|\b(?:in|from|of|born|aged)\b)?\s*"
            rf"(?:{unit}|{number}|{age}|{DATE})"
        ),
        frozenset(word.upper() for word in never),
        re2.compile(
            rf"(?m)\b([A-Z][a-z'’-]{{2,20}})\s*(?:,|\(|-|–|\bin\b)\s*{unit}\b"
            rf"|^[ \t>*-]{{0,6}}([A-Z][a-z'’-]{{2,20}}) {unit}[ \t]*[:,–-]"
        ),
        re2.compile(rf"\b{unit}\s*(?:[:,(–-]\s*)?([A-Z][a-z'’-]{{2,20}})\b"),
    )
