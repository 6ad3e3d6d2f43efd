"""Which doubtful hits a text supports by itself.

In: hits of the lexicon in one text.  Out: those to believe.

Plain terms are believed. An everyday word ("alcohol") or charting shorthand ("RA") is believed
beside plain clinical language. An acronym from an ontology is believed only when the text spells
out the same concept elsewhere: there are too many of them, and most mean something else.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from dlp.knowledge.hits import Flag, TermHit
from dlp.model import Kind

REACH = 120  # characters: about a line and a half either side
_DOUBTFUL = int(Flag.AMBIGUOUS)
_ACRONYM = int(Flag.CASED)
_SHORTHAND = int(Flag.SHORTHAND)


def believe(hits: Sequence[TermHit], reach: int = REACH) -> list[TermHit]:
    plain = [hit for hit in hits if not hit.flags & _DOUBTFUL and hit.kind is not Kind.PROVIDER]
    starts = [hit.start for hit in plain]
    spelt = {concept for hit in plain if not hit.flags & _ACRONYM for concept in hit.concepts}
    kept = []
    for hit in hits:
        if not hit.flags & _DOUBTFUL:
            kept.append(hit)
        elif hit.flags & _ACRONYM and not hit.flags & _SHORTHAND:
            if not spelt.isdisjoint(hit.concepts):
                kept.append(hit)
        elif _has_company(hit, plain, starts, reach):
            kept.append(hit)
    return kept


def _has_company(hit: TermHit, plain: Sequence[TermHit], starts: list[int], reach: int) -> bool:
    place = bisect_left(starts, hit.start)
    before = place > 0 and hit.start - plain[place - 1].end <= reach
    after = place < len(plain) and plain[place].start - hit.end <= reach
    return before or after
