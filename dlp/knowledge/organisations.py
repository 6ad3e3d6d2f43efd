"""Hospitals and clinics by name, institutions by the words they are made of, occupations.

In: a name or the tokens of a text.  Out: what it names, and where in the text.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from pathlib import Path

from dlp.knowledge.artefact import Artefact, load
from dlp.knowledge.gazetteer import Gazetteer
from dlp.knowledge.hashing import Phrases, Positions
from dlp.knowledge.people import People, load_people, plain

HOSPITAL, CLINIC = range(2)
KINDS = ("hospital", "clinic")


class Organisations:
    def __init__(self, artefact: Artefact, people: People) -> None:
        self._facility = Gazetteer(artefact, "facility")
        self._kind = artefact["facility.kind"]
        self._occupation = Gazetteer(artefact, "occupation")
        self._parts = people.institutions
        names = sorted(people.known)
        arrays, order = Gazetteer.pack("known", names)
        self._known = Gazetteer(arrays, "known")
        self._known_kind = [people.known[names[at]].group for at in order.tolist()]
        self._longest_part = max(len(part.split()) for part in self._parts)
        self._last_words = frozenset(part.rpartition(" ")[2] for part in self._parts)

    def facility(self, name: str) -> str | None:
        """Say hospital, clinic, insurer, pharmacy, laboratory or company when the name is listed.

        Hospitals and clinics are those of the US lists; the rest is in rules/people.toml.
        """
        if (at := self._known.row(name)) >= 0:
            return self._known_kind[at]
        at = self._facility.row(name)
        return None if at < 0 else KINDS[self._kind[at]]

    def institution(self, name: str) -> str | None:
        """Say what a name's last words ("… General Hospital") or first ("University of …") make it.

        hospital, clinic, care_home, health_body, company, education, other; None when neither.
        """
        words = plain(name).replace(",", " ").split()
        if words and words[-1] in self._last_words:
            for size in range(min(self._longest_part, len(words)), 0, -1):
                if found := self._parts.get(" ".join(words[-size:])):
                    return found.group
        for size, word in enumerate(words[: self._longest_part + 1]):
            if word in {"of", "for"} and (found := self._parts.get(" ".join(words[:size]))):
                return found.group
        return None

    def is_occupation(self, phrase: str) -> bool:
        return self._occupation.row(phrase) >= 0

    def facilities(self, tokens: Sequence[str]) -> list[tuple[int, int, str]]:
        """Find listed names in a text: half-open token ranges and kinds, longest first."""
        listed = [(*s[:2], KINDS[self._kind[s.row]]) for s in self._facility.spans(tokens)]
        known = [(*s[:2], self._known_kind[s.row]) for s in self._known.spans(tokens)]
        # of two that overlap the longer stays: "Mayo Clinic", not "Mayo"
        kept = [k for k in known if not any(_hides(other, k) for other in listed)]
        kept += [other for other in listed if not any(_overlap(k, other) for k in kept)]
        return sorted(kept)

    def spans_from(self, phrases: Phrases, start: Positions) -> list[tuple[int, int, str]]:
        """Listed names among words hashed before, beginning at the given words; may overlap."""
        listed = self._facility.apart(phrases, start)
        known = self._known.apart(phrases, start)
        return [(first, last, KINDS[self._kind[row]]) for first, last, row in listed] + [
            (first, last, self._known_kind[row]) for first, last, row in known
        ]

    def occupations(self, tokens: Sequence[str]) -> list[tuple[int, int]]:
        return [(span.start, span.end) for span in self._occupation.spans(tokens)]


def _hides(one: tuple[int, int, str], other: tuple[int, int, str]) -> bool:
    return _overlap(one, other) and one[1] - one[0] > other[1] - other[0]


def _overlap(one: tuple[int, int, str], other: tuple[int, int, str]) -> bool:
    return one[0] < other[1] and other[0] < one[1]


@functools.cache
def load_organisations(folder: Path | None = None) -> Organisations:
    return Organisations(load("organisations", folder), load_people())
