"""Two numbers never get one surrogate, none stays itself, and its form is kept."""

import itertools
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlp.sanitise.number_permutation import permuted, radix
from tests.support.keys import key_number

KEY = key_number(0)
DIGITS, LETTERS = string.digits, string.ascii_uppercase


@pytest.mark.parametrize(
    "form", [[DIGITS], [LETTERS], [DIGITS] * 2, [DIGITS] * 3, [LETTERS, DIGITS]]
)
def test_every_value_of_a_form_has_a_surrogate_of_its_own(form):
    values = ["".join(value) for value in itertools.product(*form)]
    made = [permuted(KEY, "number", value) for value in values]
    assert sorted(made) == sorted(values)
    assert not [value for value, new in zip(values, made, strict=True) if value == new]


def test_neighbours_become_strangers():
    made = [int(permuted(KEY, "number", f"{n:07d}")) for n in range(4_470_000, 4_470_400)]
    steps = {b - a for a, b in itertools.pairwise(made)}
    assert len(steps) > 390, "no step between neighbours says where they came from"


@given(st.text(alphabet=string.ascii_letters + DIGITS + "-/ ().é٣²", max_size=60))
def test_form_and_signs_stay(value):
    made = permuted(KEY, "number", value)
    assert [radix(c) for c in made] == [radix(c) for c in value]
    assert [c for c in made if radix(c) == 1] == [c for c in value if radix(c) == 1]
    assert [c.isupper() for c in made] == [c.isupper() for c in value]
    assert made != value or not any(radix(c) > 1 for c in value)


@given(st.integers(0, 9999))
def test_signs_and_case_do_not_matter(number):
    bare = permuted(KEY, "number", f"ab443{number:04d}")
    assert permuted(KEY, "number", f"AB443-{number:04d}").replace("-", "").lower() == bare


def test_key_and_kind_matter():
    assert permuted(KEY, "number", "4471902") != permuted(key_number(1), "number", "4471902")
    assert permuted(KEY, "number", "4471902") != permuted(KEY, "phone", "4471902")
