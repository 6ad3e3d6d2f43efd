"""Rewrite plain text.

In: text in any encoding.  Out: the edited text in the same encoding.
"""

from __future__ import annotations

from dlp.sanitise.documents.contract import Job
from dlp.sanitise.documents.wording import decode, encode

MEDIA_TYPES = frozenset({"text/plain"})


def rewrite(data: bytes, job: Job) -> bytes:
    text, codec = decode(data)
    return encode(job.edit(text), codec)
