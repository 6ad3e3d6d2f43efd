"""The ledger: who did what, when and why, and whether it is as it was written.

In: the ledger's records.  Out: the latest first; a check of every record on demand; the evidence
pack of some days as one archive.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from typing import Any

from sqlalchemy import func, select
from starlette.exceptions import HTTPException
from starlette.responses import Response

from dlp.cli._report_sources import Source
from dlp.console.listing_query import PAGE
from dlp.console.render import as_csv, day, html
from dlp.console.request_context import RequestContext, page
from dlp.console.services import Checked
from dlp.report.evidence import pack
from dlp.store.schema import ledger

CSV = ("number", "at", "who", "what", "item", "why", "mac")
AT_ONCE = 1000

MOST_DAYS = 3650


def show(context: RequestContext) -> Response:
    if context.query.get("format") == "csv":
        return as_csv("ledger", CSV, every(context))
    before = context.query.get("before", "")
    end = int(before) if before.isascii() and before.isdigit() and len(before) <= 15 else None
    query = select(ledger).order_by(ledger.c.number.desc()).limit(PAGE + 1)
    if end is not None:
        query = query.where(ledger.c.number < end)
    with context.services.engine.connect() as connection:
        rows = [dict(row) for row in connection.execute(query).mappings()]
        total = connection.execute(select(func.max(ledger.c.number))).scalar() or 0
    later = f"/ledger?before={rows[PAGE - 1]['number']}" if len(rows) > PAGE else ""
    return html(
        context, "ledger.html", rows=rows[:PAGE], total=total, later=later, first=end is None,
        checked=context.services.checked,
    )  # fmt: skip


def every(context: RequestContext) -> Iterator[dict[str, Any]]:
    last = 0
    while True:
        query = select(ledger).where(ledger.c.number > last).order_by(ledger.c.number)
        with context.services.engine.connect() as connection:
            rows = [dict(row) for row in connection.execute(query.limit(AT_ONCE)).mappings()]
        yield from rows
        if len(rows) < AT_ONCE:
            return
        last = rows[-1]["number"]


def verify(context: RequestContext) -> Response:
    faults = tuple(context.services.keeping.ledger.verify())
    with context.services.engine.connect() as connection:
        records = connection.execute(select(func.count()).select_from(ledger)).scalar() or 0
    context.services.checked = Checked(context.services.clock(), records, faults)
    if faults:
        context.say(f"NOT WHOLE: {len(faults)} places differ from what was written.")
    else:
        context.say(f"Whole: all {records:,} records follow from one another and from the anchor.")
    return context.back("/ledger")


def evidence(context: RequestContext) -> Response:
    days = context.form.get("days", "")
    if not (days.isascii() and days.isdigit() and len(days) <= 4 and 1 <= int(days) <= MOST_DAYS):
        raise HTTPException(400)
    # Noted first, so that the pack's own ledger already tells of it.
    context.services.note(
        context.user.name, "exported the evidence pack", why=f"the last {days} days"
    )
    source = Source(context.services.settings, context.services.engine, context.services.clock())
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in pack(source.evidence(int(days))).items():
            archive.writestr(name, content)
    name = f"dlp-evidence-{day(context.services.clock())}.zip"
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(out.getvalue(), media_type="application/zip", headers=headers)


ROUTES = (
    page("/ledger", show),
    page("/ledger/verify", verify, changes=True),
    page("/evidence", evidence, role="officer", changes=True),
)
