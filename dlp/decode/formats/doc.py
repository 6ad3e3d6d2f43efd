"""Read Word documents and templates from before 2007.

In: an open doc or dot.  Out: body, notes, headers, comments, text boxes, properties, objects
inside; an encrypted document is a gap.
"""

from __future__ import annotations

from dlp.decode.office.ole import extract

__all__ = ["MEDIA_TYPES", "extract"]

MEDIA_TYPES = frozenset({"application/msword"})
