"""What the sentences of a document say of the people whose findings stand in them.

In: findings, and whose they are.  Out: whether a sentence says somebody has it, or a test found it.

The patterns of asserting.py are asked only what the words around a finding leave open.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from functools import cache
from typing import Any, Literal

from dlp.detect.linking.asserting import (
    CAUSES,
    EVERYTHING,
    IS_ANSWER,
    IS_ODD,
    OFTEN_OPENINGS,
    OWN_OPENINGS,
    OWNERS,
    Rules,
    load_asserting,
    read_rules,
)
from dlp.detect.linking.drafts import Draft, keys_by_role
from dlp.detect.linking.leads import FILE, LATIN, RUN, opening
from dlp.detect.naming.mention import PATIENT
from dlp.detect.sentences import sentence_starts
from dlp.errors import RuleError
from dlp.model import ABNORMAL, ASSERTED, Finding, Kind
from dlp.native import kernel

NOTHING: frozenset[str] = frozenset()
SAID, FOUND = frozenset({ASSERTED}), frozenset({ASSERTED, ABNORMAL})
SUPPOSED = "hypothetical"  # "if someone has a seizure"
SIGNS, JOINING = ",:(/)", "'-"  # between the words of a phrase and what it leads to, and in a word
WORD = re.compile(r"[\w'-]+")
# What a word may open, for the kernel; how far the health word may be stands above, in words.
LEADING, DRUG_LEADING, FOLLOWING, CAUSING, REGULARLY, ODDLY, OWNING, OPENING = (
    1 << bit for bit in range(8)
)
REACH, DRUG_REACH = 8, 16
LAST = IS_ODD | IS_ANSWER  # questions that are not about a sentence
LABELLING, STEM = 1, 2
KINDS = (Kind.DRUG, Kind.PROCEDURE, Kind.TEST)
SURE = re.compile(r"([a-z]+)(?![?*{])(?:[^|()]|\([^()]*\)[^?*{])*")  # how all words of a stem begin
_K = kernel("saying")
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
            NOTHING if left is None else SAID if left is True
            else self._said(findings[index], key, left)
            for (index, key), left in zip(owned, opened, strict=True)
        ]  # fmt: skip

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
    ) -> Sequence[Open | Literal[True] | None]:
        """The questions that are open for each of these findings, if any; True: it is said."""
        sentences: list[tuple[int, ...]] = [()] * len(self._texts)
        several = len(self._texts) > 1
        for part in {findings[index].part for index, _ in owned} if several else (0,):
            sentences[part] = sentence_starts(self._texts[part])
        cues = load_cues() if _K is not None else None
        if cues is None:
            return everything(self._texts, sentences, findings, [index for index, _ in owned])
        patients = keys_by_role(self._drafts).get(PATIENT, ())
        opened: list[Open | Literal[True] | None] = cues.open_questions(
            self._texts, sentences, findings, owned, frozenset(patients), *KINDS,
            SUPPOSED, load_asserting().is_answer,
        )  # fmt: skip
        return opened


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


@cache
def load_cues() -> Any:
    """The kernel, with the words that open what the patterns look for; it reads Latin letters."""
    rules = read_rules()
    phrases = [word for entries in rules.values() for words, _ in entries for word in words]
    if not all(map(LATIN.fullmatch, phrases)):
        return None
    written = {
        sign for entries in rules.values() for words, _ in entries for sign in "".join(words)
    }
    signs = SIGNS + "".join(sorted(sign for sign in written if not sign.isalnum()))
    return _K.Cues(*cues_of(rules), labels_of(rules), signs, JOINING)


def cues_of(rules: Rules) -> tuple[dict[str, int], dict[str, int]]:
    """Marks of the words before a health word, from their last letter on, and of all others."""
    before, behind = dict[str, int](), dict[str, int]()
    for name, mark, shift in (("before", LEADING, REACH), ("drug", DRUG_LEADING, DRUG_REACH)):
        for words, reach in rules[name]:
            for phrase in words:
                backwards = " ".join(run[::-1] for run in first_runs(phrase))
                put(before, backwards, mark, reach + len(WORD.findall(phrase)), shift)
    for words, reach in rules["behind"]:
        for phrase in words:
            runs = first_runs(phrase)
            put(behind, " ".join(runs), FOLLOWING, reach + len(runs))
    # one that begins in reach of a test may go on beyond it
    odd = (opening(phrase) for words, _ in rules["abnormal"] for phrase in words)
    for listed, mark in (
        (CAUSES, CAUSING), (OFTEN_OPENINGS, REGULARLY), (odd, ODDLY), (OWNERS, OWNING),
        (OWN_OPENINGS, OPENING),
    ):  # fmt: skip
        for phrase in listed:
            put(behind, " ".join(first_runs(phrase)), mark)
    return before, behind


def labels_of(rules: Rules) -> dict[str, int]:
    """Marks of the words that open a label, and of those that any word of one may begin with."""
    labels = dict[str, int]()
    for words, _ in rules["field"]:
        for phrase in words:
            put(labels, first_runs(phrase)[0], LABELLING)
    for words, _ in rules["label"]:
        for stem in words:
            sure = SURE.fullmatch(f"{stem} ")
            if sure is None:
                raise RuleError(
                    "a stem begins with a sign", where=FILE, fix="begin it with letters"
                )
            put(labels, sure[1], STEM)
    return labels


def first_runs(phrase: str) -> list[str]:
    """The one or two runs of letters that a phrase begins with: they stand whole where it does."""
    return [opening(phrase), *RUN.findall(phrase.lower())[1:2]]


def put(marks: dict[str, int], word: str, mark: int, far: int = 0, shift: int = REACH) -> None:
    known = marks.get(word, 0)
    farthest = max(known >> shift & 255, far)
    marks[word] = known & ~(255 << shift) | mark | farthest << shift
