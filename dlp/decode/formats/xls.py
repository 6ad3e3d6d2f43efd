"""Read Excel workbooks from before 2007.

In: an open xls, xlt or xla.  Out: sheet:1 ... in tab order, with labelled cells, and what surrounds
them; an encrypted workbook is a gap.
"""

from __future__ import annotations

from dlp.decode.office.ole import extract

__all__ = ["MEDIA_TYPES", "extract"]

MEDIA_TYPES = frozenset({"application/vnd.ms-excel"})
