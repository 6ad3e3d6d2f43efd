"""What a column is to an attacker: direct identifier, quasi-identifier, sensitive, text, other.

In: a header and its cells.  Out: Role, with the kind of its values and the reason.

Unsure means quasi-identifier: a column too many costs utility, one too few costs somebody's
privacy. Only what cannot tell rows apart is left alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from dlp.knowledge.icd import NINE, TEN, IcdTree, load_icd_tree
from dlp.knowledge.mesh import load_mesh
from dlp.knowledge.names import load_names
from dlp.knowledge.places import load_places
from dlp.sanitise.tables.cells import date_form, number_form, text_of
from dlp.sanitise.tables.taxonomies import MeshTerms, PlaceNames, Words
from dlp.text.field_labels import in_english

DIRECT, QUASI, SENSITIVE, TEXT, OTHER = "direct", "quasi", "sensitive", "text", "other"
ROLES = (QUASI, DIRECT, SENSITIVE, OTHER, TEXT)
HEALTH_KINDS = frozenset({"icd9", "icd10", "terms"})
KINDS = ("number", "date", "icd9", "icd10", "terms", "place", "words", "category")

_SEEN = 400  # distinct values looked at
_MOST = 0.8  # of them must fit for a kind to be believed
_FEW = 0.01  # of the values that show the rest to be codes
_LEADING_ZERO = re.compile(r"0\d{2,4}", re.ASCII)
_SUPPLEMENT = re.compile(r"(?:V\d{2,4}|E\d{3,4})(?:\.\d{1,2})?", re.ASCII)
_MANY = 0.9  # distinct values per row that make a number an identifier
_SOME = 0.1  # distinct values per row of an identifier that people's rows share
_FEWEST_SHARED = 20  # of them
_FEWEST_IDS = 5  # rows from which on "different in all" says something
_ID = re.compile(r"[A-Za-z]{1,6}[-_/ ]?\d{2,}(?:[-_/]\w{1,6})?", re.ASCII)
_LONG = 40  # characters of a cell on average: a sentence, not a value
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[^A-Za-z0-9]+")


@dataclass(frozen=True, slots=True)
class Role:
    role: str
    kind: str
    reason: str


def _words(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"(?:{pattern})", re.ASCII)


# Headers, lower case, words parted by single blanks; the first pattern that fits decides.
_DIRECT = _words(
    r"(?:(?:patient|member|client|employee|person|first|last|middle|given|family|full|maiden|sur|"
    r"user|legal|doctor|provider|physician|guarantor) ?)?names?|surname|forename|given|family|"
    r"(?:medical ?record|record|chart|account|policy|insurance|member|patient|person|encounter|"
    r"visit|claim|case|subject|subscriber|beneficiary|licen[cs]e|passport|device|serial|health "
    r"?card|row|study|sample|user)? ?(?:id|identifier|number|no|num|nr|key|uuid|guid)|mrn|ssn|sin|"
    r"nhs(?: number| no)?|npi|drivers?(?: licen[cs]e.*)?|passport|patient|e ?mail.*|"
    r".*(?:tele)?phone.*|tel|telecom|mobile|cell|fax.*|(?:street|home|mailing)(?: address)?.*|"
    r"address(?: ?line)?(?: ?\d)?|url|web ?site|ip(?: address)?|ssn.*|iban|credit ?card.*|"
    r"(?:lat|lon|lng)|(?:lat|long)itude|photo.*|signature|initials"
)
_TEXT = _words(
    r".*\b(?:notes?|comments?|remarks?|narrative|free ?text|summary|impression|history|report)"
)
_SENSITIVE = _words(
    r"salary.*|income.*|wage.*|.*\b(?:result|outcome|score|charges?|cost|amount|paid|price)|"
    r"hiv.*|religion|sexual.*|offen[cs]e|conviction"
)
_PLACE = _words(
    r".*\b(?:city|town|county|state|province|region|country|nationality|municipality|place|"
    r"zip(?: ?code)?|post(?:al)? ?code|birth ?place|residence)"
)
_HEALTH = _words(
    r".*\b(?:diagnos[ei]s|dx\d*|diag\d*|conditions?|disease|problem|icd.*|dgns.*|procedures?|drug|"
    r"medications?|allerg.*|symptoms?|complaint|description|reason)\b.*"
)
_CODE = _words(r".*\b(?:code|snomed|cpt|loinc|ndc|rxnorm|drg)")


def find_role(header: str, cells: Sequence[object]) -> Role:
    """The role of one column by its header, in any language with tables, then by its values."""
    there = [text for text in map(text_of, cells) if text]
    distinct = list(dict.fromkeys(there))
    name = _plain(header)
    if not distinct or (len(distinct) == 1 and len(there) == len(cells)):
        return Role(OTHER, "category", "the same in every row, or empty")
    if _DIRECT.fullmatch(name):
        return Role(DIRECT, "category", "the header names a direct identifier")
    by_value = _direct_by_value(distinct, len(there))
    if by_value:
        return Role(DIRECT, "category", by_value)
    kind, why = _kind(name, cells, distinct)
    if kind == "text" or (_TEXT.fullmatch(name) and kind in ("category", "words", "terms")):
        return Role(TEXT, "text", why if kind == "text" else "the header names free text")
    if _SENSITIVE.fullmatch(name):
        return Role(SENSITIVE, kind, f"the header names an outcome; {why}")
    if kind == "number" and len(distinct) > _MANY * len(cells) > 50 and _alike(distinct):
        return Role(DIRECT, "category", "long numbers alike, different in nearly all rows")
    return Role(QUASI, kind, why)


_STREETS = "st|street|ave|avenue|rd|road|dr|drive|ln|lane|blvd|way|ct|court|row|terrace"
_SHAPES = (
    ("e-mail addresses", re.compile(r"[^@\s]+@[^@\s]+\.[A-Za-z]{2,}")),
    ("social security numbers", re.compile(r"\d{3}-\d{2}-\d{4}", re.ASCII)),
    ("telephone numbers", re.compile(r"(?:\+?1[-. ])?\(?\d{3}\)?[-. ]\d{3}[-. ]\d{4}", re.ASCII)),
    ("unique identifiers", re.compile(r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}")),
    ("web addresses", re.compile(r"https?://\S+")),
    ("network addresses", re.compile(r"\d{1,3}(?:\.\d{1,3}){3}", re.ASCII)),
    ("street addresses", re.compile(rf"\d+\s+\w.*\b(?:{_STREETS})\b.*", re.IGNORECASE)),
)


def _direct_by_value(distinct: Sequence[str], rows: int) -> str:
    seen = distinct[:_SEEN]
    for what, shape in _SHAPES:
        if _share(seen, partial(_fits, shape)) >= _MOST:
            return f"the values are {what}"
    if rows > 20 and _share(seen, _is_person) >= _MOST:
        return "the values are names of people"
    # Rows of one person repeat its number; no category has a value of its own for every ten rows.
    often = len(distinct) > _MANY * rows or len(distinct) > max(_SOME * rows, _FEWEST_SHARED)
    if rows >= _FEWEST_IDS and often and _are_ids(seen):
        return "codes of many people, or of nearly all rows"
    return ""


def _are_ids(seen: Sequence[str]) -> bool:
    """Letters with a number behind them, as "S-001" or "P00017".

    Codes of diagnoses are written so too, but those of a column begin with many letters.
    """
    if _share(seen, partial(_fits, _ID)) < _MOST:
        return False
    one_letter = len({text[:1] for text in seen}) == 1
    return one_letter or _share(seen, partial(_is_code, load_icd_tree(TEN))) < _MOST


def _is_person(text: str) -> bool:
    """First and last name, neither of them a word, place or disease."""
    words = [word for word in re.split(r"[,\s]+", text) if word.isalpha() and len(word) > 1]
    if not 2 <= len(words) <= 3 or len(words) < len(text.split()) or load_mesh().find(text):
        return False
    names = load_names()
    first, last = names.counts(words)
    ordinary = sum(names.ambiguity(word) for word in words) / len(words)
    known = bool(first[0] or last[0]) and bool(first[-1] or last[-1])
    return known and ordinary < 0.5 and not load_places().find(text)


def kind_of(header: str, cells: Sequence[object]) -> str:
    """The kind of a column's values alone; a role was asked for."""
    distinct = list(dict.fromkeys(text for text in map(text_of, cells) if text))
    return _kind(_plain(header), cells, distinct)[0] if distinct else "category"


