"""Rewrite presentations without macros.

In: a pptx, ppsx or potx.  Out: the same slides, notes and masters, edited; nothing hidden left.
"""

from __future__ import annotations

from dlp.sanitise.documents.contract import Job
from dlp.sanitise.documents.kinds import OOXML, PPTX
from dlp.sanitise.documents.ooxml import rewrite_package

MEDIA_TYPES = frozenset({
    PPTX,
    f"{OOXML}presentationml.slideshow",
    f"{OOXML}presentationml.template",
})  # fmt: skip


def rewrite(data: bytes, job: Job) -> bytes:
    return rewrite_package(data, job)
