"""Whether a sentence says that somebody has it: "has asthma", not "a talk on asthma".

In: a text and the place of a health word in a sentence.  Out: yes or no.
"""

from __future__ import annotations

import re
import tomllib
from functools import cache, lru_cache

import re2

from dlp.detect.linking.leads import FILE, Leads, joined, phrases
from dlp.errors import RuleError
from dlp.model import Kind
from dlp.prepared import read_table
from dlp.resources import rules_folder

BEFORE = ("before", "drug")
REGULAR = frozenset({Kind.DRUG, Kind.PROCEDURE})  # dialysis three times a week is somebody's, too
LINE = 400  # characters of a line in which the label of a field is looked for
NEAR = 30  # characters before a test in which its result may stand
ODD_REACH = 40  # characters behind a test in which its result may begin
# terms that say it themselves: "broke her hip", "had a bypass", "took his own life"
OWN_OPENINGS = (
    "has", "had", "broke", "lost", "losing", "took", "taken", "killed", "tried", "addicted",
    "expecting", "struggling", "battling", "recovering", "swallowed",
)  # fmt: skip
OWNERS = ("his", "her", "my")
OWN = re.compile(rf"(?:{'|'.join(OWN_OPENINGS)})\s|[^\n]*\b(?:{'|'.join(OWNERS)})\s", re.IGNORECASE)
# how often a drug is taken: it is somebody's
OFTEN = re.compile(
    r"\b(?:(?:once|twice|three times|\d times) (?:a day|daily|a week)|one (?:tablet )?daily"
    r"|\d+ ?mg (?:daily|od|bd|tds|qds|nocte|mane)|nightly|nocte|mane|tds|qds|b\.?i\.?d|t\.?i\.?d"
    r"|q\.?i\.?d|prn|qhs|q\d+h|every \d+ hours|at bedtime|once weekly|[1-9]\d?(?:[:.]\d\d)? ?[ap]m"
    r"|\d ?x ?(?:a )?(?:week|day|month)(?:ly)?)\b",
    re.IGNORECASE,
)
# The runs of letters it may begin with, one or two, if not with a digit.
OTHER_LETTER = re.compile(r"[^\W\0-\x7f]")  # RE2 takes it for no part of a word, but a _
ODD_SIGN = re.compile(r"[\u0130\u0131\u017f\u212a]|[^\D0-9]")  # for a pattern i, s, k or a digit
OFTEN_ASCII = re2.compile(f"(?i){OFTEN.pattern}")
ASKED = re.compile(r"(?<=[\s(,])\?\s?\Z")  # "?UTI" in a chart
# "a trial of physiotherapy after hip fracture" is about nobody yet
PLAN = re.compile(
    r"(?i)\b(?:trials? of|stud(?:y|ies) of|propos(?:e|es|ed|al)|guidelines? (?:on|for))\b"
)
PLANS = ("trial", "stud", "propos", "guideline")  # each of them holds one of these
CAUSES = (  # "walks for the cancer appeal"
    "appeal", "charity", "fund", "society", "association", "foundation", "research", "awareness",
    "campaign", "trust", "team", "course", "training", "lecture", "conference", "nurse", "nurses",
    "specialist", "specialists", "lead", "register", "registers", "market", "handbook", "project",
    "award", "awards", "prize",
)  # fmt: skip
CAUSE = re.compile(rf"[\s-]+(?:\w+\s)?(?:{'|'.join(CAUSES)})\b", re.IGNORECASE)
LABEL = re.compile(r"[ \t*•-]*(?:[\d/.:-]{4,16}\s+)?[A-Za-z][A-Za-z /&'-]{1,30}:")
AT_WORK = re.compile(
    r"(?i)\b(?:dept|department|division|team|job|position|occupation|special\w+|employer|workplace"
    r"|clinic|unit|ward|role|title|expertise|interests?|affiliation|talk|topic|session|paper|course"
    r"|study|project|programme?|service|product|subject|re|about|event|agenda|from|to|cc|location"
    r"|organi[sz]ation|company|charity|item|order|description|name|note|problem|fix|purpose)\b"
)
BLANK = re.compile(r"[ ._]{4}")
# The questions about a health word. Those that no word near by opens need not be asked (saying.py).
IS_CAUSE, IS_ASKED, IS_OWN, IS_LED_TO, IS_FIELD, IS_REGULAR, IS_FOLLOWED, IS_ODD, IS_ANSWER = (
    1 << bit for bit in range(9)
)
EVERYTHING = (1 << 9) - 1
WINDOW = 90  # characters around the health word that are looked at


Rules = dict[str, list[tuple[list[str], int]]]  # phrases, and the words that may lie between


