"""Half an hour of saves while the daemon dies at random: nothing missed, nothing grows."""

import os
import random
import time
from pathlib import Path

import pytest

from dlp.acquire.walk import OPEN_DIRECTORIES
from tests.flow.live import Live
from tests.flow.test_daemon import NOTE

MINUTES = float(os.environ.get("DLP_SOAK_MINUTES", "30"))
FILES_PER_SECOND = 20
LIFE_SECONDS = (60.0, 180.0)  # between two kills
SETTLED_SECONDS = 20.0  # after a start; then its memory is looked at
GROWTH = 1.25


def resident_mb(pid):
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) / 1000
    raise AssertionError


def open_files(pid):
    return len(os.listdir(f"/proc/{pid}/fd"))


class Saver:
    """Saves at a steady pace: new files, overwritten ones, by temporary name, in new folders."""

    def __init__(self, share, seed):
        self._share, self._chance = share, random.Random(seed)
        self._began, self.saved = time.monotonic(), 0

    def catch_up(self):
        while self.saved < (time.monotonic() - self._began) * FILES_PER_SECOND:
            self.save()

    def save(self):
        chance, number = self._chance, self.saved
        folder = self._share / f"d{number // 500}"
        folder.mkdir(exist_ok=True)
        if chance.random() < 0.1 and number:
            path = folder / f"{number - chance.randrange(1, min(number, 50) + 1)}.txt"
        else:
            path = folder / f"{number}.txt"
        text = f"{NOTE if number % 20 == 0 else 'menu of the week'}\nversion {number}\n"
        if number % 3:
            path.write_text(text)
        else:
            draft = folder / f"save{number}.tmp"
            draft.write_text(text)
            draft.rename(path)
        self.saved += 1


@pytest.mark.long
@pytest.mark.timeout(7200)
def test_a_soak_with_random_kills(tmp_path):
    chance, kills, sizes, handles = random.Random(17), 0, [], []
    with Live(tmp_path) as live:
        live.until_ready(600)
        saver = Saver(live.share, seed=3)
        until = time.monotonic() + MINUTES * 60
        while time.monotonic() < until:
            live.until(lambda: saver.catch_up() or live.is_ready(), 600)  # a life begins there
            dies = time.monotonic() + chance.uniform(*LIFE_SECONDS)
            settled = time.monotonic() + SETTLED_SECONDS
            while time.monotonic() < min(dies, until):
                saver.catch_up()
                time.sleep(0.02)
                if time.monotonic() > settled:
                    settled += 5
                    sizes.append(resident_mb(live.process.pid))
                    handles.append(open_files(live.process.pid))
            if time.monotonic() < until:
                live.kill()
                kills += 1
                live.start()
        live.until(lambda: not live.missing(), 3000, every=2.0)
        late = live.query("SELECT count(*) FROM jobs WHERE state <> 'done'")
        live.until(lambda: not live.query("SELECT 1 FROM jobs WHERE state = 'waiting'"), 600)
        assert live.stop() == 0
        aside = live.query("SELECT count(*) FROM jobs WHERE state = 'aside'")
        third = len(sizes) // 3
        first, last = (sorted(part)[third // 2] for part in (sizes[:third], sizes[-third:]))
        figures = f"{saver.saved} saves in {MINUTES:g} min, {kills} kills, {len(live.verdicts())}"
        print(  # noqa: T201 - the figures
            f"{figures} files judged, resident {first:.0f} MB in the first third, {last:.0f} MB in"
            f" the last, at most {max(sizes):.0f}; {min(handles)} to {max(handles)} descriptors;"
            f" {late[0][0]} waited when the last had its verdict; {aside[0][0]} set aside"
        )
        assert live.missing() == set()
        assert aside == [(0,)]
        assert last < first * GROWTH
        # a sweep keeps some folders open while it lasts; what stays open afterwards is a leak
        assert max(handles) < min(handles) + OPEN_DIRECTORIES + 20
        assert min(handles[-third:]) <= min(handles[:third]) + 5
