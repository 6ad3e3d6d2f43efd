"""Read contact cards and calendars: vCard, iCalendar, vCalendar.

In: an open .vcf or .ics file.  Out: its text as it is, each property's value labelled by its name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import BinaryIO

from dlp.decode.contract import Item, Limits
from dlp.decode.encoding import read_text
from dlp.model import FieldMap, Gap, GapCode, Part

MEDIA_TYPES = frozenset({"text/vcard", "text/calendar"})
# [group.]NAME[;parameters]:value; lines that start with white space go on with it (RFC 6350).
PROPERTY = re.compile(
    r"^(?:[\w-]+\.)?([A-Za-z][\w-]*)(?:;[^:\r\n]*)?:((?:[^\r\n]*+(?:\r?\n[ \t])?+)*+)", re.MULTILINE
)
RECORDS = frozenset({"VCARD", "VEVENT", "VTODO", "VJOURNAL"})


def extract(source: BinaryIO, limits: Limits) -> Iterator[Item]:
    text, longer = read_text(source, limits)
    fields = FieldMap()
    record = 0
    for hit in PROPERTY.finditer(text):
        name = hit[1].upper()
        if name == "BEGIN":
            record += hit[2].strip().upper() in RECORDS
        elif name != "END" and hit[2].strip():
            fields.add(name, *hit.span(2), record)
    yield Part("body", text, fields)
    if longer:
        yield Gap(GapCode.TOO_LARGE, "body")
