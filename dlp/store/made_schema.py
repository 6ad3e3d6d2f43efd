"""What a new SQLite file holds once every migration has run, as it was written down beforehand.

In: nothing.  Out: the statements that make it; None when the schema is stated otherwise by now.

`dlp rules prepare` lets the migrations make a database and writes down what is in it then. It is
tied to the very text of schema and migrations.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from dlp.prepared import answer, line_of
from dlp.resources import PACKAGE

FILE = "prepared.schema"
STATED_IN = ("schema.py", "schema_judged.py", "schema_notices.py", "migrations.py")


class MadeSchema(NamedTuple):
    version: int
    steps: Sequence[str]  # names of migrations, in their order
    statements: Sequence[str]


def made_schema() -> MadeSchema | None:
    try:
        said = answer(key(), FILE)
    except OSError:
        return None
    return MadeSchema(*said) if isinstance(said, list) else None


def key() -> bytes:
    return b"\n".join((PACKAGE / "store" / name).read_bytes() for name in STATED_IN)


def lines(made: MadeSchema) -> bytes:
    """The artefact."""
    return line_of(key(), [made.version, list(made.steps), list(made.statements)])
