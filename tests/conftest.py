"""Tests keep their state to themselves."""

import os
import tempfile

# A scan keeps its key and its catalogue in the user's state folder; tests must not touch it.
os.environ["XDG_STATE_HOME"] = tempfile.mkdtemp(prefix="dlp-tests-")
