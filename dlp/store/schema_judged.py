"""The table of states in which files were judged, with their whole records.

In: nothing.  Out: a SQLAlchemy Core table beside those of the schema.
"""

from __future__ import annotations

from sqlalchemy import Column, Integer, LargeBinary, String, Table

from dlp.store.schema import metadata

judged = Table(
    "judged",
    metadata,
    Column("server", String, primary_key=True),
    Column("folder", LargeBinary, primary_key=True),
    Column("name", LargeBinary, primary_key=True),
    Column("state", String(110), nullable=False),  # device, inode, size, mtime, ctime
    Column("young", Integer, nullable=False),  # it had just changed: only its hash can be trusted
    Column("sha256", String(64), nullable=False, index=True),
    Column("version", String(32), nullable=False),  # of what the verdict rests on
    Column("record", LargeBinary, nullable=False),
)
