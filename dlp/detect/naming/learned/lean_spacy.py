"""Import the language model's library without its command line, and load a model once.

In: an import or a load within the `with`.  Out: the same library, a quarter sooner and 14 MB
smaller; the same model, a quarter sooner.

For one function that nobody here calls, the library imports all its commands, and they a web
client, a progress bar and a project manager.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from dlp.unasked import without

COMMANDS = ("spacy.cli", "spacy.cli.info")
TOOLS = ("srsly._yaml_api", "tqdm")  # to read and show what trains a model
OLD = ("pydantic.v1",)  # the library does without, and describes nothing so


@contextmanager
def without_commands() -> Iterator[None]:
    """Whoever wants the commands later gets the real ones."""
    found = importlib.util.find_spec("spacy") if "spacy" not in sys.modules else None
    if found is None:
        yield
        return
    with without(*COMMANDS, *TOOLS, refused=OLD) as standing_in:
        # Any other module of that folder is still found there.
        places = found.submodule_search_locations or ()
        if commands := standing_in.get(COMMANDS[0]):
            commands.__path__ = [f"{place}/cli" for place in places]
        yield


@contextmanager
def without_detours() -> Iterator[None]:
    """Load an English model that brings its own tokenizer.

    The library would first make one from the language's defaults and throw it away, look through
    all packages of the environment for each of a hundred names, and compare a thousand names part
    by part as often. It would also look through all that is loaded for cycles, as often as it
    reads a file, whatever its caller says about that.
    """
    registry: Any = importlib.import_module("catalogue")
    defaults = importlib.import_module("spacy.lang.en").English.Defaults
    points, rules = registry.AVAILABLE_ENTRY_POINTS, defaults.tokenizer_exceptions
    grouped = {group: list(points.select(group=group)) for group in getattr(points, "groups", ())}
    if grouped:
        registry.AVAILABLE_ENTRY_POINTS = grouped  # it takes a dictionary as well
    defaults.tokenizer_exceptions = {}
    slowly, registry.Registry.get_all = registry.Registry.get_all, registered
    reading: Any = importlib.import_module("srsly._msgpack_api")
    sweeping, reading.gc = reading.gc, Unswept
    try:
        yield
    finally:
        reading.gc = sweeping
        registry.AVAILABLE_ENTRY_POINTS, defaults.tokenizer_exceptions = points, rules
        registry.Registry.get_all = slowly


class Unswept:
    """What `srsly` asks of `gc` around each file it reads: it switches collections on behind it."""

    @staticmethod
    def enable() -> None:
        pass

    disable = enable


def registered(names: Any) -> dict[str, Any]:
    """What `catalogue.Registry.get_all` says: entry points, then what was registered."""
    known: Any = sys.modules["catalogue"]
    place, found = tuple(names.namespace), {}
    if names.entry_points:
        found.update(names.get_entry_points())
    for keys, value in known.REGISTRY.items():
        if keys[:-1] == place:
            found[keys[-1]] = value
    return found
