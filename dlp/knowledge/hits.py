"""What the health lexicon says about a text: kinds, flags, hits.

In: nothing.  Out: the types that the lexicon, its builder and its callers share.
"""

from __future__ import annotations

from enum import IntFlag
from typing import NamedTuple

from dlp.model import Kind

KINDS = (Kind.DISEASE, Kind.SYMPTOM, Kind.DRUG, Kind.PROCEDURE, Kind.TEST, Kind.PROVIDER)
LONGEST = 12  # words in a term; the few longer ones are formal names nobody types
PAIR_BITS = 19  # leading bits of the key of a term's first two words


class Flag(IntFlag):
    """What a caller must know before it believes a hit."""

    NONE = 0
    CASED = 1  # counts only in capitals: AIDS, not aids
    AMBIGUOUS = 2  # common in other meanings: needs clinical language beside it
    PUNCTUATED = 4  # its words are joined by a sign: s/p, not "s p"
    COMMA = 8  # may hold a comma: "diabetes mellitus, type 2"
    INVERTED = 16  # must hold one, and end its phrase: "fever, yellow"
    BROAD = 32  # the concept is an ancestor: the exact one has no MeSH number
    SHORTHAND = 64
    SHIELD = 128  # no health term: a phrase that hides one ("stroke of luck"); never in a hit
    # set while scanning
    DEFINED = 256  # an abbreviation that the text itself defines
    SITE = 512  # from the site's own list


class TermHit(NamedTuple):
    """One term in a text; `concepts` begins with the best MeSH id."""

    start: int
    end: int
    kind: Kind
    concepts: tuple[str, ...]
    term_index: int
    flags: int


class Sense(NamedTuple):
    """What a term means, without a place."""

    kind: Kind
    concepts: tuple[str, ...]
    flags: int
    weight: float
