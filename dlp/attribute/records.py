"""People in structured parts: the fields themselves say who and what.

In: a part with labelled fields.  Out: one Entry per person, and which entry a place belongs to.

A table has a person per row; a record (FHIR, C-CDA, HL7, DICOM, a filled form) has one person for
all that follows until the next one.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from dlp.model import Mention, Part, PartRole
from dlp.text.field_labels import CLINICIAN, PATIENT, Meaning, meaning_of

NAMING = frozenset({"first", "last", "name"})
KEPT = NAMING | {"birth", "age", "sex", "address", "city", "state", "zip", "phone", "email", "id"}
KEPT |= {"occupation", "employer", "handle"}
# Columns of which each tells who a row is about; the first that a table has is enough.
TELLING = NAMING | {"id", "email", "handle"}
HEALTH, WORK = "health", "work"
# What somebody with a user name wrote: it tells of whom it names, as any text does.
WROTE = "wrote"
SAYING = re.compile(
    r"(?:.*[. _])?(?:text|message|body|content|post|comment|msg|tweet|reply)", re.IGNORECASE
)
AT_WORK = re.compile(
    r"\b(?:dept|department|division|team|job|position|occupation|specialty|speciality|employer"
    r"|workplace|clinic|unit|ward|role|job[ _]?title|title|designation|expertise|interests?"
    r"|affiliation|talk|topic|session|paper|course|study|project|programme?|service|product"
    r"|campaign|newsletter|headline|lecture|essay|thesis|lesson|module|manuscript|seminar|workshop"
    r"|(?<!adverse )(?<!serious )event|agenda|publication|journal|grant)\b",
    re.IGNORECASE,
)
MOST = 0.6  # of the rows
FILLED = 0.7  # of a cell
FEW = 3  # cells of a column that say what it holds
HANDLE = 3  # letters; a shorter user name is a code
DIGITS = 5  # of a number that identifies
NUMBERED = re.compile(
    r"[A-Z]{0,4}[-/ ]?\d[\dA-Z]*(?:[-/ ][\dA-Z]+)*"
)  # "PX-5520-118" below "member"
COUNTED = re.compile(r"([A-Za-z]{0,3}[-_ #]?)(\d{1,12})")
EMPTY = frozenset({"", "n/a", "na", "none", "null", "unknown", "-", "--", "?"})


def is_name(value: str) -> bool:
    """Two letters or more; a column "given" may hold doses."""
    return len(value) > 1 and any(map(str.isalpha, value))


@dataclass(slots=True)
class Entry:
    """What the fields say of one person; values stay in the worker."""

    record: int
    start: int
    end: int
    values: dict[str, str] = field(default_factory=dict, repr=False)
    spans: dict[str, tuple[int, int]] = field(default_factory=dict)

    @property
    def named(self) -> bool:
        return any(is_name(self.values.get(what, "")) for what in NAMING)

    @property
    def personal(self) -> bool:
        return "birth" in self.values or {"first", "last"} <= self.values.keys()

    @property
    def posts(self) -> bool:
        """Somebody known by the name on a screen alone, as in an export of a chat."""
        return "handle" in self.values and not self.named and "birth" not in self.values

    @property
    def identified(self) -> bool:
        return self.named or self.numbered

    @property
    def reachable(self) -> bool:
        """A mailbox, or a name on a screen: rows of exports often have nothing else.

        The only mailbox of a record is as likely that of its maker.
        """
        return "@" in self.values.get("email", "") or len(self.values.get("handle", "")) > HANDLE

    @property
    def numbered(self) -> bool:
        """A number as a hospital gives it; "P7" or "12" is a line of a study."""
        number = self.values.get("id", "")
        return sum(char.isdigit() for char in number) >= DIGITS


def value_at(cells: Sequence[tuple[int, int, str]], position: int) -> str:
    """What is noted of the cell over a position; nothing between cells."""
    index = bisect_right(cells, (position + 1,)) - 1
    start, end, what = cells[index] if index >= 0 else (0, 0, "")
    return what if start <= position < end else ""


class Records:
    """The entries of a part, in order of their text."""

    def __init__(self, entries: list[Entry], *, rows: bool) -> None:
        self.entries = entries
        self.rows = rows
        self.of_staff = False  # rows name people in a post, and nobody else
        self.cells: list[tuple[int, int, str]] = []  # those that say work or health, by place
        self.filled: list[tuple[int, int, str]] = []  # all cells with their labels, by place
        self.said: list[tuple[int, int, str]] = []  # what those who post wrote, by place
        self._telling: dict[str, float] = {}
        self._shared: set[str] = set()  # columns that say the same in all rows
        self._starts = [entry.start for entry in entries]

    def column(self, position: int) -> str:
        """Whether a cell says health or work: a nurse of the HIV clinic has no HIV.

        What a newsletter was called is work too: all of its readers have it in their row.
        """
        what = value_at(self.cells, position)
        return what or (WORK if value_at(self.filled, position) in self._shared else "")

    def note_health(self, starts: Sequence[int], text: str) -> None:
        """Which columns hold health terms in most cells, by the places of all terms.

        What all rows share ("Free asthma webinar") is no news of any of them. Asked of tables
        with a person in each row: the items of a price list or an order say
        nothing about the one person who is named as its contact.
        """
        cells, terms = Counter[str](), Counter[str]()
        said: defaultdict[str, set[str]] = defaultdict(set)
        for start, end, label in self.filled:
            said[label].add(text[start:end])
            cells[label] += 1
            terms[label] += bisect_left(starts, start) < bisect_left(starts, end)
        self._shared = {label for label in cells if cells[label] >= FEW and len(said[label]) == 1}
        self._telling = {
            label: terms[label] / cells[label]
            for label in cells
            if terms[label] >= max(FEW, MOST * cells[label])
        }

    def fills_cell(self, start: int, end: int) -> bool:
        """Whether a cell holds a term and nothing else."""
        index = bisect_right(self.filled, (start + 1,)) - 1
        low, high, _ = self.filled[index] if index >= 0 else (0, 0, "")
        return low <= start < high and end - start >= FILLED * (high - low)

    def telling(self, position: int) -> float:
        """The share of cells with a health term in the column of a place, if most cells have one.

        "deferral", "detail": what most rows have there is what the column says of its people.
        """
        return self._telling.get(value_at(self.filled, position), 0.0)

    def of(self, position: int) -> Entry | None:
        """Whose a place in the text is: the row it stands in, or the record begun before it."""
        index = bisect_right(self._starts, position) - 1
        if index < 0:
            # what stands before the only person of a document is about that person too
            return self.entries[0] if len(self.entries) == 1 and not self.rows else None
        entry = self.entries[index]
        return entry if not self.rows or position < entry.end else None


def read_records(part: Part, mentions: Sequence[Mention] = ()) -> Records | None:
    """Gather entries from a part's fields; nothing when no field names a person."""
    if part.fields is None:
        return None
    meanings = {label: meaning_of(label) for label in part.fields.labels}
    for label in row_labels(part, {k for k, m in meanings.items() if m.what in TELLING}):
        meanings[label] = Meaning(meanings[label].owner, "")
    of_staff, table = False, is_table(part)
    asked = {meaning.what for meaning in meanings.values() if meaning.owner == PATIENT}
    if not asked & (NAMING | {"id"}):
        column = column_of_names(part, mentions) or field_of_name(part, mentions)
        if column:
            of_staff = meanings[column].owner == CLINICIAN
            meanings[column] = Meaning(PATIENT, "name")
        elif not (table and asked & TELLING):
            return None
    at_work = {label for label in meanings if AT_WORK.search(label)}
    entries: dict[int, Entry] = {}
    extent: dict[int, tuple[int, int]] = {}
    cells, filled, said = [], [], []
    for label, start, end, record in part.fields:
        low, high = extent.get(record, (start, end))
        extent[record] = (min(low, start), max(high, end))
        meaning = meanings[label]
        if meaning.what == HEALTH or label in at_work:
            cells.append((start, end, HEALTH if meaning.what == HEALTH else WORK))
        elif part.text[start:end].strip().lower() not in EMPTY:
            filled.append((start, end, label))
        if SAYING.fullmatch(label):
            said.append((start, end, record))
        if meaning.owner != PATIENT or meaning.what not in KEPT:
            continue
        value = part.text[start:end].strip()
        if value.lower() in EMPTY:
            continue
        what = "id" if meaning.what == "name" and NUMBERED.fullmatch(value) else meaning.what
        if what == "name" and is_refused(part, start, end, mentions):
            continue
        entry = entries.setdefault(record, Entry(record, start, end))
        if what not in entry.values:
            entry.values[what] = value
            entry.spans[what] = (start, end)
    people = [one for one in entries.values() if one.identified or (table and one.reachable)]
    records = arrange(people, extent, part)
    if records:
        records.cells, records.filled = sorted(cells), sorted(filled)
        posting = {one.record for one in records.entries if one.posts}
        records.said = sorted((start, end, WROTE) for start, end, one in said if one in posting)
        records.of_staff = of_staff
    return records


