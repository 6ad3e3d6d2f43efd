"""Texts that speak of nobody: what kind of text it is is heard only when somebody asks.

In: a case.  Out: the case with no subjects and a genre that is heard when it is read, or nothing.
"""

from __future__ import annotations

from collections.abc import Callable, ItemsView, Iterator, KeysView, ValuesView
from functools import partial
from typing import Any

from dlp.detect.linking.casting import Casting, has_unnamed
from dlp.detect.linking.intimates import genre_of
from dlp.detect.linking.pasted import pasted_table
from dlp.detect.linking.personal import sift
from dlp.detect.naming.mention import Mention
from dlp.model import Case, Document, Kind

NOWHERE: frozenset[int] = frozenset()


class Unasked(dict[str, int]):
    """Counts that nobody may ever ask for: most files end without a look at them."""

    __slots__ = ("_hear",)

    def __init__(self, hear: Callable[[], dict[str, int]]) -> None:
        self._hear: Callable[[], dict[str, int]] | None = hear

    def asked(self) -> dict[str, int]:
        """A plain dictionary of them."""
        self._listen()
        return dict(super().items())

    def _listen(self) -> None:
        if self._hear is not None:
            hear, self._hear = self._hear, None
            self.update(hear())

    def __getitem__(self, name: str) -> int:
        self._listen()
        return super().__getitem__(name)

    def get(self, name: str, default: Any = None) -> Any:
        self._listen()
        return super().get(name, default)

    def __contains__(self, name: object) -> bool:
        return name in self.asked()

    def __iter__(self) -> Iterator[str]:
        return iter(self.asked())

    def __len__(self) -> int:
        return len(self.asked())

    def keys(self) -> KeysView[str]:  # type: ignore[override]
        return self.asked().keys()

    def values(self) -> ValuesView[int]:  # type: ignore[override]
        return self.asked().values()

    def items(self) -> ItemsView[str, int]:  # type: ignore[override]
        return self.asked().items()

    def copy(self) -> dict[str, int]:
        return self.asked()

    def __or__(self, other: Any) -> Any:
        return self.asked() | other

    def __ror__(self, other: Any) -> Any:
        return other | self.asked()

    def __eq__(self, other: object) -> bool:
        return self.asked() == other

    def __repr__(self) -> str:
        return repr(self.asked())

    def __reduce__(self) -> tuple[Any, ...]:
        return dict, (self.asked(),)

    __hash__ = None


def without_people(case: Case, document: Document) -> Case | None:
    """The case with nobody in it, unless a name, a field or a number may speak of somebody."""
    mentions: tuple[Mention, ...] = case.facts.get("mentions", ())
    for mention in mentions:
        if mention.kind is Kind.PERSON:
            return None
    for part in document.parts:
        if part.fields is not None or pasted_table(part.text):
            return None
    _, _, personal = sift(case.findings)
    if personal and has_unnamed(personal, document):
        return None
    genre = Unasked(partial(genre_of_nobody, case, document))
    return case.but(facts={**case.facts, "subjects": (), "genre": genre, "named": NOWHERE})


def genre_of_nobody(case: Case, document: Document) -> dict[str, int]:
    """The genre as casting leaves it that finds nobody to cast."""
    genre = genre_of(document)
    Casting(case, document, {}, genre).run()
    return genre
