"""A value is found where RE2's own group says it is, also when only another of its shape was asked."""

from __future__ import annotations

import re2
from hypothesis import given, settings
from hypothesis import strategies as st

from dlp.detect.identify.character_classes import table_of
from dlp.detect.identify.finder import default_finder
from dlp.detect.identify.values import Values
from dlp.detect.spans import spans

LABELLED = [rule for rule in default_finder().rules if "(?P<v>" in rule.pattern]
VALUES = {rule.id: Values(rule.pattern) for rule in LABELLED}
MARKED = {rule.id: re2.compile(rule.pattern) for rule in LABELLED}
EXAMPLES = [(rule.id, example.text) for rule in LABELLED for example in rule.match]


@st.composite
def pages(draw: st.DrawFn) -> tuple[str, bytes]:
    """Examples of one rule with some digits and letters changed, one after the other."""
    rule_id = draw(st.sampled_from(sorted(VALUES)))
    texts = [text for one, text in EXAMPLES if one == rule_id]
    changed = [
        "".join(
            draw(st.sampled_from("0123456789AaZzkK")) if one.isalnum() and place in places else one
            for place, one in enumerate(text)
        )
        for text in draw(st.lists(st.sampled_from(texts), min_size=1, max_size=5))
        for places in [draw(st.sets(st.integers(0, len(text)), max_size=3))]
    ]
    return rule_id, draw(st.sampled_from([" ", "\n", ", ", ""])).join(changed).encode()


@settings(deadline=None, max_examples=400)
@given(pages())
def test_remembered_places_are_the_places_of_the_group(page: tuple[str, bytes]) -> None:
    rule_id, raw = page
    wanted = spans(MARKED[rule_id], raw, 0, len(raw), 1)
    assert VALUES[rule_id].spans(raw, 0, len(raw), len(raw)) == wanted


def test_what_starts_at_the_border_or_behind_it_is_left() -> None:
    values = Values(r"\bMRN (?P<v>\d+)\b")
    raw = b"MRN 12 MRN 34 MRN 56"
    assert values.spans(raw, 0, 8, len(raw)) == [(4, 6), (11, 13)]
    assert values.spans(raw, 0, 7, len(raw)) == [(4, 6)]


def test_digits_are_alike_unless_the_pattern_names_one() -> None:
    assert len(set(b"0123456789".translate(table_of(r"ab\d+")))) == 1
    assert b"0123456789".translate(table_of(r"3[01]|[0-2]\d")) == b"0123444444"
    assert b"mrnxyzMRNXYZ".translate(table_of(r"(?i:mrn)")) == b"mrnaaaMRNAAA"


def test_what_cannot_be_read_leaves_every_byte_apart() -> None:
    assert table_of(r"\pL\d") == table_of("[[:alpha:]]1") == bytes(range(256))
