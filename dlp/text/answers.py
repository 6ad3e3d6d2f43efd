"""What the value of a field, cell or box says about its label: stated, denied or unanswered.

In: the text of a value.  Out: State, or None where the value is content of its own.
"""

from __future__ import annotations

import re
from enum import StrEnum


class State(StrEnum):
    """Whether a labelled item holds."""

    STATED = "stated"
    DENIED = "denied"
    UNANSWERED = "unanswered"


YES_WORDS = frozenset(
    """
    yes y yep yeah true 1 x xx pos positive present on checked ticked selected + ++ si sí ja oui
    sim tak known confirmed detected reactive
    """.split()  # noqa: SIM905 - a list of words is read more easily
)
NO_WORDS = frozenset(
    """
    no n nope false 0 none nil neg negative absent off never denies denied unchecked nkda nka
    nein nee non ningun ninguno ninguna keine aucun aucune nao não nessuno nessuna geen nie
    """.split()  # noqa: SIM905
) | {
    "non-reactive", "nonreactive", "not detected", "none known", "none reported", "none stated",
    "none recorded", "nothing", "no known", "none of these", "none of the above", "not present",
    "not applicable to me", "nil known", "nil of note", "no history", "no issues",
}  # fmt: skip
# A column of these holds no text of its own; "-" and "n/a" leave the question open.
OPEN_WORDS = frozenset(
    """
    - -- --- n/a na n.a n.a. n.d. n/d unknown unk ? ?? tbc tba tbd pending blank null nan . * # ..
    unsure unspecified y/n yes/no yes/no/unknown
    """.split()  # noqa: SIM905
) | {
    "yes no", "no yes", "y n", "yes or no", "not known", "not stated", "not applicable",
    "not recorded", "not asked", "not answered", "not provided", "please select", "select",
    "choose an item", "prefer not to say", "don't know", "do not know", "mm/dd/yyyy", "dd/mm/yyyy",
    "yes no unknown", "yes no n a", "yes no don't know", "yes no na",
}  # fmt: skip
# Lines, leaders and empty brackets to be written on: "______", "...", "[      ]", "__/__/____".
BLANK = re.compile(r"[\s_.…\-–—/|()\[\]{}<>:$£€*]*")
EDGES = " \t\r\n\f\v.,;:!?\"'`*|“”‘’"
STARTS_NO = re.compile(
    r"(?:no(?=[,;.]|\s*[-–—(])|none(?=[,;.(]|\s+(?:known|reported|at|that|of|since|to|in|ever)\b)"
    r"|no (?:known|current|recent|past|previous|relevant|significant|other|regular|history|such)\b"
    r"|nil\b|denie[sd]\b|never\b|negative\b|not (?:at|currently|that|known|any|present|detected)\b"
    r"|n/?k(?:d)?a\b|without\b)",
    re.IGNORECASE,
)
STARTS_YES = re.compile(r"(?:yes|y|positive)(?=[,;.:]|\s*[-–—(]|\s+\w)", re.IGNORECASE)
# "Yes / *No*", "(Y) N", "[Yes] No": one of two printed answers is marked.
MARK_OPEN, MARK_CLOSE = r"(?:\*{1,2}|__|[(\[<{>])\s?", r"\s?(?:\*{1,2}|__|[)\]>}<])"
YES, NO = r"(?:yes|y)", r"(?:no|n)"
JOINT = r"\s*[/|,]?\s*(?:or\s+)?"
YES_MARKED = re.compile(rf"{MARK_OPEN}{YES}{MARK_CLOSE}{JOINT}{NO}", re.IGNORECASE)
NO_MARKED = re.compile(rf"{YES}{JOINT}{MARK_OPEN}{NO}{MARK_CLOSE}", re.IGNORECASE)
STRUCK = r"(?:~~|-{2,})"
YES_STRUCK = re.compile(rf"{STRUCK}{YES}{STRUCK}{JOINT}{NO}", re.IGNORECASE)
NO_STRUCK = re.compile(rf"{YES}{JOINT}{STRUCK}{NO}{STRUCK}", re.IGNORECASE)
LONGEST_ANSWER = 40
ANSWER_STARTS = "ynpdw([{<>*_~-"  # of all that is looked for below


def state_of(value: str) -> State | None:
    """The state that a value gives its label, or None where the value is free text.

    Free text answers the label too, but it is not for this function to say how.
    """
    if len(value) > LONGEST_ANSWER:
        if STARTS_NO.match(value.lstrip()):
            return State.DENIED
        return State.UNANSWERED if BLANK.fullmatch(value) else None
    word = value.strip(EDGES).lower()
    if word in YES_WORDS:
        return State.STATED
    if word in NO_WORDS:
        return State.DENIED
    if not word or word in OPEN_WORDS or BLANK.fullmatch(value):
        return State.UNANSWERED
    return marked_state(value.strip())


def marked_state(value: str) -> State | None:
    """Answers of more than one word: a marked choice, or one with an explanation behind it."""
    if value[0].lower() not in ANSWER_STARTS:
        return None
    if YES_MARKED.fullmatch(value) or NO_STRUCK.fullmatch(value):
        return State.STATED
    if NO_MARKED.fullmatch(value) or YES_STRUCK.fullmatch(value):
        return State.DENIED
    if " ".join(re.split(r"[\s/|,]+", value.lower())).strip() in OPEN_WORDS:
        return State.UNANSWERED
    if STARTS_NO.match(value):
        return State.DENIED
    return State.STATED if STARTS_YES.match(value) else None


def is_answer(value: str) -> bool:
    """Whether a value is nothing but an answer: a column of these is a Yes/No or 0/1 column."""
    word = value.strip(EDGES).lower()
    return not word or word in YES_WORDS or word in NO_WORDS or word in OPEN_WORDS
