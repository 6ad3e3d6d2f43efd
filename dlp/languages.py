"""The languages that have tables of their own: one folder each in rules/languages/.

In: the code of a language and the name of a table.  Out: the table; the codes that have one.

    terms.toml   health words by MeSH descriptor
    cues.toml    what negates, supposes or gives a health word to a relative
    names.toml   what stands around names: titles, labels, kinship, letter phrases
"""

from __future__ import annotations

import tomllib
from functools import cache
from typing import Any

from dlp.errors import RuleError
from dlp.model import Case, GapCode
from dlp.prepared import read_table
from dlp.resources import rules_folder

FOLDER = "languages"
PREFIX = "language:"


@cache
def languages() -> tuple[str, ...]:
    """The codes of the languages beside English whose words are read, in order."""
    return tuple(
        sorted(path.parent.name for path in (rules_folder() / FOLDER).glob("*/terms.toml"))
    )


def language_table(code: str, name: str) -> dict[str, Any]:
    path = rules_folder() / FOLDER / code / f"{name}.toml"
    where = f"{FOLDER}/{code}/{name}.toml"
    try:
        return read_table(path)
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise RuleError("cannot be read", where=where, fix="mend or restore the file") from error


def spoken_in(case: Case) -> tuple[str, ...]:
    """The languages of a file, or of stretches of it, whose words are read."""
    found = (gap.where.removeprefix(PREFIX) for gap in case.gaps if gap.code is GapCode.LANGUAGE)
    return tuple(code for code in found if code in languages())
