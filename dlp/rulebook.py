"""Load rules/identifiers/*.toml and refuse any entry that does not prove itself.

In: a rules folder.  Out: identifier rules, and a version hash that every verdict records.

An entry without a source, without examples to find and to leave alone, or with a pattern RE2
cannot run in linear time never reaches a scan.
"""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import re2

from dlp.errors import RuleError
from dlp.model import Kind
from dlp.prepared import prepared, read_table
from dlp.resources import rules_folder

HERE = "."  # the folder of this module within the package
REQUIRED = frozenset(
    {"id", "title", "kind", "pattern", "validator", "context", "confidence", "source"}
    | {"match", "reject"}
)
SHARED_MACROS = "macros.toml"  # patterns several entries use, by name
OPTIONAL = frozenset({"labels", "edges", "reach", "against"})
KINDS = frozenset(Kind)
EDGES = frozenset({"number", "word", "host", "free"})
ID_SHAPE = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
MARKED = re.compile(r"\{([^{}]*)\}")
# A larger automaton falls back to RE2's slow engine: one of 14,000 steps took 1 ms a match.
MAX_PROGRAM = 5_000
REACH = 48  # characters before a value in which its context words count


@dataclass(frozen=True, slots=True, kw_only=True)
class IdentifierRule:
    """One [[identifier]] entry; `pattern` is RE2 with its macros already expanded."""

    id: str
    title: str
    kind: Kind
    pattern: str
    validator: str
    labels: tuple[str, ...]  # what {label} in the pattern stands for
    context: tuple[str, ...]  # words near the value that speak for it
    against: tuple[str, ...]  # words right before the value that speak against it
    alone: float  # confidence without context; 0 means "never without"
    in_context: float
    edges: str  # what may touch the value: see dlp/detect/identify/prefilter.py
    reach: int
    source: str  # the standard it follows; no source, no rule
    match: tuple[Example, ...]
    reject: tuple[str, ...]
    file: str


@dataclass(frozen=True, slots=True)
class Example:
    """A text and the one stretch of it the rule must find."""

    text: str
    start: int
    end: int


def load_identifiers(
    validators: AbstractSet[str], folder: Path | None = None
) -> tuple[IdentifierRule, ...]:
    rules: dict[str, IdentifierRule] = {}
    folder = folder or rules_folder() / "identifiers"
    paths = sorted(folder.glob("*.toml"))
    if not paths:
        raise RuleError("no identifier rules", where=str(folder), fix="install the rules folder")
    shared = folder / SHARED_MACROS
    macros = expand_macros(read_toml(shared), SHARED_MACROS) if shared.exists() else {}
    for path in paths:
        book = {} if path.name == SHARED_MACROS else read_toml(path)
        for entry in with_shared_labels(book.get("identifier", [])):
            rule = parse(entry, path.name, macros, validators)
            if rule.id in rules:
                where = f"{path.name}: {rule.id}"
                raise RuleError(f"also in {rules[rule.id].file}", where=where, fix="rename one")
            rules[rule.id] = rule
    return tuple(rules.values())


