"""Signing in and out, and the admin's page of users.

In: forms.  Out: a session, or a wait that grows with wrong guesses; users with scrypt hashes, each
change in the ledger under the admin's name.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from dlp.console.render import html, plain_html
from dlp.console.request_context import (
    CASE,
    RequestContext,
    cookie_name,
    page,
    read_form,
    set_cookie,
    visitor,
)
from dlp.console.services import Services
from dlp.errors import StoreError
from dlp.store.users import SHORTEST, User

MAY = {
    "viewer": "sees every page, exports, checks the ledger",
    "reviewer": "also confirms, marks false positives, looks at masked excerpts",
    "officer": "also restores, releases, sanitises, accepts, sets values, looks in the clear",
    "admin": "also keeps these users",
}

BEFORE = "dlp_form"  # ties the sign-in form to the browser it was given to
FORM_SECONDS = 3600
BROWSER = "dlp_browser"  # guesses elsewhere do not lock out who has signed in here before
BROWSER_SECONDS = 90 * 86_400


def listing(context: RequestContext) -> Response:
    everybody = context.services.users.all()
    return html(context, "users.html", people=everybody, may=MAY, shortest=SHORTEST)


def add(context: RequestContext) -> Response:
    name, role = context.form.get("name", "").strip().lower(), context.form.get("role", "")
    password = context.form.get("password", "")
    return changed(
        context,
        lambda: context.services.users.add(name, role, password),
        f"user {name[:64]} added as {role[:20]}",
    )


def change(context: RequestContext) -> Response:
    """A new role or password, in or out: whichever the form names."""
    name = str(context.request.path_params["name"])
    role, password = context.form.get("role", ""), context.form.get("password", "")
    disabled = {"1": 1, "0": 0}.get(context.form.get("disabled", ""), -1)
    if name == context.user.name and (role not in {"", context.user.role} or disabled == 1):
        return refused(context, "nobody takes the key from themselves; another admin can")
    what = [f"role {role}"] * bool(role) + ["new password"] * bool(password)
    what += [("enabled", "disabled")[disabled]] * (disabled >= 0)
    return changed(
        context,
        lambda: context.services.users.change(
            name, role=role, password=password, disabled=disabled
        ),
        f"user {name[:64]}: {', '.join(what) or 'sessions ended'}",
    )


def remove(context: RequestContext) -> Response:
    name = str(context.request.path_params["name"])
    if name == context.user.name:
        return refused(context, "nobody takes the key from themselves; another admin can")
    return changed(
        context, lambda: context.services.users.remove(name), f"user {name[:64]} removed"
    )


def changed(context: RequestContext, act: Callable[[], None], what: str) -> Response:
    try:
        act()
    except StoreError as error:
        return refused(context, error.what)
    context.services.note(context.user.name, what)
    context.say(f"{what.capitalize()}.")
    return context.back("/users")


def refused(context: RequestContext, why: str) -> Response:
    context.say(f"Not done: {why}.")
    return context.back("/users")


async def form(request: Request) -> Response:
    services: Services = request.app.state.services
    if visitor(request, services) is not None:
        return RedirectResponse("/", 303)
    return ask(request, services)


def ask(request: Request, services: Services, problem: str = "", status: int = 200) -> Response:
    mark = request.cookies.get(BEFORE) or secrets.token_urlsafe(16)
    token = services.sessions.form_token(f"sign-in:{mark}")
    answer = plain_html(
        "sign_in.html", status=status, token=token, problem=problem, demo=services.demo,
        case=case_asked(request),
    )  # fmt: skip
    answer.set_cookie(
        BEFORE, mark, max_age=FORM_SECONDS, httponly=True, samesite="strict", secure=services.tls,
        path="/sign-in",
    )  # fmt: skip
    return answer


def case_asked(request: Request) -> str:
    """The case of a notice whose link led here; nothing else is a way out of this form."""
    case = request.query_params.get("case", "")
    return case if CASE.fullmatch(case) else ""


async def enter(request: Request) -> Response:
    services: Services = request.app.state.services
    sent = await read_form(request)
    mark = request.cookies.get(BEFORE, "")
    if not mark or not services.sessions.form_fits(f"sign-in:{mark}", sent.get("token", "")):
        return ask(request, services, "That form was too old. Please try again.", 403)
    name, password = sent.get("name", "").strip().lower(), sent.get("password", "")
    address = request.client.host if request.client else ""
    user = await services.sign_in(name, password, address, request.cookies.get(BROWSER, ""))
    return await run_in_threadpool(answer_to, request, services, user)


def answer_to(request: Request, services: Services, user: User | int | None) -> Response:
    if isinstance(user, int):
        answer = ask(request, services, f"Too many tries. Wait {user // 60 + 1} minutes.", 429)
        answer.headers["retry-after"] = str(user)
        return answer
    if user is None:
        return ask(request, services, "Name and password do not match.", 403)
    if old := request.cookies.get(cookie_name(services), ""):
        services.sessions.end(old)
    token = services.sessions.begin(user.name)
    services.note(user.name, "signed in", why=user.role)
    case = case_asked(request)
    answer = RedirectResponse(f"/cases/{case}" if case else "/", 303)
    set_cookie(answer, services, token)
    answer.set_cookie(
        BROWSER, services.browser_mark(user.name), max_age=BROWSER_SECONDS, httponly=True,
        samesite="strict", secure=services.tls, path="/sign-in",
    )  # fmt: skip
    return answer


def leave(context: RequestContext) -> Response:
    context.services.sessions.end(context.token)
    answer = context.back("/sign-in")
    answer.delete_cookie(
        cookie_name(context.services), path="/", secure=context.services.tls, httponly=True
    )
    return answer


ROUTES = (
    page("/users", listing, role="admin"),
    page("/users/add", add, role="admin", changes=True),
    page("/users/{name}/change", change, role="admin", changes=True),
    page("/users/{name}/remove", remove, role="admin", changes=True),
    Route("/sign-in", form, methods=["GET"]),
    Route("/sign-in", enter, methods=["POST"]),
    page("/sign-out", leave, changes=True),
)
