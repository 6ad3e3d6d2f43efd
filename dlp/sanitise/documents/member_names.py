"""Names of files, members and attachments: content too, and replaced whole when an edit touches it.

In: a name, an edit, a name to use instead.  Out: the name, or the other with the same ending.
"""

from __future__ import annotations

import re

from dlp.sanitise.documents.contract import Edit

_SIGNS = re.compile(r"[_/+.\-]+")
_JOINED = re.compile(r"(?<=[a-zà-þ])(?=[A-ZÀ-Þ])")  # "TamsinOyelaran"
LONGEST_ENDING = 8  # characters


def safe_name(name: str, edit: Edit, instead: str) -> str:
    """A name is not repaired but replaced: what is left of it would still say what was there."""
    stem, dot, ending = name.rpartition(".")
    known = bool(dot and stem) and ending.isalnum() and len(ending) <= LONGEST_ENDING
    bare = stem if known else name
    spoken = _SIGNS.sub(" ", bare)
    forms = {name, bare, spoken, _JOINED.sub(" ", bare), _JOINED.sub(" ", spoken)}
    if all(edit(form) == form for form in forms):
        return name
    return f"{instead}.{ending}" if known else instead
