"""One request by somebody known: who asks, what for, what they sent.

In: a Starlette request.  Out: a RequestContext for a page's function, or a refusal.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from dlp.console.services import Services, spent
from dlp.console.sessions import Session
from dlp.store.users import User

CASE = re.compile("[0-9a-f]{8,32}")  # the item of a notice

COOKIE = "dlp_session"
SECURE_COOKIE = "__Host-dlp_session"  # a neighbour's page on another port cannot set it
FORM = "application/x-www-form-urlencoded"
MOST_FIELDS = 50
MOST_REASON = 500


@dataclass(slots=True)
class RequestContext:
    request: Request
    services: Services
    user: User
    session: Session
    token: str
    form: Mapping[str, str] = field(default_factory=dict)

    @property
    def query(self) -> Mapping[str, str]:
        return self.request.query_params

    @property
    def form_token(self) -> str:
        return self.services.sessions.form_token(self.token)

    def number(self, name: str = "id") -> int:
        """A row's number from the address; anything else is 404."""
        return row_number(str(self.request.path_params[name]))

    def say(self, text: str) -> None:
        self.session.said = text

    def back(self, where: str) -> Response:
        """After a change: to a page of ours, never to an address that was sent."""
        return RedirectResponse(where, 303)

    def reason(self) -> str:
        """The reason given in a form, as one line for the ledger; 400 without one."""
        text = " ".join(self.form.get("why", "").split())[:MOST_REASON]
        if len(text) < 3:
            raise HTTPException(400)
        return "".join(char if char.isprintable() else "?" for char in text)


Handler = Callable[[RequestContext], Response]


def row_number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 15):
        raise HTTPException(404)
    return int(text)


def page(path: str, handler: Handler, *, role: str = "viewer", changes: bool = False) -> Route:
    """A page for a role. A change is a POST with the form's token, anything else a GET."""

    async def endpoint(request: Request) -> Response:
        services: Services = request.app.state.services
        context = visitor(request, services)
        if context is None:
            case = request.url.path.removeprefix("/cases/")  # where the link of a notice leads
            known = CASE.fullmatch(case)
            return RedirectResponse(f"/sign-in?case={case}" if known else "/sign-in", 303)
        if not context.user.may(role):
            raise HTTPException(403)
        if changes:
            context.form = await read_form(request)
            if not services.sessions.form_fits(context.token, context.form.get("token", "")):
                raise HTTPException(403, "that form was not ours, or too old")
        return await run_in_threadpool(timed, handler, context)

    return Route(path, endpoint, methods=["POST"] if changes else ["GET"])


def timed(handler: Handler, context: RequestContext) -> Response:
    began = time.thread_time()
    try:
        return handler(context)
    finally:
        if (now := spent.get()) is not None:
            now.processor += time.thread_time() - began


def visitor(request: Request, services: Services, token: str = "") -> RequestContext | None:
    """The user of this token, unless disabled or signed out."""
    token = token or request.cookies.get(cookie_name(services), "")
    session = services.sessions.get(token) if token else None
    if session is None:
        return None
    user = services.users.get(session.user)
    if user is None or user.disabled or user.changed_at > session.began:
        services.sessions.end(token)  # a new role or password needs a new sign-in
        return None
    if not services.sessions.within_rate(session):
        raise HTTPException(429)
    if (now := spent.get()) is not None:
        now.signed_in = True
    return RequestContext(request, services, user, session, token)


def cookie_name(services: Services) -> str:
    return SECURE_COOKIE if services.tls else COOKIE


async def read_form(request: Request) -> dict[str, str]:
    """Plain fields, each once; no page takes files."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != FORM:
        raise HTTPException(415)
    body = await request.body()
    try:
        pairs = parse_qsl(body.decode("ascii"), keep_blank_values=True, max_num_fields=MOST_FIELDS)
    except ValueError:
        raise HTTPException(400) from None
    form: dict[str, str] = {}
    for name, value in pairs:
        if name in form:  # the one that is checked may not be the one that is used
            raise HTTPException(400)
        form[name] = value
    return form


def set_cookie(answer: Response, services: Services, token: str, **more: Any) -> None:
    answer.set_cookie(
        cookie_name(services), token, httponly=True, samesite="strict", secure=services.tls,
        path="/", **more,
    )  # fmt: skip
