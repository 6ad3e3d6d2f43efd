"""The kernel's words arrive as hints, and its silence (overflow, no more watches) as loudly."""

import os

import pytest
from inotify_simple import flags

from dlp.acquire.file_identity import open_directory
from dlp.acquire.watcher import REMOTE, Hint, Mounts, Watcher, Word, magic_of, remote_kind


@pytest.fixture
def watcher(tmp_path):
    one = Watcher()
    add(one, tmp_path)
    yield one
    one.close()


def add(watcher, root, relative=b""):
    fd = open_directory(os.fsencode(root), relative)
    try:
        return watcher.watch("ward", relative, fd)
    finally:
        os.close(fd)


def words(watcher):
    return [(hint.relative, hint.word) for hint in watcher.read()]


def test_a_written_file_is_closed(watcher, tmp_path):
    (tmp_path / "a").write_text("x")
    assert words(watcher)[-1] == (b"a", Word.CLOSED)
    os.truncate(tmp_path / "a", 0)
    assert words(watcher) == [(b"a", Word.TOUCHED)]
    os.link(tmp_path / "a", tmp_path / "b")
    assert words(watcher) == [(b"b", Word.TOUCHED)]
    (tmp_path / "b").rename(tmp_path / "c")
    assert words(watcher) == [(b"b", Word.GONE), (b"c", Word.CLOSED)]
    assert words(watcher) == []


def test_directories_come_and_go(watcher, tmp_path):
    (tmp_path / "d").mkdir()
    assert words(watcher) == [(b"d", Word.FOLDER)]
    assert add(watcher, tmp_path, b"d")
    assert watcher.watches == {"ward": 2}
    (tmp_path / "d" / "x").write_text("x")
    assert words(watcher)[-1] == (b"d/x", Word.CLOSED)
    (tmp_path / "d").rename(tmp_path / "e")
    assert words(watcher) == [(b"d", Word.FOLDER_GONE), (b"e", Word.FOLDER)]
    assert watcher.watches == {"ward": 1}
    add(watcher, tmp_path, b"e")
    (tmp_path / "e" / "y").write_text("y")
    assert words(watcher)[-1] == (b"e/y", Word.CLOSED)


def test_a_lost_root_is_told(watcher, tmp_path):
    tmp_path.rename(tmp_path.with_name("elsewhere"))
    watcher.read()
    assert watcher.lost == {"ward"}


def test_overflow_is_counted(watcher):
    assert list(watcher._hints(-1, flags.Q_OVERFLOW, b"")) == []
    assert watcher.overflows == 1


def test_a_name_need_be_no_text(watcher, tmp_path):
    os.close(os.open(os.fsencode(tmp_path) + b"/\xff\xfe", os.O_WRONLY | os.O_CREAT))
    assert words(watcher)[-1] == (b"\xff\xfe", Word.CLOSED)


def test_hints_about_unknown_watches_are_dropped(watcher):
    assert list(watcher._hints(4711, flags.CREATE, b"x")) == []
    assert list(watcher._hints(1, flags.CREATE, b"x")) == [Hint("ward", b"x", Word.TOUCHED)]


def test_local_file_systems_are_not_polled(tmp_path):
    fd = os.open(tmp_path, os.O_RDONLY)
    try:
        assert magic_of(fd) not in REMOTE
        assert remote_kind(fd) is None
        assert Mounts().kind(fd) is None
    finally:
        os.close(fd)


def test_a_file_system_is_known_by_its_magic():
    fd = os.open("/proc", os.O_RDONLY)
    try:
        assert magic_of(fd) == 0x9FA0
    finally:
        os.close(fd)
    with pytest.raises(OSError, match="Bad file descriptor"):
        magic_of(fd)
