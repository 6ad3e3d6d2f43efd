"""Registry of the format modules, filled from their folder; nothing is registered elsewhere.

In: dlp/decode/formats/.  Out: the extractor for a media type.
"""

from __future__ import annotations

import ast
import contextlib
import importlib
import pkgutil
from collections.abc import Set as AbstractSet
from functools import cache, partial
from pathlib import Path
from types import ModuleType

from dlp.decode import encoding, formats, identify, ocr
from dlp.decode.contract import Extractor
from dlp.lazy_resources import lazy_registry

STATED = "MEDIA_TYPES = frozenset("
# Reading one takes longer to prepare than a dozen files to judge, and few shares hold any.
HEAVY = frozenset({"dicom", "parquet", "sevenzip"})
# These take little but text to read; all other formats together take a quarter of a start.
PLAIN = frozenset({"csv", "html", "json", "text", "xml"})
REST = "readers"  # all that is neither plain nor heavy, by the name of what a worker lacks


class FormatRegistry:
    """Media type to module; a module is imported when its first file comes, or by `preload`."""

    def __init__(self, package: ModuleType = formats) -> None:
        self._package = package.__name__
        self._module_of: dict[str, str] = {}
        self._extractors: dict[str, Extractor] = {}
        self._loaded: dict[str, ModuleType] = {}
        for folder in map(Path, package.__path__):
            for module in pkgutil.iter_modules([str(folder)]):
                self._add(module.name, media_types_of(folder / f"{module.name}.py", self._package))
        heavy = HEAVY & set(self._module_of.values())
        self._heavy = {name: lazy_registry().put(name, partial(self._load, name)) for name in heavy}
        self._rest = lazy_registry().put(REST, self._load_rest)

    def _add(self, module: str, media_types: frozenset[str]) -> None:
        for media_type in media_types:
            owner = self._module_of.setdefault(media_type, module)
            if owner != module:
                raise ValueError(f"{media_type} is claimed by {owner} and {module}")

    @property
    def media_types(self) -> AbstractSet[str]:
        return self._module_of.keys()

    def extractor(self, media_type: str) -> Extractor | None:
        found = self._extractors.get(media_type)
        if found is None and (module := self._module_of.get(media_type)):
            heavy = self._heavy.get(module)
            if heavy is None and module not in PLAIN and lazy_registry().sealed:
                self._rest.get()
            found = heavy.get() if heavy else self._load(module)
            self._extractors[media_type] = found
        return found

    def _load(self, module: str) -> Extractor:
        """Import a format and what it would import later."""
        name = f"{self._package}.{module}"
        new = name not in self._loaded
        loaded = self._loaded.setdefault(name, importlib.import_module(name))
        if new:
            getattr(loaded, "preload", lambda: None)()
        extract: Extractor = loaded.extract
        return extract

    def preload(self) -> None:
        """Import all formats: a sandboxed worker cannot."""
        self.preload_plain()
        self._rest.load()
        for heavy in self._heavy.values():
            heavy.load()

    def preload_plain(self) -> None:
        """Import the formats of plain text, and what tells one from another."""
        for module in PLAIN & set(self._module_of.values()):
            self._load(module)
        identify.preload()

    def _load_rest(self) -> None:
        """Import all other formats but the heavy ones."""
        ocr.begin()
        encoding.preload_windows()
        try:
            for module in dict.fromkeys(self._module_of.values()):
                if module not in self._heavy:
                    self._load(module)
            ocr.engine()
        finally:
            ocr.settle()


def media_types_of(path: Path, package: str) -> frozenset[str]:
    """Read MEDIA_TYPES without importing the module: some pull in heavy libraries."""
    source = path.read_text(encoding="utf-8")
    if source.startswith(STATED) or f"\n{STATED}" in source:
        stated = source.partition(STATED)[2].partition(")")[0]
        with contextlib.suppress(ValueError, SyntaxError):
            return frozenset(ast.literal_eval(stated.strip().rstrip(",")))
    if "MEDIA_TYPES" not in source:
        return frozenset()  # shared by formats, no format itself
    # built from other names, so only the module itself can say
    module = importlib.import_module(f"{package}.{path.stem}")
    return frozenset(getattr(module, "MEDIA_TYPES", ()))


@cache
def registry() -> FormatRegistry:
    return FormatRegistry()


def preload() -> None:
    registry().preload()


def preload_plain() -> None:
    registry().preload_plain()
