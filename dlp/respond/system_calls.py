"""Every call that touches a share, the holding folder or the vault, in one place.

In: directory descriptors and names, never paths.  Out: what the kernel says; tests fail each call.
"""

from __future__ import annotations

import ctypes
import errno
import fcntl
import os
import signal

NOREPLACE = 1
EXCHANGE = 2
BENEATH = 0x08 | 0x04 | 0x02  # RESOLVE_BENEATH, NO_SYMLINKS, NO_MAGICLINKS
OPENAT2 = 437  # one number on every architecture
F_SETSIG = 10
FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY
CREATE = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
UNKNOWN_CALL = {errno.ENOSYS, errno.EINVAL, errno.EOPNOTSUPP}
_NOT_NAMES = frozenset({b"", b".", b".."})
_libc = ctypes.CDLL(None, use_errno=True)


class _How(ctypes.Structure):
    _fields_ = (("flags", ctypes.c_uint64), ("mode", ctypes.c_uint64), ("resolve", ctypes.c_uint64))


class System:
    def open_folder(self, root: int, relative: bytes) -> int:
        """Open a folder beneath an open one; no link is followed, not even one swapped in."""
        if not relative:
            return os.open(b".", FOLDER, dir_fd=root)
        if not _NOT_NAMES.isdisjoint(relative.split(b"/")):
            raise OSError(errno.EINVAL, "a path beneath a share has plain components only")
        how = _How(FOLDER, 0, BENEATH)
        fd = _libc.syscall(OPENAT2, root, relative, ctypes.byref(how), ctypes.sizeof(how))
        if fd >= 0:
            return int(fd)
        code = ctypes.get_errno()
        # No such call, a filter that refuses it, a path beyond PATH_MAX, or a race it gave up on.
        if code in UNKNOWN_CALL | {errno.EPERM, errno.ENAMETOOLONG, errno.EAGAIN}:
            return step_down(root, relative)
        raise OSError(code, os.strerror(code))

    def open(self, name: bytes, flags: int, folder: int, mode: int = 0o600) -> int:
        return os.open(name, flags, mode, dir_fd=folder)

    def stat(self, name: bytes, folder: int) -> os.stat_result:
        return os.stat(name, dir_fd=folder, follow_symlinks=False)

    def fstat(self, fd: int) -> os.stat_result:
        return os.fstat(fd)

    def read(self, fd: int, size: int, position: int) -> bytes:
        return os.pread(fd, size, position)

    def write(self, fd: int, content: bytes) -> int:
        return os.write(fd, content)

    def skip(self, fd: int, size: int) -> None:
        os.lseek(fd, size, os.SEEK_CUR)

    def truncate(self, fd: int, size: int) -> None:
        os.ftruncate(fd, size)

    def fsync(self, fd: int) -> None:
        os.fsync(fd)

    def rename(self, old_folder: int, old: bytes, new_folder: int, new: bytes) -> None:
        """Never over an existing name. Without renameat2 two names exist for a moment."""
        try:
            _renameat2(old_folder, old, new_folder, new, NOREPLACE)
        except OSError as error:
            if error.errno not in UNKNOWN_CALL:
                raise
            os.link(old, new, src_dir_fd=old_folder, dst_dir_fd=new_folder, follow_symlinks=False)
            os.unlink(old, dir_fd=old_folder)

    def exchange(self, one_folder: int, one: bytes, other_folder: int, other: bytes) -> None:
        _renameat2(one_folder, one, other_folder, other, EXCHANGE)

    def replace(self, folder: int, old: bytes, new: bytes) -> None:
        """Over an existing name: only in our own vault."""
        os.rename(old, new, src_dir_fd=folder, dst_dir_fd=folder)

    def link(self, old_folder: int, old: bytes, new_folder: int, new: bytes) -> None:
        os.link(old, new, src_dir_fd=old_folder, dst_dir_fd=new_folder, follow_symlinks=False)

    def unlink(self, name: bytes, folder: int) -> None:
        os.unlink(name, dir_fd=folder)

    def mkdir(self, name: bytes, folder: int, mode: int) -> None:
        os.mkdir(name, mode, dir_fd=folder)

    def chown(self, fd: int, uid: int, gid: int) -> None:
        os.fchown(fd, uid, gid)

    def chmod(self, fd: int, mode: int) -> None:
        os.fchmod(fd, mode)

    def utime(self, fd: int, atime_ns: int, mtime_ns: int) -> None:
        os.utime(fd, ns=(atime_ns, mtime_ns))

    def attributes(self, fd: int) -> dict[str, bytes]:
        try:
            return {name: os.getxattr(fd, name) for name in os.listxattr(fd)}
        except OSError as error:
            if error.errno in UNKNOWN_CALL:
                return {}
            raise

    def set_attribute(self, fd: int, name: str, value: bytes) -> None:
        os.setxattr(fd, name, value)

    def free_bytes(self, fd: int) -> int:
        room = os.fstatvfs(fd)
        return room.f_bavail * room.f_frsize

    def names(self, folder: int) -> list[bytes]:
        return [os.fsencode(name) for name in os.listdir(folder)]

    def being_written(self, fd: int) -> bool:
        """Ask the kernel for a read lease: refused while anybody has the file open to write."""
        try:
            # The default signal of a broken lease ends the process; this one is ignored.
            fcntl.fcntl(fd, F_SETSIG, signal.SIGURG)
            fcntl.fcntl(fd, fcntl.F_SETLEASE, fcntl.F_RDLCK)
        except OSError as error:
            return error.errno == errno.EAGAIN  # other refusals: no right to ask
        fcntl.fcntl(fd, fcntl.F_SETLEASE, fcntl.F_UNLCK)  # at once: a held lease blocks writers
        return False


def step_down(root: int, relative: bytes) -> int:
    fd = os.dup(root)
    for name in relative.split(b"/"):
        try:
            below = os.open(name, FOLDER, dir_fd=fd)
        finally:
            os.close(fd)
        fd = below
    return fd


def _renameat2(old_folder: int, old: bytes, new_folder: int, new: bytes, flags: int) -> None:
    if _libc.renameat2(old_folder, old, new_folder, new, flags):
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
