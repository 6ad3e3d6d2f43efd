"""Write a text without what hides a word from a pattern but not from a reader.

In: the parts of a document.  Out: UTF-8, a line for each part.
"""

from __future__ import annotations

import re
import unicodedata

# Characters that are drawn as nothing: one inside "dia\u00adbetes" would deafen every pattern.
INVISIBLE = re.compile("[\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]")


def plain_bytes(texts: list[str]) -> bytes:
    """All of them, a line each, without what hides a word from a pattern but not from a reader."""
    text = "\n".join(texts)
    return (text if text.isascii() else plain(text)).encode("utf-8", "replace")


def plain(text: str) -> str:
    return unicodedata.normalize("NFKC", INVISIBLE.sub("", text))
