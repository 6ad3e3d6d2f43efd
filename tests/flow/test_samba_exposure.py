"""Twenty files on a real Samba server: who can read each is what people who try it find."""

import os
import pwd
import random
import shutil
import struct
import subprocess
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

import pytest

from dlp.config import Exposure, Settings
from dlp.engine.exposures import Exposures

NEEDED = {"samba": "smbd", "smbclient": "smbcacls"}
MISSING = [package for package, program in NEEDED.items() if not shutil.which(program)]


def module_folder():
    said = subprocess.run(["smbd", "-b"], capture_output=True, text=True, check=False).stdout
    lines = [line.split(":")[1].strip() for line in said.splitlines() if "MODULESDIR" in line]
    return Path(lines[0]) / "vfs" if lines else Path("/nowhere")


if not MISSING and not (module_folder() / "acl_xattr.so").exists():
    MISSING.append("samba-vfs-modules")
pytestmark = [
    pytest.mark.timeout(600),
    pytest.mark.skipif(bool(MISSING), reason=f"packages not installed: {' '.join(MISSING)}"),
    pytest.mark.skipif(os.geteuid() != 0, reason="a Samba server of one's own needs root"),
]
PASSWORD = "Str0ng-enough"
# Accounts that every Debian has, so the machine's own lists stay as they are.
PROBES = ("games", "news", "mail")
FOLDERS = ("private", "lock", "state", "cache", "pid", "ncalrpc")
CONFIG = """
[global]
server role = standalone server
interfaces = {address}/8
bind interfaces only = yes
disable netbios = yes
smb ports = 445
map to guest = Bad User
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
read only = no
[ward]
path = {share}/ward
vfs objects = acl_xattr
admin users = root
[desk]
path = {share}/desk
guest ok = yes
[team]
path = {share}/team
valid users = games, news
[forced]
path = {share}/forced
valid users = news mail
force user = games
[plain]
path = {share}/plain
[strict]
path = {share}/strict
vfs objects = acl_xattr
acl_xattr:ignore system acls = yes
admin users = root
"""
# name, owner, group, mode, NT ACL (or a POSIX entry), who of PROBES and the guest reads, the answer
OWNER_ONLY = "ACL:games:ALLOWED/0/FULL"
FILES = [
    ("ward/open", "root", "root", 0o644, "", "games news mail", "everyone", 100),
    ("ward/owner", "games", "games", 0o600, "", "games", "private", 1),
    ("ward/group", "games", "news", 0o640, "", "games news", "few", 2),
    ("ward/nobody", "root", "root", 0o600, "", "", "private", 1),
    ("ward/user entry", "games", "games", 0o600, "user:news:4:7", "games news", "few", 2),
    ("ward/masked entry", "games", "games", 0o600, "user:news:4:2", "games", "private", 1),
    ("ward/nt everyone", "games", "games", 0o600, f"{OWNER_ONLY},ACL:Everyone:ALLOWED/0/READ",
     "games news mail", "everyone", 100),
    ("ward/nt user", "games", "games", 0o600, f"{OWNER_ONLY},ACL:news:ALLOWED/0/READ",
     "games news", "few", 2),
    ("ward/nt deny", "games", "games", 0o600,
     f"ACL:news:DENIED/0/FULL,{OWNER_ONLY},ACL:mail:ALLOWED/0/READ", "games mail", "few", 2),
    ("ward/nt owner", "games", "games", 0o644, OWNER_ONLY, "games", "private", 1),
    ("ward/nt write", "games", "games", 0o644,
     f"{OWNER_ONLY},ACL:news:ALLOWED/0/W", "games", "private", 1),
    ("ward/closed/in", "root", "root", 0o644, "", "games", "private", 1),
    ("ward/shared/in", "root", "root", 0o644, "", "games news", "few", 2),
    ("desk/open", "root", "root", 0o644, "", "games news mail guest", "public link", 1000),
    ("desk/closed", "games", "games", 0o600, "", "games", "private", 1),
    ("team/open", "root", "root", 0o644, "", "games news", "few", 2),
    ("team/own", "news", "news", 0o600, "", "news", "private", 1),
    ("forced/own", "games", "games", 0o600, "", "news mail", "few", 2),
    ("plain/nt elsewhere", "games", "games", 0o600, "copy:ward/nt everyone", "games", "private", 1),
    ("strict/nt only", "root", "root", 0o644,
     "ACL:root:ALLOWED/0/FULL,ACL:S-1-22-1-{games}:ALLOWED/0/READ", "games", "private", 1),
]  # fmt: skip
FOLDER_RIGHTS = {"ward/closed": ("games", "games", 0o700), "ward/shared": ("games", "news", 0o750)}


