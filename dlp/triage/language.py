"""Say which language a text is in: small words first, a model only in doubt, English when unsure.

In: the parts of a document.  Out: a language code, how it was decided, and whether it is certain.

Only a certain answer may keep a file from deep analysis. A long text is looked at in several
places, and one English place is enough to go on: a letter can follow a foreign first page. Such a
text is named by the language of most places, but the answer is not certain.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pycld2

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
# CLD2 refuses text with control characters and code points that are no characters.
UNFIT = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")
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


@dataclass(frozen=True, slots=True)
class Answer:
    code: str  # ISO 639-1, or "und"
    certain: bool
    by: str  # "words", "script", "model", "mixed", "doubt"


ENGLISH_IN_DOUBT = Answer("en", certain=False, by="doubt")
NO_TEXT = Answer(UNKNOWN, certain=False, by="doubt")


def is_english(answer: Answer) -> bool:
    return answer.certain and answer.code == "en"


class Languages:
    """Judges samples; holds no state between texts, so answers never depend on order."""

    def __init__(self, rules: LanguageRules) -> None:
        self._english = rules.stop_words["en"] | rules.shorthand
        self._foreign: dict[str, tuple[str, ...]] = {}
        for code, words in rules.stop_words.items():
            for word in words if code != "en" else ():
                self._foreign[word] = (*self._foreign.get(word, ()), code)

    def of_texts(self, texts: Sequence[str]) -> Answer:
        """The language of a whole document. English at the start ends the search: it goes on."""
        answers: list[Answer] = []
        for sample in samples(texts):
            answers.append(self.of_sample(sample))
            if len(answers) == 1 and is_english(answers[0]):
                return answers[0]
        foreign = [answer for answer in answers if answer.certain and answer.code != "en"]
        english = list(filter(is_english, answers))
        # Doubtful places (tables, commands) say nothing, but they may not be most of the text.
        if len(foreign) <= len(english) or 3 * len(foreign) < len(answers):
            return english[0] if english else ENGLISH_IN_DOUBT if answers else NO_TEXT
        codes = [answer.code for answer in foreign]
        best = max(sorted(set(codes)), key=codes.count)
        found = next(answer for answer in foreign if answer.code == best)
        if english:
            return Answer(found.code, certain=False, by="mixed")
        return found

    def of_sample(self, text: str) -> Answer:
        # Most files are plain English prose and need no more than this line.
        rough = text.lower().split()
        if sum(map(self._english.__contains__, rough)) > PLAIN_SHARE * max(len(rough), MIN_WORDS):
            return Answer("en", certain=True, by="words")
        if (script := foreign_script(text)) is not None:
            return script
        words = TOKEN.findall(text.lower())
        if len(words) < MIN_WORDS:
            return ENGLISH_IN_DOUBT
        english = sum(map(self._english.__contains__, words)) / len(words)
        counts = self._count_foreign(words)
        code = max(sorted(counts), key=lambda key: counts[key], default="")
        foreign = counts.get(code, 0) / len(words)
        if english >= ENGLISH_SHARE and english > foreign:
            return Answer("en", certain=True, by="words")
        if foreign >= FOREIGN_SHARE and foreign >= FOREIGN_LEAD * english:
            named = ask_model(
                text
            )  # tells close relatives apart; the words prove it is not English
            return Answer(named.code if named.certain else code, certain=True, by="words")
        return ask_model(text)

    def _count_foreign(self, words: Sequence[str]) -> dict[str, int]:
        counts: dict[str, int] = {}
        for word in filter(self._foreign.__contains__, words):
            for code in self._foreign[word]:
                counts[code] = counts.get(code, 0) + 1
        return counts


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
    points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")
    others = count_of(points, *OTHER_LETTERS)
    if others < MIN_WORDS or others <= count_of(points, *LATIN_LETTERS):
        return None
    named = ask_model(text)
    if named.certain:
        return Answer(named.code, certain=True, by="script")
    code = max(SCRIPTS, key=lambda pair: count_of(points, pair[1]))[0]
    return Answer(code, certain=True, by="script")


def count_of(points: npt.NDArray[np.uint32], *ranges: tuple[int, int]) -> int:
    return sum(int(((points >= low) & (points <= high)).sum()) for low, high in ranges)


def ask_model(text: str) -> Answer:
    """Ask CLD2; what it calls unreliable, or mixed, is English in doubt."""
    raw = UNFIT.sub(" ", text).encode("utf-8", "replace")
    try:
        reliable, _, details = pycld2.detect(raw, bestEffort=False)
    except pycld2.error:  # it refuses some rare characters; the text is then nobody's
        return ENGLISH_IN_DOUBT
    _, code, percent, _ = details[0]
    if not reliable or code == "un" or percent < MODEL_PERCENT:
        return ENGLISH_IN_DOUBT
    return Answer(code.split("-")[0], certain=True, by="model")
