"""Sign in and out.

In: a name and a password.  Out: a session, or a wait that grows with wrong guesses.
"""

from __future__ import annotations

import secrets

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from dlp.console.render import plain_html
from dlp.console.request_context import Visit, cookie_name, page, read_form, set_cookie, visitor
from dlp.console.services import Desk

BEFORE = "dlp_form"  # ties the sign-in form to the browser it was given to
FORM_SECONDS = 3600


async def form(request: Request) -> Response:
    desk: Desk = request.app.state.desk
    if visitor(request, desk) is not None:
        return RedirectResponse("/", 303)
    return ask(request, desk)


def ask(request: Request, desk: Desk, problem: str = "", status: int = 200) -> Response:
    mark = request.cookies.get(BEFORE) or secrets.token_urlsafe(16)
    token = desk.sessions.form_token(f"sign-in:{mark}")
    answer = plain_html("sign_in.html", status=status, token=token, problem=problem, demo=desk.demo)
    answer.set_cookie(
        BEFORE, mark, max_age=FORM_SECONDS, httponly=True, samesite="strict", secure=desk.tls,
        path="/sign-in",
    )  # fmt: skip
    return answer


async def enter(request: Request) -> Response:
    desk: Desk = request.app.state.desk
    sent = await read_form(request)
    mark = request.cookies.get(BEFORE, "")
    if not mark or not desk.sessions.form_fits(f"sign-in:{mark}", sent.get("token", "")):
        return ask(request, desk, "That form was too old. Please try again.", 403)
    name, password = sent.get("name", "").strip().lower(), sent.get("password", "")
    return await run_in_threadpool(check, request, desk, name, password)


def check(request: Request, desk: Desk, name: str, password: str) -> Response:
    address = request.client.host if request.client else ""
    if wait := desk.throttle.wait_seconds(name, address):
        answer = ask(request, desk, f"Too many tries. Wait {wait // 60 + 1} minutes.", 429)
        answer.headers["retry-after"] = str(wait)
        return answer
    user = desk.users.checked(name, password)
    if user is None:
        desk.throttle.failed(name, address)
        if desk.throttle.wait_seconds(name, address):
            desk.note("", "sign-in blocked after wrong passwords", why=f"from {address}")
        return ask(request, desk, "Name and password do not match.", 403)
    desk.throttle.succeeded(name, address)
    if old := request.cookies.get(cookie_name(desk), ""):
        desk.sessions.end(old)
    token = desk.sessions.begin(user.name)
    desk.note(user.name, "signed in", why=user.role)
    answer = RedirectResponse("/", 303)
    set_cookie(answer, desk, token)
    return answer


def leave(visit: Visit) -> Response:
    visit.desk.sessions.end(visit.token)
    answer = visit.back("/sign-in")
    answer.delete_cookie(cookie_name(visit.desk), path="/", secure=visit.desk.tls, httponly=True)
    return answer


ROUTES = (
    Route("/sign-in", form, methods=["GET"]),
    Route("/sign-in", enter, methods=["POST"]),
    page("/sign-out", leave, changes=True),
)
