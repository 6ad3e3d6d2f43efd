"""Name the language of a text that is too short for its small words to tell.

In: the texts of a document.  Out: a code, or "" where nothing proves one.

"Wundsprechstunde: A. Sollner, diabetischer Fuß" has no small word. Its words stand in the tables of
one language (rules/languages/<code>/) and are no words of English. A small word in small letters
is as good.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from dlp.knowledge.health import load_health
from dlp.knowledge.names import FIRST, LAST, load_names
from dlp.knowledge.words import load_words
from dlp.languages import language_table, languages
from dlp.resources import rules_folder
from dlp.rulebook import read_toml
from dlp.text.folding import fold
from dlp.triage.language import ask_model
from dlp.triage.language_blocks import ENGLISH_ZIPF
from dlp.triage.rules import LanguageRules

MOST_WORDS = 120  # of a short text
MOST_CHARS = 12 * MOST_WORDS
MIN_KNOWN = 2  # distinct words
MIN_SHARE = 0.15  # of the distinct words: two of a page of English prove nothing
SURE_SHARE = 0.22  # where small words say English: chart shorthand ("COPD", "RR") is no proof of it
FEW_WORDS = 16  # of which a model knows less than the tables
WORD = re.compile(r"[^\W\d_]{2,}")
LEAD = 1.5  # times the words of the relative that a model named
LEAST_LETTERS = 4  # of a word that is no small word; shorter ones are words of several languages


class Vocabulary:
    def __init__(self, rules: LanguageRules) -> None:
        particles = read_toml(rules_folder() / "mentions" / "en.toml")["words"]["particles"]
        no_proof = {*rules.stop_words["en"], *rules.shorthand, *rules.shared, *particles}
        small: dict[str, set[str]] = {}
        for code, words in rules.stop_words.items():
            for word in {*words} - no_proof:
                small.setdefault(word, set()).add(code)
        self._small = {word: tuple(sorted(codes)) for word, codes in small.items()}
        self._longer = longer_words(rules)
        self._read = {one: code for code, many in rules.relatives.items() for one in many}

    def language_of(self, texts: Sequence[str], named: str = "", *, english: bool = False) -> str:
        """`named`: the language that a model named; its word counts but in few words.

        Or if it is the relative of one that is read, and that one has more of the words.
        `english`: its small words say so, and more of the words have to speak against it.
        """
        if sum(map(len, texts)) > MOST_CHARS:
            return ""
        words = [word for text in texts for word in WORD.findall(text)]
        read = self._read.get(named, "")
        if len(words) > (FEW_WORDS if named and not read else MOST_WORDS):
            return ""
        distinct = {*words}  # a small word is written small, a name is not
        counts = Counter(code for word in distinct for code in self._small.get(word, ()))
        folded = {fold(word) for word in distinct if word not in self._small}
        longer = [word for word in folded if word in self._longer]
        counts.update(code for word in proving(longer) for code in self._longer[word])
        if read and len(words) > FEW_WORDS:
            return read if counts[read] > LEAD * counts[named] else ""
        best = max(counts.values(), default=0)
        if best < max(MIN_KNOWN, (SURE_SHARE if english else MIN_SHARE) * len(distinct)):
            return ""
        likeliest = sorted(code for code, count in counts.items() if count == best)
        told = named or (ask_model("\n".join(texts)) if len(likeliest) > 1 else "")
        return told if told in likeliest else likeliest[0]


def longer_words(rules: LanguageRules) -> dict[str, set[str]]:
    """The words of headings and tables, with their languages."""
    codes_of: dict[str, set[str]] = {}
    for code, headings in rules.record_words.items():
        for word in map(fold, headings):
            codes_of.setdefault(word, set()).add(code)
    for code in languages():
        for word in {*WORD.findall(fold("\n".join(phrases_of(code))))}:
            if len(word) >= LEAST_LETTERS:
                codes_of.setdefault(word, set()).add(code)
    return codes_of


def proving(words: Sequence[str]) -> list[str]:
    """Those that are no words of English, names or terms."""
    if not words:
        return []
    zipfs, names = load_words().zipfs(words).tolist(), load_names().flags(words).tolist()
    health = load_health()
    return [
        word
        for word, zipf, name in zip(words, zipfs, names, strict=True)
        if zipf < ENGLISH_ZIPF and not name & (FIRST | LAST) and health.sense(word) is None
    ]


def phrases_of(code: str) -> Iterator[str]:
    """Health words, headings and small words of a language."""
    for table in language_table(code, "terms")["terms"].values():
        for words in table.values():
            yield from words
    gloss = language_table(code, "gloss")
    yield from gloss["labels"]
    for many in gloss["phrases"].values():
        yield from many
