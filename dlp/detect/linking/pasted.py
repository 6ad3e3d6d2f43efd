"""Tables pasted into running text: a line of headings, then lines of cells.

In: text.  Out: labelled fields, as a spreadsheet would give them, or nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

import re2

from dlp.detect.linking.field_labels import PATIENT, meaning_of
from dlp.detect.spans import Span, characters_in, spans
from dlp.model import FieldMap, Part

SIGNS = ",;|\t"
FEWEST = 3  # columns
HEADING = 32  # characters of one heading at most
LINE = range(8, 401)  # characters of a line of headings
WIDEST = 4  # bytes of a character
NAMING = frozenset({"first", "last", "name", "id"})
TELLING = frozenset({"birth", "age", "sex", "address", "phone", "email", "health", "date", "zip"})
# Two signs and no digit.
HEADINGS = re2.compile(r"(?m)^[^\d\n,;|\t]*[,;|\t][^\d\n,;|\t]*[,;|\t][^\d\n]*$")
# Whatever field_labels calls a name or a number holds one of these; prose mostly does not.
NAMES = (
    "given|first|fore|nombre|family|last|sur|maiden|apellido|name|patient|client|person|pt|member"
    "|chart|insurance|mrn|ssn|sin|nhs|medical|health|ohip|policy|nss|nhc|subscriber"
    "|employee|student|pupil|resident|participant|claimant|camper|child"
)
NAMED = re2.compile(f"(?i){NAMES}")
WORDS = tuple(NAMES.split("|"))


def with_tables(parts: Sequence[Part]) -> list[Part] | None:
    """A part whose format has no fields may still hold a table as text; None: none has any."""
    fields = [pasted_table(part.text) if part.fields is None else part.fields for part in parts]
    if not any(one is not None for one in fields):
        return None
    pairs = zip(parts, fields, strict=True)
    return [part if part.fields is one else replace(part, fields=one) for part, one in pairs]


def pasted_table(text: str) -> FieldMap | None:
    """The first table of people in a text."""
    for line in heading_lines(text):
        if labels := headings_in(text, line):
            return cells_below(text, line[1] + 1, *labels)
    return None


def headings_in(text: str, line: Span) -> tuple[list[str], str] | None:
    """The headings of a table of people, and what stands between them."""
    written = text[line[0] : line[1]]
    # prose with two commas: it speaks of nobody as a heading would
    if not names_somebody(written):
        return None
    sign = max(SIGNS, key=written.count)
    labels = [*map(plain, written.split(sign))]
    return (labels, sign) if are_headings(labels) else None


def names_somebody(line: str) -> bool:
    return NAMED.search(line.encode("utf-8", "surrogatepass")) is not None


def heading_lines(text: str) -> Iterator[Span]:
    """Lines without a digit whose three cells or more are all filled and short."""
    raw = text.encode("utf-8", "surrogatepass")
    byte = character = 0
    for start, end in spans(HEADINGS, raw, 0, len(raw)):
        if end - start > WIDEST * LINE.stop:
            continue
        written = raw[start:end].decode("utf-8", "surrogatepass")
        if len(written) not in LINE:
            continue
        cells = written.split(max(SIGNS, key=written.count))
        # prose with two commas: its longest stretch settles it
        if len(cells) < FEWEST or len(plain(max(cells, key=len))) > HEADING:
            continue
        if all(0 < len(plain(cell)) <= HEADING for cell in cells):
            # few lines get here: only they are counted in characters
            first = character + characters_in(raw, byte, start)
            byte, character = end, first + len(written)
            yield first, character


def plain(cell: str) -> str:
    return cell.strip().strip('"')


def are_headings(labels: list[str]) -> bool:
    """One for a person, another for what is said of them."""
    whats = set()
    strange = 0  # labels that mean nothing; prose with two commas has little else
    for label in labels:
        owner, what = meaning_of(label)
        strange += not what
        if 2 * strange > len(labels):
            return False
        if owner == PATIENT:
            whats.add(what)
    return bool(whats & NAMING) and bool(whats & TELLING)


def cells_below(text: str, start: int, labels: list[str], sign: str) -> FieldMap | None:
    fields = FieldMap()
    for record, row in enumerate(rows(text, start, sign)):
        if len(row) != len(labels):
            break
        for label, (left, right) in zip(labels, row, strict=True):
            fields.add(label, left, right, record)
    return fields if len(fields) else None


def rows(text: str, start: int, sign: str) -> Iterator[list[tuple[int, int]]]:
    """Spans of cells line by line; a quoted cell may hold signs and line ends."""
    cell = re.compile(rf'[ ]*(?:"((?:[^"]|"")*)"|([^{re.escape(sign)}\n]*))[ \r]*')
    row: list[tuple[int, int]] = []
    place = start
    while place < len(text):
        found = cell.match(text, place)
        if not found:
            return
        group = 1 if found.group(1) is not None else 2
        row.append(found.span(group))
        place = found.end()
        ends = place >= len(text) or text[place] == "\n"
        if not ends and text[place] != sign:
            return
        place += 1
        if ends:
            yield row
            row = []
