"""A module comes from the one file only if it is the very source that lies there."""

from __future__ import annotations

import importlib.util
import json
import marshal
import os
import subprocess
import sys
from importlib.machinery import ExtensionFileLoader

import lxml.etree
import pytest

from dlp import known_code
from dlp.cli._gathering import write

PART = "SAID = 'first'\n"
STARTED = """
import json, sys
from dlp import known_code
known_code.use(sys.argv[1])
from dlp.engine import order
order.load_ahead(many=False)
loaded = {name: type(module.__spec__.loader).__name__ for name, module in sys.modules.items()
          if getattr(module, "__spec__", None) is not None}
print(json.dumps(loaded))
"""


@pytest.fixture
def gathered(tmp_path, monkeypatch):
    """A package and a module of it, imported and gathered."""
    folder = tmp_path / "whole"
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    (folder / "part.py").write_text(PART)
    monkeypatch.syspath_prepend(tmp_path)
    importlib.import_module("whole.part")
    file = tmp_path / "known"
    write(str(file))
    for name in ("whole.part", "whole"):
        del sys.modules[name]
    yield file
    for name in ("whole.part", "whole"):
        sys.modules.pop(name, None)


def imported(file, monkeypatch):
    known = known_code.read(str(file))
    monkeypatch.setattr(sys, "meta_path", [*filter(None, [known]), *sys.meta_path])
    part = importlib.import_module("whole.part")
    return part.SAID, type(part.__spec__.loader) is known_code.KnownLoader


def test_it_is_the_module_that_python_would_import(gathered, monkeypatch):
    assert imported(gathered, monkeypatch) == ("first", True)
    whole, part = sys.modules["whole"], sys.modules["whole.part"]
    assert list(whole.__path__) == [os.path.dirname(whole.__file__)]
    assert part.__file__ == os.path.join(whole.__path__[0], "part.py")
    assert part.__spec__.loader.get_source("whole.part") == PART
    assert part.__spec__.cached == importlib.util.cache_from_source(part.__file__)


@pytest.mark.parametrize("edited", ["SAID = 'second'\n", "SAID = 'other'\n"])
def test_an_edited_source_counts(gathered, monkeypatch, edited):
    (gathered.parent / "whole" / "part.py").write_text(edited)
    assert imported(gathered, monkeypatch) == (edited.split("'")[1], False)


def test_what_is_gone_is_not_imported(gathered, monkeypatch):
    (gathered.parent / "whole" / "part.py").unlink()
    importlib.invalidate_caches()
    with pytest.raises(ModuleNotFoundError):
        imported(gathered, monkeypatch)


def test_elsewhere_python_looks_itself(gathered, monkeypatch):
    monkeypatch.setattr(sys, "path", [*sys.path, "/another/place"])
    assert known_code.read(str(gathered)) is None


def test_another_python_takes_nothing(gathered, monkeypatch):
    monkeypatch.setattr(sys, "version", "another")
    assert known_code.read(str(gathered)) is None


def test_a_torn_or_missing_file_is_none(gathered, tmp_path):
    whole = gathered.read_bytes()
    for size in (0, 1, 8, 20, 1000):
        gathered.write_bytes(whole[:size])
        assert known_code.read(str(gathered)) is None
    gathered.write_bytes(marshal.dumps("something else") * 9)
    assert known_code.read(str(gathered)) is None
    assert known_code.read(str(tmp_path / "nowhere")) is None


def test_compiled_modules_are_found_where_they_lie(gathered):
    known = known_code.read(str(gathered))
    assert known is not None
    spec = known.find_spec("lxml.etree")
    assert spec is not None
    assert isinstance(spec.loader, ExtensionFileLoader)
    assert spec.origin == lxml.etree.__file__


def test_what_a_program_writes_itself_is_compiled_once(tmp_path, monkeypatch):
    source = "def made(a):\n    return [a]\n"
    file = tmp_path / "known"
    write(str(file), [source])
    known = known_code.read(str(file))
    assert known is not None
    monkeypatch.setattr(sys, "meta_path", [known, *sys.meta_path])
    monkeypatch.setitem(vars(known_code), "compile", None)  # whoever asked it would fail
    scope = {}
    exec(known_code.compiled(source), scope)
    assert scope["made"](3) == [3]
    monkeypatch.undo()
    assert known.compiled("another") is None
    assert known_code.compiled(source) == compile(source, "<string>", "exec")


def test_a_scan_finds_what_it_imports(tmp_path):
    """Nearly all: what `with without(...)` leaves out may come from elsewhere later."""
    file = str(tmp_path / "known")
    subprocess.run([sys.executable, "-I", "-m", "dlp.cli._gathering", file], check=True)
    done = subprocess.run(
        [sys.executable, "-I", "-c", STARTED, file], capture_output=True, text=True, check=True
    )
    loaders = json.loads(done.stdout)
    assert loaders["dlp.assembly"] == loaders["numpy"] == "KnownLoader"
    known = sum(loader == "KnownLoader" for loader in loaders.values())
    plain = [name for name, loader in loaders.items() if loader == "SourceFileLoader"]
    assert known > 300
    assert loaders["lxml.etree"] == "ExtensionFileLoader"
    assert not [name for name in plain if name.startswith("dlp.") and name != "dlp.known_code"]
