"""The OpenAPI document of the JSON API, made from the calls themselves, and signing in to it.

In: the calls.  Out: OpenAPI 3.1; a token for a name and a password.
"""

from __future__ import annotations

from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

import dlp
from dlp.console.api.call import PREFIX, Call, Field, read_json
from dlp.console.api.views import CALLS
from dlp.console.services import Desk
from dlp.console.sessions import IDLE_SECONDS

CREDENTIALS = (
    Field("name", "Who signs in.", required=True),
    Field("password", "Their password.", required=True),
)
NUMBER, INTEGER, TEXT = {"type": "number"}, {"type": "integer"}, {"type": "string"}
LIST: dict[str, Any] = {"type": "array", "items": {"type": "object"}}
WORDS = {
    400: "A parameter is wrong.", 401: "Sign in first.", 403: "The role does not allow it.",
    404: "No such thing.", 409: "Changed meanwhile.", 413: "Too large.", 415: "Not JSON.",
    429: "Too many requests.",
}  # fmt: skip


def thing(**fields: Any) -> dict[str, Any]:
    return {"type": "object", "properties": fields, "required": sorted(fields)}


FILE = {
    "id": INTEGER, "path": TEXT, "container": TEXT, "reason": TEXT, "privacy": NUMBER,
    "identifiability": NUMBER, "sensitivity": NUMBER, "people": INTEGER, "gaps": TEXT,
    "media_type": TEXT, "size_bytes": INTEGER, "judged_at": NUMBER, "review": TEXT,
    "review_until": NUMBER, "level": TEXT,
}  # fmt: skip
PERSON = {"name": TEXT, "level": TEXT, "privacy": NUMBER, "identifiability": NUMBER,
          "sensitivity": NUMBER, "files": INTEGER, "alone": NUMBER}  # fmt: skip
FOLDER = {"id": INTEGER, "path": TEXT, "files": INTEGER, "phi": INTEGER, "unread": INTEGER,
          "people": INTEGER, "harm": NUMBER, "privacy": NUMBER, "level": TEXT}  # fmt: skip
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
    def told(about: str, schema: str) -> dict[str, Any]:
        reference = {"$ref": f"#/components/schemas/{schema}"}
        return {"description": about, "content": {"application/json": {"schema": reference}}}

    good = told("As asked.", name) if name else {"description": "Done."}
    return {str(status): good} | {str(code): told(WORDS[code], "Error") for code in errors}


async def show(_: Request) -> Response:
    return JSONResponse(document())


async def sign_in(request: Request) -> Response:
    desk: Desk = request.app.state.desk
    sent = await read_json(request, CREDENTIALS)
    return await run_in_threadpool(checked, request, desk, sent["name"], sent["password"])


def checked(request: Request, desk: Desk, name: str, password: str) -> Response:
    address = request.client.host if request.client else ""
    name = name.strip().lower()
    if wait := desk.throttle.wait_seconds(name, address):
        headers = {"retry-after": str(wait)}
        return JSONResponse({"error": "Too many tries."}, 429, headers)
    user = desk.users.checked(name, password)
    if user is None:
        desk.throttle.failed(name, address)
        headers = {"www-authenticate": "Bearer"}
        return JSONResponse({"error": "Name and password do not match."}, 401, headers)
    desk.throttle.succeeded(name, address)
    token = desk.sessions.begin(user.name)
    desk.note(user.name, "signed in to the API", why=user.role)
    answer = {"token": token, "role": user.role, "idle_seconds": IDLE_SECONDS}
    return JSONResponse(answer, 201)


ROUTES = (
    Route(f"{PREFIX}/openapi.json", show, methods=["GET"]),
    Route(f"{PREFIX}/session", sign_in, methods=["POST"]),
    *(call.route() for call in CALLS),
)
