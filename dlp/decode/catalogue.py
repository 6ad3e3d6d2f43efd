"""Find the format modules by looking into their folder; nothing is registered anywhere else.

In: dlp/decode/formats/.  Out: the extractor for a media type.
"""

from __future__ import annotations

import ast
import importlib
import pkgutil
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType

from dlp.decode import formats, identify
from dlp.decode.contract import Extractor


class Catalogue:
    """Media type to module; a module is imported when its first file comes, or by `preload`."""

    def __init__(self, package: ModuleType = formats) -> None:
        self._package = package.__name__
        self._module_of: dict[str, str] = {}
        self._extractors: dict[str, Extractor] = {}
        for folder in map(Path, package.__path__):
            for module in pkgutil.iter_modules([str(folder)]):
                self._add(module.name, media_types_of(folder / f"{module.name}.py", self._package))

    def _add(self, module: str, media_types: frozenset[str]) -> None:
        for media_type in media_types:
            owner = self._module_of.setdefault(media_type, module)
            if owner != module:
                raise ValueError(f"{media_type} is claimed by {owner} and {module}")

    @property
    def media_types(self) -> frozenset[str]:
        return frozenset(self._module_of)

    def extractor(self, media_type: str) -> Extractor | None:
        found = self._extractors.get(media_type)
        if found is None and (module := self._module_of.get(media_type)):
            found = importlib.import_module(f"{self._package}.{module}").extract
            self._extractors[media_type] = found
        return found

    def preload(self) -> None:
        """Import all formats and what they would import later; a sandboxed worker cannot."""
        identify.preload()
        for media_type in self._module_of:
            self.extractor(media_type)
        for name in sorted(set(self._module_of.values())):
            module = importlib.import_module(f"{self._package}.{name}")
            getattr(module, "preload", lambda: None)()


def media_types_of(path: Path, package: str) -> frozenset[str]:
    """Read MEDIA_TYPES without importing the module: some pull in heavy libraries."""
    for node in assignments(path):
        if any(
            isinstance(target, ast.Name) and target.id == "MEDIA_TYPES" for target in node.targets
        ):
            try:
                assert isinstance(node.value, ast.Call)
                return frozenset(ast.literal_eval(node.value.args[0]))
            except (AssertionError, ValueError, IndexError):
                # built from other names, so only the module itself can say
                module = importlib.import_module(f"{package}.{path.stem}")
                return frozenset(module.MEDIA_TYPES)
    return frozenset()  # shared by formats, no format itself


def assignments(path: Path) -> Iterator[ast.Assign]:
    tree = ast.parse(path.read_bytes())
    return (node for node in tree.body if isinstance(node, ast.Assign))


@cache
def catalogue() -> Catalogue:
    return Catalogue()


def preload() -> None:
    catalogue().preload()
