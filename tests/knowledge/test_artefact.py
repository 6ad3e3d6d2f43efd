"""An artefact is the same bytes on every build and is refused when a single byte of it changes."""

import hashlib
import json
import shutil

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlp.errors import KnowledgeError
from dlp.knowledge.artefact import load, manifest, pack_strings, write, write_manifest_entry
from dlp.knowledge.compile.build_all import BUDGET_BYTES
from dlp.knowledge.health import load_health
from dlp.knowledge.mesh import load_mesh
from dlp.resources import artefacts_folder


def make(folder, **facts):
    arrays = {"numbers": np.arange(5, dtype=np.uint16), **pack_strings("word", ["a", "", "é"])}
    write_manifest_entry(folder, "x", write(folder / "x.bin", arrays, {"n": 1}), **facts)


def test_arrays_and_strings_come_back(tmp_path):
    make(tmp_path)
    artefact = load("x", tmp_path)
    assert artefact["numbers"].tolist() == [0, 1, 2, 3, 4]
    assert artefact.strings("word").all() == ["a", "", "é"]
    assert artefact.strings("word")[2] == "é"
    assert artefact.meta == {"n": 1}
    assert "numbers" in artefact
    with pytest.raises(ValueError, match="read-only"):
        artefact["numbers"][0] = 9


def test_the_same_input_gives_the_same_bytes(tmp_path):
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        make(tmp_path / name, terms=3)
    first, second = ((tmp_path / name / "x.bin").read_bytes() for name in ("a", "b"))
    assert first == second
    assert (tmp_path / "a/x.json").read_bytes() == (tmp_path / "b/x.json").read_bytes()


@given(st.lists(st.text()))
def test_any_strings_survive(tmp_path_factory, values):
    folder = tmp_path_factory.getbasetemp()
    write(folder / "s.bin", pack_strings("s", values), {})
    assert load("s", folder, check=False).strings("s").all() == values


@pytest.mark.parametrize("change", ["cut", "flip", "grow"])
def test_a_damaged_file_is_refused_with_its_name_and_both_hashes(tmp_path, change):
    make(tmp_path)
    path = tmp_path / "x.bin"
    raw = path.read_bytes()
    damaged = {
        "cut": raw[: len(raw) // 2],
        "flip": raw[:40] + bytes([raw[40] ^ 1]) + raw[41:],
        "grow": raw + b"\0",
    }[change]
    path.write_bytes(damaged)
    with pytest.raises(KnowledgeError) as raised:
        load("x", tmp_path)
    message = str(raised.value)
    assert "x.bin" in message
    assert hashlib.sha256(raw).hexdigest() in message
    assert hashlib.sha256(damaged).hexdigest() in message


@pytest.mark.parametrize("content", [None, "", "{}", "[1]", "not json"])
def test_a_file_without_a_readable_manifest_is_refused(tmp_path, content):
    make(tmp_path)
    (tmp_path / "x.json").unlink()
    if content is not None:
        (tmp_path / "x.json").write_text(content)
    with pytest.raises(KnowledgeError, match="manifest"):
        load("x", tmp_path)


@pytest.mark.parametrize("content", [b"", b"something else entirely"])
def test_an_empty_or_foreign_file_is_refused(tmp_path, content):
    (tmp_path / "x.bin").write_bytes(content)
    write_manifest_entry(tmp_path, "x", hashlib.sha256(content).hexdigest())
    with pytest.raises(KnowledgeError, match=r"x\.bin"):
        load("x", tmp_path)


@pytest.mark.parametrize("name, opener", [("mesh", load_mesh), ("health", load_health)])
def test_a_tampered_bundled_file_stops_the_start(tmp_path, name, opener):
    for suffix in ("bin", "json"):
        shutil.copy(artefacts_folder() / f"{name}.{suffix}", tmp_path)
    path = tmp_path / f"{name}.bin"
    raw = bytearray(path.read_bytes())
    raw[len(raw) // 2] ^= 1
    path.write_bytes(raw)
    with pytest.raises(
        KnowledgeError, match=f"{name}.bin.*expected [0-9a-f]{{64}}, found [0-9a-f]"
    ):
        opener(tmp_path)


def test_every_bundled_artefact_matches_its_manifest_and_all_fit_the_budget():
    folder = artefacts_folder()
    files = sorted(folder.glob("*.bin"))
    assert {path.stem for path in files} == set(manifest())
    for path in files:
        stated = json.loads(path.with_suffix(".json").read_text())["sha256"]
        assert hashlib.sha256(path.read_bytes()).hexdigest() == stated
    assert sum(path.stat().st_size for path in files) <= BUDGET_BYTES
