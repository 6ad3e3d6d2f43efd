"""The process behind `Reader`: owns one confined worker and answers line by line.

In: settings, then questions, as JSON on standard input.  Out: one JSON line for each.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import sys
from typing import Any

from dlp.config import Settings
from dlp.engine.sanitising import open_service
from dlp.engine.scanning import Scan
from dlp.errors import DlpError
from dlp.report.mask import mask
from dlp.sanitise.service import Service
from dlp.sanitise.view import Side

MOST_BYTES = 64_000_000
MOST_PARTS = 20
MOST_SHOWN = 20_000  # characters of a part


class Reading:
    """Scans are made when first asked for: masks and values are different workers."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._scans: dict[bool, Scan] = {}
        self._service: Service | None = None

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
        if question["what"] == "sanitise":
            return self._sanitised(path, output=bool(question.get("output")))
        return {"error": "no such question"}

    def _sanitised(self, path: bytes, *, output: bool) -> dict[str, Any]:
        """The result beside the original, whose changed places are masked."""
        try:
            with open(path, "rb") as source:
                raw = source.read(MOST_BYTES + 1)
        except OSError as error:
            return {"error": f"the file cannot be read: {error.strerror}"}
        if len(raw) > MOST_BYTES:
            return {"error": "too large to sanitise here: use `dlp sanitise`"}
        if self._service is None:
            self._service = open_service(self._settings)
        outcome = self._service.sanitise(os.path.basename(os.fsdecode(path)), raw)
        answer: dict[str, Any] = {
            "refusal": outcome.refusal.what if outcome.refusal else "",
            "facts": list(outcome.facts),
            "utility": outcome.utility,
            "sides": [side_of(side) for side in outcome.sides[:MOST_PARTS]],
            "sha256": hashlib.sha256(outcome.output).hexdigest() if outcome.output else "",
        }
        if output and outcome.output:
            answer["output"] = base64.b64encode(outcome.output).decode()
        return answer


def side_of(side: Side) -> dict[str, Any]:
    """Stretches of one part: unchanged text, or the mask of what goes beside what comes."""
    pieces: list[tuple[str, str, str, str]] = []
    place = 0
    for edit in side.result.edits:
        pieces.append(("same", side.original[place : edit.start], "", ""))
        hidden = mask(side.original[edit.start : edit.end])
        pieces.append(("changed", hidden, edit.text, edit.reason))
        place = edit.end
        if place > MOST_SHOWN:
            break
    else:
        pieces.append(("same", side.original[place : place + MOST_SHOWN], "", ""))
    return {"name": side.name, "pieces": pieces}


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
