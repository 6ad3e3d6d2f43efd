"""Through a real Samba server: saved files are judged once, taken ones gone, restored ones back."""

import os
import shutil
import subprocess
import time
from contextlib import contextmanager

import pytest

from tests.flow.live import Live
from tests.flow.test_acting import command
from tests.flow.test_daemon import NOTE, free_port

SMBD, SMBCLIENT = shutil.which("smbd"), shutil.which("smbclient")
pytestmark = [
    pytest.mark.timeout(600),
    pytest.mark.skipif(not (SMBD and SMBCLIENT), reason="smbd and smbclient are not installed"),
    pytest.mark.skipif(os.geteuid() != 0, reason="a Samba server of one's own needs root"),
]
FOLDERS = ("private", "lock", "state", "cache", "pid", "ncalrpc")
CONFIG = """
[global]
server role = standalone server
interfaces = 127.0.0.1
bind interfaces only = yes
disable netbios = yes
smb ports = {port}
map to guest = Bad User
guest account = root
load printers = no
printing = bsd
disable spoolss = yes
log file = {base}/smbd.log
private dir = {base}/private
lock directory = {base}/lock
state directory = {base}/state
cache directory = {base}/cache
pid directory = {base}/pid
ncalrpc dir = {base}/ncalrpc
[ward]
path = {share}
guest ok = yes
guest only = yes
force user = root
read only = no
"""


class Samba:
    def __init__(self, port, base):
        self._port, self._base = port, base

    def run(self, *commands, check=True):
        arguments = [
            "//127.0.0.1/ward",
            "-N",
            "-p",
            str(self._port),
            "-s",
            f"{self._base}/smb.conf",
        ]
        return subprocess.run(
            [SMBCLIENT, *arguments, "-c", ";".join(commands)],
            capture_output=True, check=check, text=True, timeout=60,
        ).stdout  # fmt: skip

    def put(self, text, name):
        draft = self._base / "draft"
        draft.write_text(text)
        self.run(f'put "{draft}" "{name}"')

    def get(self, name):
        draft = self._base / "fetched"
        self.run(f'get "{name}" "{draft}"')
        return draft.read_text()

    def names(self):
        lines = self.run("ls").splitlines()
        return {line.split()[0] for line in lines if line.startswith("  ") and "." in line} - {
            ".",
            "..",
        }


@contextmanager
def samba(tmp_path, share):
    base, port = tmp_path / "samba", free_port()
    for folder in FOLDERS:
        (base / folder).mkdir(parents=True)
    (base / "smb.conf").write_text(CONFIG.format(port=port, base=base, share=share))
    server = subprocess.Popen(
        [SMBD, "--foreground", "--no-process-group", f"--configfile={base}/smb.conf"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,  # it ends its whole process group with itself
    )
    try:
        client = Samba(port, base)
        deadline = time.monotonic() + 60
        while True:
            assert server.poll() is None, (base / "smbd.log").read_text()[-2000:]
            try:
                client.run("ls")
                break
            except subprocess.CalledProcessError:
                assert time.monotonic() < deadline, (base / "smbd.log").read_text()[-2000:]
                time.sleep(0.1)
        yield client
    finally:
        server.terminate()
        server.wait(30)


def judged(live):
    series = 'dlp_files_judged_total{{container="{}",share="ward"}}'
    return {kind: live.metric(series.format(kind)) for kind in ("phi", "impossible", "possible")}


def through_samba(tmp_path, files):
    more = (
        'policy = { phi = "quarantine" }\n[quarantine]\nnote = false\n[breaker]\nactions = 5000\n'
    )
    with (
        Live(tmp_path, more=more, port=free_port()) as live,
        samba(tmp_path, live.share) as client,
    ):
        live.until_ready()
        for number in range(files):
            client.put(NOTE + str(number), f"note{number}.txt")
            client.put(f"Soup on Monday.\n{number}\n", f"menu{number}.txt")
            client.put(f"Pasta on Tuesday.\n{number}\n", f"plan{number}.tmp")
            client.run(f'rename "plan{number}.tmp" "plan{number}.txt"')
        live.until(lambda: len(live.verdicts()) >= 2 * files)
        live.until(lambda: judged(live)["phi"] == files)
        harmless = {f"{kind}{number}.txt" for kind in ("menu", "plan") for number in range(files)}
        assert client.names() == harmless, "what was taken is gone, the rest is there"
        # overwritten through the server: judged again, and now it is taken
        for number in range(files):
            client.put(f"{NOTE}overwritten {number}", f"menu{number}.txt")
        live.until(lambda: judged(live)["phi"] == 2 * files)
        assert client.names() == {f"plan{number}.txt" for number in range(files)}
        time.sleep(1.0)
        total = sum(judged(live).values())
        assert total == 4 * files, "every version of every file once"
        rows = live.query("SELECT id, path FROM intents WHERE state = 'done'")
        assert len(rows) == 2 * files
        items = {path.decode(): item for item, path in rows}
        command(live, "quarantine", "restore", items["note0.txt"], items["menu0.txt"])
        assert client.get("note0.txt") == NOTE + "0"
        assert client.get("menu0.txt") == NOTE + "overwritten 0"
        live.until(lambda: judged(live)["phi"] == 2 * files + 2)
        assert {"note0.txt", "menu0.txt"} <= client.names(), "given back is not taken again"
        assert live.stop() == 0


def test_saves_through_samba(tmp_path):
    through_samba(tmp_path, files=2)


@pytest.mark.long
@pytest.mark.timeout(1800)
def test_three_hundred_saves_through_samba(tmp_path):
    through_samba(tmp_path, files=75)
