"""Rewrite Word documents and templates without macros.

In: a docx or dotx.  Out: the same document: runs joined for the edit, nothing hidden left.
"""

from __future__ import annotations

from dlp.sanitise.documents.contract import Job
from dlp.sanitise.documents.kinds import DOCX, OOXML
from dlp.sanitise.documents.ooxml import rewrite_package

MEDIA_TYPES = frozenset({DOCX, f"{OOXML}wordprocessingml.template"})


def rewrite(data: bytes, job: Job) -> bytes:
    return rewrite_package(data, job)
