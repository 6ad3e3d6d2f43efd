"""Labels that open the lines of a dialogue: "Patient: Um, it hurts." names nobody.

In: text.  Out: the labels, in small letters, that are followed by speech.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import islice
from typing import Any

import re2

TURN = re.compile(r"[ \t>*]{0,8}([A-Za-z][A-Za-z_ ]{1,24})\*{0,2}:\*{0,2}[ \t]+([^ \t\n\f\r].*)")
# "(11:32) Ada The bus was late": a time in brackets and who speaks, without a colon.
STAMPED = re2.compile(
    r"(?m)^[ \t>]{0,8}([\[(]\d{1,2}[:.]\d\d(?::\d\d)?(?: ?[apAP][mM])?[\])])[ \t]+"
    r"([A-Z][\w'’-]{1,24})[ \t]+(\S[^\n]*)$"
)
TURNS = 2  # lines with one label, at least
MOST = 400  # lines
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


def stamped_turns(text: str, most: int) -> list[Any]:
    """Lines that open with a time and a name; in a dialogue a name comes back."""
    found = [*islice(STAMPED.finditer(text), most)]
    return found if len(found) > TURNS and len(found) > len({one[2] for one in found}) else []


@lru_cache(maxsize=4)
def speaker_starts(text: str) -> frozenset[int]:
    """Where the names of those who speak stand: they end before what is said."""
    return frozenset(one.start(2) for one in stamped_turns(text, MOST))


def is_speech(value: str) -> bool:
    return value.count(" ") >= WORDS or SENTENCE_ENDS.search(value) is not None
