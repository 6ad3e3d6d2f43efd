"""Read PowerPoint presentations from before 2007.

In: an open ppt, pps or pot.  Out: slides as body, notes, masters, comments, objects inside; an
encrypted presentation is a gap.
"""

from __future__ import annotations

from dlp.decode.office.ole import extract

__all__ = ["MEDIA_TYPES", "extract"]

MEDIA_TYPES = frozenset({"application/vnd.ms-powerpoint"})
