"""kill -9 at random moments: no file lost, doubled, half-written or unrecorded."""

import os
import random
import shutil
import signal
import tempfile
import time
from collections import Counter
from pathlib import Path

import pytest

from tests.support.guarded_share import Guard, digest, everywhere, recorded

MEMORY = "/dev/shm"


def fill(base, number, chance):
    share = base / "share"
    share.mkdir()
    contents = {}
    for index in range(number):
        folder = share / f"d{index % 7}"
        folder.mkdir(exist_ok=True)
        content = chance.randbytes(chance.choice([0, 100, 5000, 200_000])) + b"#%d" % index
        (folder / f"{index}.bin").write_bytes(content)
        contents[f"d{index % 7}/{index}.bin"] = content
    return contents


def clean_of(content):
    return b"clean:" + digest(content).encode()


def work(base, vault, action):
    """What the daemon does: recover, then act on everything that is there."""
    with Guard(base, vault=vault) as guard:
        guard.vault.sweep_drafts()
        guard.recovery.run()
        for path in sorted(guard.root.rglob("*.bin")):
            name = os.fsencode(path.relative_to(guard.root))
            if action == "quarantine":
                guard.quarantine.apply(guard.ref(name))
            else:
                content = path.read_bytes()
                if not content.startswith(b"clean:"):
                    guard.replace.apply(guard.ref(name), [clean_of(content)])


def kill_loop(base, vault, action, kills, chance, longest=0.12):
    """Start, kill after a while, start again; the last run may finish. Says how many died."""
    died = 0
    while True:
        child = os.fork()
        if child == 0:
            try:
                work(base, vault, action)
            finally:
                os._exit(0)
        if died < kills:
            time.sleep(chance.uniform(0.005, longest))
            os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        if os.WIFSIGNALED(status):
            died += 1
        else:
            assert os.WEXITSTATUS(status) == 0
            return died


def check(base, vault, contents, action):
    lies = everywhere(base, vault)
    rows, events = recorded(base)
    done = Counter(sha for _, state, sha, *_ in rows if state == "done")
    told = Counter(item for item, what in events if what in {"quarantined", "replaced"})
    assert {state for _, state, *_ in rows} <= {"done", "void"}
    for content in contents.values():
        assert lies.pop(digest(content)) == ["vault"], "lost or doubled"
        assert done[digest(content)] == 1, "unrecorded"
        if action == "replace":
            assert lies.pop(digest(clean_of(content))) == ["share"], "half-written"
    assert lies == {}
    assert set(told.values()) == {1}
    assert len(told) == len(contents)


def run(tmp_path, action, files, kills, *, elsewhere, seed, longest=0.12):
    chance = random.Random(seed)
    contents = fill(tmp_path, files, chance)
    vault = Path(tempfile.mkdtemp(dir=MEMORY)) if elsewhere else tmp_path / "vault"
    try:
        died = kill_loop(tmp_path, vault, action, kills, chance, longest)
        check(tmp_path, vault, contents, action)
    finally:
        if elsewhere:
            shutil.rmtree(vault)
    return died


@pytest.mark.parametrize("action", ["quarantine", "replace"])
@pytest.mark.parametrize("elsewhere", [False, True], ids=["same-fs", "other-fs"])
def test_a_few_kills(tmp_path, action, elsewhere):
    if elsewhere and not os.access(MEMORY, os.W_OK):
        pytest.skip("no second file system")
    # many files and short lives, so that a quick machine is killed five times as well
    assert run(tmp_path, action, 80, 5, elsewhere=elsewhere, seed=3, longest=0.03) == 5


@pytest.mark.long
@pytest.mark.timeout(3000)
@pytest.mark.parametrize("elsewhere", [False, True], ids=["same-fs", "other-fs"])
@pytest.mark.parametrize("action, least", [("quarantine", 500), ("replace", 300)])
def test_many_kills(tmp_path, action, least, elsewhere):
    died = rounds = 0
    while died < least:  # a quick machine has dealt with all files before so many kills
        base = tmp_path / str(rounds)
        base.mkdir()
        left = least - died
        died += run(base, action, 600, left, elsewhere=elsewhere, seed=11 + rounds, longest=0.06)
        rounds += 1
    print(f"{action}: {died} kills in {rounds} rounds")  # noqa: T201
