"""What a kernel does with the lists of knowledge at every start is what numpy and Python do."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlp.knowledge import artefact, hashing, health
from dlp.knowledge.artefact import Strings, pack_strings
from dlp.knowledge.hashing import HashTable
from dlp.native import kernel

FILLING, LISTS = kernel("filling"), kernel("lists")
pytestmark = pytest.mark.skipif(FILLING is None, reason="no kernels here")
KEYS = st.lists(st.integers(0, 2**32 - 1), max_size=300)


@given(st.lists(st.text(max_size=12), max_size=40))
def test_strings_are_decoded_alike(values):
    packed = pack_strings("some", values)
    strings = Strings(packed["some.offsets"], packed["some.bytes"])
    assert strings.all() == values
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(artefact, "FILLING", None)
        assert strings.all() == values


@pytest.mark.parametrize("edges", [[0, 9], [2, 1], [0, 4, 3]])
def test_no_string_is_read_beyond_its_table(edges):
    with pytest.raises(ValueError, match="beyond"):
        FILLING.decoded(np.frombuffer(b"abcd", np.uint8), np.array(edges, np.uint32))


def test_a_key_beyond_the_map_is_refused():
    with pytest.raises(IndexError):
        FILLING.mark_leading(np.array([7], np.uint32), 0, np.zeros(7, np.uint8))


@given(KEYS)
def test_two_bits_are_set_alike(keys):
    low = np.array(keys, dtype=np.uint32)
    quick = health.bits_of(low)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(health, "_FILLING", None)
        assert np.array_equal(quick, health.bits_of(low))


@given(st.sets(st.integers(1 << 24, 2**64 - 1), max_size=300))
def test_words_are_found_with_either_map(hashes):
    asked = np.array(sorted(hashes), dtype=np.uint64)
    try:
        arrays, order = HashTable.pack("word", asked)
    except ValueError:
        return  # two share the bits that are kept
    quick = HashTable(arrays, "word")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(hashing, "_FILLING", None)
        patch.setattr(hashing, "_LISTS", None)
        plain = HashTable(arrays, "word")
    assert np.array_equal(quick._map, plain._map)
    others = asked ^ np.uint64(1 << 40)
    for wanted in (asked, others):
        assert quick.find(wanted).tolist() == plain.find(wanted).tolist()
    assert quick.find(asked[order]).tolist() == list(range(len(asked)))
