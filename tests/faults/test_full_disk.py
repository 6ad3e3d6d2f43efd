"""A full vault takes nothing it cannot hold, leaves no partial copy, and drains by itself."""

import os
import subprocess

import pytest

from tests.support.guarded_share import Guard, digest, everywhere

FILES = 40
SIZE = 64 * 1024


@pytest.fixture
def small(tmp_path):
    """A real file system of 2.5 MB."""
    folder = tmp_path / "small"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=2560k,mode=0700", "tmpfs", str(folder)]
    if os.geteuid() or subprocess.run(mount, check=False, capture_output=True).returncode:
        pytest.skip("only root can mount")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


@pytest.mark.parametrize("reserved", [True, False], ids=["asked first", "found out half-way"])
def test_what_does_not_fit_stays_whole(tmp_path, small, reserved, monkeypatch):
    contents = {f"{n}.bin": os.urandom(SIZE) for n in range(FILES)}
    with Guard(tmp_path, vault=small) as guard:
        if not reserved:
            monkeypatch.setattr(guard.vault, "has_room", lambda size: True)
        for name, content in contents.items():
            (guard.root / name).write_bytes(content)
        outcomes = [guard.quarantine.apply(guard.ref(name)) for name in contents]
        done = sum(outcome.done for outcome in outcomes)
        assert 0 < done < FILES
        reason = "vault full" if reserved else "blocked: ENOSPC"
        assert {outcome.detail for outcome in outcomes if not outcome.done} == {reason}
        lies = everywhere(tmp_path, small)  # also: no partial copy
        where = ["share"] if reserved else ["hold"]
        assert [lies[digest(c)] for c in contents.values()].count(["vault"]) == done
        assert all(lies[digest(c)] in (["vault"], where) for c in contents.values())
        subprocess.run(["mount", "-o", "remount,size=20m", str(small)], check=True)
        guard.recovery.run()
        for path in guard.root.iterdir():
            assert guard.quarantine.apply(guard.ref(path.name)).done
    lies = everywhere(tmp_path, small)
    assert all(lies[digest(content)] == ["vault"] for content in contents.values())
