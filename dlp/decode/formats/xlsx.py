"""Read Excel workbooks, with or without macros, and their templates.

In: an open xlsx, xlsm, xltx, xltm or xlam.  Out: sheet:1 ... in tab order, with labelled cells, and
everything around them: comments, lists, names, links, caches.
"""

from __future__ import annotations

from dlp.decode.office.ooxml import extract

__all__ = ["MEDIA_TYPES", "extract"]

MEDIA_TYPES = frozenset({
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.template",
    "application/vnd.ms-excel.sheet.macroenabled.12",
    "application/vnd.ms-excel.template.macroenabled.12",
    "application/vnd.ms-excel.addin.macroenabled.12",
})  # fmt: skip
