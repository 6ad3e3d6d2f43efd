"""Which form a name has: how much of a person it shows, and of which sex it is.

In: the parts of a name.  Out: MentionForm; "f", "m" or "".
"""

from __future__ import annotations

import functools

from dlp.knowledge.names import load_names
from dlp.model import MentionForm

FEW_DIGITS = 4
FEMALE, MALE = 0.9, 0.1  # share of women among the bearers


def form_of_words(first: str, last: str, *, titled: bool) -> MentionForm:
    """ "J. Smith" is a last name with an initial, "Robert B." a first name with one."""
    given, family = first.rstrip("."), last.rstrip(".")
    if len(given) > 1 and len(family) > 1:
        return MentionForm.FULL_NAME
    if len(family) > 1:
        return MentionForm.TITLE_SURNAME if titled and not given else MentionForm.SURNAME
    return MentionForm.FIRST_NAME if len(given) > 1 else MentionForm.INITIALS


def form_of_number(value: str) -> MentionForm:
    """A number of few digits is a place in a short list, as a bed or a seat is."""
    digits = sum(map(str.isdigit, value))
    return MentionForm.NUMBER if digits >= FEW_DIGITS else MentionForm.UNIT


@functools.lru_cache(maxsize=4096)
def sex_of(first: str) -> str:
    share = load_names().female_share(first) if first else None
    return "" if share is None else "f" if share > FEMALE else "m" if share < MALE else ""
