"""The daemon outlives its database: it waits, comes back, and judges what was saved meanwhile."""

import os
import sqlite3
import subprocess
import time
from contextlib import closing

import pytest
from sqlalchemy import func, select

from dlp.store.database import PATIENCE_SECONDS
from dlp.store.migrations import open_database
from dlp.store.schema import files
from tests.flow.live import Live
from tests.flow.test_acting import LETTER
from tests.flow.test_daemon import NOTE
from tests.support.postgres import postgres, tool
from tests.tell.receivers import Relay

pytestmark = pytest.mark.timeout(600)
GONE = b"the database does not answer"
BACK = b"the database answers again"


def judged(address):
    engine = open_database(address)
    try:
        with engine.connect() as connection:
            return connection.execute(
                select(func.count()).where(files.c.container == "phi")
            ).scalar()
    finally:
        engine.dispose()


def test_a_locked_database_is_waited_for(tmp_path):
    with Live(tmp_path) as live:
        live.until_ready()
        (live.share / "before.txt").write_text(NOTE)
        live.until(lambda: not live.missing())
        path = live.state / "dlp" / "catalogue.db"
        with closing(sqlite3.connect(path, timeout=10, isolation_level=None)) as blocker:
            blocker.execute("BEGIN IMMEDIATE")
            (live.share / "meanwhile.txt").write_text(NOTE)
            live.until(lambda: GONE in live.log.read_bytes())
            (live.share / "later.txt").write_text(NOTE)
            time.sleep(PATIENCE_SECONDS + 1)  # at least one try in vain
            assert live.process.poll() is None
            blocker.execute("ROLLBACK")
        live.until(lambda: BACK in live.log.read_bytes())
        live.until(lambda: not live.missing())
        assert live.query("SELECT path FROM jobs WHERE state = 'aside'") == []
        assert live.stop() == 0


def test_a_stop_is_heard_while_the_database_is_away(tmp_path):
    with Live(tmp_path) as live:
        live.until_ready()
        path = live.state / "dlp" / "catalogue.db"
        with closing(sqlite3.connect(path, timeout=10, isolation_level=None)) as blocker:
            blocker.execute("BEGIN IMMEDIATE")
            (live.share / "meanwhile.txt").write_text(NOTE)
            live.until(lambda: GONE in live.log.read_bytes())
            assert live.stop() == 0
            blocker.execute("ROLLBACK")
        live.start()
        live.until(lambda: not live.missing())
        assert live.stop() == 0


def test_a_server_that_is_stopped_and_started_is_joined_again(tmp_path):
    pytest.importorskip("psycopg")
    with postgres() as address:
        base = address.partition("host=")[2]
        user = {"user": "nobody"} if os.geteuid() == 0 else {}

        def control(*words):
            command = [tool("pg_ctl"), "-D", f"{base}/db", "-w", *words]
            subprocess.run(command, check=True, capture_output=True, cwd="/", **user)

        more = f'[store]\ndatabase = "{address}"\n'
        with Live(tmp_path, more=more) as live:
            live.until_ready()
            control("-m", "immediate", "stop")
            (live.share / "meanwhile.txt").write_text(NOTE)
            live.until(lambda: GONE in live.log.read_bytes())
            options = f"-c listen_addresses='' -k {base} -c fsync=off"
            control("-o", options, "-l", f"{base}/log", "start")
            live.until(lambda: BACK in live.log.read_bytes())
            (live.share / "after.txt").write_text(NOTE)
            live.until(lambda: judged(address) == 2, every=0.5)
            assert live.stop() == 0


def test_the_units_never_give_up():
    for name in ("dlp.service", "dlp-notify.service"):
        with open(f"systemd/{name}", encoding="utf-8") as unit:
            lines = unit.read().splitlines()
        assert "StartLimitIntervalSec=0" in lines
        assert "Restart=on-failure" in lines


