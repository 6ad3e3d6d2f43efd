"""Rewrite mail: headers, bodies, attachments; what no module rewrites is dropped.

In: a message.  Out: a message with known headers and edited parts, the same bytes every time.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterator
from email import message_from_bytes, policy
from email.header import Header, decode_header
from email.message import Message
from typing import Any

from dlp.sanitise.documents.contract import Job, refuse, safe_name

MEDIA_TYPES = frozenset({"message/rfc822"})
KEPT = ("From", "Sender", "Reply-To", "To", "Cc", "Bcc", "Date", "Subject", "Importance")
SEALED = frozenset({
    "application/pkcs7-mime", "application/x-pkcs7-mime", "multipart/encrypted", "multipart/signed",
})  # fmt: skip
SOUND_TYPE = re.compile(r"[\w.+-]+/[\w.+-]+")
DEEPEST = 20


def rewrite(data: bytes, job: Job) -> bytes:
    message = message_from_bytes(data, policy=policy.compat32)
    if not message.keys():
        raise refuse("the message has no headers")
    return head(message, job) + part(message, job, 0)


def head(message: Message, job: Job) -> bytes:
    lines = []
    for name in KEPT:
        for value in message.get_all(name, []):
            text = job.edit(unfolded(value)).replace("\n", " ").replace("\r", " ")
            written = Header(text, "us-ascii" if text.isascii() else "utf-8", header_name=name)
            lines.append(f"{name}: {written.encode(linesep=chr(10))}\n")
    return "".join(lines).encode() + b"MIME-Version: 1.0\n"


def unfolded(value: Any) -> str:
    """A header as people read it, encoded words and line ends undone."""
    out = []
    for piece, codec in decode_header(re.sub(r"\r?\n[ \t]*", " ", str(value))):
        if isinstance(piece, bytes):
            try:
                out.append(piece.decode(codec or "utf-8", "replace"))
            except LookupError:
                out.append(piece.decode("latin-1"))
        else:
            out.append(piece)
    return "".join(out)


def part(message: Message, job: Job, depth: int) -> bytes:
    """The content headers of a part, a blank line, its content."""
    if depth > DEEPEST:
        raise refuse("parts of the message are nested too deeply")
    kind = message.get_content_type()
    if kind in SEALED:
        raise refuse("the message is encrypted or signed", fix="save its content unsealed")
    if kind == "message/rfc822":
        return packed(kind, b"".join(inner_messages(message, job)), message, job, plain=True)
    if message.is_multipart():
        return multipart(message, job, depth)
    payload: Any = message.get_payload(decode=True)
    content = text_bytes(message, payload or b"")
    job.take(len(content))
    if not content:
        return packed("text/plain", b"", message, job)
    new = job.inside(content, kind if kind != "application/octet-stream" else "", name_of(message))
    if new is None:
        job.note("attachment dropped: no module rewrites it")
        return packed("text/plain", b"", Message(), job)
    return packed(kind, new, message, job)


def inner_messages(message: Message, job: Job) -> Iterator[bytes]:
    inner: Any = message.get_payload()
    for item in inner if isinstance(inner, list) else []:
        new = job.inside(item.as_bytes(), "message/rfc822", "inner.eml")
        if new is not None:
            yield new


def text_bytes(message: Message, payload: bytes) -> bytes:
    """Words in UTF-8, whatever the part says they are in."""
    if message.get_content_maintype() != "text":
        return payload
    try:
        return payload.decode(message.get_content_charset("utf-8")).encode("utf-8")
    except (LookupError, UnicodeError):
        return payload


def multipart(message: Message, job: Job, depth: int) -> bytes:
    inner: Any = message.get_payload()
    pieces = [part(item, job, depth + 1) for item in inner]
    boundary = "=_" + hashlib.sha256(b"\0".join(pieces)).hexdigest()[:32]
    subtype = message.get_content_subtype()
    subtype = subtype if subtype in {"alternative", "mixed", "related"} else "mixed"
    out = [f'Content-Type: multipart/{subtype}; boundary="{boundary}"\n\n'.encode()]
    out += [b"--" + boundary.encode() + b"\n" + piece + b"\n" for piece in pieces]
    return b"".join(out) + b"--" + boundary.encode() + b"--\n"


def packed(kind: str, content: bytes, message: Message, job: Job, *, plain: bool = False) -> bytes:
    kind = kind if SOUND_TYPE.fullmatch(kind) else "application/octet-stream"
    charset = "; charset=utf-8" if kind.startswith("text/") else ""
    lines = [f"Content-Type: {kind}{charset}"]
    if message.get_content_disposition() == "attachment":
        name = attachment_name(name_of(message), job)
        lines.append(f'Content-Disposition: attachment; filename="{name}"')
    identity = str(message.get("Content-ID", ""))
    if re.fullmatch(r"<[\w.@-]+>", identity) and job.edit(identity) == identity:
        lines.append(f"Content-ID: {identity}")
    if plain:
        body = content
    else:
        lines.append("Content-Transfer-Encoding: base64")
        body = base64.encodebytes(content)
    return "\n".join(lines).encode() + b"\n\n" + body


def name_of(message: Message) -> str:
    try:
        return message.get_filename("") or ""
    except (LookupError, UnicodeError, ValueError):
        return ""


def attachment_name(name: str, job: Job) -> str:
    """A name that the edit touches, or that a header cannot hold plainly, is replaced."""
    sound = name.isascii() and re.fullmatch(r"[\w .()-]+", name)
    return safe_name(name, job.edit if sound else lambda _: "", "file")
