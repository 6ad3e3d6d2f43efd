"""Labels that open the lines of a dialogue: "Patient: Um, it hurts." names nobody.

In: text.  Out: the labels, in small letters, that are followed by speech.
"""

from __future__ import annotations

import re
from functools import lru_cache

TURN = re.compile(r"[ \t>*]{0,8}([A-Za-z][A-Za-z_ ]{1,24})\*{0,2}:\*{0,2}[ \t]+([^ \t\n\f\r].*)")
TURNS = 2  # lines with one label, at least
WORDS = 4  # a longer value is no name
SENTENCE_ENDS = re.compile(r"[.?!…,-][\"'’”)]?\s*$")


@lru_cache(maxsize=4)
def spoken_labels(text: str) -> frozenset[str]:
    """Labels that stand before several lines, of which most read as speech."""
    said: dict[str, list[bool]] = {}
    for line in text.split("\n"):
        if ":" in line and (found := TURN.fullmatch(line)):
            said.setdefault(found[1].strip().lower(), []).append(is_speech(found[2]))
    return frozenset(
        label
        for label, turns in said.items()
        if len(turns) >= TURNS and 2 * sum(turns) > len(turns)
    )


def is_speech(value: str) -> bool:
    return value.count(" ") >= WORDS or SENTENCE_ENDS.search(value) is not None
