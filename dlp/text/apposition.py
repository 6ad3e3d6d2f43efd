"""What stands between commas behind a name and tells more of its bearer.

In: the text behind a name.  Out: where the sentence goes on.
"""

from __future__ import annotations

import re

# "Ann Lee, of Elko, Nevada, was diagnosed with": where from, how old, what work, which number,
# between commas.
APPOSED = re.compile(
    r"^,\s(?:of|from|aged?|female|male|who (?:lives|works)|living|born|an?|the|\d{1,3}|e-?mail|zip"
    r"|mrn|phone|mobile|tel|dob)\b(?:[^,;.\n]|\.(?=\S)){0,50}(?:,\s(?:[^,;.\n]|\.(?=\S)){2,40}){0,5}"
    r",(?=\s(?:is|was|has|had|takes|suffers|presented|came|who|in)\b|\s*$)",
    re.IGNORECASE,
)
LONGEST = 320  # characters that the pattern can take


def length_of_apposition(text: str, place: int) -> int:
    """How many characters behind a name the sentence goes on; 0 without an apposition."""
    found = APPOSED.match(text[place : place + LONGEST])
    return found.end() if found else 0
