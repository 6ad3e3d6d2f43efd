"""The words that stand beside people: titles, credentials, kinship, form labels, street types.

In: rules/people.toml.  Out: look-up tables, checked for shape and for words listed twice.
"""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dlp.errors import RuleError
from dlp.prepared import read_table
from dlp.resources import rules_folder

FILE = "people.toml"
SECTIONS = frozenset(
    {
        *("titles", "credentials", "kinship", "labels", "streets"),
        *("institutions", "known", "providers"),
    }
)


@dataclass(frozen=True, slots=True)
class Word:
    group: str  # which list of its section: medical, parent, birth_date …
    sex: str = ""  # f, m, or nothing said


@dataclass(frozen=True, slots=True)
class People:
    titles: Mapping[str, Word]
    credentials: Mapping[str, Word]  # with case; every other table is in lower case
    kinship: Mapping[str, Word]
    labels: Mapping[str, Word]
    streets: Mapping[str, str]  # word or short form -> word
    units: frozenset[str]
    institutions: Mapping[str, Word]  # what their names end in or begin with
    known: Mapping[str, Word]  # institutions by name
    providers: frozenset[str]

    def __len__(self) -> int:
        tables = (self.titles, self.credentials, self.kinship, self.labels, self.streets)
        more = (self.units, self.institutions, self.known, self.providers)
        return sum(map(len, tables)) + sum(map(len, more))


@functools.cache
def load_people(path: Path | None = None) -> People:
    path = path or rules_folder() / FILE
    try:
        rules = read_table(path)
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise RuleError(str(error), where=path.name) from error
    if set(rules) != SECTIONS:
        odd = sorted(set(rules) ^ SECTIONS)
        raise RuleError(f"sections missing or unknown: {', '.join(odd)}", where=path.name)
    return People(
        titles=_table("titles", rules["titles"]),
        credentials=_table("credentials", rules["credentials"], fold=str),
        kinship=_table("kinship", rules["kinship"]),
        labels=_table("labels", rules["labels"], shared=True),
        streets={plain(form): forms[0] for forms in rules["streets"]["types"] for form in forms},
        units=frozenset(map(plain, rules["streets"]["units"])),
        institutions=_table("institutions", rules["institutions"], shared=True),
        known=_table("known", rules["known"]),
        providers=frozenset(map(plain, rules["providers"]["words"])),
    )


def plain(word: str) -> str:
    """Lower case without full stops, as the tables are keyed: "P.O. Box" -> "po box"."""
    return " ".join(word.lower().replace(".", "").replace("\u2019", "'").split())


def _table(
    section: str, groups: Mapping[str, Iterable[Any]], *, fold: Any = plain, shared: bool = False
) -> dict[str, Word]:
    """Turn {group: [word | [word, sex]]} into {word: Word}; the first group keeps a shared word."""
    table: dict[str, Word] = {}
    for group, entries in groups.items():
        for entry in entries:
            word, sex = entry if isinstance(entry, list) else (entry, "")
            if sex not in {"", "f", "m"} or not word:
                raise RuleError(f"{section}.{group}: {entry!r} is no entry", where=FILE)
            key = fold(word)
            if key in table and not (shared and table[key].group != group):
                raise RuleError(f"{section}.{group}: {word!r} is listed twice", where=FILE)
            table.setdefault(key, Word(group, sex))
    return table
