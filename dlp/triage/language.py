"""Say which language a text is in: small words first, a model only in doubt, English when unsure.

In: the parts of a document.  Out: a language code, how it was decided, and whether it is certain.

Only a certain answer may keep a file from deep analysis. A long text is looked at in several
places, and one English place is enough to go on: a letter can follow a foreign first page. Such a
text is named by the language of most places, but the answer is not certain.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt
import pycld2

from dlp.native import kernel
from dlp.triage.rules import LanguageRules

SAMPLE_CHARS = 1500  # about 250 words: the gate is right on 99 % of windows of this size
SAMPLES = 8
MIN_WORDS = 6
ENGLISH_SHARE = 0.12  # running English has 0.3 to 0.5, chart notes 0.05 to 0.3 with shorthand
PLAIN_SHARE = 0.18  # 0.13 is the most that any of 79 foreign translations of one text reached
FOREIGN_SHARE = 0.12
FOREIGN_LEAD = 3.0  # times the English share
MODEL_PERCENT = 85  # of the text, by the model's own account
UNKNOWN = "und"
TALLY = kernel("tally")
# CLD2 refuses text with control characters and code points that are no characters.
UNFIT_RANGES = (
    *((0x00, 0x08), (0x0B, 0x0C), (0x0E, 0x1F), (0x7F, 0x9F)),
    *((0xD800, 0xDFFF), (0xFDD0, 0xFDEF), (0xFFFE, 0xFFFF)),
)
UNFIT = re.compile(f"[{''.join(f'{chr(low)}-{chr(high)}' for low, high in UNFIT_RANGES)}]")
FIT = bytes(32 if UNFIT.match(chr(sign)) else sign for sign in range(256))  # for plain ASCII
TOKEN = re.compile(r"[^\W\d_]+(?:/[^\W\d_]*)?")
# First and last code points: a pattern of so many takes longer to compile than a file to judge.
LATIN_LETTERS = ((0x41, 0x5A), (0x61, 0x7A), (0xC0, 0x24F), (0x1E00, 0x1EFF))
OTHER_LETTERS = (
    *((0x370, 0x1DFF), (0x2C00, 0x2DFF), (0x3040, 0xD7FF)),
    *((0xF900, 0xFDFF), (0xFE70, 0xFEFC)),
)
# Where the model cannot name the language, its script does.
SCRIPTS = (
    ("ja", (0x3040, 0x30FF)),
    ("ko", (0xAC00, 0xD7A3)),
    ("zh", (0x4E00, 0x9FFF)),
    ("el", (0x370, 0x3FF)),
    ("he", (0x590, 0x5FF)),
    ("th", (0xE00, 0xE7F)),
    ("ar", (0x600, 0x6FF)),
    ("hi", (0x900, 0x97F)),
    ("ru", (0x400, 0x4FF)),
)

SCRIPT_BOUNDS = array("i", chain(*(bounds for _, bounds in SCRIPTS)))


def sorted_signs(*sorts: Iterable[tuple[int, int]]) -> bytes:
    """For the code points of the first plane: which of the sorts holds it, from 1 on, or 0."""
    table = bytearray(0x10000)
    for sort, ranges in enumerate(sorts, 1):
        for low, high in ranges:
            table[low : high + 1] = bytes([sort]) * (high + 1 - low)
    return bytes(table)


LETTERS = sorted_signs(OTHER_LETTERS, LATIN_LETTERS)
UNFIT_SIGNS = sorted_signs(UNFIT_RANGES)


@dataclass(frozen=True, slots=True)
class Answer:
    code: str  # ISO 639-1, or "und"
    certain: bool
    by: str  # "words", "script", "model", "mixed", "doubt"


ENGLISH_IN_DOUBT = Answer("en", certain=False, by="doubt")
ENGLISH_BY_WORDS = Answer("en", certain=True, by="words")
NO_TEXT = Answer(UNKNOWN, certain=False, by="doubt")


class Languages:
    """Judges samples; holds no state between texts, so answers never depend on order."""

    def __init__(self, rules: LanguageRules) -> None:
        self._english = rules.stop_words["en"] | rules.shorthand
        self._foreign: dict[str, tuple[str, ...]] = {}
        for code, words in rules.stop_words.items():
            for word in words if code != "en" else ():
                self._foreign[word] = (*self._foreign.get(word, ()), code)
        self._codes = tuple(code for code in sorted(rules.stop_words) if code != "en")
        self._list = self._listed() if TALLY and len(self._codes) < TALLY.MARKS else None
        # apart, and small enough to stay in the processor's cache: every file asks it
        self._small = TALLY.WordList(dict.fromkeys(self._english, 1)) if TALLY else None

    def _listed(self) -> Any:
        """The words for the kernel: the first mark is English, one more for each language."""
        marks = dict.fromkeys(self._english, 1)
        bits = {code: 2 << place for place, code in enumerate(self._codes)}
        for word, codes in self._foreign.items():
            marks[word] = marks.get(word, 0) | sum(bits[code] for code in codes)
        return TALLY.WordList(marks)

    def of_texts(self, texts: Sequence[str]) -> Answer:
        """The language of a whole document. English at the start ends the search: it goes on."""
        # Most files are plain English prose and need no more than this line.
        if self._is_plain(start_of(texts)):
            return ENGLISH_BY_WORDS
        places = samples(texts)
        answers: list[Answer] = []
        foreign: list[Answer] = []
        english: list[Answer] = []
        for number, sample in enumerate(places):
            most = len(foreign) + len(places) - number  # if all from here on is foreign
            answer = self.of_sample(sample, ask=3 * most >= len(places))
            answers.append(answer)
            if answer.certain:
                (english if answer.code == "en" else foreign).append(answer)
            most = len(foreign) + len(places) - len(answers)
            if english and (len(answers) == 1 or most <= len(english) or 3 * most < len(places)):
                return english[0]
        # Doubtful places (tables, commands) say nothing, but they may not be most of the text.
        if len(foreign) <= len(english) or 3 * len(foreign) < len(answers):
            return english[0] if english else ENGLISH_IN_DOUBT if answers else NO_TEXT
        codes = [answer.code for answer in foreign]
        best = max(sorted(set(codes)), key=codes.count)
        found = next(answer for answer in foreign if answer.code == best)
        if english:
            return Answer(found.code, certain=False, by="mixed")
        return found

    def of_sample(self, text: str, *, ask: bool = True) -> Answer:
        """Of one place; the model is dear, and not asked where its answer would change nothing."""
        if self._is_plain(text):
            return ENGLISH_BY_WORDS
        if ask and (script := foreign_script(text)) is not None:
            return script
        words, known, code, count = self._lettered(text)
        if words < MIN_WORDS:
            return ENGLISH_IN_DOUBT
        english, foreign = known / words, count / words
        if english >= ENGLISH_SHARE and english > foreign:
            return ENGLISH_BY_WORDS
        if not ask:
            return ENGLISH_IN_DOUBT
        named = ask_model(text)
        if foreign >= FOREIGN_SHARE and foreign >= FOREIGN_LEAD * english:
            # the words prove it is not English; the model tells close relatives apart
            return Answer(named.code if named.certain else code, certain=True, by="words")
        return named

    def _is_plain(self, text: str) -> bool:
        """Whether the words between blanks are English by many small words among them."""
        if self._small is not None:
            plain: bool | None = self._small.is_plain(text, PLAIN_SHARE, MIN_WORDS)
            if plain is None:
                plain = self._small.is_plain(text.lower(), PLAIN_SHARE, MIN_WORDS)
            return bool(plain)
        rough = text.lower().split()
        known = sum(map(self._english.__contains__, rough))
        return known > PLAIN_SHARE * max(len(rough), MIN_WORDS)

    def _lettered(self, text: str) -> tuple[int, int, str, int]:
        """The words of letters, the English small ones, the language of most others, and those."""
        if self._list is not None:
            told = self._list.lettered(text) or self._list.lettered(text.lower())
            words, known, mark, count = told
            return words, known, self._codes[mark - 1] if mark else "", count
        tokens = TOKEN.findall(text.lower())
        known = sum(map(self._english.__contains__, tokens))
        counts = self._count_foreign(tokens)
        code = max(sorted(counts), key=lambda key: counts[key], default="")
        return len(tokens), known, code, counts.get(code, 0)

    def _count_foreign(self, words: Sequence[str]) -> dict[str, int]:
        counts: dict[str, int] = {}
        for word in filter(self._foreign.__contains__, words):
            for code in self._foreign[word]:
                counts[code] = counts.get(code, 0) + 1
        return counts


def start_of(texts: Sequence[str]) -> str:
    """The first of the samples, unless it is blank."""
    if len(texts) == 1:
        return texts[0][:SAMPLE_CHARS]
    if sum(map(len, texts)) <= SAMPLE_CHARS * SAMPLES:
        return "\n".join(texts)[:SAMPLE_CHARS]
    return slice_across(texts, 0, SAMPLE_CHARS)


def samples(texts: Sequence[str]) -> list[str]:
    """Up to eight stretches: the first, the last, and evenly between, over all parts."""
    whole = sum(map(len, texts))
    if whole <= SAMPLE_CHARS * SAMPLES:
        joined = "\n".join(texts)
        cuts = range(0, len(joined), SAMPLE_CHARS)
        pieces = [joined[cut : cut + SAMPLE_CHARS] for cut in cuts]
    else:
        step = (whole - SAMPLE_CHARS) / (SAMPLES - 1)
        pieces = [slice_across(texts, round(step * i), SAMPLE_CHARS) for i in range(SAMPLES)]
    whole_ones = [piece for piece in pieces if len(piece) > SAMPLE_CHARS // 4]
    return [piece for piece in whole_ones or pieces if piece.strip()]


def slice_across(texts: Sequence[str], start: int, length: int) -> str:
    taken: list[str] = []
    for text in texts:
        if start < len(text) and length > 0:
            taken.append(text[start : start + length])
            length -= len(taken[-1])
        start = max(0, start - len(text))
    return "\n".join(taken)


def foreign_script(text: str) -> Answer | None:
    """An answer when most letters are of a script English is not written in."""
    if text.isascii():
        return None
    others, latin = letters_of(text)
    if others < MIN_WORDS or others <= latin:
        return None
    named = ask_model(text)
    if named.certain:
        return Answer(named.code, certain=True, by="script")
    return Answer(script_of(text), certain=True, by="script")


def script_of(text: str) -> str:
    """The language whose letters are most; the first of equals."""
    if TALLY is not None:
        counts = TALLY.ranged(text, SCRIPT_BOUNDS)
    else:
        points = points_of(text)
        counts = [count_of(points, bounds) for _, bounds in SCRIPTS]
    return SCRIPTS[counts.index(max(counts))][0]


def letters_of(text: str) -> tuple[int, int]:
    """Letters of other scripts, and Latin ones."""
    if TALLY is not None:
        others, latin = TALLY.sorts(text, LETTERS)
        return others, latin
    points = points_of(text)
    return count_of(points, *OTHER_LETTERS), count_of(points, *LATIN_LETTERS)


def points_of(text: str) -> npt.NDArray[np.uint32]:
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")


def count_of(points: npt.NDArray[np.uint32], *ranges: tuple[int, int]) -> int:
    return sum(int(((points >= low) & (points <= high)).sum()) for low, high in ranges)


def ask_model(text: str) -> Answer:
    """Ask CLD2; what it calls unreliable, or mixed, is English in doubt."""
    if text.isascii():
        raw = text.encode("ascii").translate(FIT)
    else:
        fit = TALLY is not None and TALLY.sorts(text, UNFIT_SIGNS) == (0, 0)
        raw = (text if fit else UNFIT.sub(" ", text)).encode("utf-8", "replace")
    try:
        reliable, _, details = pycld2.detect(raw, bestEffort=False)
    except pycld2.error:  # it refuses some rare characters; the text is then nobody's
        return ENGLISH_IN_DOUBT
    _, code, percent, _ = details[0]
    if not reliable or code == "un" or percent < MODEL_PERCENT:
        return ENGLISH_IN_DOUBT
    return Answer(code.split("-")[0], certain=True, by="model")
