"""Read Excel workbooks in the binary package format.

In: an open xlsb.  Out: sheet:1 ... with labelled cells, and what an xlsx gives besides.
"""

from __future__ import annotations

from dlp.decode.office.ooxml import extract

__all__ = ["MEDIA_TYPES", "extract"]

MEDIA_TYPES = frozenset({"application/vnd.ms-excel.sheet.binary.macroenabled.12"})
