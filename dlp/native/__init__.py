"""Inner loops compiled to machine code where a compiler was at hand at the installation.

In: the name of a kernel.  Out: its module, or None; whoever asks then does the same in Python.

A kernel is a shortcut, never a second opinion: each has a twin in plain Python or numpy, and tests
hold both to the same answers (docs/adr/0048).
"""

from __future__ import annotations

import functools
import hashlib
import importlib
import json
import os
import re
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parent
RECORD = "built.json"  # name of a kernel -> hash of the source it was compiled from
SHARED = re.compile(rb"dlp\.native\.(\w+) cimport")
VARIABLE = "DLP_NATIVE"  # "off": everything in Python, for measuring and for doubt


def source_hash(source: Path) -> str:
    """Of a source and of what it knows of other kernels: the *.pxd it names, and its own."""
    text = source.read_bytes()
    named = {source.stem, *map(bytes.decode, SHARED.findall(text))}
    shared = (told for name, told in declarations(source.parent).items() if name in named)
    return hashlib.sha256(b"".join((text, *shared))).hexdigest()


@functools.cache
def declarations(folder: Path) -> dict[str, bytes]:
    return {path.stem: path.read_bytes() for path in sorted(folder.glob("*.pxd"))}


@functools.cache
def built() -> dict[str, str]:
    try:
        record = json.loads((FOLDER / RECORD).read_text())
    except (OSError, ValueError):
        return {}
    return {str(name): str(told) for name, told in record.items()}


@functools.cache
def kernel(name: str) -> Any:
    """A compiled kernel, unless it is missing, switched off or made from another source."""
    if os.environ.get(VARIABLE) == "off":
        return None
    source = FOLDER / f"{name}.pyx"
    if not source.is_file() or built().get(name) != source_hash(source):
        return None
    try:
        return importlib.import_module(f"dlp.native.{name}")
    except ImportError:
        return None


def kernels() -> dict[str, bool]:
    """Every kernel there is a source of, and whether it is in use."""
    return {path.stem: kernel(path.stem) is not None for path in sorted(FOLDER.glob("*.pyx"))}
