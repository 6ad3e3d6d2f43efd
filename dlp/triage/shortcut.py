"""Call a file impossible, if the rule set may: the one door every shortcut goes through.

In: Case and the reason to discard it.  Out: Case settled, or carried on with the reason noted.
"""

from __future__ import annotations

from dlp.model import Case, Container, Document
from dlp.triage.cheap import CheapPass, Heard
from dlp.triage.titles import stem_of


def texts_of(document: Document) -> list[str]:
    return [part.text for part in document.parts if part.text and not part.text.isspace()]


def titles_of(case: Case) -> list[str]:
    """The file's name first, then what the document calls itself."""
    titles = [stem_of(case.ref.path)]
    own = case.document.title.strip() if case.document is not None else ""
    # Readers fall back to the file's name, extension and all.
    if own and stem_of(own.encode("utf-8", "replace")) not in titles:
        titles.append(own)
    return titles


def goes_straight_to_deep(case: Case) -> bool:
    return bool(case.facts.get("straight_to_deep"))


class Shortcut:
    """With a cheap pass nothing is discarded unheard; without one, as in the 2009 study."""

    def __init__(self, cheap: CheapPass | None) -> None:
        self._cheap = cheap

    def take(self, case: Case, reason: str) -> Case:
        if case.settled:  # an audit runs every stage; the first reason stands
            return case
        if self._cheap is not None:
            case = self.hear(case)
            if not case.facts["heard"].silent:
                withheld = (*case.facts.get("withheld", ()), reason)
                return case.but(
                    container=Container.POSSIBLE, facts={**case.facts, "withheld": withheld}
                )
        return case.but(container=Container.IMPOSSIBLE, reason=reason, settled=True)

    def hear(self, case: Case) -> Case:
        """Run the cheap pass once for all shortcuts of a case; names and properties count too."""
        if self._cheap is None or "heard" in case.facts or case.document is None:
            return case
        document = case.document
        texts = [*titles_of(case), *document.metadata.values(), *texts_of(document)]
        heard: Heard = self._cheap.listen(texts)
        return case.but(facts={**case.facts, "heard": heard})
