"""Ask the language model CLD2 about a stretch of text.

In: text.  Out: the code of a language it is sure of, or nothing.
"""

from __future__ import annotations

import re

import pycld2

from dlp.native import kernel
from dlp.triage.signs import sorted_signs

PERCENT = 85  # of the text, by the model's own account
TALLY = kernel("tally")
# CLD2 refuses text with control characters and code points that are no characters.
UNFIT_RANGES = (
    *((0x00, 0x08), (0x0B, 0x0C), (0x0E, 0x1F), (0x7F, 0x9F)),
    *((0xD800, 0xDFFF), (0xFDD0, 0xFDEF), (0xFFFE, 0xFFFF)),
)
UNFIT = re.compile(f"[{''.join(f'{chr(low)}-{chr(high)}' for low, high in UNFIT_RANGES)}]")
FIT = bytes(32 if UNFIT.match(chr(sign)) else sign for sign in range(256))  # for plain ASCII
UNFIT_SIGNS = sorted_signs(UNFIT_RANGES)


def ask_model(text: str) -> str:
    """ISO 639-1; "" for what it calls unreliable, mixed or unknown."""
    if text.isascii():
        raw = text.encode("ascii").translate(FIT)
    else:
        fit = TALLY is not None and TALLY.sorts(text, UNFIT_SIGNS) == (0, 0)
        raw = (text if fit else UNFIT.sub(" ", text)).encode("utf-8", "replace")
    try:
        reliable, _, details = pycld2.detect(raw, bestEffort=False)
    except pycld2.error:  # it refuses some rare characters; the text is then nobody's
        return ""
    _, code, percent, _ = details[0]
    if not reliable or code == "un" or percent < PERCENT:
        return ""
    return str(code.split("-")[0])
