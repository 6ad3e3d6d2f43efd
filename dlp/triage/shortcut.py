"""Call a file impossible, if the rule set may: the one door every shortcut goes through.

In: Case and the reason to discard it.  Out: Case settled, or carried on with the reason noted.
"""

from __future__ import annotations

from functools import lru_cache

from dlp.lazy_resources import lazy_registry
from dlp.model import SET_ASIDE, Case, Container, Document, GapCode, PartRole
from dlp.triage.cheap import PATTERNS, CheapPass, Heard
from dlp.triage.titles import name_of, stem_of

# Characters from which a shortcut saves more time than its risk is worth: a shorter text is read in
# milliseconds, and a leak in it need not hold any of the words that the cheap pass knows.
LONG = 50_000
# Parts that a reader of the document sees, beside its body.
READ_ROLES = frozenset(
    {PartRole.HEADER_FOOTER, PartRole.NOTE, PartRole.COMMENT, PartRole.FORM_FIELD}
)


def texts_of(document: Document) -> list[str]:
    parts = document.parts
    if len(parts) == 1:  # as in most files
        text = parts[0].text
        return [text] if text and not text.isspace() else []
    return [part.text for part in parts if part.text and not part.text.isspace()]


def body_texts_of(document: Document) -> list[str]:
    """What the document says, without its properties, styles, file names and mail headers.

    A document that is nothing but those is read by what there is.
    """
    parts = [part for part in document.parts if part.text and not part.text.isspace()]
    for roles in (frozenset({PartRole.BODY}), READ_ROLES):
        if texts := [part.text for part in parts if part.role in roles]:
            return texts
    return [part.text for part in parts if part.role is not PartRole.FILE_NAME]


def is_short(case: Case) -> bool:
    """Whether there is a text, and reading it in full costs next to nothing."""
    if case.document is None or case.document.characters >= LONG:
        return False
    return bool(texts_of(case.document))


def titles_of(case: Case) -> tuple[str, ...]:
    """The file's name first, then what the document calls itself."""
    return titles_told(case.ref.path, case.document.title if case.document is not None else "")


@lru_cache(maxsize=4)  # each phase of triage asks it of the same file
def titles_told(path: bytes, title: str) -> tuple[str, ...]:
    stem, own = stem_of(path), title.strip()
    # Readers fall back to the file's name, extension and all.
    if not own or own == name_of(path) or stem_of(own.encode("utf-8", "replace")) == stem:
        return (stem,)
    return stem, own


def goes_straight_to_deep(case: Case) -> bool:
    return bool(case.facts.get("straight_to_deep"))


class Shortcut:
    """With a cheap pass nothing is discarded unheard; without one, as in the 2009 study."""

    def __init__(self, cheap: CheapPass | None) -> None:
        self._cheap = cheap

    @property
    def is_checked(self) -> bool:
        """Whether the cheap pass has to agree before a file is discarded."""
        return self._cheap is not None

    def preload(self) -> None:
        """Build the patterns that the first texts would wait for."""
        if self._cheap is not None:
            lazy_registry().put(PATTERNS, self._cheap.warm)

    def take(self, case: Case, reason: str) -> Case:
        if case.settled:  # an audit runs every stage; the first reason stands
            return case
        if self._cheap is not None:
            if is_short(case):  # judge/decide says so in the end, if nobody is found in it
                return case.but(facts={**case.facts, SET_ASIDE: case.facts.get(SET_ASIDE, reason)})
            foreign = any(gap.code is GapCode.LANGUAGE for gap in case.gaps)
            case = self.hear(case)
            if foreign or not case.facts["heard"].silent:  # the cheap pass knows English only
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
