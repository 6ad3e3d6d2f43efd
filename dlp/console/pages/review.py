"""What waits for a person, what is called harmless and until when, how far rules can be trusted.

In: the state of review in the store.  Out: three lists, each also as CSV.
"""

from __future__ import annotations

from starlette.responses import Response

from dlp.console.listing_query import REVIEWS
from dlp.console.pages.rankings import FILE_CSV, cursor_of, file_listing, file_row, paging
from dlp.console.render import all_rows, as_csv, html, iso, plain
from dlp.console.request_context import Visit, page
from dlp.store import queries
from dlp.store.reviews import list_suppressions, precision

SUPPRESSION_CSV = ("id", "fingerprint", "reason", "owner", "made", "expires", "path")
RULE_CSV = ("rule", "confirmed", "false_positives", "precision")


def queue(visit: Visit) -> Response:
    state = visit.query.get("review", "open")
    state = state if state in REVIEWS else "open"
    listing = file_listing(visit, "/review", containers=("phi",), review=state)
    engine = visit.desk.engine
    if visit.query.get("format") == "csv":
        rows = all_rows(lambda asked: queries.file_page(engine, asked), listing.asked,
                        lambda row: cursor_of(row, listing))  # fmt: skip
        return as_csv("review", FILE_CSV, (file_row(visit, row) for row in rows))
    found = queries.file_page(engine, listing.asked)
    return html(
        visit, "review.html", listing=listing, page=found, links=paging(listing, found),
        state=state, states=REVIEWS, backlog=queries.backlog(engine),
    )  # fmt: skip


def suppressions(visit: Visit) -> Response:
    rows = list_suppressions(visit.desk.engine)
    if visit.query.get("format") == "csv":
        told = (
            {**row, "made": iso(row["made_at"]), "expires": iso(row["expires_at"]),
             "path": plain(row["path"] or b"")}
            for row in rows
        )  # fmt: skip
        return as_csv("suppressions", SUPPRESSION_CSV, told)
    return html(visit, "suppressions.html", rows=rows, now=visit.desk.clock())


def rules(visit: Visit) -> Response:
    rows = precision(visit.desk.engine)
    if visit.query.get("format") == "csv":
        return as_csv("rules", RULE_CSV, rows)
    return html(visit, "rules.html", rows=rows)


ROUTES = (
    page("/review", queue),
    page("/review/suppressions", suppressions),
    page("/review/rules", rules),
)
