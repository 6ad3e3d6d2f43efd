"""Which of the findings before and the mentions after them stand, and mentions as findings.

In: findings of earlier stages, Mentions of a document.  Out: those that nothing surer claims.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from operator import attrgetter

from dlp.detect import fingerprint as fingerprints
from dlp.detect.naming.mention import Mention
from dlp.detect.naming.occupations import occupations_of
from dlp.detect.overlap import resolve
from dlp.model import HEALTH_KINDS, Finding, Kind

LOOSE = 0.6
CUED = 0.9  # a title or a label says that it is a person
FLOOR = 0.5  # below it a mention only helps to narrow: a country, an insurer


class Prints:
    """Findings for the mentions of one document; remembers the fingerprint of each name."""

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._seen: dict[tuple[str, ...], str] = {}  # a name comes back more often than a new one

    def settle(
        self, findings: Sequence[Finding], mentions: list[Mention], text: str
    ) -> tuple[tuple[Mention, ...], tuple[Finding, ...]]:
        """The mentions that stand of a document that is one text, and all findings: these as well.

        No name is remembered, so the next document may be settled as well.
        """
        earlier = outside_names(findings, [mentions])
        kept = without(mentions, [*earlier])
        found = self.findings_of(kept, text)
        self._seen.clear()
        return tuple(kept), (*earlier, *found)

    def findings_of(self, mentions: list[Mention], text: str) -> list[Finding]:
        """A finding for each mention sure enough."""
        return [self._finding_of(m, text) for m in mentions if m.confidence >= FLOOR]

    def narrowing(self, mentions: Sequence[Mention], text: str) -> list[Finding]:
        """What is no finding but narrows who is meant: a state or a country, an occupation."""
        weak = [m for m in mentions if m.kind is Kind.PLACE and m.confidence < FLOOR]
        return [*(self._finding_of(m, text) for m in weak), *occupations_of(mentions, text)]

    def _finding_of(self, mention: Mention, text: str) -> Finding:
        kind, part, start, end, confidence, rule_id, evidence, _, first, last, *_ = mention
        known = (kind, first, last) if first or last else (kind, text[start:end])
        if (seen := self._seen.get(known)) is None:
            value = f"{first} {last}".strip() if first or last else text[start:end]
            seen = self._seen[known] = fingerprints.fingerprint(self._key, kind, value)
        return Finding(kind, rule_id, part, start, end, confidence, evidence, "", "", seen)


def in_order(mentions: list[Mention]) -> list[Mention]:
    """Sorted by where they start; the list given may be the answer."""
    return sorted(mentions, key=attrgetter("start"))


def resolved(mentions: list[Mention]) -> list[Mention]:
    """Those that stand, in order; the list given may be sorted."""
    return resolve(mentions)


def outside_firms(quasi: Iterable[Finding], found: list[list[Mention]]) -> list[list[Mention]]:
    """Without people whose name begins one of a firm: "works for Kestrel Logistics"."""
    firms = {(one.part, one.start): one.end for one in quasi if one.rule_id == "employer"}
    if not firms:
        return found
    return [
        [
            m for m in mentions
            if m.kind is not Kind.PERSON or m.end >= firms.get((m.part, m.start), 0)
        ]
        for mentions in found
    ]  # fmt: skip


def outside_names(findings: Sequence[Finding], found: list[list[Mention]]) -> list[Finding]:
    """Findings but for health terms that are only a word of somebody's name."""
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
    place = reach = street = 0
    sure = 0.0
    for mention in mentions:
        while place < len(busy) and busy[place].start < mention.end:
            if busy[place].end > reach:
                reach, sure = busy[place].end, busy[place].confidence
            if busy[place].kind is Kind.ADDRESS:
                street = max(street, busy[place].end)
            place += 1
        if mention.kind is Kind.PERSON and street > mention.start and mention.confidence < CUED:
            continue  # "12 Ada Hale Street": whom a street is called after does not live there
        if reach <= mention.start or sure < mention.confidence:
            kept.append(mention)
    return kept
