"""Listen to a whole text, cheaply, for a person and a health matter close together.

In: the parts of a document.  Out: silent or not, and what broke the silence.

No shortcut may hide a file: a title, a keyword or a language calls a file impossible only when
this pass hears nothing. Three things break the silence:

    direct   a labelled record number, birth date, patient name: one is enough
    near     an identifier or a name within reach of a strong health word, or a phone, address or
             date within reach of an everyday one
    dense    so many strong health words that identifiers no longer matter

The order is by price: words of a list first, which most texts that go on hold near their start;
then one pattern for everything else, which most silent texts do not hold; only what it finds is
told apart. Patterns run in RE2, which never backtracks, and the windows around hits are only looked
at until the first answer.
"""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import re2

from dlp.errors import RuleError
from dlp.knowledge.artefact import load
from dlp.triage.rules import CheapRules

WORDS_PER_BYTE = 1 / 6  # of running text; the rate needs no better
HEALTH = "cheap.toml [health]"
MAX_DFA_BYTES = 96 << 20  # a ceiling: mixed texts fill 20 MB, but below 64 RE2 runs at a tenth
# One pattern for all is a third of the price on real text, and three times it on a text made to
# fill its automaton with states: a very long one is read pattern by pattern.
TOGETHER_BYTES = 1 << 20
CUT_BYTES = 80  # how far a cut moves to find the end of a word
OVERLAP_BYTES = 200  # longer than any name or number that a cut could hide
PATTERNS = "patterns"  # what every worker forked after `warm` shares; none ever asks
# Something for each pattern of the rules, and lines for none.
SAMPLE = b"""Patient name: Ann Marie Example, DOB 12/03/1961, MRN: 448213. Her mother lives in
12 Elm Street, Springfield, IL 62704; call (416) 555-0199 or write to ann@example.org. She was seen
by Dr. Example on 2021-03-04, aged 60 years, for acute appendicitis: 500 mg of amoxicillin, 2.5 mL
and 120/80 mmHg. Since then nothing was heard of the matter, and the pain has gone.
"""


@dataclass(frozen=True, slots=True)
class Heard:
    silent: bool
    why: str = ""  # "direct", "near", "dense": never content


SILENCE = Heard(silent=True)
NEAR = Heard(silent=False, why="near")


class CheapPass:
    def __init__(self, rules: CheapRules, rare_words: Sequence[str] = ()) -> None:
        """`rare_words` join the strong words of the rules: see `rare_health_words`."""
        self._rules = rules
        self._direct = compile_any(rules.direct, "cheap.toml [identifiers] direct")
        self._identifier = compile_any(rules.identifier, "cheap.toml [identifiers] near")
        self._contact = compile_any(rules.contact, "cheap.toml [identifiers] contact")
        acronyms = [word for word in rules.strong if word.isupper()]
        if not "\n".join(rare_words).islower():  # in small letters as they are, nobody asks each
            rare_words = [word.lower() for word in rare_words if not word.isupper()]
        said = (*(word.lower() for word in rules.strong if not word.isupper()), *rare_words)
        words = dict.fromkeys(said)  # in order, as they nearly are, they are sorted in a moment
        # Not with the shapes: a trie of words times open prefixes ("...itis") has too many states.
        self._words = StrongWords(sorted(words))
        shapes = (*rules.shapes, f"(?-i:{bounded(acronyms)})")
        self._shapes = compile_any(shapes, f"{HEALTH} shapes")
        self._everyday = compile_any((bounded(rules.everyday),), f"{HEALTH} everyday")
        self._anything = compile_any((*rules.direct, *rules.contact, *shapes), "cheap.toml")

    def warm(self) -> None:
        """Let RE2 build what its first searches and matches wait for: half of what it builds."""
        for pattern in (
            *(self._direct, self._identifier, self._contact, self._shapes, self._everyday),
            self._anything,
        ):
            for found in pattern.finditer(SAMPLE):
                pattern.match(SAMPLE, found.start())

    def listen(self, texts: list[str]) -> Heard:
        """Read all parts as one text: a title page and its letter may be two parts."""
        raw = plain_bytes(texts)
        count, heard = self._near_strong(raw, self._words.places(raw), 0)
        if heard is not None:
            return heard
        start = self._start(raw)
        if start is None:
            return SILENCE
        if self._direct.search(raw, start):
            return Heard(silent=False, why="direct")
        _, heard = self._near_strong(raw, places_of(self._shapes, raw, start), count)
        return heard or self._near_contact(raw, start) or SILENCE

    def _start(self, raw: bytes) -> int | None:
        """A place before which no pattern matches, None where none does at all."""
        if len(raw) > TOGETHER_BYTES:
            return 0
        first = self._anything.search(raw)
        return None if first is None else int(first.start())

    def _near_strong(
        self, raw: bytes, places: Iterable[tuple[int, int]], count: int
    ) -> tuple[int, Heard | None]:
        """How many strong words there are by now, and what breaks the silence."""
        reach = self._rules.near_chars
        rate = self._rules.dense_per_1000_words * WORDS_PER_BYTE / 1000
        enough = max(rate * len(raw), self._rules.dense_minimum)
        looked = 0  # what was looked at once stays silent
        for first, last in places:
            start, end = max(looked, first - reach), last + reach
            if self._identifier.search(window(raw, start, end)) is not None:
                return count, NEAR
            count += 1
            if count >= enough:
                return count, Heard(silent=False, why="dense")
            looked = end - OVERLAP_BYTES
        return count, None

    def _near_contact(self, raw: bytes, first: int) -> Heard | None:
        reach = self._rules.near_chars
        for start, end in places_of(self._contact, raw, first):
            around = window(raw, start - reach, end + reach)
            words = {word.group().lower() for word in self._everyday.finditer(around)}
            if len(words) >= self._rules.everyday_needed:
                return NEAR
        return None


