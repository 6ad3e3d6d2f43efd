"""The first page, and the page of unread files.

In: summaries and gaps of the catalogue.  Out: funnel, trend, ten worst folders, worst files; gaps
by reason with the files behind each.
"""

from __future__ import annotations

from dataclasses import replace

from starlette.responses import Response

from dlp.console.chart_views import funnel, trend_picture
from dlp.console.listing_query import read_listing
from dlp.console.pages.rankings import FILE_CSV, every_row, file_listing, file_row, paging
from dlp.console.render import as_csv, day, html
from dlp.console.request_context import RequestContext, page
from dlp.report.words_and_masks import GAPS
from dlp.store import queries

TOP = 10
WORST_FILES = 5


def overview(context: RequestContext) -> Response:
    engine, profile = context.services.engine, context.services.settings.measure.profile
    stock = queries.stock(engine)
    days = queries.trend(engine)
    if days and days[-1][0] < (today := day(context.services.clock())):
        days.append((today, days[-1][1]))  # what was true then is true now
    if context.query.get("format") == "csv":
        names = ("day", "impossible", "possible", "probable", "phi")
        rows = ({"day": d, **{n: held.get(n, 0) for n in names[1:]}} for d, held in days)
        return as_csv("trend", names, rows)
    worst = read_listing("/folders", {}, queries.FOLDER_SORTS, profile, limit=TOP)
    files = read_listing(
        "/files", {}, queries.FILE_SORTS, profile,
        limit=WORST_FILES, containers=("phi",), review="open",
    )  # fmt: skip
    total = sum(stock.values())
    unread = queries.unread(engine)
    folders = queries.folder_page(engine, worst.asked).rows
    return html(
        context,
        "overview.html",
        stock=stock,
        total=total,
        unread=unread,
        read_share=(total - unread) / total if total else 0.0,
        people=queries.exposed(engine),
        backlog=queries.backlog(engine),
        quarantined=context.services.keeping.journal.counts().get("done", 0),
        stopped=context.services.keeping.journal.stopped(),
        funnel=funnel(stock),
        trend=trend_picture(days),
        folders=folders,
        most_risk=max((row["risk"] for row in folders), default=0.0),
        files=queries.file_page(engine, files.asked).rows,
        checked=context.services.checked,
    )


def coverage(context: RequestContext) -> Response:
    engine = context.services.engine
    listing = file_listing(context, "/coverage")
    if not listing.asked.gap:
        listing = replace(listing, asked=replace(listing.asked, gap="any"))
    if context.query.get("format") == "csv":
        rows = every_row(queries.file_page, engine, listing)
        return as_csv("coverage", FILE_CSV, (file_row(context, row) for row in rows))
    counts = sorted(queries.gaps(engine).items(), key=lambda pair: -pair[1])
    found = queries.file_page(engine, listing.asked)
    total, unread = sum(queries.stock(engine).values()), queries.unread(engine)
    return html(
        context, "coverage.html", listing=listing, page=found, links=paging(listing, found),
        counts=counts, reasons=GAPS, total=total, unread=unread,
        most=max((number for _, number in counts), default=0),
    )  # fmt: skip


ROUTES = (
    page("/", overview),
    page("/coverage", coverage),
)
