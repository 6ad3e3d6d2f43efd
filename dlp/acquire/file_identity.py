"""Open a file as exactly the file that was seen, and tell when it is no longer that file.

In: a root, a path beneath it, as bytes.  Out: a read-only descriptor, FileRef, Gap.
"""

from __future__ import annotations

import errno
import hashlib
import os
import stat
import time

from dlp.model import FileRef, Gap, GapCode

# O_NONBLOCK: opening a FIFO must never wait for a writer. O_NOFOLLOW: a name may turn into a link.
READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY
DIRECTORY = os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
BLOCK_BYTES = 1 << 20
FOLDER_SECONDS = 1.0
_NOT_NAMES = frozenset({b"", b".", b".."})

_GAPS = {
    errno.ENOENT: GapCode.VANISHED,
    errno.ESTALE: GapCode.VANISHED,
    errno.EACCES: GapCode.PERMISSION,
    errno.EPERM: GapCode.PERMISSION,
    errno.ELOOP: GapCode.CHANGED,  # it was a file or a directory and is a link now
    errno.ENOTDIR: GapCode.CHANGED,
    errno.ENXIO: GapCode.UNSUPPORTED,  # a socket refuses to be opened
    errno.ENODEV: GapCode.UNSUPPORTED,
    errno.EFBIG: GapCode.TOO_LARGE,
    errno.EOVERFLOW: GapCode.TOO_LARGE,
    errno.EIO: GapCode.CORRUPT,
}
_SPECIAL = {
    stat.S_IFIFO: "fifo",
    stat.S_IFSOCK: "socket",
    stat.S_IFCHR: "device",
    stat.S_IFBLK: "device",
    stat.S_IFLNK: "link",
    stat.S_IFDIR: "directory",
}


class NotRegularError(OSError):
    """The name leads to something that holds no file content."""

    def __init__(self, mode: int) -> None:
        self.kind = kind_of(mode)
        super().__init__(errno.ENXIO, f"is a {self.kind}")


def kind_of(mode: int) -> str:
    return _SPECIAL.get(stat.S_IFMT(mode), "file")


def gap_of(error: OSError, where: str = "open") -> Gap:
    """Say what kept us from reading, without the path that the exception carries."""
    if isinstance(error, NotRegularError):
        return Gap(GapCode.UNSUPPORTED, error.kind)
    return Gap(_GAPS.get(error.errno or 0, GapCode.INTERNAL), where)


def open_directory(root: bytes, relative: bytes = b"") -> int:
    """Open a directory beneath the root, one component at a time.

    No component may be a link, and a path longer than PATH_MAX is as good as any other.
    The root itself may be reached through links: it was named on purpose.
    """
    fd = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    return descend(fd, relative) if relative else fd


def descend(fd: int, relative: bytes) -> int:
    """Go down from an open directory and close it; on failure nothing stays open."""
    names = relative.split(b"/")
    if not _NOT_NAMES.isdisjoint(names):
        os.close(fd)
        raise OSError(errno.EINVAL, "a path beneath a root has plain components only")
    try:
        for name in names:
            below = os.open(name, os.O_RDONLY | DIRECTORY, dir_fd=fd)
            os.close(fd)
            fd = below
    except OSError:
        os.close(fd)
        raise
    return fd


def open_file(root: bytes, relative: bytes = b"") -> int:
    """Open a regular file for reading without ever blocking; `relative` empty: the root is it."""
    if not relative:
        # The caller's own words: a link named on the command line is meant.
        return _regular(_open(os.path.realpath(root), None))
    folder, _, name = relative.rpartition(b"/")
    directory = open_directory(root, folder)
    try:
        return _regular(_open(name, directory))
    finally:
        os.close(directory)


class LastFolder:
    """Opens files as `open_file` does, the next ones of a folder from the folder itself.

    For a second at most: what was moved or replaced above them meanwhile is then noticed.
    """

    def __init__(self) -> None:
        self._place: tuple[bytes, bytes] | None = None
        self._fd = -1
        self._until = 0.0

    def open_file(self, root: bytes, relative: bytes) -> int:
        if not relative:
            return open_file(root)
        folder, _, name = relative.rpartition(b"/")
        place = (root, folder)
        now = time.monotonic()
        if place != self._place or now > self._until:
            self.close()
            self._fd = open_directory(root, folder)
            self._place, self._until = place, now + FOLDER_SECONDS
        return _regular(_open(name, self._fd))

    def close(self) -> None:
        if self._place is not None:
            self._place = None
            os.close(self._fd)


def _open(name: bytes, directory: int | None) -> int:
    try:
        return os.open(name, READ | os.O_NOATIME, dir_fd=directory)
    except PermissionError:
        # Only the owner may leave the access time alone; reading matters more.
        return os.open(name, READ, dir_fd=directory)


def _regular(fd: int) -> int:
    mode = os.fstat(fd).st_mode
    if stat.S_ISREG(mode):
        return fd
    os.close(fd)
    raise NotRegularError(mode)


def ref_of(share: str, path: bytes, seen: os.stat_result, sha256: str = "") -> FileRef:
    """A file with what the file system says about it."""
    return FileRef(
        share,
        path,
        seen.st_dev,
        seen.st_ino,
        seen.st_size,
        seen.st_mtime_ns,
        seen.st_ctime_ns,
        sha256,
    )


def ref_beneath(share: str, root: bytes, relative: bytes) -> FileRef:
    """A file of a share as it is now, with the hash of its content."""
    fd = open_file(root, relative)
    try:
        return ref_of(share, relative, os.fstat(fd), sha256_of(fd))
    finally:
        os.close(fd)


def as_seen(ref: FileRef, seen: os.stat_result) -> FileRef:
    """The same file as it is now: nearly always as it was."""
    return ref if ref.is_state(seen) else ref_of(ref.share, ref.path, seen, ref.sha256)


def change_since(ref: FileRef, fd: int) -> Gap | None:
    """Ask, after reading, whether what was read is one state of one file that still exists."""
    try:
        now = os.fstat(fd)
    except OSError as error:
        return gap_of(error, "reread")
    if now.st_nlink == 0:
        return Gap(GapCode.VANISHED, "while reading")
    return None if ref.is_state(now) else Gap(GapCode.CHANGED, "while reading")


def sha256_of(fd: int, size: int = BLOCK_BYTES) -> str:
    """Hash the whole file; the descriptor's position is left alone. `size`: what is expected."""
    digest = hashlib.sha256()
    most = min(size + 1, BLOCK_BYTES)  # a buffer of a megabyte costs more than most files' hashes
    position = 0
    while block := os.pread(fd, most, position):
        digest.update(block)
        position += len(block)
        if position == size and len(block) < most:
            break  # nothing is behind the byte that was asked for in vain
        most = BLOCK_BYTES
    return digest.hexdigest()
