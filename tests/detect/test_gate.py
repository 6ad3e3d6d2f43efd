"""The gate before the rules lets every match of a rule's pattern pass."""

import re2
from hypothesis import given, settings
from hypothesis import strategies as st

from dlp.detect.identify.finder import default_finder
from dlp.detect.identify.prefilter import Gate

FINDER = default_finder()
GATE = Gate(FINDER.rules)
PATTERNS = [re2.compile(rule.pattern) for rule in FINDER.rules]
EXAMPLES = [example.text for rule in FINDER.rules for example in rule.match]
# prose, accents, signs beyond the BMP, letters that only look Latin, runs longer than any word
FILLER = st.sampled_from((
    "", " ", "\n", "word ", "é" * 70, "\U0001f600 ", "\u212a\u017f", "A" + "b" * 90, "-" * 200,
    "lorem ipsum dolor sit amet " * 12, "x" * 33, "O'Neil-" * 9, "1", "__",
))  # fmt: skip
PIECES = st.lists(st.one_of(FILLER, st.sampled_from(EXAMPLES)), min_size=1, max_size=8)


@settings(deadline=None, max_examples=60)
@given(PIECES)
def test_a_rule_fires_where_its_pattern_matches(pieces):
    raw = "".join(pieces).encode()
    wanted = {number for number, pattern in enumerate(PATTERNS) if pattern.search(raw)}
    assert wanted <= set(GATE.fired(raw))