def _plain(header: str) -> str:
    return " ".join(part for part in _CAMEL.split(in_english(header)) if part).lower()


def is_health(header: str, kind: str) -> bool:
    """Whether a column says what people have or take."""
    return kind in HEALTH_KINDS or _HEALTH.fullmatch(_plain(header)) is not None


def _kind(name: str, cells: Sequence[object], distinct: Sequence[str]) -> tuple[str, str]:
    seen = distinct[:_SEEN]
    if _PLACE.fullmatch(name):
        return "place", "the header names a place"
    for edition, kind in ((NINE, "icd9"), (TEN, "icd10")):
        icd = load_icd_tree(edition)
        pointed = any("." in text or text[:1].isalpha() for text in seen)
        fits = _share(seen, partial(_is_code, icd)) >= _MOST
        if fits and (_HEALTH.fullmatch(name) or _coded(seen) or (pointed and not _numbers(seen))):
            return kind, f"the values are {edition} codes"
    if date_form(cells) and not (_numbers(seen) and not name.endswith(("date", "dt", "day"))):
        return "date", "the values are dates"
    if _numbers(seen):
        if _CODE.fullmatch(name):
            return "category", "the header names a code"
        return "number", "the values are numbers"
    if sum(map(len, seen)) / len(seen) > _LONG and _share(seen, lambda t: t.count(" ") > 4) > 0.5:
        return "text", "the values are sentences"
    if _HEALTH.fullmatch(name) and _known(MeshTerms().find, seen) >= 0.5:
        return "terms", "the values are diseases, drugs or procedures"
    tried: tuple[tuple[Callable[[str], str | None], str, str], ...] = (
        (PlaceNames().find, "place", "the values are places"),
        (Words().find, "words", "the values are general words"),
        (MeshTerms().find, "terms", "the values are diseases, drugs or procedures"),
    )
    for find, kind, why in tried:
        if _known(find, seen) >= _MOST:
            return kind, why
    return "category", "few values without a known meaning"


