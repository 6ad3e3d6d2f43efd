"""Any installed model is read with its own library."""

import pytest

from dlp.detect.naming.model_reader import SHARED as SHARED_LAYER
from dlp.detect.naming.model_reader import installed, load_model, needless_in

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
    found = load_model().read(["Mary Smith lives in Boston.", "", "x" * 300])
    assert [[entity.what for entity in one] for one in found] == [["person", "place"], [], []]
