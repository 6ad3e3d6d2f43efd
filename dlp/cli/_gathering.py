"""Gather the code of all modules that a scan imports; a program of its own, run by `make setup`.

In: where to write; else beside the code.  Out: the file that dlp/known_code.py reads.

In isolation (`python -I -m dlp.cli._gathering`): what lies in the working directory is not ours.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import CodeType

from dlp import known_code, slotted


@contextlib.contextmanager
def noted() -> Iterator[dict[str, None]]:
    """Whatever constructors of values are compiled within."""
    found: dict[str, None] = {}

    def compiled(source: str) -> CodeType:
        found[source] = None
        return known_code.compiled(source)

    vars(slotted)["compiled"] = compiled
    try:
        yield found
    finally:
        vars(slotted)["compiled"] = known_code.compiled


def scan_something(folder: str) -> None:
    """Have the supervisor's half do all that it does."""
    from dlp.cli.main import main
    from dlp.demo_share import DISCHARGE

    share = Path(folder, "share")
    share.mkdir()
    (share / "letter.txt").write_text(DISCHARGE, encoding="utf-8")
    for how in (["--no-catalogue"], ["--catalogue", str(Path(folder, "catalogue"))]):
        told = ["scan", str(share), "--format", "jsonl", "--jobs", "1", "-o", os.devnull]
        with contextlib.suppress(SystemExit):  # which says what was found
            main.main([*told, *how], prog_name="dlp")


def load_everything() -> None:
    """As whoever forks workers does."""
    from dlp.demand import shelf
    from dlp.detect.naming.model_reader import LIBRARY
    from dlp.engine import order

    expected = order.expected_order()
    order.load_ahead(many=True)
    if expected is not None:
        brood = order.brood_of(expected)
        assert brood.warm
        brood.warm()
    for name in sorted(shelf().names - {LIBRARY}):  # what nobody needs who has the usual model
        order.supply(name)


def write(file: str, sources: Iterable[str] = ()) -> None:
    """At once or not at all: a scan may be reading it."""
    draft = Path(f"{file}.{os.getpid()}")
    draft.parent.mkdir(exist_ok=True)
    draft.write_bytes(known_code.gathered(sources))
    draft.replace(file)


if __name__ == "__main__":
    with noted() as constructors, tempfile.TemporaryDirectory() as place:
        os.environ["XDG_STATE_HOME"] = place  # an installation makes nobody a key
        with contextlib.redirect_stderr(io.StringIO()):  # nobody asked what is in the letter
            scan_something(place)
        load_everything()
    write(sys.argv[1] if sys.argv[1:] else known_code.FILE, constructors)
