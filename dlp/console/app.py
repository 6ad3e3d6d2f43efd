"""The console as one ASGI application: its pages, its guard, its words for errors.

In: an opened desk.  Out: an application for uvicorn.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from dlp.console.api import document
from dlp.console.desk import Desk
from dlp.console.guard import Guard
from dlp.console.pages import (
    coverage,
    decide,
    evidence,
    ledger,
    one_file,
    overview,
    person,
    quarantine,
    rankings,
    reveal,
    review,
    sanitise,
    sensitivity,
    sign_in,
    users,
)
from dlp.console.render import plain_html
from dlp.errors import DlpError

STATIC = Path(__file__).parent / "static"
ROOMS = (
    sign_in, overview, rankings, one_file, decide, review, quarantine, reveal, sanitise, person,
    sensitivity, coverage, ledger, evidence, users, document,
)  # fmt: skip
WORDS = {
    400: "That request makes no sense.", 401: "Sign in first.",
    403: "Your role does not allow that.",
    404: "There is no such page.", 405: "That page does not work that way.",
    413: "That is too large.",
    415: "That is not a form of ours.", 429: "Too many requests. Wait a minute.",
    500: "Something went wrong here. It has been noted; nothing was changed.",
}  # fmt: skip


def application(desk: Desk, hosts: Iterable[str]) -> ASGIApp:
    routes = [route for room in ROOMS for route in room.ROUTES]
    routes.append(Mount("/static", StaticFiles(directory=STATIC)))
    app = Starlette(
        routes=routes,
        exception_handlers={HTTPException: refused, DlpError: troubled, 500: broken},
    )
    app.state.desk = desk
    return Guard(app, hosts=hosts, tls=desk.tls)  # outermost: our own errors pass it too


async def refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    words = WORDS.get(error.status_code, "That does not work.")
    if request.url.path.startswith("/api/") and error.status_code == 400:
        words = error.detail or words
    return told(request, error.status_code, words, headers=dict(error.headers or {}))


async def troubled(request: Request, error: Exception) -> Response:
    """An error of ours says what to do; where it happened is for the log of the server."""
    assert isinstance(error, DlpError)
    return told(request, 409, f"{error.what}. {error.fix}".strip())


async def broken(request: Request, _: Exception) -> Response:
    return told(request, 500, WORDS[500])


def told(
    request: Request, status: int, words: str, headers: dict[str, str] | None = None
) -> Response:
    if request.url.path.startswith("/api/"):
        answer: Response = JSONResponse({"error": words}, status)
    else:
        answer = plain_html("error.html", status=status, words=words, number=status)
    for name, value in (headers or {}).items():
        answer.headers[name] = value
    return answer
