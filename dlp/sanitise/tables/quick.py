"""How exposed a table is, judged by its headers alone: cheap enough for every file of a scan.

In: headers and columns of cells.  Out: Risk over the quasi-identifiers, or None when none is named.

`dlp anonymise --assess` looks at values too and is the better answer; this one asks no knowledge
and costs a dictionary per column.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from dlp.sanitise.tables.risk import Risk, assess_rows

_NAMED = re.compile(
    r"(?:patient |pt |member |client )?(?:"
    r"age(?: \w+)?|sex|gender|dob|d o b|(?:date of |year of )?birth ?(?:date|day|year|dt)?|yob|"
    r"death ?date|race|ethnicity|ethnic group|marital(?: status)?|religion|language|nationality|"
    r"occupation|job(?: title)?|employer|education|city|town|county|state|province|region|country|"
    r"zip ?(?:code)?|post(?:al)? ?code|"
    r"(?:admission|admit|discharge|visit|service|onset|diagnosis) ?(?:date|dt|day)|admitted|"
    r"(?:primary |principal |secondary |admitting |discharge )?(?:diagnos[ei]s|dx|icd)(?: ?\w+)?|"
    r"weight|height|blood (?:type|group))",
    re.ASCII,
)
_PARTS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[^A-Za-z0-9]+")


def quasi_headers(headers: Sequence[str]) -> list[int]:
    """Which columns name what an attacker may know of a person."""
    plain = [" ".join(filter(None, _PARTS.split(header))).lower() for header in headers]
    return [at for at, name in enumerate(plain) if _NAMED.fullmatch(name)]


def assess_table(
    headers: Sequence[str], columns: Sequence[Sequence[object]], k: int = 2
) -> Risk | None:
    """The share of rows that are alone: `assess_table(...).unique_share`."""
    chosen = quasi_headers(headers)
    if not chosen or len(columns[chosen[0]]) < 2:
        return None
    return assess_rows([columns[at] for at in chosen], k)
