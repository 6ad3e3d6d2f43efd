"""What the product imports, a clean install brings: every package is declared where it is needed."""

import ast
import re
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest

PROJECT = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
OWNERS = metadata.packages_distributions()
# Modules that do nothing without an extra, and say so: path -> the extra.
NEED = {
    "dlp/cli/_table_files.py": "parquet",
    "dlp/console": "console",
    "dlp/decode/ocr.py": "ocr",
    "dlp/decode/formats/parquet.py": "parquet",
    "dlp/decode/probes.py": "ocr",
    "dlp/engine/scan_batch.py": "dask",
    "dlp/engine/dask_engine.py": "dask",
    "dlp/knowledge/compile": "knowledge",
    "dlp/store/database.py": "postgres",
}
# Parts of a declared package that are packages of their own.
PARTS = {"pydantic": "pydantic-core", "jinja2": "markupsafe", "spacy": "srsly"}


def names(requirements):
    found = {canonical(re.match(r"[A-Za-z0-9._-]+", one)[0]) for one in requirements}
    return found | {PARTS[name] for name in found & PARTS.keys()}


def canonical(name):
    return re.sub(r"[-_.]+", "-", name).lower()


CORE = names(PROJECT["dependencies"])


def imported(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.partition(".")[0]
        elif isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)


def undeclared(path):
    """Packages this module imports that neither the core nor its extra brings."""
    extra = next((extra for start, extra in NEED.items() if str(path).startswith(start)), "")
    allowed = CORE | names(EXTRAS.get(extra, ()))
    wanted = set(imported(path)) - set(sys.stdlib_module_names) - {"dlp"}
    owners = {name: {canonical(one) for one in OWNERS.get(name, ())} for name in wanted}
    return sorted(name for name, found in owners.items() if found and not found & allowed)


def test_every_import_is_declared():
    missing = {str(path): undeclared(path) for path in sorted(Path("dlp").rglob("*.py"))}
    assert {path: found for path, found in missing.items() if found} == {}


def test_a_missing_one_would_be_noticed(tmp_path):
    (tmp_path / "one.py").write_text("import pytest\n")
    assert undeclared(tmp_path / "one.py") == ["pytest"]


@pytest.mark.parametrize("path", sorted(NEED))
def test_every_exception_is_there(path):
    assert Path(path).exists()
