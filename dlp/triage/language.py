"""Say which language a text is in: small words first, a model only in doubt, English when unsure.

In: the parts of a document.  Out: a language code, how it was decided, and whether it is certain.

Only a certain answer may keep a file from deep analysis. A long text is looked at in several
places, and one English place is enough to go on: a letter can follow a foreign first page. Such a
text is named by the language of most places, but the answer is not certain.

The model is dear. Words and scripts are counted at every place before it is asked, and it is asked
only where its answer may change what is said of the whole.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum

import numpy as np
import numpy.typing as npt
import pycld2

from dlp.triage.rules import LanguageRules

# Ask the language model CLD2 about a stretch of text.

PERCENT = 85  # of the text, by the model's own account
# CLD2 refuses text with control characters and code points that are no characters.
UNFIT_RANGES = (
    *((0x00, 0x08), (0x0B, 0x0C), (0x0E, 0x1F), (0x7F, 0x9F)),
    *((0xD800, 0xDFFF), (0xFDD0, 0xFDEF), (0xFFFE, 0xFFFF)),
)
UNFIT = re.compile(f"[{''.join(f'{chr(low)}-{chr(high)}' for low, high in UNFIT_RANGES)}]")
SAME = {"no": "nb"}  # the lists of small words tell Bokmål from its relatives
TOLERATED = b"\f"  # the only one of them that it takes


def ask_model(text: str) -> str:
    """ISO 639-1; "" for what it calls unreliable, mixed or unknown."""
    try:
        raw = text.encode()
        # It refuses all other unfit signs by itself, and most texts have none.
        if TOLERATED not in raw:
            return named_in(raw)
    except (UnicodeEncodeError, pycld2.error):
        pass
    try:
        return named_in(UNFIT.sub(" ", text).encode("utf-8", "replace"))
    except pycld2.error:  # it refuses some rare characters; the text is then nobody's
        return ""


def named_in(raw: bytes) -> str:
    reliable, _, details = pycld2.detect(raw, bestEffort=False)
    _, code, percent, _ = details[0]
    if not reliable or code == "un" or percent < PERCENT:
        return ""
    return SAME.get(code, str(code.split("-")[0]))


MIN_WORDS = 6
# In so few words without a small one of any language, a model goes by the names.
FEW_WORDS = 16
ENGLISH_SHARE = 0.12  # running English has 0.3 to 0.5, chart notes 0.05 to 0.3 with shorthand
PLAIN_SHARE = 0.18  # 0.13 is the most that any of 79 foreign translations of one text reached
FOREIGN_SHARE = 0.12
FOREIGN_LEAD = 3.0  # times the English share
# With this share, and so far ahead of all others, the model named no other language at any of
# 2,400 places; of 0.02 and twice it did.
FAINT_SHARE = 0.04
FAINT_LEAD = 3.0
# Of a text in a language that the model does not know, it doubts every place. After two it went on
# to name none of 6,900 texts; after one, three. Doubt means English, so a wrong stop hides nothing.
DOUBTS = 2
NAMED_CHARS = 750  # half a place tells the model what words have told already; a third does not
UNKNOWN = "und"
TOKEN = re.compile(r"[^\W\d_]+(?:/[^\W\d_]*)?")
NUMBER = re.compile("[0-9]+")
# A set comes first, which `re` skips to, and a look behind it says that a word begins there.
SMALL = re.compile(r"[a-zß-öø-ÿ](?<!\w.)[a-zß-öø-ÿ]{3,}+\b")
CAPITAL = re.compile(r"[A-ZÀ-ÖØ-Þ](?<!\w.)[a-zß-öø-ÿ]+")
LOUD = re.compile(r"[A-ZÀ-ÖØ-Þ](?<!\w.)[A-ZÀ-ÖØ-Þ]{3,}+\b")
SMALL_SHARE = 0.3  # small words for each capital one, under which a text is a list of names


@dataclass(frozen=True, slots=True)
class Answer:
    code: str  # ISO 639-1, or "und"
    certain: bool
    by: str  # "words", "script", "model", "mixed", "doubt"


ENGLISH_IN_DOUBT = Answer("en", certain=False, by="doubt")
ENGLISH_BY_WORDS = Answer("en", certain=True, by="words")
ENGLISH_BY_MODEL = Answer("en", certain=True, by="model")
NO_TEXT = Answer(UNKNOWN, certain=False, by="doubt")


class Look(IntEnum):
    """What words and letters say of a place, before any model is asked."""

    DOUBT = 0  # too few words to say
    ENGLISH = 1
    FAINT = 2  # not foreign; the model may call it English
    OPEN = 3  # anything
    WORDS = 4  # foreign by its small words
    SCRIPT = 5  # foreign by its letters


TABULAR = (Look.DOUBT, UNKNOWN)  # names and codes are in no language
DOUBT, ENGLISH, SCRIPT = (Look.DOUBT, ""), (Look.ENGLISH, "en"), (Look.SCRIPT, "")
ASKED = (Look.OPEN, Look.FAINT, Look.WORDS, Look.SCRIPT)
BY = {Look.OPEN: "model", Look.WORDS: "words", Look.SCRIPT: "script"}


class Languages:
    """Judges places; holds no state between texts, so answers never depend on order."""

    def __init__(self, rules: LanguageRules) -> None:
        self._english = rules.stop_words["en"] | rules.shorthand
        self._foreign: dict[str, tuple[str, ...]] = {}
        for code, words in rules.stop_words.items():
            for word in words if code != "en" else ():
                self._foreign[word] = (*self._foreign.get(word, ()), code)
        self._codes = tuple(code for code in sorted(rules.stop_words) if code != "en")
        # of letters, or with a digit in them: "a1c"
        words = self._english
        self._all_lettered = all(TOKEN.fullmatch(w) or NUMBER.search(w) for w in words)

    def of_texts(self, texts: Sequence[str]) -> Answer:
        """The language of a whole document. English at the start ends the search: it goes on."""
        # Most files are plain English prose and need no more than these lines.
        start = start_of(texts)
        if self._is_plain(start):
            return ENGLISH_BY_WORDS
        places = samples(texts)
        looks: list[tuple[Look, str]] = []
        english = foreign = 0
        for place in places:
            look = self.look_at(place, plain=False if place == start else None)
            looks.append(look)
            english += look[0] == Look.ENGLISH
            foreign += look[0] >= Look.OPEN
            most = foreign + len(places) - len(looks)  # if all from here on is foreign
            if english == len(looks) or is_english(most, english, len(places)):
                if looks.count(TABULAR) == len(looks):
                    return NO_TEXT
                return ENGLISH_BY_WORDS if english else ENGLISH_IN_DOUBT
        return of_looks(places, looks) if places else NO_TEXT

    def look_at(self, text: str, *, plain: bool | None = None) -> tuple[Look, str]:
        """What the words of one place say, and the language that most of them are of."""
        is_ascii = text.isascii()
        if not is_ascii and is_foreign_script(text):
            return ENGLISH if self._told_plain(text, plain) else SCRIPT
        if is_ascii and self._told_plain(text, plain):
            return ENGLISH
        words, known, code, count, stretches, numbers = self._lettered(text)
        # A small word between blanks is one of these known ones, or has a digit: mostly that
        # rules out what would else be counted.
        most = known + numbers if self._all_lettered else stretches
        may_be_plain = not is_ascii and most > PLAIN_SHARE * max(stretches, MIN_WORDS)
        if may_be_plain and self._told_plain(text, plain):
            return ENGLISH
        if words < MIN_WORDS or (words < FEW_WORDS and is_ascii and not count):
            return DOUBT
        english, foreign = known / words, count / words
        if english >= ENGLISH_SHARE and english > foreign:
            return ENGLISH
        if is_tabular(text):
            return TABULAR
        if foreign >= FOREIGN_SHARE and foreign >= FOREIGN_LEAD * english:
            return Look.WORDS, code
        faint = english >= FAINT_SHARE and english >= FAINT_LEAD * foreign
        # a list in another language may have no small words, but seldom no accents
        return Look.FAINT if faint and is_ascii else Look.OPEN, code

    def _told_plain(self, text: str, plain: bool | None) -> bool:
        return self._is_plain(text) if plain is None else plain

    def _is_plain(self, text: str) -> bool:
        """Whether the words between blanks are English by many small words among them."""
        rough = text.lower().split()
        known = sum(map(self._english.__contains__, rough))
        return known > PLAIN_SHARE * max(len(rough), MIN_WORDS)

    def _lettered(self, text: str) -> tuple[int, int, str, int, int, int]:
        """The words of letters, the English small ones, the language of most others, and those.

        Then what stands between blanks, and the numbers.
        """
        tokens = TOKEN.findall(text.lower())
        known = sum(map(self._english.__contains__, tokens))
        counts = self._count_foreign(tokens)
        code = max(sorted(counts), key=lambda key: counts[key], default="")
        numbers = len(NUMBER.findall(text))
        return len(tokens), known, code, counts.get(code, 0), len(text.split()), numbers

    def _count_foreign(self, words: Sequence[str]) -> dict[str, int]:
        counts: dict[str, int] = {}
        for word in filter(self._foreign.__contains__, words):
            for code in self._foreign[word]:
                counts[code] = counts.get(code, 0) + 1
        return counts


def is_english(foreign: int, english: int, places: int) -> bool:
    """Doubtful places (tables, commands) say nothing, but they may not be most of the text."""
    return foreign <= english or 3 * foreign < places


def is_tabular(text: str) -> bool:
    """Whether a text holds names and codes rather than sentences.

    Prose of every language in Latin script has about as many small words of four letters as words
    with a capital; German, which writes nouns with one, has two for three. Particles of names ("de
    la", "van") are shorter. A text in capitals says nothing either way.
    """
    small, capital, loud = (len(pattern.findall(text)) for pattern in (SMALL, CAPITAL, LOUD))
    return capital >= MIN_WORDS and small < SMALL_SHARE * capital and loud < capital


def is_foreign_script(text: str) -> bool:
    """Whether most letters are of a script English is not written in."""
    if text.isascii():
        return False
    others, latin = letters_of(text)
    return others >= MIN_WORDS and others > latin


def of_looks(places: Sequence[str], looks: Sequence[tuple[Look, str]]) -> Answer:
    """The language of a text whose words leave it open, or call it foreign."""
    kinds = [kind for kind, _ in looks]
    english, foreign = kinds.count(Look.ENGLISH), sum(kind >= Look.OPEN for kind in kinds)
    only_open = max(kinds) is Look.OPEN
    named: dict[int, str] = {}
    votes: dict[tuple[Look, str], list[str]] = {}
    doubts = 0
    # What may be foreign first: mostly it is not, and then nothing else matters.
    for number in (n for kind in ASKED for n in range(len(kinds)) if kinds[n] is kind):
        look, place = looks[number], places[number]
        if look[0] >= Look.WORDS:
            code = name_proven(place, look, votes.setdefault(look, []))
        else:
            code = name_open(place, list(named.values()))
        if code == "en":
            if number == 0:
                return ENGLISH_BY_MODEL
            english += 1
        elif code and look[0] is not Look.FAINT:
            named[number] = code
            continue
        else:
            doubts += 1
        foreign -= look[0] is not Look.FAINT
        in_vain = only_open and doubts >= DOUBTS and not named
        if in_vain or is_english(foreign, english, len(kinds)):
            return ENGLISH_BY_MODEL if english else ENGLISH_IN_DOUBT
    return most_named(named, kinds, certain=english == 0)


def name_open(place: str, named: Sequence[str]) -> str:
    """What the model says of it; half of it, if that is what it said of two places before."""
    agreed = len(named) > 1 and named.count(named[0]) == len(named)
    if agreed and ask_model(place[:NAMED_CHARS]) == named[0]:
        return named[0]
    return ask_model(place)


def name_proven(place: str, look: tuple[Look, str], votes: list[str]) -> str:
    """The words prove that it is not English; the model tells close relatives apart.

    `votes` are of places that look the same: two of one mind, or the model with the small words,
    are enough to name the next unasked.
    """
    if len(votes) > 1 and votes.count(votes[0]) == len(votes):
        return votes[0]
    kind, by_words = look
    # Half of it will do, if it says what is said of it already.
    by_half = ask_model(place[:NAMED_CHARS]) if votes or kind is Look.WORDS else ""
    is_told = by_half != "en" if kind is Look.WORDS else by_half in votes
    code = by_half if is_told else ask_model(place)
    agreed = kind is Look.WORDS and code == by_words
    code = code or by_words or script_of(place)
    votes += [code, code] if agreed else [code]
    return code


def most_named(named: Mapping[int, str], kinds: Sequence[Look], *, certain: bool) -> Answer:
    codes = list(named.values())
    best = max(sorted(set(codes)), key=codes.count)
    first = min(number for number, code in named.items() if code == best)
    return Answer(best, certain, BY[kinds[first]] if certain else "mixed")


SAMPLE_CHARS = 1500  # about 250 words: the gate is right on 99 % of windows of this size
SAMPLES = 8


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
    if whole <= SAMPLE_CHARS and len(texts) == 1:
        return [] if not whole or texts[0].isspace() else [texts[0]]
    if whole <= SAMPLE_CHARS * SAMPLES:
        joined = "\n".join(texts)
        cuts = range(0, len(joined), SAMPLE_CHARS)
        pieces = [joined[cut : cut + SAMPLE_CHARS] for cut in cuts]
    else:
        step = (whole - SAMPLE_CHARS) / (SAMPLES - 1)
        pieces = [slice_across(texts, round(step * i), SAMPLE_CHARS) for i in range(SAMPLES)]
    whole_ones = [piece for piece in pieces if len(piece) > SAMPLE_CHARS // 4]
    return [piece for piece in whole_ones or pieces if piece and not piece.isspace()]


def slice_across(texts: Sequence[str], start: int, length: int) -> str:
    if len(texts) == 1:
        return texts[0][start : start + length]
    taken: list[str] = []
    for text in texts:
        if start < len(text) and length > 0:
            taken.append(text[start : start + length])
            length -= len(taken[-1])
        start = max(0, start - len(text))
    return "\n".join(taken)


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


def script_of(text: str) -> str:
    """The language whose letters are most; the first of equals."""
    points = points_of(text)
    counts = [count_of(points, bounds) for _, bounds in SCRIPTS]
    return SCRIPTS[counts.index(max(counts))][0]


def letters_of(text: str) -> tuple[int, int]:
    """Letters of other scripts, and Latin ones."""
    points = points_of(text)
    return count_of(points, *OTHER_LETTERS), count_of(points, *LATIN_LETTERS)


def points_of(text: str) -> npt.NDArray[np.uint32]:
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")


def count_of(points: npt.NDArray[np.uint32], *ranges: tuple[int, int]) -> int:
    return sum(int(((points >= low) & (points <= high)).sum()) for low, high in ranges)
