"""Which doubtful terms of the lexicon a text supports.

In: a text and the hits of the lexicon in it.  Out: those to believe.

Plain terms are believed. An everyday word ("alcohol") or charting shorthand ("RA") is believed
beside plain clinical language, behind words that announce a diagnosis, or under a heading that
lists diagnoses. An acronym of an ontology is believed only where the text spells out the same
concept: there are thousands of them, and most mean something else. A short form in an address,
behind a name, a clock time or a number, or as the label of a field is no illness at all.
"""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from dlp.errors import RuleError
from dlp.knowledge.hits import Flag, TermHit
from dlp.model import HEALTH_KINDS, Kind
from dlp.resources import rules_folder

FILE = "abbreviations.toml"
REACH = 120  # characters: about a line and a half either side
_AMBIGUOUS, _CASED = int(Flag.AMBIGUOUS), int(Flag.CASED)
_SHORTHAND, _DEFINED = int(Flag.SHORTHAND), int(Flag.DEFINED)
_ILLNESS = frozenset({Kind.DISEASE, Kind.SYMPTOM})

_BEFORE = 64  # characters that are looked at before a term
_AFTER = 24
_SHORT = 4  # letters of shorthand that is also something else in small letters
_SHORTEST = 2  # letters of a short form
_STRONG = (
    r"\b(?:diagnos\w+|living with|suffer\w*|treat(?:ed|ment)|history|hx|known case"
    r"|recover\w* from)\b"
    r"[^.;:\n]{0,40}\s"
    r"|\b(?:positive for|die[sd] (?:of|from)|dying (?:of|from)|death from|battl\w+|ill with"
    r"|complication\w* of|newly diagnosed|h/o|s/p|c/o|hx|dx|pmh"
    r"|complain\w* of|presents? with|presented with|broke out in|developed|woke (?:up )?with"
    r"|carries|carriers? (?:of|for)|because of|due to|on account of|owing to|secondary to)"
    r"[\s:]+(?:an? )?"
    r"|\bdiagnos[ei]s(?: of| is)?[\s:]+(?:an? )?"
)
_WEAK = (
    r"\b(?:ha[sd]|have|having|got|his|her|my|severe|relapsing|known|early|late|end[ -]stage|with"
    r"|patient[- ]reported)\s+(?:an? )?|\bw/\s?|\bpost[- ]"
)
_ANNOUNCED = re.compile(rf"(?:{_STRONG}|{_WEAK})$", re.IGNORECASE)
_DIAGNOSED = re.compile(rf"(?:{_STRONG})$", re.IGNORECASE)
_ANNOUNCING = (  # how the words before must end, or one of the words below stands in them
    "has", "had", "have", "having", "got", "his", "her", "my", "severe", "relapsing", "known",
    "early", "late", "stage", "for", "of", "from", "with", "h/o", "s/p", "c/o", "hx", "dx",
    "pmh", "a", "an", "diagnosed", "is", "battled", "battling", "reported", "in", "developed",
    "carries", "w/", "to", "post", "post-",
)  # fmt: skip
_ANNOUNCING_WORDS = (
    "diagnos", "living with", "suffer", "treat", "history", "hx", "known case", "recover",
)  # fmt: skip
_NOUN_ENDS = re.compile(
    r"\s*(?:$|[\n.,;:!?)/&+-]|(?:and|or|with|since|but|for|in|at|from|which|who|he|she|by)\b)",
    re.IGNORECASE,
)
_JOINED = re.compile(r"\s*(?:[,/&+]|,?\s*(?:and|or)\b)\s*", re.IGNORECASE)
_HEX = frozenset("0123456789abcdef")
_NAMED = re.compile(r"[A-Z&][\w'’.-]*\s$")
_CAPITALISED = re.compile(r"[A-Z][\w'’.-]*,\s*$")
_LOCATED = re.compile(
    r"\b(?:in|from|of|near|at|to)\s+[A-Z][\w'’.-]*(?:\s[A-Z][\w'’.-]*)?,?\s+$", re.IGNORECASE
)
_POSTAL = re.compile(r",?\.?\s+(?:\d{5}\b|[A-Z]\d[A-Z]\b)")
_ADDRESS_ENDS = re.compile(r"\.?\s*(?:$|[\n,.;)|\"])")
_NUMBER_ENDS = re.compile(r"\d\s?$|\b[ap]\.?m\.?\s*$", re.IGNORECASE)
_NAME_FOLLOWS = re.compile(r"\.?\s+[A-Z]")
_STYLE_FOLLOWS = re.compile(r":\s*(?:#|solid|dashed|dotted|rgb|\d+(?:px|pt)\b)")  # "stroke: dashed"
_LABEL_FOLLOWS = re.compile(r"\s?:")
_CODE_FOLLOWS = re.compile(r"-[A-Z0-9]|\d|_")
_DOSE_FOLLOWS = re.compile(
    r"\s{1,2}\d[\d.,/]*\s?(?:mg|mcg|ug|g|ml|units?|iu|tabs?|puffs?)\b", re.IGNORECASE
)
_DOSE_ENDS = re.compile(
    r"\d\s?(?:mg|mcg|µg|g|ml|units?|iu|puffs?|tabs?|caps?)\s{1,2}$", re.IGNORECASE
)
_CODE_ENDS = re.compile(r"\d[-/]$")  # "4102-589-496-BX"
_FREQUENCY = 3  # letters: behind a dose, OD is once a day
_HEADING_REACH = 400  # characters between a heading and the short forms below it


