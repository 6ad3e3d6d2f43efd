"""What the sentences of a document say of the people whose findings stand in them.

In: findings, and whose they are.  Out: whether a sentence says somebody has it, or a test found it.

The patterns of asserting.py are asked only what the words around a finding leave open.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from dlp.detect.linking.asserting import (
    EVERYTHING,
    IS_ANSWER,
    IS_ODD,
    load_asserting,
)
from dlp.detect.linking.drafts import Draft
from dlp.detect.naming.mention import PATIENT
from dlp.detect.sentences import sentence_starts
from dlp.model import ABNORMAL, ASSERTED, Finding, Kind

NOTHING: frozenset[str] = frozenset()
SAID, FOUND = frozenset({ASSERTED}), frozenset({ASSERTED, ABNORMAL})
SUPPOSED = "hypothetical"  # "if someone has a seizure"
LAST = IS_ODD | IS_ANSWER  # questions that are not about a sentence
Open = tuple[int, int, int, int]  # questions, where the line begins, the sentence


class Saying:
    def __init__(self, texts: list[str], drafts: dict[str, Draft]) -> None:
        self._texts = texts
        self._drafts = drafts

    def of(
        self, findings: tuple[Finding, ...], owned: list[tuple[int, str]]
    ) -> list[frozenset[str]]:
        """What is said of each of these, given with whose it is."""
        opened = self._opened(findings, owned)
        return [
            self._said(findings[index], key, left)
            for (index, key), left in zip(owned, opened, strict=True)
        ]

    def _said(self, finding: Finding, key: str, left: Open) -> frozenset[str]:
        """Whether the sentence says that somebody has it, and whether a test found something."""
        kind, _, part, start, end, _, _, _, _, _, context = finding
        if SUPPOSED in context:
            return NOTHING
        asked, line, first, last = left
        text, place, asserting = self._texts[part], (start, end), load_asserting()
        if kind is Kind.TEST and asked & IS_ODD and asserting.is_abnormal(text, place):
            return FOUND
        said = asked & ~LAST and asserting.says(text, (first, last), place, kind, line, asked=asked)
        if said:
            return SAID
        # on a form about a patient every field is about that patient
        form = asked & IS_ANSWER and kind is not Kind.TEST and self._drafts[key].role == PATIENT
        return SAID if form and asserting.is_answer(text, start, line) else NOTHING

    def _opened(
        self, findings: tuple[Finding, ...], owned: list[tuple[int, str]]
    ) -> Sequence[Open]:
        """The questions that are open for each of these findings."""
        sentences: list[tuple[int, ...]] = [()] * len(self._texts)
        several = len(self._texts) > 1
        for part in {findings[index].part for index, _ in owned} if several else (0,):
            sentences[part] = sentence_starts(self._texts[part])
        return everything(self._texts, sentences, findings, [index for index, _ in owned])


def everything(
    texts: Sequence[str],
    sentences: Sequence[tuple[int, ...]],
    findings: tuple[Finding, ...],
    indices: Sequence[int],
) -> list[Open]:
    """All questions are open; a text may be one line, which is not read back every time."""
    opened = list[Open]()
    known, before, line = -1, 0, 0  # part and place of the last finding, and its line
    for index in indices:
        part, place = findings[index].part, findings[index].start
        text, starts = texts[part], sentences[part]
        if part != known or place < before:
            before = line = 0
        line = text.rfind("\n", before, place) + 1 or line
        known, before = part, place
        number = bisect_right(starts, place) - 1
        last = starts[number + 1] if number + 1 < len(starts) else len(text)
        opened.append((EVERYTHING, line, starts[number], last))
    return opened
