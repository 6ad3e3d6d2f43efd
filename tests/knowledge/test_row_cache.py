"""A remembered key gives the row that was learnt for it, or is said to be new."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from dlp.knowledge.health import RowCache

KEYS = st.builds(
    lambda slot, rest: slot << 48 | rest, st.integers(0, 2), st.integers(1, 1 << 40)
)  # many keys want one slot


@given(st.lists(st.lists(KEYS, max_size=20), max_size=8))
def test_a_key_has_its_own_row_or_is_new(texts):
    remembered = RowCache()
    for text in texts:
        keys = np.array(text, dtype=np.uint64)
        rows, new = remembered.recall(keys)
        unknown = set(new.tolist())
        for place, key in enumerate(text):
            assert place in unknown or rows[place] == key % 1000
        remembered.learn(keys, (keys % 1000).astype(np.int64))


def test_the_last_text_is_known_again():
    remembered = RowCache()
    keys = np.array([5 << 48 | 1, 9 << 48 | 2], dtype=np.uint64)
    remembered.learn(keys, np.array([3, -1]))
    rows, new = remembered.recall(keys)
    assert rows.tolist() == [3, -1]
    assert not len(new)
