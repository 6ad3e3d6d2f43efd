"""Rewrite HL7 version 2 messages component by component; delimiters and segments stay.

In: messages, alone or in batches.  Out: the same messages with edited components.

The data type of a field says what a component is where its looks do not: a family name that is an
everyday word, an order number of three digits. A code goes when the words beside it change, and
when no words stand beside a code of a clinical system.
"""

from __future__ import annotations

import base64

from dlp.knowledge.marks import CODE, KIND_MARKS
from dlp.model import Kind
from dlp.sanitise.documents.contract import Job
from dlp.sanitise.documents.formats.text import decode, encode
from dlp.text.hl7_segments import SEGMENT, STAMP, Signs, encapsulated, system_name, unescape

MEDIA_TYPES = frozenset({"application/hl7-v2"})
HEADERS = frozenset({"MSH", "FHS", "BHS"})
NAME, NUMBER, PHONE = (KIND_MARKS[kind] for kind in (Kind.PERSON, Kind.ID, Kind.PHONE))
STREET, TOWN, HOUSE = (KIND_MARKS[kind] for kind in (Kind.ADDRESS, Kind.PLACE, Kind.ORGANISATION))
# What the components of each data type of HL7 v2.5.1 hold, in their order.
TYPES = {
    "XPN": (NAME, NAME, NAME),
    "XCN": (NUMBER, NAME, NAME, NAME),
    "CX": (NUMBER,),
    "XAD": (STREET, STREET, TOWN, "", TOWN, "", "", "", TOWN),
    "XTN": (PHONE, "", "", PHONE, "", "", PHONE),
    "XON": (HOUSE,),
    "PL": ("", "", "", HOUSE),
}
FIELDS = {
    "XPN": "PID-5 PID-6 PID-9 NK1-2 NK1-30 GT1-3 GT1-4 IN1-6 IN1-16 MRG-7 STF-3",
    "XCN": (
        "PV1-7 PV1-8 PV1-9 PV1-17 PV1-52 OBR-10 OBR-16 OBR-28 OBR-32 OBR-33 OBR-34 OBR-35 ORC-10"
        " ORC-11 ORC-12 ORC-19 OBX-16 TXA-5 TXA-9 TXA-10 TXA-11 EVN-5 DG1-16 PR1-8 PR1-11 PR1-12"
        " RXA-10 RXE-13 PD1-4 ROL-4"
    ),
    "CX": (
        "PID-2 PID-3 PID-4 PID-18 PID-19 PID-20 PID-21 PV1-5 PV1-19 PV1-50 MRG-1 MRG-2 MRG-3 MRG-4"
        " MRG-5 MRG-6 NK1-33 GT1-2 GT1-12 IN1-8 IN1-36 IN1-49 ORC-2 ORC-3 ORC-4 OBR-2 OBR-3 TXA-12"
        " TXA-13 TXA-14 SPM-2 MSH-10"
    ),
    "XAD": "PID-11 PID-12 PID-23 NK1-4 GT1-5 IN1-5 IN1-19 ORC-22 ORC-24",
    "XTN": "PID-13 PID-14 NK1-5 NK1-6 GT1-6 GT1-7 IN1-7 ORC-14 ORC-23 OBR-17",
    "XON": "MSH-4 MSH-6 IN1-4 IN1-11 NK1-13 GT1-21 ORC-21 OBX-23 PD1-3",
    "PL": "PV1-3 PV1-6 PV1-11",
}
HOLDS = {field: TYPES[kind] for kind, fields in FIELDS.items() for field in fields.split()}


def rewrite(data: bytes, job: Job) -> bytes:
    text, codec = decode(data)
    message = _Message(job)
    return encode(SEGMENT.sub(lambda hit: message.segment(hit[0]), text), codec)


class _Message:
    def __init__(self, job: Job) -> None:
        self._job = job
        self._signs = Signs()

    def segment(self, raw: str) -> str:
        name = raw[:3]
        if name in HEADERS and len(raw) > 4:
            self._signs = Signs.of(raw)
        elif raw[3:4] != self._signs.field:
            return self._job.edit(raw)  # a value with a bare line break
        shift = 2 if name in HEADERS else 1
        head, *fields = raw.split(self._signs.field)
        kept = fields[: shift - 1]  # the delimiters themselves
        rest = [
            self._field(f"{name}-{number}", field)
            for number, field in enumerate(fields[shift - 1 :], 2 * shift - 1)
        ]
        return self._signs.field.join((head, *kept, *rest))

    def _field(self, label: str, raw: str) -> str:
        if document := encapsulated(raw, label, self._signs):
            return self._document(raw, document)
        signs = self._signs
        return signs.repeat.join(self._repeat(label, one) for one in raw.split(signs.repeat))

    def _document(self, raw: str, document: bytes) -> str:
        pieces = raw.split(self._signs.component)
        made = self._job.inside(document)
        if made is None:
            self._job.note("a document inside a message was dropped")
        pieces[4] = base64.b64encode(made or b"").decode()
        return self._signs.component.join(pieces)

    def _repeat(self, label: str, raw: str) -> str:
        signs = self._signs
        old = raw.split(signs.component)
        new = [self._component(label, place, piece) for place, piece in enumerate(old)]
        for first in range(0, len(old) - 2, 3):  # code, words, system; then an alternative
            code, words, system = old[first : first + 3]
            if code and (named := system_name(system)) and self._discloses(code, words, named):
                new[first] = CODE
        return signs.component.join(new)

    def _discloses(self, code: str, words: str, system: str) -> bool:
        edit = self._job.edit
        if system.startswith("ICD") and edit(f"{system} {code}") != f"{system} {code}":
            return True
        return edit(words) != words if words else not system.startswith("ICD")

    def _component(self, label: str, place: int, raw: str) -> str:
        value = unescape(raw, self._signs)
        if not value.strip() or value == CODE:
            return raw
        made = self._job.edit(value)
        if made == value:
            made = self._by_type(label, place, value)
        return raw if made == value else self._escaped(made)

    def _by_type(self, label: str, place: int, value: str) -> str:
        """What the field says of a value that has no looks of its own; marks stay."""
        held = HOLDS.get(label, ())
        if place < len(held) and held[place]:
            return value if value.startswith("[") else held[place]
        if stamp := STAMP.fullmatch(value):
            day = "-".join(stamp.groups())
            made = self._job.edit(day)
            return (stamp[1] if made == day else made).replace("-", "")
        return value

    def _escaped(self, value: str) -> str:
        signs = self._signs
        named = {signs.escape: "E", signs.field: "F", signs.component: "S", signs.part: "T",
                 signs.repeat: "R", "\n": ".br", "\r": ".br"}  # fmt: skip
        return "".join(
            f"{signs.escape}{named[one]}{signs.escape}" if one in named else one for one in value
        )
