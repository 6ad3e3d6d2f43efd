"""Read PowerPoint presentations, with or without macros, shows and templates.

In: an open pptx, pptm, ppsx, ppsm, potx, potm.  Out: the slides as body in the order they are
shown, hidden ones included; notes, comments, masters, charts, files inside.
"""

from __future__ import annotations

from dlp.decode.office.ooxml import extract

__all__ = ["MEDIA_TYPES", "extract"]

MEDIA_TYPES = frozenset({
    "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    "application/vnd.openxmlformats-officedocument.presentationml.slideshow",
    "application/vnd.openxmlformats-officedocument.presentationml.template",
    "application/vnd.openxmlformats-officedocument.presentationml.slide",
    "application/vnd.ms-powerpoint.presentation.macroenabled.12",
    "application/vnd.ms-powerpoint.slideshow.macroenabled.12",
    "application/vnd.ms-powerpoint.template.macroenabled.12",
    "application/vnd.ms-powerpoint.addin.macroenabled.12",
})  # fmt: skip
