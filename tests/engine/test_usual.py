"""Who says nothing about settings gets the defaults, as they were written down."""

import subprocess
import sys

import pytest

from dlp import usual
from dlp.cli.scan import settings_of
from dlp.config import Settings, load
from dlp.engine.order import limits_of, order_of
from dlp.engine.versions import Versions, verdict_version
from dlp.resources import artefacts_folder

NOTHING = {"no_catalogue": True, "config": None, "profile": None, "engine": "local"}
HOW = {"full": False, "told": True, "values": False, "masks": False}
SCAN = """
import sys
sys.modules["pydantic"] = sys.modules["sqlalchemy"] = None  # whoever imports them fails
from dlp.cli.main import main
main(["scan", *sys.argv[1:], "--jobs", "1"], standalone_mode=False)
"""


def test_the_shipped_file_is_what_would_be_prepared():
    shipped = (artefacts_folder() / usual.FILE).read_bytes()
    assert usual.lines(load(None)) == shipped, "run: dlp rules prepare"


def test_they_are_the_defaults():
    told, own = usual.usual_settings(), load(None)
    assert told is not None
    for name in usual.SECTIONS:
        assert vars(getattr(told, name)) == dict(getattr(own, name))
        assert str(getattr(told, name)) == str(getattr(own, name))
    assert told.judging == own.judging
    assert told.jobs == own.jobs
    assert limits_of(told) == limits_of(own)
    assert order_of(told, **HOW) == order_of(own, **HOW)


def test_defaults_that_are_stated_otherwise_are_read(monkeypatch):
    monkeypatch.setattr(usual, "STATED_IN", ("errors.py",))
    assert usual.usual_settings() is None
    assert isinstance(settings_of(NOTHING), Settings)


@pytest.mark.parametrize("said", [{"profile": "sokolova2009"}, {"engine": "dask:tcp://x:1"}])
def test_whoever_says_something_has_settings_checked(said):
    assert not isinstance(settings_of(NOTHING), Settings)
    assert isinstance(settings_of(NOTHING | said), Settings)


def test_verdicts_rest_on_the_same_whether_settings_were_read_or_prepared():
    told, own = usual.usual_settings(), load(None)
    assert told is not None
    for full in (False, True):
        versions = [Versions(one, full=full, key=b"k" * 32) for one in (told, own)]
        assert versions[0].present == versions[1].present
    assert verdict_version(told) == verdict_version(own)


@pytest.mark.parametrize("said", [["--no-catalogue"], ["--catalogue", "c.db"]])
def test_a_scan_checks_no_settings_and_puts_no_sql_together(said, tmp_path):
    share = tmp_path / "share"
    share.mkdir()
    (share / "a.txt").write_text("Nothing of interest.")
    for _ in range(2):  # a new catalogue, and one that knows the file
        done = subprocess.run(
            [sys.executable, "-c", SCAN, str(share), *said],
            capture_output=True, text=True, check=False, cwd=tmp_path,
        )  # fmt: skip
        assert "1 files: 1 read in full" in done.stderr, done.stderr
    assert (tmp_path / "c.db").exists() is ("c.db" in said)
