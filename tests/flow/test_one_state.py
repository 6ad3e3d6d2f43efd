"""The service and the operator's commands work on one state, and neither breaks the other's."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from dlp import keys
from dlp.cli._operator_stores import service_settings
from dlp.cli.main import main
from tests.flow.test_acting import LETTER

pytestmark = pytest.mark.timeout(300)
NOBODY = 65534
# Another user with the capability that the unit has for reading shares, and this Python.
READS = ["--inh-caps", "+dac_read_search", "--ambient-caps", "+dac_read_search"]
AS_SERVICE = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", *READS]


@pytest.fixture
def ground():
    """As a package lays it out: settings and keys of root, state and share of the service."""
    if os.geteuid() or not shutil.which("setpriv"):
        pytest.skip("only root can run a service as somebody else, and needs setpriv for it")
    base = Path(tempfile.mkdtemp())
    base.chmod(0o755)
    for name, owner in (("etc", 0), ("state", NOBODY), ("share", NOBODY), ("run", NOBODY)):
        (base / name).mkdir(mode=0o700 if name != "etc" else 0o755)
        os.chown(base / name, owner, owner)
    for name in ("fingerprint", "vault", "ledger"):
        for path in (base / "etc" / f"{name}.key", base / "run" / f"{name}-key"):
            path.write_bytes(name.encode().ljust(32, b"."))
            path.chmod(0o600)
    for path in (base / "run").iterdir():
        os.chown(path, NOBODY, NOBODY)
    (base / "etc" / "dlp.toml").write_text(
        f'[store]\nstate = "{base}/state"\n[telemetry]\nport = 0\n[acquire]\ngrace_seconds = 0.1\n'
        f'[policy]\nphi = "quarantine"\n[[share]]\nname = "ward"\npath = "{base}/share"\n'
        f'holding = "{base}/share/.hold"\n'
    )
    (base / "etc" / "dlp.toml").chmod(0o644)
    yield base
    shutil.rmtree(base)


def service(base):
    """As systemd runs it: another user, its credentials and state named by the environment."""
    environment = {
        "PATH": os.environ["PATH"], "STATE_DIRECTORY": str(base / "state"),
        "CREDENTIALS_DIRECTORY": str(base / "run"), "HOME": "/nonexistent",
    }  # fmt: skip
    with (base / "log").open("ab") as log:
        return subprocess.Popen(
            [*AS_SERVICE, sys.executable, "-m", "dlp", "watch", "--config", str(base / "etc" / "dlp.toml")],
            env=environment,  cwd="/",
            stdout=log, stderr=log,
        )  # fmt: skip


def dlp(base, *arguments):
    """An operator as root, with a home of their own and nothing in the environment."""
    home = base / "home"
    home.mkdir(exist_ok=True)
    done = subprocess.run(
        [sys.executable, "-m", "dlp", *arguments, "--config", str(base / "etc" / "dlp.toml")],
        env={"PATH": os.environ["PATH"], "HOME": str(home)}, cwd="/",
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert not list(home.rglob("*.key")), "no second set of keys is made"
    return done


def until(base, process, true):
    deadline = time.monotonic() + 120
    while not true():
        assert process.poll() is None, (base / "log").read_text()
        assert time.monotonic() < deadline, (base / "log").read_text()
        time.sleep(0.2)


def stop(process):
    process.send_signal(signal.SIGTERM)
    assert process.wait(60) == 0


def test_root_sees_restores_and_verifies_what_the_service_took(ground):
    process = service(ground)
    try:
        until(ground, process, lambda: "ready" in (ground / "log").read_text())
        letter = ground / "share" / "letter.txt"
        letter.write_text(LETTER)
        os.chown(letter, NOBODY, NOBODY)
        until(ground, process, lambda: not letter.exists())
        until(ground, process, lambda: "done" in dlp(ground, "quarantine", "list").stdout)
        (item,) = {
            line.split()[0] for line in dlp(ground, "quarantine", "list").stdout.splitlines()
        }
        told = dlp(ground, "ledger", "verify")
        assert told.returncode == 0, told.stdout + told.stderr
        assert "letter.txt" in dlp(ground, "rank", "--format", "csv").stdout
        assert dlp(ground, "quarantine", "hold", item, "--reason", "a test").returncode == 0
        assert dlp(ground, "quarantine", "restore", item, "--why", "a test").returncode == 0
        assert letter.read_text() == LETTER
        foreign = [p for p in (ground / "state").rglob("*") if p.stat().st_uid == 0]
        assert foreign == [], "the service could not open them any more"
        second = ground / "share" / "second.txt"
        second.write_text(LETTER.replace("4711223", "4711224"))
        os.chown(second, NOBODY, NOBODY)
        until(ground, process, lambda: not second.exists())
        stop(process)
        process = service(ground)  # and it starts again on what root has touched
        until(ground, process, lambda: (ground / "log").read_text().count("ready") >= 2)
        assert dlp(ground, "ledger", "verify").returncode == 0
        stop(process)
    finally:
        process.kill()
        process.wait()


def test_without_a_word_an_operator_works_on_the_state_of_the_service(ground, monkeypatch, capsys):
    monkeypatch.setattr(keys, "SYSTEM_SETTINGS", ground / "etc")
    monkeypatch.setattr(keys, "SYSTEM_STATE", ground / "state")
    monkeypatch.setenv("HOME", str(ground / "run"))
    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    service_settings.cache_clear()
    try:
        for words in ("quarantine list", "ledger verify", "rank", "report --format csv",
                      "console user add ada --password-stdin"):  # fmt: skip
            done = CliRunner().invoke(main, words.split(), input="a long passphrase\n")
            assert done.exit_code == 0, done.output
        assert (ground / "state" / "catalogue.db").stat().st_uid == NOBODY
        assert not list((ground / "run").rglob("*.db"))
        named = ["console", "user", "list", "--config", str(ground / "etc" / "dlp.toml")]
        assert CliRunner().invoke(main, named).output == "ada  viewer\n"
        child = os.fork()  # who cannot reach the service's state has one of their own
        if child == 0:
            os.setuid(NOBODY - 1)
            service_settings.cache_clear()
            os._exit(service_settings() is not None)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    finally:
        service_settings.cache_clear()
