"""Find the stretches of a text that are in another language than English.

In: the texts of a document.  Out: the codes of the languages of such stretches.

English prose has a small word ("the", "of") in nearly every line. Where a dozen words hold none, or
several small words of other languages, the stretch is looked at closely: its language is named by
its small words and by the model together. Names, codes and shorthand have no small words of any
language, so a list of them is in none. A table tells its language by the words of its headings.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import repeat
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from dlp.knowledge.names import FIRST, LAST, load_names
from dlp.knowledge.words import load_words
from dlp.triage.language import CAPITAL, SCRIPTS, SMALL, ask_model, script_of
from dlp.triage.rules import LanguageRules

WINDOW = 12  # words; English prose has three small ones in as many
FEW_FOREIGN, SEVERAL_FOREIGN, MANY_FOREIGN = 2, 3, 4  # small words of other languages in a window
MOST_ENGLISH = 1  # small English words in a window that may be foreign
MIN_KNOWN = 2  # small words of the language that the model names, or words with accents
# Share of the words that English hardly uses: English prose has 0.05, other languages 0.5 and more.
SOME_STRANGE, MOST_STRANGE = 0.25, 0.5
ENGLISH_ZIPF = 3.5  # of a word that English uses
MIN_LETTERS = 40  # of a stretch
MIN_SCRIPT = 12  # letters of another script in a line; a Chinese one stands for three
LEAST_SHARE = 0.2  # of the stretches in the most frequent language; fewer are its relatives
CHUNK_CHARS = 20_000
MIN_HEADINGS = 2  # different words of records, in a text that holds no prose
WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
OTHER_SCRIPT = re.compile(
    r"[\u0370-\u03ff\u0400-\u052f\u0530-\u1dff\u3040-\ud7ff\uf900-\ufdff\ufe70-\ufefc]"
)
IDEOGRAPH = re.compile(r"[\u3040-\u9fff\uac00-\ud7a3]")
ENGLISH, FOREIGN = 1, 2  # kinds of small words
Counts = npt.NDArray[np.int64]
Signs = npt.NDArray[np.bool_]


class Stretch(NamedTuple):
    first: int  # number of its first word
    last: int  # behind its last one


class ForeignBlocks:
    def __init__(self, rules: LanguageRules) -> None:
        self._english = (rules.stop_words["en"] | rules.shorthand) - rules.shared
        self._codes_of: dict[str, tuple[str, ...]] = {}
        for code, words in sorted(rules.stop_words.items()):
            for word in words if code != "en" else ():
                self._codes_of[word] = (*self._codes_of.get(word, ()), code)
        foreign = frozenset(self._codes_of) - self._english - rules.shared
        self._small = dict.fromkeys(self._english, ENGLISH) | dict.fromkeys(foreign, FOREIGN)
        self._named = frozenset(rules.stop_words) | {code for code, _ in SCRIPTS}
        self._headings = headings_of(rules.record_words)

    def of_texts(self, texts: Sequence[str]) -> tuple[str, ...]:
        """The languages of most foreign stretches, the most frequent first."""
        found: Counter[str] = Counter()
        for text in texts:
            for chunk in chunks_of(text):
                found.update(self._of_chunk(chunk))
        least = max(found.values(), default=0) * LEAST_SHARE
        ranked = sorted(found.items(), key=lambda one: (-one[1], one[0]))
        return tuple(code for code, count in ranked if count > least)

    def _of_chunk(self, chunk: str) -> Iterator[str]:
        if not chunk.isascii():
            yield from scripts_in(chunk)
        chunk = chunk.replace(";", " ").replace(",", " ").replace("|", " ")  # cells are words too
        words = chunk.lower().split()
        kinds = np.fromiter(map(self._small.get, words, repeat(0)), np.int64, len(words))
        stretches = suspects(kinds == ENGLISH, kinds == FOREIGN)
        if stretches:
            written = chunk.split()
            for first, last in stretches:
                if code := self._named_in(" ".join(written[first:last])):
                    yield code

    def _named_in(self, text: str) -> str:
        """The language of a stretch, or "" for English, lists of names, codes and doubt."""
        words = WORD.findall(text)
        if not self._may_tell([word.lower() for word in words]):
            return ""
        if is_list(text):  # German nouns have capitals too; names tell nothing
            words = without_names(words)
            text = " ".join(words)
        words = [word.lower() for word in words]
        if sum(map(len, words)) < MIN_LETTERS:
            return self._by_headings(words)
        model = ask_model(text)
        counts = Counter(code for word in words for code in self._codes_of.get(word, ()))
        best = max(counts.values(), default=0)
        if model == "en" and (best < MANY_FOREIGN or self._distinct(words) < MANY_FOREIGN):
            return ""  # English edges make a model say English; "U.S." is no four words of Dutch
        strange = strange_share(words)
        if model == "en" and strange < MOST_STRANGE:
            return ""
        if strange >= SOME_STRANGE:
            if model != "en" and self._proven(model, counts[model], strange, words):
                return model
            if best >= (SEVERAL_FOREIGN if strange >= MOST_STRANGE else MANY_FOREIGN):
                return min(code for code in counts if counts[code] == best)
        return self._by_headings(words)

    def _distinct(self, words: Sequence[str]) -> int:
        """How many different small words of one language there are at most."""
        told = Counter(code for word in {*words} for code in self._codes_of.get(word, ()))
        return max(told.values(), default=0)

    def _may_tell(self, words: Sequence[str]) -> bool:
        """Whether there is any word that can prove a language; else the model is not asked."""
        if not (
            self._codes_of.keys().isdisjoint(words) and self._headings.keys().isdisjoint(words)
        ):
            return True
        return accented(words) >= MIN_KNOWN

    def _proven(self, model: str, known: int, strange: float, words: Sequence[str]) -> bool:
        """Whether the words bear out what the model says."""
        if model not in self._named:
            return False
        if known >= MIN_KNOWN:
            return True
        return strange >= MOST_STRANGE and bool(known or accented(words) >= MIN_KNOWN)

    def _by_headings(self, words: Sequence[str]) -> str:
        found: dict[str, set[str]] = {}
        for word in words:
            for code in self._headings.get(word, ()):
                found.setdefault(code, set()).add(word)
        best = max(found, key=lambda code: (len(found[code]), code), default="")
        return best if best and len(found[best]) >= MIN_HEADINGS else ""


def headings_of(record_words: Mapping[str, Iterable[str]]) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for code, words in sorted(record_words.items()):
        for word in words:
            found[word] = (*found.get(word, ()), code)
    return found


def chunks_of(text: str) -> Iterator[str]:
    start = 0
    while start < len(text):
        end = start + CHUNK_CHARS
        if end < len(text):
            cut = text.rfind("\n", start, end)
            end = cut + 1 if cut > start else end
        yield text[start:end]
        start = end


def suspects(english: Signs, foreign: Signs) -> list[Stretch]:
    """Stretches whose small words are not English ones, joined where they meet."""
    size = len(english)
    near = min(WINDOW, size)
    if not near:
        return []
    spoken, strange = in_windows(english, near), in_windows(foreign, near)
    silent = (spoken == 0) | ((spoken <= MOST_ENGLISH) & (strange >= FEW_FOREIGN))
    silent |= (strange >= MANY_FOREIGN) & (strange > spoken)
    starts = np.flatnonzero(silent)
    if not len(starts):
        return []
    apart = np.flatnonzero(np.diff(starts) > near)  # windows that meet are one stretch
    firsts = starts[np.concatenate(([0], apart + 1))].tolist()
    lasts = starts[np.concatenate((apart, [-1]))].tolist()
    return [Stretch(first, last + near) for first, last in zip(firsts, lasts, strict=True)]


def in_windows(values: Signs, near: int) -> Counts:
    sums: Counts = np.concatenate(([0], values.cumsum()))
    return sums[near:] - sums[:-near]


def is_list(text: str) -> bool:
    """Whether it holds names and codes: few small words for its capitals."""
    return len(SMALL.findall(text)) < 0.3 * len(CAPITAL.findall(text))


def strange_share(words: Sequence[str]) -> float:
    """How many of the words English hardly uses."""
    long = [word for word in words if len(word) > 2]
    return float((load_words().zipfs(long) < ENGLISH_ZIPF).mean()) if long else 0.0


def without_names(words: Sequence[str]) -> list[str]:
    named = (load_names().flags(words) & (FIRST | LAST)).tolist()
    return [word for word, is_name in zip(words, named, strict=True) if not is_name]


def accented(words: Sequence[str]) -> int:
    return sum(not word.isascii() for word in words)


def scripts_in(chunk: str) -> Iterator[str]:
    """The languages of lines in another script."""
    if OTHER_SCRIPT.search(chunk) is None:
        return
    ends = [found.end() for found in re.finditer(r"\n|$", chunk)]
    letters: Counter[int] = Counter()
    for found in OTHER_SCRIPT.finditer(chunk):
        letters[bisect_right(ends, found.start())] += 3 if IDEOGRAPH.match(found.group()) else 1
    for number, count in letters.items():
        if count >= MIN_SCRIPT:
            line = chunk[ends[number - 1] if number else 0 : ends[number]]
            code = ask_model(line)
            yield script_of(line) if code in {"", "en"} else code
