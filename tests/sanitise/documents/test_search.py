"""One pass over a text finds what a pattern of all values finds; thousands of values cost no more."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlp.sanitise.documents.leftover_check import json_layers, leftovers
from dlp.sanitise.documents.value_search import CODECS, Search, byte_pattern, folded, pattern

LETTERS = st.text(alphabet="aAbB1 -.ıiIſsSßéÉ字", min_size=1, max_size=6).filter(str.strip)
VALUES = st.sets(LETTERS.map(folded), min_size=1, max_size=6)


@given(VALUES, st.text(alphabet="aAbB1 -.ıiIſsSßéÉ字\n", max_size=40))
def test_a_text_is_searched_as_by_one_pattern(values, text):
    assert Search(values).hit(text) == bool(pattern(values).search(folded(text)))


@given(VALUES, st.text(alphabet="aAbB1 -.éÉ字", max_size=30), st.sampled_from(CODECS))
def test_bytes_are_searched_as_by_one_pattern(values, text, codec):
    raw = text.encode(codec, "ignore")
    assert Search(values).hit(raw) == any(byte_pattern(values, c).search(raw) for c in CODECS)


@pytest.mark.parametrize("where", ["Seen by Black", "BLACK", "black 12-3", "x 12-3"])
def test_case_counts_for_words_alone(where):
    assert Search({"Black", "12-3"}).hit(where)
    assert not Search({"Black", "12-3"}).hit("a black coat, 12-34")


def test_a_document_of_many_lines_is_told_once():
    data = json.dumps({"name": ["Ann", "Orr"], "n": [1, 2]}, indent=1).encode()
    assert len(list(json_layers(data))) == 1
    lines = b'{"a": "Ann"}\n{"b": "Orr"}\n'
    assert leftovers(lines, "application/x-ndjson", ["Orr"]) != []
    assert leftovers(data, "application/json", ["Ann"]) != []
    assert re.search(
        "values", " ".join(leftovers(b'{"a": "A\\u006en"}', "application/json", ["Ann"]))
    )
