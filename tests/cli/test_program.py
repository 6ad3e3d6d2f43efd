"""The program ends with the right code, all of its records written."""

import os
import subprocess
import sys

from click.testing import CliRunner

from dlp.cli.main import GROUPS, main
from dlp.errors import ConfigError, DlpError


def scan(*arguments):
    command = [sys.executable, "-m", "dlp", "scan", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_records_and_code_arrive_whole(tmp_path):
    (tmp_path / "note.txt").write_text("Patient: Mary Smith, MRN 48213377, has asthma.\n" * 3)
    done = scan(str(tmp_path), "--no-catalogue", "--format", "jsonl")
    assert done.stdout.count("\n") == 1
    assert '"container": "phi"' in done.stdout
    assert (done.returncode, "1 files" in done.stderr) == (1, True)


def test_a_mistake_is_told_as_ever_and_leaves_nobody_behind(tmp_path):
    done = scan(str(tmp_path / "missing"), "--no-catalogue")
    assert (done.returncode, "does not exist" in done.stderr) == (2, True)
    bad = tmp_path / "dlp.toml"
    bad.write_text("[decode]\nwall = 1\n")
    done = scan(str(tmp_path), "--no-catalogue", "--config", str(bad))
    assert done.returncode == ConfigError.exit_code
    assert "decode.wall: no such setting" in done.stderr


def test_an_option_that_only_looks_like_one_changes_nothing(tmp_path):
    share = tmp_path / "share"
    share.mkdir()
    (share / "note.txt").write_text("hello\n")
    environment = {**os.environ, "XDG_STATE_HOME": str(tmp_path / "state")}
    command = [sys.executable, "-m", "dlp", "scan", str(share), "-o", "--no-catalogue"]
    done = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "--no-catalogue").exists()


def test_help_groups_every_command_and_names_the_exit_codes():
    told = CliRunner().invoke(main, ["--help"]).output
    for title in GROUPS:
        assert f"\n{title}:\n" in told
    for name in main.list_commands(None):
        assert f"\n  {name} " in told
    for code in sorted({kind.exit_code for kind in DlpError.__subclasses__()}):
        assert 10 <= code <= 19
    assert "130 interrupted" in told
    assert "\n  dlp scan /srv/share" in told.replace("    dlp", "  dlp")
