"""Read zip archives, and formats that are zips without a module of their own.

In: an open zip.  Out: names and comments as text, each member as a file to read next.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

from dlp.decode.contract import Embedded, Item, Limits
from dlp.decode.zip_archive import Entry, GuardedZip, UnreadableError, open_guarded
from dlp.model import Gap, GapCode, Part

MEDIA_TYPES = frozenset({"application/zip", "application/epub+zip"})
MAX_MEMBER = 72_000_000  # a member is held in memory while it is read


def extract(source: BinaryIO, limits: Limits) -> Iterator[Item]:
    archive = open_guarded(source, limits)
    comments = [archive.comment, *(entry.comment for entry in archive.entries)]
    written = [comment.decode("utf-8", "replace") for comment in comments if comment]
    yield Part("names", "\n".join([*archive.names(), *written]))
    yield from archive.gaps
    for entry in archive.entries:
        if not entry.is_folder:
            yield from member(archive, entry)
    for where, data in archive.around():
        if where != "front":  # what stands there was read as the file's first kind
            yield Embedded(f"zip:{where}", "", data)


def member(archive: GuardedZip, entry: Entry) -> Iterator[Item]:
    pieces: list[bytes] = []
    size = 0
    try:
        stream = archive.open(entry)
        while size <= MAX_MEMBER and (piece := stream.read()):
            pieces.append(piece)
            size += len(piece)
    except UnreadableError as error:
        yield error.gap
    if pieces:
        data = b"".join(pieces)
        pieces.clear()
        yield Embedded(entry.where, entry.name, data)
    if size > MAX_MEMBER:
        yield Gap(GapCode.TOO_LARGE, entry.where)
