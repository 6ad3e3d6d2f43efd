"""The worksheet of a possible breach, for all files or one folder.

In: the number of a folder.  Out: counts and duties as a page or CSV; that it was made is recorded.
"""

from __future__ import annotations

from markupsafe import Markup
from starlette.responses import Response

from dlp.console.pages.rankings import folder_of
from dlp.console.render import as_csv, html
from dlp.console.request_context import RequestContext, page
from dlp.engine.breach_sources import breach_of
from dlp.report.breach import breach_page, rows_of

COLUMNS = ("section", "field", "value")


def breach(context: RequestContext) -> Response:
    services, folder = context.services, folder_of(context)
    top = bytes(folder["path"]) if folder else b""
    found = breach_of(services.engine, services.settings, services.clock(), top)
    services.note(context.user.name, "made a breach worksheet", item=f"{found.people} people")
    if context.query.get("format") == "csv":
        rows = (dict(zip(COLUMNS, row, strict=True)) for row in rows_of(found))
        return as_csv("breach", COLUMNS, rows)
    drawn = Markup(breach_page(found, standing=False))  # noqa: S704 - every value in it is escaped
    return html(context, "breach.html", breach=found, drawn=drawn, folder=folder)


ROUTES = (page("/breach", breach, role="officer"),)
