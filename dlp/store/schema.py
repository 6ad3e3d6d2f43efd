"""The tables, the same on SQLite and PostgreSQL.

In: nothing.  Out: SQLAlchemy Core tables and the version they stand for.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
)

VERSION = 2
metadata = MetaData()

about = Table("about", metadata, Column("key", String, primary_key=True), Column("value", Text))

files = Table(
    "files",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("path", LargeBinary, nullable=False, unique=True),  # names on a share are bytes
    Column("folder", LargeBinary, nullable=False, index=True),
    Column("size_bytes", BigInteger, nullable=False, default=0),
    Column("sha256", String(64), nullable=False, default=""),
    Column("container", String(12), nullable=False, index=True),
    Column("reason", Text, nullable=False, default=""),
    Column("privacy", Float, nullable=False, default=0.0),
    Column("identifiability", Float, nullable=False, default=0.0),
    Column("sensitivity", Float, nullable=False, default=0.0),
    Column("people", Integer, nullable=False, default=0),
    Column("gaps", Text, nullable=False, default=""),
    Column("media_type", String, nullable=False, default=""),
    Column("rules_version", String, nullable=False, default=""),
    Column("judged_at", Float, nullable=False),
    Index("files_by_privacy", "privacy"),
)

persons = Table(
    "persons",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("file", ForeignKey("files.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("person", String(32), nullable=False, index=True),  # keyed, never a name
    Column("identifiability", Float, nullable=False),
    Column("sensitivity", Float, nullable=False),
    Column("prints", Text, nullable=False, default=""),
    Column("bits", Text, nullable=False, default="{}"),
    Column("burden", Text, nullable=False, default="[]"),
)

# One row per version of a file; kept after the verdict, so that nothing is judged twice.
jobs = Table(
    "jobs",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("key", String(64), nullable=False, unique=True),  # path, change key, rules version
    Column("share", String, nullable=False),
    Column("path", LargeBinary, nullable=False),
    Column("device", String(20), nullable=False),  # unsigned 64 bits fit no integer column
    Column("inode", String(20), nullable=False),
    Column("size_bytes", BigInteger, nullable=False),
    Column("mtime_ns", BigInteger, nullable=False),
    Column("ctime_ns", BigInteger, nullable=False),
    Column("rules_version", String, nullable=False),
    Column("priority", Integer, nullable=False),
    Column("rank", BigInteger, nullable=False),
    Column("state", String(8), nullable=False),  # waiting leased done aside
    Column("tries", Integer, nullable=False, default=0),
    Column("not_before", Float, nullable=False, default=0.0),
    Column("lease_until", Float, nullable=False, default=0.0),
    Column("holder", String, nullable=False, default=""),
    Column("queued_at", Float, nullable=False),
    Column("trouble", String, nullable=False, default=""),  # a gap or error code, never a message
    Index("jobs_by_turn", "state", "priority", "rank"),
    Index("jobs_by_lease", "state", "lease_until"),
    Index("jobs_by_path", "share", "path"),
)

intents = Table(
    "intents",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("action", String(12), nullable=False),  # quarantine replace
    Column("state", String(12), nullable=False, index=True),
    Column("share", String, nullable=False),
    Column("path", LargeBinary, nullable=False),
    Column("device", String(20), nullable=False),
    Column("inode", String(20), nullable=False),
    Column("size_bytes", BigInteger, nullable=False),
    Column("mtime_ns", BigInteger, nullable=False),
    Column("sha256", String(64), nullable=False),
    Column("links", Text, nullable=False, default="[]"),  # other names, base64
    Column("why", String, nullable=False, default=""),
    Column("new_inode", String(20), nullable=False, default=""),  # of a draft on its way to a share
    Column("new_sha256", String(64), nullable=False, default=""),
    Column("target", LargeBinary, nullable=False, default=b""),  # where a restore puts it
    Column("trouble", String, nullable=False, default=""),
    Column("tries", Integer, nullable=False, default=0),
    Column("created_at", Float, nullable=False),
    Column("changed_at", Float, nullable=False),
    Column("expires_at", Float, nullable=False, default=0.0),
    Column("legal_hold", String, nullable=False, default=""),  # the reason; empty: none
)
# One open action per name: a second one would race with the first.
Index(
    "intents_one_open",
    intents.c.share,
    intents.c.path,
    unique=True,
    sqlite_where=intents.c.state.in_(["intent", "held", "ready"]),
    postgresql_where=intents.c.state.in_(["intent", "held", "ready"]),
)

allowed = Table(
    "allowed",
    metadata,
    Column("share", String, primary_key=True),
    Column("sha256", String(64), primary_key=True),
    Column("item", String(32), nullable=False),
    Column("at", Float, nullable=False),
)

outbox = Table(
    "outbox",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("event", String, nullable=False),
    Column("item", String(64), nullable=False),  # an id, never a name
    Column("share", String, nullable=False),
    Column("level", String(10), nullable=False, default=""),
    Column("at", Float, nullable=False),
    Column("sent_at", Float, nullable=True, index=True),
)

ledger = Table(
    "ledger",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("at", String(32), nullable=False),
    Column("who", String, nullable=False),
    Column("what", String, nullable=False),
    Column("item", String, nullable=False),
    Column("why", String, nullable=False),
    Column("mac", String(64), nullable=False),
)

migrations = Table(
    "migrations",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("name", String, nullable=False),
    Column("at", Float, nullable=False),
)
