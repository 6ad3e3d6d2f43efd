"""Labels that a scanner or a typist misread: "Paticnt Namc", "D0B", "Datc of 8irth".

In: the words of a label.  Out: the label that was meant, or the same words.

Letters and figures that look alike (c e a o 0, i l 1, rn m, 5 s, 8 b) are made one. A word that is
no English word and then looks like exactly one word that labels are made of was meant to be that.
"""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cache, lru_cache

from dlp.knowledge.people import load_people
from dlp.knowledge.words import load_words

LOOK_ALIKE = ("ocea0", "li1|", "s5", "b8")  # signs of which one is read for another
ALIKE = str.maketrans({sign: signs[0] for signs in LOOK_ALIKE for sign in signs})
WORD = re.compile(r"[^\W_]+")
SHORTEST = 3  # letters of a word that can be told
MOST_WORDS = 4
FIGURES = str.maketrans({"0": "o", "1": "l", "5": "s", "8": "b"})


def shape(word: str) -> str:
    """A word as it looks: the same for a word and its misreadings."""
    return word.lower().translate(ALIKE).replace("rn", "m").replace("vv", "w")


@cache
def words_by_shape() -> dict[str, str]:
    """The words of labels, by how they look; none that looks like another one."""
    alike: defaultdict[str, set[str]] = defaultdict(set)
    for label in load_people().labels:
        for word in WORD.findall(label.lower()):
            alike[shape(word)].add(word)
    return {look: min(words) for look, words in alike.items() if len(words) == 1}


@lru_cache(maxsize=4096)
def meant(label: str) -> str:
    """The label without its misreadings."""
    words = WORD.findall(label.lower())
    known = words_by_shape()
    if not 0 < len(words) <= MOST_WORDS or any(shape(word) not in known for word in words):
        return label
    mended = " ".join(known[shape(word)] for word in words)
    odd = [word for word in words if known[shape(word)] != word]
    if not odd or max(map(len, words)) < SHORTEST:
        return label
    # "Dote of birth": that a word is English too says little where the whole is a known label
    whole = len(words) > 1 and mended in load_people().labels
    return mended if whole or not any(load_words().zipfs(odd) > 0) else label


def with_letters(name: str) -> str:
    """A name whose letters were read as figures ("Wa1ter", "0livia"), in the same length."""
    return WORD.sub(lambda found: lettered(found[0]), name)


def lettered(word: str) -> str:
    read = word.translate(FIGURES)
    letters = sum(map(str.isalpha, word))
    is_name = len(word) > SHORTEST and read.isalpha() and 2 * letters > len(word)
    return read if is_name else word
