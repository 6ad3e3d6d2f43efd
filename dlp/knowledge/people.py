"""The words beside people (titles, credentials, kinship, labels) and names of institutions.

In: rules/people.toml and the artefact "organisations".  Out: look-up tables, checked
for shape and words listed twice; hospitals and clinics by name, institutions by the words they are
made of, and where a text names one.
"""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dlp.errors import RuleError
from dlp.knowledge.artefact import Artefact, load
from dlp.knowledge.gazetteer import Gazetteer
from dlp.knowledge.hashing import Phrases, Positions
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


HOSPITAL, CLINIC = range(2)
KINDS = ("hospital", "clinic")


class Organisations:
    def __init__(self, artefact: Artefact, people: People) -> None:
        self._facility = Gazetteer(artefact, "facility")
        self._kind = artefact["facility.kind"]
        self._parts = people.institutions
        names = sorted(people.known)
        arrays, order = Gazetteer.pack("known", names)
        self._known = Gazetteer(arrays, "known")
        self._known_kind = [people.known[names[at]].group for at in order.tolist()]
        self._longest_part = max(len(part.split()) for part in self._parts)
        self._last_words = frozenset(part.rpartition(" ")[2] for part in self._parts)

    def institution(self, name: str) -> str | None:
        """Say what a name's last words ("… General Hospital") or first ("University of …") make it.

        hospital, clinic, care_home, health_body, company, education, other; None when neither.
        """
        words = plain(name).replace(",", " ").split()
        if words and words[-1] in self._last_words:
            for size in range(min(self._longest_part, len(words)), 0, -1):
                if found := self._parts.get(" ".join(words[-size:])):
                    return found.group
        for size, word in enumerate(words[: self._longest_part + 1]):
            if word in {"of", "for"} and (found := self._parts.get(" ".join(words[:size]))):
                return found.group
        return None

    def spans_from(self, phrases: Phrases, start: Positions) -> list[tuple[int, int, str]]:
        """Listed names among words hashed before, beginning at the given words; may overlap."""
        listed = self._facility.apart(phrases, start)
        known = self._known.apart(phrases, start)
        return [(first, last, KINDS[self._kind[row]]) for first, last, row in listed] + [
            (first, last, self._known_kind[row]) for first, last, row in known
        ]


@functools.cache
def load_organisations(folder: Path | None = None) -> Organisations:
    return Organisations(load("organisations", folder), load_people())
