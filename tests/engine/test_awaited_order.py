"""The process that forks workers loads before it knows the settings, and warms up with them."""

from __future__ import annotations

from dlp.decode.contract import Limits
from dlp.engine.forkserver import DeferredSpec, Forkserver, WorkerSpec
from dlp.engine.protocol import receive, send
from dlp.engine.worker import Terms

TERMS = Terms(Limits(), 1_000_000)


def test_an_awaited_brood_is_warmed_with_what_it_is_told(tmp_path):
    noted = tmp_path / "warmed"

    def spec_of(told):
        def warm():
            with noted.open("a") as notes:
                notes.write(f"{told['n']}\n")

        return WorkerSpec(lambda _ref, _source: {"n": told["n"]}, TERMS, warm, None)

    forkserver = Forkserver(DeferredSpec(lambda: None, spec_of))
    try:
        forkserver.send_order({"n": 7})
        forkserver.until_ready()
        _, channel = forkserver.spawn()
        channel.setblocking(True)
        assert receive(channel)[0]["accepted"] in {True, False}
        with (tmp_path / "file").open("w+b") as file:
            ref = {"share": "", "path": "x", "device": 1, "inode": 1, "size_bytes": 0}
            send(channel, {**ref, "mtime_ns": 0, "ctime_ns": 0, "sha256": ""}, file.fileno())
            assert receive(channel)[0]["record"] == {"n": 7}
        channel.close()
    finally:
        forkserver.close()
    assert [int(line) for line in noted.read_text().split()] == [7]
