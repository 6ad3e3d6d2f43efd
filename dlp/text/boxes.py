"""Check boxes and questions answered on one line: which items are ticked, denied or stated.

In: one line of text, or the line of a question and those below it.  Out: items with their state.

Three ways of writing a box are read: brackets ("[x]", "( )"), box signs ("☐", "☒", "✓"), and bare
letters ("X Yes  _ No", "o asthma  ✓ gout"), which count only where two or more stand on a line.
The sign stands before its item, or behind it ("Yes [x]  No [ ]") where the line ends with a sign.
A question on one line is "Any history of asthma? No" or "Asthma - no".
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from dlp.text import tables
from dlp.text.answers import EDGES, NO_WORDS, OPEN_WORDS, YES_WORDS, State, state_of
from dlp.text.field_labels import names_field
from dlp.text.labels import DASHED, DASHED_FIELD, QUESTION, LabelSpan

TICKED_SIGNS = "☑☒✓✔✗✘🗹🗷✅"
OPEN_SIGNS = "☐□▢◻⬜❏❐❑❒"
# Round and filled signs are bullets as well; they are boxes beside an open sign of their kind.
FILLED = {"■": "□", "◼": "◻", "⬛": "⬜", "●": "○", "◉": "○", "⦿": "○", "◯": "○", "○": "○"}
ROUND_AND_SQUARE = (
    (frozenset("○◯"), frozenset("●◉⦿")),
    (frozenset("□◻⬜"), frozenset("■◼⬛")),
)
BRACKET = (
    r"(?<![\w)\]])(?:\[(?P<square>[ xX✓✔*_\-+]{1,3}|\s{1,12})\]|\((?P<round>[ xX✓✔*_]{1,3})\))"
)
SIGN = rf"(?P<sign>[{TICKED_SIGNS}{OPEN_SIGNS}{''.join(FILLED)}])"
BOX = re.compile(rf"{BRACKET}|{SIGN}")
# One set comes first, which `re` skips to.
HINT = re.compile(
    rf"[\[({TICKED_SIGNS}{OPEN_SIGNS}{''.join(FILLED)}]"
    r"(?:(?<![\[(])|[ xX✓✔*_\-+]{1,12}[\])])"
)
# Where a box of brackets or signs may begin, told from its first two characters.
OPENING = re.compile(
    rf"[\[({TICKED_SIGNS}{OPEN_SIGNS}{''.join(FILLED)}](?:(?<![\[(])|[\s✓✔xX*_\-+])"
)
BARE = re.compile(
    r"(?:^|(?<=[ \t]{2})|(?<=\t)|(?<=[:.|?*>;] ))[ \t]*(?P<bare>[xXoO_✓✔]{1,3})[ ](?=[^\W\d_])"
)
# Where blanks were lost, as in HTML, an item begins with a capital: "o Gout ✓ Asthma o Ulcers".
SPACED = re.compile(r"(?<=\s)(?P<bare>[xXo_✓✔]) (?=[A-Z])")
MARKS = frozenset({"o", "_", "__", "___", "✓", "✔", "x", "X", "O"})
ITEM_ENDS = re.compile(r"[ \t]{2,}|\t|\||;|\n|$")
# Behind one of these an item goes on: "[x] asthma (since 2010)"; a full stop ends it.
SENTENCE_END = re.compile(r"\.(?:\s|$)")
NONE_OF_THEM = re.compile(
    r"none(?: of (?:these|the above|them))?|n/?a|no(?:ne)? known.*", re.IGNORECASE
)


class BoxItem(NamedTuple):
    """One box and the text it stands for; spans are offsets into the part's text."""

    sign_start: int
    sign_end: int
    start: int
    end: int
    ticked: bool


class Question(NamedTuple):
    """Boxes of one question; the question is an empty span where none is printed."""

    start: int
    end: int
    items: tuple[BoxItem, ...]


def may_hold_boxes(text: str) -> bool:
    return HINT.search(text) is not None


