"""The texts of a share, whatever format they are in.

In: a folder.  Out: one text a file that can be read; what cannot is left out.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from dlp.decode.contract import Limits
from dlp.decode.extract import read
from dlp.model import Part

MOST = 400_000  # characters of a file: a book teaches the words of one book


def texts_of(folder: Path, limits: Limits | None = None) -> Iterator[str]:
    """In the order of names; links are not followed."""
    for parent, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            path = Path(parent, name)
            if path.is_symlink() or not path.is_file():
                continue
            try:
                with path.open("rb") as source:
                    document = read(source, name, limits).document
            except OSError:
                continue
            yield "\n\n".join(part.text for part in document.parts if _prose(part))[:MOST]


def _prose(part: Part) -> bool:
    """What people wrote: the body of a file or of one inside it, unless it is a form or table.

    Labels of records stand on every record and on nothing else: they would tell the format, and
    with it whatever records of that format speak of.
    """
    return not part.fields and part.locator.rsplit("/", 1)[-1].startswith("body")
