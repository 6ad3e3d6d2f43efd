"""Add up what the features of a short text pull without a number for each of them.

In: a Case after linking.  Out: one number, or nothing where the kernel cannot read the text.

The numbers themselves are asked for only where a verdict goes by their weight (evidence.py).
"""

from __future__ import annotations

from typing import Any

from dlp.detect.linking import counted, evidence
from dlp.detect.linking.evidence import Evidence
from dlp.detect.linking.scale import FARTHEST, Scale
from dlp.detect.naming.mention import CLINICIAN
from dlp.detect.sentences import sentence_starts
from dlp.model import ASSERTED, HEALTH_KINDS, RECORDED, Case, Kind
from dlp.native import kernel

_K = kernel("weighing")
SINGLE = (
    *("size", "lines", "beside", "ailing", "both", "table", "has_birth"),
    *("facts_strong", "facts_weak", "facts_doubtful", "facts_general", "facts_denied", "facts_any"),
    *("people_full", "people_half", "people_one", "people_any", "people_staff", "people_again"),
    *("people_first", "role_patient", "role_relative", "role_author", "role_greeted"),
    *("link_asserted", "link_recorded", "link_most", "link_far"),
)


class Weigher:
    def __init__(self, known: Evidence, scale: Scale) -> None:
        self._words = known.words
        self._kernel = made(known, scale)

    def over(self, case: Case) -> float | None:
        """What Scale.pull_over says of Evidence.told, up to rounding."""
        if self._kernel is None or case.document is None or len(case.document.parts) != 1:
            return None
        (part,) = case.document.parts
        if self._words.lists_for(part.text) is None:
            return None
        facts = case.facts
        over: float = self._kernel.over(
            *(part.text, sentence_starts(part.text), facts.get("mentions", ()), case.findings),
            *(facts["genre"], facts.get("subjects", ()), part.fields is not None),
        )
        return over


def made(known: Evidence, scale: Scale) -> Any:
    """The kernel with these rules, or None: there is none, or the rules are too many for it."""
    lists = known.words.lists_for("")
    if _K is None or lists is None:
        return None
    rules = {
        "bits": known.bits, "counted": evidence.COUNTED, "ailing": evidence.AILING,
        "ill": evidence.ILL, "who": evidence.WHO, "else": evidence.ELSE, "like": evidence.LIKE,
        "has": evidence.HAS, "single": SINGLE, "farthest": FARTHEST, "health": HEALTH_KINDS,
        "off": counted.OFF, "weak": counted.WEAK, "general": counted.GENERAL, "sure": counted.SURE,
        "head": counted.HEAD, "far": counted.FAR, "reach": evidence.REACH, "person": Kind.PERSON,
        "clinician": CLINICIAN, "asserted": ASSERTED, "recorded": RECORDED,
        "most_cues": evidence.MOST_CUES,
        "rates": (evidence.FEWEST_WORDS, evidence.MOST_RATE, evidence.PER_WORDS),
    }  # fmt: skip
    try:
        return _K.Weigher(lists, known.words.names, rules, scale.features, scale.at_zero)
    except ValueError:
        return None
