"""Versions are the same whoever asks, and cost a scan next to nothing."""

import subprocess
import sys

import pytest

from dlp.config import Settings
from dlp.engine import verdict_version as module
from dlp.engine.verdict_version import (
    MARK,
    Program,
    Versions,
    verdict_version,
)

KEY = b"k" * 32
ASK = """
import sys
from dlp.config import Settings
from dlp.engine.verdict_version import Versions, verdict_version
versions = Versions(Settings(), full=False, key=b"k" * 32)
print(verdict_version(Settings()), versions.first, versions.deep)
heavy = {"numpy", "dlp.assembly", "dlp.detect.naming.mentions"} & set(sys.modules)
sys.exit(bool(heavy))
"""
STORE = """
import sys
import dlp.cli._catalogue_writer, dlp.engine.unchanged_files
heavy = {"numpy", "dlp.assembly", "sqlalchemy.dialects.postgresql"} & set(sys.modules)
sys.exit(str(heavy) if heavy else 0)
"""


def test_a_process_without_detectors_tells_the_same_versions():
    done = subprocess.run([sys.executable, "-c", ASK], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    versions = Versions(Settings(), full=False, key=KEY)
    assert done.stdout.split() == [verdict_version(Settings()), versions.first, versions.deep]


def test_what_keeps_verdicts_imports_no_detector_and_no_other_database():
    done = subprocess.run([sys.executable, "-c", STORE], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr


def versions_of(program, **settings):
    return Versions(Settings(**settings), full=False, key=KEY, program=program)


def test_a_version_begins_as_its_program_says_whatever_the_settings_are():
    program = Program()
    usual = versions_of(program)
    other = versions_of(program, decode={"max_depth": 3})
    assert usual.present.isdisjoint(other.present)
    for versions in (usual, other):
        assert {version[:MARK] for version in versions.present} == program.marks()
        assert {len(version) for version in versions.present} == {32}


@pytest.mark.parametrize("changed, same", [("decode", ()), ("detect", ("first",))])
def test_another_program_gives_other_versions(changed, same, monkeypatch, tmp_path):
    before = Program()
    marks, versions = before.marks(), versions_of(before)
    assert versions_of(Program()).present == versions.present
    (tmp_path / "one_more.py").write_text("pass\n")
    plainly = module.sources
    monkeypatch.setattr(
        module,
        "sources",
        lambda folders: (
            [*plainly(folders), *tmp_path.glob("*.py")] if changed in folders else plainly(folders)
        ),
    )
    after = Program()
    now = versions_of(after)
    assert now.deep != versions.deep
    assert (now.first == versions.first) == ("first" in same)
    assert len(marks & after.marks()) == len(same)
