"""The first page: how bad it is, where, and what waits for a person.

In: sums of the store.  Out: the funnel, the trend, the ten worst folders, the worst files.
"""

from __future__ import annotations

from starlette.responses import Response

from dlp.console.chart_views import funnel, trend_picture
from dlp.console.listing_query import read_listing
from dlp.console.render import as_csv, day, html
from dlp.console.request_context import Visit, page
from dlp.store import queries

TOP = 10
WORST_FILES = 5


def overview(visit: Visit) -> Response:
    engine, profile = visit.desk.engine, visit.desk.settings.measure.profile
    stock = queries.stock(engine)
    days = queries.trend(engine)
    if days and days[-1][0] < (today := day(visit.desk.clock())):
        days.append((today, days[-1][1]))  # what was true then is true now
    if visit.query.get("format") == "csv":
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
        visit,
        "overview.html",
        stock=stock,
        total=total,
        unread=unread,
        read_share=(total - unread) / total if total else 0.0,
        people=queries.exposed(engine),
        backlog=queries.backlog(engine),
        quarantined=visit.desk.keeping.journal.counts().get("done", 0),
        stopped=visit.desk.keeping.journal.stopped(),
        funnel=funnel(stock),
        trend=trend_picture(days),
        folders=folders,
        most_harm=max((row["harm"] for row in folders), default=0.0),
        files=queries.file_page(engine, files.asked).rows,
        checked=visit.desk.checked,
    )


ROUTES = (page("/", overview),)
