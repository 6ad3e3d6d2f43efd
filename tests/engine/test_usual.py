"""Who says nothing about settings gets the defaults, as they were written down."""

import subprocess
import sys

import pytest

from dlp import usual
from dlp.cli.scan import settings_of
from dlp.config import Settings, load
from dlp.engine.order import limits_of, order_of
from dlp.resources import artefacts_folder

NOTHING = {"no_catalogue": True, "config": None, "profile": None, "engine": "local"}
HOW = {"full": False, "told": True, "values": False, "masks": False}
SCAN = """
import sys
from dlp.cli.main import main
main(["scan", sys.argv[1], "--no-catalogue", "--jobs", "1"], standalone_mode=False)
"""


def test_the_shipped_file_is_what_would_be_prepared():
    shipped = (artefacts_folder() / usual.FILE).read_bytes()
    assert usual.lines(load(None)) == shipped, "run: dlp rules prepare"


def test_they_are_the_defaults():
    told, own = usual.usual_settings(), load(None)
    assert told is not None
    for name in usual.SECTIONS:
        assert vars(getattr(told, name)) == dict(getattr(own, name))
    assert told.judging == own.judging
    assert told.jobs == own.jobs
    assert limits_of(told) == limits_of(own)
    assert order_of(told, **HOW) == order_of(own, **HOW)


def test_defaults_that_are_stated_otherwise_are_read(monkeypatch):
    monkeypatch.setattr(usual, "STATED_IN", ("errors.py",))
    assert usual.usual_settings() is None
    assert isinstance(settings_of(NOTHING), Settings)


@pytest.mark.parametrize(
    "said", [{"profile": "sokolova2009"}, {"no_catalogue": False}, {"engine": "dask:tcp://x:1"}]
)
def test_whoever_says_something_has_settings_checked(said):
    assert not isinstance(settings_of(NOTHING), Settings)
    assert isinstance(settings_of(NOTHING | said), Settings)


def test_a_scan_without_a_catalogue_checks_no_settings(tmp_path):
    (tmp_path / "a.txt").write_text("Nothing of interest.")
    program = SCAN.replace("main([", "sys.modules['pydantic'] = None\nmain([")
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path)], capture_output=True, text=True, check=False
    )
    assert "1 files: 1 read in full" in done.stderr, done.stderr
