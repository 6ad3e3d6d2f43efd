"""The rankings of folders, files and people with filters, pages and CSV; the page of one person.

In: query parameters, or a pseudonym.  Out: a table, or all of its rows as CSV.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from sqlalchemy import Engine, select
from starlette.exceptions import HTTPException
from starlette.responses import Response

from dlp.console.listing_query import Listing, read_listing, write_cursor
from dlp.console.render import as_csv, html, iso, plain
from dlp.console.request_context import RequestContext, page
from dlp.console.verdict_explanation import tree_of
from dlp.knowledge.concept_lookup import known_meanings
from dlp.knowledge.sensitivity import CATEGORIES
from dlp.report.ranking import known_level
from dlp.store import queries
from dlp.store.queries import Asked, Cursor, Page
from dlp.store.schema import folders as folder_table
from dlp.store.schema import topics

COLUMNS = {"judged": "judged_at", "size": "size_bytes"}  # where a sort's name is not the column's
FILE_CSV = ("id", "level", "risk", "privacy", "identifiability", "sensitivity", "people",
            "container", "review", "path", "reason", "unread", "media_type", "size_bytes", "judged",
            "exposure", "readers", "owner", "modified", "opened")  # fmt: skip
FOLDER_CSV = ("level", "risk", "harm", "privacy", "people", "phi", "files", "unread", "path")
PERSON_CSV = (
    "name",
    "level",
    "risk",
    "privacy",
    "identifiability",
    "sensitivity",
    "files",
    "alone",
)

PSEUDONYM = re.compile(r"P-[0-9A-F-]{1,28}\Z")
PERSON_FILE_CSV = ("id", "path", "privacy_of_person", "identifiability", "sensitivity", "container")


def files(context: RequestContext) -> Response:
    listing = file_listing(context)
    engine = context.services.engine
    if context.query.get("format") == "csv":
        rows = every_row(queries.file_page, engine, listing)
        return as_csv("files", FILE_CSV, (file_row(context, row) for row in rows))
    found, total = queries.listed(engine, listing.asked)
    return html(
        context, "files.html", listing=listing, page=found, links=paging(listing, found),
        total=total, folder=folder_of(context),
        categories=sorted(CATEGORIES),
    )  # fmt: skip


def file_listing(context: RequestContext, path: str = "/files", **fixed: Any) -> Listing:
    profile = context.services.settings.measure.profile
    listing = read_listing(path, context.query, queries.FILE_SORTS, profile, **fixed)
    folder = folder_of(context)
    asked = replace(
        listing.asked, under=folder["path"] if folder else b"", concepts=concepts_of(context),
        accounts=frozenset(context.services.accounts.users.values()),
        stale_days=context.services.settings.exposure.stale_days,
    )  # fmt: skip
    return replace(listing, asked=asked)


def folder_of(context: RequestContext) -> dict[str, Any] | None:
    """Folders are named by number: an address must not carry a patient's name."""
    number = context.query.get("folder", "")
    if not (number.isascii() and number.isdigit() and len(number) <= 15):
        return None
    with context.services.engine.connect() as connection:
        query = select(folder_table).where(folder_table.c.id == int(number))
        row = connection.execute(query).mappings().first()
    return dict(row) if row else None


def concepts_of(context: RequestContext) -> tuple[str, ...] | None:
    """What a topic stands for: a protected category, or a heading with all below it."""
    topic = context.query.get("topic", "").strip()[:100]
    if not topic:
        return None
    mesh, table = context.services.mesh, context.services.sensitivity
    if topic in CATEGORIES:
        said = ids_in_use(context)
        inferred = context.services.inference
        return tuple(c for c in said if (table.category(c) or inferred.category(c, table)) == topic)
    nodes = [node for meaning in known_meanings(topic)[:1] for node in meaning.nodes]
    below = {one for node in nodes for one in (node, *mesh.descendants(node).tolist())}
    return tuple(mesh.ids[node] for node in sorted(below))[:2000]


def ids_in_use(context: RequestContext) -> list[str]:
    with context.services.engine.connect() as connection:
        return list(connection.scalars(select(topics.c.concept).distinct()))


