"""Tests keep their state to themselves, and what a key decides is the same in every run."""

import os
import tempfile
from pathlib import Path

import pytest
from hypothesis import settings

from dlp.keys import use_site
from tests.support.keys import give_key

# A busy machine is no counterexample: what one example costs is the affair of the benchmarks.
settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")

# A scan keeps its key and its catalogue in the user's state folder; tests must not touch it.
os.environ["XDG_STATE_HOME"] = tempfile.mkdtemp(prefix="dlp-tests-")
give_key(Path(os.environ["XDG_STATE_HOME"]))


@pytest.fixture(autouse=True)
def _own_site():
    """Loading settings moves the state folder of the whole process: for one test, not for the next.

    A ledger begun under one key and continued under another is refused, as it should be.
    """
    yield
    use_site(None, None)
