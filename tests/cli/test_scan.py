"""`dlp scan` gives every file one record, whatever its name or content, and never a traceback."""

import json
import os
import socket
import sqlite3
import stat
import subprocess
import sys

import pytest
from click.testing import CliRunner

from dlp.cli import _catalogue_writer
from dlp.cli.main import main
from dlp.cli.scan import knows_nothing
from dlp.errors import StoreError
from dlp.store.migrations import open_database
from dlp.store.queries import one_file
from dlp.store.record_codec import grouped

HOSTILE_NAMES = [
    b"\xff\xfe.txt", b"new\nline.txt", b"esc\x1b[31m.txt", b"<img src=x onerror=1>.txt", b"-rf",
    b"quote'\".txt", "\u202etxt.exe".encode(), b"x" * 251 + b".txt", b"trailing ", b"dot.",
    "\U0001f600.txt".encode(), b"%00.txt",
]  # fmt: skip


def scan(*paths, options=()):
    result = CliRunner().invoke(
        main, ["scan", "--format", "jsonl", "--jobs", "1", *options, *map(str, paths)]
    )
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    lines = [line for line in result.stdout.splitlines() if line]
    return result, [json.loads(line) for line in lines]


def test_every_hostile_name_gets_one_record(tmp_path):
    for name in HOSTILE_NAMES:
        with open(os.path.join(os.fsencode(tmp_path), name), "wb") as out:
            out.write(b"plain text about gardens " + name)
    _, records = scan(tmp_path)
    paths = {
        os.path.basename(record["path"].encode("utf-8", "surrogateescape")) for record in records
    }
    assert paths == set(HOSTILE_NAMES)


def test_pipes_sockets_and_links_never_block_or_lead_out(tmp_path):
    share, outside = tmp_path / "share", tmp_path / "outside"
    share.mkdir()
    outside.mkdir()
    (outside / "secret.txt").write_text("not on the share")
    os.mkfifo(share / "report.pdf")
    (share / "link").symlink_to(outside)
    (share / "loop").symlink_to(share)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(share / "s"))
        result, records = scan(share)
    assert all(record["container"] == "possible" and record["gaps"] for record in records)
    assert not any("secret" in record["path"] for record in records)
    assert "Traceback" not in result.output


def test_a_copy_is_listed_with_its_original(tmp_path):
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text("the same words in both")
    _, records = scan(tmp_path)
    assert sorted(bool(record["duplicate_of"]) for record in records) == [False, True]


@pytest.mark.parametrize("content,code", [(b"", 0), (b"words", 0), (b"%PDF-1.7 broken", 3)])
def test_exit_code_tells_read_from_unread(tmp_path, content, code):
    (tmp_path / "f").write_bytes(content)
    assert scan(tmp_path)[0].exit_code == code


def test_an_unknown_format_is_a_usage_error(tmp_path):
    assert scan(tmp_path, options=["--format", "xml"])[0].exit_code == 2


def dlp(*arguments, **options):
    command = [sys.executable, "-m", "dlp", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, **options)


def test_values_are_refused_into_a_pipe_and_allowed_into_a_file_of_ones_own(tmp_path):
    (tmp_path / "f").write_text("Call Mrs Doe at (416) 555-0199 about it.")
    refused = dlp("scan", "--values", "--format", "jsonl", str(tmp_path / "f"))
    assert refused.returncode == 2
    assert "0199" not in refused.stdout + refused.stderr
    out = tmp_path / "found.jsonl"
    dlp("scan", "--values", "--format", "jsonl", "-o", str(out), str(tmp_path / "f"))
    assert any("0199" in found["text"] for found in json.loads(out.read_text())["findings"])
    assert out.stat().st_mode & 0o077 == 0


CPU_OF_HELP = """
import resource, runpy, sys
sys.argv = ["dlp", "--help"]
try:
    runpy.run_module("dlp")
except SystemExit:
    pass
used = resource.getrusage(resource.RUSAGE_SELF)
print("CPU", used.ru_utime + used.ru_stime)
"""


