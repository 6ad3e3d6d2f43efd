"""The model's library comes without its commands, reads the same, and gives them to who asks."""

import subprocess
import sys

import pytest

from dlp.detect.naming.learned.library import SHARED as SHARED_LAYER
from dlp.detect.naming.learned.library import needless_in
from dlp.detect.naming.model_reader import installed

READS = """
import sys
from dlp.detect.naming.learned.library import load_library
from dlp.detect.naming.model_reader import installed
found = load_library(installed()).read(["Mary Smith lives in Boston."])
assert [entity.label for entity in found[0]] == ["PERSON", "GPE"], found
assert not [name for name in sys.modules if name.startswith("spacy.cli")]
import spacy.cli
assert callable(spacy.cli.download) and spacy.cli.__file__
"""
AFTER = """
import sys, spacy.cli
from dlp.detect.naming.learned.lean_spacy import without_commands
before = sys.modules["spacy.cli"]
with without_commands():
    assert sys.modules["spacy.cli"] is before
assert sys.modules["spacy.cli"] is before
"""

SAME = """
import importlib, warnings
from dlp.detect.naming.learned.lean_spacy import without_detours
from dlp.detect.naming.learned.library import NEEDLESS, Path, needless_in
from dlp.detect.naming.model_reader import installed
warnings.simplefilter("ignore")
package = importlib.import_module(installed())
plain = package.load(exclude=NEEDLESS)
with without_detours():
    quick = package.load(exclude=needless_in(Path(package.__file__)))
assert quick.tokenizer.rules == plain.tokenizer.rules and quick.tokenizer.rules
assert set(quick.vocab.strings) < set(plain.vocab.strings)
text = "Dr. O'Neil can't see Mary-Ann Smith in St. John's at 5pm; she'll be in Boston, Mass., w/ Bob."
def told(language):
    return [(token.text, token.norm_, token.ent_type_) for token in language(text)]
assert told(quick) == told(plain)
from spacy.lang.en import English
assert English.Defaults.tokenizer_exceptions
"""
UNSWEPT = """
import gc
from dlp.detect.naming.learned.library import load_library
from dlp.detect.naming.model_reader import installed
gc.disable()
load_library(installed())
assert not gc.isenabled()
import srsly
srsly.msgpack_loads(srsly.msgpack_dumps([1]))
assert gc.isenabled()
"""
SHARED = "[components.ner.model]\nwidth = 1\n\n[components.tok2vec.model]\nwidth = 1\n"
LISTENING = '\n[components.tagger.model.tok2vec]\n@architectures = "spacy.Tok2VecListener.v1"\n'


def test_a_shared_layer_stays_where_the_names_come_from_it(tmp_path):
    package = tmp_path / "__init__.py"
    assert SHARED_LAYER not in needless_in(package)  # nobody knows
    (tmp_path / "model-1.0").mkdir()
    config = tmp_path / "model-1.0" / "config.cfg"
    config.write_text(SHARED + LISTENING)
    assert SHARED_LAYER in needless_in(package)  # only one that is left out listens
    config.write_text(SHARED + LISTENING.replace("tagger", "ner"))
    assert SHARED_LAYER not in needless_in(package)
    config.write_text(SHARED + LISTENING.replace("tagger", "unheard_of"))
    assert SHARED_LAYER not in needless_in(package)


@pytest.mark.skipif(installed() is None, reason="no model is installed")
@pytest.mark.parametrize("program", [READS, AFTER, SAME, UNSWEPT])
def test_the_library_and_its_model_are_the_same(program):
    subprocess.run([sys.executable, "-c", program], check=True)