def is_refused(part: Part, start: int, end: int, people: Sequence[Mention]) -> bool:
    """Whether the finder of names read letters here and saw nobody: a clinic, "Test Patient"."""
    if not any(map(str.isalpha, part.text[start:end])):
        return False
    at = bisect_right(people, start, key=lambda one: one.end)
    return at >= len(people) or people[at].start >= end


def row_labels(part: Part, labels: set[str]) -> set[str]:
    """Columns that only count the rows ("R0000001", "R0000002"): made up, and nobody's.

    Every cell, from the first, is the same letters and the next number, beginning at 0 or 1.
    Numbers that a hospital gave come in no such order, and names in none at all.
    """
    assert part.fields is not None
    last: dict[str, tuple[str, int]] = {}
    rows: Counter[str] = Counter()
    for label, start, end, _ in part.fields if labels else ():
        if label not in labels:
            continue
        hit = COUNTED.fullmatch(part.text[start:end].strip().strip('"'))
        said = (hit[1], int(hit[2])) if hit else ("", -1)
        before = last.get(label, (said[0], min(said[1], 1) - 1))
        if said != (before[0], before[1] + 1):
            labels = labels - {label}
            if not labels:
                break
        last[label] = said
        rows[label] += 1
    return {label for label in labels if rows[label] > 1}


