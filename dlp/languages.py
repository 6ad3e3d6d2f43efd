"""The languages that have tables of their own: one folder each in rules/languages/.

In: the code of a language and the name of a table.  Out: the table; the codes that have one.

    terms.toml   health words by MeSH descriptor
    cues.toml    what negates, supposes or gives a health word to a relative
    names.toml   what stands around names: titles, labels, kinship, letter phrases
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from functools import cache
from typing import Any

from dlp.errors import RuleError
from dlp.lazy_resources import OnDemand, lazy_registry
from dlp.model import Case, GapCode
from dlp.prepared import read_table
from dlp.resources import rules_folder

FOLDER = "languages"
PREFIX = "language:"
WORDS = "languages"  # what a worker lacks that was forked before the tables were read
Load = Callable[[str], object]
_loaders: dict[Load, None] = {}


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
    spoken = tuple(code for code in found if code in languages())
    if spoken and lazy_registry().sealed:
        all_tables().get()
    return spoken


def read_later(load: Load) -> None:
    """Add what reads the tables of a language: a confined worker has to have them all."""
    _loaders[load] = None
    languages()
    all_tables()


@cache
def all_tables() -> OnDemand[list[object]]:
    return lazy_registry().put(
        WORDS, lambda: [load(language) for load in _loaders for language in languages()]
    )
