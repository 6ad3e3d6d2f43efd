"""How long a page took, how much of it was the database's time, how much the processor's.

In: an engine to listen to.  Out: one line for the header Server-Timing.
"""

from __future__ import annotations

import time
from contextvars import ContextVar
from typing import Any

from sqlalchemy import Engine, event


class Spent:
    """Time and queries of one request; changed by the thread that serves it."""

    __slots__ = ("began", "database", "processor", "queries", "signed_in")

    def __init__(self, began: float) -> None:
        self.began = began
        self.database = 0.0
        self.processor = 0.0
        self.queries = 0
        self.signed_in = False

    def line(self) -> str:
        total = (time.perf_counter() - self.began) * 1000
        return (
            f'page;dur={total:.1f}, db;dur={self.database * 1000:.1f};desc="{self.queries}", '
            f"cpu;dur={self.processor * 1000:.1f}"
        )


spent: ContextVar[Spent | None] = ContextVar("spent", default=None)


class Timed:
    """A cursor whose fetching counts too: SQLite does most of its work there."""

    __slots__ = ("_cursor",)

    def __init__(self, cursor: Any) -> None:
        self._cursor = cursor

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._cursor, name)
        if not name.startswith("fetch"):
            return found

        def timed(*given: Any) -> Any:
            began = time.perf_counter()
            try:
                return found(*given)
            finally:
                if (now := spent.get()) is not None:
                    now.database += time.perf_counter() - began

        return timed


def listen(engine: Engine) -> None:
    @event.listens_for(engine, "before_cursor_execute")
    def before(_c: Any, _cur: Any, _s: Any, _p: Any, context: Any, _m: Any) -> None:
        context.dlp_began = time.perf_counter()

    @event.listens_for(engine, "after_cursor_execute")
    def after(_c: Any, cursor: Any, _s: Any, _p: Any, context: Any, _m: Any) -> None:
        if (now := spent.get()) is not None:
            now.database += time.perf_counter() - context.dlp_began
            now.queries += 1
            if context.dialect.name == "sqlite":
                context.cursor = Timed(cursor)
