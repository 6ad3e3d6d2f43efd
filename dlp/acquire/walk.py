"""Find every file beneath some roots, by directory descriptor and with names as bytes.

In: roots.  Out: Sightings: a FileRef to open, or a Gap where nothing can be opened.
"""

from __future__ import annotations

import os
import stat
import sys
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Self

from dlp.acquire.file_identity import (
    DIRECTORY,
    LastFolder,
    gap_of,
    kind_of,
    open_directory,
    open_file,
    ref_of,
)
from dlp.model import FileRef, Gap, GapCode

MOUNTS = "/proc/self/mountinfo"
# They show the kernel's state, not anybody's documents; some block, some never end.
PSEUDO = frozenset(
    b"autofs binfmt_misc bpf cgroup cgroup2 configfs debugfs devpts devtmpfs efivarfs fusectl "
    b"hugetlbfs mqueue nsfs proc pstore rpc_pipefs securityfs selinuxfs sysfs tracefs".split()
)
OPEN_DIRECTORIES = 64
ENCODING, ERRORS = sys.getfilesystemencoding(), sys.getfilesystemencodeerrors()


@dataclass(frozen=True, slots=True)
class Sighting:
    """One name on a share. With a gap there is nothing to open."""

    root: bytes
    relative: bytes  # empty when the root itself is the file
    ref: FileRef
    gap: Gap | None = None
    folder: LastFolder | None = field(default=None, compare=False, repr=False)

    def open(self) -> int:
        if self.folder is not None:
            return self.folder.open_file(self.root, self.relative)
        return open_file(self.root, self.relative)


@dataclass(slots=True)
class Tally:
    """What a walk passed by on purpose."""

    links: int = 0


@dataclass(frozen=True, slots=True)
class Walk:
    """How to walk: what to leave out, and in which order."""

    share: str = ""
    exclude: Collection[tuple[int, int]] = ()  # (device, inode) of our own vault, database, logs
    ordered: bool = True  # by name within a directory, files before directories
    cross_mounts: bool = True
    tally: Tally = field(default_factory=Tally)
    # Called with a directory's path and descriptor before it is listed: watch first, list second.
    on_directory: Callable[[bytes, int], None] | None = None
    folder: LastFolder | None = None  # files are opened from it; the caller closes it

    def beneath(self, root: bytes, relative: bytes = b"") -> Iterator[Sighting]:
        """One directory of a root with everything in it."""
        device = os.stat(root).st_dev
        return self._tree(root, device, pseudo_devices() - {device}, relative)

    def __call__(self, roots: Sequence[bytes]) -> Iterator[Sighting]:
        pseudo = pseudo_devices()
        for root in distinct(roots):
            try:
                seen = os.stat(root)
            except OSError as error:
                yield self._sight(root, b"", gap=gap_of(error, "root"))
                continue
            if (seen.st_dev, seen.st_ino) in self.exclude:
                continue
            if stat.S_ISDIR(seen.st_mode):
                yield from self._tree(root, seen.st_dev, pseudo - {seen.st_dev})
            else:
                yield self._sight(root, b"", seen)

    def _tree(
        self, root: bytes, device: int, pseudo: frozenset[int], start: bytes = b""
    ) -> Iterator[Sighting]:
        pending = [start]
        with _Descriptors(root) as descriptors:
            while pending:
                relative = pending.pop()
                below: list[bytes] = []
                try:
                    fd = descriptors.open(relative)
                    if not self._enters(os.fstat(fd), device, pseudo, relative):
                        continue
                    if self.on_directory is not None:
                        self.on_directory(relative, fd)
                    yield from self._directory(root, relative, fd, below)
                except OSError as error:
                    # A listing may break off half-way; what it gave so far still counts.
                    yield self._sight(root, relative, gap=gap_of(error, "directory"))
                pending += sorted(below, reverse=True) if self.ordered else below

    def _enters(
        self, here: os.stat_result, device: int, pseudo: frozenset[int], relative: bytes
    ) -> bool:
        if (here.st_dev, here.st_ino) in self.exclude:
            return False
        crosses = bool(relative) and here.st_dev != device
        return not crosses or (self.cross_mounts and here.st_dev not in pseudo)

    def _directory(
        self, root: bytes, relative: bytes, fd: int, below: list[bytes]
    ) -> Iterator[Sighting]:
        prefix = relative + b"/" if relative else b""
        with os.scandir(fd) as entries:
            listing = sorted(entries, key=_name) if self.ordered else entries
            for entry in listing:
                path = prefix + entry.name.encode(ENCODING, ERRORS)
                try:
                    if entry.is_symlink():
                        self.tally.links += 1
                    elif entry.is_dir(follow_symlinks=False):
                        below.append(path)
                    else:
                        seen = entry.stat(follow_symlinks=False)
                        if (seen.st_dev, seen.st_ino) not in self.exclude:
                            yield self._sight(root, path, seen)
                except OSError as error:
                    yield self._sight(root, path, gap=gap_of(error, "stat"))

    def _sight(
        self,
        root: bytes,
        relative: bytes,
        seen: os.stat_result | None = None,
        gap: Gap | None = None,
    ) -> Sighting:
        path = root
        if relative:  # as os.path.join, at a third of its price
            path = root + relative if root.endswith(b"/") else b"%b/%b" % (root, relative)
        if seen is None:
            return Sighting(root, relative, FileRef(self.share, path), gap)
        if not stat.S_ISREG(seen.st_mode):
            gap = Gap(GapCode.UNSUPPORTED, kind_of(seen.st_mode))
        return Sighting(root, relative, ref_of(self.share, path, seen), gap, self.folder)


