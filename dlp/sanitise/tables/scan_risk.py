"""How far the tables of a scanned file single people out, counted while the file is open.

In: Case with labelled cells.  Out: facts["tables"], a TableRisk each.

Only the first rows are counted: a table that exposes fifty thousand people needs no second look.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from dlp.knowledge.arrays import distinct
from dlp.model import Case, FieldMap, Part, TableRisk
from dlp.sanitise.tables.records import group_rows
from dlp.sanitise.tables.risk import assess_classes
from dlp.text.field_labels import in_english

# How exposed a table is, judged by its headers alone: cheap enough for every file of a scan.
#
# `dlp anonymise --assess` looks at values too and is the better answer; this one asks no knowledge
# and costs a dictionary per column.

_WHOSE = r"(?:patient |pt |member |client )?"
# What a column tells, in closed words; the last two are what is at stake, not how one is found.
_FACTS = {
    "birth": r"dob|d o b|(?:date of |year of )?birth ?(?:date|day|year|dt)?|yob",
    "age": r"age(?: \w+)?",
    "sex": r"sex|gender",
    "place": r"city|town|county|state|province|region|country|zip ?(?:code)?|post(?:al)? ?code",
    "death": r"death ?date",
    "origin": r"race|ethnicity|ethnic group|nationality|language|religion",
    "household": r"marital(?: status)?",
    "work": r"occupation|job(?: title)?|employer|education",
    "stay": r"(?:admission|admit|discharge|visit|service|onset|diagnosis) ?(?:date|dt|day)"
    r"|admitted",
    "health": r"(?:primary |principal |secondary |admitting |discharge )?"
    r"(?:diagnos[ei]s|dx|icd)(?: ?\w+)?",
    "body": r"weight|height|blood (?:type|group)",
}
_AT_STAKE = frozenset({"health", "body"})
_NAMED = re.compile(
    _WHOSE + "(?:" + "|".join(f"(?P<{what}>{words})" for what, words in _FACTS.items()) + ")",
    re.ASCII,
)
_PARTS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[^A-Za-z0-9]+")


def fact_of(header: str) -> str:
    """What a column of that name tells of a person, or nothing."""
    plain = " ".join(filter(None, _PARTS.split(in_english(header)))).lower()
    named = _NAMED.fullmatch(plain)
    return (named.lastgroup or "") if named else ""


def outward_headers(headers: Sequence[str]) -> dict[int, str]:
    """Those that neighbours and registers know too: a diagnosis is the prey, not the bait."""
    outward = {at: fact_of(header) for at, header in enumerate(headers)}
    return {at: what for at, what in outward.items() if what and what not in _AT_STAKE}


ENOUGH = 5  # people in a cell of published statistics; a smaller group hides nobody
MOST_ROWS = 50_000
FEWEST_KINDS = 2  # of columns; places alone are a list of towns
FILLED = 0.5  # of the rows; what stands in one record of many is no column
LONGEST = 80  # characters; a longer cell is prose

Numbers = npt.NDArray[np.int64]


class AssessTables:
    name = "tables.risk"
    requires = frozenset({"document"})
    provides: frozenset[str] = frozenset()

    def __call__(self, case: Case) -> Case:
        assert case.document  # requires= promised it
        parts = case.document.parts
        for part in parts:
            if part.fields is not None:
                break
        else:
            return case  # as most files
        found = (assess_part(n, p, p.fields) for n, p in enumerate(parts) if p.fields is not None)
        tables = tuple(risk for risk in found if risk is not None)
        return case.but(facts={**case.facts, "tables": tables}) if tables else case


def assess_part(number: int, part: Part, fields: FieldMap) -> TableRisk | None:
    """The risk of one part's rows, or None where it is no table about people."""
    outward = outward_headers(fields.labels)
    if len(set(outward.values())) < FEWEST_KINDS:
        return None
    label, start, end, record = (np.asarray(one, dtype=np.int64) for one in fields.arrays)
    rows = distinct(record)[:MOST_ROWS]
    if len(rows) < 2:
        return None
    known = record <= rows[-1]
    codes, words = [], []
    for at, what in outward.items():
        chosen = np.flatnonzero(known & (label == at))
        if len(chosen) < FILLED * len(rows):
            continue
        column = np.zeros(len(rows), np.int32)  # 0: the cell is empty
        column[np.searchsorted(rows, record[chosen])] = number_texts(
            part.text, start[chosen], end[chosen]
        )
        codes.append(column)
        words.append(what)
    if len(set(words)) < FEWEST_KINDS:
        return None
    _, _, sizes = group_rows(codes, len(rows))
    risk = assess_classes(sizes, ENOUGH)
    columns = tuple(dict.fromkeys(words))
    return TableRisk(number, columns, risk.rows, risk.k, risk.unique, risk.at_risk)


def number_texts(text: str, starts: Numbers, ends: Numbers) -> list[int]:
    """A number above 0 for each different cell."""
    numbers: dict[str, int] = {}
    return [
        numbers.setdefault(text[a : min(b, a + LONGEST)].strip().lower(), len(numbers) + 1)
        for a, b in zip(starts.tolist(), ends.tolist(), strict=True)
    ]
