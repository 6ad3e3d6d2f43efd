"""Texts that speak of nobody.

In: a case.  Out: the case with no subjects and with its genre, or nothing.
"""

from __future__ import annotations

from dlp.detect.linking.casting import Casting, has_unnamed
from dlp.detect.linking.intimates import genre_of
from dlp.detect.linking.pasted import pasted_table
from dlp.detect.linking.personal import sift
from dlp.detect.naming.mention import Mention
from dlp.model import Case, Document, Kind

NOWHERE: frozenset[int] = frozenset()


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
    genre = genre_of_nobody(case, document)
    return case.but(facts={**case.facts, "subjects": (), "genre": genre, "named": NOWHERE})


def genre_of_nobody(case: Case, document: Document) -> dict[str, int]:
    """The genre as casting leaves it that finds nobody to cast."""
    genre = genre_of(document)
    Casting(case, document, {}, genre).run()
    return genre
