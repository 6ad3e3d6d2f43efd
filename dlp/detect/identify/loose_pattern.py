"""Write a pattern's looser twin: shorter to run, and never silent where the pattern matches.

In: a pattern.  Out: another that matches somewhere in every text the first matches in.

To ask whether a rule has anything to look for, its pattern need not be counted out: {1,30} letters
become one or more, what is optional at either end goes, what repeats at the end need not. An
automaton that need not count has a hundredth of the states, and states are what a new process pays
for.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

# Python's own reader of patterns; RE2 has none to ask. What it cannot read stays as it is.
from re import _parser as reader  # type: ignore[attr-defined]  # isort: skip

OF_RE2 = ("[[:", r"\p", r"\P", r"\Q", r"\C")  # Python reads these as something else, or not at all
MANY = 5  # a repetition that may run so often, and less often too, is not counted
WITHOUT_END = int(reader.MAXREPEAT)
EDGES = {"AT_BOUNDARY": r"\b", "AT_NON_BOUNDARY": r"\B"}
CLASSES = {
    "CATEGORY_DIGIT": r"\d",
    "CATEGORY_NOT_DIGIT": r"\D",
    "CATEGORY_SPACE": r"\s",
    "CATEGORY_NOT_SPACE": r"\S",
    "CATEGORY_WORD": r"\w",
    "CATEGORY_NOT_WORD": r"\W",
}
Step = tuple[Any, Any]


class UnreadableError(Exception):
    """A step of a pattern that nobody has thought about."""


def loosened(pattern: str) -> str:
    if any(sign in pattern for sign in OF_RE2):
        return pattern
    try:
        steps = reader.parse(pattern)
        shouted = "(?i)" if steps.state.flags & re.IGNORECASE else ""
        return shouted + written(core(list(steps)))
    except (re.error, OverflowError, RecursionError, UnreadableError):
        return pattern


def core(steps: list[Step]) -> list[Step]:
    """What a match cannot do without: it stands in every text the whole stands in."""
    return without_tail(without_ends(steps))


def without_tail(steps: Sequence[Step]) -> list[Step]:
    """Let a match end as soon as it may: whoever matches more matches this first."""
    kept = list(steps)
    while len(kept) > 1 and is_optional(kept[-1]):
        kept.pop()
    if kept:
        kept[-1] = ended_early(*kept[-1])
    return kept


def ended_early(kind: Any, what: Any) -> Step:
    match str(kind):
        case "SUBPATTERN":
            return kind, (*what[:3], without_tail(what[3]))
        case "BRANCH":
            return kind, (what[0], [without_tail(one) for one in what[1]])
        case "MAX_REPEAT" | "MIN_REPEAT" if what[0] > 0:
            inner = without_tail(what[2]) if what[0] == 1 else what[2]
            return kind, (what[0], what[0], inner)
    return kind, what


def without_ends(steps: list[Step]) -> list[Step]:
    """Cut off what a match need not have at its ends; something always stays."""
    while len(steps) > 1 and is_optional(steps[-1]):
        steps = steps[:-1]
    start = 1 if str(steps[0][0]) == "AT" else 0
    if len(steps) > start + 1 and is_optional(steps[start]):
        # the word that begins at an edge may begin within the part that is cut off
        while len(steps) > start + 1 and is_optional(steps[start]):
            start += 1
        return steps[start:]
    return steps


def is_optional(step: Step) -> bool:
    return str(step[0]) in {"MAX_REPEAT", "MIN_REPEAT"} and step[1][0] == 0


def written(steps: Sequence[Step]) -> str:
    return "".join(written_step(str(kind), what) for kind, what in steps)


def written_step(kind: str, what: Any) -> str:
    match kind:
        case "LITERAL":
            return re.escape(chr(what))
        case "NOT_LITERAL":
            return f"[^{re.escape(chr(what))}]"
        case "ANY":
            return "."
        case "AT" if str(what) in EDGES:
            return EDGES[str(what)]
        case "IN":
            return f"[{''.join(written_item(str(item), value) for item, value in what)}]"
        case "BRANCH":
            return f"(?:{'|'.join(map(written, what[1]))})"
        case "SUBPATTERN":
            return written_group(what)
        case "MAX_REPEAT" | "MIN_REPEAT":
            return f"(?:{written(what[2])}){times(what[0], int(what[1]))}"
    raise UnreadableError(kind)


def written_group(what: Any) -> str:
    _, added, removed, steps = what
    if added & ~re.IGNORECASE or removed & ~re.IGNORECASE:
        raise UnreadableError("flags")
    flags = "i" if added else "-i" if removed else ""
    return f"(?{flags}:{written(steps)})"


def written_item(kind: str, what: Any) -> str:
    match kind:
        case "NEGATE":
            return "^"
        case "LITERAL":
            return re.escape(chr(what))
        case "RANGE":
            low, high = what
            return f"{re.escape(chr(low))}-{re.escape(chr(high))}"
        case "CATEGORY" if str(what) in CLASSES:
            return CLASSES[str(what)]
    raise UnreadableError(kind)


def times(low: int, high: int) -> str:
    if high == WITHOUT_END or (high >= MANY and high > low):
        return {0: "*", 1: "+"}.get(low, f"{{{low},}}")
    return f"{{{low},{high}}}"
