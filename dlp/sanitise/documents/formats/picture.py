"""Rewrite pictures: the pixels stay, everything said beside them goes.

In: PNG, JPEG or GIF.  Out: the same pixels without comments, Exif or previews.
"""

from __future__ import annotations

from dlp.sanitise.documents.contract import Job, refuse
from dlp.sanitise.documents.pictures import bare_picture

MEDIA_TYPES = frozenset({"image/png", "image/jpeg", "image/gif"})


def rewrite(data: bytes, job: Job) -> bytes:
    bare = bare_picture(data)
    if bare is None:
        raise refuse("the picture is damaged")
    job.note("words inside pictures are not read")
    return bare
