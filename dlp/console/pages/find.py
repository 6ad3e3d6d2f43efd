"""The page on which an officer looks for one person in everything on record.

In: values of a form, used once and shown nowhere again.  Out: files with reasons as a page or CSV;
that somebody looked is recorded, for whom is not.
"""

from __future__ import annotations

from starlette.responses import Response

from dlp.console.render import as_csv, html, iso
from dlp.console.request_context import RequestContext, page
from dlp.engine.person_search import DEGREES, FIELDS, described_by, find_person
from dlp.errors import ConfigError
from dlp.keys import fingerprint_key

CSV = ("degree", "why", "tells", "erasure", "container", "people", "owner", "readers", "modified",
       "path")  # fmt: skip
SHOWN = 200  # rows of the page; the CSV has all
LABELS = {
    "first": "First names", "last": "Last names", "birth": "Date of birth",
    "number": "Record or phone number", "email": "Mail address",
}  # fmt: skip


def form(context: RequestContext, trouble: str = "", status: int = 200) -> Response:
    return html(
        context, "find.html", search=None, rows=(), fields=FIELDS, labels=LABELS, trouble=trouble,
        degrees=DEGREES, status=status,
    )  # fmt: skip


def find(context: RequestContext) -> Response:
    services = context.services
    try:
        sought = described_by((name, context.form.get(name, "")) for name in FIELDS)
    except ConfigError as error:
        return form(context, f"{error.what}: {error.fix}", 400)
    search = find_person(
        services.engine, fingerprint_key(services.settings.keys.fingerprint), sought
    )
    services.note(context.user.name, search.note)
    rows = [
        {"degree": one.degree, "why": "; ".join(one.reasons), "erasure": one.erasure,
         "tells": "; ".join(services.concept_name(c) for c in one.facts if c in services.mesh),
         **{name: one.row[name] for name in ("id", "container", "people", "readers", "path")},
         "owner": services.owner_name(one.row["owner"]), "modified": iso(one.row["modified_at"])}
        for one in search.matches
    ]  # fmt: skip
    if context.form.get("format") == "csv":
        return as_csv("person", CSV, rows)
    return html(
        context, "find.html", search=search, rows=rows[:SHOWN], fields=FIELDS, labels=LABELS,
        trouble="", degrees=DEGREES,
    )  # fmt: skip


ROUTES = (page("/find", form, role="officer"), page("/find", find, role="officer", changes=True))
