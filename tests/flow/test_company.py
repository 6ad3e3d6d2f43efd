"""The console inside the daemon: there while it is, back when it fell, refused when unsafe."""

import os
import re
import signal
import time
import urllib.parse
import urllib.request
from contextlib import suppress
from http.cookiejar import CookieJar

import pytest
from click.testing import CliRunner

from dlp import demo_share
from dlp.cli.main import main
from dlp.errors import ConfigError
from dlp.store.migrations import open_database
from dlp.store.users import Users
from tests.flow.live import Live
from tests.support.monitoring import free_ports

pytest.importorskip("uvicorn")
PASSWORD = "correct horse battery"
BESIDE = "[console]\nbeside = true\nport = {port}\n"


class Reader:
    """A person with a browser, as far as forms go."""

    def __init__(self, port):
        self.address = f"http://127.0.0.1:{port}"
        self._opener = urllib.request.build_opener(
            urllib.request.HTTPCookieProcessor(CookieJar()), urllib.request.ProxyHandler({})
        )

    def get(self, path):
        with self._opener.open(self.address + path, timeout=20) as answer:
            return answer.read().decode()

    def send(self, page, path, **fields):
        token = re.search(r'name="token" value="([0-9a-f]+)"', self.get(page))[1]
        sent = urllib.parse.urlencode({"token": token, **fields}).encode()
        with self._opener.open(self.address + path, sent, timeout=60) as answer:
            return answer.read().decode()

    def answers(self):
        with suppress(OSError):
            return "Sign in" in self.get("/sign-in")
        return False


def children(pid):
    with open(f"/proc/{pid}/task/{pid}/children") as told:
        return [int(word) for word in told.read().split()]


def console_of(live):
    for pid in children(live.process.pid):
        with suppress(OSError), open(f"/proc/{pid}/cmdline", "rb") as told:
            if b"\0console\0--attached\0" in told.read():
                return pid
    return 0


def gone(pid):
    with suppress(OSError), open(f"/proc/{pid}/stat") as told:
        return told.read().rpartition(")")[2].split()[0] == "Z"
    return True


@pytest.mark.timeout(600)
def test_the_console_comes_and_goes_with_the_daemon(tmp_path):
    (port,) = free_ports(1)
    with Live(tmp_path, more=BESIDE.format(port=port)) as live:
        (live.share / "letter.txt").write_text(demo_share.DISCHARGE)
        live.until(live.verdicts, 120)
        reader = Reader(port)
        live.until(reader.answers, 120)
        database = open_database(live.state / "dlp" / "catalogue.db")
        Users(database).add("olga", "officer", PASSWORD)
        database.dispose()
        assert "Overview" in reader.send("/sign-in", "/sign-in", name="olga", password=PASSWORD)
        assert "letter.txt" in reader.get("/files")
        first = console_of(live)
        os.kill(first, signal.SIGKILL)
        live.until(lambda: console_of(live) not in {0, first} and reader.answers(), 120)
        second = console_of(live)
        live.kill()
        deadline = time.monotonic() + 60
        while not gone(second):
            assert time.monotonic() < deadline, "the console outlived its daemon"
            time.sleep(0.05)


@pytest.mark.parametrize(
    "line", ['address = "0.0.0.0"', 'address = "here"', 'certificate = "/nowhere/cert.pem"']
)
def test_a_console_that_would_be_refused_stops_the_start(tmp_path, line):
    config = tmp_path / "dlp.toml"
    config.write_text(
        f'[console]\nbeside = true\n{line}\n[[share]]\nname = "s"\npath = "{tmp_path}"\n'
    )
    done = CliRunner().invoke(main, ["watch", "--config", str(config)])
    assert isinstance(done.exception, ConfigError) or "DLP-100" in done.output
