"""Find which of many values stand in a text or in bytes, in one pass.

In: values, a text or bytes.  Out: whether one of them is there, as whole words.

A record holds thousands of values. One pass of an automaton says which of them can be there at all,
whatever stands beside them; boundaries and letter case are then asked of those few.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import ahocorasick

from dlp.sanitise.documents.contract import Edit

CODECS = ("utf-8", "utf-16-le", "utf-16-be", "cp1252")
# Letters that patterns without case take for one and folding keeps apart.
_GAP = re.compile(r"\s{2,}|[^\S ]")
_RUN = re.compile(r"\S+")
_FOLD = {ord("ı"): "i", 0x307: None}


class Flat:
    """A text with each run of white space as one space, and the way back to its places.

    A value that breaks over two lines is the value: the readers of an output see it as such.
    """

    def __init__(self, text: str) -> None:
        self.text, self._places = text, None
        if _GAP.search(text):
            pieces = [(hit.start(), hit.end()) for hit in _RUN.finditer(text)]
            self.text = " ".join(text[a:b] for a, b in pieces)
            self._places = [at for a, b in pieces for at in range(a, b + 1)]

    def span(self, start: int, end: int) -> tuple[int, int]:
        if self._places is None:
            return start, end
        return self._places[start], self._places[end - 1] + 1


class Near:
    """Which of many values can stand in a text at all, whatever stands beside them."""

    def __init__(self, values: Iterable[str], *, caseless: bool = False) -> None:
        self._fold = _caseless if caseless else str
        self._automaton = _automaton((self._fold(value), value) for value in values)

    def starts(self, text: str) -> list[tuple[int, str]]:
        """Where each can begin, in order, the longest first; of a text that folds in place."""
        folded = self._fold(text)
        if len(folded) != len(text):
            raise ValueError("places in the folded text are none in the text")
        hits = self._automaton.iter(folded) if len(self._automaton) else ()
        found = [
            (end + 1 - len(self._fold(value)), value) for end, values in hits for value in values
        ]
        return sorted(found, key=lambda hit: (hit[0], -len(hit[1]), hit[1]))

    def of(self, text: str) -> list[str]:
        """The longest first, so that a pattern of them prefers it."""
        near = _met(self._automaton, self._fold(text))
        return sorted(near, key=lambda value: (-len(value), value))


class Search:
    def __init__(self, values: Iterable[str]) -> None:
        wanted = sorted(set(values))
        self._text = _automaton((_caseless(value), value) for value in wanted)
        self._bytes = _automaton(
            (value.encode(codec, "ignore").decode("latin-1"), value)
            for value in wanted
            for codec in CODECS
        )

    def hit(self, layer: str | bytes) -> bool:
        if isinstance(layer, str):
            text = folded(layer)
            near = _met(self._text, _caseless(text))
            return bool(near and pattern(near).search(text))
        near = _met(self._bytes, layer.decode("latin-1"))
        return any(byte_pattern(near, codec).search(layer) for codec in CODECS if near)


def folded(value: str) -> str:
    return " ".join(value.split())


def pattern(values: Iterable[str]) -> re.Pattern[str]:
    """A single word counts as written or in capitals: "Black" is a name, "black" is a colour."""
    bodies = []
    for value in sorted(values):
        if value.isalpha() and value != value.lower():
            each = "|".join(re.escape(v) for v in dict.fromkeys((value, value.upper())))
            bodies.append(bounded(f"(?:{each})", value))
        else:
            bodies.append(f"(?i:{bounded(re.escape(value), value)})")
    return re.compile("|".join(bodies))


def bounded(body: str, value: str) -> str:
    before = r"(?<![^\W_])" if value[0].isalnum() else ""
    after = r"(?![^\W_])" if value[-1].isalnum() else ""
    return f"{before}{body}{after}"


def replacing(pairs: Iterable[tuple[str, str]]) -> Edit:
    """An edit that replaces each value wherever it stands as whole words; the longest first.

    Space inside a value matches any space: the same name breaks differently in another format.
    """
    table: dict[str, str] = {}
    for value, replacement in pairs:
        if value.strip():
            table.setdefault(folded(value).lower(), replacement)
    if not table:
        return str
    longest_first = sorted(table, key=lambda value: (-len(value), value))
    bodies = (bounded(re.escape(value).replace(r"\ ", r"\s+"), value) for value in longest_first)
    pattern = re.compile("|".join(bodies), re.IGNORECASE)
    return lambda text: pattern.sub(lambda hit: table.get(folded(hit[0]).lower(), ""), text)


def byte_pattern(values: Iterable[str], codec: str) -> re.Pattern[bytes]:
    """Raw bytes are searched as written: "Black" is a name, "black" is a colour."""
    wide = codec.startswith("utf-16")
    bodies = []
    for value in sorted(values):
        body = re.escape(value.encode(codec, "ignore"))
        if body and not wide:
            body = (rb"(?<![A-Za-z0-9])" if value[0].isalnum() else b"") + body
            body += rb"(?![A-Za-z0-9])" if value[-1].isalnum() else b""
        bodies.append(body or rb"(?!)")
    return re.compile(b"|".join(bodies))


def _caseless(text: str) -> str:
    return text.casefold().translate(_FOLD)


def _automaton(forms: Iterable[tuple[str, str]]) -> Any:
    """Values by their form: "Black" and "BLACK" have one without case."""
    owners: dict[str, set[str]] = {}
    for form, value in forms:
        if form:
            owners.setdefault(form, set()).add(value)
    automaton: Any = ahocorasick.Automaton()
    for form, values in owners.items():
        automaton.add_word(form, values)
    automaton.make_automaton()
    return automaton


def _met(automaton: Any, text: str) -> set[str]:
    near: set[str] = set()
    for _, values in automaton.iter(text) if len(automaton) else ():
        near |= values
    return near
