"""What is looked at before a pattern is tried must never hide a match of the pattern."""

import random
import re

import pytest

from dlp.attribute import links, people, pointing
from dlp.text import labels

SMALL_LETTERS = [
    *(links.HAVING, links.GENERIC, links.OF_NAME, pointing.REPORTING, pointing.SUBJECT_PRONOUN),
    *(pointing.PRONOUN, pointing.NOUN, pointing.SECOND, pointing.MY_KIN, pointing.OWNED),
    *(pointing.YOUR_APPOINTMENT, pointing.STATING),
    *(labels.CAPTION, labels.ASKING, labels.DENIAL_LABEL),
]
PIECES = (
    *("nurse", "Reviewed", "seen", "by", "with", "copied", "to", "Patient", "names", "of", "the"),
    *("Electronically", "signed", "dictated but not read", "midwife", "GP", "contact", "re", "id"),
    *(":", "...", "\t", "|", "-", "–", "*", "_", " ", " ", " ", "\n", "=", "#", ",", ".", "(x)"),
)


@pytest.mark.parametrize("pattern", SMALL_LETTERS)
def test_a_pattern_for_small_letters_asks_for_no_capital(pattern):
    classes = re.sub(r"\\.", "", pattern.pattern)
    assert classes == classes.lower()


@pytest.mark.parametrize("seed", range(20))
def test_labels_of_people_pass_their_gates(seed):
    drawn = random.Random(seed)
    found = 0
    for _ in range(500):
        before = "".join(drawn.choices(PIECES, k=drawn.randint(1, 7)))
        if people.STAFF_LABEL.search(before):
            found += 1
            assert before.rstrip("*_ \t\n").lower().endswith(people.STAFF_ENDS), before
        if people.SUBJECT_LABEL.search(before):
            found += 1
            assert not people.SUBJECT_SIGNS.isdisjoint(before), before
    assert found
