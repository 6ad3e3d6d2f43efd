"""The Debian package as dpkg installs it: on a copy of this machine's root that is thrown away."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SYSTEM = Path(f"/usr/bin/python3.{sys.version_info.minor}")
TRY = """
set -e
mount -t overlay overlay -o lowerdir=/,upperdir=$1/up,workdir=$1/work $1/root
mount -t proc proc $1/root/proc
mount --rbind /dev $1/root/dev
cp "$2" $1/root/dlp.deb
exec chroot $1/root /bin/sh -c "$3"
"""
WALK = """
set -e
export HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin
dpkg --force-depends -i /dlp.deb
cd /
dlp --version
dlp demo < /dev/null
dlp watch --help > /dev/null
dlp doctor || true
test "$(stat -c %a:%s /etc/dlp/vault.key)" = 600:32
test -s /usr/share/man/man1/dlp.1.gz
test -s /usr/share/bash-completion/completions/dlp
test -s /usr/share/doc/dlp/docs/runbooks/DlpDown.md
test -s /usr/share/doc/dlp/dashboards/dlp-health.json
dlp config check --config /usr/share/doc/dlp/dlp.toml.example
mkdir -p /srv/shares/one && echo "Patient Jane Miller, MRN 4711223, has asthma." > /srv/shares/one/a.txt
dlp watch --once /srv/shares/one
dlp rank --by file
mkdir -m 777 /tmp/anybody
export HOME=/tmp/anybody
unset XDG_STATE_HOME
COMMAND="/usr/bin/dlp scan --no-catalogue --format jsonl --jobs 1 /srv/shares/one"
runuser -u nobody -- $(head -n 1 /usr/bin/dlp | cut -c 3-) -v $COMMAND > /tmp/record 2> /tmp/imports || true
grep -q '"container": "phi"' /tmp/record || { tail -n 30 /tmp/imports >&2; exit 1; }
grep -q known_code /tmp/imports
if grep "code object from '/usr/lib/dlp/.*[.]py'" /tmp/imports; then exit 1; fi
dpkg -r dlp
test ! -e /usr/bin/dlp
test ! -e /usr/lib/dlp
test -s /etc/dlp/vault.key
"""


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_dpkg_installs_a_program_that_works_and_leaves_the_keys(tmp_path):
    """One who may write nowhere in it compiles nothing at a start, and a removal leaves nothing."""
    if os.geteuid() or not shutil.which("dpkg-deb") or not SYSTEM.exists():
        pytest.skip("needs root, dpkg and Debian's own Python of this version")
    # A tmpfs or another overlay cannot carry the upper layer everywhere: then say so.
    for name in ("up", "work", "root"):
        (tmp_path / name).mkdir()
    probe = f"mount -t overlay o -o lowerdir=/,upperdir={tmp_path}/up,workdir={tmp_path}/work {tmp_path}/root"
    tried = subprocess.run(["unshare", "-m", "sh", "-c", probe], capture_output=True, check=False)
    if tried.returncode:
        pytest.skip("no overlay can be mounted here")
    given = os.environ.get("DLP_DEB")  # one that was built already
    made = given or subprocess.run(
        [ROOT / "systemd" / "build-deb", sys.executable], cwd=ROOT, capture_output=True, text=True,
        check=True,
    ).stdout.split()[-1]  # fmt: skip
    done = subprocess.run(
        ["unshare", "-m", "--propagation", "private", "bash", "-c", TRY, "try", tmp_path, ROOT / made, WALK],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    assert "privacy = how surely" in done.stdout
    assert "a.txt" in done.stdout
