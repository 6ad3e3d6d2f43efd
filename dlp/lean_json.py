"""JSON as pydantic-core reads and writes it, without the rest of that library.

In: bytes or values.  Out: values or bytes, at a third of the price of Python's own.

Its package describes schemas in a thousand lines of types, which take longer to import than all
else a worker needs to speak; the compiled module beside them needs none of it.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import sys
from collections.abc import Callable
from importlib.machinery import PathFinder
from typing import Any

PACKAGE = "pydantic_core"
COMPILED = f"{PACKAGE}._pydantic_core"


def compiled() -> Any:
    """The module as its package would import it; whoever imports the package meets this one."""
    found = importlib.util.find_spec(PACKAGE) if PACKAGE not in sys.modules else None
    places = found.submodule_search_locations if found else None
    spec = PathFinder.find_spec(COMPILED, places) if places else None
    if COMPILED in sys.modules or spec is None or spec.loader is None:
        return importlib.import_module(COMPILED)
    module = importlib.util.module_from_spec(spec)
    sys.modules[COMPILED] = module
    spec.loader.exec_module(module)
    return module


from_json: Callable[[bytes | bytearray], Any] = compiled().from_json
to_json: Callable[[Any], bytes] = compiled().to_json


def read_json(text: bytes | bytearray) -> Any:
    try:
        return from_json(text)
    except ValueError:  # lone surrogates, which only json reads, or no JSON at all
        return json.loads(text)
