"""What was not read, and why: a file nobody could open is no clean file.

In: gaps in the catalogue.  Out: counts by reason, and the files behind each.
"""

from __future__ import annotations

from dataclasses import replace

from starlette.responses import Response

from dlp.console.pages.rankings import FILE_CSV, cursor_of, file_listing, file_row, paging
from dlp.console.render import all_rows, as_csv, html
from dlp.console.request_context import Visit, page
from dlp.store import queries

REASONS = {
    "changed": "changed while it was read", "corrupt": "damaged, or not what its name says",
    "encrypted": "locked with a password", "internal": "trouble of ours; tried again later",
    "language": "in a language the rules do not know", "needs_ocr": "a picture of text, not read",
    "permission": "the service may not open it", "timeout": "took too long",
    "too_deep": "archives within archives within archives", "too_large": "larger than the limit",
    "unsupported": "no reader for this format", "vanished": "gone before it could be read",
}  # fmt: skip


def coverage(visit: Visit) -> Response:
    engine = visit.desk.engine
    listing = file_listing(visit, "/coverage")
    if not listing.asked.gap:
        listing = replace(listing, asked=replace(listing.asked, gap="any"))
    if visit.query.get("format") == "csv":
        rows = all_rows(lambda asked: queries.file_page(engine, asked), listing.asked,
                        lambda row: cursor_of(row, listing))  # fmt: skip
        return as_csv("coverage", FILE_CSV, (file_row(visit, row) for row in rows))
    counts = sorted(queries.gaps(engine).items(), key=lambda pair: -pair[1])
    found = queries.file_page(engine, listing.asked)
    total, unread = sum(queries.stock(engine).values()), queries.unread(engine)
    return html(
        visit, "coverage.html", listing=listing, page=found, links=paging(listing, found),
        counts=counts, reasons=REASONS, total=total, unread=unread,
        most=max((number for _, number in counts), default=0),
    )  # fmt: skip


ROUTES = (page("/coverage", coverage),)
