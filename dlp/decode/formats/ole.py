"""Read compound files of unknown purpose, and say that encrypted ones are.

In: any open OLE file: objects cut out of documents, macro projects, Office files under a password.
Out: what its streams hold; a kind nobody described to us keeps its gap beside its words.
"""

from __future__ import annotations

from dlp.decode.office.ole import extract

__all__ = ["MEDIA_TYPES", "extract"]

MEDIA_TYPES = frozenset({
    "application/x-ole-storage",
    "application/x-ole-encrypted",
    "application/cdfv2",
    "application/CDFV2",
    "application/encrypted",
})  # fmt: skip
