"""What supervisor and worker say to each other: length-prefixed JSON, a descriptor with each job.

In: messages.  Out: bytes on a socket, and back; nothing from a worker is trusted or unpickled.
"""

from __future__ import annotations

import json
import operator
import os
import socket
import struct
from typing import Any

from pydantic_core import from_json, to_json

from dlp.model import FileRef

LENGTH = struct.Struct("!I")
# Nearly every answer is shorter. For longer buffers the C library asks the kernel, each time.
CHUNK_BYTES = 1 << 16
# A job holds a path and a few numbers; the longest path we know of is 6,000 bytes.
JOB_BYTES = 1 << 20
FIELDS_OF = operator.attrgetter(*FileRef.__slots__)
TOLD = "told"  # bytes, which JSON cannot hold: only the frame of a message can put them there


class ProtocolError(Exception):
    """The other side does not speak our language any more."""


class OversizeError(ProtocolError):
    """The other side wants to say more than it may."""


def pack(message: dict[str, Any], told: bytes = b"") -> bytes:
    """`told` is text that is not taken apart on its way: it stands behind a line feed."""
    try:
        body = to_json(message)  # at a third of json's price
    except ValueError:  # a name that is no UTF-8: only json writes lone surrogates
        body = json.dumps(message, separators=(",", ":")).encode()
    if not told:
        return LENGTH.pack(len(body)) + body
    return b"".join((LENGTH.pack(len(body) + 1 + len(told)), body, b"\n", told))


def unpack(body: bytes | bytearray) -> dict[str, Any]:
    try:
        message = read_json(body)
    except (ValueError, RecursionError) as error:
        raise ProtocolError("not JSON") from error
    if not isinstance(message, dict):
        raise ProtocolError("not an object")
    return message


def read_json(body: bytes | bytearray) -> Any:
    try:
        return from_json(body)
    except ValueError:  # lone surrogates again, or no JSON at all
        return json.loads(body)


def pack_ref(ref: FileRef) -> dict[str, Any]:
    fields: dict[str, Any] = dict(zip(FileRef.__slots__, FIELDS_OF(ref), strict=True))
    # Latin-1 maps every byte to one character and back; a path need not be UTF-8.
    fields["path"] = ref.path.decode("latin-1")
    return fields


def unpack_ref(fields: dict[str, Any]) -> FileRef:
    return FileRef(**{**fields, "path": fields["path"].encode("latin-1")})


class Inbox:
    """Collects one side's messages from a socket that must never be waited for."""

    def __init__(self, limit_bytes: int) -> None:
        self._limit = limit_bytes
        self._buffer: bytes | bytearray = b""

    def read(self, channel: socket.socket) -> bool:
        """Take what has arrived; False once the other side has gone."""
        try:
            chunk = channel.recv(CHUNK_BYTES)
        except (BlockingIOError, InterruptedError):
            return True
        except OSError:
            return False
        if not self._buffer:
            self._buffer = chunk  # a whole message, as nearly always
        else:
            if isinstance(self._buffer, bytes):
                self._buffer = bytearray(self._buffer)
            self._buffer += chunk
        return bool(chunk)

    def next(self) -> dict[str, Any] | None:
        whole = self._buffer
        if len(whole) < LENGTH.size:
            return None
        (size,) = LENGTH.unpack_from(whole)
        if size > self._limit:
            raise OversizeError("a message over the limit")
        end = LENGTH.size + size
        if len(whole) < end:
            return None
        self._buffer = whole[end:]
        line = whole.find(b"\n", LENGTH.size, end)
        if line < 0:
            return unpack(whole[LENGTH.size : end])
        message = unpack(whole[LENGTH.size : line])
        if line + 1 < end:
            message[TOLD] = bytes(whole[line + 1 : end])
        return message

    @property
    def is_empty(self) -> bool:
        return not self._buffer


def send(channel: socket.socket, message: dict[str, Any], fd: int | None = None) -> None:
    """Send a whole message; the descriptor rides on its first byte."""
    raw = pack(message)
    sent = socket.send_fds(channel, [raw], [fd]) if fd is not None else channel.send(raw)
    if sent < len(raw):
        channel.sendall(raw[sent:])


def receive(channel: socket.socket) -> tuple[dict[str, Any], int | None] | None:
    """Wait for one message and the descriptor with it; None once the other side has gone."""
    buffer = b""
    fd = None
    needed = LENGTH.size
    while len(buffer) < needed:
        chunk, fds, _, _ = socket.recv_fds(channel, needed - len(buffer), 1)
        if fds:
            fd = fds[0]
        if not chunk:
            if fd is not None:
                os.close(fd)
            return None
        buffer += chunk
        if needed == LENGTH.size == len(buffer):
            needed += min(LENGTH.unpack(buffer)[0], JOB_BYTES)
    return unpack(buffer[LENGTH.size :]), fd
