"""Sentences whose subject is an illness itself: "HIV is spread by sex", "Stroke can strike anyone".

In: a text, the health terms in it and their contexts.  Out: the contexts; all terms of such a
sentence are general. A sentence that points at somebody, by a pronoun or a name, is never one.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence

from dlp.knowledge.hits import TermHit
from dlp.model import Context
from dlp.text.sentences import sentence_starts

# What may stand before the illness, and what is said of it.
OPENING = re.compile(
    r"\W*(?:(?:the|an?|untreated|most|many|about)\s)?"
    r"(?:(?:signs?|symptoms?|causes?|treatments?|prevention|complications?)(?:\sand\s\w+)?\s"
    r"(?:of|for)\s)?",
    re.IGNORECASE,
)
SAID = re.compile(
    r"\s(?:(?:is|are)\s(?:also\s|often\s|usually\s|mainly\s|mostly\s)?(?:an?|the|one of|caused"
    r"|spread|caught|passed on|transmitted|common|rare|defined|characteri[sz]ed|treatable|curable"
    r"|preventable|contagious|inherited|tiredness|fatigue|fever|pain)\b"
    r"|(?:can|may)\s(?:also\s|often\s)?(?:be\s(?:caught|spread|passed|prevented|treated|cured|fatal)"
    r"|cause|lead|affect|run|happen|develop|occur|spread|strike|kill|last)\b"
    r"|(?:often|usually|mostly|sometimes|rarely)\s|(?:affects?|spreads?|causes?|kills?|occurs?|strikes?)\b"
    r"|runs?\s(?:in families|through)\b)",
    re.IGNORECASE,
)
# Those who treat in general: "Doctors treat lung cancer with surgery".
TREATING = re.compile(
    r"\W*(?:doctors|nurses|surgeons|scientists|researchers|experts)\s"
    r"(?:often|usually|can|may|treat|use|recommend|advise|test|study)\b",
    re.IGNORECASE,
)
# Those who are spoken of are many: "1 in 8 women will get", "vaccines protect against",
# or whoever reads it: "learn the warning signs of".
OF_MANY = re.compile(
    r"\W*(?:(?:(?:about|around|over|nearly|almost|roughly|up to|more than)\s)?"
    r"(?:\d[\d.,]*|one|two|three)\s(?:in|out of)\s"
    r"(?:\d[\d.,]*|every\s\w+|\w+)\s(?:[a-z]+\s){0,2}[a-z]+\s[a-z]+"
    r"|(?:about\s)?\d[\d.]*\s?(?:%|per\scent|percent|million)\sof\s[a-z]+"
    r"|(?:(?:most|many|some|all|few|other)\s)?(?:[a-z]+\s)?(?!(?:was|has|is|his|this|does)\b)[a-z]{2,}s\s"
    r"(?:can|may|will|help|protect|prevent|cause|reduce|increase|raise|lower|treat|spread|carry|lead)\b"
    r"|(?:learn|know|find\sout|read\s(?:more\s)?about|recogni[sz]e|spot|understand|get\sthe\sfacts)\s)",
    re.IGNORECASE,
)
SOMEBODY = re.compile(
    r"(?i:\b(?:he|she|his|hers?|him|i|my|mine|me|we|our|patient|pt|client|mr|mrs|ms|miss|this)\b)"
    r"|\b[A-Z][a-z]+\s[A-Z][a-z]+\b|\d"
)


def with_general(
    text: str, hits: Sequence[TermHit], contexts: Sequence[frozenset[str]]
) -> list[frozenset[str]]:
    starts = sentence_starts(text)
    general: dict[int, bool] = {}
    for hit in hits:
        number = bisect_right(starts, hit.start) - 1
        if not general.get(number, False):
            end = starts[number + 1] if number + 1 < len(starts) else len(text)
            begin = max(starts[number], text.rfind("\n", starts[number], hit.start) + 1)
            general[number] = is_general(text, begin, end, hit)
    found = []
    for hit, context in zip(hits, contexts, strict=True):
        told = general[bisect_right(starts, hit.start) - 1]
        found.append(context | {Context.GENERAL} if told else context)
    return found


def is_general(text: str, start: int, end: int, hit: TermHit) -> bool:
    many = OF_MANY.match(text, start, end)
    if many or TREATING.match(text, start, end):
        return SOMEBODY.search(text, many.end() if many else start, end) is None
    opening = OPENING.match(text, start, hit.start)
    if opening is None or opening.end() != hit.start or not SAID.match(text, hit.end, end):
        return False
    return SOMEBODY.search(text, hit.end, end) is None
