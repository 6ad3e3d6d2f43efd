"""The JSON API: sign-in, calls with checked parameters, and their OpenAPI document.

In: a request with a bearer token.  Out: the rows the pages show, people only as pseudonyms,
findings without values; OpenAPI 3.1. Cookies are not accepted, so no form reaches it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from sqlalchemy import select
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

import dlp
from dlp.access import REACHES
from dlp.console.listing_query import REVIEWS, Listing, read_listing, write_cursor
from dlp.console.pages import file_detail, review
from dlp.console.pages.quarantine import as_row as case_row
from dlp.console.pages.rankings import COLUMNS, PSEUDONYM, file_listing
from dlp.console.render import shown
from dlp.console.request_context import RequestContext, visitor
from dlp.console.services import Services
from dlp.console.sessions import IDLE_SECONDS
from dlp.console.verdict_explanation import person_view
from dlp.model import LEVELS, Container, GapCode
from dlp.store import queries
from dlp.store.exposed_files import VIEWS
from dlp.store.reviews import list_suppressions, precision
from dlp.store.schema import ledger
from dlp.store.users import User

CURSOR = r"^-?[0-9a-fA-Fx.e+-]*~[0-9]{1,15}$"
DECIDE = {"confirm": review.confirm, "accept": review.accept, "reopen": review.reopen,
          "false positive": review.false_positive}  # fmt: skip

LONGEST = 200
PREFIX = "/api/v1"
Handler = Callable[[RequestContext], Any]
NUMBER, INTEGER, TEXT = {"type": "number"}, {"type": "integer"}, {"type": "string"}
LIST: dict[str, Any] = {"type": "array", "items": {"type": "object"}}
WORDS = {
    400: "A parameter is wrong.", 401: "Sign in first.", 403: "The role does not allow it.",
    404: "No such thing.", 409: "Changed meanwhile.", 413: "Too large.", 415: "Not JSON.",
    429: "Too many requests.",
}  # fmt: skip


def overview(context: RequestContext) -> Any:
    engine, checked = context.services.engine, context.services.checked
    return {
        "containers": {c.value: queries.stock(engine).get(c.value, 0) for c in Container},
        "unread": queries.unread(engine),
        "people": queries.exposed(engine),
        "review": {state: queries.backlog(engine).get(state, 0) for state in REVIEWS},
        "quarantined": context.services.keeping.journal.counts().get("done", 0),
        "ledger_whole": None if checked is None else not checked.faults,
        "trend": [{"day": day, **held} for day, held in queries.trend(engine)],
    }


def files(context: RequestContext) -> Any:
    listing = limited(context, file_listing(context))
    page, total = queries.listed(context.services.engine, listing.asked)
    return rows_of(listing, page, lambda row: file_row(context, row)) | {"total": total}


def file_row(context: RequestContext, row: Mapping[str, Any]) -> dict[str, Any]:
    level = context.services.level(row["risk"], row["privacy"])
    return {name: row[name] for name in FILE if name != "level"} | {"level": level}


def limited(context: RequestContext, listing: Listing) -> Listing:
    limit = int(context.query.get("limit", "50"))
    return replace(listing, asked=replace(listing.asked, limit=limit))


def rows_of(listing: Listing, page: queries.Page, each: Callable[[Any], Any]) -> dict[str, Any]:
    column = COLUMNS.get(listing.asked.sort, listing.asked.sort)
    following = write_cursor(page.rows[-1], column) if page.rows and page.later else None
    return {"rows": [each(row) for row in page.rows], "next": following}


def file(context: RequestContext) -> Any:
    row = file_detail.found(context)
    why = row["why"]
    people = []
    for person in row["persons"][: file_detail.SHOWN_PEOPLE]:
        seen = person_view(context.services, person, why)
        people.append({
            "person": seen["pseudonym"], "id": seen["person"], "privacy": seen["privacy"],
            "identifiability": seen["identifiability"], "sensitivity": seen["sensitivity"],
            "how_identifying": [*seen["crowd"], seen["p_line"]], "how_sensitive": seen["s_line"],
            "concepts": [context.services.concept_name(fact[1]) for fact in seen["burden"]],
            "marks": seen["marks"], "suppressed_until": seen["suppressed_until"],
        })  # fmt: skip
    return file_row(context, row) | {
        "trail": why["trail"],
        "findings": why["findings"],
        "not_read": [{"code": code, "where": where} for code, where in why["gaps"]],
        "persons": people,
        "history": [{name: h[name] for name in ("at", "container", "privacy", "people")}
                    for h in row["history"]],
    }  # fmt: skip


def decision(context: RequestContext) -> Any:
    chosen = context.form["decision"]
    if chosen == "accept" and not context.user.may("officer"):
        raise HTTPException(403)
    DECIDE[chosen](context)
    context.session.said = ""
    return file(context)


def folders(context: RequestContext) -> Any:
    profile = context.services.settings.measure.profile
    listing = limited(context, read_listing("", context.query, queries.FOLDER_SORTS, profile))
    page = queries.folder_page(context.services.engine, listing.asked)

    def each(row: Mapping[str, Any]) -> dict[str, Any]:
        kept = {name: row[name] for name in FOLDER if name != "level"}
        return kept | {"level": context.services.level(row["risk"], row["privacy"])}

    return rows_of(listing, page, each)


def people(context: RequestContext) -> Any:
    profile = context.services.settings.measure.profile
    listing = limited(context, read_listing("", context.query, queries.PERSON_SORTS, profile))
    page = queries.person_page(context.services.engine, listing.asked)
    return rows_of(listing, page, lambda row: person_row(context, row))


def person_row(context: RequestContext, row: Mapping[str, Any]) -> dict[str, Any]:
    return {**row, "level": context.services.level(row["risk"], row["privacy"])}


def person(context: RequestContext) -> Any:
    name = str(context.request.path_params["name"])
    row = queries.identity(context.services.engine, name) if PSEUDONYM.match(name) else None
    if row is None:
        raise HTTPException(404)
    found = queries.files_of_identity(context.services.engine, name)
    return person_row(context, row) | {"in_files": [file_row(context, one) for one in found]}


def quarantine(context: RequestContext) -> Any:
    return {"rows": [case_row(one) for one in context.services.keeping.journal.items()]}


def coverage(context: RequestContext) -> Any:
    counts = queries.gaps(context.services.engine)
    return {"unread": queries.unread(context.services.engine), "reasons": counts}


def suppressions(context: RequestContext) -> Any:
    return {"rows": list_suppressions(context.services.engine)}


def rules(context: RequestContext) -> Any:
    return {"rows": precision(context.services.engine)}


def records(context: RequestContext) -> Any:
    limit = int(context.query.get("limit", "50"))
    query = select(ledger).order_by(ledger.c.number.desc()).limit(limit)
    if "before" in context.query:
        query = query.where(ledger.c.number < int(context.query["before"]))
    with context.services.engine.connect() as connection:
        return {"rows": [dict(row) for row in connection.execute(query).mappings()]}


def sign_out(context: RequestContext) -> Response:
    context.services.sessions.end(context.token)
    return Response(status_code=204)


FOUND = (400, 401, 403, 404, 429)


@dataclass(frozen=True, slots=True)
class Field:
    """A parameter or a field of a body, as the OpenAPI document says it and as it is checked."""

    name: str
    about: str
    choices: tuple[str, ...] = ()
    pattern: str = ""
    required: bool = False
    least: int | None = None
    most: int | None = None

    @property
    def schema(self) -> dict[str, Any]:
        if self.least is not None:
            return {"type": "integer", "minimum": self.least, "maximum": self.most}
        schema: dict[str, Any] = {"type": "string", "maxLength": LONGEST}
        if self.choices:
            return {"type": "string", "enum": list(self.choices)}
        return schema | ({"pattern": self.pattern} if self.pattern else {})

    def check(self, text: Any) -> None:
        if not isinstance(text, str) or len(text) > LONGEST:
            raise HTTPException(400, f"{self.name}: a text of at most {LONGEST} characters")
        if self.choices and text not in self.choices:
            raise HTTPException(400, f"{self.name}: one of {', '.join(self.choices)}")
        if self.least is not None and not in_range(text, self.least, self.most or 0):
            raise HTTPException(400, f"{self.name}: a number from {self.least} to {self.most}")


@dataclass(frozen=True, slots=True)
class Call:
    path: str
    about: str
    handler: Handler
    answer: str  # name of a schema
    method: str = "GET"
    role: str = "viewer"
    params: tuple[Field, ...] = ()
    body: tuple[Field, ...] = ()
    status: int = 200
    errors: tuple[int, ...] = field(default=(400, 401, 403, 429))

    def route(self) -> Route:
        async def endpoint(request: Request) -> Response:
            context = await self._visit(request)
            answer = await run_in_threadpool(self.handler, context)
            if isinstance(answer, Response):
                return answer
            return JSONResponse(presentable(answer), self.status)

        return Route(PREFIX + self.path, endpoint, methods=[self.method])

    async def _visit(self, request: Request) -> RequestContext:
        services: Services = request.app.state.services
        kind, _, token = request.headers.get("authorization", "").partition(" ")
        context = visitor(request, services, token) if kind.lower() == "bearer" and token else None
        if context is None:
            raise HTTPException(401, headers={"www-authenticate": "Bearer"})
        if not context.user.may(self.role):
            raise HTTPException(403)
        check_params(request, self.params)
        if self.body:
            context.form = await read_json(request, self.body)
        return context


def check_params(request: Request, params: tuple[Field, ...]) -> None:
    known = {one.name: one for one in params}
    seen: set[str] = set()
    for name, value in request.query_params.multi_items():
        if name not in known or name in seen:
            raise HTTPException(400, f"no parameter {shown(name)[:40]}, or given twice")
        seen.add(name)
        known[name].check(value)


async def read_json(request: Request, fields: tuple[Field, ...]) -> Mapping[str, str]:
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        raise HTTPException(415)
    try:
        body = json.loads(await request.body())
    except (ValueError, RecursionError):
        raise HTTPException(400, "not JSON") from None
    known = {one.name: one for one in fields}
    if not isinstance(body, dict) or not body.keys() <= known.keys():
        raise HTTPException(400, f"an object with {', '.join(known)}")
    for one in fields:
        if one.name in body:
            one.check(body[one.name])
        elif one.required:
            raise HTTPException(400, f"{one.name} is missing")
    return body


def in_range(text: str, least: int, most: int) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 16 and least <= int(text) <= most


ORDER = Field("order", "Direction of the sort.", ("asc", "desc"))
LIMIT = Field("limit", "Rows on a page.", least=1, most=500)
AFTER = Field("after", "The `next` of the page before.", pattern=CURSOR)
LEVEL = Field("level", "Only this level.", LEVELS)
TEXT_PARAM = Field("q", "Part of the name.")
FILE_PARAMS = (
    Field("sort", "What to sort by.", tuple(queries.FILE_SORTS)),
    ORDER, LIMIT, AFTER, LEVEL, TEXT_PARAM,
    Field("container", "Only this container.", tuple(c.value for c in Container)),
    Field("review", "Only this state of review.", REVIEWS),
    Field("gap", "Not read for this reason.", ("any", *(code.value for code in GapCode))),
    Field("topic", "A condition, or a protected group such as hiv."),
    Field("folder", "Number of a folder, with all below it.", least=1, most=10**15 - 1),
    Field("exposure", "Who can read it.", REACHES),
    Field("view", "Not used for long, or without an owner.", VIEWS),
)  # fmt: skip

CREDENTIALS = (
    Field("name", "Who signs in.", required=True),
    Field("password", "Their password.", required=True),
)


def presentable(value: Any) -> Any:
    """Plain JSON: names as text without tricks, numbers that JSON knows."""
    if isinstance(value, bytes):
        return shown(value)
    if isinstance(value, Mapping):
        return {str(key): presentable(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [presentable(one) for one in value]
    return value


def thing(**fields: Any) -> dict[str, Any]:
    return {"type": "object", "properties": fields, "required": sorted(fields)}


FILE = {
    "id": INTEGER, "path": TEXT, "container": TEXT, "reason": TEXT, "privacy": NUMBER,
    "identifiability": NUMBER, "sensitivity": NUMBER, "people": INTEGER, "gaps": TEXT,
    "media_type": TEXT, "size_bytes": INTEGER, "judged_at": NUMBER, "review": TEXT,
    "review_until": NUMBER, "level": TEXT, "risk": NUMBER, "exposure": TEXT, "readers": INTEGER,
    "owner": INTEGER, "modified_at": NUMBER, "accessed_at": NUMBER,
}  # fmt: skip
PERSON = {"name": TEXT, "level": TEXT, "risk": NUMBER, "privacy": NUMBER, "identifiability": NUMBER,
          "sensitivity": NUMBER, "files": INTEGER, "alone": NUMBER}  # fmt: skip
FOLDER = {"id": INTEGER, "path": TEXT, "files": INTEGER, "phi": INTEGER, "unread": INTEGER,
          "people": INTEGER, "harm": NUMBER, "risk": NUMBER, "privacy": NUMBER,
          "level": TEXT}  # fmt: skip
NEXT = {"type": ["string", "null"], "description": "Give it as `after` for the next page."}


def rows(row: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": thing(**row)}


SCHEMAS = {
    "Overview": thing(
        containers={"type": "object"}, unread=INTEGER, people=INTEGER, review={"type": "object"},
        quarantined=INTEGER, ledger_whole={"type": ["boolean", "null"]}, trend=LIST,
    ),
    "Files": thing(rows=rows(FILE), next=NEXT, total=INTEGER),
    "File": thing(**FILE, trail={"type": "array", "items": TEXT}, findings=LIST, not_read=LIST,
                  persons=LIST, history=LIST),
    "Folders": thing(rows=rows(FOLDER), next=NEXT),
    "People": thing(rows=rows(PERSON), next=NEXT),
    "Person": thing(**PERSON, in_files=rows(FILE)),
    "Coverage": thing(unread=INTEGER, reasons={"type": "object"}),
    "Rows": thing(rows=LIST),
    "Session": thing(token=TEXT, role=TEXT, idle_seconds=NUMBER),
    "Error": thing(error=TEXT),
}  # fmt: skip


def document() -> dict[str, Any]:
    paths: dict[str, dict[str, Any]] = {}
    for call in CALLS:
        paths.setdefault(PREFIX + call.path, {})[call.method.lower()] = operation(call)
    sign_in = {
        "summary": "Sign in.",
        "security": [],
        "requestBody": body_of(CREDENTIALS),
        "responses": responses(201, "Session", (400, 401, 415, 429)),
    }
    paths[f"{PREFIX}/session"]["post"] = sign_in
    bearer = {"type": "http", "scheme": "bearer"}
    return {
        "openapi": "3.1.0",
        "info": {"title": "dlp console", "version": dlp.__version__},
        "paths": paths,
        "components": {"schemas": SCHEMAS, "securitySchemes": {"bearer": bearer}},
        "security": [{"bearer": []}],
    }


PLACES: dict[str, dict[str, Any]] = {
    "id": {"type": "integer", "minimum": 1, "maximum": 10**15 - 1},
    "name": {"type": "string", "pattern": "^P-[0-9A-F-]{1,28}$"},
}


def operation(call: Call) -> dict[str, Any]:
    made: dict[str, Any] = {
        "summary": call.about,
        "description": f"For the role {call.role} and above.",
        "responses": responses(call.status, call.answer, call.errors),
    }
    parameters: list[dict[str, Any]] = [
        {"name": one.name, "in": "query", "description": one.about, "schema": one.schema}
        for one in call.params
    ]
    for name, schema in PLACES.items():
        if f"{{{name}}}" in call.path:
            place = {"name": name, "in": "path", "required": True, "schema": schema}
            parameters.append(place)
    if parameters:
        made["parameters"] = parameters
    if call.body:
        made["requestBody"] = body_of(call.body)
    return made


def body_of(fields: tuple[Field, ...]) -> dict[str, Any]:
    schema = {
        "type": "object",
        "properties": {one.name: one.schema | {"description": one.about} for one in fields},
        "required": [one.name for one in fields if one.required],
        "additionalProperties": False,
    }
    return {"required": True, "content": {"application/json": {"schema": schema}}}


def responses(status: int, name: str, errors: tuple[int, ...]) -> dict[str, Any]:
    def described(about: str, schema: str) -> dict[str, Any]:
        reference = {"$ref": f"#/components/schemas/{schema}"}
        return {"description": about, "content": {"application/json": {"schema": reference}}}

    good = described("As asked.", name) if name else {"description": "Done."}
    return {str(status): good} | {str(code): described(WORDS[code], "Error") for code in errors}


async def show(_: Request) -> Response:
    return JSONResponse(document())


async def sign_in(request: Request) -> Response:
    services: Services = request.app.state.services
    sent = await read_json(request, CREDENTIALS)
    address = request.client.host if request.client else ""
    user = await services.sign_in(sent["name"].strip().lower(), sent["password"], address)
    return await run_in_threadpool(answer_to, services, user)


def answer_to(services: Services, user: User | int | None) -> Response:
    if isinstance(user, int):
        return JSONResponse({"error": "Too many tries."}, 429, {"retry-after": str(user)})
    if user is None:
        headers = {"www-authenticate": "Bearer"}
        return JSONResponse({"error": "Name and password do not match."}, 401, headers)
    token = services.sessions.begin(user.name)
    services.note(user.name, "signed in to the API", why=user.role)
    answer = {"token": token, "role": user.role, "idle_seconds": IDLE_SECONDS}
    return JSONResponse(answer, 201)


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
        TEXT_PARAM)),
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


ROUTES = (
    Route(f"{PREFIX}/openapi.json", show, methods=["GET"]),
    Route(f"{PREFIX}/session", sign_in, methods=["POST"]),
    *(call.route() for call in CALLS),
)
