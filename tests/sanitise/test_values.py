"""Values met once are found again, as the second readers of an output find them."""

import re

from hypothesis import given
from hypothesis import strategies as st

from dlp.model import Kind
from dlp.sanitise.documents.value_search import Search, folded
from dlp.sanitise.identifier_replacement import Values


def found(values, text):
    held = Values()
    for value in values:
        held.add(value, Kind.ID)
    return [text[start:end] for start, end, _ in held.found(text)]


def test_case_counts_for_single_words_alone():
    assert found(["Anti-D", "Black"], "anti-D and ANTI-D, black Black") == [
        "anti-D", "ANTI-D", "Black",
    ]  # fmt: skip


def test_the_longer_value_wins_and_pieces_of_words_are_none():
    assert found(["12", "12-34"], "12-34 12 x12 123") == ["12-34", "12"]


@given(
    st.sets(st.text(alphabet="aAbB1- ", min_size=1, max_size=4), min_size=1, max_size=6),
    st.text(alphabet="aAbB1-ß ", max_size=24),
)
def test_one_pass_finds_what_a_pattern_of_all_values_finds(values, text):
    """With ß the folded text is longer than the text, and the pattern itself is asked."""
    held = Values()
    for value in values:
        held.add(value, Kind.ID)
    plain = {" ".join(v.split()) for v in values if v.strip()}
    forms = {v if v.isalpha() else v.lower() for v in plain}
    bodies = []
    for form in sorted(forms, key=lambda v: (-len(v), v)):
        before = r"(?<![^\W_])" if form[0].isalnum() else ""
        after = r"(?![^\W_])" if form[-1].isalnum() else ""
        words = r"\s+".join(map(re.escape, form.split()))  # over any gap, also a line's end
        body = f"{before}{words}{after}"
        bodies.append(body if form.isalpha() else f"(?i:{body})")
    wanted = [hit.span() for hit in re.finditer("|".join(bodies), text)] if bodies else []
    assert [(start, end) for start, end, _ in held.found(text)] == wanted


@given(
    st.sets(st.text(alphabet="aAsſS1-", min_size=1, max_size=4), min_size=1, max_size=4),
    st.text(alphabet="aAsſS1- ", max_size=20),
)
def test_what_the_second_reader_sees_is_found(values, text):
    numbers = {value for value in values if not value.isalpha()}
    if Search(numbers or {"zz"}).hit(folded(text)):
        assert found(numbers, folded(text))
