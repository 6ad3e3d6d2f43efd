"""Every file on a share is seen exactly once, whatever it is called; nothing outside is."""

import gc
import os
import socket
import subprocess
import tempfile
import time
from pathlib import Path

import pytest

from dlp.acquire.file_identity import gap_of, open_directory
from dlp.acquire.walk import PSEUDO, Tally, Walk, identity_of, pseudo_devices
from dlp.decode.contract import Limits
from dlp.engine.local_engine import Job, LocalEngine
from dlp.model import Gap, GapCode

# The twelve of design F11; the long path is made apart.
HOSTILE = {
    "not UTF-8": b"patient\xff\xfe.txt",
    "newline": b"a\nb.txt",
    "escape": b"\x1b[2J\x1b]0;owned\x07.txt",
    "markup": b"<img src=x onerror=alert(1)>.txt",
    "option": b"-rf",
    "quotes": b"'\"`$(id)`.txt",
    "right to left": "report\u202excod.txt".encode(),
    "255 bytes": b"x" * 255,
    "trailing space and dot": b"name. .",
    "looks like NUL": b"a%00b\\0c.txt",
    "emoji": "🩺💊.txt".encode(),
}
LONG = b"/".join([b"d" * 200] * 30)  # 6,029 bytes, past PATH_MAX


def walk(roots, **options):
    return Walk(**options)(roots)


def paths(root, **options):
    return [sighting.relative for sighting in walk([os.fsencode(root)], **options)]


def write(path, content=b"x"):
    with open(path, "wb") as target:
        target.write(content)


def make_deep(root, relative):
    """Make directories one by one: no system call takes a path this long."""
    fd = os.open(root, os.O_RDONLY)
    for name in relative.split(b"/"):
        os.mkdir(name, dir_fd=fd)
        below = os.open(name, os.O_RDONLY, dir_fd=fd)
        os.close(fd)
        fd = below
    return fd


@pytest.fixture
def hostile_share(tmp_path):
    root = os.fsencode(tmp_path / "share")
    os.mkdir(root)
    for name in HOSTILE.values():
        write(os.path.join(root, name), name)
    fd = make_deep(root, LONG)
    deep = os.open(b"deep.txt", os.O_WRONLY | os.O_CREAT, dir_fd=fd)
    os.write(deep, LONG + b"/deep.txt")
    os.close(deep)
    os.close(fd)
    yield root
    # pytest's own clean-up cannot reach past PATH_MAX either
    subprocess.run(["rm", "-rf", root], check=True)


def name_and_size(ref, source):
    return {"hex": ref.path.hex(), "size": len(source.read())}


def test_twelve_hostile_names_are_found_opened_and_read(hostile_share):
    expected = {*HOSTILE.values(), LONG + b"/deep.txt"}
    sightings = list(walk([hostile_share]))
    assert {sighting.relative for sighting in sightings} == expected
    assert len(sightings) == 12
    with LocalEngine(name_and_size, jobs=1, limits=Limits(wall_seconds=5)) as engine:
        done = list(engine.run(Job(s.ref, s.open) for s in sightings))
    assert [one.gap for one in done] == [None] * 12
    for one in done:
        assert one.record["hex"] == one.ref.path.hex()
        relative = one.ref.path[len(hostile_share) + 1 :]
        assert one.record["size"] == len(relative)


def test_a_path_of_thousands_of_levels_costs_linear_time_and_few_descriptors(tmp_path):
    levels = b"/".join([b"d"] * 1500)
    os.close(make_deep(os.fsencode(tmp_path), levels))
    begun = time.process_time()
    assert paths(tmp_path) == []
    assert time.process_time() - begun < 3
    subprocess.run(["rm", "-rf", tmp_path / "d"], check=True)


