"""The gate never keeps a rule from text in which its pattern stands."""

from __future__ import annotations

import re2
from hypothesis import given, settings
from hypothesis import strategies as st

from dlp.detect.identify.finder import default_finder
from dlp.detect.identify.prefilter import Gate

GATE = Gate(default_finder().rules)
PATTERNS = [re2.compile(rule.pattern) for rule in default_finder().rules]
EXAMPLES = [example.text for rule in default_finder().rules for example in rule.match]


@settings(deadline=None)
@given(st.lists(st.sampled_from(EXAMPLES), min_size=1, max_size=4))
def test_a_rule_fires_wherever_its_pattern_matches(pieces: list[str]) -> None:
    raw = "\n".join(pieces).encode()
    wanted = [number for number, pattern in enumerate(PATTERNS) if pattern.search(raw)]
    fired = GATE.fired(raw)
    assert set(wanted) <= set(fired)
    assert fired == sorted(set(fired))
