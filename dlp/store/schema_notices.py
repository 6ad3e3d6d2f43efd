"""The table of notices on their way, one row per event and channel.

In: nothing.  Out: a SQLAlchemy Core table beside those of the schema.
"""

from __future__ import annotations

from sqlalchemy import Column, Float, Index, Integer, String, Table

from dlp.store.schema import metadata

# Rows of one batch go out together, again and again until they arrived.
deliveries = Table(
    "deliveries",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("channel", String, nullable=False),
    Column("notice", String(32), nullable=False),  # random: row numbers are used again
    Column("batch", String(32), nullable=False, default=""),
    Column("event", String, nullable=False),
    Column("item", String(64), nullable=False),
    Column("share", String, nullable=False),
    Column("level", String(10), nullable=False, default=""),
    Column("count", Integer, nullable=False, default=1),
    Column("at", Float, nullable=False),
    Column("tries", Integer, nullable=False, default=0),
    Column("not_before", Float, nullable=False, default=0.0),
    Column("holder", String, nullable=False, default=""),
    Column("lease_until", Float, nullable=False, default=0.0),
    Column("sent_at", Float, nullable=True),
    Column("trouble", String, nullable=False, default=""),
    Index("deliveries_by_turn", "channel", "sent_at", "not_before"),
    Index("deliveries_by_batch", "batch"),
)