@contextmanager
def samba(base, share, address):
    for folder in FOLDERS:
        (base / folder).mkdir(parents=True)
    config = base / "smb.conf"
    config.write_text(CONFIG.format(base=base, share=share, address=address))
    for name in ("root", *PROBES):
        said = f"{PASSWORD}\n{PASSWORD}\n"
        subprocess.run(["smbpasswd", "-c", config, "-s", "-a", name], input=said, text=True,
                       check=True, capture_output=True)  # fmt: skip
    server = subprocess.Popen(
        ["smbd", "--foreground", "--no-process-group", f"--configfile={config}"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
    )  # fmt: skip
    try:
        yield Client(config, address, server)
    finally:
        server.terminate()
        server.wait(30)


class Client:
    def __init__(self, config, address, server):
        self.config, self.address = config, address
        until = time.monotonic() + 60
        while self.names_read("root", "ward", []) is None:
            assert server.poll() is None, (config.parent / "smbd.log").read_text()[-2000:]
            assert time.monotonic() < until, (config.parent / "smbd.log").read_text()[-2000:]
            time.sleep(0.1)

    def names_read(self, who, share, names):
        """Which of the files this person gets; None where there is no connection at all."""
        user = ["-N"] if who == "guest" else ["-U", f"{who}%{PASSWORD}"]
        got = self.config.parent / "got"
        commands = ";".join(f'get "{name}" "{got}/{n}"' for n, name in enumerate(names)) or "ls"
        shutil.rmtree(got, ignore_errors=True)
        got.mkdir()
        run = subprocess.run(
            ["smbclient", f"//{self.address}/{share}", *user, "-s", self.config, "-c", commands],
            capture_output=True, text=True, check=False, timeout=120,
        )  # fmt: skip
        said = run.stdout + run.stderr
        if "tree connect failed: NT_STATUS_ACCESS_DENIED" in said:
            return set()
        answers = said.count("getting file") + said.count("opening remote file")
        if answers < len(names) or " failed" in said:
            return None  # refused, or cut off: a busy server does that now and then
        return {name for n, name in enumerate(names) if (got / str(n)).exists()}

    def set_acl(self, place, aces):
        share, _, name = place.partition("/")
        run = subprocess.run(
            ["smbcacls", f"//{self.address}/{share}", name, "-U", f"root%{PASSWORD}", "-s",
             self.config, "--set", aces],
            capture_output=True, text=True, check=False, timeout=60,
        )  # fmt: skip
        assert run.returncode == 0, run.stdout + run.stderr


def uid(name):
    return pwd.getpwnam(name).pw_uid


def make(share, place, owner, group, mode):
    path = share / place
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("soup on Monday\n")
    os.chown(path, uid(owner), pwd.getpwnam(group).pw_gid)
    path.chmod(mode)


def add_entry(path, text):
    _, name, rights, mask = text.split(":")
    tags = [(1, 6, 2**32 - 1), (2, int(rights), uid(name)), (4, 0, 2**32 - 1),
            (16, int(mask), 2**32 - 1), (32, 0, 2**32 - 1)]  # fmt: skip
    packed = b"".join(struct.pack("<HHI", *tag) for tag in tags)
    os.setxattr(path, "system.posix_acl_access", struct.pack("<I", 2) + packed)


def build(share, client):
    for place, (owner, group, mode) in FOLDER_RIGHTS.items():
        (share / place).mkdir()
        os.chown(share / place, uid(owner), pwd.getpwnam(group).pw_gid)
        (share / place).chmod(mode)
    for place, owner, group, mode, how, *_ in FILES:
        make(share, place, owner, group, mode)
        if how.startswith("ACL"):
            aces = how.replace("{games}", str(uid("games")))
            client.set_acl(place, f"REVISION:1,{aces}")
        elif how.startswith("user"):
            add_entry(share / place, how)
        elif how.startswith("copy"):
            blob = os.getxattr(share / how.removeprefix("copy:"), "security.NTACL")
            os.setxattr(share / place, "security.NTACL", blob)


@pytest.fixture
def open_folder():
    """Not beneath pytest's own folder, which every other run of pytest closes to other accounts."""
    with tempfile.TemporaryDirectory(prefix="dlp-samba-") as folder:
        os.chmod(folder, 0o755)
        yield Path(folder)


def test_twenty_files_are_read_by_whom_dlp_says(open_folder):
    tmp_path = open_folder
    share, address = tmp_path / "share", f"127.{random.randint(1, 250)}.0.{random.randint(2, 250)}"
    share.mkdir()
    shares = sorted({place.partition("/")[0] for place, *_ in FILES})
    for name in shares:
        (share / name).mkdir()
    with samba(tmp_path / "samba", share, address) as client:
        build(share, client)
        opened = {(who, place) for who in (*PROBES, "guest") for name in shares
                  for place in read_by(client, who, name)}  # fmt: skip
    settings = Settings(exposure=Exposure(people=100, smb_conf=str(client.config)))
    exposures = Exposures(settings, [os.fsencode(share)])
    wrong = {}
    for place, *_, readers, reach, count in FILES:
        tried = " ".join(who for who in (*PROBES, "guest") if (who, place) in opened)
        seen = exposures.of(os.fsencode(share / place))
        answer = (tried, seen["exposure"], seen["readers"])
        if answer != (readers, reach, count):
            wrong[place] = (answer, (readers, reach, count))
    assert wrong == {}
    assert len(FILES) == 20


def read_by(client, who, share):
    names = [place.partition("/")[2] for place, *_ in FILES if place.startswith(f"{share}/")]
    for _ in range(5):
        found = client.names_read(who, share, names)
        if found is not None:
            break
        time.sleep(0.5)
    assert found is not None, (who, share)
    return {f"{share}/{name}" for name in found}
