"""The doctor sees what is really there, and says no when a verdict could not be trusted."""

import json

import pytest
from click.testing import CliRunner

from dlp import selftest
from dlp.cli.doctor import command
from dlp.decode.sandbox import Confinement
from dlp.selftest import Check, State


def run(*arguments):
    done = CliRunner().invoke(command, list(arguments))
    assert done.exception is None or isinstance(done.exception, SystemExit)
    return done


def test_this_machine_is_fit():
    done = run("--json")
    told = json.loads(done.output)
    assert [check for check in told["checks"] if check["state"] == "fail"] == []
    assert told["healthy"]
    assert done.exit_code == 0
    names = {check["name"] for check in told["checks"]}
    assert names >= {"python", "kernel", "sandbox", "workers", "libmagic", "rules", "tesseract"}
    assert sum(name.startswith("probe ") for name in names) == 9


def test_people_get_one_line_a_check():
    lines = run().output.splitlines()
    assert len(lines) == 1 + len(list(selftest.checks()))
    assert lines[-1].endswith("0 fail")


def test_an_open_sandbox_fails(monkeypatch):
    monkeypatch.setattr("dlp.decode.probes.confine", lambda limits: Confinement(()))
    done = run("--json")
    assert done.exit_code == 1
    failed = {c["name"] for c in json.loads(done.output)["checks"] if c["state"] == "fail"}
    assert {"probe read", "probe write", "probe execute"} <= failed


def test_changed_knowledge_fails(monkeypatch, tmp_path):
    source = next(selftest.artefacts_folder().glob("*.bin"))
    changed = bytearray(source.read_bytes())
    changed[-1] ^= 1
    (tmp_path / source.name).write_bytes(changed)
    pinned = source.with_suffix(".json")
    (tmp_path / pinned.name).write_bytes(pinned.read_bytes())
    for module in (selftest, selftest.artefact):
        monkeypatch.setattr(module, "artefacts_folder", lambda: tmp_path)
    (check,) = selftest.knowledge()
    assert check.state is State.FAIL
    assert "damaged" in check.detail


def test_no_knowledge_fails(monkeypatch, tmp_path):
    monkeypatch.setattr(selftest, "artefacts_folder", lambda: tmp_path)
    (check,) = selftest.knowledge()
    assert check.state is State.FAIL


@pytest.mark.parametrize(
    "value, state", [("8192", State.WARN), ("1048576", State.OK), ("x", State.WARN)]
)
def test_low_watch_limits_are_told(monkeypatch, tmp_path, value, state):
    for name in ("max_user_watches", "max_queued_events"):
        (tmp_path / name).write_text(value)
    monkeypatch.setattr(selftest, "INOTIFY", tmp_path)
    assert {check.state for check in selftest.watching()} == {state}


def test_what_is_optional_only_warns(monkeypatch):
    monkeypatch.setattr("ctypes.util.find_library", lambda name: None)
    monkeypatch.setattr("shutil.which", lambda name: None)
    monkeypatch.setattr(selftest, "installed", lambda: None)
    assert selftest.tesseract().state is State.WARN
    assert selftest.language_model().state is State.WARN
    assert isinstance(selftest.kernel(), Check)
