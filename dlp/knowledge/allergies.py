"""Where a text speaks of what somebody must not be given: an allergy is no indication.

In: a text.  Out: the stretches in which a drug stands as what somebody is allergic to.

Who is allergic to penicillin had it once, for anything; what it treats says nothing about them.
A stretch ends with the clause, since the next one may say what is taken instead.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator

import numpy as np

from dlp.knowledge.mesh import Mesh

_REACTION = (
    r"(?:allerg(?:y|ies|ic)(?: reactions?)?|anaphyla(?:xis|ctic)(?: reactions?| shock)?"
    r"|hypersensitiv(?:e|ity)(?: reactions?)?|intoleran(?:t|ces?))"
)
# "Allergies: penicillin, sulfa" and "allergic to penicillin and sulfa".
_BEHIND = re.compile(
    rf"(?<!\w){_REACTION}(?: to|[ \t]*:|[ \t]+[-–]|(?: \w+)? includ(?:es?|ing)(?: to)?)"
    r"[ \t]*\n?[^\n.;]*",
    re.IGNORECASE,
)
# "A penicillin allergy", "penicillin-allergic".
_BEFORE = re.compile(
    rf"(?<![\w'-])[^\W\d_]+(?: [A-Z])?(?: (?:drug|medication))?[ -]{_REACTION}(?!\w)",
    re.IGNORECASE,
)
# What follows these is given or taken: no allergy.
_ELSE = re.compile(
    r"(?<!\w)(?:but|so|therefore|instead|tak(?:es|ing|en)|treat(?:ed|ment|ing)?|giv(?:en|ing)|gave"
    r"|start(?:ed|s)?|prescri(?:bed|be|bing)|switch(?:ed)?|on|medications?|meds)(?!\w)",
    re.IGNORECASE,
)


def allergy_places(text: str) -> Iterator[tuple[int, int]]:
    """Half-open stretches; they may overlap."""
    for hit in _BEHIND.finditer(text):
        turn = _ELSE.search(text, hit.start(), hit.end())
        yield hit.start(), turn.start() if turn else hit.end()
    for hit in _BEFORE.finditer(text):
        yield hit.span()


@functools.cache
def allergens(mesh: Mesh) -> frozenset[int]:
    """Substances, and the allergies to them; an illness beside an allergy is no part of it."""
    tops = (*mesh.find("Hypersensitivity")[:1], *mesh.find("Drug Hypersensitivity")[:1])
    reactions = {n for top in tops for n in (top, *mesh.descendants(top).tolist())}
    letter = 1 << ord("D") - ord("A")
    return frozenset(reactions | set(np.flatnonzero(mesh.letters & letter).tolist()))
