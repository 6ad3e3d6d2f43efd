"""Kernels are a shortcut: the product finds the same without them, and never uses a stale one."""

import os
import shutil
import subprocess
import sys

import pytest

from dlp import demo_share, native
from tests.native.judging import judged

COMPILER = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
SOURCES = sorted(path.stem for path in native.FOLDER.glob("*.pyx"))
KERNEL = "def twice(int number):\n    return 2 * number\n"


@pytest.mark.skipif(COMPILER is None, reason="no C compiler on this machine")
@pytest.mark.parametrize("name", SOURCES)
def test_every_kernel_is_compiled_from_the_source_at_hand(name):
    assert native.kernel(name) is not None, "run: make setup"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A package of its own, so that nothing of the tree is touched."""
    place = tmp_path / "dlp" / "native"
    place.mkdir(parents=True)
    (place.parent / "__init__.py").touch()
    for name in ("__init__.py", "build.py"):
        shutil.copy(native.FOLDER / name, place)
    (place / "example.pyx").write_text(KERNEL)
    monkeypatch.chdir(tmp_path)
    return place


def build(**environment):
    command = [sys.executable, "-m", "dlp.native.build"]
    run = subprocess.run(
        command, capture_output=True, text=True, check=False, env=os.environ | environment
    )
    assert run.returncode == 0
    return run.stderr


def asked(**environment):
    code = "from dlp.native import kernel; k = kernel('example'); print(k and k.twice(21))"
    run = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | environment,
    )
    return run.stdout.strip()


@pytest.mark.skipif(COMPILER is None, reason="no C compiler on this machine")
def test_a_kernel_is_used_only_as_long_as_its_source_is_the_same(folder):
    assert asked() == "None"
    assert not build()
    assert asked() == "42"
    assert asked(DLP_NATIVE="off") == "None"
    (folder / "example.pyx").write_text(KERNEL.replace("2 *", "3 *"))
    assert asked() == "None"
    assert not build()
    assert asked() == "63"


@pytest.mark.skipif(COMPILER is None, reason="no C compiler on this machine")
def test_what_kernels_tell_each_other_belongs_to_their_sources(folder):
    (folder / "told.pxd").write_text("cdef enum:\n    TOLD = 21\n")
    (folder / "example.pxd").touch()
    (folder / "example.pyx").write_text(
        "from dlp.native.told cimport TOLD\n\n\ndef twice(int number):\n    return 2 * TOLD\n"
    )
    assert not build()
    assert asked() == "42"
    for changed in ("told", "example"):
        (folder / f"{changed}.pxd").write_text("cdef enum:\n    TOLD = 33\n")
        assert asked() == "None"
        assert not build()
        assert asked() == "66"


@pytest.mark.skipif(COMPILER is None, reason="no C compiler on this machine")
def test_what_is_unchanged_is_not_compiled_again(folder):
    build()
    (made,) = folder.glob("example.*.so")
    before = made.stat().st_mtime_ns
    build()
    assert made.stat().st_mtime_ns == before


def test_without_a_compiler_it_says_so_and_goes_on(folder, tmp_path):
    empty = tmp_path / "empty"
    empty.mkdir()
    told = build(PATH=str(empty))
    assert "no C compiler" in told
    assert asked() == "None"


def test_a_source_that_does_not_compile_costs_speed_only(folder):
    (folder / "example.pyx").write_text("this is no source\n")
    assert "kernels are not compiled" in build()
    assert asked() == "None"


def test_a_damaged_record_means_no_kernel(folder):
    build()
    (folder / "built.json").write_text("{")
    assert asked() == "None"


def test_a_share_is_judged_the_same_without_any_kernel(tmp_path):
    share = tmp_path / "share"
    demo_share.build(share)
    with_kernels = judged(share, tmp_path)
    assert any('"phi"' in line for line in with_kernels)
    assert judged(share, tmp_path, DLP_NATIVE="off") == with_kernels


@pytest.mark.parametrize("name", SOURCES)
def test_no_kernel_touches_memory_unchecked(name):
    source = (native.FOLDER / f"{name}.pyx").read_text()
    for unsafe in ("boundscheck=False", "boundscheck(False)", "malloc", "memcpy", "free("):
        assert unsafe not in source
    assert "In:" in source.split("cdef", 1)[0], "say what comes in and goes out"
