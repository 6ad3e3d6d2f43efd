"""The model's library comes without its commands, reads the same, and gives them to who asks."""

import subprocess
import sys

import pytest

from dlp.detect.naming.model_reader import installed

READS = """
import sys
from dlp.detect.naming.model_reader import load_model
found = load_model().read(["Mary Smith lives in Boston."])
assert [entity.what for entity in found[0]] == ["person", "place"], found
assert not [name for name in sys.modules if name.startswith("spacy.cli")]
import spacy.cli
assert callable(spacy.cli.download) and spacy.cli.__file__
"""
AFTER = """
import sys, spacy.cli
from dlp.detect.naming.lean_spacy import without_commands
before = sys.modules["spacy.cli"]
with without_commands():
    assert sys.modules["spacy.cli"] is before
assert sys.modules["spacy.cli"] is before
"""


@pytest.mark.skipif(installed() is None, reason="no model is installed")
@pytest.mark.parametrize("program", [READS, AFTER])
def test_commands_are_left_out_until_asked_for(program):
    subprocess.run([sys.executable, "-c", program], check=True)
