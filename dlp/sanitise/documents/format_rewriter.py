"""Rewrite a file in its own format so that no text of it escapes the edit.

In: bytes, their media type, an edit.  Out: Rewritten, or SanitiseError and nothing.

    rewrite(data, "application/pdf", edit)   what can be rewritten is; the rest is refused
    supported()                              the media types that can be
"""

from __future__ import annotations

import importlib
import pkgutil
import struct
import zipfile
import zlib
from collections.abc import Callable
from functools import cache

from lxml import etree

from dlp.errors import SanitiseError
from dlp.sanitise.documents import formats
from dlp.sanitise.documents.content_type import kind_of
from dlp.sanitise.documents.contract import Bounds, Edit, Job, Rewritten, refuse

Rewriter = Callable[[bytes, Job], bytes]
# What parsers raise over broken files; the text of it can quote the file, so none is passed on.
BROKEN = (
    ValueError, TypeError, KeyError, IndexError, AttributeError, OverflowError, EOFError, OSError,
    NotImplementedError, RuntimeError, AssertionError, RecursionError, MemoryError, LookupError,
    etree.LxmlError, zipfile.BadZipFile, zlib.error, struct.error,
)  # fmt: skip


def rewrite(
    data: bytes,
    media_type: str,
    edit: Edit,
    *,
    key: bytes = b"",
    drop_signatures: bool = False,
    bounds: Bounds | None = None,
) -> Rewritten:
    """Give the file again with every text edited; refuse what cannot be rewritten in full."""
    job = Job(edit, inner, key, drop_signatures, bounds or Bounds())
    rewriter = rewriters().get(media_type)
    if rewriter is None:
        raise refuse("no module rewrites this type of file")
    return Rewritten(run(rewriter, data, job), tuple(job.notes))


def run(rewriter: Rewriter, data: bytes, job: Job) -> bytes:
    trouble: tuple[type[BaseException], ...] = (*BROKEN, *extra_trouble())
    try:
        return rewriter(data, job)
    except SanitiseError:
        raise
    except trouble:
        raise refuse("the file is damaged or of an unknown make") from None


def inner(data: bytes, media_type: str, name: str, job: Job) -> bytes | None:
    """Content decides what a file inside is; what its container claims only breaks ties."""
    rewriter = rewriters().get(kind_of(data, media_type, name))
    if rewriter is None:
        return None
    return run(rewriter, data, job)


def supported() -> frozenset[str]:
    return frozenset(rewriters())


@cache
def rewriters() -> dict[str, Rewriter]:
    found: dict[str, Rewriter] = {}
    for module in pkgutil.iter_modules(formats.__path__):
        loaded = importlib.import_module(f"{formats.__name__}.{module.name}")
        found.update(dict.fromkeys(loaded.MEDIA_TYPES, loaded.rewrite))
    return found


@cache
def extra_trouble() -> tuple[type[BaseException], ...]:
    """Exceptions of the libraries that some formats use."""
    found: tuple[type[BaseException], ...] = ()
    for module in pkgutil.iter_modules(formats.__path__):
        loaded = importlib.import_module(f"{formats.__name__}.{module.name}")
        found += getattr(loaded, "TROUBLE", ())
    return found
