"""A file that comes to a worker worn by others gets a fresh one before it is called too large."""

import os

from dlp.decode.contract import Limits
from dlp.engine.local_engine import Job, LocalEngine
from dlp.model import FileRef

HELD = []


def analyse(ref, source):
    """Keep memory, as a leaking parser does; the second file then finds none left."""
    name = os.fsdecode(ref.path)
    if name == "greedy":
        HELD.append(bytearray(150_000_000))
    try:
        bytearray(150_000_000)
    except MemoryError:
        return {"gaps": [{"code": "too_large", "where": "body:memory"}]}
    return {"gaps": []}


def run(names, tmp_path):
    path = tmp_path / "f"
    path.write_bytes(b"x")
    jobs = [Job(FileRef("s", name.encode()), lambda: os.open(path, os.O_RDONLY)) for name in names]
    limits = Limits(memory_bytes=480_000_000)
    with LocalEngine(analyse, jobs=1, limits=limits, recycle_bytes=1 << 40) as engine:
        return {os.fsdecode(done.ref.path): done.record for done in engine.run(jobs)}


def test_an_innocent_file_is_read_again_in_a_fresh_worker(tmp_path):
    found = run(["first", "greedy", "greedy", "innocent"], tmp_path)
    assert found["innocent"] == {"gaps": []}
