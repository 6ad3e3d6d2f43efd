"""Who may sign in: admins let people in, change what they may do, and shut them out.

In: forms.  Out: users as scrypt keeps them; each change in the ledger under the admin's name.
"""

from __future__ import annotations

from collections.abc import Callable

from starlette.responses import Response

from dlp.console.render import html
from dlp.console.request_context import Visit, page
from dlp.errors import StoreError
from dlp.store.users import SHORTEST

MAY = {
    "viewer": "sees every page, exports, checks the ledger",
    "reviewer": "also confirms, marks false positives, looks at masked excerpts",
    "officer": "also restores, releases, sanitises, accepts, sets values, looks in the clear",
    "admin": "also keeps these users",
}


def listing(visit: Visit) -> Response:
    everybody = visit.desk.users.all()
    return html(visit, "users.html", people=everybody, may=MAY, shortest=SHORTEST)


def add(visit: Visit) -> Response:
    name, role = visit.form.get("name", "").strip().lower(), visit.form.get("role", "")
    password = visit.form.get("password", "")
    return changed(
        visit,
        lambda: visit.desk.users.add(name, role, password),
        f"user {name[:64]} added as {role[:20]}",
    )


def change(visit: Visit) -> Response:
    """A new role or password, in or out: whichever the form names."""
    name = str(visit.request.path_params["name"])
    role, password = visit.form.get("role", ""), visit.form.get("password", "")
    disabled = {"1": 1, "0": 0}.get(visit.form.get("disabled", ""), -1)
    if name == visit.user.name and (role not in {"", visit.user.role} or disabled == 1):
        return refused(visit, "nobody takes the key from themselves; another admin can")
    what = [f"role {role}"] * bool(role) + ["new password"] * bool(password)
    what += [("enabled", "disabled")[disabled]] * (disabled >= 0)
    return changed(
        visit,
        lambda: visit.desk.users.change(name, role=role, password=password, disabled=disabled),
        f"user {name[:64]}: {', '.join(what) or 'sessions ended'}",
    )


def remove(visit: Visit) -> Response:
    name = str(visit.request.path_params["name"])
    if name == visit.user.name:
        return refused(visit, "nobody takes the key from themselves; another admin can")
    return changed(visit, lambda: visit.desk.users.remove(name), f"user {name[:64]} removed")


def changed(visit: Visit, act: Callable[[], None], what: str) -> Response:
    try:
        act()
    except StoreError as error:
        return refused(visit, error.what)
    visit.desk.note(visit.user.name, what)
    visit.say(f"{what.capitalize()}.")
    return visit.back("/users")


def refused(visit: Visit, why: str) -> Response:
    visit.say(f"Not done: {why}.")
    return visit.back("/users")


ROUTES = (
    page("/users", listing, role="admin"),
    page("/users/add", add, role="admin", changes=True),
    page("/users/{name}/change", change, role="admin", changes=True),
    page("/users/{name}/remove", remove, role="admin", changes=True),
)
