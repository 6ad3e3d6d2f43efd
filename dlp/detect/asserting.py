"""Whether a sentence says that somebody has it: "has asthma", not "a talk on asthma".

In: a text and the place of a health word in a sentence.  Out: yes or no.
"""

from __future__ import annotations

import re
import tomllib
from functools import cache

from dlp.errors import RuleError
from dlp.resources import rules_folder

FILE = "asserting.toml"
BEFORE = ("before", "drug")
LINE = 400  # characters of a line in which the label of a field is looked for
# "has published on asthma", "has cared for patients with asthma"
TOPIC = (
    r"(?:on|about|by|into|research|patients?|people|those|stud(?:y|ies)|cared?|taught|teaches"
    r"|wrote|written|published|worked|works|leads?|led|speciali[sz]\w*)\b"
)
WINDOW = 90  # characters around the health word that are looked at


class Asserting:
    def __init__(self, rules: dict[str, list[tuple[list[str], int]]]) -> None:
        left = ["|".join(starts(words, reach) for words, reach in rules[name]) for name in BEFORE]
        right = "|".join(follows(words, reach) for words, reach in rules["behind"])
        labels = phrases([word for words, _ in rules["field"] for word in words])
        self._before, self._drug = (re.compile(rf"\b(?:{one})", re.IGNORECASE) for one in left)
        self._field = re.compile(rf"(?:^|\t|  )\s*(?:{labels})[ .]{{0,20}}:", re.IGNORECASE)
        self._behind = re.compile(rf"(?:{right})", re.IGNORECASE)

    def says(
        self, text: str, sentence: tuple[int, int], place: tuple[int, int], *, drug: bool = False
    ) -> bool:
        left = text[max(sentence[0], place[0] - WINDOW) : place[0]]
        if self._before.search(left) or (drug and self._drug.search(left)):
            return True
        line = text.rfind("\n", 0, place[0]) + 1
        if self._field.search(text[line : min(place[0], line + LINE)]):
            return True
        right = text[place[1] : min(sentence[1], place[1] + WINDOW)]
        return self._behind.match(right) is not None


@cache
def load_asserting() -> Asserting:
    try:
        raw = tomllib.loads((rules_folder() / FILE).read_text(encoding="utf-8"))
        rules = {
            name: [(entry["words"], entry["reach"]) for entry in raw[name]]
            for name in (*BEFORE, "behind", "field")
        }
    except (OSError, tomllib.TOMLDecodeError, KeyError) as error:
        raise RuleError("cannot be read", where=FILE, fix="restore the file") from error
    return Asserting(rules)


def starts(words: list[str], reach: int) -> str:
    """One of the phrases, then at most so many other words, then the health word."""
    return rf"(?:{phrases(words)})[\s:,(]+(?:(?!{TOPIC})[\w'’-]+[\s,:(/]+){{0,{reach}}}$"


def follows(words: list[str], reach: int) -> str:
    return rf"[\s,)]*(?:[\w'’-]+[\s,:(]+){{0,{reach}}}(?:{phrases(words)})\b"


def phrases(words: list[str]) -> str:
    longest = sorted(words, key=len, reverse=True)
    return "|".join(r"\s+".join(map(re.escape, phrase.split())) for phrase in longest)
