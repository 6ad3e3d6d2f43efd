"""Strings packed into arrays come back as they were."""

from hypothesis import given
from hypothesis import strategies as st

from dlp.knowledge.artefact import Strings, pack_strings


@given(st.lists(st.text(max_size=12), max_size=40))
def test_strings_come_back(values):
    packed = pack_strings("some", values)
    strings = Strings(packed["some.offsets"], packed["some.bytes"])
    assert strings.all() == values
    assert [strings[place] for place in range(len(strings))] == values
