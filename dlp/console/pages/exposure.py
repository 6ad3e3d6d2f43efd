"""The page of who can read the files with health information, and of those nobody uses or owns.

In: the catalogue, the accounts of this machine.  Out: counts by class, views, the files.
"""

from __future__ import annotations

from starlette.responses import Response

from dlp.access import REACHES
from dlp.console.pages.rankings import FILE_CSV, every_row, file_listing, file_row, paging
from dlp.console.render import as_csv, html
from dlp.console.request_context import RequestContext, page
from dlp.report.words_and_masks import REACH_WORDS, VIEW_WORDS
from dlp.store import queries
from dlp.store.exposed_files import exposed_counts


def exposure(context: RequestContext) -> Response:
    services = context.services
    listing = file_listing(context, "/exposure", containers=("phi",))
    if context.query.get("format") == "csv":
        rows = every_row(queries.file_page, services.engine, listing)
        return as_csv("exposure", FILE_CSV, (file_row(context, row) for row in rows))
    days = services.settings.exposure.stale_days
    users = services.accounts.users.values()
    counts = exposed_counts(services.engine, users, services.clock(), days)
    found, total = queries.listed(services.engine, listing.asked)
    return html(
        context, "exposure.html", listing=listing, page=found, links=paging(listing, found),
        total=total, counts=counts, reaches=tuple(reversed(REACHES)), words=REACH_WORDS,
        views=VIEW_WORDS, most=max(counts.files.values(), default=0), days=days,
        owner_name=services.owner_name,
    )  # fmt: skip


ROUTES = (page("/exposure", exposure),)
