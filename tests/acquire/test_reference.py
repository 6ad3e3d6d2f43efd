"""What is opened is a regular file beneath its root, and a change to it never goes unnoticed."""

import errno
import hashlib
import os
import time

import pytest

from dlp.acquire.file_identity import (
    LastFolder,
    NotRegularError,
    as_seen,
    change_since,
    gap_of,
    open_file,
    sha256_of,
)
from dlp.model import FileRef, Gap, GapCode


def ref_of(path):
    return as_seen(FileRef("", os.fsencode(path)), os.stat(path))


def test_a_file_opens_read_only_and_without_waiting(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "a/b").write_bytes(b"content")
    fd = open_file(os.fsencode(tmp_path), b"a/b")
    assert os.read(fd, 100) == b"content"
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.write(fd, b"x")
    os.close(fd)


@pytest.mark.parametrize("place", ["file", "folder"])
def test_a_link_put_in_the_way_is_refused(tmp_path, place):
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/b").write_text("secret")
    share = tmp_path / "share"
    share.mkdir()
    if place == "file":
        (share / "a").mkdir()
        (share / "a/b").symlink_to(tmp_path / "outside/b")
    else:
        (share / "a").symlink_to(tmp_path / "outside")
    with pytest.raises(OSError, match=r"symbolic|Not a directory") as caught:
        open_file(os.fsencode(share), b"a/b")
    assert gap_of(caught.value) == Gap(GapCode.CHANGED, "open")


@pytest.mark.parametrize("relative", [b"../secret", b"a/../../secret", b"/etc/passwd"])
def test_no_path_leads_out_of_the_root(tmp_path, relative):
    (tmp_path / "secret").write_text("x")
    (tmp_path / "share/a").mkdir(parents=True)
    with pytest.raises(OSError, match="plain components"):
        open_file(os.fsencode(tmp_path / "share"), relative)


def test_reading_leaves_the_access_time_alone(tmp_path):
    path = tmp_path / "a"
    path.write_text("x")
    os.utime(path, ns=(10**18, 2 * 10**18))
    fd = open_file(os.fsencode(tmp_path), b"a")
    os.read(fd, 10)
    os.close(fd)
    assert path.stat().st_atime_ns == 10**18


def test_the_access_time_is_no_reason_to_leave_a_file_unread(tmp_path, monkeypatch):
    (tmp_path / "a").write_text("x")
    real = os.open

    def not_the_owner(name, flags, *rest, **options):
        if flags & os.O_NOATIME:
            raise PermissionError(errno.EPERM, "not the owner")
        return real(name, flags, *rest, **options)

    monkeypatch.setattr(os, "open", not_the_owner)
    os.close(open_file(os.fsencode(tmp_path), b"a"))


def test_a_directory_is_not_a_file(tmp_path):
    with pytest.raises(NotRegularError) as caught:
        open_file(os.fsencode(tmp_path.parent), os.fsencode(tmp_path.name))
    assert gap_of(caught.value) == Gap(GapCode.UNSUPPORTED, "directory")


@pytest.mark.parametrize(
    "number, code",
    [
        (errno.ENOENT, GapCode.VANISHED),
        (errno.ESTALE, GapCode.VANISHED),
        (errno.EACCES, GapCode.PERMISSION),
        (errno.ELOOP, GapCode.CHANGED),
        (errno.EIO, GapCode.CORRUPT),
        (errno.ENXIO, GapCode.UNSUPPORTED),
        (errno.EMFILE, GapCode.INTERNAL),
        (None, GapCode.INTERNAL),
    ],
)
def test_each_error_has_its_gap_and_no_path_in_it(number, code):
    error = OSError(number, "why", "/share/Jane Sample.txt") if number else OSError("odd")
    assert gap_of(error) == Gap(code, "open")


def rewrite_with_old_times(path):
    seen = os.stat(path)
    path.write_text("zzzzz")
    os.utime(path, ns=(seen.st_atime_ns, seen.st_mtime_ns))