def boxes_of_line(text: str, start: int, end: int) -> Question | None:
    """The boxes of one line, and the question before the first of them."""
    signs = [
        (hit.start(), hit.end(), is_ticked(hit, text)) for hit in BOX.finditer(text, start, end)
    ]
    signs = [sign for sign in signs if sign[2] is not None]
    if bare := bare_signs(text, start, end):  # a tick among open letters is of both kinds
        signs = sorted({*signs, *bare})
    if not signs:
        return None
    behind = not text[signs[-1][1] : end].strip(EDGES + "|)") and text[start : signs[0][0]].strip(
        EDGES
    )
    items = items_before(text, start, signs) if behind else items_behind(text, end, signs)
    if not items:
        return None
    first = min(items[0].start, items[0].sign_start)
    return Question(*trimmed(text, start, first), tuple(items))


def is_ticked(hit: re.Match[str], text: str) -> bool | None:
    """Whether the box is ticked; None where the sign is no box here."""
    sign = hit["sign"]
    if sign is None:
        inside = (hit["square"] or hit["round"] or "").strip(" _-\t")
        return bool(inside)
    if sign in FILLED:
        return filled_signs(text).get(sign)
    return sign in TICKED_SIGNS


@lru_cache(maxsize=4)
def filled_signs(text: str) -> dict[str, bool]:
    """Which round and filled signs of a text are boxes: those whose open and filled form it has."""
    present = {sign for sign in {*FILLED, *FILLED.values()} if sign in text}
    found: dict[str, bool] = {}
    for open_signs, filled in ROUND_AND_SQUARE:
        if present & open_signs and present & filled:
            found |= dict.fromkeys(open_signs, False) | dict.fromkeys(filled, True)
    return found


def bare_signs(text: str, start: int, end: int) -> list[tuple[int, int, bool | None]]:
    """Letters used as boxes: two or more on a line, of a pair that holds an open one or a tick."""
    line = text[start:end]
    hits = list(BARE.finditer(line))
    if len(hits) < 2:
        hits = [hit for hit in SPACED.finditer(line) if hit["bare"] in MARKS]
        answers = {line[hit.end() :].split(maxsplit=1)[0].strip(EDGES).lower() for hit in hits}
        if len(hits) < 3 and answers != {"yes", "no"}:
            return []
    if not {hit["bare"] for hit in hits} & MARKS - {"x", "X", "O"}:
        return []
    opens = {"o", "O", "_", "__", "___"}
    return [
        (start + hit.start("bare"), start + hit.end("bare"), hit["bare"] not in opens)
        for hit in hits
    ]


def items_behind(text: str, end: int, signs: list[tuple[int, int, bool | None]]) -> list[BoxItem]:
    """Items that follow their sign."""
    items = []
    for number, (sign_start, sign_end, ticked) in enumerate(signs):
        limit = signs[number + 1][0] if number + 1 < len(signs) else end
        left = sign_end
        while left < limit and text[left] in " \t":
            left += 1
        right = limit
        if found := ITEM_ENDS.search(text, left, limit):
            right = found.start()
        if found := SENTENCE_END.search(text, left, right):
            right = found.start()
        left, right = trimmed(text, left, right)
        if left < right:
            items.append(BoxItem(sign_start, sign_end, left, right, bool(ticked)))
    return items


def items_before(text: str, start: int, signs: list[tuple[int, int, bool | None]]) -> list[BoxItem]:
    """Items that stand before their sign: "Yes [x]  No [ ]"."""
    items = []
    left = start
    for sign_start, sign_end, ticked in signs:
        here = left
        for gap in re.finditer(r"[ \t]{2,}|\t|\||[?:]\s", text[left:sign_start].rstrip()):
            here = left + gap.end()
        item = trimmed(text, here, sign_start)
        if item[0] < item[1]:
            items.append(BoxItem(sign_start, sign_end, *item, bool(ticked)))
        left = sign_end
    return items


def trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """The span without blanks, leaders and list marks at its edges."""
    while start < end and text[start] in " \t\n\r*|.,;:-–•_":
        start += 1
    while end > start and text[end - 1] in " \t\n\r*|.,;:-–_…":
        end -= 1
    return start, end