@dataclass(frozen=True, slots=True)
class Abbreviations:
    """What short forms in capitals mean outside medicine, in capitals themselves."""

    credentials: frozenset[str]
    states: frozenset[str]
    counted: frozenset[str]  # clock and units: behind a number
    titles: frozenset[str]
    everyday: frozenset[str]
    heading: re.Pattern[str]
    institutions: frozenset[str]


@cache
def load_abbreviations() -> Abbreviations:
    path = rules_folder() / FILE
    try:
        raw = tomllib.loads(path.read_text())
        headings = "|".join(re.escape(one) for one in sorted(raw["headings"], key=len)[::-1])
        return Abbreviations(
            frozenset(raw["credentials"]),
            frozenset(raw["states"]),
            frozenset(raw["clock"]) | frozenset(raw["units"]),
            frozenset(raw["titles"]),
            frozenset(raw["everyday"]),
            re.compile(rf"(?:^|\n)[ \t\d.)*#-]*(?:{headings})[ \t]*[:\-\n][^:\n]*", re.IGNORECASE),
            frozenset(raw["institutions"]),
        )
    except (OSError, KeyError, tomllib.TOMLDecodeError) as error:
        raise RuleError(f"cannot be read: {error}", where=FILE, fix="restore the file") from error


def believe(hits: Sequence[TermHit], text: str = "", reach: int = REACH) -> list[TermHit]:
    """The hits of health kinds that the text supports, in order; without text, their company."""
    short_forms = load_abbreviations()
    health = [hit for hit in hits if hit.kind in HEALTH_KINDS]
    placed = [
        hit
        for at, hit in enumerate(health)
        if hit.flags & _DEFINED
        or not (
            is_other(text, hit, health[at - 1] if at else None, short_forms)
            if hit.flags & _CASED
            else is_name(text, hit, short_forms)
        )
    ]
    plain = [hit for hit in placed if not is_doubtful(text, hit, short_forms)]
    if len(plain) == len(placed):
        return placed
    spelt = {c for hit in plain if not hit.flags & _CASED for c in hit.concepts}
    starts = [hit.start for hit in plain]
    return [
        hit
        for hit in placed
        if not is_doubtful(text, hit, short_forms)
        or is_supported(text, hit, _Company(plain, starts, spelt, reach), short_forms)
    ]


def is_doubtful(text: str, hit: TermHit, short_forms: Abbreviations) -> bool:
    """A term common in other meanings, or an everyday word in a line of capitals."""
    if hit.flags & _AMBIGUOUS:
        return True
    if not hit.flags & _CASED or text[hit.start : hit.end] not in short_forms.everyday:
        return False
    start, end = text.rfind("\n", 0, hit.start) + 1, text.find("\n", hit.end)
    around = text[start : hit.start] + text[hit.end : end if end >= 0 else len(text)]
    return around.isupper()  # "TRAINING AIDS"


@dataclass(frozen=True, slots=True)
class _Company:
    """The plain terms of a text, and the concepts that it spells out."""

    plain: Sequence[TermHit]
    starts: Sequence[int]
    spelt: set[str]
    reach: int

    def near(self, hit: TermHit) -> bool:
        place = bisect_left(self.starts, hit.start)
        before = place > 0 and hit.start - self.plain[place - 1].end <= self.reach
        return before or (
            place < len(self.plain) and self.plain[place].start - hit.end <= self.reach
        )

    def joined(self, text: str, hit: TermHit) -> bool:
        """Whether the term is the next of a list after a plain illness: "HIV and AIDS"."""
        place = bisect_left(self.starts, hit.start) - 1
        if place < 0 or self.plain[place].kind not in _ILLNESS:
            return False
        between = text[self.plain[place].end : hit.start]
        return len(between) < 12 and _JOINED.fullmatch(between) is not None


