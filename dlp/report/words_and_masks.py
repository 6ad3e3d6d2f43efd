"""The words that reports use for steps, levels and gaps, and masked values.

In: closed codes; values.  Out: plain English; first letter or last two digits, dots for the rest.
"""

from __future__ import annotations

from datetime import UTC, datetime

# What each container means to somebody who reads this page and no other.
STEPS = {
    "impossible": "files judged",
    "possible": "may speak of people",
    "probable": "identify people",
    "phi": "tell their health",
}
LEVEL_NAMES = {"none": "no health found"}
# Why something went unread, and what to do about it.
GAPS = {
    "changed": ("changed while read", "it is judged again by itself"),
    "corrupt": ("damaged", "open it by hand, or restore it from a backup"),
    "encrypted": ("locked by a password", "ask its owner, or move it to a guarded place"),
    "internal": ("an error of ours", "send the file's id to the maintainers"),
    "language": ("language not read", "judge it by hand"),
    "needs_ocr": ("a scan without text", "install tesseract, then scan again"),
    "permission": ("not allowed to read", "give the service the right to read it"),
    "timeout": ("took too long", "raise decode.wall_seconds or detect.seconds_per_file"),
    "too_deep": ("nested too deeply", "unpack it, then scan again"),
    "too_large": ("too large", "raise decode.max_text_chars"),
    "unsupported": ("format not read", "judge it by hand"),
    "vanished": ("gone before it was read", "nothing"),
}

DOT = "•"


def day(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).strftime("%d %B %Y, %H:%M UTC")


def several(count: int, one: str, many: str = "") -> str:
    return f"{count:,} {one if count == 1 else many or one + 's'}"


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


REACH_WORDS = {
    "private": "one person",
    "few": "up to ten people who are named",
    "group": "the members of groups",
    "organisation": "everybody who belongs to the organisation",
    "everyone": "every account, also of guests and services",
    "public link": "anybody, without a password",
}
VIEW_WORDS = {
    "stale": "neither changed nor opened",
    "orphaned": "the owner's account is gone",
}
