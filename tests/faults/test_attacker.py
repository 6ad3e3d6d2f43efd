"""Someone swaps folders and files under our hands: nothing outside the share is ever touched."""

import ctypes
import os
import shutil
import signal
import tempfile
import time
from pathlib import Path

import pytest

from tests.support.guarded_share import Guard, digest, everywhere

MEMORY = "/dev/shm"
EXCHANGE = 2
libc = ctypes.CDLL(None)


@pytest.fixture
def base():
    path = Path(tempfile.mkdtemp(dir=MEMORY if os.access(MEMORY, os.W_OK) else None))
    yield path
    shutil.rmtree(path)


def swap_for_ever(one, other):
    """In a child: exchange two names as fast as the kernel can, until killed."""
    child = os.fork()
    if child == 0:
        a, b = os.fsencode(one), os.fsencode(other)
        while True:
            libc.renameat2(-100, a, -100, b, EXCHANGE)
    return child


def stop(child):
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)


def insist(guard, ref):
    """As the daemon would: try again; a refusal alone takes less than the attacker's turn."""
    for _ in range(8):
        if guard.quarantine.apply(ref).done:
            return True
        time.sleep(0.0003)
    return False


def attack(base, attempts):
    """share/dir and a link to a folder full of victims change places during every quarantine."""
    outside = base / "outside"
    outside.mkdir()
    victims = {}
    with Guard(base) as guard:
        folder = guard.root / "dir"
        folder.mkdir()
        for number in range(attempts):
            (folder / f"{number}.txt").write_bytes(b"inside %d" % number)
            victims[f"{number}.txt"] = b"victim %d" % number
            (outside / f"{number}.txt").write_bytes(victims[f"{number}.txt"])
        refs = [guard.ref(f"dir/{n}.txt") for n in range(attempts)]
        (guard.root / "link").symlink_to(outside)
        child = swap_for_ever(folder, guard.root / "link")
        try:
            taken = sum(insist(guard, ref) for ref in refs)
        finally:
            stop(child)
        guard.recovery.run()
    assert {p.name: p.read_bytes() for p in outside.iterdir()} == victims
    lies = everywhere(base)
    for number in range(attempts):
        assert len(lies[digest(b"inside %d" % number)]) >= 1
        assert digest(b"victim %d" % number) not in lies
    return taken


def test_no_file_outside_the_share_is_touched(base):
    taken = attack(base, 200)
    assert taken > 20, "refusing everything is no defence"


def test_the_attacker_would_catch_a_mover_that_trusts_paths(base, monkeypatch):
    """The test is tested: follow links and skip the identity check, and victims are taken."""

    def follow(self, root, relative):
        return os.open(relative or b".", os.O_RDONLY | os.O_DIRECTORY, dir_fd=root)

    monkeypatch.setattr("dlp.respond.system_calls.System.open_folder", follow)
    monkeypatch.setattr("dlp.model.FileRef.is_state", lambda ref, now: True)
    monkeypatch.setattr("dlp.respond.metadata.is_same", lambda intent, seen: seen is not None)
    with pytest.raises((AssertionError, KeyError)):
        attack(base, 60)


@pytest.mark.long
@pytest.mark.timeout(1800)
def test_no_file_outside_the_share_is_touched_in_five_thousand(base):
    print(f"{attack(base, 5000)} of 5000 taken")  # noqa: T201


def swap_files(base, attempts):
    with Guard(base) as guard:
        for number in range(attempts):
            judged, other = guard.root / f"{number}.txt", guard.root / f"{number}.other"
            judged.write_bytes(b"judged %d" % number)
            other.write_bytes(b"innocent %d" % number)
            ref = guard.ref(judged.name)
            child = swap_for_ever(judged, other)
            try:
                guard.quarantine.apply(ref)
            finally:
                stop(child)
        guard.recovery.run()
    lies = everywhere(base)
    for number in range(attempts):
        assert set(lies[digest(b"innocent %d" % number)]) == {"share"}, "a wrong file was kept"
        assert digest(b"judged %d" % number) in lies


def test_a_file_swapped_after_the_judgement_is_never_kept(base):
    swap_files(base, 40)


@pytest.mark.long
@pytest.mark.timeout(1800)
def test_a_file_swapped_after_the_judgement_is_never_kept_in_a_thousand(base):
    swap_files(base, 1000)
