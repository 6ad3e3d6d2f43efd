"""Read Word documents, with or without macros, and their templates.

In: an open docx, docm, dotx or dotm.  Out: body, headers, notes, comments, deletions, files inside.
"""

from __future__ import annotations

from dlp.decode.office.ooxml import extract

__all__ = ["MEDIA_TYPES", "extract"]

MEDIA_TYPES = frozenset({
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.template",
    "application/vnd.ms-word.document.macroenabled.12",
    "application/vnd.ms-word.template.macroenabled.12",
})  # fmt: skip
