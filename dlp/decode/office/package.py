"""Open an Office Open XML package and give its parts in reading order.

In: a zip that may be damaged.  Out: Piece values, each loaded when asked for.
"""

from __future__ import annotations

import io
import posixpath
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import BinaryIO

from lxml import etree

from dlp.decode.contract import BudgetExceededError, Item, Limits
from dlp.decode.office.markup import by_local_name, parse
from dlp.decode.zip_archive import Entry, GuardedZip, Member, UnreadableError, open_guarded
from dlp.model import Gap, GapCode

# A parsed tree weighs up to ten times its XML; beyond this a part is read as a stream.
TREE_BYTES = 24_000_000
NUMBER = re.compile(r"(\d+)")
# Read first what the others need to be understood, and what people see first.
RELATIONS, PAGES, OTHERS = 0, 3, 4
RANKS = {"[content_types].xml": RELATIONS} | {
    f"{name}.{kind}": rank
    for rank, names in (
        (1, ("document", "workbook", "presentation")),
        (2, ("sharedstrings", "styles")),
    )
    for name in names
    for kind in ("xml", "bin")
}


class Chained:
    """The bytes already read, then the rest of the member."""

    def __init__(self, head: bytes, rest: Member) -> None:
        self._head = io.BytesIO(head)
        self._rest = rest

    def read(self, size: int = -1) -> bytes:
        return self._head.read(size) or self._rest.read(size)


@dataclass(slots=True)
class Piece:
    """One member of the package, loaded."""

    path: str = field(repr=False)  # in one spelling, to compare
    name: str = field(repr=False)  # as written, to read
    content: bytes = field(repr=False)
    rest: Member | None = field(default=None, repr=False)  # what did not fit in a tree
    gap: Gap | None = None  # damage met while loading
    trouble: BudgetExceededError | None = None  # the budget that ended the loading

    def stream(self) -> BinaryIO | Chained:
        return Chained(self.content, self.rest) if self.rest else io.BytesIO(self.content)

    def all_bytes(self) -> bytes:
        pieces = [self.content]
        try:
            while self.rest and (more := self.rest.read()):
                pieces.append(more)
        except UnreadableError as error:
            self.gap = error.gap
        return b"".join(pieces)


class Package:
    def __init__(self, source: BinaryIO, limits: Limits) -> None:
        self.limits = limits
        self.zip: GuardedZip = open_guarded(source, limits)
        self._relations: dict[str, dict[str, str]] = {}
        self.external: dict[str, None] = {}  # link targets, in order, once each

    def entries(self) -> list[Entry]:
        """Members in reading order: what explains the rest first, then by natural number."""
        return sorted(
            (entry for entry in self.zip.entries if not entry.is_folder), key=reading_order
        )

    def load(self, entry: Entry) -> Piece:
        """Read a member up to the size of a tree, or up to the damage or the end of the budget."""
        path = normal(entry.name)
        try:
            member = self.zip.open(entry)
        except UnreadableError as error:
            return Piece(path, entry.name, b"", gap=error.gap)
        content = bytearray()
        try:
            while len(content) < TREE_BYTES:
                piece = member.read()
                if not piece:
                    return Piece(path, entry.name, bytes(content))
                content += piece
        except UnreadableError as error:
            return Piece(path, entry.name, bytes(content), gap=error.gap)
        except BudgetExceededError as error:
            return Piece(path, entry.name, bytes(content), trouble=error)
        return Piece(path, entry.name, bytes(content), rest=member)

    def note_relations(self, piece: Piece) -> None:
        """Remember where a .rels part points: inside by id, outside as links."""
        root, _ = parse(piece.content)
        if root is None:
            return
        folder, _, name = piece.path.rpartition("_rels/")
        owner = folder + name.removesuffix(".rels")
        known = self._relations.setdefault(owner, {})
        for said in map(by_local_name, root.iter("{*}Relationship")):
            target = said.get("Target", "")
            if said.get("TargetMode", "").lower() == "external":
                self.external[target] = None
            else:
                known[said.get("Id", "")] = resolve(folder, target)

    def relation(self, owner: str, identifier: str) -> str:
        return self._relations.get(owner, {}).get(identifier, "")


def settled(piece: Piece, found: Iterator[Item]) -> Iterator[Item]:
    """Give what was found in a piece, then what kept it from being whole."""
    for item in found:
        # A part that we cut off ourselves only looks broken.
        if not (piece.trouble and isinstance(item, Gap) and item.code is GapCode.CORRUPT):
            yield item
    if piece.gap:
        yield piece.gap
    if piece.trouble:
        raise piece.trouble


def then_closing(found: Iterator[Item], closing: Callable[[], Iterator[Item]]) -> Iterator[Item]:
    """What was gathered is given also when the budget ends the reading."""
    trouble = None
    try:
        yield from found
    except BudgetExceededError as error:
        trouble = error
    yield from closing()
    if trouble:
        raise trouble


def reading_order(entry: Entry) -> tuple[int, list[tuple[int, int | str]]]:
    path = normal(entry.name)
    return rank_of(path), natural(path)


def rank_of(path: str) -> int:
    path = path.removesuffix("\n")
    if path.endswith(".rels"):
        return RELATIONS
    rank = RANKS.get(path.rpartition("/")[2])
    if rank is not None:
        return rank
    rooted = f"/{path}"
    inside = "/slides/" in rooted or "/worksheets/" in rooted or "/pages/" in rooted
    return PAGES if inside else OTHERS


def natural(path: str) -> list[tuple[int, int | str]]:
    """Sort slide2 before slide10."""
    return [
        (0, int(bit[:18])) if bit.isdecimal() else (1, bit) for bit in NUMBER.split(path) if bit
    ]


def normal(name: str) -> str:
    """One spelling per part: programs disagree on case, slashes and a leading slash."""
    return name.replace("\\", "/").lstrip("/").lower()


def resolve(folder: str, target: str) -> str:
    if target.startswith(("/", "\\")):
        return normal(target)
    target = target.replace("\\", "/")
    above, rest = folder, target
    while above and rest.startswith("../"):
        above, rest = above[: above.rstrip("/").rfind("/") + 1], rest[3:]
    return normal(
        above + rest
        if is_plain_folder(folder) and rest and is_plain_path(rest)
        else posixpath.normpath(posixpath.join(folder, target))
    )


def is_plain_folder(path: str) -> bool:
    """Whether nothing in it is to be resolved, which takes five times as long as to ask."""
    return not path or (path[-1] == "/" and is_plain_path(path[:-1]))


def is_plain_path(path: str) -> bool:
    edges = path[:1], path[-1:]
    return "/" not in edges and edges[1] != "." and "./" not in path and "//" not in path


def related(root: etree._Element, tag: str) -> Iterator[tuple[etree._Element, str]]:
    """Give elements with the relationship id each carries."""
    for element in root.iter(f"{{*}}{tag}"):
        for key, value in element.attrib.items():
            if str(key).endswith("}id"):
                yield element, str(value)
