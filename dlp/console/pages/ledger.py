"""The ledger: who did what, when and why, and whether it is as it was written.

In: the ledger's records.  Out: the latest first; a check of every record on demand.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sqlalchemy import func, select
from starlette.responses import Response

from dlp.console.listing_query import PAGE
from dlp.console.render import as_csv, html
from dlp.console.request_context import Visit, page
from dlp.console.services import Checked
from dlp.store.schema import ledger

CSV = ("number", "at", "who", "what", "item", "why", "mac")
AT_ONCE = 1000


def show(visit: Visit) -> Response:
    if visit.query.get("format") == "csv":
        return as_csv("ledger", CSV, every(visit))
    before = visit.query.get("before", "")
    end = int(before) if before.isascii() and before.isdigit() and len(before) <= 15 else None
    query = select(ledger).order_by(ledger.c.number.desc()).limit(PAGE + 1)
    if end is not None:
        query = query.where(ledger.c.number < end)
    with visit.desk.engine.connect() as connection:
        rows = [dict(row) for row in connection.execute(query).mappings()]
        total = connection.execute(select(func.max(ledger.c.number))).scalar() or 0
    later = f"/ledger?before={rows[PAGE - 1]['number']}" if len(rows) > PAGE else ""
    return html(
        visit, "ledger.html", rows=rows[:PAGE], total=total, later=later, first=end is None,
        checked=visit.desk.checked,
    )  # fmt: skip


def every(visit: Visit) -> Iterator[dict[str, Any]]:
    last = 0
    while True:
        query = select(ledger).where(ledger.c.number > last).order_by(ledger.c.number)
        with visit.desk.engine.connect() as connection:
            rows = [dict(row) for row in connection.execute(query.limit(AT_ONCE)).mappings()]
        yield from rows
        if len(rows) < AT_ONCE:
            return
        last = rows[-1]["number"]


def verify(visit: Visit) -> Response:
    faults = tuple(visit.desk.keeping.ledger.verify())
    with visit.desk.engine.connect() as connection:
        records = connection.execute(select(func.count()).select_from(ledger)).scalar() or 0
    visit.desk.checked = Checked(visit.desk.clock(), records, faults)
    if faults:
        visit.say(f"NOT WHOLE: {len(faults)} places differ from what was written.")
    else:
        visit.say(f"Whole: all {records:,} records follow from one another and from the anchor.")
    return visit.back("/ledger")


ROUTES = (page("/ledger", show), page("/ledger/verify", verify, changes=True))
