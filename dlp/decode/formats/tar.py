"""Read tar archives as they stream by.

In: an open tar.  Out: names as text, each regular member as a file to read next.
"""

from __future__ import annotations

import tarfile
from collections.abc import Iterator
from typing import Any, BinaryIO, cast

from dlp.decode.contract import BudgetExceededError, Embedded, Item, Limits
from dlp.model import Gap, GapCode, Part

MEDIA_TYPES = frozenset({"application/x-tar"})
BLOCK = tarfile.BLOCKSIZE
MAX_MEMBER = 72_000_000
DAMAGE = (tarfile.TarError, EOFError, ValueError, OSError, OverflowError, IndexError)


def extract(source: BinaryIO, limits: Limits) -> Iterator[Item]:
    yield from members(source, limits)


def members(source: Any, limits: Limits) -> Iterator[Item]:
    names: list[str] = []
    padding: list[bytes] = []
    blocks = Blocks(source)
    try:
        # Stream mode never seeks back and never writes; links and devices are only names here.
        # Read by blocks, so that nothing behind its end is taken from the source.
        with tarfile.open(
            fileobj=cast("BinaryIO", blocks), mode="r|", errors="replace", bufsize=BLOCK
        ) as archive:
            for number, member in enumerate(archive, 1):
                cast("Any", archive).members.clear()  # tarfile keeps every header it has seen
                names.extend(filter(None, (member.name, member.linkname, remark(member))))
                if number > limits.max_entries:
                    yield Gap(GapCode.TOO_LARGE, "entries")
                    break
                if member.isreg() and member.size:
                    yield from content(archive, member, f"entry:{number}")
                    padding.append(blocks.last[member.size % BLOCK or BLOCK :].strip(b"\0"))
    except BudgetExceededError as error:
        yield error.gap
    except DAMAGE:
        yield Gap(GapCode.CORRUPT, "entries")
    yield Part("names", "\n".join(names))
    if filling := b"\n".join(filter(None, padding)):
        yield Embedded("padding", "", filling)
    if (rest := source.read(MAX_MEMBER).strip(b"\0")) and len(names) < limits.max_entries:
        yield Embedded("behind", "", rest)


class Blocks:
    """A source that keeps the block it gave last: behind the end of a member it should be empty."""

    def __init__(self, source: Any) -> None:
        self._source = source
        self.last = b""

    def read(self, size: int) -> bytes:
        read = bytes(self._source.read(size))
        while read and len(read) < size and (more := self._source.read(size - len(read))):
            read += more
        self.last = read
        return read


def remark(member: tarfile.TarInfo) -> str:
    return str(member.pax_headers.get("comment", ""))


def content(archive: tarfile.TarFile, member: tarfile.TarInfo, where: str) -> Iterator[Item]:
    if member.issparse():
        # A few bytes of map can claim terabytes of holes.
        yield Gap(GapCode.UNSUPPORTED, where)
        return
    stream = archive.extractfile(member)
    assert stream is not None  # isreg() was asked before
    data = stream.read(MAX_MEMBER)
    yield Embedded(where, member.name, data)
    if member.size > MAX_MEMBER:
        yield Gap(GapCode.TOO_LARGE, where)
