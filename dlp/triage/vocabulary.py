"""Name the language of a text that is too short for its small words to tell.

In: the texts of a document.  Out: a code, or "" where nothing proves one.

"Wundsprechstunde: A. Sollner, diabetischer Fuß" has no small word. Its words stand in the tables of
one language (rules/languages/<code>/) and are no words of English.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from dlp.knowledge.health import load_health
from dlp.knowledge.names import FIRST, LAST, load_names
from dlp.knowledge.words import load_words
from dlp.languages import language_table, languages
from dlp.text.folding import fold
from dlp.triage.language_blocks import ENGLISH_ZIPF
from dlp.triage.rules import LanguageRules

MOST_WORDS = 120  # of a short text
MIN_KNOWN = 2  # distinct words
MIN_SHARE = 0.15  # of the distinct words: two of a page of English prove nothing
FEW_WORDS = 16  # of which a model knows less than the tables
WORD = re.compile(r"[^\W\d_]{4,}")  # shorter ones are words of several languages


class Vocabulary:
    def __init__(self, rules: LanguageRules) -> None:
        codes_of: dict[str, set[str]] = {}
        for code in languages():
            small = (*rules.stop_words[code], *rules.record_words.get(code, ()))
            for phrase in (*small, *phrases_of(code)):
                for word in WORD.findall(fold(phrase)):
                    codes_of.setdefault(word, set()).add(code)
        words = sorted(codes_of)
        zipfs = load_words().zipfs(words).tolist()
        names = load_names().flags(words).tolist()
        health = load_health()
        self._codes_of = {
            word: tuple(sorted(codes_of[word]))
            for word, zipf, name in zip(words, zipfs, names, strict=True)
            if zipf < ENGLISH_ZIPF and not name & (FIRST | LAST) and health.sense(word) is None
        }

    def language_of(self, texts: Sequence[str], named: str = "") -> str:
        """`named`: the language that a model named; its word counts but in few words."""
        words = [word for text in texts for word in WORD.findall(fold(text))]
        if len(words) > (FEW_WORDS if named else MOST_WORDS):
            return ""
        distinct = {*words}
        counts = Counter(code for word in distinct for code in self._codes_of.get(word, ()))
        best = max(counts.values(), default=0)
        if best < max(MIN_KNOWN, MIN_SHARE * len(distinct)):
            return ""
        return min(code for code, count in counts.items() if count == best)


def phrases_of(code: str) -> Iterator[str]:
    """Health words, headings and small words of a language."""
    for table in language_table(code, "terms")["terms"].values():
        for words in table.values():
            yield from words
    gloss = language_table(code, "gloss")
    yield from gloss["labels"]
    for many in gloss["phrases"].values():
        yield from many
