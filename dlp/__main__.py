"""Run the command line, as `dlp` and as `python -m dlp`.

In: arguments.  Out: an exit code.
"""

from __future__ import annotations

import gc
import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dlp.engine.nursery import Nursery


# What a scan asks of its workers depends on these, and on nothing else that can be said.
SETTING = ("--config", "--profile", "--full", "--values")
JUDGING_ALL = frozenset({"--no-catalogue", "--fresh"})


def run() -> None:
    if sys.argv[1:2] == ["scan"]:
        from dlp import known_code  # noqa: PLC0415 - what it knows is what a scan imports

        known_code.use()
    nursery = head_start(sys.argv[1:])
    if nursery is not None:
        nursery.is_reaped = False  # this process ends with it, and its memory takes long to free
    from dlp.cli.main import main  # noqa: PLC0415 - what a worker never needs comes behind the fork

    try:
        main(prog_name="dlp", obj=nursery)
    except SystemExit as end:
        if nursery is not None:
            leave(end.code)
        raise


def head_start(arguments: Sequence[str]) -> Nursery | None:
    """Fork first of all what loads longest, if this is a scan that judges every file here."""
    elsewhere = any(one.startswith("--engine") for one in arguments)
    if arguments[:1] != ["scan"] or elsewhere or not judges_all(arguments):
        return None
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as in dlp/cli/main.py
    gc.disable()  # until the scan has imported the rest; modules leave hardly any cycles
    from dlp.engine.order import nursery_ahead  # noqa: PLC0415 - no other command needs it first

    gc.enable()
    usual = not any(one.startswith(SETTING) for one in arguments)
    return nursery_ahead(usual=usual, many=any(map(os.path.isdir, arguments[1:])))


def judges_all(arguments: Sequence[str]) -> bool:
    """Whether no file can be known already; where a catalogue is, dlp/cli/scan.py looks into it."""
    if not JUDGING_ALL.isdisjoint(arguments):
        return True
    if any(one.startswith(("--catalogue", "-h", "--help")) for one in arguments):
        return False
    from dlp.store.glimpse import default_path  # noqa: PLC0415 - no other command needs it first

    return not os.path.exists(default_path())


def leave(code: object) -> None:
    """End at once: taking a process apart piece by piece takes a twentieth of a second."""
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except (OSError, ValueError):
        return  # somebody closed them: the usual way knows what to say
    if code is None or isinstance(code, int):
        os._exit(code or 0)


if __name__ == "__main__":
    run()
