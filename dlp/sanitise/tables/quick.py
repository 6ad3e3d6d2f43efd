"""How exposed a table is, judged by its headers alone: cheap enough for every file of a scan.

In: headers and columns of cells.  Out: Risk over the quasi-identifiers, or None when none is named.

`dlp anonymise --assess` looks at values too and is the better answer; this one asks no knowledge
and costs a dictionary per column.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from dlp.sanitise.tables.risk import Risk, assess_rows

_WHOSE = r"(?:patient |pt |member |client )?"
# What a column tells, in closed words; the last two are what is at stake, not how one is found.
_TOLD = {
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
    _WHOSE + "(?:" + "|".join(f"(?P<{what}>{words})" for what, words in _TOLD.items()) + ")",
    re.ASCII,
)
_PARTS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[^A-Za-z0-9]+")


def told_by(header: str) -> str:
    """What a column of that name tells of a person, or nothing."""
    plain = " ".join(filter(None, _PARTS.split(header))).lower()
    named = _NAMED.fullmatch(plain)
    return (named.lastgroup or "") if named else ""


def quasi_headers(headers: Sequence[str]) -> list[int]:
    """Which columns name what an attacker may know of a person."""
    return [at for at, header in enumerate(headers) if told_by(header)]


def outward_headers(headers: Sequence[str]) -> dict[int, str]:
    """Those that neighbours and registers know too: a diagnosis is the prey, not the bait."""
    told = {at: told_by(header) for at, header in enumerate(headers)}
    return {at: what for at, what in told.items() if what and what not in _AT_STAKE}


def assess_table(
    headers: Sequence[str], columns: Sequence[Sequence[object]], k: int = 2
) -> Risk | None:
    """The share of rows that are alone: `assess_table(...).unique_share`."""
    chosen = quasi_headers(headers)
    if not chosen or len(columns[chosen[0]]) < 2:
        return None
    return assess_rows([columns[at] for at in chosen], k)