def distinct(roots: Sequence[bytes]) -> list[bytes]:
    """Leave out what lies beneath another root: a file is one file, however often it is named."""
    first: dict[bytes, bytes] = {}
    for root in roots:
        first.setdefault(os.path.realpath(root), root)
    return [root for path, root in first.items() if not _lies_beneath(path, first)]


def _lies_beneath(path: bytes, roots: Collection[bytes]) -> bool:
    """Whether a walk of another root comes past the path; other mounts may be left out of it."""
    above = os.path.dirname(path)
    while above not in roots:
        if above == os.path.dirname(above):
            return False
        above = os.path.dirname(above)
    try:
        return above != path and os.stat(above).st_dev == os.stat(path).st_dev
    except OSError:
        return False


def identity_of(path: bytes | str | os.PathLike[str]) -> tuple[int, int] | None:
    """The (device, inode) to exclude; None while it does not exist."""
    try:
        seen = os.stat(path)
    except OSError:
        return None
    return seen.st_dev, seen.st_ino


def pseudo_devices() -> frozenset[int]:
    """Device numbers of the mounted file systems that hold no documents."""
    found = set()
    try:
        with open(MOUNTS, "rb") as mounts:
            lines = mounts.read().splitlines()
    except OSError:
        return frozenset()
    for line in lines:
        fields = line.split()
        if fields[fields.index(b"-") + 1] in PSEUDO:
            major, minor = fields[2].split(b":")
            found.add(os.makedev(int(major), int(minor)))
    return frozenset(found)


def _name(entry: os.DirEntry[str]) -> bytes:
    return entry.name.encode(ENCODING, ERRORS)


class _Descriptors:
    """The last few open directories, so that a child opens from its parent at any depth."""

    def __init__(self, root: bytes) -> None:
        self._root = root
        self._open: OrderedDict[bytes, int] = OrderedDict()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        while self._open:
            os.close(self._open.popitem()[1])

    def open(self, relative: bytes) -> int:
        parent, _, name = relative.rpartition(b"/")
        if not relative:
            fd = open_directory(self._root)
        elif parent in self._open:
            self._open.move_to_end(parent)
            fd = os.open(name, os.O_RDONLY | DIRECTORY, dir_fd=self._open[parent])
        else:
            fd = open_directory(self._root, relative)
        self._open[relative] = fd
        while len(self._open) > OPEN_DIRECTORIES:
            os.close(self._open.popitem(last=False)[1])
        return fd
