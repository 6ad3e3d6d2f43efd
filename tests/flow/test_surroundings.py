"""Shares in trouble, and shares that go and come back: no other share stops, no leak stays."""

import os
import subprocess
import sys

import pytest

from tests.flow.live import Live
from tests.flow.test_acting import LETTER, intents
from tests.flow.test_daemon import free_port

pytestmark = [
    pytest.mark.timeout(600),
    pytest.mark.skipif(sys.platform != "linux" or os.geteuid() != 0, reason="only root can mount"),
]
SECOND = '[[share]]\nname = "lab"\npath = "{}"\npolicy = {{ phi = "quarantine" }}\n'
QUARANTINE = 'policy = { phi = "quarantine" }\n'


def mount(folder, *options):
    words = ["mount", "-t", "tmpfs", "-o", ",".join(("size=20m", *options)), "tmpfs", str(folder)]
    if subprocess.run(words, check=False, capture_output=True).returncode:
        pytest.skip("this machine lets nobody mount")


def unmount(folder):
    subprocess.run(["umount", "-l", str(folder)], check=False, capture_output=True)


@pytest.fixture
def lab(tmp_path):
    folder = tmp_path / "lab"
    folder.mkdir()
    yield folder
    while os.path.ismount(folder):
        unmount(folder)


def taken(live):
    return [row[1] for row in intents(live)]


def test_a_share_that_is_read_only_stops_no_other_and_is_served_later(tmp_path, lab):
    mount(lab)
    (lab / "letter.txt").write_text(LETTER)
    subprocess.run(["mount", "-o", "remount,ro", str(lab)], check=True)
    with Live(tmp_path, more=QUARANTINE + SECOND.format(lab), port=free_port()) as live:
        live.until_ready()
        (live.share / "letter.txt").write_text(LETTER)
        live.until(lambda: taken(live) == ["done"])
        live.until(lambda: b"nothing can be taken from lab" in live.log.read_bytes())
        assert (lab / "letter.txt").exists()
        live.until(lambda: live.query("SELECT 1 FROM jobs WHERE trouble LIKE 'act: %EROFS'"))
        subprocess.run(["mount", "-o", "remount,rw", str(lab)], check=True)
        live.until(lambda: taken(live) == ["done", "done"], every=0.2)
        assert not (lab / "letter.txt").exists()
        assert live.stop() == 0


def test_a_folder_of_somebody_else_in_place_of_ours_stops_no_other_share(tmp_path, lab):
    squatted = tmp_path / ".dlp-hold-lab"
    squatted.mkdir(mode=0o777)
    squatted.chmod(0o777)
    (lab / "letter.txt").write_text(LETTER)
    with Live(tmp_path, more=QUARANTINE + SECOND.format(lab), port=free_port()) as live:
        live.until_ready()
        (live.share / "letter.txt").write_text(LETTER)
        live.until(lambda: taken(live) == ["done"])
        live.until(lambda: b"nothing can be taken from lab" in live.log.read_bytes())
        assert (lab / "letter.txt").exists()
        squatted.rmdir()
        live.until(lambda: taken(live) == ["done", "done"], every=0.2)
        assert live.stop() == 0


def test_a_share_that_comes_back_as_another_mount_is_acted_on(tmp_path, lab):
    """Also where it was not there at the start."""
    more = QUARANTINE + SECOND.format(lab / "top")
    with Live(tmp_path, more=more, port=free_port(), sweep=1.0) as live:
        live.until_ready()
        for number in (1, 2):
            mount(lab)
            (lab / "top").mkdir()
            (lab / "top" / "letter.txt").write_text(LETTER + str(number))
            live.until(lambda n=number: taken(live) == ["done"] * n, every=0.2)
            live.until(lambda: not (lab / "top" / "letter.txt").exists())
            unmount(lab)
            live.until(lambda: live.metric('dlp_share_available{share="lab"}') == 0)
        assert live.stop() == 0
