"""Rewrite archives member by member; what no module rewrites is dropped.

In: a zip.  Out: a zip of rewritten members under edited names, without times and comments.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping

from dlp.sanitise.documents.contract import Job, refuse, safe_name

OLDEST = (1980, 1, 1, 0, 0, 0)
COMPOUND = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
BIGGEST = 256_000_000


def members_of(data: bytes, job: Job) -> dict[str, bytes]:
    """Every file of a package; a package that is locked, damaged or ambiguous is refused."""
    if data.startswith(COMPOUND):
        raise refuse(
            "the file is locked by a password or of an old kind", fix="save it as a new file"
        )
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return {
                entry.filename: member(archive, entry, job)
                for entry in unique(archive.infolist())
                if not entry.is_dir()
            }
    except (zipfile.BadZipFile, NotImplementedError, EOFError, OSError):
        raise refuse("the package is damaged") from None


def unique(entries: list[zipfile.ZipInfo]) -> list[zipfile.ZipInfo]:
    names = [entry.filename for entry in entries]
    if len(set(names)) != len(names):
        raise refuse("two members of the package have the same name")
    return entries


def member(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, job: Job) -> bytes:
    if entry.flag_bits & 1:
        raise refuse("the package is locked by a password", fix="save it without a password")
    if entry.file_size > BIGGEST:
        raise refuse("a member of the package is too large to be checked")
    job.take(entry.file_size)
    with archive.open(entry) as stream:
        content = stream.read(entry.file_size + 1)
    if len(content) != entry.file_size:
        raise refuse("a member of the package is not as long as it says")
    return content


def pack(members: Mapping[str, bytes], stored: frozenset[str] = frozenset()) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, content in members.items():
            entry = zipfile.ZipInfo(name, OLDEST)
            entry.create_system = 0
            entry.external_attr = 0
            method = zipfile.ZIP_STORED if name in stored else zipfile.ZIP_DEFLATED
            archive.writestr(entry, content, method, 6)
    return out.getvalue()


MEDIA_TYPES = frozenset({"application/zip"})


def rewrite(data: bytes, job: Job) -> bytes:
    out: dict[str, bytes] = {}
    for number, (name, content) in enumerate(members_of(data, job).items(), 1):
        new = job.inside(content, "", name) if content else b""
        if new is None:
            job.note(f"member {number} dropped: no module rewrites it")
            continue
        out[free_name(safe_name(name, job.edit, f"file{number}"), out)] = new
    return pack(out)


def free_name(name: str, taken: dict[str, bytes]) -> str:
    while name in taken:
        name = f"_{name}"
    return name