def _known(find: Callable[[str], str | None], seen: Sequence[str]) -> float:
    return _share(seen[:100], lambda text: find(text) is not None)


def _share(seen: Sequence[str], question: Callable[[str], bool]) -> float:
    return sum(map(question, seen)) / len(seen)


def _numbers(seen: Sequence[str]) -> bool:
    read = number_form(seen).read
    return _share(seen, lambda text: read(text) is not None) >= _MOST


def _coded(seen: Sequence[str]) -> bool:
    """Digits that no quantity is written with: "0389" and "V5789" in one column with "3442"."""
    zeros = sum(bool(_LEADING_ZERO.fullmatch(text)) for text in seen)
    letters = sum(bool(_SUPPLEMENT.fullmatch(text)) for text in seen)
    return zeros + letters >= max(2, _FEW * len(seen))


def _alike(distinct: Sequence[str]) -> bool:
    """Whole numbers of one length, and of more digits than a quantity usually has."""
    lengths = {len(text) for text in distinct[:_SEEN]}
    return len(lengths) == 1 and lengths.pop() > 4 and all(map(str.isdigit, distinct[:_SEEN]))


def _fits(shape: re.Pattern[str], text: str) -> bool:
    return shape.fullmatch(text) is not None


def _is_code(icd: IcdTree, text: str) -> bool:
    return icd.normalise(text) is not None