def test_order_is_by_name_files_before_folders(tmp_path):
    for name in ("b/2", "b/1", "a/z/9", "a/3", "c", "B", "a0"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(name)
    expected = [b"B", b"a0", b"c", b"a/3", b"a/z/9", b"b/1", b"b/2"]
    assert paths(tmp_path) == expected
    assert sorted(paths(tmp_path, ordered=False)) == sorted(expected)


def test_links_are_counted_and_never_followed(tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.txt").write_text("x")
    share = tmp_path / "share"
    share.mkdir()
    (share / "real.txt").write_text("x")
    (share / "out").symlink_to(outside)
    (share / "file").symlink_to(outside / "secret.txt")
    (share / "loop").symlink_to(share)
    (share / "self").symlink_to("self")
    (share / "dangling").symlink_to("nowhere")
    tally = Tally()
    assert paths(share, tally=tally) == [b"real.txt"]
    assert tally.links == 5


def test_a_named_root_may_be_a_link_or_a_file(tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "real/a.txt").write_text("content")
    (tmp_path / "link").symlink_to("real")
    (tmp_path / "alias").symlink_to("real/a.txt")
    assert paths(tmp_path / "link") == [b"a.txt"]
    for name in ("real/a.txt", "alias"):
        (sighting,) = walk([os.fsencode(tmp_path / name)])
        assert sighting.relative == b""
        assert sighting.ref.path == os.fsencode(tmp_path / name)
        fd = sighting.open()
        assert os.read(fd, 10) == b"content"
        os.close(fd)


def test_a_file_beneath_two_roots_is_seen_once(tmp_path):
    for name in ("a/b/1", "a/2", "ab/3"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x")
    (tmp_path / "link").symlink_to("a/b")
    names = ["a/b", "a", "a/", "a/2", "link", "ab", "gone", "a/gone"]
    roots = [os.fsencode(tmp_path / name) for name in names]
    seen = [(os.path.relpath(s.ref.path, os.fsencode(tmp_path)), s.gap) for s in walk(roots)]
    missing = Gap(GapCode.VANISHED, "root")
    assert seen == [
        (b"a/2", None),
        (b"a/b/1", None),
        (b"ab/3", None),
        (b"gone", missing),
        (b"a/gone", missing),
    ]


def test_special_files_are_gaps_and_never_block(tmp_path):
    os.mkfifo(tmp_path / "report.pdf")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "notes.txt"))
        begun = time.monotonic()
        sightings = list(walk([os.fsencode(tmp_path), b"/dev/null"]))
        assert time.monotonic() - begun < 20  # a fifo without a writer blocks for ever
        assert {(os.path.basename(s.ref.path), s.gap) for s in sightings} == {
            (b"report.pdf", Gap(GapCode.UNSUPPORTED, "fifo")),
            (b"notes.txt", Gap(GapCode.UNSUPPORTED, "socket")),
            (b"null", Gap(GapCode.UNSUPPORTED, "device")),
        }
        for sighting in sightings:
            with pytest.raises(OSError, match=r"fifo|device|No such device"):
                sighting.open()
        assert time.monotonic() - begun < 20  # a fifo without a writer blocks for ever


def test_what_cannot_be_entered_or_opened_is_a_gap():
    with tempfile.TemporaryDirectory() as folder:  # pytest's own folder is root's alone
        root = Path(folder)
        root.chmod(0o755)
        for name in ("open/a", "open/private", "shut/b"):
            (root / name).parent.mkdir(exist_ok=True)
            (root / name).write_text("x")
        (root / "shut").chmod(0)
        (root / "open/private").chmod(0)
        found = as_ordinary_user(lambda: [look(s) for s in walk([os.fsencode(root)])])
    assert found == [
        (b"open/a", None),
        (b"open/private", Gap(GapCode.PERMISSION, "open")),
        (b"shut", Gap(GapCode.PERMISSION, "directory")),
    ]


def look(sighting):
    if sighting.gap:
        return sighting.relative, sighting.gap
    try:
        os.close(sighting.open())
    except OSError as error:
        return sighting.relative, gap_of(error)
    return sighting.relative, None


def as_ordinary_user(act):
    """Root may read everything, so step down for a moment."""
    if os.geteuid() != 0:
        return act()
    os.setegid(65534)
    os.seteuid(65534)
    try:
        return act()
    finally:
        os.seteuid(0)
        os.setegid(0)


def test_a_missing_root_is_a_gap(tmp_path):
    (sighting,) = walk([os.fsencode(tmp_path / "gone")])
    assert sighting.gap == Gap(GapCode.VANISHED, "root")


def test_our_own_folders_are_left_out_by_identity(tmp_path):
    for name in ("vault/held", "data/ours.db", "data/a.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x")
    os.link(tmp_path / "data/ours.db", tmp_path / "data/other-name")
    own = [identity_of(tmp_path / "vault"), identity_of(tmp_path / "data/ours.db")]
    assert paths(tmp_path, exclude=own) == [b"data/a.txt"]
    assert list(walk([os.fsencode(tmp_path / "vault")], exclude=own)) == []
    assert identity_of(tmp_path / "nothing") is None


def test_a_share_that_shrinks_while_it_is_walked(tmp_path):
    for number in range(5):
        (tmp_path / f"d{number}").mkdir()
        (tmp_path / f"d{number}/a").write_text("x")
    walking = walk([os.fsencode(tmp_path)])
    assert next(walking).relative == b"d0/a"
    subprocess.run(["rm", "-rf", tmp_path / "d3"], check=True)
    (tmp_path / "d4").rename(tmp_path / "moved")
    (tmp_path / "d4").symlink_to("/etc")
    rest = [(sighting.relative, sighting.gap) for sighting in walking]
    assert rest == [
        (b"d1/a", None),
        (b"d2/a", None),
        (b"d3", Gap(GapCode.VANISHED, "directory")),
        (b"d4", Gap(GapCode.CHANGED, "directory")),
    ]


def test_other_file_systems_are_left_out_on_request(monkeypatch, tmp_path):
    (tmp_path / "here").mkdir()
    (tmp_path / "here/a").write_text("x")
    inode = os.stat(tmp_path / "here").st_ino
    real = os.fstat

    class Elsewhere:
        """The same directory, as if something else were mounted there."""

        def __init__(self, seen):
            self._seen = seen

        def __getattr__(self, name):
            return -1 if name == "st_dev" else getattr(self._seen, name)

    def fstat(fd):
        seen = real(fd)
        return Elsewhere(seen) if seen.st_ino == inode else seen

    monkeypatch.setattr(os, "fstat", fstat)
    assert paths(tmp_path, cross_mounts=False) == []
    assert paths(tmp_path, cross_mounts=True) == [b"here/a"]


def test_the_kernels_own_file_systems_are_never_walked():
    assert b"proc" in PSEUDO
    assert os.stat("/proc").st_dev in pseudo_devices()
    for sighting in walk([b"/"], exclude=top_folders_but(b"proc")):
        assert not sighting.ref.path.startswith(b"/proc/")


def top_folders_but(kept):
    return [identity_of(b"/" + name) for name in os.listdir(b"/") if name != kept]


def test_descriptors_are_not_leaked(tmp_path):
    for number in range(100):
        (tmp_path / f"d{number}/e").mkdir(parents=True)
        (tmp_path / f"d{number}/e/a").write_text("x")
    gc.collect()  # what earlier tests dropped may still hold descriptors
    before = len(os.listdir("/proc/self/fd"))
    walking = walk([os.fsencode(tmp_path)])
    for sighting, _ in zip(walking, range(50), strict=False):
        os.close(sighting.open())
    assert len(os.listdir("/proc/self/fd")) - before <= 70
    walking.close()
    assert len(os.listdir("/proc/self/fd")) == before
    os.close(open_directory(os.fsencode(tmp_path), b"d1/e"))
    for bad in (b"d1/../d2", b"d1//e", b"./d1"):
        with pytest.raises(OSError, match="plain components"):
            open_directory(os.fsencode(tmp_path), bad)
    assert len(os.listdir("/proc/self/fd")) == before
