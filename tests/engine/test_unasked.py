"""A part of a library that nobody asks for is left out, and is there for who asks later."""

import importlib
import sys

import pytest

from dlp.unasked import without

PART = "import json\ndef told(what):\n    return f'told {what}'\n"
WHOLE = "from whole.part import told\ntry:\n    import whole.old as old\nexcept ImportError:\n    old = None\n"


@pytest.fixture
def library(tmp_path, monkeypatch):
    folder = tmp_path / "whole"
    folder.mkdir()
    (folder / "__init__.py").write_text(WHOLE)
    (folder / "part.py").write_text(PART)
    (folder / "old.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    yield
    for name in [name for name in sys.modules if name.partition(".")[0] == "whole"]:
        del sys.modules[name]


def test_what_was_left_out_is_called_when_it_is_asked_for(library):
    with without("whole.part", refused=("whole.old",)):
        whole = importlib.import_module("whole")
        with pytest.raises(ImportError):
            whole.told("too early")
    assert whole.old is None
    assert "whole.part" not in sys.modules
    assert "whole.old" not in sys.modules
    assert whole.told("later") == "told later"
    assert importlib.import_module("whole.part").__file__
    assert importlib.import_module("whole.old").__file__


def test_what_is_there_already_stays(library):
    part = importlib.import_module("whole.part")
    with without("whole.part"):
        assert sys.modules["whole.part"] is part
    assert sys.modules["whole.part"] is part
