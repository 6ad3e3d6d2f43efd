"""Show the shape of a value without showing the value.

In: text.  Out: the first letter of a word, the last two digits of a number, dots for the rest.
"""

from __future__ import annotations

DOT = "•"


def mask(text: str, limit: int = 24) -> str:
    """A reviewer recognises what they know already; nobody learns anything new."""
    if any(char.isdigit() for char in text):
        keep = max(0, sum(char.isalnum() for char in text) - 2)
        return squeeze("".join(_hide(text, keep)), limit)
    words = (word[:1] + DOT * max(1, len(word) - 1) for word in text.split())
    return squeeze(" ".join(words), limit)


def _hide(text: str, count: int) -> list[str]:
    shown = []
    for char in text:
        if char.isalnum() and count > 0:
            shown.append(DOT)
            count -= 1
        else:
            shown.append(char if char.isprintable() else " ")
    return shown


def squeeze(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[: limit - 1] + "…"
