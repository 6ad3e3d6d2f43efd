"""Files of our own: written whole or not at all, and refused where others can reach them.

In: paths of settings, databases, keys, reports.  Out: files with their mode, or one clear line.
"""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from dlp.errors import ConfigError, StoreError
from dlp.keys import state_owner

OTHERS = 0o077
OTHERS_WRITE = 0o022


def check_private(path: Path, what: str) -> None:
    """Only the owner may touch it: the current user, or for root the user of the service."""
    mode = "700" if path.is_dir() else "600"
    _check(path, what, OTHERS, "others can reach", mode, owner=state_owner())


def make_private(path: Path) -> None:
    """Make an empty file for the owner alone, unless there is one.

    A file that is there is not even opened: closing it again would drop every lock this process
    holds on it, and another program could then delete a database's log under our hands.
    """
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with contextlib.suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR | os.O_CLOEXEC, 0o600))


@contextlib.contextmanager
def whole_file(path: Path, mode: int = 0o600) -> Iterator[IO[bytes]]:
    """A file that appears complete and synced under its name, or not at all."""
    try:
        with tempfile.NamedTemporaryFile(
            dir=path.parent, prefix=f".{path.name[:40]}.", delete=False
        ) as draft:
            os.fchmod(draft.fileno(), mode)
            with _removed_on_failure(Path(draft.name)):
                yield draft
                draft.flush()
                os.fsync(draft.fileno())
                os.replace(draft.name, path)
    except OSError as error:
        error.filename = os.fspath(path)  # the draft's name says nothing to a reader
        raise


@contextlib.contextmanager
def output_file(path: Path) -> Iterator[IO[bytes]]:
    """Where a user wants output: whole or not at all, never through a link that somebody made."""
    try:
        kind = stat.S_IFMT(path.lstat().st_mode)
    except FileNotFoundError:
        kind = stat.S_IFREG
    if kind == stat.S_IFLNK:
        raise StoreError(
            "is a link, and nothing is written through one", where=str(path),
            fix="name the file itself, or leave out -o",
        )  # fmt: skip
    if kind in {stat.S_IFREG, stat.S_IFDIR}:
        with whole_file(path) as out:
            yield out
        return
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_NOFOLLOW | os.O_CLOEXEC), "wb") as out:
        yield out  # a pipe or a device: nothing to replace


@contextlib.contextmanager
def _removed_on_failure(path: Path) -> Iterator[None]:
    with contextlib.ExitStack() as cleaning:
        cleaning.callback(path.unlink, missing_ok=True)
        yield
        cleaning.pop_all()


def write_whole(path: Path, content: bytes, mode: int = 0o600) -> None:
    with whole_file(path, mode) as out:
        out.write(content)


def check_settings(path: Path) -> None:
    """A group may read the settings, but only the owner may write them."""
    _check(path, "settings", OTHERS_WRITE, "others can write", "640")


def give_to_owner(folder: Path, *paths: Path) -> None:
    """What root has made in a service's state is the service's, or its next start would fail."""
    if os.geteuid() != 0 or not folder.is_dir():
        return
    owner = folder.stat()
    if owner.st_uid == 0:
        return
    for path in (*paths, *folder.iterdir(), *(f for p in paths if p.is_dir() for f in p.iterdir())):
        with contextlib.suppress(FileNotFoundError):
            if path.lstat().st_uid == 0:
                os.chown(path, owner.st_uid, owner.st_gid, follow_symlinks=False)


def _check(
    path: Path, what: str, forbidden: int, problem: str, mode: str, *, owner: int | None = None
) -> None:
    try:
        seen = path.stat()
    except FileNotFoundError:
        return  # made later, with the right mode
    if seen.st_uid not in {0, os.geteuid(), owner}:
        raise ConfigError(
            f"the {what} belong{'s' if what != 'settings' else ''} to another user",
            where=str(path),
            fix=f"chown {os.geteuid()} {path}",
        )
    if stat.S_IMODE(seen.st_mode) & forbidden:
        raise ConfigError(f"{problem} the {what}", where=str(path), fix=f"chmod {mode} {path}")