class Asserting:
    def __init__(self, rules: Rules) -> None:
        self._before, self._drug = (Leads(rules[name]) for name in BEFORE)
        right = "|".join(follows(*one) for one in joined(rules["behind"]))
        labels = phrases([word for words, _ in rules["field"] for word in words])
        stems = "|".join(word for words, _ in rules["label"] for word in words)
        told = rf"(?:{labels}|[^:\n]{{0,40}}\b(?:{stems})[^:\n]{{0,30}})"
        self._field = re.compile(
            rf"(?:^|\t|  )\W{{0,4}}{told}(?:[ .]{{0,20}}:|[ ._]{{4,40}})", re.IGNORECASE
        )
        self._labelled = lru_cache(maxsize=256)(self._end_of_label)  # a line says many things
        self._behind = re.compile(rf"(?:{right})", re.IGNORECASE)
        odd = phrases([word for words, _ in rules["abnormal"] for word in words])
        self._odd_before = re.compile(rf"\b(?:{odd})[\s:]+(?:[\w-]+\s+)?$", re.IGNORECASE)
        self._odd_behind = re.compile(
            rf"[^.;\n]{{0,{ODD_REACH}}}?(?:\b(?:{odd})\b|\((?:H|HH|L|LL)\)|\d\s*[↑↓])",
            re.IGNORECASE,
        )

    def _end_of_label(self, line: str) -> int:
        found = self._field.search(line)
        return found.end() if found else -1

    def is_abnormal(self, text: str, place: tuple[int, int]) -> bool:
        """Whether the result of a test is told, and is not as it should be."""
        start, end = place
        if self._odd_before.search(text[max(0, start - NEAR) : start]):
            return True
        return self._odd_behind.match(text[end : end + WINDOW]) is not None

    def is_answer(self, text: str, place: int, line: int) -> bool:
        """Whether it stands behind a label of its line that asks for neither work nor a topic."""
        label = LABEL.match(text, line, min(place, line + LINE))
        return label is not None and not is_at_work(label.group())

    def _is_field(self, text: str, line: int, end: int) -> bool:
        """Whether the label of a field stands in a line before this end."""
        label = text[line:end]
        # it ends with a colon, or with the dots and blanks one writes on
        if ":" not in label and not BLANK.search(label):
            return False
        close = text.find("\n", end, line + LINE)
        first = self._labelled(text[line : line + LINE if close < 0 else close])
        # a label that is there is there in a longer line, too
        return first >= 0 and (first <= end - line or self._field.search(label) is not None)

    def says(
        self,
        text: str,
        sentence: tuple[int, int],
        place: tuple[int, int],
        kind: Kind,
        line: int,
        *,
        asked: int = EVERYTHING,
    ) -> bool:
        """`line` is where the line of the place begins, `asked` the questions that are open."""
        start, end = place
        if asked & IS_CAUSE and CAUSE.match(text, end):
            return False
        if asked & IS_ASKED and ASKED.search(text, max(0, start - 3), start):
            return True
        if asked & IS_OWN and OWN.match(text, start, end):
            return True
        if asked & IS_LED_TO and self._leads_to(
            text[max(sentence[0], start - WINDOW) : start], kind
        ):
            return True
        if asked & IS_FIELD and self._is_field(text, line, min(start, line + LINE)):
            return True
        if asked & IS_REGULAR and kind in REGULAR:
            first, last = max(0, start - WINDOW), end + WINDOW
            if is_regular(text, first, last):
                return True
        behind = min(sentence[1], end + WINDOW)
        return bool(asked & IS_FOLLOWED) and self._behind.match(text[end:behind]) is not None

    def _leads_to(self, left: str, kind: Kind) -> bool:
        """Whether a phrase says so before the health word, and plans nothing."""
        told = self._before.up_to(left) or (kind is Kind.DRUG and self._drug.up_to(left))
        return told and not is_planned(left)


def is_planned(left: str) -> bool:
    low = left.lower()
    if low.isascii() and not any(map(low.__contains__, PLANS)):
        return False  # without a look at every letter
    return PLAN.search(left) is not None


@lru_cache(maxsize=1024)  # a form has a dozen labels, and many forms have the same
def is_at_work(label: str) -> bool:
    return AT_WORK.search(label) is not None


def is_regular(text: str, start: int, end: int) -> bool:
    """Whether a stretch says how often; RE2, which is quicker, may see more at its very edges."""
    window = text[start:end]
    if not window.isascii():
        if ODD_SIGN.search(window):
            return OFTEN.search(text, start, end) is not None
        window = OTHER_LETTER.sub("_", window)
    if not OFTEN_ASCII.search(window):
        return False
    return OFTEN.search(text, start, end) is not None


@cache
def load_asserting() -> Asserting:
    return Asserting(read_rules())


def read_rules() -> Rules:
    try:
        raw = read_table(rules_folder() / FILE)
        return {
            name: [(entry["words"], entry["reach"]) for entry in raw[name]]
            for name in (*BEFORE, "behind", "field", "label", "abnormal")
        }
    except (OSError, tomllib.TOMLDecodeError, KeyError) as error:
        raise RuleError("cannot be read", where=FILE, fix="restore the file") from error


def follows(words: list[str], reach: int) -> str:
    return rf"[\s,)]*(?:[\w'’-]+[\s,:(]+){{0,{reach}}}(?:{phrases(words)})\b"
