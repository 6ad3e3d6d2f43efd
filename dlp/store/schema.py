"""The tables, the same on SQLite and PostgreSQL.

In: nothing.  Out: SQLAlchemy Core tables and the version they stand for.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Column,
    Connection,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    event,
)

VERSION = 9
metadata = MetaData()

about = Table("about", metadata, Column("key", String, primary_key=True), Column("value", Text))

files = Table(
    "files",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("server", String, nullable=False, server_default=""),  # in a database of several
    Column("path", LargeBinary, nullable=False),  # names on a share are bytes
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
    # open confirmed cleared accepted; an acceptance ends at its time or with a new content
    Column("review", String(10), nullable=False, server_default="open"),
    Column("review_until", Float, nullable=False, server_default="0"),
    # Somebody was still writing it: what was seen counts until they are done.
    Column("provisional", Integer, nullable=False, default=0, server_default="0"),
    Column("harm", Float, nullable=False, server_default="0"),  # the people's losses, added up
    Column("risk", Float, nullable=False, server_default="0"),  # harm × readers
    Column("exposure", String(12), nullable=False, server_default=""),  # empty: not looked at
    Column("readers", Integer, nullable=False, server_default="1"),
    Column("owner", BigInteger, nullable=False, server_default="-1"),  # user id
    Column("modified_at", Float, nullable=False, server_default="0"),
    Column("accessed_at", Float, nullable=False, server_default="0"),
    Column("rights", String(16), nullable=False, server_default=""),  # of the file alone, a digest
    Column("traced", Integer, nullable=False, server_default="0"),  # 1: all are in `traces`; 2: cut
    Index("files_by_privacy", "privacy"),
)
EXPOSURE_COLUMNS = tuple(
    files.c[name]
    for name in ("harm", "risk", "exposure", "readers", "owner", "modified_at", "accessed_at",
                 "rights")
)  # fmt: skip
ONE_EACH = Index("files_one_each", files.c.server, files.c.path, unique=True)
# One for each way the console sorts and filters: a page of 100,000 files reads only its rows.
FILE_INDEXES = tuple(
    Index(f"files_by_{name}", *(files.c[column] for column in columns.split()))
    for name, columns in (
        ("rank", "privacy id people"), ("people", "people id"), ("time", "judged_at id"),
        ("size", "size_bytes id"), ("gaps", "gaps id"),
    )
)  # fmt: skip
EXPOSURE_INDEXES = tuple(
    Index(f"files_by_{name}", *(files.c[column] for column in columns.split()))
    for name, columns in (
        ("risk", "risk id"), ("kind", "container risk id"),
        ("decision", "review container risk id"), ("place", "folder risk id"),
        ("readers", "readers id"),
    )
)  # fmt: skip
FORMER_INDEXES = ("files_by_container", "files_by_review", "files_by_folder")

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
    Column("suppressed_until", Float, nullable=False, server_default="0"),  # 0: counts
    Column("identity", String(32), nullable=False, server_default=""),  # one for linked persons
    Column("area", String(12), nullable=False, server_default=""),  # state or country: US-OH, DE
    Column("minor", Integer, nullable=False, server_default="0"),
)
PERSON_INDEXES = (Index("persons_by_identity", persons.c.identity),)

# One row per version of a file; kept after the verdict, so that nothing is judged twice.
jobs = Table(
    "jobs",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("key", String(64), nullable=False, unique=True),  # path, change key, rules version
    Column("server", String, nullable=False, server_default=""),
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
OPEN = intents.c.state.in_(["intent", "held", "ready"])
SOLE = Index("intents_one_open", intents.c.share, intents.c.path, unique=True, sqlite_where=OPEN)

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


@event.listens_for(SOLE, "before_create")
def on_postgresql_too(index: Index, connection: Connection, **_: object) -> None:
    """Said only there: to say it is to import all that SQLAlchemy knows of PostgreSQL."""
    if connection.dialect.name == "postgresql":
        index.dialect_kwargs["postgresql_where"] = OPEN


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

# Why a file got its verdict: stages, kinds and places of findings, reasons. No value, no excerpt.
details = Table(
    "details",
    metadata,
    Column("file", ForeignKey("files.id", ondelete="CASCADE"), primary_key=True),
    Column("body", LargeBinary, nullable=False),  # JSON, deflated
)

# Which files speak of what: for filters, and for what a new sensitivity touches.
topics = Table(
    "topics",
    metadata,
    Column("concept", String, primary_key=True),
    Column("file", ForeignKey("files.id", ondelete="CASCADE"), primary_key=True, index=True),
)

# Who is in which file, as keyed tags of names, birth dates and numbers (knowledge/person_tags.py).
traces = Table(
    "traces",
    metadata,
    Column("tag", BigInteger, primary_key=True, autoincrement=False),
    Column("file", ForeignKey("files.id", ondelete="CASCADE"), primary_key=True, index=True),
)

# A row when a file's verdict differs from the one before.
history = Table(
    "history",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("path", LargeBinary, nullable=False, index=True),
    Column("at", Float, nullable=False),
    Column("container", String(12), nullable=False),
    Column("privacy", Float, nullable=False),
    Column("people", Integer, nullable=False),
    Column("rules_version", String, nullable=False),
)

# Files that entered or left a container on a day; the sum up to a day is the stock of that day.
daily = Table(
    "daily",
    metadata,
    Column("day", String(10), primary_key=True),
    Column("container", String(12), primary_key=True),
    Column("change", Integer, nullable=False),
)

folders = Table(
    "folders",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("path", LargeBinary, nullable=False, unique=True),
    Column("files", Integer, nullable=False, default=0),
    Column("phi", Integer, nullable=False, default=0),
    Column("unread", Integer, nullable=False, default=0),
    Column("people", Integer, nullable=False, default=0),
    Column("harm", Float, nullable=False, default=0.0),
    Column("privacy", Float, nullable=False, default=0.0),
    Column("stale", Integer, nullable=False, default=1, index=True),  # 1: to be summed up again
    Column("risk", Float, nullable=False, server_default="0"),  # harm × readers, over its people
    Column("surroundings", String(16), nullable=False, server_default=""),  # as when last ranked
    Index("folders_by_harm", "harm", "id"),
    Index("folders_by_people", "people", "id"),
)

FOLDER_INDEXES = (Index("folders_by_risk", folders.c.risk, folders.c.id),)

# Persons linked over files. The name is a pseudonym made from keyed ids.
identities = Table(
    "identities",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", String(32), nullable=False, unique=True),
    Column("privacy", Float, nullable=False),
    Column("identifiability", Float, nullable=False),
    Column("sensitivity", Float, nullable=False),
    Column("files", Integer, nullable=False),
    Column("alone", Float, nullable=False),  # the worst of one file by itself
    Column("risk", Float, nullable=False, server_default="0"),
    Index("identities_by_privacy", "privacy", "id"),
    Index("identities_by_files", "files", "id"),
)
IDENTITY_INDEXES = (Index("identities_by_risk", identities.c.risk, identities.c.id),)

decisions = Table(
    "decisions",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("at", Float, nullable=False),
    Column("who", String, nullable=False),
    Column("verdict", String(16), nullable=False),  # confirmed, false positive, accepted, reopened
    Column("path", LargeBinary, nullable=False, index=True),
    Column("sha256", String(64), nullable=False),
    Column("person", String(32), nullable=False, default=""),
    Column("rules", Text, nullable=False, default=""),  # ids of the rules behind it
    Column("why", Text, nullable=False, default=""),
    Column("expires_at", Float, nullable=False, default=0.0),
)

suppressions = Table(
    "suppressions",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("fingerprint", String, nullable=False, index=True),  # keyed, "kind:hex"
    Column("reason", Text, nullable=False),
    Column("owner", String, nullable=False),
    Column("made_at", Float, nullable=False),
    Column("expires_at", Float, nullable=False, index=True),
    Column("decision", Integer, nullable=False, default=0),
    # finding file folder person, and the file or folder in which it counts
    Column("scope", String(8), nullable=False, server_default="person"),
    Column("place", LargeBinary, nullable=False, default=b"", server_default=""),
)

users = Table(
    "users",
    metadata,
    Column("name", String, primary_key=True),
    Column("role", String(10), nullable=False),
    Column("secret", String, nullable=False),  # scrypt, with its parameters and salt
    Column("made_at", Float, nullable=False),
    Column("changed_at", Float, nullable=False),  # sessions from before it end
    Column("disabled", Integer, nullable=False, default=0),
)
REVIEW_TABLES = (
    details, topics, history, daily, folders, identities, decisions, suppressions, users,
)  # fmt: skip

migrations = Table(
    "migrations",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("name", String, nullable=False),
    Column("at", Float, nullable=False),
)
