"""Make an edit from pairs of values and what stands for them.

In: (value, replacement) pairs.  Out: a function from text to sanitised text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from dlp.sanitise.documents.contract import Edit


def replacing(pairs: Iterable[tuple[str, str]]) -> Edit:
    """Replace each value wherever it stands as whole words; the longest first.

    Space inside a value matches any space: the same name breaks differently in another format.
    """
    table: dict[str, str] = {}
    for value, replacement in pairs:
        if value.strip():
            table.setdefault(folded(value), replacement)
    if not table:
        return str
    longest_first = sorted(table, key=lambda value: (-len(value), value))
    pattern = re.compile("|".join(map(expression, longest_first)), re.IGNORECASE)

    def edit(text: str) -> str:
        return pattern.sub(lambda hit: table.get(folded(hit[0]), ""), text)

    return edit


def folded(value: str) -> str:
    return " ".join(value.split()).lower()


def expression(value: str) -> str:
    body = r"\s+".join(map(re.escape, value.split(" ")))
    # "_" ends a word here: names of files and styles are written with it
    before = r"(?<![^\W_])" if value[0].isalnum() else ""
    after = r"(?![^\W_])" if value[-1].isalnum() else ""
    return f"{before}{body}{after}"