@pytest.mark.parametrize(
    "change, code",
    [
        (lambda path: path.write_text("longer than before"), GapCode.CHANGED),
        (lambda path: path.write_text("other"), GapCode.CHANGED),
        (rewrite_with_old_times, GapCode.CHANGED),
        (lambda path: path.chmod(0o600), GapCode.CHANGED),
        (lambda path: path.unlink(), GapCode.VANISHED),
    ],
    ids=["longer", "same size", "same size and mtime", "rights", "gone"],
)
def test_every_change_is_noticed(tmp_path, change, code):
    path = tmp_path / "a"
    path.write_text("first")
    os.utime(path, ns=(10**18, 10**18))
    ref = ref_of(path)
    fd = os.open(path, os.O_RDONLY)
    assert change_since(ref, fd) is None
    change(path)
    gap = change_since(ref, fd)
    os.close(fd)
    assert gap == Gap(code, "while reading")


def test_another_file_at_the_same_path_is_another_file(tmp_path):
    path = tmp_path / "a"
    path.write_text("first")
    ref = ref_of(path)
    assert ref.is_state(os.stat(path))
    (tmp_path / "b").write_text("first")
    os.replace(tmp_path / "b", path)
    assert not ref.is_state(os.stat(path))


def test_the_hash_is_that_of_the_whole_file_wherever_it_stands(tmp_path):
    content = os.urandom(3_000_001)
    (tmp_path / "a").write_bytes(content)
    fd = open_file(os.fsencode(tmp_path), b"a")
    os.lseek(fd, 1234, os.SEEK_SET)
    assert sha256_of(fd) == hashlib.sha256(content).hexdigest()
    assert os.lseek(fd, 0, os.SEEK_CUR) == 1234
    os.close(fd)


@pytest.fixture
def last():
    folder = LastFolder()
    yield folder
    folder.close()


def content_of(fd):
    try:
        return os.pread(fd, 100, 0)
    finally:
        os.close(fd)


def test_files_open_from_their_folder_as_from_the_root(tmp_path, last):
    root = os.fsencode(tmp_path)
    for name in ("a", "b", "in/a", "in/b", "in/deep/a"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(name)
    before = set(os.listdir("/proc/self/fd"))
    for relative in (b"a", b"b", b"in/a", b"in/b", b"in/deep/a", b"a"):
        assert content_of(last.open_file(root, relative)) == relative
    assert content_of(last.open_file(root + b"/in/a", b"")) == b"in/a"
    for relative, error in ((b"in/gone", FileNotFoundError), (b"in/deep", NotRegularError)):
        with pytest.raises(error):
            last.open_file(root, relative)
    with pytest.raises(OSError, match="plain components"):
        last.open_file(root, b"in/../a")
    last.close()
    assert set(os.listdir("/proc/self/fd")) == before
    assert content_of(last.open_file(root, b"in/b")) == b"in/b"  # it may go on


@pytest.mark.parametrize("later", [0.0, 1.1])
def test_a_folder_that_became_a_link_leads_nowhere(tmp_path, last, later, monkeypatch):
    root = os.fsencode(tmp_path)
    for folder in ("in", "other"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "a").write_text(folder)
    now = time.monotonic()
    monkeypatch.setattr(time, "monotonic", lambda: now)
    assert content_of(last.open_file(root, b"in/a")) == b"in"
    (tmp_path / "in").rename(tmp_path / "moved")
    (tmp_path / "in").symlink_to(tmp_path / "other")
    now += later
    if later:
        with pytest.raises(OSError, match=r"symbolic|Not a directory"):
            last.open_file(root, b"in/a")
    else:  # what was seen there, for a second
        assert content_of(last.open_file(root, b"in/a")) == b"in"


@pytest.mark.parametrize("length", [0, 1, 999, 1000, 1001, 5000])
def test_a_hash_is_of_the_whole_file_whatever_was_expected(tmp_path, length):
    path = tmp_path / "a"
    path.write_bytes(os.urandom(length))
    fd = os.open(path, os.O_RDONLY)
    try:
        digests = {sha256_of(fd, size) for size in (0, 1, 999, 1000, 1001, 1 << 30)}
        assert digests == {sha256_of(fd)} == {hashlib.sha256(path.read_bytes()).hexdigest()}
    finally:
        os.close(fd)
