"""The gate never keeps a rule from text in which its pattern stands."""

from __future__ import annotations

import re2
from hypothesis import given
from hypothesis import strategies as st

from dlp.detect.finder import default_finder
from dlp.detect.prefilter import Gate

GATE = Gate(default_finder().rules)
EXAMPLES = [example.text for rule in default_finder().rules for example in rule.match]


@given(st.lists(st.sampled_from(EXAMPLES), min_size=1, max_size=4))
def test_a_rule_fires_wherever_its_pattern_matches(pieces: list[str]) -> None:
    rules = default_finder().rules
    raw = "\n".join(pieces).encode()
    wanted = [n for n, rule in enumerate(rules) if re2.compile(rule.pattern).search(raw)]
    assert GATE.fired(raw) == wanted