def file_row(context: RequestContext, row: Mapping[str, Any]) -> dict[str, Any]:
    level = known_level(context.services.level(row["risk"], row["privacy"]), row["gaps"])
    return {**row, "level": level,
            "path": plain(row["path"]), "judged": iso(row["judged_at"]),
            "unread": row["gaps"], "owner": context.services.owner_name(row["owner"]),
            "modified": iso(row["modified_at"]), "opened": iso(row["accessed_at"])}  # fmt: skip


def folders(context: RequestContext) -> Response:
    profile = context.services.settings.measure.profile
    listing = read_listing("/folders", context.query, queries.FOLDER_SORTS, profile)
    engine = context.services.engine

    def leveled(row: Mapping[str, Any]) -> dict[str, Any]:
        return {**row, "level": context.services.level(row["risk"], row["privacy"])}

    if context.query.get("format") == "csv":
        rows = every_row(queries.folder_page, engine, listing)
        return as_csv("folders", FOLDER_CSV, map(leveled, rows))
    found = queries.folder_page(engine, listing.asked)
    return html(
        context, "folders.html", listing=listing, page=found, links=paging(listing, found),
        most_risk=max((row["risk"] for row in found.rows), default=0.0),
    )  # fmt: skip


def people(context: RequestContext) -> Response:
    profile = context.services.settings.measure.profile
    listing = read_listing("/people", context.query, queries.PERSON_SORTS, profile)
    engine = context.services.engine
    if context.query.get("format") == "csv":
        rows = every_row(queries.person_page, engine, listing)
        leveled = (
            {**row, "level": context.services.level(row["risk"], row["privacy"])} for row in rows
        )
        return as_csv("people", PERSON_CSV, leveled)
    found = queries.person_page(engine, listing.asked)
    return html(context, "people.html", listing=listing, page=found, links=paging(listing, found),
                total=queries.exposed(engine))  # fmt: skip


def cursor_of(row: Mapping[str, Any], listing: Listing) -> Cursor:
    return Cursor(row[COLUMNS.get(listing.asked.sort, listing.asked.sort)], row["id"])


def every_row(page_of: Callable[[Any, Asked], Page], engine: Engine, listing: Listing) -> Any:
    """Every page of a listing, one after the other; the table may change meanwhile."""
    asked = replace(listing.asked, limit=1000, after=None, before=None)
    while True:
        page = page_of(engine, asked)
        yield from page.rows
        if not page.later:
            return
        asked = replace(asked, after=cursor_of(page.rows[-1], listing))


def paging(listing: Listing, found: Page) -> dict[str, str]:
    column = COLUMNS.get(listing.asked.sort, listing.asked.sort)
    links = {"csv": listing.link(format="csv"), "earlier": "", "later": ""}
    if found.rows and found.earlier:
        links["earlier"] = listing.link(before=write_cursor(found.rows[0], column))
    if found.rows and found.later:
        links["later"] = listing.link(after=write_cursor(found.rows[-1], column))
    return links


def person(context: RequestContext) -> Response:
    name = str(context.request.path_params["name"])
    row = queries.identity(context.services.engine, name) if PSEUDONYM.match(name) else None
    if row is None:
        raise HTTPException(404)
    files = queries.files_of_identity(context.services.engine, name)
    if context.query.get("format") == "csv":
        person_rows = ({**f, "path": plain(f["path"]), "privacy_of_person": f["of_person"],
                 "identifiability": f["p"], "sensitivity": f["s"]} for f in files)  # fmt: skip
        return as_csv("person", PERSON_FILE_CSV, person_rows)
    facts: dict[tuple[str, str], float] = {}
    for one in files:
        for kind, concept, weight in json.loads(one["burden"]):
            facts[kind, concept] = max(facts.get((kind, concept), 0.0), weight)
    burden = [(kind, concept, weight) for (kind, concept), weight in facts.items()]
    together = context.services.weigh().of_weights(burden)
    return html(
        context, "person.html", person=row, files=files, steps=together.steps,
        tree=tree_of(context.services, burden, row["sensitivity"]),
    )  # fmt: skip


ROUTES = (
    page("/files", files),
    page("/folders", folders),
    page("/people", people),
    page("/people/{name}", person),
)
