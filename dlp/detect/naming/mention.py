"""Roles that finders of names give to a mention.

In: nothing.  Out: the names of the roles; `Mention` itself stands in dlp/model.py.
"""

from __future__ import annotations

from dlp.model import Mention

__all__ = ["Mention"]

PATIENT, AUTHOR, RELATIVE, CLINICIAN = "patient", "author", "relative", "clinician"
CORRESPONDENT, FICTIONAL, PUBLIC, OTHER = "correspondent", "fictional", "public", "other"
ANIMAL = "animal"
