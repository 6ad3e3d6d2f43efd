"""What is read letter by letter beside a name: a house number, a day, an age.

In: the first characters of what stands there.  Out: patterns.
"""

from __future__ import annotations

import re

HOUSE = re.compile(r"\d{1,6}[A-Za-z]? (?:[A-Z][a-z]|P\.? ?O\b|\d{1,3} )")
DAY = re.compile(r"(?:[0-3]?\d(?:st|nd|rd|th)?|(?:19|20)\d\d)\b(?!\s?-?y)", re.IGNORECASE)
# A closing bracket ends an age unless digits go on behind it.
AGE = re.compile(r"(0|[1-9]\d{0,2})[ -]*(?:y|[mf][ ,]|(\)(?!\s?\d))|(,\s))", re.IGNORECASE)
