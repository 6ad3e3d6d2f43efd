"""Whether a catalogue may know what is to be scanned, before it is opened in earnest.

In: where it is, paths.  Out: yes or no, within milliseconds and without SQLAlchemy.

It decides when workers begin to load and nothing else: a wrong answer costs time, never a verdict.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable
from contextlib import closing
from pathlib import Path

from dlp.keys import state_folder

# Questions that one index answers; as one condition SQLite might read every row. Of so many rows
# it is no matter which: a program that judges otherwise has hardly ever judged any of them.
KNOWN = """
SELECT version FROM judged WHERE server = '' AND folder = :folder AND name = :name
UNION ALL SELECT version FROM judged WHERE server = '' AND folder = :path
UNION ALL SELECT version FROM judged WHERE server = '' AND folder > :inside AND folder < :behind
LIMIT 100
"""


def default_path() -> Path:
    return state_folder() / "catalogue.db"


def may_know(
    where: Path | str, paths: Iterable[bytes], marks: Callable[[], Collection[str]]
) -> bool:
    """Whether something was judged beneath every one of the paths, and by this very program.

    `marks`: how the versions of its verdicts begin, asked for where there is any verdict.
    """
    if "://" in str(where):
        return True  # to ask a server takes as long as to open it
    if not os.path.exists(where):
        return False
    import sqlite3  # noqa: PLC0415 - where there is no catalogue, workers are forked before it

    try:
        address = f"{Path(where).absolute().as_uri()}?mode=ro"
        with closing(sqlite3.connect(address, uri=True, timeout=0)) as catalogue:
            known = [catalogue.execute(KNOWN, place(path)).fetchall() for path in paths]
    except sqlite3.Error:
        return True  # opening it to write will say what is wrong with it
    if not all(known):
        return False
    begins = tuple(marks())
    return all(version.startswith(begins) for rows in known for (version,) in rows)


def place(path: bytes) -> dict[str, bytes]:
    # "0" follows "/" in the order of bytes, so this range is exactly what lies beneath.
    whole = os.path.abspath(path)
    folder, name = os.path.split(whole)
    root = whole.rstrip(b"/")
    return {"folder": folder, "name": name, "path": whole,
            "inside": root + b"/", "behind": root + b"0"}  # fmt: skip
