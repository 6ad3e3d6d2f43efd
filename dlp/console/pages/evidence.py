"""The evidence pack as one archive: inventory, risks, activity, exceptions, proof of the ledger.

In: a number of days.  Out: a zip with its check sums; the export itself is in the ledger.
"""

from __future__ import annotations

import io
import zipfile

from starlette.exceptions import HTTPException
from starlette.responses import Response

from dlp.cli._reporting import Source
from dlp.console.render import day
from dlp.console.request_context import Visit, page
from dlp.report.evidence import pack

MOST_DAYS = 3650


def evidence(visit: Visit) -> Response:
    days = visit.form.get("days", "")
    if not (days.isascii() and days.isdigit() and len(days) <= 4 and 1 <= int(days) <= MOST_DAYS):
        raise HTTPException(400)
    # Noted first, so that the pack's own ledger already tells of it.
    visit.desk.note(visit.user.name, "exported the evidence pack", why=f"the last {days} days")
    source = Source(visit.desk.settings, visit.desk.engine, visit.desk.clock())
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in pack(source.evidence(int(days))).items():
            archive.writestr(name, content)
    name = f"dlp-evidence-{day(visit.desk.clock())}.zip"
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(out.getvalue(), media_type="application/zip", headers=headers)


ROUTES = (page("/evidence", evidence, role="officer", changes=True),)
