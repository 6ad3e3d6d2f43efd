"""Find the places of a text at which the pattern of each rule need be tried.

In: patterns; UTF-8 bytes and a window in them.  Out: places by rule.

The kernel walks through a block once and asks tables made here from all patterns. Three kinds of
rules are told apart: those whose matches hold a digit (nine in ten), those that begin with a word
of a short list, and a few whose matches are looked for around a sign. For the last kind the kernel
knows the very pattern, word by word: one that is edited is no longer found that way.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import Any

from dlp.detect.identify.beginnings import Beginning, beginnings_of
from dlp.detect.identify.drafts import LATER, MOST_WAYS, Drafts, Tables, Way, member
from dlp.detect.identify.spelling import words_of
from dlp.knowledge.arrays import packed, unpacked
from dlp.native import kernel
from dlp.prepared import answer

KERNEL: Any = kernel("starts")
# The first half of a pattern's SHA-256, and how the kernel looks for it.
SPECIAL = {
    "b2a40d199b36ed02dce895de1f616fd6": "street",
    "0f38ba0566430856f1bc627f85940dcb": "email",
    "e6bd4ea38a9526a51fe78f2516c758a7": "host",
    "9c15f06574e58234beb6e146767e5601": "vin",
    "6a34862f5fb00504d6da7132eedb487f": "ip",
    "8b56ce00f40f2cced3803ab7809ae6c9": "mac",
    "ef2517e21ceef557f3cf0d047f2f549a": "typed street",
    "02b5899748644cd4606ef38ada21a97a": "typed street",
}
AROUND_SIGNS = frozenset({"email", "host", "vin", "ip", "mac", "street"})
TYPES_OF_STREETS = """
street st avenue ave av road rd boulevard blvd drive dr lane ln court ct place pl terrace ter
circle cir crescent cres way parkway pkwy highway hwy route square sq trail trl close grove gardens
mews row walk hill heights hts loop path plaza alley turnpike tpke pike expressway freeway bypass
quay esplanade parade rise ridge crossing strasse stra
"""
Needed = tuple[Sequence[str], int]


def starts_of(patterns: Sequence[str], needed: Sequence[Needed]) -> tuple[Any, frozenset[int]]:
    """The kernel with its tables, or None, and the rules it finds the places of.

    `needed`: words of which a rule needs one near it, if it needs any, and how near.
    """
    if KERNEL is None:
        return None, frozenset()
    stated = answer(key_of(patterns, needed)) or worked_out(patterns, needed)
    words = [word.encode() for word in stated["words"]]
    kinds = [kind_of(pattern) for pattern in patterns]
    special = {kind: number for number, kind in enumerate(kinds) if kind in AROUND_SIGNS}
    tables = Tables(*(unpacked(one) for one in stated["tables"]))
    try:
        kernel_with_tables = KERNEL.Starts(tables, words, special, len(patterns))
    except ValueError:  # more rules, or larger ones, than it holds
        return None, frozenset()
    return kernel_with_tables, frozenset(tables.rules.tolist()) | {*special.values()}


def quick_of(walker: Any, pattern: str) -> Any:
    """What the kernel matches itself: labels of hosts, counted out, are too many states for RE2."""
    return walker.hosts if walker is not None and kind_of(pattern) == "host" else None


def key_of(patterns: Sequence[str], needed: Sequence[Needed]) -> bytes:
    """What the tables follow from."""
    return json.dumps(["starts", *patterns, *needed], ensure_ascii=False).encode()


def worked_out(patterns: Sequence[str], needed: Sequence[Needed]) -> dict[str, Any]:
    """What `dlp rules prepare` writes down for all patterns together."""
    ways: list[Way] = []
    for number, pattern in enumerate(patterns):
        if kind_of(pattern) in AROUND_SIGNS:
            continue
        known = beginnings_of(pattern)
        ways += [(number, one) for one in known]
        if not known and (words := words_of(pattern)):
            ways.append((number, words))
    # those that a digit's neighbours seldom rule out stand together, so that the others go at once
    ways.sort(key=lambda way: not isinstance(way[1], Beginning) or bool(way[1].before))
    drafts = Drafts(ways[:MOST_WAYS])
    for number, (phrases, reach) in enumerate(needed):
        drafts.add_context(number, patterns[number], phrases, reach)
    add_streets(drafts, patterns)
    return {"words": list(drafts.words), "tables": [packed(one) for one in drafts.tables()]}


def add_streets(drafts: Drafts, patterns: Sequence[str]) -> None:
    """Between a house number and the type of its street stand words and little else."""
    for way, rule in enumerate(drafts.rules.tolist()):
        if kind_of(patterns[rule]) == "typed street":
            drafts.sets[LATER, way // 64] |= member(way % 64)
            for word in TYPES_OF_STREETS.split():
                drafts.add_later(word, way)


def kind_of(pattern: str) -> str | None:
    return SPECIAL.get(hashlib.sha256(pattern.encode()).hexdigest()[:32])
