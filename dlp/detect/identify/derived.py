"""What follows from the pattern of an identifier rule, worked out once and cached.

In: a pattern.  Out: its looser twin, whether it needs a digit, its size, its classes of characters.
"""

from __future__ import annotations

from typing import NamedTuple

import re2

from dlp.detect.identify.character_classes import table_of
from dlp.detect.identify.digits import needs_digit
from dlp.detect.identify.loose_pattern import loosened
from dlp.prepared import prepared

VALUE = "(?P<v>"
CODE = "detect/identify"


class Derived(NamedTuple):
    loosened: str  # dlp/detect/identify/loose_pattern.py
    needs_digit: bool  # dlp/detect/identify/digits.py
    steps: int  # of the looser pattern, as RE2 counts them
    alike: str  # character_classes.py, in hexadecimal; empty where the match is the value


def of_pattern(pattern: str) -> Derived:
    return Derived(*prepared(b"pattern " + pattern.encode(), lambda: worked_out(pattern), CODE))


def worked_out(pattern: str) -> Derived:
    twin = loosened(pattern)
    alike = table_of(pattern).hex() if VALUE in pattern else ""
    return Derived(twin, needs_digit(pattern), re2.compile(twin).programsize, alike)
