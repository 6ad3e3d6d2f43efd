"""The process behind `Reader`: owns one confined worker and answers line by line.

In: settings, then questions, as JSON on standard input.  Out: one JSON line for each.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

from dlp.assembly import Scan
from dlp.config import Settings
from dlp.errors import DlpError


class Reading:
    """Scans are made when first asked for: masks and values are different workers."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._scans: dict[bool, Scan] = {}

    def _scan(self, *, clear: bool) -> Scan:
        if clear not in self._scans:
            self._scans[clear] = Scan(
                self._settings, jobs=1, full=True, values=clear, masks=not clear
            )
        return self._scans[clear]

    def answer(self, question: dict[str, Any]) -> dict[str, Any]:
        path = os.fsencode(question["path"])
        if question["what"] == "findings":
            scan = self._scan(clear=bool(question.get("clear")))
            for record in scan.records((path,)):
                return record
            return {"error": "the file is not there any more"}
        return {"error": "no such question"}


def main() -> None:
    reading = Reading(Settings.model_validate_json(sys.stdin.readline()))
    for line in sys.stdin:
        try:
            answer = reading.answer(json.loads(line))
        except DlpError as error:
            answer = {"error": str(error)}
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
