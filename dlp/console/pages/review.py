"""Files awaiting review, suppressions, precision of rules; decisions about a file.

In: the state of review, or a form with a reason.  Out: three lists, each also as CSV; a decision in
the store and the ledger.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from starlette.exceptions import HTTPException
from starlette.responses import Response

from dlp.console.listing_query import REVIEWS
from dlp.console.pages.file_detail import found
from dlp.console.pages.rankings import FILE_CSV, every_row, file_listing, file_row, paging
from dlp.console.render import as_csv, html, iso, plain
from dlp.console.request_context import RequestContext, page, row_number
from dlp.store import queries
from dlp.store.reviews import list_suppressions, precision
from dlp.store.verdict_writer import Scope

SUPPRESSION_CSV = ("id", "fingerprint", "reason", "owner", "made", "expires", "path")
RULE_CSV = ("rule", "confirmed", "false_positives", "precision")

LONGEST_DAYS = 730  # a longer exception is never looked at again


def queue(context: RequestContext) -> Response:
    state = context.query.get("review", "open")
    state = state if state in REVIEWS else "open"
    listing = file_listing(context, "/review", containers=("phi",), review=state)
    engine = context.services.engine
    if context.query.get("format") == "csv":
        rows = every_row(queries.file_page, engine, listing)
        return as_csv("review", FILE_CSV, (file_row(context, row) for row in rows))
    found = queries.file_page(engine, listing.asked)
    return html(
        context, "review.html", listing=listing, page=found, links=paging(listing, found),
        state=state, states=REVIEWS, backlog=queries.backlog(engine),
    )  # fmt: skip


def suppressions(context: RequestContext) -> Response:
    rows = list_suppressions(context.services.engine)
    if context.query.get("format") == "csv":
        shown = (
            {**row, "made": iso(row["made_at"]), "expires": iso(row["expires_at"]),
             "path": plain(row["path"] or b"")}
            for row in rows
        )  # fmt: skip
        return as_csv("suppressions", SUPPRESSION_CSV, shown)
    return html(context, "suppressions.html", rows=rows, now=context.services.clock())


def rules(context: RequestContext) -> Response:
    rows = precision(context.services.engine)
    if context.query.get("format") == "csv":
        return as_csv("rules", RULE_CSV, rows)
    return html(context, "rules.html", rows=rows)


def until(context: RequestContext) -> float:
    """The end of a day in the future, not too far away."""
    now = datetime.fromtimestamp(context.services.clock(), UTC)
    try:
        day = datetime.fromisoformat(context.form.get("until", "")).replace(tzinfo=UTC)
    except ValueError:
        raise HTTPException(400) from None
    end = day.replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=1)
    if not now < end <= now + timedelta(days=LONGEST_DAYS + 1):
        raise HTTPException(400)
    return end.timestamp() - 1


def confirm(context: RequestContext) -> Response:
    row = found(context)
    rules = {f["rule"] for f in row["why"]["findings"] if f["person"]}
    context.services.reviews(context.user.name).confirm(row["id"], context.reason(), sorted(rules))
    context.say("Confirmed. The file leaves the queue; the decision is in the ledger.")
    return context.back(f"/files/{row['id']}")


def false_positive(context: RequestContext) -> Response:
    row = found(context)
    person, mark = context.form.get("person", ""), context.form.get("mark", "")
    try:
        scope = Scope(context.form.get("scope", Scope.FINDING))
    except ValueError:
        raise HTTPException(400) from None
    if scope is Scope.PERSON and not context.user.may("officer"):
        raise HTTPException(403)
    rules = {f["rule"] for f in row["why"]["findings"] if f["person"] == person}
    touched = context.services.reviews(context.user.name).false_positive(
        row["id"],
        person,
        mark,
        context.reason(),
        expires_at=until(context),
        rules=sorted(rules),
        scope=scope,
    )
    files = "1 file" if touched == 1 else f"{touched:,} files"
    context.say(f"Marked as a false positive in {files}, until {context.form['until']}.")
    return context.back(f"/files/{row['id']}")


def accept(context: RequestContext) -> Response:
    row = found(context)
    context.services.reviews(context.user.name).accept(
        row["id"], context.reason(), expires_at=until(context)
    )
    context.say(f"Accepted until {context.form['until']}, or until the file changes.")
    return context.back(f"/files/{row['id']}")


def reopen(context: RequestContext) -> Response:
    row = found(context)
    context.services.reviews(context.user.name).reopen(row["id"], context.reason())
    context.say("Open again.")
    return context.back(f"/files/{row['id']}")


def withdraw(context: RequestContext) -> Response:
    number = row_number(str(context.request.path_params["id"]))
    context.services.reviews(context.user.name).withdraw(number, context.reason())
    context.say("Withdrawn. What it covered counts again.")
    return context.back("/review/suppressions")


ROUTES = (
    page("/review", queue),
    page("/review/suppressions", suppressions),
    page("/review/rules", rules),
    page("/files/{id}/confirm", confirm, role="reviewer", changes=True),
    page("/files/{id}/false-positive", false_positive, role="reviewer", changes=True),
    page("/files/{id}/reopen", reopen, role="reviewer", changes=True),
    page("/files/{id}/accept", accept, role="officer", changes=True),
    page("/review/suppressions/{id}/withdraw", withdraw, role="officer", changes=True),
)
