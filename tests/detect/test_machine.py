"""The machine of a pattern ends every match where RE2 does, or says that RE2 knows."""

from __future__ import annotations

from array import array

import pytest
import re2
from hypothesis import given, settings
from hypothesis import strategies as st

from dlp.detect.identify.finder import default_finder
from dlp.detect.identify.machine import (
    ASK,
    BEYOND,
    DEAD,
    MATCHED,
    MOST_STATES,
    NOTHING,
    Machine,
    machine_for,
    machine_of,
    worked_out,
)
from dlp.detect.identify.values import Values, whole_of
from dlp.native import kernel

RULES = default_finder().rules
PATTERNS = {rule.id: whole_of(rule.pattern) for rule in RULES}
VALUES = {rule.id: Values(rule.pattern) for rule in RULES}
MACHINES = {rule_id: machine_for(pattern) for rule_id, pattern in PATTERNS.items()}
SIGNS = "0159aAkKsSxXzZ -./:,@#'\"\n_&()éß\u017f\u212a漢"


def is_word(byte: int) -> bool:
    return chr(byte).isascii() and (chr(byte).isalnum() or byte == ord("_"))


def end_of(machine: Machine, raw: bytes, place: int, limit: int) -> int | None:
    """-1: no match; None: RE2 knows."""
    table = array("H", machine.table)
    state = ASK + 1 + (place > 0 and is_word(raw[place - 1]))
    end = -1
    for at in range(place, limit + 1):
        symbol = min(raw[at], BEYOND) if at < len(raw) else NOTHING
        step = table[state * machine.width + machine.classes[symbol]]
        if step & MATCHED:
            end = at
        state = step & (MATCHED - 1)
        if at == limit or state == DEAD:
            break
        if state == ASK:
            return None
    return end


@st.composite
def torn_examples(draw: st.DrawFn) -> tuple[str, bytes]:
    rule = draw(st.sampled_from(RULES))
    texts = [one.text for one in rule.match] + list(rule.reject) or ["1"]
    text = draw(st.sampled_from(("", " ", "a", "é"))) + draw(st.sampled_from(texts))
    text += draw(st.sampled_from(("", " ", "1", "x", "é", *texts)))
    for place in draw(st.sets(st.integers(0, len(text) - 1), max_size=4)):
        text = text[:place] + draw(st.sampled_from(SIGNS)) + text[place + 1 :]
    return rule.id, text.encode()


@settings(deadline=None, max_examples=600)
@given(torn_examples(), st.integers(0, 12))
def test_a_match_ends_where_re2_says(torn: tuple[str, bytes], cut: int) -> None:
    rule_id, raw = torn
    machine = MACHINES[rule_id]
    assert machine is not None
    limit = max(0, len(raw) - cut)
    for place in range(limit):
        if raw[place] & 0xC0 != 0x80:
            found = end_of(machine, raw, place, limit)
            assert found in {None, VALUES[rule_id].end_at(raw, place, limit)}, (rule_id, place)


def test_re2_is_seldom_asked_about_plain_text() -> None:
    asked = [
        (rule.id, one.text)
        for rule in RULES
        for one in rule.match
        if one.text.isascii() and (machine := MACHINES[rule.id])
        for place in range(len(one.text))
        if end_of(machine, one.text.encode(), place, len(one.text)) is None
    ]
    assert len({rule_id for rule_id, _ in asked}) <= 4


@pytest.mark.parametrize(
    "pattern, text, end",
    [
        (r"a|ab", "ab", 1),  # the first way counts, not the longest
        (r"ab|a", "ab", 2),
        (r"a+?b?", "aab", 1),
        (r"(?i:mrn)\b", "MrN 1", 3),
        (r"\d{2,4}\b", "12345", -1),
        (r"\d{2,4}\b", "1234-", 4),
        (r"[^,]{1,3}", "a,b", 1),
        (r"x(?:ab?)*", "xaba,", 4),
    ],
)
def test_ways_are_tried_in_their_order(pattern: str, text: str, end: int) -> None:
    machine = machine_of(pattern)
    assert machine is not None
    assert end_of(machine, text.encode(), 0, len(text)) == end
    found = re2.compile(pattern).match(text)
    assert (found.end() if found else -1) == end


@pytest.mark.parametrize("pattern", [r"\pL\d", r"(?:a*)*b", r"^a", r"a$", r".a", r"(?:a?){3}"])
def test_what_nobody_has_thought_about_has_no_machine(pattern: str) -> None:
    assert machine_of(pattern) is None
    assert worked_out(pattern) == []


def test_letters_that_count_as_s_and_k_are_left_to_re2() -> None:
    machine = machine_of(r"(?i:ask)")
    assert machine is not None
    assert end_of(machine, "a\u017fk".encode(), 0, 4) is None
    assert end_of(machine, "bé".encode(), 0, 3) == -1


def test_a_large_pattern_ends_in_questions() -> None:
    machine = machine_of(r"(?:a|b)*a(?:a|b){14}c")
    assert machine is not None
    assert len(machine.table) // (2 * machine.width) <= MOST_STATES + ASK + 1
    assert end_of(machine, b"b" * 30, 0, 30) == -1
    assert end_of(machine, b"ab" * 30 + b"c", 0, 61) is None


def test_what_is_prepared_is_what_follows() -> None:
    for rule_id in ("date-numeric", "age", "ip-v4", "email"):
        assert MACHINES[rule_id] == machine_of(PATTERNS[rule_id])


def test_every_step_of_a_machine_leads_to_a_state_of_it() -> None:
    for machine in MACHINES.values():
        assert machine is not None
        steps = array("H", machine.table)
        states = len(steps) // machine.width
        assert len(steps) == states * machine.width
        assert max(step & (MATCHED - 1) for step in steps) < states
        assert max(machine.classes) < machine.width


@pytest.mark.skipif(kernel("spotting") is None, reason="no compiler was at hand")
def test_the_kernel_counts_alike() -> None:
    stated = {"DEAD": DEAD, "ASK": ASK, "MATCHED": MATCHED, "SYMBOLS": 130, "NOTHING": NOTHING}
    assert kernel("spotting").states == stated
