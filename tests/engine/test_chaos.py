"""Everything that may happen to an engine, at once: no file is lost, doubled or wrongly blamed.

Each seed chooses files that crash, lack something or take a moment, how many workers there are and
how soon they are replaced, and who is killed from outside meanwhile.
"""

import os
import random
import signal
import time

import pytest

from dlp.acquire.walk import Walk
from dlp.decode.contract import Limits
from dlp.engine import forkserver as forkserver_module
from dlp.engine.local_engine import Job, LocalEngine
from dlp.lazy_resources import NotLoadedError
from dlp.model import Gap, GapCode
from tests.engine import analyses

LIMITS = Limits(wall_seconds=5.0, memory_bytes=160_000_000)
EXPECTED = {
    "segfault": Gap(GapCode.INTERNAL, "worker:SIGSEGV"),
    "exit": Gap(GapCode.INTERNAL, "worker:exit 7"),
    "raise": Gap(GapCode.INTERNAL, "worker:SystemExit"),
}
KINDS = ("note",) * 12 + ("nap",) * 3 + ("lacks-a", "lacks-b", "lacks-a") + tuple(EXPECTED)
KILLED = {Gap(GapCode.TOO_LARGE, "worker:memory"), Gap(GapCode.INTERNAL, "worker:lost")}
REPLY_SECONDS = 10.0  # whoever waits for a word that never comes is seen by the clock
FILES = 40
# With these, ending a worker and hearing its forkserver used to fall together now and then.
CROWDED = (188, 195, 215, 307, 309, 356, 425, 440)


class Chaos:
    """One seed's engine, what its workers and its forkserver do, and who is killed when."""

    def __init__(self, folder, seed):
        self.chance = random.Random(seed)
        self.kinds = {}
        for number in range(FILES):
            kind = self.chance.choice(KINDS)
            path = folder / f"{number:03}" / f"{kind}{self.chance.choice(('.txt', '.pdf', '.bin'))}"
            path.parent.mkdir()
            path.write_text(f"file {number}\n")
            self.kinds[os.fsencode(path)] = kind
        self.loaded = set()  # in the forkserver and its workers
        self.slow = self.chance.choice((0.0, 0.01, 0.05))
        self.kills = {n: self.chance.choice(("worker", "forkserver")) for n in self.chance.sample(
            range(FILES - 1), self.chance.choice((0, 0, 1, 2, 3)))}  # fmt: skip

    def analyse(self, ref, source):
        kind = self.kinds[ref.path]
        name = kind.removeprefix("lacks-")
        if kind != name and name not in self.loaded:
            raise NotLoadedError(name)
        if kind == "nap":
            time.sleep(0.02)
        analyses.act(kind)
        return {"kind": kind}

    def supply(self, name):
        time.sleep(self.slow)
        self.loaded.add(name)

    def engine(self):
        return LocalEngine(
            self.analyse,
            jobs=self.chance.choice((1, 2, 3)),
            limits=LIMITS,
            files_per_worker=self.chance.choice((1, 2, 5, 1000)),
            supply=self.supply,
            soon=self.chance.choice(((), ("a",), ("b", "a"))),
        )

    def strike(self, engine, so_far):
        """Kill whom the seed says, if there is one."""
        pool = engine._pool
        who = self.kills.pop(so_far, None)
        victims = [pool.forkserver] if who == "forkserver" and pool.forkserver else []
        victims += sorted(pool.members, key=lambda one: one.pid)[:1] if who == "worker" else []
        for victim in victims:
            os.kill(victim.pid, signal.SIGKILL)
        return len(victims)


def check(tmp_path, monkeypatch, seed):
    monkeypatch.setattr(forkserver_module, "REPLY_SECONDS", REPLY_SECONDS)
    chaos = Chaos(tmp_path, seed)
    jobs = (Job(sighting.ref, sighting.open) for sighting in Walk()([os.fsencode(tmp_path)]))
    struck, done = 0, []
    started = time.monotonic()
    with chaos.engine() as engine:
        for one in engine.run(jobs):
            done.append(one)
            struck += chaos.strike(engine, len(done))
    took = time.monotonic() - started
    assert sorted(one.ref.path for one in done) == sorted(chaos.kinds), "lost or doubled"
    unexpected = 0
    for one in done:
        kind = chaos.kinds[one.ref.path]
        if one.gap == EXPECTED.get(kind):
            assert one.record == (None if one.gap else {"kind": kind})
        else:
            assert one.gap in KILLED
            unexpected += 1
    assert unexpected <= struck, "a file is blamed for what nobody did"
    assert took < REPLY_SECONDS, "somebody waited for a word that never came"


@pytest.mark.parametrize("seed", [0, 1, 2, 3, *CROWDED])
def test_nothing_is_lost_whatever_happens(tmp_path, monkeypatch, seed):
    check(tmp_path, monkeypatch, seed)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(100, 500))
def test_nothing_is_lost_whatever_happens_often(tmp_path, monkeypatch, seed):
    check(tmp_path, monkeypatch, seed)
