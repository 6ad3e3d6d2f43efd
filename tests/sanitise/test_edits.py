"""Rounds of edits give the same text at once as one after another."""

from hypothesis import given
from hypothesis import strategies as st

from dlp.sanitise.plan import Edit
from dlp.sanitise.text_edits import Draft, Stretches, apart, apply


@st.composite
def rounds(draw):
    text = draw(st.text("abc ", max_size=40))
    length, several = len(text), []
    for _ in range(draw(st.integers(0, 4))):
        edits = []
        for _ in range(draw(st.integers(0, 5))):
            start = draw(st.integers(0, max(0, length)))
            end = draw(st.integers(start, max(start, length)))
            edits.append(Edit(start, end, draw(st.text("XYZ", max_size=4)), kind="term"))
        several.append(apart(edit for edit in edits if edit.end <= length))
        length += sum(len(e.text) - (e.end - e.start) for e in several[-1])
    return text, several


@given(rounds())
def test_edits_of_the_original_do_what_the_rounds_did(case):
    text, several = case
    draft = Draft(text)
    step = text
    for edits in several:
        step = apply(step, edits)
        draft.change(edits)
        assert draft.text == step
    made = draft.edits()
    assert apply(text, made) == step
    assert made == apart(made)


def test_overlapping_edits_never_both_happen():
    first, second = Edit(0, 4, "x"), Edit(2, 6, "y")
    assert apart([second, first]) == [first]


SPANS = st.lists(st.tuples(st.integers(0, 12), st.integers(1, 5)).map(lambda p: (p[0], sum(p))))


@given(SPANS, st.integers(0, 15), st.integers(1, 5))
def test_stretches_are_met_and_held_as_by_asking_each(spans, start, size):
    end = start + size
    assert Stretches(spans).meet(start, end) == any(a < end and start < b for a, b in spans)
    assert Stretches(spans).hold(start, end) == any(a <= start and end <= b for a, b in spans)
