"""One call of the JSON API: who asks, with which checked parameters, and what is answered.

In: a request with a bearer token.  Out: JSON. No cookie opens the API, so no form reaches it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from dlp.console.render import shown
from dlp.console.request_context import Visit, visitor
from dlp.console.services import Desk

LONGEST = 200
PREFIX = "/api/v1"
Handler = Callable[[Visit], Any]


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
            visit = await self._visit(request)
            answer = await run_in_threadpool(self.handler, visit)
            if isinstance(answer, Response):
                return answer
            return JSONResponse(presentable(answer), self.status)

        return Route(PREFIX + self.path, endpoint, methods=[self.method])

    async def _visit(self, request: Request) -> Visit:
        desk: Desk = request.app.state.desk
        kind, _, token = request.headers.get("authorization", "").partition(" ")
        visit = visitor(request, desk, token) if kind.lower() == "bearer" and token else None
        if visit is None:
            raise HTTPException(401, headers={"www-authenticate": "Bearer"})
        if not visit.user.may(self.role):
            raise HTTPException(403)
        check_params(request, self.params)
        if self.body:
            visit.form = await read_json(request, self.body)
        return visit


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


def presentable(value: Any) -> Any:
    """Plain JSON: names as text without tricks, numbers that JSON knows."""
    if isinstance(value, bytes):
        return shown(value)
    if isinstance(value, Mapping):
        return {str(key): presentable(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [presentable(one) for one in value]
    return value
