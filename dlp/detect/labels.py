"""Find the labels of forms and record headers, and the stretch each of them speaks of.

In: text.  Out: labels in order, with their role, their value's span, and whether it was filled in.

"Name: Jane Roe" says who, "Diagnosis: asthma" says what; "Name: ________" says that the form is
blank. The labels are data (rules/labels.toml); a value ends with its line, its column or the next
label on the same line.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from typing import NamedTuple

import re2

from dlp.detect.finder import characters_before
from dlp.detect.spans import spans
from dlp.errors import RuleError
from dlp.resources import rules_folder
from dlp.rulebook import label_pattern, read_toml

# A label opens a line, a cell or a column, and is followed by a colon, a tab, a gap or blanks.
BEFORE = r"(?m)(?:^[ \t>*•\-|]{0,8}(?:\d{1,2}[.)][ \t]{0,2})?|[ ]{2,}|[ ]?[\t|;][ ]?|\.[ ]|,[ ])"
AFTER = r"(?:[ ]?\([^()\n]{0,30}\))?[ ]{0,3}(?:[:=]|\t|[ ]{3,}|_{2,}|\.{4,}|…)"
COLUMN = re.compile(r"\t|[ ]{4,}|[ ]*\|")
BLANKS = re.compile(r"[\s_.…\-–—:;/|()\[\]{}<>□☐☑✓*#=]*")
PLACEHOLDER = re.compile(
    r"(?i)[\[<{(]{1,2}[^\]>})\n]{1,40}[\]>})]{1,2}|[dmy]{1,4}[/.\-\s][dmy]{1,4}(?:[/.\-\s][dmy]{2,4})?"
    r"|x{3,}[x\-/\s]*|(?:(?:click|tap)\s(?:or|here|to)|please\s(?:print|enter|specify|list|type)"
    r"|(?:enter|insert|type|print|select|choose)\s(?:here|your|the|one|name|text|from))\b.{0,60}"
    r"|(?:n/?a|tbd|yes\s*/?\s*no|m\s*/\s*f|male\s*/?\s*female)"
)


class Label(NamedTuple):
    """A label at start..end and its value at value_start..value_end; equal when there is none."""

    role: str
    start: int
    end: int
    value_start: int
    value_end: int
    is_blank: bool  # nothing, lines to write on, or a placeholder


def find_labels(text: str) -> list[Label]:
    pattern, roles, below = label_rules()
    raw = text.encode("utf-8", "replace")
    columns = None if len(raw) == len(text) else characters_before(raw)
    found: list[tuple[int, int, str]] = []
    for first, last in spans(pattern, raw, 0, len(raw), 1):
        start, end = (first, last) if columns is None else (int(columns[first]), int(columns[last]))
        role = roles.get(plain(text[start:end]))
        if role and (not found or start >= found[-1][1]):
            found.append((start, end, role))
    return [
        read_value(text, one, found[place + 1][0] if place + 1 < len(found) else len(text), below)
        for place, one in enumerate(found)
    ]


def read_value(text: str, label: tuple[int, int, str], limit: int, below: frozenset[str]) -> Label:
    """The rest of the line or column; for some roles the line below, when nothing stands beside."""
    start, end, role = label
    begin = after_sign(text, end)
    stop = end_of(text, begin, limit)
    if BLANKS.fullmatch(text, begin, stop) and role in below and text[stop : stop + 1] == "\n":
        next_stop = end_of(text, stop + 1, limit)
        if not BLANKS.fullmatch(text, stop + 1, next_stop):
            begin, stop = stop + 1, next_stop
    value = text[begin:stop]
    begin += len(value) - len(value.lstrip())
    stop = begin + len(value.strip())
    blank = is_blank(text[begin:stop])
    if BLANKS.fullmatch(text, begin, stop):
        stop = begin
    return Label(role, start, end, begin, stop, blank)


def after_sign(text: str, end: int) -> int:
    """Step over a note in parentheses and the colon."""
    found = SIGN.match(text, end)
    return found.end() if found else end


SIGN = re.compile(r"(?:[ ]?\([^()\n]{0,30}\))?[ \t]*[:=]?[ \t]*")


def end_of(text: str, begin: int, limit: int) -> int:
    newline = text.find("\n", begin, limit)
    stop = limit if newline < 0 else newline
    column = COLUMN.search(text, begin, stop)
    # blanks before the value are no column border
    return column.start() if column and text[begin : column.start()].strip() else stop


def is_blank(value: str) -> bool:
    """Lines to write on, an empty box, or words that tell what to write there."""
    return bool(BLANKS.fullmatch(value) or PLACEHOLDER.fullmatch(value.strip()))


def blank_share(labels: Sequence[Label]) -> float:
    """How much of a form is not filled in: 1.0 for a template, 0.0 without labels."""
    return sum(label.is_blank for label in labels) / len(labels) if labels else 0.0


def plain(label: str) -> str:
    return "".join(character for character in label.lower() if character.isalnum())


@functools.cache
def label_rules() -> tuple[re2._Regexp, dict[str, str], frozenset[str]]:
    book = read_toml(rules_folder() / "labels.toml")
    roles: dict[str, str] = {}
    words: list[str] = []
    for role, labels in book.get("roles", {}).items():
        for label in labels:
            if roles.setdefault(plain(label), role) != role:
                fix = f"it is already a label of {roles[plain(label)]}"
                raise RuleError(f"{label!r} twice", where=f"labels.toml: {role}", fix=fix)
            words.append(label)
    below = frozenset(book.get("below", ()))
    if unknown := below - set(roles.values()):
        where = "labels.toml: below"
        raise RuleError(f"no role {', '.join(sorted(unknown))}", where=where, fix="add it to roles")
    words.sort(key=lambda word: (-len(word), word))
    one_of = "|".join(label_pattern(word) for word in words)
    return re2.compile(f"{BEFORE}(?P<v>(?i:{one_of})){AFTER}"), roles, below
