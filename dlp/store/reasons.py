"""Why a file got its verdict: its details, and findings that stand in its whole record only.

In: the path of a file.  Out: its details, with the findings of the record that a scan keeps.

To group the findings of every file for a page that somebody may open some day took a third of what
it takes to keep a verdict. Where a scan keeps the whole record, they are grouped when asked for.
"""

from __future__ import annotations

import os
import zlib
from typing import Any

from dlp.store.details import SQUEEZE, as_json, grouped, read_body
from dlp.store.record_codec import sum_of, unpack
from dlp.store.sql_connection import Session

DETAILS = """
SELECT details.file, details.body FROM files JOIN details ON details.file = files.id
WHERE files.server = ? AND files.path = ?
"""
RECORD = "SELECT record FROM judged WHERE server = ? AND folder = ? AND name = ?"
COMPLETE = "UPDATE details SET body = ? WHERE file = ?"


def reasons_of(session: Session, server: str, path: bytes) -> dict[str, Any]:
    """What is known of a file; findings of another record than was meant say nothing of it."""
    bodies = session.ask(DETAILS, (server, path))
    found = read_body(bodies[0][1] if bodies else None)
    meant = found.pop("stored", None)
    records = session.ask(RECORD, (server, *os.path.split(path))) if meant is not None else ()
    for (packed,) in records:
        if sum_of(packed) == meant:
            found["findings"] = grouped(unpack(packed)["findings"])
    return found


def keep_findings(session: Session, server: str, path: bytes) -> None:
    """Before a record goes: what only that says of its file goes to the file's details."""
    for number, body in session.ask(DETAILS, (server, path)):
        if "stored" in read_body(body):
            whole = as_json(reasons_of(session, server, path))
            session.ask(COMPLETE, (zlib.compress(whole, SQUEEZE), number))
