"""The process behind `Reader`: owns one confined worker and answers line by line.

In: settings, then questions, as JSON on standard input.  Out: one JSON line for each.
"""

from __future__ import annotations

import base64
import hashlib
import io
import json
import os
import sys
from typing import Any, BinaryIO

from dlp import demo_share
from dlp.acquire.walk import Walk
from dlp.assembly import Analysis
from dlp.config import Settings
from dlp.engine.protocol import Job
from dlp.engine.sanitise_workers import sanitising_engine
from dlp.engine.sanitiser_setup import configured_plan, examiner
from dlp.engine.scanning import Scan
from dlp.errors import DlpError
from dlp.model import FileRef
from dlp.report.words_and_masks import mask
from dlp.sanitise.review_page import Side
from dlp.sanitise.service import Service

MOST_PARTS = 20
MOST_SHOWN = 20_000  # characters of a part


class Reading:
    """Scans are made when first asked for: masks and values are different workers."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._scans: dict[bool, Scan] = {}
        self._preview: Preview | None = None

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
        if self._preview is None:
            self._preview = Preview(self._settings)
        with sanitising_engine(self._settings, self._preview, files_per_worker=1) as engine:
            for done in engine.run(Job(seen.ref, seen.open) for seen in Walk()((path,))):
                if done.record is None or done.gap is not None:
                    code = done.gap.code.value if done.gap else "internal"
                    return {"error": f"the file could not be read in full ({code})"}
                answer = done.record
                return answer if output else answer | {"output": ""}
        return {"error": "the file is not there any more"}


class Preview:
    """What a confined worker does with one open file."""

    def __init__(self, settings: Settings) -> None:
        self._plan = configured_plan(settings)
        self._analysis = Analysis(settings, full=True)
        self._warm = False

    def warm(self) -> None:
        if not self._warm:
            self._analysis.warm()
            self(FileRef("", b"warm-up.txt"), io.BytesIO(demo_share.DISCHARGE.encode()))
            self._warm = True

    def __call__(self, ref: FileRef, source: BinaryIO) -> dict[str, Any]:
        name = os.fsdecode(ref.path.rpartition(b"/")[2])
        service = Service(self._plan, examiner(self._analysis), mask)
        outcome = service.sanitise(name, source.read())
        return {
            "refusal": outcome.refusal.what if outcome.refusal else "",
            "facts": list(outcome.facts),
            "utility": outcome.utility,
            "sides": [side_of(side) for side in outcome.sides[:MOST_PARTS]],
            "sha256": hashlib.sha256(outcome.output).hexdigest() if outcome.output else "",
            "output": base64.b64encode(outcome.output or b"").decode(),
        }


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
