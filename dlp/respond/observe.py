"""Do nothing to the share: the verdict itself is the record.

In: the file as judged.  Out: Outcome.
"""

from __future__ import annotations

from dlp.model import FileRef, Outcome


class Observe:
    name = "observe"

    def apply(self, ref: FileRef, why: str = "") -> Outcome:  # noqa: ARG002 - the actions' signature
        return Outcome(self.name, done=True, detail=why)
