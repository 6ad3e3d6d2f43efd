"""A file that was hashed ahead is refused or taken as any other, and no thread is left behind."""

import threading

import numpy as np
import pytest

from dlp.errors import KnowledgeError
from dlp.knowledge import artefact
from dlp.knowledge.ahead import ahead
from dlp.knowledge.artefact import load, write, write_manifest_entry


@pytest.fixture
def folder(tmp_path):
    digest = write(tmp_path / "small.bin", {"numbers": np.arange(9)}, {})
    write_manifest_entry(tmp_path, "small", digest)
    yield tmp_path
    ahead().end()


def test_what_was_hashed_ahead_is_not_hashed_again(folder, monkeypatch):
    plain = load("small", folder)
    before = threading.active_count()
    ahead().begin([folder / "small.bin", folder / "missing.bin"])
    monkeypatch.setattr(artefact, "mapped", None)  # nobody maps it a second time
    taken = load("small", folder)
    assert taken.sha256 == plain.sha256
    assert taken["numbers"].tolist() == plain["numbers"].tolist()
    ahead().end()
    assert threading.active_count() == before


def test_a_damaged_file_is_refused_all_the_same(folder):
    raw = bytearray((folder / "small.bin").read_bytes())
    raw[-1] ^= 1
    (folder / "small.bin").write_bytes(raw)
    ahead().begin([folder / "small.bin"])
    with pytest.raises(KnowledgeError, match="damaged"):
        load("small", folder)


def test_a_missing_file_is_named_by_who_loads_it(folder):
    ahead().begin([folder / "missing.bin"])
    with pytest.raises(KnowledgeError, match="missing"):
        load("missing", folder)
