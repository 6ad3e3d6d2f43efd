"""The console as one ASGI application: pages, request checks, error messages.

In: Services.  Out: an application for uvicorn.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from dlp.console import json_api
from dlp.console.pages import (
    accounts,
    breach,
    exposure,
    file_detail,
    find,
    ledger,
    overview,
    policy,
    quarantine,
    rankings,
    review,
    sensitivity,
)
from dlp.console.render import plain_html
from dlp.console.services import Services, Spent, spent
from dlp.errors import DlpError

# What every request must pass and every answer must carry, before any page is asked.

METHODS = frozenset({"GET", "HEAD", "POST", "DELETE"})
CHANGES = frozenset({"POST", "DELETE"})
MOST_BODY = 64 * 1024
MOST_HEADERS = 32 * 1024
MOST_PATH = 2048
MOST_QUERY = 4096
POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; "
    "connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-frame-options": "DENY",
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",  # "no-referrer" would make browsers call our own forms null
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "x-robots-tag": "noindex",
}


class Guard:
    def __init__(self, app: ASGIApp, *, hosts: Iterable[str], tls: bool = False) -> None:
        self._app = app
        self._hosts = frozenset(host.lower() for host in hosts)
        self._tls = tls

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":  # no page speaks over a web socket
            await send({"type": "websocket.close", "code": 1008})
            return
        began = Spent(time.perf_counter())
        mark = spent.set(began)
        dressed = self._dress(scope, send, began)
        try:
            refusal = self._refusal(scope)
            if refusal is not None:
                await refusal(scope, receive, dressed)
            else:
                with suppress(ClientDisconnect):  # nobody is left to answer
                    await self._app(scope, limited(receive), dressed)
        finally:
            spent.reset(mark)

    def _refusal(self, scope: Scope) -> PlainTextResponse | None:
        headers = Headers(scope=scope)
        named = headers.getlist("host")
        if len(named) != 1 or host_of(named[0]) not in self._hosts:
            # A name that an attacker's DNS points at us must not speak for a signed-in browser.
            return PlainTextResponse("this console does not answer under that name\n", 421)
        if scope["method"] not in METHODS:
            return PlainTextResponse("no such method\n", 405, {"allow": ", ".join(sorted(METHODS))})
        if sum(len(name) + len(value) for name, value in scope["headers"]) > MOST_HEADERS:
            return PlainTextResponse("too many headers\n", 431)
        if len(scope["raw_path"]) > MOST_PATH or len(scope["query_string"]) > MOST_QUERY:
            return PlainTextResponse("too long\n", 414)
        if any(ord(char) < 32 or char in "\\\x7f" for char in scope["path"]):
            return PlainTextResponse("no such page\n", 404)
        if "transfer-encoding" in headers and "content-length" in headers:
            # a proxy before us may believe the other one of the two, and see another request
            return PlainTextResponse("two lengths\n", 400, {"connection": "close"})
        length = headers.get("content-length", "0")
        if not length.isascii() or not length.isdigit() or int(length) > MOST_BODY:
            return PlainTextResponse("too large\n", 413)
        if scope["method"] in CHANGES and not same_origin(headers, named[0]):
            return PlainTextResponse("that form was not ours\n", 403)
        return None

    def _dress(self, scope: Scope, send: Send, began: Spent) -> Send:
        async def dressed(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
                if not scope["path"].startswith("/static/"):
                    headers["cache-control"] = "no-store"
                if self._tls:
                    headers["strict-transport-security"] = "max-age=31536000"
                if began.signed_in:
                    headers["server-timing"] = began.line()
            await send(message)

        return dressed


def host_of(header: str) -> str:
    """The name alone, without its port; anything odd is no name of ours."""
    name = header.strip().lower()
    if name.startswith("["):
        return name.partition("]")[0] + "]"
    return name.partition(":")[0]


def same_origin(headers: Headers, host: str) -> bool:
    """Browsers say where a form came from; scripts that say nothing must know the form's token."""
    site = headers.get("sec-fetch-site", "same-origin")
    if site not in {"same-origin", "none"}:
        return False
    origin = headers.get("origin")
    return origin is None or origin.lower() in {f"http://{host.lower()}", f"https://{host.lower()}"}


def limited(receive: Receive) -> Receive:
    taken = 0

    async def counted() -> Message:
        nonlocal taken
        message = await receive()
        taken += len(message.get("body", b""))
        if taken > MOST_BODY:
            raise HTTPException(413)
        return message

    return counted


STATIC = Path(__file__).parent / "static"
PAGES = (
    accounts, overview, rankings, exposure, breach, find, policy, file_detail, review, quarantine,
    sensitivity, ledger, json_api,
)  # fmt: skip
WORDS = {
    400: "That request makes no sense.", 401: "Sign in first.",
    403: "Your role does not allow that.",
    404: "There is no such page.", 405: "That page does not work that way.",
    413: "That is too large.",
    415: "That is not a form of ours.", 429: "Too many requests. Wait a minute.",
    500: "Something went wrong here. It has been noted; nothing was changed.",
}  # fmt: skip


def application(services: Services, hosts: Iterable[str]) -> ASGIApp:
    routes = [route for module in PAGES for route in module.ROUTES]
    routes.append(Mount("/static", StaticFiles(directory=STATIC)))
    app = Starlette(
        routes=routes,
        exception_handlers={HTTPException: refused, DlpError: troubled, 500: broken},
    )
    app.state.services = services
    return Guard(app, hosts=hosts, tls=services.tls)  # outermost: our own errors pass it too


async def refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    words = WORDS.get(error.status_code, "That does not work.")
    if request.url.path.startswith("/api/") and error.status_code == 400:
        words = error.detail or words
    return error_answer(request, error.status_code, words, headers=dict(error.headers or {}))


async def troubled(request: Request, error: Exception) -> Response:
    """An error of ours says what to do; where it happened is for the log of the server."""
    assert isinstance(error, DlpError)
    return error_answer(request, 409, f"{error.what}. {error.fix}".strip())


async def broken(request: Request, _: Exception) -> Response:
    return error_answer(request, 500, WORDS[500])


def error_answer(
    request: Request, status: int, words: str, headers: dict[str, str] | None = None
) -> Response:
    if request.url.path.startswith("/api/"):
        answer: Response = JSONResponse({"error": words}, status)
    else:
        answer = plain_html("error.html", status=status, words=words, number=status)
    for name, value in (headers or {}).items():
        answer.headers[name] = value
    return answer
