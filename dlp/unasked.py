"""Import a library without parts of it that nobody here asks for.

In: the names of modules, an import within the `with`.  Out: the same library, sooner and smaller.

Whoever wants such a part later, outside, gets the real one.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any, cast


class Asked:
    """A name of such a part: a function, whose real one is called, or a type in an annotation."""

    def __init__(self, module: ModuleType, name: str) -> None:
        self._module, self._name = module, name

    def __call__(self, *args: Any, **named: Any) -> Any:
        real = importlib.import_module(self._module.__name__)
        if real is self._module:
            raise ImportError(f"{self._module.__name__} was said to be needless")
        return getattr(real, self._name)(*args, **named)

    def __getitem__(self, _: object) -> Asked:
        return self

    __or__ = __ror__ = __getitem__


class Unasked(ModuleType):
    """Has every name that is imported from it; whoever calls one has the real one called."""

    def __getattr__(self, name: str) -> Asked:
        if name.startswith("__"):
            raise AttributeError(name)
        return Asked(self, name)


@contextmanager
def without(*names: str, refused: tuple[str, ...] = ()) -> Iterator[dict[str, Unasked]]:
    """`names` are there and empty; to import what is `refused` fails, as where it is missing."""
    standing_in = {name: Unasked(name) for name in names if name not in sys.modules}
    nothing = dict.fromkeys((name for name in refused if name not in sys.modules), None)
    put: dict[str, Any] = {**standing_in, **nothing}
    sys.modules.update(cast("dict[str, ModuleType]", put))
    try:
        yield standing_in
    finally:
        for name, module in put.items():
            if sys.modules.get(name, put) is module:
                del sys.modules[name]
            package, _, part = name.rpartition(".")
            if module is not None and vars(sys.modules.get(package, sys)).get(part) is module:
                delattr(sys.modules[package], part)


def join(standing_in: dict[str, Unasked]) -> None:
    """Have the packages know them, as those do of parts that were imported; until the `with` ends.

    `import package.part as name` asks the package, and some packages would then import the part.
    """
    for name, module in standing_in.items():
        package, _, part = name.rpartition(".")
        if package in sys.modules:
            setattr(sys.modules[package], part, module)
