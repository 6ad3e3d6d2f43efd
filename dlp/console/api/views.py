"""The console's views as JSON, for scripts and other systems.

In: calls.  Out: the same rows the pages show; people only as pseudonyms, findings without values.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from sqlalchemy import select
from starlette.exceptions import HTTPException
from starlette.responses import Response

from dlp.console.api.call import Call, Field
from dlp.console.listing_query import REVIEWS, Listing, read_listing, write_cursor
from dlp.console.pages import decisions, file_detail
from dlp.console.pages.person import NAME
from dlp.console.pages.quarantine import as_row as case_row
from dlp.console.pages.rankings import COLUMNS, file_listing
from dlp.console.request_context import Visit
from dlp.console.verdict_explanation import person_view
from dlp.measure.levels import LEVELS
from dlp.model import Container, GapCode
from dlp.store import queries
from dlp.store.reviews import list_suppressions, precision
from dlp.store.schema import ledger

CURSOR = r"^-?[0-9a-fA-Fx.e+-]*~[0-9]{1,15}$"
ORDER = Field("order", "Direction of the sort.", ("asc", "desc"))
LIMIT = Field("limit", "Rows on a page.", least=1, most=500)
AFTER = Field("after", "The `next` of the page before.", pattern=CURSOR)
LEVEL = Field("level", "Only this level.", LEVELS)
TEXT = Field("q", "Part of the name.")
FILE_PARAMS = (
    Field("sort", "What to sort by.", tuple(queries.FILE_SORTS)), ORDER, LIMIT, AFTER, LEVEL, TEXT,
    Field("container", "Only this container.", tuple(c.value for c in Container)),
    Field("review", "Only this state of review.", REVIEWS),
    Field("gap", "Not read for this reason.", ("any", *(code.value for code in GapCode))),
    Field("topic", "A condition, or a protected group such as hiv."),
    Field("folder", "Number of a folder, with all below it.", least=1, most=10**15 - 1),
)  # fmt: skip
FILE_FIELDS = ("id", "path", "container", "reason", "privacy", "identifiability", "sensitivity",
               "people", "gaps", "media_type", "size_bytes", "judged_at", "review",
               "review_until")  # fmt: skip
DECIDE = {"confirm": decisions.confirm, "accept": decisions.accept, "reopen": decisions.reopen,
          "false positive": decisions.false_positive}  # fmt: skip


def overview(visit: Visit) -> Any:
    engine, checked = visit.desk.engine, visit.desk.checked
    return {
        "containers": {c.value: queries.stock(engine).get(c.value, 0) for c in Container},
        "unread": queries.unread(engine),
        "people": queries.exposed(engine),
        "review": {state: queries.backlog(engine).get(state, 0) for state in REVIEWS},
        "quarantined": visit.desk.keeping.journal.counts().get("done", 0),
        "ledger_whole": None if checked is None else not checked.faults,
        "trend": [{"day": day, **held} for day, held in queries.trend(engine)],
    }


def files(visit: Visit) -> Any:
    listing = limited(visit, file_listing(visit))
    page, total = queries.listed(visit.desk.engine, listing.asked)
    return rows_of(listing, page, lambda row: file_row(visit, row)) | {"total": total}


def file_row(visit: Visit, row: Mapping[str, Any]) -> dict[str, Any]:
    level = visit.desk.level(row["privacy"], row["people"])
    return {name: row[name] for name in FILE_FIELDS} | {"level": level}


def limited(visit: Visit, listing: Listing) -> Listing:
    limit = int(visit.query.get("limit", "50"))
    return replace(listing, asked=replace(listing.asked, limit=limit))


def rows_of(listing: Listing, page: queries.Page, each: Callable[[Any], Any]) -> dict[str, Any]:
    column = COLUMNS.get(listing.asked.sort, listing.asked.sort)
    following = write_cursor(page.rows[-1], column) if page.rows and page.later else None
    return {"rows": [each(row) for row in page.rows], "next": following}


def file(visit: Visit) -> Any:
    row = file_detail.found(visit)
    why = row["why"]
    people = []
    for person in row["persons"][: file_detail.SHOWN_PEOPLE]:
        seen = person_view(visit.desk, person, why)
        people.append({
            "person": seen["pseudonym"], "id": seen["person"], "privacy": seen["privacy"],
            "identifiability": seen["identifiability"], "sensitivity": seen["sensitivity"],
            "how_identifying": [*seen["crowd"], seen["p_line"]], "how_sensitive": seen["s_line"],
            "concepts": [visit.desk.concept_name(fact[1]) for fact in seen["burden"]],
            "marks": seen["marks"], "suppressed_until": seen["suppressed_until"],
        })  # fmt: skip
    return file_row(visit, row) | {
        "trail": why["trail"],
        "findings": why["findings"],
        "not_read": [{"code": code, "where": where} for code, where in why["gaps"]],
        "persons": people,
        "history": [{name: h[name] for name in ("at", "container", "privacy", "people")}
                    for h in row["history"]],
    }  # fmt: skip


def decision(visit: Visit) -> Any:
    chosen = visit.form["decision"]
    if chosen == "accept" and not visit.user.may("officer"):
        raise HTTPException(403)
    DECIDE[chosen](visit)
    visit.session.said = ""
    return file(visit)


def folders(visit: Visit) -> Any:
    profile = visit.desk.settings.measure.profile
    listing = limited(visit, read_listing("", visit.query, queries.FOLDER_SORTS, profile))
    page = queries.folder_page(visit.desk.engine, listing.asked)

    def each(row: Mapping[str, Any]) -> dict[str, Any]:
        kept = {name: row[name] for name in row if name != "stale"}
        return kept | {"level": visit.desk.level(row["privacy"], row["people"])}

    return rows_of(listing, page, each)


def people(visit: Visit) -> Any:
    profile = visit.desk.settings.measure.profile
    listing = limited(visit, read_listing("", visit.query, queries.PERSON_SORTS, profile))
    page = queries.person_page(visit.desk.engine, listing.asked)
    return rows_of(listing, page, lambda row: person_row(visit, row))


def person_row(visit: Visit, row: Mapping[str, Any]) -> dict[str, Any]:
    return {**row, "level": visit.desk.level(row["privacy"])}


def person(visit: Visit) -> Any:
    name = str(visit.request.path_params["name"])
    row = queries.identity(visit.desk.engine, name) if NAME.match(name) else None
    if row is None:
        raise HTTPException(404)
    found = queries.files_of_identity(visit.desk.engine, name)
    return person_row(visit, row) | {"in_files": [file_row(visit, one) for one in found]}


def quarantine(visit: Visit) -> Any:
    return {"rows": [case_row(one) for one in visit.desk.keeping.journal.items()]}


def coverage(visit: Visit) -> Any:
    counts = queries.gaps(visit.desk.engine)
    return {"unread": queries.unread(visit.desk.engine), "reasons": counts}


def suppressions(visit: Visit) -> Any:
    return {"rows": list_suppressions(visit.desk.engine)}


def rules(visit: Visit) -> Any:
    return {"rows": precision(visit.desk.engine)}


def records(visit: Visit) -> Any:
    limit = int(visit.query.get("limit", "50"))
    query = select(ledger).order_by(ledger.c.number.desc()).limit(limit)
    if "before" in visit.query:
        query = query.where(ledger.c.number < int(visit.query["before"]))
    with visit.desk.engine.connect() as connection:
        return {"rows": [dict(row) for row in connection.execute(query).mappings()]}


def sign_out(visit: Visit) -> Response:
    visit.desk.sessions.end(visit.token)
    return Response(status_code=204)


FOUND = (400, 401, 403, 404, 429)
CALLS = (
    Call("/overview", "Counts, trend, what waits.", overview, "Overview"),
    Call("/files", "Files by risk.", files, "Files", params=FILE_PARAMS),
    Call("/files/{id}", "Why a file got its verdict.", file, "File", errors=FOUND),
    Call(
        "/files/{id}/decisions", "Confirm, accept, reopen, or call a person a false positive.",
        decision, "File", method="POST", role="reviewer", errors=(*FOUND, 409, 415),
        body=(
            Field("decision", "What is decided.", tuple(DECIDE), required=True),
            Field("why", "The reason; goes to the ledger.", required=True),
            Field("until", "Day on which it ends: accept and false positive."),
            Field("person", "Id of the person: false positive."),
            Field("mark", "A mark of that person: false positive."),
        ),
    ),
    Call("/folders", "Folders by harm.", folders, "Folders", params=(
        Field("sort", "What to sort by.", tuple(queries.FOLDER_SORTS)), ORDER, LIMIT, AFTER, LEVEL,
        TEXT)),
    Call("/people", "People by risk, as pseudonyms.", people, "People", params=(
        Field("sort", "What to sort by.", tuple(queries.PERSON_SORTS)),
        ORDER, LIMIT, AFTER, LEVEL)),
    Call("/people/{name}", "One pseudonym and its files.", person, "Person", errors=FOUND),
    Call("/quarantine", "Cases of the vault.", quarantine, "Rows"),
    Call("/coverage", "What was not read, and why.", coverage, "Coverage"),
    Call("/suppressions", "What people called harmless.", suppressions, "Rows"),
    Call("/rules", "How far rules can be trusted.", rules, "Rows"),
    Call("/ledger", "Records, the latest first.", records, "Rows", params=(
        LIMIT, Field("before", "Only records before this number.", least=1, most=10**15 - 1))),
    Call("/session", "Sign out.", sign_out, "", method="DELETE", status=204),
)  # fmt: skip
