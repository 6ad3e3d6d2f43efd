"""Tests keep their state to themselves, and what a key decides is the same in every run."""

import os
import tempfile
from pathlib import Path

from hypothesis import settings

from tests.support.keys import give_key

# A busy machine is no counterexample: what one example costs is the affair of the benchmarks.
settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")

# A scan keeps its key and its catalogue in the user's state folder; tests must not touch it.
os.environ["XDG_STATE_HOME"] = tempfile.mkdtemp(prefix="dlp-tests-")
give_key(Path(os.environ["XDG_STATE_HOME"]))
