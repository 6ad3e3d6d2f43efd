"""How long a page took, and how much of it was the database's time.

In: an engine to listen to.  Out: one line for the header Server-Timing.
"""

from __future__ import annotations

import time
from contextvars import ContextVar
from typing import Any

from sqlalchemy import Engine, event


class Spent:
    """Time and queries of one request; changed by the thread that serves it."""

    __slots__ = ("began", "database", "queries", "signed_in")

    def __init__(self, began: float) -> None:
        self.began = began
        self.database = 0.0
        self.queries = 0
        self.signed_in = False

    def line(self) -> str:
        total = (time.perf_counter() - self.began) * 1000
        return f'page;dur={total:.1f}, db;dur={self.database * 1000:.1f};desc="{self.queries}"'


spent: ContextVar[Spent | None] = ContextVar("spent", default=None)


def listen(engine: Engine) -> None:
    @event.listens_for(engine, "before_cursor_execute")
    def before(_c: Any, _cur: Any, _s: Any, _p: Any, context: Any, _m: Any) -> None:
        context.dlp_began = time.perf_counter()

    @event.listens_for(engine, "after_cursor_execute")
    def after(_c: Any, _cur: Any, _s: Any, _p: Any, context: Any, _m: Any) -> None:
        if (now := spent.get()) is not None:
            now.database += time.perf_counter() - context.dlp_began
            now.queries += 1
