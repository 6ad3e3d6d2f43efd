"""What supervisor and worker say to each other: length-prefixed JSON, a descriptor with each job.

In: messages.  Out: bytes on a socket, and back; nothing from a worker is trusted or unpickled.
"""

from __future__ import annotations

import json
import os
import socket
import struct
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from dlp.acquire.file_identity import as_seen, gap_of
from dlp.model import FileRef, Gap

LENGTH = struct.Struct("!I")
DESCRIPTOR = struct.Struct("i")  # as the kernel takes it
# Nearly every answer is shorter. For longer buffers the C library asks the kernel, each time.
CHUNK_BYTES = 1 << 16
# A job holds a path and a few numbers; the longest path we know of is 6,000 bytes.
JOB_BYTES = 1 << 20


class ProtocolError(Exception):
    """The other side does not speak our language any more."""


class OversizeError(ProtocolError):
    """The other side wants to say more than it may."""


def pack(message: dict[str, Any]) -> bytes:
    body = json.dumps(message, separators=(",", ":")).encode()
    return LENGTH.pack(len(body)) + body


def unpack(body: bytes | bytearray) -> dict[str, Any]:
    try:
        message = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise ProtocolError("not JSON") from error
    if not isinstance(message, dict):
        raise ProtocolError("not an object")
    return message


def pack_ref(ref: FileRef) -> dict[str, Any]:
    return {
        "share": ref.share,
        # Latin-1 maps every byte to one character and back; a path need not be UTF-8.
        "path": ref.path.decode("latin-1"),
        "device": ref.device,
        "inode": ref.inode,
        "size_bytes": ref.size_bytes,
        "mtime_ns": ref.mtime_ns,
        "ctime_ns": ref.ctime_ns,
        "sha256": ref.sha256,
    }


def unpack_ref(fields: dict[str, Any]) -> FileRef:
    return FileRef(**{**fields, "path": fields["path"].encode("latin-1")})


class Inbox:
    """Collects one side's messages from a socket that must never be waited for."""

    def __init__(self, limit_bytes: int) -> None:
        self._limit = limit_bytes
        self._buffer: bytes | bytearray = b""
        self._start = 0  # of what nobody has taken yet

    def read(self, channel: socket.socket) -> bool:
        """Take what has arrived; False once the other side has gone."""
        try:
            chunk = channel.recv(CHUNK_BYTES)
        except (BlockingIOError, InterruptedError):
            return True
        except OSError:
            return False
        if not self._buffer:
            self._buffer = chunk  # whole messages, as nearly always
        else:
            if self._start or isinstance(self._buffer, bytes):
                self._buffer = bytearray(self._buffer[self._start :])
                self._start = 0
            self._buffer += chunk
        return bool(chunk)

    def next(self) -> dict[str, Any] | None:
        whole, start = self._buffer, self._start + LENGTH.size
        if len(whole) < start:
            return None
        (size,) = LENGTH.unpack_from(whole, self._start)
        if size > self._limit:
            raise OversizeError("a message over the limit")
        end = start + size
        if len(whole) < end:
            return None
        if len(whole) == end:
            self._buffer, self._start = b"", 0
        else:
            self._start = end
        return unpack(whole[start:end])

    @property
    def is_empty(self) -> bool:
        return not self._buffer


def send(channel: socket.socket, message: dict[str, Any], fd: int | None = None) -> None:
    """Send a whole message; the descriptor rides on its first byte."""
    raw = pack(message)
    if fd is None:
        sent = channel.send(raw)
    else:
        rides = (socket.SOL_SOCKET, socket.SCM_RIGHTS, DESCRIPTOR.pack(fd))
        sent = channel.sendmsg([raw], [rides])
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


@dataclass(frozen=True, slots=True)
class Job:
    ref: FileRef
    open: Callable[[], int]  # called in the supervisor, when a worker is free
    place: tuple[bytes, bytes] | None = None  # root and path beneath, to open it elsewhere


@dataclass(frozen=True, slots=True)
class Done:
    """A record, a gap, or both: then the file was read, but not as one unchanging file."""

    ref: FileRef  # as it was when opened
    record: dict[str, Any] | None
    gap: Gap | None
    ms: float
    job: Job
    second: str = ""  # where a second worker read it too: "same" or "different"


@dataclass(slots=True)
class Assignment:
    """A job on its way: opened, given to a worker, maybe given again."""

    job: Job
    ref: FileRef
    fd: int = -1
    started: float = 0.0
    tries: int = 0  # workers that got it, but for those that went without having read it
    first: Done | None = None  # what another worker said of it: this is the second reading

    def open(self) -> Gap | None:
        """Open the file, unless it is; or say why that cannot be."""
        if self.fd < 0:
            try:
                self.fd = self.job.open()
                self.ref = as_seen(self.ref, os.fstat(self.fd))
            except OSError as error:
                self.close()
                return gap_of(error)
        return None

    def close(self) -> None:
        """Readers of one open file share its position; the next worker gets it opened anew."""
        if self.fd >= 0:
            os.close(self.fd)
            self.fd = -1
