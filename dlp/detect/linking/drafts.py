"""A person in the making: what is known so far, and when two descriptions are one.

In: mentions, fields, findings.  Out: Drafts that linking fills and turns into subjects.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cache, lru_cache
from itertools import groupby, pairwise, repeat
from operator import attrgetter

from dlp.detect.identify.dates import iso_date
from dlp.detect.naming.lexicon import load_lexicon
from dlp.detect.naming.mention import AUTHOR, CLINICIAN, RELATIVE, Mention
from dlp.keys import fingerprint, keyed_hashes
from dlp.model import Evidence, Fact, Finding, Kind, Subject

FAINT = 0.6
DOUBLED = re.compile(r"(.)\1")
SOFT = str.maketrans("", "", "aeiouyhw")
START = attrgetter("start")
ID = 16  # letters
NOTHING: frozenset[str] = frozenset()
UNKNOWN = frozenset(["doe", "roe"])
INVENTED = frozenset(["john", "jane", "baby", "richard"])  # Doe and Roe, of lawyers and teachers
# Origins as charts abbreviate them, and chart words that stand where a name could; the lexicon
# has the origins that are written out.
NOT_NAMES = frozenset(["anglo", "afro", "euro", "indo", "caucasian", "indigenous", "nil", "nkda"])


@dataclass(slots=True)
class Draft:
    """A subject in the making."""

    key: str
    role: str = ""
    first: str = field(default="", repr=False)
    last: str = field(default="", repr=False)
    sex: str = ""
    places: list[str] = field(default_factory=list, repr=False)
    birth: str = field(default="", repr=False)
    age: int | None = None
    has_address: bool = False
    direct: set[str] = field(default_factory=set)
    prints: set[str] = field(default_factory=set)
    mentions: list[Mention] = field(default_factory=list)
    facts: list[Fact] = field(default_factory=list)
    evidence: list[Evidence] = field(default_factory=list, repr=False)

    @property
    def full_name(self) -> bool:
        return len(self.first) > 1 and len(self.last) > 1


def keys_by_role(drafts: dict[str, Draft]) -> dict[str, list[str]]:
    """Whoever has a role, by their roles."""
    found: dict[str, list[str]] = {}
    for key, draft in drafts.items():
        if draft.role:
            found.setdefault(draft.role, []).append(key)
    return found


def is_nobody(mention: Mention, faint: float = FAINT) -> bool:
    """A lone word that may be a month, a placeholder, or where somebody's family is from."""
    first, last = mention.first, mention.last
    if is_no_person(first, last):
        return True
    return not (first and last) and mention.confidence < faint and not mention.role


@lru_cache(maxsize=4096)  # a text names the same people again and again
def is_no_person(first: str, last: str) -> bool:
    """Whether one of the two is no name, or both are those of Jane Doe."""
    fore, sur = first.lower(), last.lower()
    if (fore and is_no_name(fore)) or (sur and is_no_name(sur)):
        return True
    return (sur or fore) in UNKNOWN and (fore or sur) in INVENTED


def is_no_name(word: str) -> bool:
    return word in no_names() or is_placeholder(word)


@cache
def no_names() -> frozenset[str]:
    return NOT_NAMES | load_lexicon().origins


def is_placeholder(word: str) -> bool:
    """ABC, XYZ, XXXX, 12345: what stands where a name or a number was taken out."""
    if len(word) <= 2 or ord(word[1]) - ord(word[0]) not in {0, 1} or not word.isalnum():
        return False  # nearly every word, without a look at its other letters
    steps = {ord(after) - ord(before) for before, after in pairwise(word)}
    return steps <= {0, 1}


def people_by_part(
    mentions: Sequence[Mention], parts: int, faint: float = FAINT
) -> list[tuple[list[int], list[Mention]]]:
    """Persons of each part in order of place, with their places apart for bisection."""
    rows = [([*map(START, row)], row) for row in people_of(mentions, parts, faint)]
    for starts, row in rows:
        if sorted(starts) != starts:  # they mostly come in order
            row.sort(key=START)
            starts.sort()
    return rows


def people_of(mentions: Sequence[Mention], parts: int, faint: float) -> list[list[Mention]]:
    """Persons of each part, but those who are nobody."""
    rows: list[list[Mention]] = [[] for _ in range(parts)]
    people = [mention for mention in mentions if mention.kind is Kind.PERSON]
    # "Thora" is no chance word where "Thora Hale" stands
    whole = {m.first for m in people if m.first and m.last}
    for mention in people:
        if not is_nobody(mention, 0.0 if mention.first in whole else faint):
            rows[mention.part].append(mention)
    return rows


def birth_of(writing: str) -> str:
    """A birth date as YYYY-MM-DD; an undecided order of day and month leaves them 00."""
    digits = writing.strip()
    if len(digits) >= 8 and digits[:8].isdigit():  # HL7 and C-CDA: 19610307
        return f"{digits[:4]}-{digits[4:6]}-{digits[6:8]}"
    iso = iso_date(writing)
    if re.fullmatch(r"\d{4}-\d\d-\d\d", iso):
        return iso
    year = re.search(r"(?:1\d|20)\d\d", writing)
    if not year:
        short = re.search(r"\d\d?[/.\-]\d\d?[/.\-](\d\d)\b", writing)
        if not short:
            return ""
        century = "19" if int(short.group(1)) > date.today().year % 100 else "20"  # noqa: DTZ011
        return f"{century}{short.group(1)}-00-00"
    return f"{year.group()}-00-00" if len(re.findall(r"\w+", writing)) >= 3 else year.group()


