"""Names, towns and institutions in cells and fields whose label says what they hold.

In: a part with labelled fields.  Out: Mentions, each with the record it stands in.

"Roe" is any word; under "Last name" it is a person. A row's first and last name know each other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from dlp.detect.naming.forms import form_of_words
from dlp.detect.naming.labelled import NAMES, Value, bits_of, group_of, is_marked, named
from dlp.detect.naming.lexicon import INSTITUTION
from dlp.detect.naming.mention import CLINICIAN, PATIENT, RELATIVE, Mention
from dlp.knowledge.names import WORD
from dlp.model import Kind, Part
from dlp.text.field_labels import Meaning, meaning_of

NAMING = frozenset({"first", "last", "name"})
WANTED = NAMING | {"city"}
LONGEST = 80  # characters; a longer cell is prose
EMPTY = frozenset(
    {"", "n/a", "na", "none", "null", "nil", "unknown", "-", "--", "?", "test", "self"}
)
LETTERS = re.compile(r"[^\W\d_]{2,}")
ODD = re.compile(r"[@/\\<>{}\[\]=]|\d")
FIGURES = re.compile(r"\b([A-Z][^\W\d_]+)\d{1,4}(?!\w)")
ROLES = {"patient": PATIENT, "clinician": CLINICIAN, "relative": RELATIVE}
INVENTED = frozenset({"test", "sample", "dummy", "example", "demo", "zztest"})
WHAT = {"first_name": "first", "last_name": "last"}
SURE = 0.95


class Cell(NamedTuple):
    what: str
    role: str
    start: int
    end: int
    record: int


def find_in_cells(part: Part, number: int, limit: int) -> list[Mention]:
    """At most so many mentions, in order of the fields."""
    found: list[Mention] = []
    row: list[Cell] = []
    for cell in cells(part):
        if row and cell.record != row[0].record:
            found += mentions_of(part.text, row, number)
            row = []
            if len(found) >= limit:
                break
        row.append(cell)
    return found + mentions_of(part.text, row, number)


def cells(part: Part) -> Iterator[Cell]:
    if part.fields is None:
        return
    meanings = {label: meaning_of(label) for label in part.fields.labels}
    grouped = {
        label: group
        for label, meaning in meanings.items()
        if not meaning.what and (group := group_of(label)) in NAMES
    }
    meanings |= {
        label: Meaning(NAMES[one], WHAT.get(one, "name")) for label, one in grouped.items()
    }
    if not any(meaning.what in WANTED for meaning in meanings.values()):
        return
    text = part.text
    for label, start, end, record in part.fields:
        meaning = meanings[label]
        if meaning.what not in WANTED or end - start > LONGEST:
            continue
        value = text[start:end]
        if value.strip().lower() in EMPTY or not LETTERS.search(value):
            continue
        if ODD.search(without_figures(value)):
            continue
        if meaning.what == "name" and is_other_name(value.split()):
            continue
        role = ROLES.get(meaning.owner, PATIENT)
        begin = start + len(value) - len(value.lstrip())
        if label in grouped:  # "Name of applicant", "Physician": not every value is a name
            told = named(text, Value(grouped[label], begin, begin + len(value.strip())), 0)
            if told is not None:
                yield Cell(meaning.what, role, told.start, told.end, record)
            continue
        yield Cell(meaning.what, role, begin, begin + len(value.strip()), record)


def is_other_name(words: list[str]) -> bool:
    """ "Lakeside Medical Center" is a clinic, "Job title" the next label, "Test Patient" nobody."""
    if is_marked(words[-1].lower(), INSTITUTION) or not INVENTED.isdisjoint(map(str.lower, words)):
        return True
    ordinary = words[-1].islower() and bits_of(words[-1])[0] & WORD
    return len(words) > 1 and words[0].istitle() and bool(ordinary)


def without_figures(value: str) -> str:
    """ "Lonny638", as made-up patients are called, without the figures."""
    return FIGURES.sub(r"\1", value)


def mentions_of(text: str, row: list[Cell], part: int) -> list[Mention]:
    """A row's cells as mentions; its first and last name of one role belong together."""
    by_role: dict[tuple[str, str], str] = {}
    for cell in row:
        value = without_figures(text[cell.start : cell.end])
        by_role.setdefault((cell.role, cell.what), value)
    found = []
    for cell in row:
        if cell.what == "city":
            found.append(Mention(Kind.PLACE, part, cell.start, cell.end, SURE, "place-field",
                                 ("field", "city"), record=cell.record))  # fmt: skip
            continue
        first, last = names_of(cell, by_role, without_figures(text[cell.start : cell.end]))
        found.append(Mention(Kind.PERSON, part, cell.start, cell.end, SURE, "name-field",
                             ("field",), cell.role, first, last, record=cell.record,
                             form=form_of_words(first, last, titled=False)))  # fmt: skip
    return found


def names_of(cell: Cell, by_role: dict[tuple[str, str], str], value: str) -> tuple[str, str]:
    if cell.what != "name":
        return by_role.get((cell.role, "first"), ""), by_role.get((cell.role, "last"), "")
    # HL7 and DICOM write Last^First; people write Last, First or First Last
    family, sign, given = value.replace("^", ",").partition(",")
    if sign:
        return " ".join(given.replace(",", " ").split()[:1]), family.strip()
    words = value.split()
    return (words[0], words[-1]) if len(words) > 1 else ("", value)
