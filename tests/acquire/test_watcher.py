"""The kernel's words arrive as hints, and its silence (overflow, no more watches) as loudly."""

import os
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlp.acquire.poller import REMOTE, Mounts, magic_of, remote_kind
from dlp.acquire.reference import open_directory
from dlp.acquire.watcher import HEADER, Hint, Kernel, Watcher, Word, events


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
    block = HEADER.pack(-1, Kernel.IN_Q_OVERFLOW, 0, 0)
    for number, mask, name in events(block):
        assert list(watcher._hints(number, mask, name)) == []
    assert watcher.overflows == 1


@given(
    st.lists(
        st.tuples(st.integers(0, 9), st.binary(max_size=40).map(lambda n: n.replace(b"\0", b"")))
    )
)
def test_blocks_come_apart_as_they_were_put_together(written):
    block = b""
    for number, name in written:
        padded = name + b"\0" * (16 - len(name) % 16) if name else b""
        block += struct.pack("iIII", number, 8, 0, len(padded)) + padded
    assert list(events(block)) == [(number, 8, name) for number, name in written]


def test_hints_about_unknown_watches_are_dropped(watcher):
    assert list(watcher._hints(4711, Kernel.IN_CREATE, b"x")) == []
    assert list(watcher._hints(1, Kernel.IN_CREATE, b"x")) == [Hint("ward", b"x", Word.TOUCHED)]


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
