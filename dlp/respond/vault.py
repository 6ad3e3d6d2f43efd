"""Encrypted copies, each with its own key and its own story, readable without the database.

In: an open file and its metadata.  Out: a blob; every changed byte of it shows on reading.

A blob is: magic (8), id of the vault key (8), nonce (12), wrapped data key (48), length of the
encrypted metadata (4), metadata, then the content in pieces of 1 MiB + 16 bytes. Piece n is sealed
with AES-256-GCM under nonce n (8 bytes) · 000 · last?; the item's id is bound to every piece.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import os
import struct
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from dlp.errors import RespondError
from dlp.respond import durable
from dlp.respond.system_calls import System

MAGIC = b"DLPVLT1\n"
HEAD = len(MAGIC) + 8 + 12 + 48
PIECE = 1 << 20
TAG = 16
SPARE_BYTES = 1 << 20  # for metadata and the file system's own needs


class ChangedError(Exception):
    """The file changed while it was being copied."""


def key_id(key: bytes) -> bytes:
    return hmac.new(key, b"vault key id", hashlib.sha256).digest()[:8]


class Vault:
    def __init__(
        self,
        folder: bytes,
        key: bytes,
        old_keys: Sequence[bytes] = (),
        *,
        system: System | None = None,
    ) -> None:
        self._system = system or System()
        self._current = key_id(key)
        self._keys = {key_id(each): each for each in (key, *old_keys)}
        self.path = folder
        os.makedirs(folder, mode=0o700, exist_ok=True)
        self._folder = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)

    def close(self) -> None:
        os.close(self._folder)

    def has_room(self, size_bytes: int) -> bool:
        return self._system.free_bytes(self._folder) > size_bytes + size_bytes // 1024 + SPARE_BYTES

    def seal(self, item: str, source: int, meta: dict[str, Any], sha256: str) -> None:
        """Encrypt, sync, read back and compare; only then does the blob get its name."""
        draft = f"{item}.part".encode()
        durable.remove(self._system, draft, self._folder)
        seen = hashlib.sha256()
        try:
            pieces = self._encrypt(item, self._content(source, seen), meta)
            fd = durable.write_new(self._system, self._folder, draft, pieces)
            try:
                self._system.fsync(fd)
                if seen.hexdigest() != sha256:
                    raise ChangedError
                if self._digest(item, fd) != sha256:
                    raise RespondError("the copy in the vault does not match", where=item)
            finally:
                os.close(fd)
        except (OSError, ChangedError, RespondError):
            self._discard(draft)
            raise
        self._system.replace(self._folder, draft, blob(item))
        self._system.fsync(self._folder)

    def _discard(self, draft: bytes) -> None:
        """A full disk needs the room of the partial copy; if even that fails, recovery does it."""
        try:
            durable.remove(self._system, draft, self._folder)
        except OSError:
            return

    def _content(self, source: int, seen: Any) -> Iterator[bytes]:
        for block in durable.blocks(self._system, source):
            seen.update(block)
            yield block

    def _encrypt(
        self, item: str, content: Iterable[bytes], meta: dict[str, Any]
    ) -> Iterator[bytes]:
        data_key = AESGCM.generate_key(256)
        yield self._head(item, data_key)
        cipher, bound = AESGCM(data_key), item.encode()
        sealed = cipher.encrypt(nonce(0), json.dumps(meta).encode(), bound)
        yield struct.pack(">I", len(sealed)) + sealed
        number, waiting = 1, b""
        for block in content:
            waiting += block
            while len(waiting) > PIECE:
                yield cipher.encrypt(nonce(number), waiting[:PIECE], bound)
                waiting, number = waiting[PIECE:], number + 1
        yield cipher.encrypt(nonce(number, last=True), waiting, bound)

    def _head(self, item: str, data_key: bytes) -> bytes:
        fresh = os.urandom(12)
        wrapped = AESGCM(self._keys[self._current]).encrypt(fresh, data_key, MAGIC + item.encode())
        return MAGIC + self._current + fresh + wrapped

    def _unwrap(self, item: str, fd: int) -> bytes:
        head = self._system.read(fd, HEAD, 0)
        key = self._keys.get(head[8:16])
        if len(head) < HEAD or head[:8] != MAGIC or key is None:
            raise damaged(item, "no key opens this blob" if head[:8] == MAGIC else "not a blob")
        try:
            return AESGCM(key).decrypt(head[16:28], head[28:], MAGIC + item.encode())
        except InvalidTag:
            raise damaged(item, "the blob's key is damaged") from None

    def _decrypt(self, item: str, fd: int) -> Iterator[bytes]:
        """Metadata first, then the content piece by piece; nothing unverified is ever given out."""
        cipher, bound = AESGCM(self._unwrap(item, fd)), item.encode()
        try:
            (length,) = struct.unpack(">I", self._system.read(fd, 4, HEAD))
            position = HEAD + 4 + length
            yield cipher.decrypt(nonce(0), self._system.read(fd, length, HEAD + 4), bound)
            number, piece = 1, self._system.read(fd, PIECE + TAG, position)
            while True:
                position += len(piece)
                after = self._system.read(fd, PIECE + TAG, position)
                yield cipher.decrypt(nonce(number, last=not after), piece, bound)
                if not after:
                    return
                number, piece = number + 1, after
        except (InvalidTag, struct.error, ValueError):
            raise damaged(item, "the blob is damaged") from None

    def _digest(self, item: str, fd: int) -> str:
        pieces = self._decrypt(item, fd)
        next(pieces)
        digest = hashlib.sha256()
        for piece in pieces:
            digest.update(piece)
        return digest.hexdigest()

    def open(self, item: str) -> tuple[dict[str, Any], Iterator[bytes]]:
        """The metadata, and the content as it is read."""
        pieces = self._pieces(item)
        return json.loads(next(pieces)), pieces

    def _pieces(self, item: str) -> Iterator[bytes]:
        try:
            fd = durable.open_read(self._system, blob(item), self._folder)
        except FileNotFoundError:
            raise damaged(item, "the vault has no such item") from None
        try:
            yield from self._decrypt(item, fd)
        finally:
            os.close(fd)

    def verify(self, item: str) -> str:
        """Read the whole blob; the SHA-256 of its content."""
        _, pieces = self.open(item)
        digest = hashlib.sha256()
        for piece in pieces:
            digest.update(piece)
        return digest.hexdigest()

    def rewrap(self, item: str) -> bool:
        """Give the blob the present key; the content is not decrypted, its own key stays."""
        fd = durable.open_read(self._system, blob(item), self._folder)
        try:
            if self._system.read(fd, 8, 8) == self._current:
                return False
            head = self._head(item, self._unwrap(item, fd))
            draft = f"{item}.part".encode()
            durable.remove(self._system, draft, self._folder)
            fresh = durable.write_new(
                self._system,
                self._folder,
                draft,
                swap_head(head, durable.blocks(self._system, fd)),
            )
            try:
                self._system.fsync(fresh)
            finally:
                os.close(fresh)
        finally:
            os.close(fd)
        self._system.replace(self._folder, draft, blob(item))
        self._system.fsync(self._folder)
        return True

    def remove(self, item: str) -> None:
        durable.remove(self._system, f"{item}.part".encode(), self._folder)
        durable.remove(self._system, blob(item), self._folder)

    def items(self) -> list[str]:
        names = self._system.names(self._folder)
        return sorted(name[:-5].decode() for name in names if name.endswith(b".blob"))

    def sweep_drafts(self) -> int:
        """Remove partial copies of crashed runs; call it before any action starts."""
        drafts = [name for name in self._system.names(self._folder) if name.endswith(b".part")]
        for name in drafts:
            durable.remove(self._system, name, self._folder)
        return len(drafts)


def blob(item: str) -> bytes:
    return f"{item}.blob".encode()


def nonce(number: int, *, last: bool = False) -> bytes:
    return struct.pack(">Q", number) + b"\0\0\0" + bytes([last])


def swap_head(head: bytes, content: Iterable[bytes]) -> Iterator[bytes]:
    for number, block in enumerate(content):
        yield head + block[HEAD:] if number == 0 else block


def damaged(item: str, what: str) -> RespondError:
    return RespondError(what, where=item, fix="restore the vault folder or its key from a backup")


def packed(attributes: dict[str, bytes]) -> dict[str, str]:
    return {name: base64.b64encode(value).decode() for name, value in attributes.items()}


def unpacked(attributes: dict[str, str]) -> dict[str, bytes]:
    return {name: base64.b64decode(value) for name, value in attributes.items()}
