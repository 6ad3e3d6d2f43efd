"""A question with its answer on one line: "Any history of asthma? No", "Asthma - no".

In: one line of a text.  Out: the spans of the question and of its answer.
"""

from __future__ import annotations

import re

from dlp.text import tables
from dlp.text.answers import State, state_of
from dlp.text.labels import DASHED, QUESTION, LabelSpan

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
    """`Any history of asthma? No` and `Asthma - no`."""
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
