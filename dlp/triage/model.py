"""Ask the language model CLD2 about a stretch of text.

In: text.  Out: the code of a language it is sure of, or nothing.
"""

from __future__ import annotations

import re

import pycld2

PERCENT = 85  # of the text, by the model's own account
# CLD2 refuses text with control characters and code points that are no characters.
UNFIT_RANGES = (
    *((0x00, 0x08), (0x0B, 0x0C), (0x0E, 0x1F), (0x7F, 0x9F)),
    *((0xD800, 0xDFFF), (0xFDD0, 0xFDEF), (0xFFFE, 0xFFFF)),
)
UNFIT = re.compile(f"[{''.join(f'{chr(low)}-{chr(high)}' for low, high in UNFIT_RANGES)}]")
TOLERATED = b"\f"  # the only one of them that it takes


def ask_model(text: str) -> str:
    """ISO 639-1; "" for what it calls unreliable, mixed or unknown."""
    try:
        raw = text.encode()
        # It refuses all other unfit signs by itself, and most texts have none.
        if TOLERATED not in raw:
            return named_in(raw)
    except (UnicodeEncodeError, pycld2.error):
        pass
    try:
        return named_in(UNFIT.sub(" ", text).encode("utf-8", "replace"))
    except pycld2.error:  # it refuses some rare characters; the text is then nobody's
        return ""


def named_in(raw: bytes) -> str:
    reliable, _, details = pycld2.detect(raw, bestEffort=False)
    _, code, percent, _ = details[0]
    if not reliable or code == "un" or percent < PERCENT:
        return ""
    return str(code.split("-")[0])
