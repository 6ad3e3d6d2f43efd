"""Rewrite archives member by member; what no module rewrites is dropped.

In: a zip.  Out: a zip of rewritten members under edited names, without times and comments.
"""

from __future__ import annotations

from dlp.sanitise.documents.contract import Job
from dlp.sanitise.documents.packing import members_of, pack

MEDIA_TYPES = frozenset({"application/zip"})


def rewrite(data: bytes, job: Job) -> bytes:
    out: dict[str, bytes] = {}
    for number, (name, content) in enumerate(members_of(data, job).items(), 1):
        new = job.inside(content, "", name) if content else b""
        if new is None:
            job.note(f"member {number} dropped: no module rewrites it")
            continue
        out[free_name(safe_name(name, number, job), out)] = new
    return pack(out)


def safe_name(name: str, number: int, job: Job) -> str:
    """A name that the edit touches is not repaired but replaced; its ending stays."""
    spoken = name.replace("_", " ").replace("/", " ")
    if job.edit(name) == name and job.edit(spoken) == spoken:
        return name
    stem, dot, ending = name.rpartition(".")
    return f"file{number}.{ending}" if dot and ending.isalnum() and stem else f"file{number}"


def free_name(name: str, taken: dict[str, bytes]) -> str:
    while name in taken:
        name = f"_{name}"
    return name
