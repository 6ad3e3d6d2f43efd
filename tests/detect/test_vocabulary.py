"""Words of a text fall into the same classes and sentences with a kernel and without one."""

import re

from dlp.detect.linking.vocabulary import WORD


def test_a_word_is_what_the_pattern_says():
    assert re.findall(WORD, "He can't, w/o x-ray. A&E 2nd") == [
        "He", "can't", "w/o", "x-ray", "A&E", "nd",
    ]  # fmt: skip