def sound(first: str, last: str) -> str:
    """A key that spelling mistakes leave alone: initial, and the consonants of the last name."""
    letters = last.lower()
    if not letters.isalpha():
        letters = "".join(filter(str.isalpha, letters))
    skeleton = letters[:1] + letters[1:].translate(SOFT)
    if DOUBLED.search(skeleton):
        skeleton = "".join(letter for letter, _ in groupby(skeleton))
    return first[:1].lower() + skeleton


def same_name(draft: Draft, mention: Mention) -> bool:
    first, last = mention.first.lower(), mention.last.lower()
    if mention.sex and draft.sex and mention.sex != draft.sex:
        return False  # Mr Hale is not Mrs Hale
    if first and last and draft.first and not draft.last:
        return first == draft.first.lower()  # "Tom", and later "Tom Hale"
    if last and draft.last:
        alike = last == draft.last.lower()
        return alike and (not first or not draft.first or first[0] == draft.first[0].lower())
    if first and draft.first and not last:
        return first == draft.first.lower()
    return False


def fill_from_fields(draft: Draft, values: dict[str, str]) -> None:
    if "name" in values and "last" not in values:
        last, comma, first = values["name"].replace("^", ", ", 1).partition(",")
        words = values["name"].split()
        draft.first, draft.last = (
            (first.split()[0] if first.split() else "", last.strip()) if comma
            else (words[0], words[-1]) if len(words) > 1 else ("", values["name"])
        )  # fmt: skip
    draft.first = values.get("first", draft.first)
    draft.last = values.get("last", draft.last)
    draft.birth = values.get("birth", "")
    draft.sex = {"f": "f", "m": "m"}.get(values.get("sex", "")[:1].lower(), "")
    draft.places = [values[what] for what in ("city", "state", "zip") if what in values]
    draft.has_address = "address" in values
    draft.direct |= {what for what in ("id", "phone", "email") if what in values}


def id_of(draft: Draft, key: bytes, place: str) -> str:
    return ids_of([draft], key, place)[0]


def ids_of(drafts: Iterable[Draft], key: bytes, place: str) -> list[str]:
    """The same person has the same id in every file that knows their name and a number."""
    return [told[:ID] for told in keyed_hashes(key, described(drafts, place))]


def described(drafts: Iterable[Draft], place: str) -> Iterator[bytes]:
    """What the id of each is made of."""
    for draft in drafts:
        named = f"{draft.first} {draft.last}".strip().lower()
        basis = (min(draft.prints) if draft.prints else "") or named or f"{place}:{draft.key}"
        yield f"person:{named}|{basis}".encode()


def concluded(
    drafts: dict[str, Draft],
    findings: tuple[Finding, ...],
    owners: list[str | None],
    key: bytes,
    place: str,
) -> tuple[tuple[Finding, ...], tuple[Subject, ...]]:
    """All findings, of which those that are somebody's say so, and everybody they are of."""
    ids = ids_of(drafts.values(), key, place)
    known = dict(zip(drafts, ids, strict=True))
    pairs = zip(findings, owners, strict=True)
    told = tuple([one if owner is None else one.about(known[owner]) for one, owner in pairs])
    return told, tuple(map(subject_of, drafts.values(), ids, repeat(key)))


def subject_of(draft: Draft, person: str, key: bytes) -> Subject:
    """What is known of somebody in the end: a draft is not filled any further."""
    birth = birth_of(draft.birth) if draft.birth else ""
    places, direct, facts = draft.places, draft.direct, draft.facts
    return Subject(
        person, draft.role, draft.first, draft.last, draft.sex, birth, draft.age,
        tuple(dict.fromkeys(places)) if places else (), draft.has_address,
        frozenset(direct) if direct else NOTHING, "", prints_of(draft, birth, key),
        tuple(facts) if facts else (), tuple(draft.evidence), 1.0,
    )  # fmt: skip


def prints_of(draft: Draft, birth: str, key: bytes) -> frozenset[str]:
    """Keyed fingerprints of all that tells somebody from others."""
    prints = set(draft.prints)
    if draft.full_name:
        name = f"{draft.first} {draft.last}".lower()
        prints.add(f"name:{fingerprint(key, 'name', name)}")
        prints.add(f"sound:{fingerprint(key, 'sound', sound(draft.first, draft.last))}")
    if draft.birth:
        prints.add(f"birth:{fingerprint(key, 'birth', birth)}")
    if draft.sex:
        prints.add(f"sex:{draft.sex}")
    return frozenset(prints)


def share_with_relatives(drafts: dict[str, Draft]) -> None:
    """Whoever knows the writer knows the daughter: what identifies one identifies the other."""
    if RELATIVE not in keys_by_role(drafts):
        return
    people = drafts.values()
    author = next((d for d in people if d.role == AUTHOR and d.full_name), None)
    addressed = next((d for d in people if d.last and not d.first and d.role != CLINICIAN), None)
    for draft in people:
        if draft.role == RELATIVE and addressed and draft.first:
            draft.last = draft.last or addressed.last  # "Dear Mrs. Hale, your son Tom"
        if draft.role == RELATIVE and author:
            draft.last = draft.last or author.last
            draft.places = draft.places or author.places
            draft.has_address |= author.has_address
            draft.direct |= author.direct