def polarity(text: str, item: BoxItem) -> bool | None:
    """True for a printed "Yes", False for "No", None for "Don't know" and for other items."""
    word = text[item.start : item.end].strip(EDGES).lower()
    if word in {"no", "n", "false", "nein", "non", "negative", "absent", "never"}:
        return False
    return (
        True
        if word in {"yes", "y", "true", "sí", "si", "ja", "oui", "positive", "present"}
        else None
    )


def is_yes_no(text: str, items: tuple[BoxItem, ...]) -> bool:
    """Whether the items are the printed answers to a question, not facts of their own."""
    if not any(polarity(text, item) is not None for item in items):
        return False
    printed = YES_WORDS | NO_WORDS | OPEN_WORDS | {"n/k", "maybe", "sometimes", "not sure", "other"}
    return all(text[item.start : item.end].strip(EDGES).lower() in printed for item in items)


def answer_of(text: str, items: tuple[BoxItem, ...]) -> State:
    """The answer that the boxes of a Yes/No question give."""
    ticked = {polarity(text, item) for item in items if item.ticked} - {None}
    if len(ticked) != 1:
        return State.UNANSWERED
    return State.STATED if ticked.pop() else State.DENIED


def item_states(text: str, items: tuple[BoxItem, ...]) -> list[State]:
    """The state of each item of a list to tick; a list without any tick is unanswered."""
    ticked = [item for item in items if item.ticked]
    if not ticked:
        return [State.UNANSWERED] * len(items)
    nothing = all(NONE_OF_THEM.fullmatch(text[item.start : item.end]) for item in ticked)
    return [State.STATED if item.ticked and not nothing else State.DENIED for item in items]


# Printed answers of which none is marked: "Malaria   Yes  No".
PRINTED = re.compile(
    r"[ \t>]*(?P<label>[^\W\d_][^\n]{2,160}?)[\s.:?_]+"
    r"(?P<value>(?:yes\s*[/|]?\s*no|y\s*/\s*n|y\s+n)"
    r"(?:\s*[/|]?\s*(?:n/?a|unknown|unsure|don.t know))?)\s*",
    re.IGNORECASE,
)
PRINTED_ENDS = frozenset("onaewONAEW")  # last letters of printed answers
SENTENCE_ENDED = re.compile(r"[a-z)\d]{3}[.!;]\s+")
# One person is meant, so that a question is about a case and no line of a form.
ONE_PERSON = re.compile(
    r"\b\d{1,3}[ -]?(?:years?|yrs?|months?|weeks?)[ -]old\b|\b\d{1,3} ?(?:yo|y/o|y\.o\.)[ ,.]"
    r"|\baged \d|\b(?:Mr|Mrs|Ms|Miss)\.? [A-Z]"
)


def answered_in_line(text: str, start: int, end: int, line: str) -> LabelSpan | None:
    """`Any history of asthma? No`, `Asthma - no` and `City - Boise`."""
    if "?" in line and (hit := QUESTION.match(text, start, end)):
        value = tables.stripped(text, *hit.span("value"))
        label = question_of(text, *hit.span("label"))
        is_case = value[0] >= value[1] and ONE_PERSON.search(text, *label)
        if not is_case and state_of(text[slice(*value)]) is not None:
            return LabelSpan(*label, *value)
    if line[-1] in PRINTED_ENDS and (hit := printed_in_line(text, start, end, line)):
        return LabelSpan(*hit.span("label"), *hit.span("value"))
    dashed = " -" in line or " –" in line or " —" in line
    hit = DASHED.match(text, start, end) if dashed else None
    if hit is None or state_of(hit["value"]) not in {State.STATED, State.DENIED}:
        hit = DASHED_FIELD.match(text, start, end) if dashed else None
        if hit is None or not names_field(hit["label"]):
            return None
    return LabelSpan(*hit.span("label"), *hit.span("value"))


def printed_in_line(text: str, start: int, end: int, line: str) -> re.Match[str] | None:
    tail = line[-30:].lower()
    if "yes" in tail or "y/n" in tail or "y n" in tail or "y  n" in tail:
        return PRINTED.fullmatch(text, start, end)
    return None


def question_of(text: str, start: int, end: int) -> tuple[int, int]:
    """The question itself, without the sentences before it on its line."""
    for ended in SENTENCE_ENDED.finditer(text, start, end):
        start = ended.end()
    return start, end
