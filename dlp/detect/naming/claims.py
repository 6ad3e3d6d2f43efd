"""Which of the findings before and the mentions after them stand, and mentions as findings.

In: findings of earlier stages, Mentions of a document.  Out: those that nothing surer claims.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from operator import attrgetter
from typing import cast

from dlp.detect.fingerprint import fingerprint
from dlp.detect.naming.mention import Mention
from dlp.model import HEALTH_KINDS, Finding, Kind
from dlp.native import kernel

_K = kernel("naming")
LOOSE = 0.6
FLOOR = 0.5  # below it a mention only helps to narrow: a country, an insurer
Prints = dict[tuple[str, ...], str]


def findings_of(mentions: list[Mention], text: str, prints: Prints, key: bytes) -> list[Finding]:
    """A finding for each mention sure enough; `prints` remembers the fingerprint of each name."""
    if _K is not None:
        made = _K.findings(mentions, text, prints, FLOOR, Finding, fingerprint, key)
        return cast(list[Finding], made)
    return [finding_of(m, text, prints, key) for m in mentions if m.confidence >= FLOOR]


def finding_of(mention: Mention, text: str, prints: Prints, key: bytes) -> Finding:
    kind, part, start, end, confidence, rule_id, evidence, _, first, last, _, _ = mention
    known = (kind, first, last) if first or last else (kind, text[start:end])
    if (seen := prints.get(known)) is None:
        value = f"{first} {last}".strip() if first or last else text[start:end]
        seen = prints[known] = fingerprint(key, kind, value)
    return Finding(kind, rule_id, part, start, end, confidence, evidence, "", "", seen)


def outside_names(findings: Sequence[Finding], found: list[list[Mention]]) -> list[Finding]:
    """Findings but for health terms that are only a word of somebody's name."""
    if _K is not None:
        kept = _K.outside_names(findings, found, HEALTH_KINDS, Kind.PERSON, LOOSE)
        return cast(list[Finding], kept)
    begins = [[mention.start for mention in mentions] for mentions in found]
    return [
        one
        for one in findings
        if one.kind not in HEALTH_KINDS
        or not is_part_of_name(one, found[one.part], begins[one.part])
    ]


def is_part_of_name(term: Finding, mentions: list[Mention], begins: list[int]) -> bool:
    """Whether a health term is only a word of somebody's name: Ann Parkinson is not a disease."""
    place = bisect_right(begins, term.start) - 1
    if place < 0:
        return False
    name = mentions[place]
    wider = name.end >= term.end and name.end - name.start > term.end - term.start
    return wider and name.kind is Kind.PERSON and name.confidence > LOOSE


def without(mentions: list[Mention], busy: list[Finding]) -> list[Mention]:
    """Drop what a surer identifier or health term claims; both lists are walked once."""
    if not busy:
        return mentions
    busy = sorted(busy, key=attrgetter("start"))
    kept = []
    place = reach = 0
    sure = 0.0
    for mention in mentions:
        while place < len(busy) and busy[place].start < mention.end:
            if busy[place].end > reach:
                reach, sure = busy[place].end, busy[place].confidence
            place += 1
        if reach <= mention.start or sure < mention.confidence:
            kept.append(mention)
    return kept
