"""Tricks with look-alike and invisible characters hide no identifier, whatever its rule."""

import random

import pytest

from dlp.detect.identify.finder import default_finder
from dlp.text.fold import INVISIBLE

FINDER = default_finder()
DIGITS = {
    "full width": dict(zip("0123456789", "０１２３４５６７８９", strict=True)),
    "arabic": dict(zip("0123456789", "٠١٢٣٤٥٦٧٨٩", strict=True)),
    "bold": {str(d): chr(0x1D7CE + d) for d in range(10)},
}
LETTERS = {**dict(zip("ABEKMHOPCTXaeopcx", "АВЕКМНОРСТХаеорсх", strict=True)), "-": "\u2011"}


def rules_at(text, start, end):
    return {h.rule_id for h in FINDER.find(text, 0.1) if h.start <= start and h.end >= end}


def disguise(example, change):
    """Rewrite the value by `change`; return the text and where the value now lies."""
    value = "".join(change(c) for c in example.text[example.start : example.end])
    text = example.text[: example.start] + value + example.text[example.end :]
    return text, example.start, example.start + len(value.rstrip(INVISIBLE))


@pytest.mark.parametrize("rule", FINDER.rules, ids=lambda rule: rule.id)
def test_invisible_characters_hide_nothing(rule):
    chance = random.Random(rule.id)
    for example in rule.match:
        text, start, end = disguise(example, lambda c: c + chance.choice(INVISIBLE))
        assert rule.id in rules_at(text, start, end)


@pytest.mark.parametrize("writing", DIGITS)
@pytest.mark.parametrize("rule", FINDER.rules, ids=lambda rule: rule.id)
def test_foreign_digits_hide_nothing(rule, writing):
    for example in rule.match:
        text, start, end = disguise(example, lambda c: DIGITS[writing].get(c, c))
        assert rule.id in rules_at(text, start, end)


@pytest.mark.parametrize("rule", FINDER.rules, ids=lambda rule: rule.id)
def test_letters_of_other_alphabets_and_fancy_dashes_hide_nothing(rule):
    for example in rule.match:
        text, start, end = disguise(example, lambda c: LETTERS.get(c, c))
        assert rule.id in rules_at(text, start, end)
