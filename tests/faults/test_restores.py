"""Many restores, a third with the name taken, a tenth with the folder gone: all equal, none over."""

import os
import random
import shutil

import pytest

from tests.respond.test_quarantine import dress_of
from tests.support.guarded_share import Guard


def restores(base, number):
    chance = random.Random(9)
    before, taken_names = {}, {}
    with Guard(base) as guard:
        for index in range(number):
            folder = guard.root / f"d{index}"
            folder.mkdir()
            path = folder / "file.bin"
            path.write_bytes(chance.randbytes(chance.randrange(0, 50_000)))
            os.setxattr(path, "user.mark", b"%d" % index)
            os.chmod(path, chance.choice([0o640, 0o600, 0o2664]))
            os.utime(path, ns=(10**18 + index, 10**18 + 7 * index))
            before[index] = (dress_of(path)[0] | {"st_atime_ns": 10**18 + index}, path.read_bytes())
            os.utime(path, ns=(10**18 + index, 10**18 + 7 * index))
        items = [
            guard.quarantine.apply(guard.ref(f"d{n}/file.bin")).undo_token for n in range(number)
        ]
        for index in range(number):
            path = guard.root / f"d{index}" / "file.bin"
            if index % 3 == 0:
                path.write_bytes(b"newer %d" % index)
                taken_names[index] = path
            elif index % 10 == 1:
                shutil.rmtree(path.parent)
        assert all(guard.restore.apply(item).done for item in items)
        for index in range(number):
            name = "file (restored).bin" if index in taken_names else "file.bin"
            path = guard.root / f"d{index}" / name
            dress, content = dress_of(path)[0], path.read_bytes()
            assert (dress, content) == before[index]
            assert not guard.quarantine.apply(guard.ref(f"d{index}/{name}")).done, "taken again"
        for index, path in taken_names.items():
            assert path.read_bytes() == b"newer %d" % index


def test_twenty_restores(tmp_path):
    restores(tmp_path, 20)


@pytest.mark.long
def test_two_hundred_restores(tmp_path):
    restores(tmp_path, 200)
