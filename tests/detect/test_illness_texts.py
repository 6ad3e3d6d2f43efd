"""The compiled ways to read sentences, cues and codes give what the others give, whatever the text."""

import itertools
from re._parser import parse

from hypothesis import given
from hypothesis import strategies as st

from dlp.detect.illness import health, spanish
from dlp.model import Kind

PIECES = (
    "no", "No", "not", "denies", "family history of", "Family  History", "her mother", "but",
    "history of", "no evidence\nof", "ruled out", ": no", "negative for", "no increase", "possible",
    "in the family", "if", "asthma", "MS", "AIDS", "diabetes", "cough", "patients with", "cold",
    "diagnosed with", "dx:", "has", "severe", "Dr. Hale", "ICD-9", "icd10", "Dx F33", "250.00",
    "diagnosis code", "diagnoſis code", "dx. J45", "E11.9", "xdx", "é", "_", "it", "a", "for an",
)  # fmt: skip
BETWEEN = (
    " ", "  ", "\n", "\n\n", "\t", ". ", ".", "; ", ":", "'", "-", "\u00a0", "\ud800", "\u017f", "",
    "\u212a", "\U0001f600", "\x1c", "\v", "|", ", ",
)  # fmt: skip
TEXTS = st.lists(
    st.one_of(st.sampled_from(PIECES), st.sampled_from(BETWEEN), st.text(max_size=3)), max_size=30
).map("".join)


FINDINGS = st.lists(st.integers(0, 40), max_size=16, unique=True).map(
    lambda marks: [
        health.Finding(Kind.DISEASE, "r", 0, start, end, 0.9)
        for start, end in itertools.pairwise(sorted(marks))
    ][::2]
)


@given(FINDINGS, FINDINGS)
def test_words_of_the_own_language_come_before_all_that_touches_them(own, others):
    kept = health.without_overlap([*own], others)
    covered = {place for one in own for place in range(one.start, one.end)}
    clear = [one for one in others if covered.isdisjoint(range(one.start, one.end))]
    assert kept == sorted(own + clear, key=lambda one: one.start)


@given(st.text())
def test_folding_one_by_one_is_folding_at_once(text):
    table = {ord(char): spanish.plain_letter(char) for char in text if not char.isascii()}
    assert spanish.fold(text) == text.translate(table).lower()


@given(TEXTS)
def test_a_look_for_its_words_spares_no_illness_by_its_letters(before):
    if health.LETTERED.search(before):
        assert health.may_letter(before)


def labels_of(pattern):
    """Every label that the pattern allows, with what it may leave out and without."""
    if isinstance(pattern, str):
        return labels_of(parse(pattern))
    texts = [""]
    for kind, value in pattern:
        name = str(kind)
        if name == "LITERAL":
            more = [chr(value)]
        elif name == "IN":
            more = [chr(one) for _, one in value]
        elif name == "BRANCH":
            more = [label for branch in value[1] for label in labels_of(branch)]
        elif name == "SUBPATTERN":
            more = labels_of(value[-1])
        else:
            assert name == "MAX_REPEAT"
            assert value[:2] == (0, 1)
            more = ["", *labels_of(value[2])]
        texts = [text + one for text in texts for one in more]
    return texts
