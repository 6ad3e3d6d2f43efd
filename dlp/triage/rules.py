"""Read the triage rules: titles, containers, cheap pass and languages.

In: TOML files of the rules folder.  Out: frozen rules, or an error that names file, entry and fix.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dlp.errors import RuleError
from dlp.prepared import read_table
from dlp.resources import rules_folder

GROUPS = ("publishable", "educational", "non-personal")
RULE_SETS = ("default", "sokolova2009")


@dataclass(frozen=True, slots=True)
class TitleRules:
    ordinary: frozenset[str]
    stems: Mapping[str, tuple[str, ...]]  # by their first letter
    exact_words: frozenset[str]


@dataclass(frozen=True, slots=True)
class Category:
    """A row of the paper's table of terms; the group is the reason a verdict gives."""

    id: str
    group: str
    words: tuple[str, ...]  # one of them says it
    study: tuple[str, ...] = ()  # one says it in sokolova2009; a hint otherwise
    hints: tuple[str, ...] = ()  # two different ones of the group are needed
    rule_sets: tuple[str, ...] = RULE_SETS


@dataclass(frozen=True, slots=True)
class CheapRules:
    """What the pass over the whole text listens for; see rules/cheap.toml."""

    direct: tuple[str, ...]  # patterns: one hit is enough to go on
    identifier: tuple[str, ...]  # patterns: enough when health is near
    contact: tuple[str, ...]  # patterns: enough when even an everyday health word is near
    strong: tuple[str, ...]  # health words that everyday prose seldom uses
    shapes: tuple[str, ...]  # patterns of health words: "-itis", "-cillin"
    everyday: tuple[str, ...]  # health words that novels use too
    near_chars: int
    everyday_needed: int
    dense_per_1000_words: float
    dense_minimum: int


@dataclass(frozen=True, slots=True)
class LanguageRules:
    stop_words: Mapping[str, frozenset[str]]
    shorthand: frozenset[str]  # clinical English that holds no stop words
    shared: frozenset[str]  # small English words that other languages write alike
    record_words: Mapping[str, frozenset[str]]  # of headings and forms
    relatives: Mapping[str, tuple[str, ...]]  # of a language that is read: often named in its place


def read_toml(name: str, folder: Path | None = None) -> dict[str, Any]:
    path = (folder or rules_folder()) / name
    try:
        return read_table(path)
    except OSError as error:
        raise RuleError("a rules file is missing", where=name, fix="reinstall the rules") from error
    except tomllib.TOMLDecodeError as error:
        raise RuleError(f"not valid TOML: {error}", where=name, fix="correct that line") from error


def read_title_rules(folder: Path | None = None) -> TitleRules:
    name = "titles.toml"
    raw = read_toml(name, folder)
    screen = table(raw, "screen", name)
    stems: dict[str, tuple[str, ...]] = {}
    for stem in texts(screen, "stems", f"{name} [screen]"):
        stems[stem[:1]] = (*stems.get(stem[:1], ()), stem)
    return TitleRules(
        ordinary=frozenset(texts(raw, "ordinary", name)),
        stems=stems,
        exact_words=frozenset(texts(screen, "exact", f"{name} [screen]")),
    )


def read_categories(folder: Path | None = None) -> tuple[Category, ...]:
    name = "containers.toml"
    entries = read_toml(name, folder).get("category", [])
    categories = tuple(read_category(entry, f"{name} [[category]]") for entry in entries)
    if not categories:
        raise RuleError("no [[category]] in the file", where=name, fix="add at least one")
    ids = [category.id for category in categories]
    if twice := sorted({i for i in ids if ids.count(i) > 1}):
        raise RuleError(f"the id {twice[0]} is used twice", where=name, fix="rename one of them")
    return categories


