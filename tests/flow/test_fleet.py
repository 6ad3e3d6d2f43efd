"""Several daemons, one PostgreSQL catalogue: whatever is killed, each file has one verdict."""

import collections
import json
import os
import random
import subprocess
import sys
import time

import pytest
from sqlalchemy import create_engine, text

from tests.flow.live import Live
from tests.support.postgres import postgres

pytest.importorskip("psycopg")
NOTE = "Patient: Jane Roe, MRN 44{0:05}, phone (416) 555-0{1:03}. She takes metformin for type 2 diabetes.\n"


class Fleet:
    """Two daemons with a state folder each and one database."""

    def __init__(self, folder, address, servers, shared):
        self.daemons = []
        (folder / "common").mkdir()
        key = (
            folder / "key"
        )  # whoever shares a database shares the key: see docs/how-to/scale-out.md
        key.write_bytes(bytes(range(32)))
        key.chmod(0o600)
        for name, server in zip("ab", servers, strict=True):
            (folder / name).mkdir()
            if shared:
                (folder / name / "share").symlink_to(folder / "common")
            more = f'[store]\ndatabase = "{address}"\nserver = "{server}"\n'
            more += f'[keys]\nfingerprint = "{key}"\n'
            live = Live(folder / name, jobs=1, sweep=4.0, more=more)
            if shared:
                config = live.config.read_text().replace(str(live.share), str(folder / "common"))
                live.config.write_text(config)
            self.daemons.append(live)
        self.engine = create_engine(address.replace("postgresql:", "postgresql+psycopg:"))

    def __enter__(self):
        for live in self.daemons:
            live.start()
        return self

    def __exit__(self, *_):
        for live in self.daemons:
            live.kill()
        self.engine.dispose()

    def rows(self, statement):
        with self.engine.connect() as connection:
            try:
                return [tuple(row) for row in connection.execute(text(statement))]
            except Exception:  # noqa: BLE001 - the tables are not made yet
                return []

    def until(self, true, seconds):
        deadline = time.monotonic() + seconds
        while not true():
            assert time.monotonic() < deadline, [live.log.read_text() for live in self.daemons]
            time.sleep(0.1)


def kill_at_random(fleet, kills, pause):
    chance = random.Random(11)
    for _ in range(kills):
        time.sleep(chance.uniform(*pause))
        live = chance.choice(fleet.daemons)
        live.kill()
        live.start()


def one_verdict_each(fleet, expected, seconds):
    wanted = {(server, os.fsencode(path)) for server, path in expected}

    def judged():
        rows = fleet.rows("SELECT server, path FROM files")
        return {(server, bytes(path)) for server, path in rows} == wanted

    fleet.until(judged, seconds)
    counted = collections.Counter(
        (server, bytes(path)) for server, path in fleet.rows("SELECT server, path FROM files")
    )
    assert max(counted.values()) == 1
    unfinished = "SELECT count(*) FROM jobs WHERE state <> 'done'"
    fleet.until(lambda: fleet.rows(unfinished) == [(0,)], seconds)
    twice = "SELECT count(*) FROM jobs GROUP BY server, share, path HAVING count(*) > 1"
    assert fleet.rows(twice) == []


def write(folder, count, offset=0):
    """Files that arrive whole: one seen half-written would be two jobs, and rightly so."""
    folder.mkdir(exist_ok=True)
    draft = folder.parent.parent / "draft"  # outside the share, on the same file system
    paths = [folder / f"f{number + offset}.txt" for number in range(count)]
    for number, path in enumerate(paths):
        draft.write_text(NOTE.format(number + offset, number % 1000))
        draft.rename(path)
    return paths


def shared_work(tmp_path, *, files, kills, pause, seconds):
    with postgres() as address, Fleet(tmp_path, address, ("nas", "nas"), shared=True) as fleet:
        paths = write(tmp_path / "common" / "in", files)
        kill_at_random(fleet, kills, pause)
        paths += write(tmp_path / "common" / "late", files // 4, files)
        one_verdict_each(fleet, [("nas", path) for path in paths], seconds)
        people = fleet.rows("SELECT count(*), count(DISTINCT file) FROM persons")
        assert people == [(len(paths), len(paths))], "one person a file, written once"
        rank(address, [("nas", path) for path in paths[:1]])


def rank(address, expected):
    run = subprocess.run(
        [sys.executable, "-m", "dlp", "rank", "--catalogue", address, "--format", "jsonl", "--top", "9999"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    listed = [json.loads(line) for line in run.stdout.splitlines()]
    assert {(server, str(path)) for server, path in expected} <= {
        (r["server"], r["path"]) for r in listed
    }


@pytest.mark.timeout(900)
def test_two_daemons_share_the_work_of_one_share_and_are_killed(tmp_path):
    shared_work(tmp_path, files=60, kills=2, pause=(1.0, 4.0), seconds=400)


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_two_daemons_two_thousand_files_and_twenty_kills(tmp_path):
    shared_work(tmp_path, files=2000, kills=20, pause=(0.5, 6.0), seconds=2400)


@pytest.mark.long
@pytest.mark.timeout(1800)
def test_the_same_path_on_two_servers_is_two_files(tmp_path):
    with postgres() as address, Fleet(tmp_path, address, ("one", "two"), shared=True) as fleet:
        paths = write(tmp_path / "common" / "in", 40)
        kill_at_random(fleet, 2, (1.0, 4.0))
        expected = [(server, path) for server in ("one", "two") for path in paths]
        one_verdict_each(fleet, expected, 900)
        rank(address, expected)
