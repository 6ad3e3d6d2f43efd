"""Read sentences with the model in its own library: any model, at the price of half a second.

In: the name of an installed model, and sentences.  Out: spans of characters with a label.
"""

from __future__ import annotations

import importlib
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from dlp.detect.naming.learned.entity_reader import BATCH, Named

if TYPE_CHECKING:
    from spacy.language import Language

NEEDLESS = ["tagger", "parser", "lemmatizer", "attribute_ruler", "senter"]
WORDS = "strings"  # all that its training text held, to spell hashes by; it notes what it reads
SHARED, HEARD = "tok2vec", "Listener"  # a first layer for whoever listens to it; reads as long


class LibraryReader:
    def __init__(self, language: Language) -> None:
        self.language = language

    def read(self, sentences: Sequence[str]) -> list[list[Named]]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the model's own, about versions of its libraries
            return [
                [
                    Named(entity.label_, entity.start_char, entity.end_char)
                    for entity in document.ents
                ]
                for document in self.language.pipe(sentences, batch_size=BATCH)
            ]


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


def load_library(name: str) -> LibraryReader:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        package = importlib.import_module(name)
        importlib.import_module("numpy.ma")  # numpy does when it is first asked for a set
        needless = needless_in(Path(package.__file__ or "."))
        return LibraryReader(package.load(exclude=needless))