def read_category(entry: Mapping[str, Any], where: str) -> Category:
    identity = entry.get("id")
    if not isinstance(identity, str) or not identity:
        raise RuleError("an entry has no id", where=where, fix='give it one, e.g. id = "music"')
    where = f"{where} {identity}"
    known = {"id", "group", "words", "study", "hints", "rule_sets"}
    if unknown := sorted(set(entry) - known):
        raise RuleError(f"unknown key {unknown[0]}", where=where, fix=f"use {sorted(known)}")
    if entry.get("group") not in GROUPS:
        raise RuleError("the group is unknown", where=where, fix=f"use one of {GROUPS}")
    sets = tuple(entry.get("rule_sets", RULE_SETS))
    if not set(sets) <= set(RULE_SETS):
        raise RuleError("a rule set is unknown", where=where, fix=f"use some of {RULE_SETS}")
    words = texts(entry, "words", where)
    study, hints = (texts(entry, k, where) if k in entry else () for k in ("study", "hints"))
    return Category(identity, entry["group"], words, study, hints, sets)


def read_cheap_rules(folder: Path | None = None) -> CheapRules:
    name = "cheap.toml"
    raw = read_toml(name, folder)
    identifiers = table(raw, "identifiers", name)
    health = table(raw, "health", name)
    decide = table(raw, "decide", name)
    numbers = {key: positive(decide, key, f"{name} [decide]") for key in DECIDE_KEYS}
    return CheapRules(
        direct=texts(identifiers, "direct", f"{name} [identifiers]"),
        identifier=texts(identifiers, "near", f"{name} [identifiers]"),
        contact=texts(identifiers, "contact", f"{name} [identifiers]"),
        strong=texts(health, "strong", f"{name} [health]"),
        shapes=texts(health, "shapes", f"{name} [health]"),
        everyday=texts(health, "everyday", f"{name} [health]"),
        near_chars=int(numbers["near_chars"]),
        everyday_needed=int(numbers["everyday_needed"]),
        dense_per_1000_words=numbers["dense_per_1000_words"],
        dense_minimum=int(numbers["dense_minimum"]),
    )


DECIDE_KEYS = ("near_chars", "everyday_needed", "dense_per_1000_words", "dense_minimum")


def read_language_rules(folder: Path | None = None) -> LanguageRules:
    name = "languages/identify.toml"
    raw = read_toml(name, folder)
    stop = table(raw, "stop_words", name)
    words = words_by_code(stop, f"{name} [stop_words]")
    if "en" not in words:
        raise RuleError("English has no stop words", where=name, fix="add en to [stop_words]")
    records = words_by_code(table(raw, "record_words", name), f"{name} [record_words]")
    shorthand, shared = (
        frozenset(texts(raw, key, name)) for key in ("clinical_shorthand", "shared_with_english")
    )
    relatives = table(raw, "relatives", name)
    named = {code: texts(relatives, code, f"{name} [relatives]") for code in sorted(relatives)}
    return LanguageRules(words, shorthand, shared, records, named)


def words_by_code(raw: Mapping[str, Any], where: str) -> dict[str, frozenset[str]]:
    return {code: frozenset(texts(raw, code, where)) for code in sorted(raw)}


def table(raw: Mapping[str, Any], key: str, where: str) -> Mapping[str, Any]:
    value = raw.get(key)
    if not isinstance(value, dict):
        raise RuleError(f"the table [{key}] is missing", where=where, fix=f"add [{key}]")
    return value


def texts(raw: Mapping[str, Any], key: str, where: str) -> tuple[str, ...]:
    """A list of non-empty strings, without repeats, in the file's order."""
    value = raw.get(key)
    if not isinstance(value, Sequence) or isinstance(value, str) or not value:
        raise RuleError(f"{key} must be a list of texts", where=where, fix=f'{key} = ["..."]')
    for item in value:
        if not isinstance(item, str) or not item.strip():
            raise RuleError(f"{key} holds something that is no text", where=where, fix="quote it")
    return tuple(dict.fromkeys(value))


def positive(raw: Mapping[str, Any], key: str, where: str) -> float:
    value = raw.get(key)
    if isinstance(value, bool) or not isinstance(value, int | float) or value <= 0:
        raise RuleError(f"{key} must be a number above 0", where=where, fix=f"set {key}")
    return float(value)
