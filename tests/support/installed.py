"""The product as a wheel, installed in an environment of its own."""

import os
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def run(*command, timeout=600, **options):
    words = list(map(str, command))
    done = subprocess.run(
        words, capture_output=True, text=True, check=False, timeout=timeout, **options
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def wheel(folder: Path) -> Path:
    run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder, cwd=ROOT)
    (made,) = folder.glob("phi_share_dlp-*.whl")
    return made


def environment(folder: Path, package: Path, *, clean: bool) -> Path:
    """Install the wheel; the program. Unless clean, dependencies are borrowed from this Python."""
    venv.create(folder, with_pip=clean, symlinks=True)
    python = folder / "bin" / "python"
    if clean:
        run(python, "-m", "pip", "install", "--no-input", package, timeout=2400)
    else:
        version = f"python{sys.version_info.major}.{sys.version_info.minor}"
        site = folder / "lib" / version / "site-packages"
        (site / "borrowed.pth").write_text(sysconfig.get_path("purelib") + os.linesep)
        pip = [sys.executable, "-m", "pip", "--python", python]
        run(*pip, "install", "--no-deps", "--no-index", "--no-compile", package)
    return folder / "bin" / "dlp"
