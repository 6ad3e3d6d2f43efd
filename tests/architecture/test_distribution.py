"""No page or hint installs another project's package: "dlp" on the registry is not this one."""

import re
import subprocess
import tomllib
from pathlib import Path

NAME = "phi-share-dlp"
ROOT = Path(__file__).parents[2]
# After "pip install" and its options, up to the end of the command.
INSTALLS = re.compile(r"\bpip3?\s+install\s+([^\n`|;,]*)")
STRANGER = re.compile(r"(?:^|[\s'\"])dlp(?:\[[^\]]*\])?(?=$|[\s'\"=<>~!])")


def tracked():
    listed = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    for name in listed.stdout.splitlines():
        path = ROOT / name
        if path.is_file() and path.suffix in {".md", ".py", ".toml", ".html", ".service", ".1", ""}:
            yield name, path.read_text(encoding="utf-8", errors="replace")


def test_no_page_or_hint_installs_a_package_of_another_name():
    told = [
        f"{name}: {found[0].strip()}"
        for name, text in tracked()
        if name != "tests/architecture/test_distribution.py"
        for found in INSTALLS.finditer(text)
        if STRANGER.search(found[1])
    ]
    assert told == []


def test_the_pattern_finds_what_it_should():
    for asked in ("dlp", "'dlp[console]'", '-U "dlp==1.0"'):
        bad = f"pip install {asked}"
        assert STRANGER.search(INSTALLS.search(bad)[1]), bad
    for good in ("pip install 'phi-share-dlp[console]'", "pip install --find-links dist x"):
        assert not STRANGER.search(INSTALLS.search(good)[1]), good


def test_the_distribution_has_its_own_name_and_the_command_keeps_its():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["name"] == NAME
    assert list(project["scripts"]) == ["dlp"]
