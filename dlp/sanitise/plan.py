"""What the user asked for, and what came of it.

In: options.  Out: Plan, Edit, Sanitised; none shows an original value in its repr.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from dlp.sanitise.protected_topics import Topic

DEFAULT_ALPHA = 1.5


class Profile(StrEnum):
    """What happens to identifiers."""

    SAFE_HARBOR = "safe-harbor"
    PSEUDONYMISE = "pseudonymise"
    REDACT = "redact"


class Mode(StrEnum):
    """What happens to terms that disclose a topic."""

    GENERALISE = "generalise"
    REDACT = "redact"
    SURROGATE = "surrogate"  # terms are generalised, identifiers get surrogates


class Against(StrEnum):
    """Whom the topics are kept from."""

    TERMS = "terms"  # who weighs the terms of health and the plain words between them
    WORDS = "words"  # who knows texts like these and weighs every word, also those inside terms


# What a certificate and the commands say of each; a promise names the reader it holds against.
WITHSTANDS = {
    Against.TERMS: (
        "a reader who knows the medical literature; one who has texts like these may still guess"
    ),
    Against.WORDS: "a reader who has texts like these and weighs every word",
}


@dataclass(frozen=True, slots=True)
class Plan:
    profile: Profile = Profile.SAFE_HARBOR
    mode: Mode = Mode.GENERALISE
    topics: tuple[Topic, ...] = ()
    alpha: float = DEFAULT_ALPHA
    key: bytes = field(default=b"", repr=False)
    year: int = 2026  # "now", for ages over 89
    against: Against = Against.TERMS
    # For forms and tables, whose labels cannot be left out; None: the same as for texts.
    records_against: Against | None = None

    drop_signatures: bool = False  # of signed PDF files; they are refused otherwise

    @property
    def removes(self) -> bool:
        """Whether terms are blacked out rather than generalised."""
        return self.mode is Mode.REDACT


@dataclass(frozen=True, slots=True)
class Edit:
    """Put `text` where characters start to end were."""

    start: int
    end: int
    text: str = field(repr=False)
    reason: str = ""
    kind: str = ""  # of an identifier, or "term"
    before: float = 0.0  # information content in bits, of a term
    after: float = 0.0
    concept: str = ""  # of what stands there now; the original has no number here
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Sanitised:
    text: str = field(repr=False)
    edits: tuple[Edit, ...] = ()  # in order, none overlapping, in places of the original text
