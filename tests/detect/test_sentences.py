"""Sentences break where their rule says, whatever the text, in linear time."""

from __future__ import annotations

import time

import re2
from hypothesis import given
from hypothesis import strategies as st

from dlp.text.sentences import ABBREVIATIONS, MARGIN, WORD, last_word, sentence_starts

# The rule as one reads it, one alternative a line; the product searches for it in another order.
SPECIFIED = re2.compile(
    r"[.!?][\"')\]]*\s+[\"'(\[]?[A-Z0-9]"
    r"|\n\s*\n"
    r"|\n[ \t]*(?:[-*•·]|\d{1,2}[.)])\s"
    r"|\n[ \t]*[A-Z][A-Za-z /&'-]{0,40}:"
    r"|[\t;|]"
)
# In a line without capitals, behind a word of four letters.
SMALL = re2.compile(r"[.!?][\"')\]]*\s+[\"'(\[]?[a-z]")
AWKWARD = st.text(".!?\"')([] \t\n\r\f;|AB9a:-*•·1Drstno\u00a0é/", max_size=60)
SECONDS = 1.0  # for 200,000 characters; a quadratic search takes minutes


def as_specified(text: str) -> list[int]:
    starts = {0}
    for match in SPECIFIED.finditer(text):
        start, end = match.span()
        if text[start] in ".!?":
            if text[start] == "." and last_word(text, start) in ABBREVIATIONS:
                continue
            blank = next(i for i in range(start, end) if text[i].isspace())
            starts.add(next(i for i in range(blank, end) if not text[i].isspace()))
        else:
            starts.add(start + 1)
    for match in SMALL.finditer(text):
        start, end = match.span()
        line = text[text.rfind("\n", 0, start) + 1 :].split("\n", maxsplit=1)[0]
        word = last_word(text, start)
        if not line.islower() or len(word) < WORD or (text[start] == "." and word in ABBREVIATIONS):
            continue
        blank = next(i for i in range(start, end) if text[i].isspace())
        starts.add(next(i for i in range(blank, end) if not text[i].isspace()))
    begin = 0
    for line in text.split("\n")[:-1]:
        if len(line) < MARGIN:
            starts.add(begin + len(line) + 1)
        begin += len(line) + 1
    starts.discard(len(text))
    return sorted(starts) if text else [0]


@given(AWKWARD)
def test_breaks_are_where_the_rule_puts_them(text: str) -> None:
    assert list(sentence_starts(text)) == as_specified(text)


def test_a_title_ends_no_sentence() -> None:
    text = "Seen by Dr. Hale with the results that had been awaited since the spring. He agrees."
    assert sentence_starts(text) == (0, text.index("He agrees"))


def test_no_text_takes_more_than_linear_time() -> None:
    length = 200_000
    for unit in (".", ". ", "\n", "\n ", "\n\t", '."', "\nA", "\n1", ".\r", "\n\r", "| "):
        for text in (unit * (length // len(unit)), unit + unit[-1] * length, unit + " " * length):
            started = time.process_time()
            sentence_starts(text)
            assert time.process_time() - started < SECONDS, repr(unit)
