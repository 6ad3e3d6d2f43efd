"""The printed matter of a form, which tells its reader what to do and nothing of anybody.

In: a paragraph.  Out: whether it is such an instruction.
"""

from __future__ import annotations

import re

import re2

# How the printed matter of a form reads. Filled-in prose tells of a person; this tells a reader
# what to do, what the words of the form mean, or who may see it.
INSTRUCTION = re2.compile(
    r"(?i)\b(?:please|must|shall|required|instructions?|attach|return (?:the|this|completed)"
    r"|complete all|print clearly|this form|the form|if (?:yes|no|you|any|so)|your|applicants?"
    r"|such as|for example|may include|is (?:not )?(?:collected|disclosed|required|covered)"
    r"|section \d\w*|notice|do not (?:send|write|use|staple)|see (?:page|section|instructions)"
    r"|use only|eligib\w+|not cover\w*|exclusions?|false statement|penalt\w+|rev\. \d|omb"
    r"|photocop\w+)\b"
)
NOTICE = re.compile(
    r"[\s*#]*(?:\w+[\s-]+){0,3}(?:privacy|notice|instructions?|burden|warning|important"
    r"|note|notes|examples?"
    r"|disclaimer|confidential\w*|statement|questions|exclusions?|contra-?indications?|required)\b[^:\n]{0,40}:",
    re.IGNORECASE,
)
CONSENT = re.compile(
    r"[\s\W]*I (?:hereby |also )?(?:understand|certify|consent|authori[sz]e|declare|agree|give"
    r"|accept)\b",
    re.IGNORECASE,
)
# Words by which a paragraph tells of one person.
PERSONAL = re2.compile(
    r"(?i)\b(?:he|she|him|his|her|hers|mr|mrs|ms|miss|i have|i am|i was|i had|i've|i'm|my"
    r"|years? old|year-old|y/o|yo|told|says|said|was (?:seen|diagnosed|admitted|treated)"
    r"|presents)\b"
)

# Printed behind a label to show how it is filled in.
EXAMPLE = re.compile(r"[\s(\[]*(?:e\.? ?g\b\.?|for example\b|for instance\b)", re.IGNORECASE)


def is_instruction(text: str) -> bool:
    """Whether a paragraph speaks to those who fill in a form, and of nobody in particular."""
    if CONSENT.match(text):
        return True
    if NOTICE.match(text) is None and INSTRUCTION.search(text) is None:
        return False
    return PERSONAL.search(text) is None
