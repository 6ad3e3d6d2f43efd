"""The units start the daemon with no more rights than it needs, and systemd agrees."""

import configparser
import re
import shutil
import subprocess
from pathlib import Path

import pytest

FOLDER = Path("systemd")
ANALYSE = shutil.which("systemd-analyze")
needs_systemd = pytest.mark.skipif(ANALYSE is None, reason="systemd-analyze is not installed")


class Repeating(dict):
    """A unit may say a key several times."""

    def __setitem__(self, key, value):
        if key in self and isinstance(value, list):
            self[key].extend(value)
        else:
            super().__setitem__(key, value)


def unit(name):
    parser = configparser.RawConfigParser(dict_type=Repeating, strict=False)
    parser.optionxform = str
    parser.read(FOLDER / name)
    return {
        section: {
            key: "\n".join(value) if isinstance(value, list) else value
            for key, value in parser.items(section)
        }
        for section in parser.sections()
    }


def test_the_service_is_watched_and_told_to_stop_politely():
    service = unit("dlp.service")["Service"]
    assert service["Type"] == "notify"
    assert int(service["WatchdogSec"]) > 0
    assert "-HUP" in service["ExecReload"]
    assert service["KillMode"] == "mixed"
    assert service["User"] == "dlp"


def test_secrets_come_as_credentials():
    credentials = unit("dlp.service")["Service"]["LoadCredential"].split("\n")
    assert {one.partition(":")[0] for one in credentials} == {
        "fingerprint-key", "vault-key", "ledger-key",
    }  # fmt: skip


def test_the_workers_may_still_build_their_walls():
    allowed = unit("dlp.service")["Service"]["SystemCallFilter"]
    needed = {"landlock_create_ruleset", "landlock_add_rule", "landlock_restrict_self", "seccomp"}
    assert needed <= set(allowed.split())


def test_nothing_read_reaches_swap_or_a_core():
    service = unit("dlp.service")["Service"]
    assert (service["LimitCORE"], service["MemorySwapMax"]) == ("0", "0")


def test_the_service_reaches_loopback_only():
    service = unit("dlp.service")["Service"]
    assert (service["IPAddressDeny"], service["IPAddressAllow"]) == ("any", "localhost")


def test_who_sends_reaches_no_share_and_who_reaches_shares_sends_nothing():
    sender = unit("dlp-notify.service")["Service"]
    assert "/srv" in sender["InaccessiblePaths"]
    assert "vault" in sender["InaccessiblePaths"]
    assert sender["CapabilityBoundingSet"] == ""
    assert "LoadCredential" not in sender


def test_timer_and_service_belong_together():
    assert "OnCalendar" in unit("dlp-sweep.timer")["Timer"]
    assert "reload dlp.service" in unit("dlp-sweep.service")["Service"]["ExecStart"]


def test_user_and_folders():
    user = (FOLDER / "sysusers.d" / "dlp.conf").read_text()
    assert re.search(r"^u dlp - .* /usr/sbin/nologin$", user, re.MULTILINE)
    folders = (FOLDER / "tmpfiles.d" / "dlp.conf").read_text()
    assert re.search(r"^d /var/lib/dlp\s+0700 dlp\s+dlp", folders, re.MULTILINE)


@needs_systemd
@pytest.mark.parametrize("name", ["dlp.service", "dlp-notify.service"])
def test_exposure(name):
    report = subprocess.run(
        [ANALYSE, "security", "--offline=true", "--no-pager", FOLDER / name],
        capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    level = float(re.search(r"Overall exposure level for \S+: ([\d.]+)", report)[1])
    assert level <= 2.0


@needs_systemd
@pytest.mark.parametrize("name", [path.name for path in sorted(FOLDER.glob("dlp*"))])
def test_verify(name, tmp_path):
    for source in FOLDER.glob("dlp*"):
        text = source.read_text().replace("/usr/bin/dlp", "/bin/true")  # installed elsewhere here
        (tmp_path / source.name).write_text(text.replace("/usr/bin/systemctl", "/bin/true"))
    answer = subprocess.run(
        [ANALYSE, "verify", "--man=no", tmp_path / name],
        capture_output=True,
        text=True,
        check=False,
    )
    complaints = [line for line in answer.stderr.splitlines() if "dlp" in line]
    assert not complaints
