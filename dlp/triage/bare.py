"""Ask RE2 whether a pattern matches, without an object for the match.

In: a compiled pattern, bytes.  Out: yes or no.

The Python wrapper of RE2 takes longer to make its objects than RE2 to look through a window of a
text. Where its inner door is closed (another release), the public one is used.
"""

from __future__ import annotations

from typing import Any

import re2


def is_in(pattern: Any, raw: bytes) -> bool:
    """Whether it matches anywhere."""
    try:
        anywhere = re2._Anchor.UNANCHORED  # noqa: SLF001 - see the module's docstring
        places = pattern._regexp.Match(anywhere, raw, 0, len(raw))  # noqa: SLF001
    except AttributeError:
        return pattern.search(raw) is not None
    return bool(places[0][0] >= 0)
