"""A file that could not be quarantined is tried again until it is, also after a restart."""

import os
import subprocess
import sys

import pytest

from dlp.model import FileRef
from dlp.store.job_queue import LEAST_WAIT, LONGEST_WAIT, Backlog, Priority
from dlp.store.migrations import open_database
from tests.flow.live import Live
from tests.flow.test_acting import LETTER, intents
from tests.flow.test_daemon import free_port

pytestmark = pytest.mark.timeout(600)
REFUSED = 'dlp_quarantined_files{share="ward",state="refused"}'


@pytest.fixture
def full(tmp_path):
    """A vault on a real file system with no room left."""
    folder = tmp_path / "vault"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=256k,mode=0700", "tmpfs", str(folder)]
    if os.geteuid() or subprocess.run(mount, check=False, capture_output=True).returncode:
        pytest.skip("only root can mount")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def quarantining(tmp_path, vault):
    more = f'policy = {{ phi = "quarantine" }}\n[quarantine]\nvault = "{vault}"\n'
    return Live(tmp_path, more=more, port=free_port())


def listed(live):
    command = [sys.executable, "-m", "dlp", "quarantine", "list", "--config", str(live.config)]
    environment = {**os.environ, "XDG_STATE_HOME": str(live.state)}
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True)


@pytest.mark.parametrize("restarts", [False, True], ids=["in one run", "after a restart"])
def test_a_file_that_did_not_fit_is_taken_when_there_is_room(tmp_path, full, restarts):
    with quarantining(tmp_path, full) as live:
        live.until_ready()
        letter = live.share / "letter.txt"
        letter.write_text(LETTER)
        live.until(lambda: live.query("SELECT 1 FROM jobs WHERE trouble = 'act: vault full'"))
        live.until(lambda: live.metric(REFUSED) == 1)
        assert "letter.txt: vault full; next try" in listed(live).stderr
        assert b"action refused" in live.log.read_bytes()
        assert letter.exists()
        if restarts:
            assert live.stop() == 0
        subprocess.run(["mount", "-o", "remount,size=20m", str(full)], check=True)
        if restarts:
            live.start()
        live.until(lambda: [row[1] for row in intents(live)] == ["done"], every=0.1)
        assert not letter.exists()
        live.until(lambda: live.metric(REFUSED) == 0)
        assert "not taken" not in listed(live).stderr
        assert live.stop() == 0


def test_the_time_between_two_tries_grows_and_a_start_tries_at_once(tmp_path):
    now = [1000.0]
    engine = open_database(tmp_path / "state.db")
    backlog = Backlog(engine, clock=lambda: now[0])
    backlog.put([(FileRef("ward", b"/ward/a"), Priority.NEW)], "r")
    waits = []
    for _ in range(12):
        (job,) = backlog.lease()
        backlog.refused(job, "vault full")
        (refusal,) = backlog.refusals()
        assert refusal.reason == "vault full"
        waits.append(refusal.next_try - now[0])
        assert backlog.lease() == []
        now[0] = refusal.next_try
    assert waits[0] == LEAST_WAIT
    assert waits[-1] == LONGEST_WAIT
    assert waits == sorted(waits)
    (job,) = backlog.lease()
    assert job.tries == 1, "a refusal is no crash"
    backlog.refused(job, "vault full")
    Backlog(engine, clock=lambda: now[0]).recover()
    assert backlog.lease()
    engine.dispose()
