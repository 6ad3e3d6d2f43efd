"""Free text in the cells of a table, through the text sanitiser.

In: the text of a cell.  Out: sanitised text; None when it could not be read or made safe in full.
"""

from __future__ import annotations

import secrets

PASSES = 4  # what a rescan still finds is taken out in the next one


class CellSanitiser:
    """Loads the analysis with the first cell; a table without text does not pay for it."""

    def __init__(self) -> None:
        self._known: dict[str, str | None] = {}

    def __call__(self, text: str) -> str | None:
        if not self._known:
            self._load()
        if text not in self._known:
            self._known[text] = self._sanitise(text)
        return self._known[text]

    def _load(self) -> None:
        from dlp import config
        from dlp.assembly import Analysis
        from dlp.engine.sanitising import examiner
        from dlp.sanitise.plan import Mode, Plan, Profile
        from dlp.sanitise.service import Service
        from dlp.sanitise.topics import default_topics

        key = secrets.token_bytes(32)  # surrogates of this table mean nothing elsewhere
        plan = Plan(Profile.SAFE_HARBOR, Mode.GENERALISE, default_topics(), 1.5, key)
        self._examine = examiner(Analysis(config.load(None), full=True))
        self._service = Service(plan, self._examine)
        self._sanitiser = self._service.sanitiser

    def _sanitise(self, text: str) -> str | None:
        from dlp.sanitise.service import pages_of

        case = self._examine("cell.txt", text.encode())
        pages = pages_of(case)
        if case.gaps or len(pages) != 1:
            return None
        page = self._sanitiser.document(pages, case.facts.get("subjects", ())).pages[0]
        for _ in range(PASSES):
            found = self._service.find(page.text)
            left = self._sanitiser.identity.left(page.text, found)
            if not left:
                return page.text
            self._sanitiser.identity.learn(page.text, left, every=True)
            page = self._sanitiser.again(text, page)
        return None
