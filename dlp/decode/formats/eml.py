"""Read e-mail messages, web archives in mail form included.

In: an open .eml or .mht file.  Out: headers as fields, bodies, attachments to read next.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import replace
from email import policy
from email.errors import MessageError
from email.generator import BytesGenerator
from email.header import decode_header
from email.message import Message
from email.parser import BytesFeedParser
from typing import Any, BinaryIO

from dlp.decode import encoding
from dlp.decode.contract import Embedded, Item, Limits, Title
from dlp.decode.formats import html
from dlp.decode.labelled import LabelledText
from dlp.model import Gap, GapCode, Part

MEDIA_TYPES = frozenset({"message/rfc822", "multipart/related"})
# The standard library raises these on headers such as "From: <" (found by fuzzing).
UNPARSABLE = (LookupError, ValueError, AttributeError, TypeError, MessageError)
# People write in these; the rest is between machines and goes to a part of its own.
WRITTEN = frozenset({
    "from", "to", "cc", "bcc", "subject", "date", "sender", "reply-to", "comments", "keywords",
    "organization", "resent-to", "resent-from", "thread-topic", "x-original-to", "delivered-to",
})  # fmt: skip
CHUNK = 65_536
MAX_BYTES = 48_000_000  # short lines cost the parser five times their size
MAX_LEVELS = 50
SEALED = frozenset({"application/pkcs7-mime", "application/x-pkcs7-mime", "multipart/encrypted"})


def extract(source: BinaryIO, limits: Limits) -> Iterator[Item]:
    message, longer = parse(source)
    yield from read_headers(message, limits)
    yield from Bodies(limits).read(message)
    if longer:
        yield Gap(GapCode.TOO_LARGE, "body")


def parse(source: BinaryIO) -> tuple[Message, bool]:
    """The message, and whether there is more of it than is read."""
    # Feed piece by piece: parsing a whole string costs nine times its size in memory.
    parser = BytesFeedParser(policy=policy.compat32)
    # A blank first line would make the headers part of the text.
    size, piece = 0, source.read(CHUNK).lstrip(b"\r\n")
    while piece and size < MAX_BYTES:
        parser.feed(piece)
        size += len(piece)
        piece = source.read(CHUNK)
    return parser.close(), bool(piece)


def read_headers(message: Message, limits: Limits) -> Iterator[Item]:
    written, other = LabelledText("headers", limits), LabelledText("routing", limits)
    for name, value in message.raw_items():
        try:
            text = decode_words(value)
        except UNPARSABLE:
            text = str(value).encode("utf-8", "surrogateescape").decode("utf-8", "replace")
        if name.lower() == "subject" and text:
            yield Title(text)
        (written if name.lower() in WRITTEN else other).add(plain(name), " ".join(text.split()))
    yield from written.items()
    yield from other.items()


def decode_words(value: Any) -> str:
    """Decode =?charset?q?...?= words; raw bytes above ASCII are read like any text."""
    text = str(value)
    pieces = decode_header(text) if "=?" in text else [(text, None)]
    return "".join(
        piece if isinstance(piece, str) and piece.isascii() else decode_piece(piece, charset)
        for piece, charset in pieces
    )


def decode_piece(piece: str | bytes, charset: str | None) -> str:
    raw = piece.encode("ascii", "surrogateescape") if isinstance(piece, str) else piece
    name = charset if charset and html.is_codec(charset) else encoding.guess(raw) or "cp1252"
    return encoding.decode(raw, name)


def plain(name: str) -> str:
    return name.encode("ascii", "replace").decode()


class Bodies:
    """Walks the parts of a message; the first readable one is its body."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.has_body = False
        self.texts = self.pages = self.attachments = 0

    def read(self, message: Message, level: int = 0) -> Iterator[Item]:
        if level > MAX_LEVELS:
            yield Gap(GapCode.TOO_DEEP, "body")
            return
        kind = message.get_content_type()
        if kind in SEALED and "signed" not in str(message.get("content-type", "")):
            yield Gap(GapCode.ENCRYPTED, "body")
        payload: Any = message.get_payload()
        if isinstance(payload, list) and kind == "message/rfc822":
            yield from self.forwarded(payload)
        elif isinstance(payload, list):
            if message.preamble and level and message.preamble.strip():
                yield Part("preamble", decode_piece(message.preamble, None))
            for part in payload:
                yield from self.read(part, level + 1)
            if message.epilogue and message.epilogue.strip():
                yield Part("epilogue", decode_piece(message.epilogue, None))
        else:
            yield from self.leaf(message, kind)

    def forwarded(self, payload: list[Message]) -> Iterator[Item]:
        for inner in payload:
            self.attachments += 1
            where = f"attachment:{self.attachments}"
            out = io.BytesIO()
            try:
                # as_bytes() would import this generator now, which a confined worker cannot
                BytesGenerator(out, mangle_from_=False, policy=policy.compat32).flatten(inner)
            except UNPARSABLE:
                yield Gap(GapCode.CORRUPT, where)
            else:
                yield Embedded(where, "", out.getvalue(), "message/rfc822")

    def leaf(self, message: Message, kind: str) -> Iterator[Item]:
        try:
            data = message.get_payload(decode=True)
            name = file_name(message)
            charset = str(message.get_content_charset() or "")
        except UNPARSABLE:
            yield Gap(GapCode.CORRUPT, "body")
            return
        if not isinstance(data, bytes):
            return
        attached = bool(name) or message.get_content_disposition() == "attachment"
        if kind == "text/plain" and not attached:
            yield from self.text(data, charset)
        elif kind == "text/html" and not attached:
            yield from self.page(data)
        elif data:
            self.attachments += 1
            yield Embedded(f"attachment:{self.attachments}", name, data, kind)

    def text(self, data: bytes, charset: str) -> Iterator[Item]:
        self.texts += 1
        guessed = encoding.guess(data[: encoding.HEAD_BYTES])
        # What the bytes show beats what the header claims, unless only the claim can tell.
        claimed = html.is_codec(charset) and (
            guessed != "utf-8" or charset.startswith(html.STATEFUL)
        )
        text = encoding.decode(data, charset if claimed else guessed or "cp1252")
        yield Part("body" if not self.has_body else f"body:{self.texts}", text)
        self.has_body = self.has_body or bool(text.strip())

    def page(self, data: bytes) -> Iterator[Item]:
        self.pages += 1
        prefix = f"html:{self.pages}/" if self.has_body else ""
        for item in html.extract(io.BytesIO(data), self.limits):
            if isinstance(item, Part):
                yield replace(item, locator=prefix + item.locator)
            elif isinstance(item, Gap):
                yield Gap(item.code, prefix + item.where)
            elif isinstance(item, Embedded):
                yield Embedded(prefix + item.locator, item.name, item.data, item.media_type)
        self.has_body = True


def file_name(message: Message) -> str:
    try:
        return decode_words(message.get_filename() or "")
    except UNPARSABLE:
        return ""
