"""Messages are packed by the very functions of pydantic-core, without the rest of it."""

import subprocess
import sys

FIRST = """
import sys
from dlp.lean_json import from_json, to_json
assert "pydantic_core" not in sys.modules and "pydantic_core.core_schema" not in sys.modules
assert from_json(to_json({"a": [1, None, "\\u00e9"]})) == {"a": [1, None, "\\u00e9"]}
import pydantic, pydantic_core
assert pydantic_core.to_json is to_json and pydantic_core.from_json is from_json
assert pydantic.TypeAdapter(list[int]).validate_python(["1"]) == [1]
"""
AFTER = """
import pydantic_core
from dlp.lean_json import to_json
assert pydantic_core.to_json is to_json
"""


def run(program):
    return subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )


def test_whoever_imports_the_library_later_meets_the_same():
    assert run(FIRST).stderr == ""


def test_whoever_imported_it_before_keeps_it():
    assert run(AFTER).stderr == ""