def test_help_costs_less_than_150_ms_of_cpu():
    """Heavy imports wait until a command runs."""
    runs = (
        subprocess.run(
            [sys.executable, "-c", CPU_OF_HELP], capture_output=True, text=True, check=True
        )
        for _ in range(3)
    )
    assert min(float(run.stdout.rsplit("CPU", 1)[1]) for run in runs) < 0.150


def test_a_share_that_another_program_has_judged_is_judged_ahead(tmp_path):
    """After an upgrade nothing counts that the catalogue holds: workers load at once."""
    where, share = tmp_path / "catalogue.db", tmp_path / "share"
    share.mkdir()
    (share / "note.txt").write_text("Call Mrs Doe at (416) 555-0190 about asthma.")
    asked = (os.fsencode(share),), {"catalogue": str(where)}
    scan(share, options=["--catalogue", str(where)])
    assert not knows_nothing(*asked)
    with sqlite3.connect(where, isolation_level=None) as catalogue:
        catalogue.execute("UPDATE judged SET version = 'by another' || substr(version, 11)")
    catalogue.close()
    assert knows_nothing(*asked)
    again, (record,) = scan(share, options=["--catalogue", str(where)])
    assert (again.exit_code, record["ms"] > 0) == (1, True)
    assert not knows_nothing(*asked)


def test_the_catalogue_tells_the_findings_of_a_scan_once_and_whole(tmp_path):
    share, where = tmp_path / "share", tmp_path / "catalogue.db"
    share.mkdir()
    (share / "note.txt").write_text("Mr John Smith, born 3 May 1960, has diabetes. " * 3)
    os.utime(share / "note.txt", (1, 1))
    _, (record,) = scan(share, options=["--catalogue", str(where)])
    database = open_database(where)
    why = one_file(database, 1)["why"]
    database.dispose()
    assert record["findings"]
    assert why["findings"] == grouped(record["findings"])
    assert why["counted"] == len(record["findings"])
    (share / "note.txt").unlink()
    scan(share, options=["--catalogue", str(where)])  # which finds it gone
    database = open_database(where)
    assert one_file(database, 1)["why"] == why
    database.dispose()


@pytest.mark.parametrize("table", ["details", "judged"])
@pytest.mark.parametrize("records", [1, 200])
def test_no_state_is_kept_without_its_verdict(tmp_path, monkeypatch, table, records):
    share, where = tmp_path / "share", tmp_path / "catalogue.db"
    share.mkdir()
    for name in "abc":
        (share / f"{name}.txt").write_text(f"plain text about gardens {name}")
    open_database(where).dispose()
    with sqlite3.connect(where) as catalogue:
        refuse = (
            f"CREATE TRIGGER refuse BEFORE INSERT ON {table} BEGIN SELECT RAISE(ABORT, 'x'); END"
        )
        catalogue.execute(refuse)
    catalogue.close()
    monkeypatch.setattr(
        _catalogue_writer, "COMMIT_RECORDS", records
    )  # while it goes on, or at its end
    result = CliRunner().invoke(
        main, ["scan", str(share), "--jobs", "1", "--catalogue", str(where)]
    )
    assert isinstance(result.exception, StoreError | SystemExit)
    assert result.exit_code
    with sqlite3.connect(where) as catalogue:
        for kept in ("files", "judged"):
            assert catalogue.execute(f"SELECT count(*) FROM {kept}").fetchone() == (0,)
    catalogue.close()


def test_output_goes_through_no_link_and_replaces_no_device(tmp_path, monkeypatch):
    """Somebody who may write in the folder could point the name at any file of ours."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    share, victim, link = tmp_path / "share", tmp_path / "victim", tmp_path / "out"
    share.mkdir()
    (share / "a.txt").write_text("minutes of the garden committee")
    victim.write_text("kept")
    link.symlink_to(victim)
    refused, _ = scan(share, options=["--no-catalogue", "-o", str(link)])
    assert refused.exit_code == StoreError.exit_code
    assert "is a link" in refused.output
    assert victim.read_text() == "kept"
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    scan(share, options=["--no-catalogue", "-o", str(pipe)])
    assert stat.S_ISFIFO(pipe.lstat().st_mode)
    assert b"a.txt" in os.read(reader, 10_000)
    os.close(reader)