def arrange(people: list[Entry], extent: dict[int, tuple[int, int]], part: Part) -> Records | None:
    """Keep those who are people, each with the stretch of text that is theirs."""
    for entry in people:
        entry.start, entry.end = extent[entry.record]
    named = [entry for entry in people if entry.named]
    if any(entry.personal for entry in named):
        # a bare name beside people with birth dates is a hospital's or an insurer's
        named = [entry for entry in named if entry.personal]
    table = len(people) > 1 and is_table(part)
    chosen = sorted(named or (people if table else people[:1]), key=lambda entry: entry.start)
    return Records(chosen, rows=len(chosen) > 1 and table) if chosen else None


def column_of_names(part: Part, people: Sequence[Mention]) -> str:
    """The column that holds a full name in most rows of a table, whatever its heading."""
    assert part.fields is not None
    if not people or not is_table(part):
        return ""
    starts = {m.start for m in people if m.first and m.last}
    named: Counter[str] = Counter()
    filled: Counter[str] = Counter()
    for label, start, _, _ in part.fields:
        filled[label] += 1
        named[label] += start in starts or start + 1 in starts  # a quote may come first
    full = [one for one in named if named[one] >= MOST * max(1, filled[one])]
    # of people in a post, as "ordered by" or "speaker", only where no column holds others
    return max(full, key=lambda one: (meaning_of(one).owner != CLINICIAN, named[one]), default="")


def field_of_name(part: Part, people: Sequence[Mention]) -> str:
    """The first field of a filled form that holds a full name and nothing else.

    Makers of forms call it "Text3", and the first person who is entered is whom a form is about.
    """
    if part.role is not PartRole.FORM_FIELD or part.fields is None:
        return ""
    named = {mention.start: mention for mention in people if mention.first and mention.last}
    for label, start, end, _ in part.fields:
        one = named.get(start)
        if one is not None and one.end >= end and meaning_of(label).owner == PATIENT:
            return label
    return ""


def is_table(part: Part) -> bool:
    """Cells of one row lie close together and share a line; resources of a record do not."""
    assert part.fields is not None
    per_record: dict[int, int] = {}
    for _, _, _, record in part.fields:
        per_record[record] = per_record.get(record, 0) + 1
    sizes = sorted(per_record.values())
    return len(sizes) > 1 and sizes[-1] <= max(3, 2 * sizes[len(sizes) // 2])
