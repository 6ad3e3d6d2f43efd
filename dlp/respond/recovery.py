"""Finish or undo whatever a crash, a full disk or a refused right left half-way.

In: the open items of the journal.  Out: none left open, or each with its trouble.
"""

from __future__ import annotations

from dlp.intent import Intent, State
from dlp.model import Outcome
from dlp.respond.holding_folder import code_of
from dlp.respond.quarantine import Quarantine
from dlp.respond.replace import Replace
from dlp.respond.restore import Purge, Restore


class Recovery:
    """Called at start, and again on a timer: it is also what drains blocked items."""

    def __init__(
        self, quarantine: Quarantine, replace: Replace, restore: Restore, purge: Purge
    ) -> None:
        self._quarantine = quarantine
        self._replace = replace
        self._restore = restore
        self._purge = purge

    def run(self) -> list[Outcome]:
        place = self._quarantine.place
        return [self._one(intent) for intent in self._quarantine.journal.open_items(place.name)]

    def _one(self, intent: Intent) -> Outcome:
        if intent.state is State.RESTORING:
            return self._restore.carry_on(intent)
        if intent.state is State.PURGING:
            try:
                self._purge.carry_on(intent)
            except OSError as error:
                return Outcome("purge", done=False, detail=code_of(error), undo_token=intent.id)
            return Outcome("purge", done=True, detail="purged")
        actor = self._replace if intent.action == Replace.name else self._quarantine
        return actor.carry_on(intent)
