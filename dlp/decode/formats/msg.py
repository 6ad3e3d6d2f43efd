"""Read Outlook messages, contacts, appointments and tasks.

In: an open msg.  Out: headers, body, HTML and RTF where they say more, recipients, attachments,
nested messages.
"""

from __future__ import annotations

from dlp.decode.office.ole import extract

__all__ = ["MEDIA_TYPES", "extract"]

MEDIA_TYPES = frozenset({"application/vnd.ms-outlook"})
