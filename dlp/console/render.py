"""Turn rows into pages: escaped always, numbers as people read them.

In: a template's name and what it shows.  Out: HTML, or the same rows as CSV.
"""

from __future__ import annotations

import csv
import io
import os
import time
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import jinja2
from starlette.responses import HTMLResponse, Response, StreamingResponse

import dlp
from dlp.console.request_context import RequestContext
from dlp.report.writers import cell, printable

HERE = Path(__file__).parent
# address, words, the role that sees it
SECTIONS = (
    ("/", "Overview", "viewer"), ("/folders", "Risk ranking", "viewer"),
    ("/exposure", "Exposure", "viewer"),
    ("/review", "Review", "viewer"), ("/quarantine", "Quarantine", "viewer"),
    ("/people", "People", "viewer"), ("/sensitivity", "Sensitivity", "viewer"),
    ("/find", "Find a person", "officer"), ("/policy", "Policy", "officer"),
    ("/coverage", "Coverage", "viewer"),
    ("/ledger", "Ledger", "viewer"), ("/users", "Users", "admin"),
)  # fmt: skip
OFFICE = "application/vnd.openxmlformats-officedocument."
TYPES = {
    f"{OFFICE}wordprocessingml.document": "Word document",
    f"{OFFICE}spreadsheetml.sheet": "Excel workbook",
    f"{OFFICE}presentationml.presentation": "PowerPoint slides",
    "application/pdf": "PDF", "application/zip": "zip archive", "message/rfc822": "mail",
    "text/plain": "plain text", "text/csv": "table (csv)", "text/html": "web page",
}  # fmt: skip
UNITS = ("bytes", "kB", "MB", "GB", "TB")


@cache
def templates() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(HERE / "templates"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "name": shown, "place": from_share, "base": last_part, "figure": figure, "day": day,
        "type": type_words, "moment": moment, "size": size, "count": count, "iso": iso,
    }  # fmt: skip
    return environment


def html(context: RequestContext, template: str, *, status: int = 200, **shown_: Any) -> Response:
    said, context.session.said = context.session.said, ""
    here = context.request.url.path
    return HTMLResponse(
        templates().get_template(template).render(
            context=context, user=context.user, token=context.form_token, said=said, here=here,
            sections=[s for s in SECTIONS if context.user.may(s[2])], version=dlp.__version__,
            demo=context.services.demo, level=context.services.level, **shown_,
        ),
        status,
    )  # fmt: skip


def plain_html(template: str, *, status: int = 200, **shown_: Any) -> Response:
    """A page for somebody who is not signed in."""
    page = templates().get_template(template).render(version=dlp.__version__, **shown_)
    return HTMLResponse(page, status)


def as_csv(name: str, columns: Iterable[str], rows: Iterable[dict[str, Any]]) -> Response:
    """Every row of a view with its filters; a cell can never start a formula."""
    wanted = tuple(columns)

    def lines() -> Iterator[str]:
        out = io.StringIO()
        writer = csv.writer(out)
        writer.writerow(wanted)
        for row in rows:
            writer.writerow([cell(column, plain(row[column])) for column in wanted])
            if out.tell() > 1 << 16:
                yield out.getvalue()
                out.seek(0)
                out.truncate()
        yield out.getvalue()

    headers = {"content-disposition": f'attachment; filename="dlp-{name}.csv"'}
    return StreamingResponse(lines(), media_type="text/csv; charset=utf-8", headers=headers)


def plain(value: Any) -> Any:
    return os.fsdecode(value) if isinstance(value, bytes) else value


def shown(path: bytes | str) -> str:
    """A name for people: bytes that are no text and characters that play tricks are spelt out."""
    return printable(plain(path))


@jinja2.pass_context
def from_share(context: jinja2.runtime.Context, path: bytes | str) -> str:
    """The share's own name instead of where it is mounted, which everybody here knows."""
    whole = plain(path)
    for share in context["context"].services.settings.share:
        root = share.path.rstrip("/")
        if whole == root or whole.startswith(root + "/"):
            return shown(share.name + whole[len(root) :])
    return shown(whole)


def last_part(path: bytes | str) -> str:
    return shown(plain(path).rstrip("/").rpartition("/")[2] or plain(path))


def figure(value: float) -> str:
    """0.94, 0.004, 2e-05; nothing at all is a dash."""
    if not value:
        return "–"
    return f"{value:.2f}" if value >= 0.1 else f"{value:.1g}"


def type_words(media_type: str) -> str:
    """What people call it; a type without a name of its own is shown as it is."""
    return TYPES.get(media_type, media_type or "unknown")


def count(value: float) -> str:
    return f"{value:,.0f}"


def day(seconds: float) -> str:
    return time.strftime("%Y-%m-%d", time.gmtime(seconds)) if seconds else ""


def moment(seconds: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.gmtime(seconds)) if seconds else ""


def iso(seconds: float) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds)) if seconds else ""


def size(number: float) -> str:
    for unit in UNITS:
        if number < 1000 or unit == UNITS[-1]:
            return f"{number:.0f} {unit}" if unit == "bytes" else f"{number:.1f} {unit}"
        number /= 1000
    raise AssertionError
