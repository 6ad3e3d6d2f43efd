"""Thirty mistakes of tired people: each answered by what, where and what to do; no traceback."""

import os
import socket
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

import dlp
from dlp.cli.main import main


@pytest.fixture(autouse=True)
def services(tmp_path, monkeypatch):
    """Some files to get wrong, and a state folder of one's own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("STATE_DIRECTORY", "")
    Path("share").mkdir()
    Path("share/a.txt").write_text("hello\n")
    Path("t.csv").write_text("name,age\nAnn,1\nBob,2\n")
    Path("plain").write_text("x\n")
    write("bad.toml", "[detect\nmodel = 1\n")
    write("typo.toml", '[detect]\nmodle = "auto"\n[acquire]\nnice = "x"\n')
    write("names.toml", '[[share]]\nname = "Ward A"\npath = "srv"\n')
    write("open.toml", "")
    os.chmod("open.toml", 0o666)
    write("short.toml", '[keys]\nfingerprint = "short.key"\n')
    write("short.key", "abc")
    return tmp_path


def write(name, text):
    Path(name).write_text(text)
    os.chmod(name, 0o600)


MISTAKES = [
    # what was typed                                            exit  what the answer says
    ("scna share",                                                 2, ["scna", "Did you mean scan"]),
    ("scan",                                                       2, ["PATHS"]),
    ("scan nowhere",                                               2, ["nowhere", "does not exist"]),
    ("scan share --fromat csv",                                    2, ["--fromat", "--format"]),
    ("scan share --format xml",                                    2, ["--format", "jsonl"]),
    ("scan share --jobs 0",                                        2, ["--jobs"]),
    ("scan share --profile nosuch",                               12, ["nosuch", "sokolova2009"]),
    ("scan share --config bad.toml",                              11, ["bad.toml", "line 1"]),
    ("scan share --config typo.toml",                             11, ["detect.model", "acquire.nice"]),
    ("scan share --config missing.toml",                           2, ["missing.toml"]),
    ("scan share --no-catalogue -o no/such/out.jsonl",            13, ["no/such", "folder"]),
    ("scan share --no-catalogue -o share",                        13, ["share", "not a folder"]),
    ("scan share --catalogue postgresql://x@127.0.0.1:1/none",    13, ["127.0.0.1:1", "server runs"]),
    ("scan share --config short.toml --no-catalogue",             11, ["short.key"]),
    ("rank --catalogue nowhere.db",                               13, ["nowhere.db", "dlp scan"]),
    ("rank --by owner",                                            2, ["owner", "folder"]),
    ("explain nowhere.txt",                                        2, ["nowhere.txt"]),
    ("explain share",                                              2, ["share", "directory"]),
    ("sanitise share/a.txt -o share/a.txt",                        2, ["original"]),
    ("sanitise share/a.txt -o out.txt --alpha 9",                  2, ["1 to 4"]),
    ("sanitise share/a.txt t.csv t.csv -o out",                    2, ["same name"]),
    ("anonymise t.csv -o o.csv --k 50",                           16, ["50", "2 rows", "smaller k"]),
    ("anonymise t.csv -o o.csv --k 2 --quasi agee",               16, ["agee", "did you mean: age"]),
    ("anonymise t.csv -o o.pdf",                                   2, [".csv"]),
    ("anonymise plain -o o.csv",                                  16, ["plain", ".csv"]),
    ("verify share/a.txt plain",                                   1, ["certificate"]),
    ("knowledge show diabetis",                                    2, ["did you mean", "Diabetes"]),
    ("knowledge import plain",                                    12, ["line 1", "nothing was imported"]),
    ("quarantine show 99",                                        13, ["99", "dlp quarantine list"]),
    ("watch",                                                     11, ["no share", "[[share]]"]),
    ("watch --config missing.toml",                               11, ["missing.toml"]),
    ("watch --config names.toml",                                 11, ["small letters", "whole path"]),
    ("quarantine list --config open.toml",                        11, ["open.toml"]),
    ("config check typo.toml",                                    11, ["did you mean detect.model"]),
    ("evaluate share plain",                                      11, ["plain", "tabs"]),
    ("rules check --folder share",                                12, ["share", "rules"]),
]  # fmt: skip


@pytest.mark.parametrize("typed, code, says", MISTAKES, ids=[m[0] for m in MISTAKES])
def test_the_answer_helps(typed, code, says):
    result = CliRunner().invoke(main, typed.split())
    assert result.exit_code == code, result.output
    assert result.exception is None or isinstance(result.exception, SystemExit)
    for words in says:
        assert words in result.output


def test_a_full_disk_is_named():
    result = CliRunner().invoke(
        main, ["scan", "share", "--no-catalogue", "--format", "jsonl", "-o", "/dev/full"]
    )
    assert result.exit_code == 13, result.output
    assert "no space left" in result.output


def test_a_database_of_a_later_release_is_left_alone(tmp_path):
    path = tmp_path / "later.db"
    CliRunner().invoke(main, ["scan", "share", "--catalogue", str(path)])
    with sqlite3.connect(path) as database:
        database.execute("UPDATE about SET value = '999' WHERE key = 'version'")
    before = path.read_bytes()
    result = CliRunner().invoke(main, ["rank", "--catalogue", str(path)])
    assert result.exit_code == 13, result.output
    assert "newer" in result.output or "later" in result.output
    assert path.read_bytes() == before


def test_a_file_that_is_no_database_is_left_alone():
    write("notes.db", "these are my notes, and they are longer than a header" * 20)
    result = CliRunner().invoke(main, ["rank", "--catalogue", "notes.db"])
    assert result.exit_code == 13, result.output
    assert "notes.db" in result.output
    assert Path("notes.db").read_text().startswith("these are my notes")


def test_a_port_that_is_taken(tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        write(
            "port.toml",
            f'[[share]]\nname="ward"\npath="{tmp_path}/share"\n[telemetry]\nport={port}\n',
        )
        # A process of its own: the daemon's workers are forked before the port is tried.
        command = [sys.executable, "-m", "dlp", "watch", "--once", "--config", "port.toml"]
        tree = {**os.environ, "PYTHONPATH": str(Path(dlp.__file__).parents[1])}
        result = subprocess.run(command, capture_output=True, text=True, env=tree, check=False)
    assert result.returncode == 11, result.stderr
    assert str(port) in result.stderr
    assert "Traceback" not in result.stderr


def test_a_word_nobody_knows_is_said_to_be_unknown():
    result = CliRunner().invoke(
        main, ["sanitise", "share/a.txt", "-o", "out.txt", "--protect", "zzgrblfx"]
    )
    assert result.exit_code == 16, result.output
    assert "nothing is known about the topic 'zzgrblfx'" in result.output