def with_shared_labels(entries: Sequence[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """An entry whose `labels` is the id of another entry has the labels of that one."""
    known = {entry.get("id"): entry.get("labels", ()) for entry in entries}
    for entry in entries:
        shared = entry.get("labels")
        yield {**entry, "labels": known.get(shared, ())} if isinstance(shared, str) else entry


def rules_version(folder: Path | None = None) -> str:
    """Hash everything under rules/: names and bytes, so that a rename counts too."""
    folder = folder or rules_folder()
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not any(part.startswith(".") for part in path.parts[-2:]):
            name = path.relative_to(folder).as_posix().encode()
            content = path.read_bytes()
            digest.update(b"%d:%s%d:" % (len(name), name, len(content)))
            digest.update(content)
    return digest.hexdigest()[:12]


def read_toml(path: Path) -> dict[str, Any]:
    try:
        return read_table(path)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise RuleError(str(error), where=path.name, fix="correct the TOML") from error


def expand_macros(macros: Mapping[str, str], where: str) -> dict[str, str]:
    """Let a macro use those defined above it."""
    done: dict[str, str] = {}
    for name, value in macros.items():
        done[name] = fill(value, done, where)
    return done


def fill(pattern: str, macros: Mapping[str, str], where: str) -> str:
    """Replace {name} by its text; a repetition such as {2,4} is no name."""

    def one(found: re.Match[str]) -> str:
        if found[1] not in macros:
            known = ", ".join(sorted(macros)) or "none"
            raise RuleError(f"unknown macro {found[0]}", where=where, fix=f"known here: {known}")
        return macros[found[1]]

    return re.sub(r"\{([a-z_]+)\}", one, pattern)


def parse(
    entry: Mapping[str, Any], file: str, macros: Mapping[str, str], validators: AbstractSet[str]
) -> IdentifierRule:
    where = f"{file}: {entry.get('id', '(no id)')}"
    check_fields(entry, where, validators)
    labels = {"label": any_label(entry["labels"])} if entry.get("labels") else {}
    pattern = fill(entry["pattern"], {**macros, **labels}, where)
    prepared(b"RE2 reads " + pattern.encode(), lambda: check_pattern(pattern, where), HERE)
    alone, in_context = entry["confidence"]
    return IdentifierRule(
        id=entry["id"],
        title=entry["title"],
        kind=Kind(entry["kind"]),
        pattern=pattern,
        validator=entry["validator"],
        labels=tuple(entry.get("labels", ())),
        context=tuple(entry["context"]),
        against=tuple(entry.get("against", ())),
        alone=float(alone),
        in_context=float(in_context),
        edges=entry.get("edges", "number"),
        reach=int(entry.get("reach", REACH)),
        source=entry["source"],
        match=tuple(example(text, where) for text in entry["match"]),
        reject=tuple(entry["reject"]),
        file=file,
    )


def check_fields(entry: Mapping[str, Any], where: str, validators: AbstractSet[str]) -> None:
    def refuse(what: str, fix: str) -> None:
        raise RuleError(what, where=where, fix=fix)

    if missing := REQUIRED - entry.keys():
        refuse(f"missing {', '.join(sorted(missing))}", "an entry proves itself or stays out")
    if unknown := entry.keys() - REQUIRED - OPTIONAL:
        refuse(f"unknown {', '.join(sorted(unknown))}", "see docs/how-to/add-an-identifier.md")
    if not ID_SHAPE.fullmatch(entry["id"]):
        refuse("an id is lower-case words joined by -", "for example uk-nhs-number")
    if entry["kind"] not in KINDS:
        refuse(f"no kind {entry['kind']!r}", f"one of {', '.join(Kind)}")
    if entry["validator"] not in validators:
        fix = "write it in dlp/detect/identify/validators.py"
        refuse(f"no validator {entry['validator']!r}", fix)
    if entry.get("edges", "number") not in EDGES:
        refuse(f"no edges {entry['edges']!r}", f"one of {', '.join(sorted(EDGES))}")
    if not str(entry["source"]).strip():
        refuse("the source is empty", "name the standard or document the format comes from")
    if not entry["match"] or not entry["reject"]:
        refuse("no example", "give at least one match and one reject example")
    check_confidence(entry, where)


def check_confidence(entry: Mapping[str, Any], where: str) -> None:
    pair = entry["confidence"]
    numbers = isinstance(pair, list) and all(isinstance(one, float | int) for one in pair)
    if not numbers or len(pair) != 2 or not 0 <= pair[0] <= pair[1] <= 1:
        fix = "write [alone, in context], each from 0 to 1, the second no smaller"
        raise RuleError("confidence is not a pair", where=where, fix=fix)
    if pair[0] == 0 and not entry["context"]:
        fix = "give context words, or a confidence without them"
        raise RuleError("can never be found", where=where, fix=fix)


def check_pattern(pattern: str, where: str) -> None:
    options = re2.Options()
    options.log_errors = False  # the message goes into our own error
    try:
        compiled = re2.compile(pattern, options)
    except re2.error as error:
        fix = "no look-around and no back-reference: put the rest in a validator"
        raise RuleError(f"RE2 refuses the pattern: {error}", where=where, fix=fix) from error
    if compiled.search("") is not None:
        raise RuleError("the pattern matches nothing at all", where=where, fix="ask for a digit")
    if compiled.programsize > MAX_PROGRAM:
        what = f"the pattern needs {compiled.programsize} steps, {MAX_PROGRAM} allowed"
        raise RuleError(what, where=where, fix="shorten the repetitions")
    if compiled.groups > 1 or (compiled.groups and "v" not in compiled.groupindex):
        fix = "mark the value (?P<v>...) and write other groups (?:...)"
        raise RuleError("only the value may be a group", where=where, fix=fix)


def example(text: str, where: str) -> Example:
    """Read "MRN: {123456}": the braces mark what must be found."""
    marked = list(MARKED.finditer(text))
    if len(marked) != 1:
        raise RuleError(f"bad example {text!r}", where=where, fix="mark the value once: {value}")
    start = marked[0].start()
    value = marked[0][1]
    return Example(text[:start] + value + text[marked[0].end() :], start, start + len(value))


def any_label(labels: Iterable[str]) -> str:
    """Turn labels into one pattern: case is free, blanks may be written as . _ - or not at all."""
    longest_first = sorted(labels, key=lambda label: (-len(label), label))
    return f"(?i:{'|'.join(label_pattern(label) for label in longest_first)})"


def label_pattern(label: str) -> str:
    plain = label.isascii()
    words = [word if plain and word.isalnum() else re2.escape(word) for word in label.split()]
    pattern = r"[\s._\-/]{0,2}".join(words)
    return edge(label[0]) + pattern + edge(label[-1])


def edge(character: str) -> str:
    """A word boundary, where RE2 knows one: its \\b is about ASCII letters only."""
    return r"\b" if character.isascii() and character.isalnum() else ""
