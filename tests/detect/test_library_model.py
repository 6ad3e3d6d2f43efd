"""Any installed model is read with its own library."""

import subprocess
import sys

import pytest

from dlp.detect.naming.learned.library import SHARED as SHARED_LAYER
from dlp.detect.naming.learned.library import needless_in
from dlp.detect.naming.model_reader import installed

READS = """
from dlp.detect.naming.learned.library import load_library
from dlp.detect.naming.model_reader import installed
found = load_library(installed()).read(["Mary Smith lives in Boston."])
assert [entity.label for entity in found[0]] == ["PERSON", "GPE"], found
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
def test_the_library_reads_names():
    subprocess.run([sys.executable, "-c", READS], check=True)
