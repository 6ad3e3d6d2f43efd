"""Read JSON token by token: FHIR bundles, lines of JSON, exports cut off in the middle.

In: an open JSON file.  Out: `label: value` lines ("Patient.name.family"), base64 documents inside.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator
from typing import BinaryIO

from dlp.decode.contract import Embedded, Item, Limits
from dlp.decode.encoding import read_text
from dlp.decode.labelled import LabelledText, items_of
from dlp.model import Gap, GapCode, Part

MEDIA_TYPES = frozenset({"application/json"})
# A tree of a 60 MB file would cost a gigabyte; tokens cost nothing, and a cut file still reads.
TOKEN = re.compile(r'\s*+(?:"((?:[^"\\]++|\\.)*+)"|([{}\[\],:])|([^\s{}\[\],:"]++))', re.DOTALL)
ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|(.))", re.DOTALL)
PLAIN = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
LONE_SURROGATE = re.compile("[\ud800-\udfff]")
MARKUP = re.compile(r"<[^<>]*>")
BASE64 = re.compile(r"[A-Za-z0-9+/_\s-]{64,}={0,2}\s*")
MAX_DEPTH = 500


class Frame:
    __slots__ = ("claimed", "is_array", "key", "label", "record")

    def __init__(self, label: str, record: int, *, is_array: bool) -> None:
        self.label, self.record, self.is_array = label, record, is_array
        self.key = ""
        self.claimed = False  # whether a resource already owns this record


class Walk:
    """Follows brackets and keys, so that each scalar knows its label and record."""

    def __init__(self, text: str, limits: Limits) -> None:
        self.text, self.place = text, 0
        self.lines = LabelledText("body", limits)
        self.frames: list[Frame] = []
        self.records = 0
        self.documents = 0
        self.waits_for_key = False
        self.sound = True

    @property
    def depth(self) -> int:
        return len(self.frames)

    def next_document(self) -> Embedded | None:
        """Read on up to the next file that is packed into a value; None at the end."""
        while self.depth <= MAX_DEPTH and (hit := TOKEN.match(self.text, self.place)):
            self.place = hit.end()
            string, sign, word = hit.groups()
            if sign is None:
                if embedded := self.take_value(string, word):
                    return embedded
            elif sign in "{[":
                self.open(is_array=sign == "[")
            elif sign in "}]":
                self.close(is_array=sign == "]")
            elif sign == "," and self.frames:
                self.waits_for_key = not self.frames[-1].is_array
        return None

    def take_value(self, string: str | None, word: str | None) -> Embedded | None:
        value = word or "" if string is None else unescape(string)
        if self.waits_for_key and self.frames:
            self.frames[-1].key = " ".join(value.split())
            self.waits_for_key = False
            return None
        if string is None and value == "null":
            return None
        return self.scalar(value)

    def open(self, *, is_array: bool) -> None:
        top = self.frames[-1] if self.frames else None
        label, record = self.label(), top.record if top else 0
        if not is_array and (top is None or (top.is_array and self.outermost_array())):
            record, self.records = self.records, self.records + 1
        self.frames.append(Frame(label, record, is_array=is_array))
        self.waits_for_key = not is_array

    def close(self, *, is_array: bool) -> None:
        if not self.frames or self.frames[-1].is_array != is_array:
            self.sound = False
            return
        self.frames.pop()
        self.waits_for_key = False

    def outermost_array(self) -> bool:
        return sum(frame.is_array for frame in self.frames) == 1

    def label(self) -> str:
        if not self.frames:
            return ""
        top = self.frames[-1]
        return top.label if top.is_array or not top.key else f"{top.label}.{top.key}".lstrip(".")

    def scalar(self, value: str) -> Embedded | None:
        top = self.frames[-1] if self.frames else Frame("", 0, is_array=True)
        if top.key == "resourceType" and not top.is_array:
            self.start_resource(top, value)
        elif len(value) >= 64 and (document := document_in(value, self.documents + 1)):
            self.documents += 1
            return document
        elif value[:1] == "<" and value[-1:] == ">":
            value = without_tags(value)
        # The id of a FHIR resource is where a server keeps it; a person's numbers are identifiers.
        stored = top.claimed and top.key == "id" and not top.is_array
        self.lines.add("resource.id" if stored else self.label() or "value", value, top.record)
        return None

    def start_resource(self, top: Frame, name: str) -> None:
        top.label = name
        if any(frame.claimed and frame.record == top.record for frame in self.frames):
            top.record, self.records = self.records, self.records + 1
        top.claimed = True


def extract(source: BinaryIO, limits: Limits) -> Iterator[Item]:
    text, longer = read_text(source, limits)
    walk = Walk(text, limits)
    while embedded := walk.next_document():
        yield embedded
    yield from items_of(walk.lines)
    rest = text[walk.place :]
    if walk.depth > MAX_DEPTH:
        yield Gap(GapCode.TOO_DEEP, "body")
        yield Part("rest", rest)
    elif not walk.sound:
        yield Part("raw", text)  # brackets that never match: no JSON, but still readable text
    elif walk.depth or (rest and not rest.isspace()):
        yield Gap(GapCode.CORRUPT, "body")
        yield Part("rest", rest)
    if longer:
        yield Gap(GapCode.TOO_LARGE, "body")


def unescape(raw: str) -> str:
    if "\\" not in raw:
        return raw

    def replace(hit: re.Match[str]) -> str:
        return chr(int(hit[1], 16)) if hit[1] else PLAIN.get(hit[2], hit[2])

    text = ESCAPE.sub(replace, raw)
    if LONE_SURROGATE.search(text):  # pairs become one sign, halves a question mark
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def without_tags(value: str) -> str:
    return " ".join(MARKUP.sub(" ", value).split())


def document_in(value: str, number: int) -> Embedded | None:
    """The file that a value in base64 is, if it is one."""
    data = from_base64(value)
    return Embedded(f"document:{number}", "", data) if data else None


def from_base64(value: str) -> bytes:
    if not BASE64.fullmatch(value) or " " in value.strip():
        return b""
    packed = "".join(value.split()).translate(str.maketrans("-_", "+/"))
    if len(packed) % 4 == 1 or not any(c.isupper() for c in packed[:80]):
        return b""
    try:
        return base64.b64decode(packed + "=" * (-len(packed) % 4), validate=True)
    except (binascii.Error, ValueError):
        return b""
