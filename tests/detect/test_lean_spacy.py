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

SAME = """
import importlib, warnings
from dlp.detect.naming.lean_spacy import without_detours
from dlp.detect.naming.model_reader import NEEDLESS, installed
warnings.simplefilter("ignore")
package = importlib.import_module(installed())
plain = package.load(exclude=NEEDLESS)
with without_detours():
    quick = package.load(exclude=NEEDLESS)
assert quick.tokenizer.rules == plain.tokenizer.rules and quick.tokenizer.rules
assert sorted(quick.vocab.strings) == sorted(plain.vocab.strings)
text = "Dr. O'Neil can't see Mary-Ann Smith in St. John's at 5pm; she'll be in Boston, Mass., w/ Bob."
def told(language):
    return [(token.text, token.norm_, token.ent_type_) for token in language(text)]
assert told(quick) == told(plain)
from spacy.lang.en import English
assert English.Defaults.tokenizer_exceptions
"""


@pytest.mark.skipif(installed() is None, reason="no model is installed")
@pytest.mark.parametrize("program", [READS, AFTER, SAME])
def test_the_library_and_its_model_are_the_same(program):
    subprocess.run([sys.executable, "-c", program], check=True)
