"""What numpy would say after importing more of itself, and arrays that text can hold."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlp.knowledge.arrays import distinct, packed, quantile, unpacked

NUMBERS = st.lists(st.floats(0, 1), min_size=1, max_size=60).map(np.array)


@given(NUMBERS, st.floats(0, 1))
def test_a_quantile_is_numpys_to_the_last_bit(values, share):
    assert quantile(values, share) == np.quantile(values, share)


@given(st.lists(st.integers(-5, 5), max_size=30))
def test_each_number_is_named_once(values):
    given_ = np.array(values, dtype=np.int64)
    assert distinct(given_).tolist() == np.unique(given_).tolist()


@pytest.mark.parametrize("kind", [np.uint8, np.uint16, np.uint32, np.float64])
def test_an_array_comes_back_as_it_was(kind):
    table = np.arange(12, dtype=kind).reshape(3, 4)
    again = unpacked(packed(table))
    assert np.array_equal(again, table)
    assert again.dtype == table.dtype
