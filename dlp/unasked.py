"""Import a library without parts of it that nobody here asks for.

In: the names of modules, an import within the `with`.  Out: the same library, sooner and smaller.

Whoever wants such a part later, outside, gets the real one.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any, cast


class Unasked(ModuleType):
    """Has every name that is imported from it; whoever calls one has the real one called."""

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name.startswith("__"):
            raise AttributeError(name)

        def asked(*args: Any, **named: Any) -> Any:
            real = importlib.import_module(self.__name__)
            if real is self:
                raise ImportError(f"{self.__name__} was said to be needless")
            return getattr(real, name)(*args, **named)

        return asked


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