class Outage:
    """One part of the surroundings that goes away and comes back."""

    def __init__(self, tmp_path, what):
        self.what, self.base = what, tmp_path
        self.relay = Relay()
        self.told = []
        self.blocker = None

    def begin(self, live):
        if self.what == "database":
            path = live.state / "dlp" / "catalogue.db"
            self.blocker = sqlite3.connect(path, timeout=10, isolation_level=None)
            self.blocker.execute("BEGIN IMMEDIATE")
        elif self.what == "share":
            self.move(self.base / "mounted" / "share", self.base / "mounted" / "unplugged")
        elif self.what == "vault":
            self.remount("ro")
        else:
            self.told += self.relay.messages
            self.relay.__exit__()

    def end(self):
        if self.what == "database":
            self.blocker.execute("ROLLBACK")
            self.blocker.close()
        elif self.what == "share":
            self.move(self.base / "mounted" / "unplugged", self.base / "mounted" / "share")
        elif self.what == "vault":
            self.remount("rw")
        else:
            self.relay = Relay(port=int(self.relay.address.rpartition(":")[2]))
            self.relay.__enter__()

    @staticmethod
    def move(here, there):
        here.rename(there)

    def remount(self, how):
        vault = str(self.base / "vault")
        subprocess.run(["mount", "-o", f"remount,{how}", vault], check=True)


@pytest.fixture
def outage(request, tmp_path):
    made = Outage(tmp_path, request.param)
    made.relay.__enter__()
    vault = tmp_path / "vault"
    vault.mkdir(mode=0o700)
    mount = ["mount", "-t", "tmpfs", "-o", "size=20m,mode=0700", "tmpfs", str(vault)]
    if request.param == "vault" and (os.geteuid() or subprocess.run(mount, check=False).returncode):
        pytest.skip("only root can mount")
    yield made
    made.relay.__exit__()
    if os.path.ismount(vault):
        subprocess.run(["umount", "-l", str(vault)], check=True)


SECONDS = [8, pytest.param(600, marks=[pytest.mark.long, pytest.mark.timeout(1500)])]


@pytest.mark.parametrize("seconds", SECONDS)
@pytest.mark.parametrize("outage", ["database", "share", "vault", "relay"], indirect=True)
def test_an_outage_loses_nothing_and_leaves_nothing_lying(tmp_path, outage, seconds):
    """What was saved before, meanwhile and afterwards is taken, and each case is told by mail."""
    (tmp_path / "mounted").mkdir()
    more = (
        f'policy = {{ phi = "quarantine" }}\n[quarantine]\nvault = "{tmp_path}/vault"\n'
        '[[notify.channel]]\nname = "soc"\nkind = "email"\ntls = "none"\ngather_seconds = 0.2\n'
        f'relay = "{outage.relay.address}"\nsender = "dlp@example.org"\nto = ["soc@example.org"]\n'
    )
    with Live(tmp_path, more=more, share=tmp_path / "mounted" / "share", sweep=5.0) as live:

        def taken():
            return len(live.query("SELECT 1 FROM intents WHERE state = 'done'"))

        live.until_ready()
        (live.share / "before.txt").write_text(LETTER + "1")
        live.until(lambda: taken() == 1)
        live.until(lambda: outage.relay.messages)
        outage.begin(live)
        unplugged = tmp_path / "mounted" / "unplugged"
        there = unplugged if outage.what == "share" else live.share
        (there / "meanwhile.txt").write_text(LETTER + "2")
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            assert live.process.poll() is None, "the daemon lives"
            time.sleep(0.5)
        outage.end()
        (live.share / "after.txt").write_text(LETTER + "3")
        live.until(lambda: taken() == 3, seconds=900, every=0.5)
        left = {"before.txt", "meanwhile.txt", "after.txt"}.intersection(os.listdir(live.share))
        assert not left
        cases = [case for (case,) in live.query("SELECT id FROM intents")]

        def all_told():
            said = "".join(outage.told + outage.relay.messages)
            return all(case in said for case in cases)

        live.until(all_told, seconds=900, every=0.5)
        assert live.query("SELECT path FROM jobs WHERE state = 'aside'") == []
        assert live.stop() == 0
