"""A share and the private folder beside it where its files are held.

In: a root and, if set, a holding folder.  Out: open descriptors; paths beneath the root only.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager

from dlp.errors import RespondError
from dlp.respond import durable
from dlp.respond.system_calls import System

NAME_BYTES = 255


class Place:
    def __init__(
        self,
        name: str,
        root: bytes,
        holding: bytes = b"",
        *,
        system: System | None = None,
        owner: int | None = None,
    ) -> None:
        """`owner`: besides us, whose holding folder it may be; the service's, for root."""
        self.name = name
        self._owners = {os.geteuid(), *([owner] if owner is not None else ())}
        self.system = system or System()
        self._path = root
        self._holding = holding
        self._root: int | None = None
        self._hold: int | None = None

    @property
    def root(self) -> int:
        """The share's top folder, opened when first needed: it may be mounted only later."""
        if self._root is None:
            self._root = os.open(self._path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        return self._root

    @property
    def device(self) -> int:
        return os.fstat(self.root).st_dev

    @property
    def holding(self) -> bytes:
        """Asked by path: another thread may be opening the share anew."""
        return self._holding or default_holding(self.name, self._path, os.stat(self._path).st_dev)

    def renew(self, device: int) -> None:
        """Before acting on a file of this device: open what is mounted at the path now.

        A share that was mounted again has another device, and what was open leads nowhere.
        """
        if self._root is not None and self.device != device:
            self.close()

    @property
    def hold(self) -> int:
        """The holding folder, made when first needed: an observed share has none."""
        if self._hold is None:
            os.makedirs(self.holding, mode=0o700, exist_ok=True)
            flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
            fd = os.open(self.holding, flags)
            try:
                self._check(os.fstat(fd))
            except RespondError:
                os.close(fd)
                raise
            self._hold = fd
        return self._hold

    def prepare(self) -> None:
        """At start, where files will be held: say now what is wrong with the folder."""
        _ = self.hold

    def _check(self, seen: os.stat_result) -> None:
        where = os.fsdecode(self.holding)
        if seen.st_dev != self.device:
            raise RespondError(
                "the holding folder lies on another file system than its share",
                where=where,
                fix="give `holding` a folder on the file system of the share",
            )
        if seen.st_uid not in self._owners or stat.S_IMODE(seen.st_mode) & 0o077:
            raise RespondError(
                "others can reach the holding folder", where=where, fix=f"chmod 700 {where}"
            )

    def close(self) -> None:
        for fd in (self._root, self._hold):
            if fd is not None:
                os.close(fd)
        self._root = self._hold = None

    @contextmanager
    def folder(self, relative: bytes) -> Iterator[int]:
        fd = self.system.open_folder(self.root, relative)
        try:
            yield fd
        finally:
            os.close(fd)

    @contextmanager
    def folder_made(self, relative: bytes) -> Iterator[int]:
        """The folder, made again as its parent is, where it is missing."""
        fd = os.dup(self.root)
        try:
            for name in filter(None, relative.split(b"/")):
                below = self._step(fd, name)
                os.close(fd)
                fd = below
            yield fd
        finally:
            os.close(fd)

    def _step(self, above: int, name: bytes) -> int:
        try:
            return self.system.open_folder(above, name)
        except FileNotFoundError:
            like = self.system.fstat(above)
        self.system.mkdir(name, above, 0o700)
        self.system.fsync(above)
        made = self.system.open_folder(above, name)
        self.system.chown(made, like.st_uid, like.st_gid)
        self.system.chmod(made, stat.S_IMODE(like.st_mode))
        return made

    def found_held(self, name: bytes) -> os.stat_result | None:
        return durable.found(self.system, name, self.hold)

    def give_back(self, held: bytes, path: bytes) -> bytes:
        """Move a held file into the share, beside whatever has taken its name; says where."""
        folder, name = split(path)
        with self.folder_made(folder) as fd:
            for candidate in beside(name):
                try:
                    durable.move(self.system, self.hold, held, fd, candidate)
                except FileExistsError:
                    continue
                return join(folder, candidate)
        raise AssertionError  # beside() never ends


def default_holding(name: str, root: bytes, device: int) -> bytes:
    """Outside the exported folder where that is the same file system, else inside it."""
    above = os.path.dirname(os.path.realpath(root))
    own = b".dlp-hold-" + name.encode()
    if os.stat(above).st_dev == device and os.access(above, os.W_OK):
        return os.path.join(above, own)
    return os.path.join(root, own)


def split(path: bytes) -> tuple[bytes, bytes]:
    folder, _, name = path.rpartition(b"/")
    return folder, name


def join(folder: bytes, name: bytes) -> bytes:
    return folder + b"/" + name if folder else name


def beside(name: bytes) -> Iterator[bytes]:
    """The name itself, then names that say they are a restored one."""
    yield name
    stem, dot, ending = name.rpartition(b".")
    if not stem or len(ending) > 16:
        stem, dot, ending = name, b"", b""
    number = 1
    while True:
        mark = b" (restored)" if number == 1 else b" (restored %d)" % number
        room = NAME_BYTES - len(mark) - len(dot) - len(ending)
        yield stem[:room] + mark + dot + ending
        number += 1


def code_of(error: OSError) -> str:
    """The error's name without the path that its message carries."""
    return errno.errorcode.get(error.errno or 0, "EIO")
