"""Rewrite archives member by member; what no module rewrites is dropped.

In: a zip.  Out: a zip of rewritten members under edited names, without times and comments.
"""

from __future__ import annotations

from dlp.sanitise.documents.contract import Job
from dlp.sanitise.documents.member_names import safe_name
from dlp.sanitise.documents.packing import members_of, pack

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
