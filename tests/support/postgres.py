"""A PostgreSQL cluster of the test's own, on a unix socket in a temporary folder."""

import glob
import os
import shutil
import subprocess
import tempfile
from contextlib import contextmanager
from pathlib import Path

import pytest


def tool(name):
    found = [shutil.which(name), *sorted(glob.glob(f"/usr/lib/postgresql/*/bin/{name}"))]
    return next(filter(None, found), None)


@contextmanager
def postgres():
    """Gives the address; skips, and says so, where there is no server to start."""
    if tool("initdb") is None:
        pytest.skip("no PostgreSQL here")
    base = Path(tempfile.mkdtemp())
    user = {"user": "nobody"} if os.geteuid() == 0 else {}  # the server refuses to run as root
    if user:
        shutil.chown(base, "nobody")
    environment = {"PATH": os.environ["PATH"], "LC_ALL": "C"}

    def run(*command):
        subprocess.run(command, check=True, capture_output=True, cwd="/", env=environment, **user)

    where = ["-D", str(base / "db")]
    try:
        run(tool("initdb"), *where, "--no-sync", "-E", "UTF8", "-A", "trust", "-U", "dlp")
        options = f"-c listen_addresses='' -k {base} -c fsync=off"
        run(tool("pg_ctl"), *where, "-w", "-o", options, "-l", str(base / "log"), "start")
        yield f"postgresql://dlp@/postgres?host={base}"
        run(tool("pg_ctl"), *where, "-m", "immediate", "stop")
    finally:
        shutil.rmtree(base)
