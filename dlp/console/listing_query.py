"""What a listing is asked for, read from its address; nonsense is passed by.

In: query parameters.  Out: Asked for the store, and links that keep the rest as it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import inf
from typing import Any
from urllib.parse import urlencode

from dlp.access import REACHES
from dlp.measure.risk_levels import BOUNDS, PAPER
from dlp.model import LEVELS, Container, GapCode
from dlp.store.exposed_files import VIEWS
from dlp.store.queries import Asked, Box, Cursor

PAGE = 50
REVIEWS = ("open", "confirmed", "accepted", "cleared")
KEPT = ("sort", "order", "container", "level", "review", "gap", "folder", "q", "topic",
        "exposure", "view")  # fmt: skip


def box_of(level: str, profile: str) -> Box:
    """The bounds behind a level."""
    if profile == "geng2011":
        return Box(PAPER, inf, "privacy") if level == "high" else Box(-inf, PAPER, "privacy")
    place, edges = LEVELS.index(level), (-inf, *BOUNDS, inf)
    return Box(edges[place], edges[place + 1])


@dataclass(frozen=True, slots=True)
class Listing:
    """The address of a listing and what it means."""

    path: str
    given: Mapping[str, str]
    asked: Asked

    def link(self, **changes: str) -> str:
        """The same listing with something else; paging starts anew unless it is the change."""
        kept = {name: self.given[name] for name in KEPT if self.given.get(name)}
        merged = {name: value for name, value in (kept | changes).items() if value}
        return f"{self.path}?{urlencode(merged)}" if merged else self.path

    def sort_link(self, name: str) -> str:
        same = self.asked.sort == name
        return self.link(sort=name, order="asc" if same and self.asked.descending else "desc")


def read_listing(
    path: str, query: Mapping[str, str], sorts: Iterable[str], profile: str, **fixed: Any
) -> Listing:
    names = tuple(sorts)
    sort = query.get("sort", "")
    sort = sort if sort in names else names[0]
    natural = "asc" if sort == "path" else "desc"
    level, container = query.get("level", ""), query.get("container", "")
    review, gap = query.get("review", ""), query.get("gap", "")
    codes = {code.value for code in GapCode} | {"any"}
    exposure, view = query.get("exposure", ""), query.get("view", "")
    values: dict[str, Any] = {
        "sort": sort,
        "descending": query.get("order", natural) != "asc",
        "limit": PAGE,
        "after": read_cursor(query.get("after", ""), sort),
        "before": read_cursor(query.get("before", ""), sort),
        "containers": (container,) if container in set(Container) else (),
        "box": box_of(level, profile) if level in LEVELS else None,
        "review": review if review in REVIEWS else "",
        "gap": gap if gap in codes else "",
        "exposure": exposure if exposure in REACHES else "",
        "view": view if view in VIEWS else "",
        "text": query.get("q", "")[:200].encode("utf-8", "surrogateescape"),
    }
    return Listing(path, dict(query), Asked(**values | fixed))


def read_cursor(text: str, sort: str) -> Cursor | None:
    value, tilde, number = text.rpartition("~")
    if not tilde or not (number.isascii() and number.isdigit() and len(number) <= 15):
        return None
    try:
        found: Any = bytes.fromhex(value) if sort == "path" else float(value)
    except ValueError:
        return None
    if sort != "path" and found != found:  # noqa: PLR0124 - not a number
        return None
    return Cursor(found, int(number))


def write_cursor(row: Mapping[str, Any], column: str) -> str:
    value = row[column]
    return f"{value.hex() if isinstance(value, bytes) else repr(float(value))}~{row['id']}"
