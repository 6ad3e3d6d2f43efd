"""Hospitals and clinics by name, institutions by the words they are made of.

In: a name or the tokens of a text.  Out: what it names, and where in the text.
"""

from __future__ import annotations

import functools
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
        self._parts = people.institutions
        names = sorted(people.known)
        arrays, order = Gazetteer.pack("known", names)
        self._known = Gazetteer(arrays, "known")
        self._known_kind = [people.known[names[at]].group for at in order.tolist()]
        self._longest_part = max(len(part.split()) for part in self._parts)
        self._last_words = frozenset(part.rpartition(" ")[2] for part in self._parts)

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

    def spans_from(self, phrases: Phrases, start: Positions) -> list[tuple[int, int, str]]:
        """Listed names among words hashed before, beginning at the given words; may overlap."""
        listed = self._facility.apart(phrases, start)
        known = self._known.apart(phrases, start)
        return [(first, last, KINDS[self._kind[row]]) for first, last, row in listed] + [
            (first, last, self._known_kind[row]) for first, last, row in known
        ]


@functools.cache
def load_organisations(folder: Path | None = None) -> Organisations:
    return Organisations(load("organisations", folder), load_people())
