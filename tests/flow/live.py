"""The real daemon as a process of its own, and what it has on disk."""

import copy
import os
import signal
import sqlite3
import subprocess
import sys
import time
import urllib.request
from contextlib import closing
from pathlib import Path

GRACE = 2.0
LOG_CHARS = 6000
PATIENCE = 240  # seconds; a machine that does many other things has to do
CONFIG = """
[acquire]
poll_seconds = {poll}
sweep_seconds = {sweep}
grace_seconds = {grace}
provisional_seconds = {provisional}
nice = 0
[engine]
jobs = {jobs}
[exposure]
people = 1000
smb_conf = "/nonexistent"
[telemetry]
port = {port}
[[share]]
name = "ward"
path = "{share}"
"""


class Live:
    def __init__(self, folder: Path, **options):
        self.share = options.pop("share", folder / "share")
        self.share.mkdir(exist_ok=True)
        self.outside = folder
        self.state = folder / "state"
        self.port = options.pop("port", 0)
        self._prefix = options.pop("prefix", [])
        self._program = options.pop("program", [sys.executable, "-m", "dlp"])
        self._environment = options.pop("environment", {})
        settings = {
            "poll": 1.0,
            "sweep": 3600.0,
            "grace": GRACE,
            "jobs": 2,
            "provisional": 600.0,
        } | options
        self.config = folder / "dlp.toml"
        more = settings.pop("more", "")
        self.config.write_text(CONFIG.format(share=self.share, port=self.port, **settings) + more)
        self.log = folder / "log"
        self.process = None

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, kind, *_):
        if self.process.poll() is None:
            os.kill(self.process.pid, signal.SIGCONT)
            self.process.kill()
        self.process.wait()
        if kind is not None:  # where a failed test shows it
            print(f"--- {self.log}\n{self.log.read_text(errors='replace')[-LOG_CHARS:]}")  # noqa: T201

    def start(self, *arguments, **environment):
        command = [
            *self._prefix,
            *self._program,
            "watch",
            "--config",
            str(self.config),
        ]
        with self.log.open("ab") as log:
            self._since = log.tell()
            self.process = subprocess.Popen(
                [*command, *arguments],
                stderr=log,
                stdout=log,
                env={
                    **os.environ,
                    "XDG_STATE_HOME": str(self.state),
                    **self._environment,
                    **environment,
                },
            )

    def kill(self):
        self.process.kill()
        self.process.wait()

    def stop(self):
        self.process.terminate()
        return self.process.wait(PATIENCE)

    def once(self):
        self.start("--once")
        return self.process.wait(300)

    def until_ready(self, seconds=PATIENCE):
        self.until(self.is_ready, seconds)

    def is_ready(self):
        return b"ready" in self.log.read_bytes()[self._since :]

    def until(self, true, seconds=PATIENCE, *, every=0.02):
        """`every`: longer where the question itself costs much, for the daemon needs the cores."""
        deadline = time.monotonic() + seconds
        while not true():
            assert self.process.poll() is None, self.log.read_text()
            assert time.monotonic() < deadline, f"not within {seconds} s"
            time.sleep(every)

    def within(self, folder):
        """The same daemon, seen from one folder of its share."""
        narrow = copy.copy(self)
        narrow.share = folder
        return narrow

    def verdicts(self) -> dict[bytes, str]:
        rows = self.query("SELECT path, container FROM files")
        return {path: box for path, box in rows if path.startswith(os.fsencode(self.share) + b"/")}

    def query(self, statement):
        path = self.state / "dlp" / "catalogue.db"
        if not path.exists():
            return []
        with closing(sqlite3.connect(path, timeout=10)) as connection:
            try:
                return connection.execute(statement).fetchall()
            except sqlite3.OperationalError:
                return []  # not made yet

    def missing(self) -> set[bytes]:
        """Files on the share that have no verdict."""
        return files_of(self.share) - self.verdicts().keys()

    def page(self, name):
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/{name}", timeout=60) as answer:
            return answer.read().decode()

    def metric(self, series) -> float:
        for line in self.page("metrics").splitlines():
            if line.startswith(series + " "):
                return float(line.rpartition(" ")[2])
        raise KeyError(series)


def files_of(share: Path) -> set[bytes]:
    return {
        os.path.join(folder, name)
        for folder, _, names in os.walk(os.fsencode(share))
        for name in names
    }
