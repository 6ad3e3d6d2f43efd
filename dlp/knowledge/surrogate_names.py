"""Names that stand in for real ones.

In: rules/surrogates.toml.  Out: lists by kind, sex and language.
"""

from __future__ import annotations

import functools
import tomllib

from dlp.errors import RuleError
from dlp.prepared import read_table
from dlp.resources import rules_folder

FILE = "surrogates.toml"
WANTED = {
    "first": {"f", "m"},
    "last": {"en", "es", "fr", "de"},
    "place": {"city", "street", "hospital", "organisation"},
}


@functools.cache
def load_surrogate_names() -> dict[str, dict[str, tuple[str, ...]]]:
    try:
        tables = read_table(rules_folder() / FILE)
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise RuleError(f"cannot be read: {error}", where=FILE) from error
    if {name: set(lists) for name, lists in tables.items()} != WANTED:
        raise RuleError("sections or lists are missing or unknown", where=FILE)
    return {name: {key: tuple(v) for key, v in lists.items()} for name, lists in tables.items()}
