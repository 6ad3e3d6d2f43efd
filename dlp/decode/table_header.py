"""Find the row of a table that names its columns.

In: the first rows of a table, as text.  Out: which of them is the header, if any is.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

LOOK_AT_ROWS = 12
LONGEST_LABEL = 60
VALUE_LIKE = re.compile(r"\d{4,}|\d[\s./:-]+\d|@|^[\d\s.,%+-]+$")
JOINT = re.compile(r"_|(?<=[a-z])(?=[A-Z])")  # date_of_birth, dateOfBirth
# Words of column names; enough for tables whose every column is text.
WORDS = re.compile(
    r"\b(name|names|surname|forename|first|last|middle|patient|id|ids|no|nr|number|mrn|ssn|nhs|dob|"
    r"birth|birthdate|born|date|time|year|month|sex|gender|age|race|ethnicity|address|street|city|town|state|"
    r"county|country|zip|postcode|postal|phone|tel|telephone|mobile|fax|email|e-mail|mail|diagnosis|"
    r"diagnoses|condition|disease|icd|code|drug|medication|dose|test|result|value|unit|units|comment|"
    r"comments|notes|note|description|type|status|category|title|doctor|physician|provider|hospital|"
    r"ward|clinic|department|company|organisation|organization|occupation|salary|amount|price|total|"
    r"count|quantity|qty|item|product|reference|ref|url|website|insurance|policy|account|visit|admission|"
    r"discharge|symptom|symptoms|treatment|procedure|allergy|allergies|weight|height|blood)\b",
    re.IGNORECASE,
)  # fmt: skip


def find_header(rows: Sequence[Mapping[int, str]]) -> int | None:
    """Give the index of the header among the first rows; each row maps column to text."""
    rows = rows[:LOOK_AT_ROWS]
    width = max((len(row) for row in rows), default=0)
    for index, row in enumerate(rows[:-1]):
        if looks_like_labels(row, width) and names_what_follows(row, rows[index + 1 :]):
            return index
    return None


def looks_like_labels(row: Mapping[int, str], width: int) -> bool:
    texts = list(row.values())
    # A label may stand twice ("Date", "Date"); a row of repeated words is not a header.
    distinct = len({text.casefold() for text in texts})
    if not texts or len(texts) * 2 < width or distinct * 5 < len(texts) * 4:
        return False
    return all(len(text) <= LONGEST_LABEL and not VALUE_LIKE.search(text) for text in texts)


def names_what_follows(row: Mapping[int, str], below: Sequence[Mapping[int, str]]) -> bool:
    """Labels differ in kind from the values under them, or are words that name columns."""
    for column in row:
        values = [other[column] for other in below if column in other]
        if values and sum(bool(VALUE_LIKE.search(value)) for value in values) * 2 > len(values):
            return True
    known = sum(bool(WORDS.search(JOINT.sub(" ", text))) for text in row.values())
    return known * 2 >= len(row)
