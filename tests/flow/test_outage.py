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
from tests.flow.test_daemon import NOTE
from tests.support.postgres import postgres, tool

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
