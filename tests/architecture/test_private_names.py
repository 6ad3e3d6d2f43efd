"""The insides of Python and of libraries are left alone, but for a few uses that are argued for."""

import re
from pathlib import Path

PRIVATE = re.compile(
    r"re\._compiler|from re import _|re\._parser|\b_sre\b|sys\.modules\[|sys\.modules\.update"
    r"|sys\.meta_path|marshal\.loads|os\._exit|__code__\.replace|(?<![\w.])exec\(|(?<![\w.])eval\("
    r"|observers\.inotify_c|importlib\.machinery|import_module\(\"_|noqa: SLF001"
)
FORKED = "a forked child must leave without running the parent's exit handlers; the documented use"
ARGUED = {
    ("dlp/engine/worker.py", "os._exit"): FORKED,
    ("dlp/engine/forkserver.py", "os._exit"): FORKED,
    ("dlp/decode/probes.py", "os._exit"): FORKED,
    ("dlp/decode/sandbox.py", "os._exit"): FORKED,
    ("dlp/detect/identify/validators.py", "noqa: SLF001"): (
        "stdnum looks for a module of each country when it first sees one; a confined worker cannot"
    ),
}


def uses():
    return {
        (str(path), found)
        for path in Path("dlp").rglob("*.py")
        for found in PRIVATE.findall(path.read_text(encoding="utf-8"))
    }


def test_private_names_are_used_only_where_argued_for():
    assert uses() == set(ARGUED)


def test_a_private_name_would_be_noticed():
    assert PRIVATE.findall("import sys\nsys.modules['x'] = None\nre._compiler.compile\n")
    assert not PRIVATE.findall("conn.execute(query)\nmodel.eval()\n")