class StrongWords:
    """A list of health words, found by RE2."""

    def __init__(self, words: Sequence[str]) -> None:
        self._words = words

    def places(self, raw: bytes) -> Iterator[tuple[int, int]]:
        """Where they stand, in capitals or not; one begins only where the last has ended."""
        yield from places_of(self._pattern, raw.lower())

    @functools.cached_property
    def _pattern(self) -> Any:
        return compile_any((bounded(self._words),), f"{HEALTH} strong", fold=False)


def places_of(pattern: Any, raw: bytes, start: int = 0) -> Iterator[tuple[int, int]]:
    return (hit.span() for hit in pattern.finditer(raw, start))


def rare_health_words() -> list[str]:
    """Words of MeSH that everyday English hardly uses."""
    return load("cheap_words").strings("words").all()


def window(raw: bytes, start: int, end: int) -> bytes:
    """A stretch of bytes cut between words: a cut word or number could look like another one."""
    if start > 0:
        reach_back = max(0, start - CUT_BYTES)
        start = max(raw.rfind(b" ", reach_back, start), raw.rfind(b"\n", reach_back, start))
        start = max(start, reach_back)
    if end < len(raw):
        after = raw.find(b" ", end, end + CUT_BYTES)
        end = after if after >= 0 else end + CUT_BYTES
    return raw[max(0, start) : end]


def bounded(words: Sequence[str]) -> str:
    """One pattern for whole words and phrases, whatever space or hyphen joins the words."""
    # RE2 knows ASCII word boundaries only, so words that end in other letters need none.
    groups: dict[tuple[bool, bool], list[str]] = {}
    for word in words:
        if word.isascii() and word.isalnum():  # nothing in it to escape, as in most of them
            groups.setdefault((True, True), []).append(word)
            continue
        edges = edges_of(word)
        pattern = re2.escape(word).replace("\\ ", r"[\s-]+")
        groups.setdefault(edges, []).append(pattern)
    return "|".join(
        rf"{chr(92) + 'b' if left else ''}(?:{'|'.join(group)}){chr(92) + 'b' if right else ''}"
        for (left, right), group in groups.items()
    )


def edges_of(word: str) -> tuple[bool, bool]:
    return is_ascii_word(word[0]), is_ascii_word(word[-1])


def is_ascii_word(character: str) -> bool:
    return character.isascii() and (character.isalnum() or character == "_")


@functools.lru_cache(maxsize=64)
def compile_any(patterns: tuple[str, ...], where: str, *, fold: bool = True) -> Any:
    """One automaton for all patterns; a faulty one is named. `fold` ignores case."""
    try:
        return compile_one("|".join(f"(?:{pattern})" for pattern in patterns), where, fold=fold)
    except RuleError:
        for pattern in patterns:
            compile_one(pattern, where, fold=fold)
        raise


def compile_one(pattern: str, where: str, *, fold: bool) -> Any:
    options = re2.Options()
    options.case_sensitive = not fold
    options.never_capture = True
    options.max_mem = MAX_DFA_BYTES
    options.log_errors = False
    try:
        return re2.compile(pattern.encode(), options=options)
    except re2.error as error:
        detail = error.args[0].decode() if isinstance(error.args[0], bytes) else str(error)
        raise RuleError(
            f"not a pattern RE2 can read: {detail}",
            where=where,
            fix="no look-around, no back-references; try the pattern alone",
        ) from error


# Characters that are drawn as nothing: one inside "dia\u00adbetes" would deafen every pattern.
INVISIBLE = re.compile("[\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]")


def plain_bytes(texts: list[str]) -> bytes:
    """All of them, a line each, without what hides a word from a pattern but not from a reader."""
    text = "\n".join(texts)
    return (text if text.isascii() else plain(text)).encode("utf-8", "replace")


def plain(text: str) -> str:
    return unicodedata.normalize("NFKC", INVISIBLE.sub("", text))
