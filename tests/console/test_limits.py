"""Thousands of half-sent and wrong requests: somebody signed in is still served, in little memory."""

import asyncio
import re
import resource
import subprocess
import sys
import time
from pathlib import Path

import pytest

from dlp.console import connections
from dlp.console.connections import PasswordChecks
from dlp.console.endpoint import Endpoint
from dlp.store.users import Users
from tests.console.test_wire import Client
from tests.support.console_server import BackgroundServer

ROOT = Path(__file__).parents[2]
WITHIN_SECONDS = 2.0
MOST_MB = 300
FORM = b"Content-Type: application/x-www-form-urlencoded\r\n"
HOST = b"Host: 127.0.0.1\r\n"
WRONG = (
    b"GET / HTTP/1.1\r\nHos",  # half a header
    b"",  # nothing at all
    b"POST /sign-in HTTP/1.1\r\n"
    + HOST
    + FORM
    + b"Content-Length: 5000\r\n\r\nname=",  # half a body
    b"POST /api/v1/session HTTP/1.1\r\n" + HOST + b"Content-Type: application/json\r\n"
    b'Content-Length: 51\r\n\r\n{"name": "olga", "password": "wrong wrong wrong 1"}',
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\0" * 40,  # TLS spoken to a plain port
    b"GET /" + b"a" * 4000 + b" HTTP/1.1\r\n" + HOST + b"\r\n",
    b"POST /sign-in HTTP/1.1\r\n" + HOST + FORM + b"Transfer-Encoding: chunked\r\n\r\nffffffff\r\n",
    b"GET / HTTP/1.1\r\n" + HOST + b"X: " + b"y" * 15_000 + b"\r\n",  # a header without an end
)


async def attack(port, count):
    """Open them all and keep them open, as long as the other side does."""
    held = []
    for number in range(count):
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(WRONG[number % len(WRONG)])
            held.append((reader, writer))
        except OSError:
            await asyncio.sleep(0.01)
        if number % 50 == 0:
            await asyncio.sleep(0.02)
    await asyncio.sleep(2)
    for _, writer in held:
        writer.close()


def attack_from(port, count):
    """In a process of its own, so that it takes no time from the measuring process."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(8192, hard), hard))
    asyncio.run(attack(port, count))


class Process:
    """The console as it is run, with its passwords at their real cost."""

    def __init__(self, base):
        config = base.parent / "console.toml"
        config.write_text(
            f'[store]\ndatabase = "{base}/catalogue.db"\n[ledger]\nanchor = "{base}/anchor"\n'
            f'[quarantine]\nvault = "{base}/vault"\n'
        )
        config.chmod(0o600)
        command = [sys.executable, "-m", "dlp", "console", "--config", str(config), "--port", "0"]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        self.address = re.search(r"http://\S+", self.process.stdout.readline())[0]

    def peak_mb(self):
        with open(f"/proc/{self.process.pid}/status", encoding="ascii") as status:
            return int(re.search(r"VmHWM:\s+(\d+)", status.read())[1]) // 1024

    def close(self):
        self.process.terminate()
        self.process.wait(30)
        self.process.stdout.close()


@pytest.mark.timeout(300)
@pytest.mark.parametrize("count", [300, pytest.param(2_000, marks=pytest.mark.long)])
def test_half_sent_and_wrong_requests_keep_nobody_out(base, count):
    console = Process(base)
    try:
        client = Client(console.address)
        answer = client.sign_in()
        cookies = [c.partition(";")[0] for c in answer.headers.get_all("set-cookie")]
        command = [sys.executable, "-m", "tests.console.test_limits", str(client.port), str(count)]
        attacker = subprocess.Popen(command, cwd=ROOT)
        slowest, served = 0.0, 0
        while attacker.poll() is None:
            began = time.monotonic()
            answer, text = client.ask("GET", "/", Cookie="; ".join(cookies))
            slowest = max(slowest, time.monotonic() - began)
            assert answer.status == 200, text[:200]
            served += 1
            time.sleep(0.05)
        assert attacker.returncode == 0
        print(f"{count} requests: slowest page {slowest:.2f} s of {served}, {console.peak_mb()} MB")  # noqa: T201
        assert served > 3
        assert slowest < WITHIN_SECONDS
        assert console.peak_mb() < MOST_MB
        assert client.sign_in(cookies=cookies[1:]).status == 303, (
            "signs in again, in spite of all guesses"
        )
    finally:
        console.close()


def test_a_request_that_is_not_sent_in_time_is_ended(services, monkeypatch):
    monkeypatch.setattr(connections, "SECONDS_TO_SEND", 0.3)
    monkeypatch.setattr(connections, "MOST_WAITING", 20)

    async def ended(port, begin):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(begin)
        try:
            return await asyncio.wait_for(reader.read(), 20)
        except ConnectionResetError:
            return b""
        finally:
            writer.close()

    async def all_ended(port):
        return await asyncio.gather(*(ended(port, WRONG[n % 3]) for n in range(60)))

    with BackgroundServer(services, Endpoint(port=0), refresh_summaries=False) as server:
        client = Client(server.address)
        assert set(asyncio.run(all_ended(client.port))) == {b""}
        assert client.sign_in().status == 303


def test_two_lengths_are_refused(services):
    with BackgroundServer(services, Endpoint(port=0), refresh_summaries=False) as server:
        answer, _ = Client(server.address).ask(
            "POST", "/sign-in", b"0\r\n\r\n", Transfer_Encoding="chunked", Content_Length="5"
        )
        assert answer.status == 400
        assert answer.getheader("connection") == "close"


def test_passwords_are_checked_a_few_at_a_time(monkeypatch):
    monkeypatch.setattr(connections, "MOST_CHECKS", 10)
    now, most = [0], [0]

    def check():
        now[0] += 1
        most[0] = max(most[0], now[0])
        time.sleep(0.02)
        now[0] -= 1
        return True

    async def at_once():
        checks = PasswordChecks()
        mine = [checks.run("192.0.2.1", check) for _ in range(50)]
        return await asyncio.gather(*mine, checks.run("198.51.100.1", check))

    given = asyncio.run(at_once())
    assert most[0] <= connections.CHECKS_AT_ONCE
    assert given.count(True) == connections.MOST_CHECKS_EACH + 1
    assert given[-1] is True, "another address has its own places"


def test_guesses_elsewhere_do_not_lock_out_who_has_signed_in_here(browser, services):
    olga = browser("olga")
    for number in range(60):
        services.throttle.failed("olga", f"203.0.113.{number}")
        services.throttle.failed(f"user{number}", "testclient")
    assert browser("").sign_in("olga").status_code == 429, "a browser that nobody knows waits"
    services.sessions.end(olga.client.cookies["dlp_session"])
    assert olga.sign_in("olga").status_code == 303
    mark = services.browser_mark("olga")
    Users(services.engine).change("olga", password="another horse battery")
    assert services.browser_mark("olga") != mark, "a new password ends it"
    assert services.browser_mark("vera") != mark


if __name__ == "__main__":
    attack_from(int(sys.argv[1]), int(sys.argv[2]))