def is_supported(text: str, hit: TermHit, company: _Company, short_forms: Abbreviations) -> bool:
    """Whether the text speaks for a term that is common in other meanings."""
    if not hit.flags & _CASED:
        written = text[hit.start : hit.end]
        if hit.flags & _SHORTHAND and written.islower() and len(written) <= _SHORT:
            return is_short_note(text, hit, company, short_forms)
        if company.near(hit):
            return True
        return (hit.kind is Kind.DISEASE and " " in written) or is_announced(text, hit)
    if not company.spelt.isdisjoint(hit.concepts):
        return True
    if not hit.flags & _SHORTHAND:
        return False
    if text[hit.start : hit.end].upper() in short_forms.everyday:
        if _NOUN_ENDS.match(text, hit.end) is None:
            return is_announced(text, hit, _DIAGNOSED)
        return company.joined(text, hit) or is_announced(text, hit)
    if hit.kind is Kind.DRUG and _DOSE_FOLLOWS.match(text, hit.end):
        return True
    named = hit.end - hit.start <= _SHORTEST and _NAME_FOLLOWS.match(text, hit.end)
    words = _DIAGNOSED if named else _ANNOUNCED  # "with MS Office"
    return company.near(hit) or is_announced(text, hit, words) or is_listed(text, hit, short_forms)


def is_short_note(text: str, hit: TermHit, company: _Company, short_forms: Abbreviations) -> bool:
    """Whether shorthand in small letters ("uti") is meant; two letters need more than company."""
    written = text[hit.start : hit.end].upper()
    if written in short_forms.everyday or written in short_forms.titles | short_forms.counted:
        return is_announced(text, hit, _DIAGNOSED)
    longer = len(written) > _SHORTEST and company.near(hit)
    return longer or is_announced(text, hit) or is_listed(text, hit, short_forms)


def is_announced(text: str, hit: TermHit, words: re.Pattern[str] = _ANNOUNCED) -> bool:
    """Whether the words before say that somebody has what follows."""
    before = text[max(0, hit.start - _BEFORE) : hit.start]
    if hit.end - hit.start <= _SHORTEST and before.isupper():
        words = _DIAGNOSED  # "THE TEAM HAS MS AND PA SEATS": two letters in a line of capitals
    low = before.lower()
    # A glance at the last letters of the words before spares nine in ten the search.
    ends = low.replace(":", " ").rstrip().endswith(_ANNOUNCING)
    if not ends and not any(word in low for word in _ANNOUNCING_WORDS):
        return False
    return words.search(before) is not None


def is_listed(text: str, hit: TermHit, short_forms: Abbreviations) -> bool:
    """Whether the term stands under or behind a heading of diagnoses, before a blank line."""
    floor = max(0, hit.start - _HEADING_REACH)
    blank = text.rfind("\n\n", floor, hit.start)
    before = text[blank + 1 if blank >= 0 else floor : hit.start]
    return short_forms.heading.search(before) is not None


def is_name(text: str, hit: TermHit, short_forms: Abbreviations) -> bool:
    """Whether a term is part of a name or an id: "Gerd Vik", "Lakeside Surgery", "3fa8-c7e3"."""
    written = text[hit.start : hit.end]
    if len(written) > _SHORTEST and not written.isalpha() and _HEX.issuperset(written.lower()):
        joined = text[hit.start - 1 : hit.start] + text[hit.end : hit.end + 1]
        return "-" in joined or "_" in joined
    if written.islower() and text[hit.end : hit.end + 1] == ":":
        return _STYLE_FOLLOWS.match(text, hit.end) is not None
    if not written.istitle() or " " in written:
        return False
    if hit.flags & _SHORTHAND:
        return _NAME_FOLLOWS.match(text, hit.end) is not None
    before = text[max(0, hit.start - _BEFORE) : hit.start]
    return written.upper() in short_forms.institutions and _NAMED.search(before) is not None


def is_other(text: str, hit: TermHit, previous: TermHit | None, short_forms: Abbreviations) -> bool:
    """Whether a short form is a credential, a state, a time, a unit, a title or a label."""
    written = text[hit.start : hit.end].upper()
    if len(written) > 8 or " " in written:
        return False
    before = text[max(0, hit.start - _BEFORE) : hit.start]
    after = text[hit.end : hit.end + _AFTER]
    if written in short_forms.counted and _NUMBER_ENDS.search(before):
        return True
    if len(written) <= _FREQUENCY and (_DOSE_ENDS.search(before) or _CODE_ENDS.search(before)):
        return True
    if written in short_forms.states and _POSTAL.match(after):
        return True
    if written in short_forms.titles and _NAME_FOLLOWS.match(after):
        return not is_announced(text, hit)
    listed = previous is not None and hit.start - previous.end <= 2  # "Hypertension, MI"
    if not listed and written in short_forms.credentials and _CAPITALISED.search(before):
        return True
    ends_address = not listed and written in short_forms.states and _ADDRESS_ENDS.match(after)
    if ends_address and (_CAPITALISED.search(before) or _LOCATED.search(before)):
        return not is_announced(text, hit)
    if not hit.flags & _AMBIGUOUS:
        return False
    return (
        _LABEL_FOLLOWS.match(after) is not None
        or _CODE_FOLLOWS.match(after) is not None
        or before.endswith(("-", "_", "@", "#"))
    )
